//! The syntax tree of the format language.
//!
//! [`SyntaxTree::parse`] reads a text, [`Display`](std::fmt::Display) prints a tree, and reading what was printed gives
//! the same tree. Importers build trees and print them, so that there is one place that knows spaces, parentheses and
//! escapes. Nodes that come from a text have its locations; of other nodes a location is empty. Names are not resolved:
//! [`Format::parse`](super::Format::parse) does that.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::syntax::{ComparisonChain, SyntaxRule, SyntaxTerm, SyntaxTree};
//!
//! let mut tree = SyntaxTree::parse(&SourceText::new("example", "n; a[n] where 0<=a<=9")).expect("a valid text");
//! let bounds = ComparisonChain::new(SyntaxTerm::from_number(1)).followed_by("<=", vec![SyntaxTerm::from_name("n")]);
//! tree.rules.push(SyntaxRule::Chain(bounds.followed_by("<=", vec![SyntaxTerm::from_number(8)])));
//! assert_eq!(tree.to_string(), "n\na[n]\nwhere:\n    0 <= a <= 9\n    1 <= n <= 8\n");
//! ```

mod constraint_parser;
mod layout_parser;
mod term_parser;
mod token_cursor;
mod visit;

use super::logical_line::LogicalLine;
use crate::model::{ArithmeticOperator, BlockKind, apply_operator};
use rebut_diagnostics::{Diagnostic, Span};

/// The syntax tree of a format: its layout, and the lines of its where part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyntaxTree {
    /// The lines of the layout.
    pub layout: Vec<LayoutNode>,
    /// The lines of the where part.
    pub rules: Vec<SyntaxRule>,
}

/// A line of the layout.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a layout has few lines")]
pub enum LayoutNode {
    /// Fields and literals on one line of the input.
    Parts(Vec<SyntaxPart>),
    /// `cases T:`, `repeat M:` or `if x = 1:`.
    Block {
        /// The keyword.
        kind: BlockKind,
        /// The number of repetitions, or the condition.
        count: SyntaxCount,
        /// The line of the input between two repetitions, if there is one: `separated by ""`.
        separator: Option<Vec<u8>>,
        /// The lines in the block.
        body: Vec<LayoutNode>,
        /// Location of the header.
        span: Span,
    },
    /// `either:` and its alternatives, each with the lines that belong to it. The first line of several consists of
    /// parts.
    Either {
        /// At least two alternatives.
        alternatives: Vec<Vec<LayoutNode>>,
        /// Location of the header.
        span: Span,
    },
}

/// The number of instances of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxCount {
    /// Given by a number.
    Times(SyntaxTerm),
    /// One if a condition holds.
    When(ComparisonChain),
    /// `1..100 until 0 0`, `1..100 until eof`.
    Until {
        /// Minimum number of instances.
        least: SyntaxTerm,
        /// Maximum number of instances.
        most: SyntaxTerm,
        /// The line after the last instance, or `None` for the end of the input.
        sentinel: Option<Vec<u8>>,
    },
}

/// A part of a line: a field or a literal.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxPart {
    /// The content.
    pub kind: SyntaxPartKind,
    /// Location.
    pub span: Span,
    /// True if no space separates it from the previous part.
    pub glued: bool,
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxPartKind {
    /// A field.
    Field(SyntaxField),
    /// Characters that are the same in each input.
    Literal(Vec<u8>),
    /// `(x y)[n]`: parts that are repeated on the line.
    Group {
        /// The repeated parts.
        parts: Vec<SyntaxPart>,
        /// The number of repetitions.
        count: Box<SyntaxTerm>,
    },
}

/// A name with its dimensions: `n`, `a[n]`, `board[R][C]`, `word[n][]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxField {
    /// The name.
    pub name: String,
    /// Location of the name and the dimensions.
    pub span: Span,
    /// `None` for `[]`, a length that only the input determines.
    pub dimensions: Vec<Option<SyntaxTerm>>,
    /// True in parentheses, `(words[n][])`: all rows are on one line.
    pub on_one_line: bool,
}

/// An expression and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxTerm {
    /// The form.
    pub kind: SyntaxTermKind,
    /// Location.
    pub span: Span,
}

