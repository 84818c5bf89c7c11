//! Two sizes under one limit on their product: `R * C <= 10^5`, `sum(n * m) <= 10^6`.
//!
//! Drawn one after the other, the first size would take nearly all. So both are given an upper bound of their own, the
//! product of which keeps within the limit.

use super::Extreme;
use super::instance::Maker;
use super::live::Live;
use crate::format::{BlockId, Comparison, Expr, FieldId, Interval, LARGEST, Operator, Ranges, Sign, bounds_of, cut};
use crate::value::Scope;
use rebut_generators::{FACTOR_SHAPES, FactorShape, Factors};

impl Maker<'_, '_> {
    /// An upper bound for each of two sizes of a block whose product is limited.
    pub(super) fn factor_limits(
        &mut self,
        block: BlockId,
        scope: &Scope<'_>,
        extra: &[Comparison],
        room: usize,
    ) -> Vec<Comparison> {
        let has_products = self.plan.parts(block).has_products || extra.iter().any(speaks_of_product);
        if self.settings.extreme == Some(Extreme::Min) || !has_products {
            return Vec::new();
        }
        let live = Live { scope };
        let mut limits: Vec<Comparison> = Vec::new();
        for comparison in self.plan.comparisons_at_home(block).chain(extra) {
            let Some((first, second, most)) = product_limit(comparison, &live) else { continue };
            let inside = |f: FieldId| self.plan.format.field(f).block == block && self.plan.format.field(f).is_scalar();
            let limited = |f: FieldId| limits.iter().any(|c| c.mentions(f));
            if !inside(first) || !inside(second) || first == second || limited(first) || limited(second) {
                continue;
            }
            let (one, other) = (live.value(first), live.value(second));
            let left = self.product_left(block, (first, second), extra, &live);
            if left.lo > left.hi / 2 && one.lo >= 1 && other.lo >= 1 {
                limits.extend(self.exact_factors((first, one), (second, other), left));
                continue;
            }
            if !self.plan.is_size(first) || !self.plan.is_size(second) {
                continue;
            }
            let most = most.min(room.try_into().unwrap_or(LARGEST));
            let factors = Factors { most, first: pair(one), second: pair(other) };
            let shape = self.factor_shape();
            let mut made = shape.make(self.choices, &factors);
            if self.settings.extreme == Some(Extreme::Max) && !is_nearly_full(made, most) {
                // As flat as it can be may leave most of the limit: no factor exceeds its own bound.
                let square = FACTOR_SHAPES.iter().find(|shape| shape.name == "square");
                made = square.map_or(made, |square| square.make(self.choices, &factors));
            }
            let (a, b) = made;
            let at_most = |field, bound| Comparison::new(Expr::Field(field), Sign::LessEqual, Expr::Constant(bound));
            limits.extend([at_most(first, a.max(one.lo)), at_most(second, b.max(other.lo))]);
        }
        limits
    }

    /// What all constraints leave of a product.
    fn product_left(
        &self,
        block: BlockId,
        (first, second): (FieldId, FieldId),
        extra: &[Comparison],
        live: &Live<'_, '_>,
    ) -> Interval {
        let limits = self.plan.comparisons_at_home(block).chain(extra).filter_map(|comparison| {
            let (left, right, range) = product_range(comparison, live)?;
            let same = (left, right) == (first, second) || (left, right) == (second, first);
            same.then_some(range)
        });
        limits.fold(Interval::ALL, Interval::intersect)
    }

    /// Where little is left for a product, the first factor is one that leaves something for the second; nothing if that
    /// takes too long to find.
    fn exact_factors(
        &mut self,
        (first, one): (FieldId, Interval),
        (second, other): (FieldId, Interval),
        product: Interval,
    ) -> Vec<Comparison> {
        let left = |factor: i128| {
            let least = product.lo.div_euclid(factor) + i128::from(product.lo.rem_euclid(factor) > 0);
            Interval::new(least, product.hi.div_euclid(factor)).intersect(other)
        };
        let last = one.hi.min(product.hi).min(one.lo.saturating_add(MOST_FACTORS));
        let fitting: Vec<i128> = (one.lo..=last).filter(|factor| !left(*factor).is_empty()).collect();
        let Some(factor) = self.choices.pick(&fitting).copied() else { return Vec::new() };
        let compare = |field, sign, bound| Comparison::new(Expr::Field(field), sign, Expr::Constant(bound));
        let rest = left(factor);
        vec![
            compare(first, Sign::Equal, factor),
            compare(second, Sign::GreaterEqual, rest.lo),
            compare(second, Sign::LessEqual, rest.hi),
        ]
    }

    /// The largest inputs use the limit up.
    fn factor_shape(&mut self) -> &'static FactorShape {
        const FULL: [&str; 4] = ["square", "flat", "tall", "any-product"];
        let full: Vec<&FactorShape> = FACTOR_SHAPES.iter().filter(|s| FULL.contains(&s.name)).collect();
        let forced = match self.settings.extreme {
            Some(Extreme::Max) => self.choices.pick(&full).copied(),
            _ if !self.filled.is_empty() => self.choices.pick(&full).copied(),
            _ => None,
        };
        let shape = forced.unwrap_or_else(|| self.swarm.factors(self.choices));
        self.note_shape(shape.name);
        shape
    }
}

/// Returns true if two factors use nearly all of the limit on their product.
fn is_nearly_full((one, other): (i128, i128), most: i128) -> bool {
    one.saturating_mul(other) >= most - most / 8
}

fn pair(range: Interval) -> (i128, i128) {
    (range.lo, range.hi)
}

/// So many first factors are tried.
const MOST_FACTORS: i128 = 20_000;

/// Two fields whose product a comparison limits from above, and the limit.
fn product_limit(comparison: &Comparison, live: &Live<'_, '_>) -> Option<(FieldId, FieldId, i128)> {
    let (first, second, range) = product_range(comparison, live)?;
    (range.hi < LARGEST).then_some((first, second, range.hi))
}

/// Two fields of whose product a comparison speaks, and what it leaves of it.
fn product_range(comparison: &Comparison, live: &Live<'_, '_>) -> Option<(FieldId, FieldId, Interval)> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (product, sign, bound) = match (factors(left), factors(right)) {
        (Some(product), _) => (product, comparison.sign, right),
        (None, Some(product)) => (product, comparison.sign.mirrored(), left),
        (None, None) => return None,
    };
    let range = match sign {
        Sign::NotEqual => return None,
        sign => cut(Interval::ALL, sign, bounds_of(bound, live)),
    };
    Some((product.0, product.1, range))
}

/// Whether a product of two fields stands on a side.
pub(super) fn speaks_of_product(comparison: &Comparison) -> bool {
    comparison.left.iter().chain(&comparison.right).any(|side| factors(side).is_some())
}

fn factors(expr: &Expr) -> Option<(FieldId, FieldId)> {
    let Expr::Binary(Operator::Times, left, right) = expr else { return None };
    match (&**left, &**right) {
        (Expr::Field(a), Expr::Field(b)) => Some((*a, *b)),
        _ => None,
    }
}
