//! Two sizes under one limit on their product: `R * C <= 10^5`, `sum(n * m) <= 10^6`.
//!
//! Drawn one after the other, the first size would take nearly all. So both are given an upper bound of their own, the
//! product of which keeps within the limit.

use super::instance::Maker;
use super::live::Live;
use super::{Extreme, Plan};
use crate::format::{BlockId, Comparison, Expr, FieldId, Interval, LARGEST, Operator, Ranges, Rule, Sign, bounds_of};
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
        if self.settings.extreme == Some(Extreme::Min) {
            return Vec::new();
        }
        let live = Live { scope };
        let mut limits: Vec<Comparison> = Vec::new();
        for comparison in at_home(self.plan, block).chain(extra) {
            let Some((first, second, most)) = product_limit(comparison, &live) else { continue };
            let own = |f: FieldId| self.plan.format.field(f).block == block && self.plan.is_size(f);
            let limited = |f: FieldId| limits.iter().any(|c| c.mentions(f));
            if !own(first) || !own(second) || first == second || limited(first) || limited(second) {
                continue;
            }
            let most = most.min(room.try_into().unwrap_or(LARGEST));
            let (one, other) = (live.value(first), live.value(second));
            let factors = Factors { most, first: pair(one), second: pair(other) };
            let shape = self.factor_shape();
            let (a, b) = shape.make(self.choices, &factors);
            let at_most = |field, bound| Comparison::new(Expr::Field(field), Sign::LessEqual, Expr::Constant(bound));
            limits.extend([at_most(first, a.max(one.lo)), at_most(second, b.max(other.lo))]);
        }
        limits
    }

    /// The largest inputs use the limit up.
    fn factor_shape(&mut self) -> &'static FactorShape {
        const FULL: [&str; 4] = ["square", "flat", "tall", "any-product"];
        let full: Vec<&FactorShape> = FACTOR_SHAPES.iter().filter(|s| FULL.contains(&s.name)).collect();
        let forced = match self.settings.extreme {
            Some(Extreme::Max) => self.choices.pick(&full).copied(),
            _ => None,
        };
        let shape = forced.unwrap_or_else(|| self.swarm.factors(self.choices));
        self.note_shape(shape.name);
        shape
    }
}

fn pair(range: Interval) -> (i128, i128) {
    (range.lo, range.hi)
}

fn at_home<'p>(plan: &'p Plan<'_>, block: BlockId) -> impl Iterator<Item = &'p Comparison> {
    plan.at_home(block).iter().filter_map(|constraint| match &plan.format.constraints[*constraint].rule {
        Rule::Compare(comparison) => Some(comparison),
        _ => None,
    })
}

/// Two fields whose product a comparison limits, and the limit.
fn product_limit(comparison: &Comparison, live: &Live<'_, '_>) -> Option<(FieldId, FieldId, i128)> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (product, sign, bound) = match (factors(left), factors(right)) {
        (Some(product), _) => (product, comparison.sign, right),
        (None, Some(product)) => (product, comparison.sign.mirrored(), left),
        (None, None) => return None,
    };
    let most = bounds_of(bound, live).hi;
    match sign {
        Sign::LessEqual | Sign::Equal => Some((product.0, product.1, most)),
        Sign::Less => Some((product.0, product.1, most - 1)),
        _ => None,
    }
}

fn factors(expr: &Expr) -> Option<(FieldId, FieldId)> {
    let Expr::Binary(Operator::Times, left, right) = expr else { return None };
    match (&**left, &**right) {
        (Expr::Field(a), Expr::Field(b)) => Some((*a, *b)),
        _ => None,
    }
}
