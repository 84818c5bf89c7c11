//! Shapes of two factors under one limit on their product: the rows and columns of a board, or vertices and edges.
//!
//! If the factors were drawn one after the other, the second would be tiny, or the product would never come near the
//! limit. And a program that mixes up rows and columns, or uses a table as wide as the limit, passes every square.

use crate::choices::Choices;
use crate::shape_family::Shape;

/// The bounds on two factors. Each range has its smaller end first.
#[derive(Debug, Clone, Copy)]
pub struct FactorRequirements {
    /// Maximum product.
    pub max_product: i128,
    /// The smallest and the largest first factor.
    pub first: (i128, i128),
    /// The smallest and the largest second factor.
    pub second: (i128, i128),
}

impl FactorRequirements {
    /// Returns the largest second factor within the limit for this first factor, or the smallest one if none is.
    fn max_second(&self, first: i128) -> i128 {
        let (lo, hi) = self.second;
        if first <= 0 { hi } else { self.max_product.div_euclid(first).clamp(lo, hi.max(lo)) }
    }

    /// Returns the largest first factor with which the smallest second one is within the limit.
    fn max_first(&self) -> i128 {
        self.swap_factors().max_second(self.second.0).max(self.first.0)
    }

    fn swap_factors(&self) -> FactorRequirements {
        FactorRequirements { first: self.second, second: self.first, ..*self }
    }

    /// Returns the pair with this first factor, or with the nearest possible one, and the largest second factor.
    fn pair_with_first(&self, first: i128) -> (i128, i128) {
        let first = first.clamp(self.first.0, self.max_first());
        (first, self.max_second(first))
    }
}

/// A named way to choose two factors.
pub type FactorShape = Shape<fn(&mut Choices, &FactorRequirements) -> (i128, i128)>;

impl FactorShape {
    /// Draws two factors within their ranges with a product within the limit. If even the smallest ones exceed it,
    /// returns those.
    #[must_use]
    pub fn draw_factors(&self, c: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
        (self.draw)(c, factors)
    }
}

/// All factor shapes. The first is the default.
pub const FACTOR_SHAPES: &[FactorShape] = &[
    Shape::new("any-product", "any first factor, and the largest possible second", any_factors),
    Shape::new("square", "two factors as equal and as large as possible", square_factors),
    Shape::new("balanced", "two factors of about the same size", balanced_factors),
    Shape::new("flat", "the smallest first factor, the largest second", flat_factors),
    Shape::new("tall", "the largest first factor, the smallest second", tall_factors),
    Shape::new("small-product", "most of the limit unused", small_factors),
];

fn any_factors(c: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    let first = c.draw_log_range(factors.first.0, factors.max_first());
    factors.pair_with_first(first)
}

fn square_factors(_: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    let side = factors.max_product.max(0).isqrt().min(factors.first.1).min(factors.second.1);
    let (first, second) = factors.pair_with_first(side);
    // The part of the limit beyond the square stays unused, unless the second factor has a larger minimum.
    (first, second.min(side.max(factors.second.0)))
}

fn balanced_factors(c: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    let side = factors.max_product.max(1).isqrt();
    let first = c.draw_range((side / 2).max(1), side.saturating_mul(2));
    factors.pair_with_first(first)
}

fn flat_factors(_: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    factors.pair_with_first(factors.first.0)
}

fn tall_factors(_: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    let (second, first) = factors.swap_factors().pair_with_first(factors.second.0);
    (first, second)
}

fn small_factors(c: &mut Choices, factors: &FactorRequirements) -> (i128, i128) {
    let (first, second) = any_factors(c, factors);
    (c.draw_log_range(factors.first.0, first), c.draw_log_range(factors.second.0, second))
}
