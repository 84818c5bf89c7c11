//! Mutants of programs: copies with one small mistake, of the kinds that people make.
//!
//! Of the submissions that others hacked, more than a third differ from their repair in one place: a number, a name, a
//! comparison, a special case that is missing. [`find_mutants`] lists such mistakes of a C++ source, and
//! [`build_schema`] puts many of them into one program, which is compiled once and chooses a mutant when it starts:
//!
//! ```
//! use rebut_mutants::{MutationOperator, find_mutants};
//!
//! let source = "int twice(int n) { return 2 * n; }\n";
//! let mutants = find_mutants(source);
//! let literal = mutants.iter().find(|mutant| mutant.operator == MutationOperator::Literal).expect("there is a 2");
//! assert_eq!((literal.line, literal.column), (1, 27));
//! assert_eq!(literal.mutate_source(source), "int twice(int n) { return 3 * n; }\n");
//! ```
//!
//! Everything here is a function of the source. Whether a mutant compiles, only a compiler knows.

mod expressions;
mod literals;
mod names;
mod schema;
mod source_tree;
mod statements;

pub use schema::{MUTANT_ARGUMENT, build_schema};

use source_tree::SourceTree;
use std::ops::Range;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MutationOperator {
    /// A number is larger or smaller by one, or half as large: `5` to `6`.
    Literal,
    /// A comparison includes its bound or not, or is negated: `<` to `<=`.
    Comparison,
    /// A special case is left out: the condition of an `if` is false.
    Guard,
    /// A term of `&&` or `||` is left out.
    Term,
    /// A name is replaced by another of the same type, or `min` by `max`.
    Name,
    /// A type is too narrow: `long long` to `int`.
    Type,
    /// A variable keeps the value of the last round of a loop.
    Reset,
    /// A loop ends one round early.
    LoopBound,
    /// An arithmetic operator is another one: `+` to `-`.
    Arithmetic,
    /// A `break` or `continue` is left out.
    Jump,
}

impl MutationOperator {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::Literal => "literal",
            MutationOperator::Comparison => "comparison",
            MutationOperator::Guard => "guard",
            MutationOperator::Term => "term",
            MutationOperator::Name => "name",
            MutationOperator::Type => "type",
            MutationOperator::Reset => "reset",
            MutationOperator::LoopBound => "loop-bound",
            MutationOperator::Arithmetic => "arithmetic",
            MutationOperator::Jump => "jump",
        }
    }
}

/// The kind of part that a mutant replaces, which decides whether a schema can hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantForm {
    /// An expression that is evaluated when the program runs.
    Expression,
    /// A statement.
    Statement,
    /// Something that the compiler has to know, such as a type or the size of an array: a program of its own.
    Declaration,
}

/// A program with one mistake: the source with a part replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The kind of mistake.
    pub operator: MutationOperator,
    /// Line of the part, from 1.
    pub line: usize,
    /// Column of the part in bytes, from 1.
    pub column: usize,
    /// The part in bytes of the source.
    pub range: Range<usize>,
    /// Its replacement; empty if it is left out.
    pub replacement: String,
    /// The kind of part.
    pub form: MutantForm,
}

impl Mutant {
    /// Returns the source of the mutant.
    pub fn mutate_source(&self, source: &str) -> String {
        let replacement = match self.operator {
            // A statement has to be there, but it can be empty.
            _ if self.replacement.is_empty() => "{}".to_owned(),
            // Another operator can have another precedence.
            MutationOperator::Arithmetic | MutationOperator::Comparison | MutationOperator::LoopBound => {
                format!("({})", self.replacement)
            }
            _ => self.replacement.clone(),
        };
        [&source[..self.range.start], &replacement, &source[self.range.end..]].concat()
    }

    /// Returns the part that is replaced.
    pub fn original_text<'s>(&self, source: &'s str) -> &'s str {
        &source[self.range.clone()]
    }
}

/// Returns all mutants of a C++ source, in the order of their places. Returns none if it cannot be parsed.
pub fn find_mutants(source: &str) -> Vec<Mutant> {
    let Some(tree) = SourceTree::parse_cpp(source) else { return Vec::new() };
    let mut mutants = Vec::new();
    for node in tree.nodes() {
        literals::mutate_literal(&tree, node, &mut mutants);
        expressions::mutate_expression(&tree, node, &mut mutants);
        statements::mutate_statement(&tree, node, &mut mutants);
    }
    names::mutate_names(&tree, &mut mutants);
    mutants.sort_by_key(|mutant| (mutant.range.start, mutant.range.end, mutant.operator));
    mutants.dedup_by(|a, b| a.range == b.range && a.replacement == b.replacement);
    mutants
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests;
