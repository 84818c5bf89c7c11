//! Logical lines to a syntax tree: what was written, before any name is looked up.

mod cursor;
mod layout;
mod rules;
mod terms;

use super::lines::Line;
use super::model::BlockKind;
use crate::diagnostic::{Diagnostic, Span};

/// A whole format as written.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) layout: Vec<LayoutLine>,
    pub(super) rules: Vec<WrittenRule>,
}

/// One line of the layout.
#[derive(Debug)]
pub(super) enum LayoutLine {
    /// Fields and fixed words that stand on one line of the input.
    Parts(Vec<Part>),
    /// `cases T:` or `repeat M:`, `if x = 1:`.
    Block { kind: BlockKind, count: WrittenCount, body: Vec<LayoutLine>, span: Span },
    /// `either:` and the first lines of its alternatives, each with the lines that belong to it.
    Either { alternatives: Vec<Vec<LayoutLine>>, span: Span },
}

/// How often a block is there.
#[derive(Debug)]
pub(super) enum WrittenCount {
    /// As often as a number says.
    Times(Term),
    /// Once under a condition.
    When(Chain),
    /// `1..100 until 0 0`, `1..100 until eof`.
    Until { least: Term, most: Term, sentinel: Option<Vec<u8>> },
}

/// A part of a line: a field, or characters that always stand there.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) span: Span,
    /// Whether nothing separates it from the part before.
    pub(super) glued: bool,
}

/// What a part of a line is.
#[derive(Debug)]
pub(super) enum PartKind {
    Field(Field),
    Literal(Vec<u8>),
    /// `(x y)[n]`: parts that stand on the line as often as the number says.
    Group {
        parts: Vec<Part>,
        count: Box<Term>,
    },
}

/// A name with its dimensions: `n`, `a[n]`, `board[R][C]`, `word[n][]`.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) span: Span,
    /// `None` for `[]`, a length that only the input tells.
    pub(super) dimensions: Vec<Option<Term>>,
    /// In brackets, `(words[n][])`: all rows stand on one line.
    pub(super) on_one_line: bool,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) span: Span,
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub(super) enum TermKind {
    Number(i128),
    /// The digits, and how many of them stand after the point.
    Decimal(i128, u32),
    Letter(u8),
    Text(Vec<u8>),
    Name(String),
    /// A name with indices: `a[i]`.
    Element(String, Vec<Term>),
    Minus(Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
    Call(String, Vec<Term>),
    Tuple(Vec<Term>),
}

/// One line of the where part.
#[derive(Debug)]
pub(super) enum WrittenRule {
    /// Comparisons alone on their line.
    Chain(Chain),
    /// Comparisons with `and`, `or`, `=>`, `forall` and the like between them.
    Formula(WrittenFormula, Span),
    /// `board over ".#"`, `x real, 6 decimals`: what fields are made of.
    Made { names: Vec<Term>, of: WrittenKind },
    /// `let MOD = 10^9 + 7`.
    Let { name: String, value: Term, span: Span },
    /// `subtask small (20): N <= 10`; without constraints it selects the one of that name.
    Subtask { name: String, points: Option<Term>, rules: Option<Vec<WrittenRule>>, span: Span },
    /// `edges (u, v) on 1..n: simple, connected`.
    Edges { ends: Box<(Term, Term)>, vertices: Box<(Term, Term)>, adjectives: Vec<(String, Span)>, span: Span },
    /// `parents p of 2..n on 1..n: tree`.
    Parents {
        name: Term,
        children: Box<(Term, Term)>,
        vertices: Box<(Term, Term)>,
        adjectives: Vec<(String, Span)>,
        span: Span,
    },
    /// `p permutation of 1..n`.
    Permutation { names: Vec<Term>, values: Box<(Term, Term)>, span: Span },
    /// A predicate alone on its line: `distinct(a)`.
    Predicate(Term),
    /// `validator "program arguments"`.
    Validator { command: String, span: Span },
    /// `generator "program arguments"`.
    Generator { command: String, span: Span },
    /// `shape "name"`: a bespoke shape that belongs to this format.
    Shape { name: String, span: Span },
}

/// `1 <= a, b <= n`: lists of terms with the signs between them.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) lists: Vec<Vec<Term>>,
    pub(super) signs: Vec<(&'static str, Span)>,
    pub(super) span: Span,
}

/// What a field is made of.
#[derive(Clone, Debug)]
pub(super) enum WrittenKind {
    /// `over ".#"`
    Letters(Vec<u8>, Span),
    /// `one of "push", "pop"`
    Words(Vec<(Vec<u8>, Span)>),
    /// `real, 0..6 decimals`
    Real(Box<(Term, Term)>),
    /// `matches "[A-Z][a-z]*"`
    Pattern(String, Span),
}

/// Comparisons and what stands between them.
#[derive(Clone, Debug)]
pub(super) enum WrittenFormula {
    Chain(Chain),
    All(Vec<WrittenFormula>),
    Any(Vec<WrittenFormula>),
    Not(Box<WrittenFormula>),
    Implies(Box<(WrittenFormula, WrittenFormula)>),
    /// `forall i in 1..n: body`, `exists i in 1..n: body`
    Quantified {
        every: bool,
        name: String,
        range: Box<(Term, Term)>,
        body: Box<WrittenFormula>,
        span: Span,
    },
}

/// The words that no field can be called.
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

/// The signs of comparisons.
pub(super) const SIGNS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

/// Reads all lines; what cannot be read is noted and left out.
pub(super) fn parse(lines: Vec<Line>, problems: &mut Vec<Diagnostic>) -> Tree {
    let mut tree = Tree::default();
    tree.layout = layout::layout(lines, &mut tree.rules, problems);
    tree
}
