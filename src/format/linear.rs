//! Sums of fields and numbers, to tell whether two expressions are the same however they are written.

use super::expr::{Expr, Operator};
use super::model::FieldId;
use std::collections::BTreeMap;

/// Fields with their factors, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) factors: BTreeMap<FieldId, i128>,
    pub(crate) constant: i128,
}

impl Linear {
    /// An expression as such a sum, if it is one.
    pub(crate) fn of(expr: &Expr) -> Option<Linear> {
        match expr {
            Expr::Constant(constant) => Some(Linear { constant: *constant, ..Linear::default() }),
            Expr::Field(field) => Some(Linear { factors: [(*field, 1)].into(), constant: 0 }),
            Expr::Minus(inner) => Linear::of(inner)?.times(-1),
            Expr::Binary(Operator::Plus, a, b) => Linear::of(a)?.plus(&Linear::of(b)?),
            Expr::Binary(Operator::Minus, a, b) => Linear::of(a)?.minus(&Linear::of(b)?),
            _ => None,
        }
    }

    /// The difference of two sums.
    pub(crate) fn minus(self, other: &Linear) -> Option<Linear> {
        self.plus(&other.clone().times(-1)?)
    }

    fn times(mut self, factor: i128) -> Option<Linear> {
        self.constant = self.constant.checked_mul(factor)?;
        for own in self.factors.values_mut() {
            *own = own.checked_mul(factor)?;
        }
        Some(self)
    }

    fn plus(mut self, other: &Linear) -> Option<Linear> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (field, factor) in &other.factors {
            let own = self.factors.entry(*field).or_default();
            *own = own.checked_add(*factor)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }
}

/// Returns the factor of a field in an expression that is a sum of fields and numbers.
pub(crate) fn factor_in(expr: &Expr, field: FieldId) -> Option<i128> {
    Linear::of(expr).map(|sum| sum.factors.get(&field).copied().unwrap_or(0))
}

/// Whether two expressions are surely the same.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    a == b || Linear::of(a).is_some_and(|a| Some(a) == Linear::of(b))
}

/// `last - first + 1`, as a sum.
pub(crate) fn count_of_range(first: &Expr, last: &Expr) -> Option<Linear> {
    let one = Linear { constant: 1, ..Linear::default() };
    Linear::of(last)?.minus(&Linear::of(first)?)?.plus(&one)
}