/// The form of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxTermKind {
    /// A whole number.
    Number(i128),
    /// The digits, and how many of them follow the decimal point.
    Decimal(i128, u32),
    /// A character in single quotes.
    Letter(u8),
    /// A text in double quotes.
    Text(Vec<u8>),
    /// A name.
    Name(String),
    /// A name with indices: `a[i]`.
    Element(String, Vec<SyntaxTerm>),
    /// A name with a range among its indices, and the indices before and after it: `a[1..i]`, `V[r][1..i]`, `V[1..n][c]`.
    Slice(String, Vec<SyntaxTerm>, SyntaxRange, Vec<SyntaxTerm>),
    /// The negation of a number.
    Negate(Box<SyntaxTerm>),
    /// One of `+ - * / % ^`.
    Binary(&'static str, Box<SyntaxTerm>, Box<SyntaxTerm>),
    /// A function or a predicate with its arguments.
    Call(String, Vec<SyntaxTerm>),
    /// Several values in parentheses.
    Tuple(Vec<SyntaxTerm>),
}

/// The two ends of a range: `1..n`.
pub type SyntaxRange = Box<(SyntaxTerm, SyntaxTerm)>;

/// A property of a graph: `simple`, or with a bound, `degree <= 3` and `regular k`.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxProperty {
    /// The word.
    pub word: String,
    /// The number after `degree <=` or `regular`, or the last one of `depth 3..5`.
    pub bound: Option<SyntaxTerm>,
    /// The first number of a range.
    pub least: Option<SyntaxTerm>,
    /// Location of the word.
    pub span: Span,
}

impl SyntaxProperty {
    /// Returns a property without a bound.
    pub fn new(word: impl Into<String>) -> SyntaxProperty {
        SyntaxProperty { word: word.into(), bound: None, least: None, span: Span::default() }
    }
}

/// A line of the where part.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxRule {
    /// A comparison chain.
    Chain(ComparisonChain),
    /// A formula with `and`, `or`, `=>`, `forall` and the like, and its location.
    Formula(SyntaxFormula, Span),
    /// `board over ".#"`, `x real, 6 decimals`: the type of fields.
    FieldKind {
        /// The names of the fields.
        names: Vec<SyntaxTerm>,
        /// Their type.
        of: SyntaxFieldKind,
    },
    /// `let MOD = 10^9 + 7`.
    Let {
        /// Name of the constant.
        name: String,
        /// Its value.
        value: SyntaxTerm,
        /// Location of the line.
        span: Span,
    },
    /// `subtask small (20): N <= 10`; without constraints it selects the subtask of that name.
    Subtask {
        /// A name or a number.
        name: String,
        /// Number of points.
        points: Option<SyntaxTerm>,
        /// Its constraints.
        rules: Option<Vec<SyntaxRule>>,
        /// Location of the header.
        span: Span,
    },
    /// `edges (u, v) on 1..n: simple, connected`.
    Edges {
        /// The two ends of each edge.
        ends: SyntaxRange,
        /// The numbers of the vertices.
        vertices: SyntaxRange,
        /// The condition that makes a line an edge, if not all lines are edges: `if type = 1`.
        condition: Option<ComparisonChain>,
        /// Properties.
        properties: Vec<SyntaxProperty>,
        /// Location of the line.
        span: Span,
    },
    /// `parents p of 2..n on 1..n: tree`.
    Parents {
        /// The field with the parents.
        name: SyntaxTerm,
        /// The vertices that have a parent.
        children: SyntaxRange,
        /// The numbers of the vertices.
        vertices: SyntaxRange,
        /// Properties.
        properties: Vec<SyntaxProperty>,
        /// Location of the line.
        span: Span,
    },
    /// `polygon (x, y): convex, counterclockwise`.
    Polygon {
        /// The two coordinates of each corner.
        corner: SyntaxRange,
        /// Properties.
        properties: Vec<SyntaxProperty>,
        /// Location of the line.
        span: Span,
    },
    /// `p permutation of 1..n`.
    Permutation {
        /// The fields, of which each is a permutation.
        names: Vec<SyntaxTerm>,
        /// The permuted numbers.
        values: SyntaxRange,
        /// Location of the line.
        span: Span,
    },
    /// A predicate: `distinct(a)`.
    Predicate(SyntaxTerm),
    /// `validator "program arguments"`.
    Validator {
        /// The program and its arguments.
        command: String,
        /// Location of the text.
        span: Span,
    },
    /// `generator "program arguments"`.
    Generator {
        /// The program and its arguments.
        command: String,
        /// Location of the text.
        span: Span,
    },
}

