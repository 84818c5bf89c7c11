//! Mutants of programs: copies with one small mistake, of the kinds that people make.
//!
//! Of the submissions that others hacked, more than a third differ from their repair in one place: a number, a name, a
//! comparison, a special case that is missing. [`find_mutants`] lists such mistakes of a source in C++, Java, Python or
//! Rust, and [`build_schema`] puts many of them into one program, which is compiled once and chooses a mutant when it
//! starts:
//!
//! ```
//! use rebut_mutants::{MutationOperator, SourceLanguage, find_mutants};
//!
//! let source = "int twice(int n) { return 2 * n; }\n";
//! let mutants = find_mutants(source, SourceLanguage::Cpp);
//! let literal = mutants.iter().find(|mutant| mutant.operator == MutationOperator::Literal).expect("there is a 2");
//! assert_eq!((literal.line, literal.column), (1, 27));
//! assert_eq!(literal.end_place(source), (1, 28));
//! assert_eq!(literal.mutate_source(source), "int twice(int n) { return 3 * n; }\n");
//! ```
//!
//! Everything here is a function of the source. Whether a mutant compiles, only a compiler knows.

mod dialect;
mod expressions;
mod lints;
mod names;
mod schema;
mod sizes;
mod source_tree;
mod startup;
mod statements;
#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests;
mod trace;

pub use dialect::SourceLanguage;
pub use lints::{JuryRole, Lint, find_lints};
pub use schema::{MUTANT_ARGUMENT, build_schema};
use source_tree::{SourceTree, parse_source};
pub use startup::late_mutants;
use std::ops::Range;
pub use trace::{Trace, TraceKind, TraceRecord, TraceSite, TracedSource, read_trace, trace_source};

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MutationOperator {
    /// A number is larger or smaller by one, half as large, or another modulus, power of ten, tolerance or bound of the
    /// input: `5` to `6`.
    Literal,
    /// An array is one element short, where its size is no number.
    Size,
    /// A comparison includes its bound or not, or is negated: `<` to `<=`.
    Comparison,
    /// A special case is left out: the condition of an `if` is false.
    Guard,
    /// A term of `&&` or `||` is left out.
    Term,
    /// A name is replaced by another of the same type, or `min` by `max`.
    Name,
    /// A type is too narrow: `long long` to `int`, `1LL` to `1`.
    Type,
    /// A variable keeps the value of the last round of a loop.
    Reset,
    /// A loop ends one round early, or late.
    LoopBound,
    /// An arithmetic operator is another one: `+` to `-`.
    Arithmetic,
    /// A `break`, a `continue` or a `return` without a value is left out, one of the first two is replaced by the other, or
    /// a loop ends after its first round.
    Jump,
    /// A sequence is sorted the other way round, or not at all.
    SortOrder,
    /// A table of directions has a wrong sign.
    Direction,
}

impl MutationOperator {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::Literal => "literal",
            MutationOperator::Size => "size",
            MutationOperator::Comparison => "comparison",
            MutationOperator::Guard => "guard",
            MutationOperator::Term => "term",
            MutationOperator::Name => "name",
            MutationOperator::Type => "type",
            MutationOperator::Reset => "reset",
            MutationOperator::LoopBound => "loop-bound",
            MutationOperator::Arithmetic => "arithmetic",
            MutationOperator::Jump => "jump",
            MutationOperator::SortOrder => "sort-order",
            MutationOperator::Direction => "direction",
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
    /// A statement that is added.
    Insertion,
    /// Something that the compiler has to know, such as a type or the size of an array: a program of its own.
    Declaration,
}

/// A program with one mistake: the source with a part replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The kind of mistake.
    pub operator: MutationOperator,
    /// The language of the source.
    pub language: SourceLanguage,
    /// Line of the part, from 1.
    pub line: usize,
    /// Column of the part in bytes, from 1.
    pub column: usize,
    /// The part in bytes of the source; empty if something is added.
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
            _ if self.replacement.is_empty() => self.language.dialect().empty_statement.to_owned(),
            _ if self.form == MutantForm::Insertion => self.inserted_statement(&self.replacement),
            // Another operator can have another precedence.
            MutationOperator::Arithmetic
            | MutationOperator::Comparison
            | MutationOperator::LoopBound
            | MutationOperator::Size => format!("({})", self.replacement),
            MutationOperator::Type if self.language != SourceLanguage::Cpp => format!("({})", self.replacement),
            MutationOperator::SortOrder if self.form == MutantForm::Expression => format!("({})", self.replacement),
            _ => self.replacement.clone(),
        };
        [&source[..self.range.start], &replacement, &source[self.range.end..]].concat()
    }

    /// Returns a statement as it is added behind another. In Rust, that one can be without a semicolon.
    fn inserted_statement(&self, statement: &str) -> String {
        match self.language {
            SourceLanguage::Rust => format!("; {statement}"),
            _ => statement.to_owned(),
        }
    }

    /// Returns the line and the column behind the part, from 1.
    pub fn end_place(&self, source: &str) -> (usize, usize) {
        let before = &source[..self.range.end];
        let line = before.matches('\n').count() + 1;
        (line, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1)
    }

    /// Returns the part that is replaced.
    pub fn original_text<'s>(&self, source: &'s str) -> &'s str {
        &source[self.range.clone()]
    }
}

/// Returns all mutants of a source, in the order of their places. Returns none if it cannot be parsed.
pub fn find_mutants(source: &str, language: SourceLanguage) -> Vec<Mutant> {
    find_mutants_within(source, language, &[]).mutants
}

/// The mutants of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundMutants {
    /// The mutants, in the order of their places.
    pub mutants: Vec<Mutant>,
    /// True if there may be more: the source is nested or repeats itself too much to be searched to its end.
    pub is_cut_short: bool,
}

/// Same, of a program whose inputs have numbers and sizes within these bounds: one of them can be taken for another.
pub fn find_mutants_within(source: &str, language: SourceLanguage, bounds: &[i128]) -> FoundMutants {
    let Some(syntax) = parse_source(source, language) else {
        return FoundMutants { mutants: Vec::new(), is_cut_short: true };
    };
    let tree = SourceTree::new(source, language, &syntax);
    let mut mutants = Vec::new();
    for node in tree.nodes().iter().copied().take_while(|_| !tree.is_exhausted()) {
        expressions::mutate_literal(&tree, node, bounds, &mut mutants);
        sizes::mutate_size(&tree, node, &mut mutants);
        expressions::mutate_expression(&tree, node, &mut mutants);
        statements::mutate_statement(&tree, node, &mut mutants);
        sizes::narrow_types(&tree, node, &mut mutants);
        expressions::mutate_order(&tree, node, &mut mutants);
    }
    names::mutate_names(&tree, &mut mutants);
    mutants.sort_by_key(|mutant| (mutant.range.start, mutant.range.end, mutant.operator));
    mutants.dedup_by(|a, b| a.range == b.range && a.replacement == b.replacement);
    FoundMutants { mutants, is_cut_short: tree.is_exhausted() }
}
