//! Two factors under one limit on their product: the rows and columns of a board, or vertices beside edges.
//!
//! Factors drawn one after the other leave the second next to nothing, or never come near the limit. And a program that
//! mixes up rows and columns, or whose table is as wide as the limit, passes every square.

use crate::choices::Choices;

/// What two factors must satisfy. Each range has its smaller end first.
#[derive(Debug, Clone, Copy)]
pub struct Factors {
    /// What their product may be at most.
    pub most: i128,
    /// The smallest and the largest first factor.
    pub first: (i128, i128),
    /// The smallest and the largest second factor.
    pub second: (i128, i128),
}

impl Factors {
    /// The largest second factor that the limit leaves beside a first one, or the smallest if it leaves none.
    fn beside(&self, first: i128) -> i128 {
        let (lo, hi) = self.second;
        if first <= 0 { hi } else { self.most.div_euclid(first).clamp(lo, hi.max(lo)) }
    }

    /// The largest first factor that leaves room for the smallest second one.
    fn largest_first(&self) -> i128 {
        self.turned().beside(self.second.0).max(self.first.0)
    }

    fn turned(&self) -> Factors {
        Factors { first: self.second, second: self.first, ..*self }
    }

    /// The pair with that first factor, or the nearest to it that can be.
    fn pair(&self, first: i128) -> (i128, i128) {
        let first = first.clamp(self.first.0, self.largest_first());
        (first, self.beside(first))
    }
}

/// A named habit of two factors.
#[derive(Debug)]
pub struct FactorShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &Factors) -> (i128, i128),
}

impl FactorShape {
    /// Two factors within their ranges whose product is within the limit. If even the smallest exceed it, they are what
    /// is returned.
    #[must_use]
    pub fn make(&self, c: &mut Choices, factors: &Factors) -> (i128, i128) {
        (self.make)(c, factors)
    }
}

/// Every habit of two factors. The first is the plain one.
pub const FACTOR_SHAPES: &[FactorShape] = &[
    FactorShape { name: "any-product", doc: "any first factor, and the largest beside it", make: any },
    FactorShape { name: "square", doc: "two factors as equal and as large as possible", make: square },
    FactorShape { name: "balanced", doc: "two factors of about the same size", make: balanced },
    FactorShape { name: "flat", doc: "the smallest first factor, the largest second", make: flat },
    FactorShape { name: "tall", doc: "the largest first factor, the smallest second", make: tall },
    FactorShape { name: "small-product", doc: "most of the limit left over", make: small },
];

fn any(c: &mut Choices, factors: &Factors) -> (i128, i128) {
    let first = c.log_range(factors.first.0, factors.largest_first());
    factors.pair(first)
}

fn square(_: &mut Choices, factors: &Factors) -> (i128, i128) {
    let side = factors.most.max(0).isqrt().min(factors.first.1).min(factors.second.1);
    let (first, second) = factors.pair(side);
    // What the limit leaves beyond a square stays unused, except where a factor cannot be as small as that.
    (first, second.min(side.max(factors.second.0)))
}

fn balanced(c: &mut Choices, factors: &Factors) -> (i128, i128) {
    let side = factors.most.max(1).isqrt();
    let first = c.range((side / 2).max(1), side.saturating_mul(2));
    factors.pair(first)
}

fn flat(_: &mut Choices, factors: &Factors) -> (i128, i128) {
    factors.pair(factors.first.0)
}

fn tall(_: &mut Choices, factors: &Factors) -> (i128, i128) {
    let (second, first) = factors.turned().pair(factors.second.0);
    (first, second)
}

fn small(c: &mut Choices, factors: &Factors) -> (i128, i128) {
    let (first, second) = any(c, factors);
    (c.log_range(factors.first.0, first), c.log_range(factors.second.0, second))
}