/// `1 <= a, b <= n`: lists of terms with operators between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonChain {
    /// The lists, one more than there are operators.
    pub lists: Vec<Vec<SyntaxTerm>>,
    /// The operators, with their locations.
    pub signs: Vec<(&'static str, Span)>,
    /// Location of the chain.
    pub span: Span,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxFieldKind {
    /// `over ".#"`: letters and ranges of letters, in which a backslash precedes `-` and `\\` that stand for themselves.
    Letters(Vec<u8>, Span),
    /// `one of "push", "pop"`
    Words(Vec<(Vec<u8>, Span)>),
    /// `real, 0..6 decimals`
    Real(SyntaxRange),
    /// `matches "[A-Z][a-z]*"`
    Pattern(String, Span),
}

/// Comparisons and their logical connectives.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxFormula {
    /// A comparison chain, or a predicate: a chain without an operator.
    Chain(ComparisonChain),
    /// At least two formulas joined by `and`.
    All(Vec<SyntaxFormula>),
    /// At least two formulas joined by `or`.
    Any(Vec<SyntaxFormula>),
    /// `not`
    Not(Box<SyntaxFormula>),
    /// `condition => consequence`
    Implies(Box<(SyntaxFormula, SyntaxFormula)>),
    /// `forall i in 1..n: body`, `exists i in 1..n: body`
    Quantified {
        /// True for `forall`.
        every: bool,
        /// The variable.
        name: String,
        /// Its values.
        range: SyntaxRange,
        /// The formula about it.
        body: Box<SyntaxFormula>,
        /// Location of the whole formula.
        span: Span,
    },
}

impl SyntaxTerm {
    /// Returns an expression without a location.
    pub fn new(kind: SyntaxTermKind) -> SyntaxTerm {
        SyntaxTerm { kind, span: Span::default() }
    }

    /// Returns a whole number.
    pub fn from_number(number: i128) -> SyntaxTerm {
        match number.checked_neg() {
            Some(positive) if number < 0 => SyntaxTerm::from_number(positive).into_negated(),
            Some(_) => SyntaxTerm::new(SyntaxTermKind::Number(number)),
            // The smallest number is the negative of none.
            None => SyntaxTerm::from_number(number + 1).into_operation("-", SyntaxTerm::from_number(1)),
        }
    }

    /// Returns the value of an expression of whole numbers joined by `+ - * ^`, or `None` of any other one and on overflow.
    pub fn constant_value(&self) -> Option<i128> {
        match &self.kind {
            SyntaxTermKind::Number(number) => Some(*number),
            SyntaxTermKind::Negate(inner) => inner.constant_value()?.checked_neg(),
            SyntaxTermKind::Binary(sign, left, right) => {
                let operator = ArithmeticOperator::from_sign(sign).filter(|_| !matches!(*sign, "/" | "%"))?;
                apply_operator(operator, left.constant_value()?, right.constant_value()?)
            }
            _ => None,
        }
    }

    /// Returns a name.
    pub fn from_name(name: impl Into<String>) -> SyntaxTerm {
        SyntaxTerm::new(SyntaxTermKind::Name(name.into()))
    }

    /// Returns a call.
    pub fn new_call(name: impl Into<String>, arguments: Vec<SyntaxTerm>) -> SyntaxTerm {
        SyntaxTerm::new(SyntaxTermKind::Call(name.into(), arguments))
    }

    /// Returns the negation.
    #[must_use]
    pub fn into_negated(self) -> SyntaxTerm {
        SyntaxTerm::new(SyntaxTermKind::Negate(Box::new(self)))
    }

    /// Returns an operation: one of `+ - * / % ^`.
    #[must_use]
    pub fn into_operation(self, sign: &'static str, right: SyntaxTerm) -> SyntaxTerm {
        SyntaxTerm::new(SyntaxTermKind::Binary(sign, Box::new(self), Box::new(right)))
    }
}

impl ComparisonChain {
    /// Returns a chain of a single term, which is not a comparison yet.
    pub fn new(first: SyntaxTerm) -> ComparisonChain {
        ComparisonChain::from_list(vec![first])
    }

    /// Returns a chain of a list of terms, which is not a comparison yet.
    pub fn from_list(terms: Vec<SyntaxTerm>) -> ComparisonChain {
        ComparisonChain { lists: vec![terms], signs: Vec::new(), span: Span::default() }
    }

    /// Adds an operator and the terms after it.
    #[must_use]
    pub fn followed_by(mut self, sign: &'static str, terms: Vec<SyntaxTerm>) -> ComparisonChain {
        self.signs.push((sign, Span::default()));
        self.lists.push(terms);
        self
    }
}

/// The comparison operators.
pub const COMPARISON_SIGNS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

/// Parses all lines; lines with errors are reported and left out.
pub(super) fn parse_syntax(lines: Vec<LogicalLine>, problems: &mut Vec<Diagnostic>) -> SyntaxTree {
    let mut parser = layout_parser::LayoutParser { rules: Vec::new(), problems };
    let layout = parser.parse_layout(lines);
    SyntaxTree { layout, rules: parser.rules }
}

#[cfg(test)]
mod tests;
