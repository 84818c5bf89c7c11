//! Comparisons, and what stands between them.

use super::expr::{Expr, Sign};
use super::model::FieldId;

/// `left sign right`. Sides of one expression are numbers, of several they are tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left side.
    pub left: Vec<Expr>,
    /// The sign.
    pub sign: Sign,
    /// The right side, of as many expressions as the left.
    pub right: Vec<Expr>,
    /// Both sides stand multiplied by this power of ten, because a real is among them.
    pub decimals: u32,
}

impl Comparison {
    /// A comparison of two whole numbers.
    pub fn new(left: Expr, sign: Sign, right: Expr) -> Self {
        Comparison { left: vec![left], sign, right: vec![right], decimals: 0 }
    }
}

/// Comparisons with `and`, `or`, `forall` and `exists` between them. A negation stands in the comparisons' signs, and
/// `A => B` is `not A or B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A comparison of single numbers.
    Compare(Comparison),
    /// All of these.
    All(Vec<Formula>),
    /// At least one of these.
    Any(Vec<Formula>),
    /// `forall i in a..b: body`
    Each(Box<Quantified>),
    /// `exists i in a..b: body`
    Some(Box<Quantified>),
}

/// A formula for every number in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantified {
    /// The number of the variable.
    pub variable: usize,
    /// Its name.
    pub name: String,
    /// The first and the last number.
    pub range: (Expr, Expr),
    /// What is said of each.
    pub body: Formula,
}

impl Formula {
    /// Calls `visit` with each expression in it.
    pub fn each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Formula::Compare(comparison) => comparison.left.iter().chain(&comparison.right).for_each(visit),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|p| p.each_expr(visit)),
            Formula::Each(quantified) | Formula::Some(quantified) => {
                visit(&quantified.range.0);
                visit(&quantified.range.1);
                quantified.body.each_expr(visit);
            }
        }
    }
}

impl Comparison {
    /// Whether the field occurs in it.
    pub fn mentions(&self, field: FieldId) -> bool {
        self.left.iter().chain(&self.right).any(|e| e.mentions(field))
    }
}
