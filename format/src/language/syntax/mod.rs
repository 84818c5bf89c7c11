//! Parses logical lines into a syntax tree; names are not resolved yet.

mod constraint_parser;
mod layout_parser;
mod term_parser;
mod token_cursor;

use super::logical_lines::LogicalLine;
use crate::model::BlockKind;
use rebut_diagnostics::{Diagnostic, Span};

/// The syntax tree of a format.
#[derive(Debug, Default)]
pub(super) struct SyntaxTree {
    pub(super) layout: Vec<LayoutNode>,
    pub(super) rules: Vec<SyntaxRule>,
}

/// A line of the layout.
#[derive(Debug)]
pub(super) enum LayoutNode {
    /// Fields and literals on one line of the input.
    Parts(Vec<SyntaxPart>),
    /// `cases T:`, `repeat M:` or `if x = 1:`.
    Block { kind: BlockKind, count: SyntaxCount, body: Vec<LayoutNode>, span: Span },
    /// `either:` and its alternatives, each with the lines that belong to it.
    Either { alternatives: Vec<Vec<LayoutNode>>, span: Span },
}

/// The number of instances of a block.
#[derive(Debug)]
pub(super) enum SyntaxCount {
    /// Given by a number.
    Times(SyntaxTerm),
    /// One if a condition holds.
    When(ComparisonChain),
    /// `1..100 until 0 0`, `1..100 until eof`.
    Until { least: SyntaxTerm, most: SyntaxTerm, sentinel: Option<Vec<u8>> },
}

/// A part of a line: a field or a literal.
#[derive(Debug)]
pub(super) struct SyntaxPart {
    pub(super) kind: SyntaxPartKind,
    pub(super) span: Span,
    /// True if no space separates it from the previous part.
    pub(super) glued: bool,
}

/// The content of a part.
#[derive(Debug)]
pub(super) enum SyntaxPartKind {
    Field(SyntaxField),
    Literal(Vec<u8>),
    /// `(x y)[n]`: parts that are repeated on the line.
    Group {
        parts: Vec<SyntaxPart>,
        count: Box<SyntaxTerm>,
    },
}

/// A name with its dimensions: `n`, `a[n]`, `board[R][C]`, `word[n][]`.
#[derive(Debug)]
pub(super) struct SyntaxField {
    pub(super) name: String,
    pub(super) span: Span,
    /// `None` for `[]`, a length that only the input determines.
    pub(super) dimensions: Vec<Option<SyntaxTerm>>,
    /// True in parentheses, `(words[n][])`: all rows are on one line.
    pub(super) on_one_line: bool,
}

/// An expression and its location.
#[derive(Clone, Debug)]
pub(super) struct SyntaxTerm {
    pub(super) kind: SyntaxTermKind,
    pub(super) span: Span,
}

/// The form of an expression.
#[derive(Clone, Debug)]
pub(super) enum SyntaxTermKind {
    Number(i128),
    /// The digits, and how many of them follow the decimal point.
    Decimal(i128, u32),
    Letter(u8),
    Text(Vec<u8>),
    Name(String),
    /// A name with indices: `a[i]`.
    Element(String, Vec<SyntaxTerm>),
    Negate(Box<SyntaxTerm>),
    Binary(&'static str, Box<SyntaxTerm>, Box<SyntaxTerm>),
    Call(String, Vec<SyntaxTerm>),
    Tuple(Vec<SyntaxTerm>),
}

/// A line of the where part.
#[derive(Debug)]
pub(super) enum SyntaxRule {
    /// A comparison chain.
    Chain(ComparisonChain),
    /// A formula with `and`, `or`, `=>`, `forall` and the like.
    Formula(SyntaxFormula, Span),
    /// `board over ".#"`, `x real, 6 decimals`: the type of fields.
    FieldKind { names: Vec<SyntaxTerm>, of: SyntaxFieldKind },
    /// `let MOD = 10^9 + 7`.
    Let { name: String, value: SyntaxTerm, span: Span },
    /// `subtask small (20): N <= 10`; without constraints it selects the subtask of that name.
    Subtask { name: String, points: Option<SyntaxTerm>, rules: Option<Vec<SyntaxRule>>, span: Span },
    /// `edges (u, v) on 1..n: simple, connected`.
    Edges {
        ends: Box<(SyntaxTerm, SyntaxTerm)>,
        vertices: Box<(SyntaxTerm, SyntaxTerm)>,
        properties: Vec<(String, Span)>,
        span: Span,
    },
    /// `parents p of 2..n on 1..n: tree`.
    Parents {
        name: SyntaxTerm,
        children: Box<(SyntaxTerm, SyntaxTerm)>,
        vertices: Box<(SyntaxTerm, SyntaxTerm)>,
        properties: Vec<(String, Span)>,
        span: Span,
    },
    /// `p permutation of 1..n`.
    Permutation { names: Vec<SyntaxTerm>, values: Box<(SyntaxTerm, SyntaxTerm)>, span: Span },
    /// A predicate: `distinct(a)`.
    Predicate(SyntaxTerm),
    /// `validator "program arguments"`.
    Validator { command: String, span: Span },
    /// `generator "program arguments"`.
    Generator { command: String, span: Span },
    /// `shape "name"`: a problem shape for this format.
    Shape { name: String, span: Span },
}

/// `1 <= a, b <= n`: lists of terms with operators between them.
#[derive(Clone, Debug)]
pub(super) struct ComparisonChain {
    pub(super) lists: Vec<Vec<SyntaxTerm>>,
    pub(super) signs: Vec<(&'static str, Span)>,
    pub(super) span: Span,
}

/// The type of a field.
#[derive(Clone, Debug)]
pub(super) enum SyntaxFieldKind {
    /// `over ".#"`
    Letters(Vec<u8>, Span),
    /// `one of "push", "pop"`
    Words(Vec<(Vec<u8>, Span)>),
    /// `real, 0..6 decimals`
    Real(Box<(SyntaxTerm, SyntaxTerm)>),
    /// `matches "[A-Z][a-z]*"`
    Pattern(String, Span),
}

/// Comparisons and their logical connectives.
#[derive(Clone, Debug)]
pub(super) enum SyntaxFormula {
    Chain(ComparisonChain),
    All(Vec<SyntaxFormula>),
    Any(Vec<SyntaxFormula>),
    Not(Box<SyntaxFormula>),
    Implies(Box<(SyntaxFormula, SyntaxFormula)>),
    /// `forall i in 1..n: body`, `exists i in 1..n: body`
    Quantified {
        every: bool,
        name: String,
        range: Box<(SyntaxTerm, SyntaxTerm)>,
        body: Box<SyntaxFormula>,
        span: Span,
    },
}

/// The reserved words, which cannot be names of fields.
pub(super) const KEYWORDS: &[&str] = &[
    "cases",
    "repeat",
    "either",
    "if",
    "until",
    "where",
    "over",
    "validator",
    "shape",
    "let",
    "and",
    "or",
    "not",
    "forall",
    "exists",
];

/// The comparison operators.
pub(super) const COMPARISON_SIGNS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

/// Parses all lines; lines with errors are reported and left out.
pub(super) fn parse_syntax(lines: Vec<LogicalLine>, problems: &mut Vec<Diagnostic>) -> SyntaxTree {
    let mut tree = SyntaxTree::default();
    tree.layout = layout_parser::parse_layout(lines, &mut tree.rules, problems);
    tree
}
