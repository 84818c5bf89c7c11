//! Comparisons and logical formulas.

use super::expression::{ComparisonOperator, Expr};
use super::ids::FieldId;

/// `left operator right`. A side of one expression is a number, a side of several is a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left side.
    pub left: Vec<Expr>,
    /// The comparison operator.
    pub sign: ComparisonOperator,
    /// The right side, of the same length as the left.
    pub right: Vec<Expr>,
    /// Exponent of the power of ten by which both sides are multiplied, so that reals become integers.
    pub decimals: u32,
}

impl Comparison {
    /// Creates a comparison of two integers.
    pub fn new(left: Expr, sign: ComparisonOperator, right: Expr) -> Self {
        Comparison { left: vec![left], sign, right: vec![right], decimals: 0 }
    }

    /// Returns true if the field occurs in it.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        self.left.iter().chain(&self.right).any(|e| e.mentions_field(field))
    }
}

/// Comparisons combined by `and`, `or`, `forall` and `exists`. Negations are pushed into the comparison operators, and
/// `A => B` is `not A or B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A comparison of single numbers.
    Compare(Comparison),
    /// All of these hold.
    All(Vec<Formula>),
    /// At least one of these holds.
    Any(Vec<Formula>),
    /// `forall i in a..b: body`
    ForAll(Box<QuantifiedFormula>),
    /// `exists i in a..b: body`
    Exists(Box<QuantifiedFormula>),
}

/// A formula that is evaluated for every number in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantifiedFormula {
    /// Number of the variable.
    pub variable: usize,
    /// Name of the variable.
    pub name: String,
    /// First and last number of the range.
    pub range: (Expr, Expr),
    /// The formula for each number.
    pub body: Formula,
}

impl Formula {
    /// Calls `visit` with each expression in the formula.
    pub fn visit_exprs<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Formula::Compare(comparison) => comparison.left.iter().chain(&comparison.right).for_each(visit),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|p| p.visit_exprs(visit)),
            Formula::ForAll(quantified) | Formula::Exists(quantified) => {
                visit(&quantified.range.0);
                visit(&quantified.range.1);
                quantified.body.visit_exprs(visit);
            }
        }
    }
}
