//! Linear combinations of fields, to recognize equal expressions that are written differently.

use super::expression::Expr;
use super::ids::FieldId;
use std::collections::BTreeMap;

/// A sum of fields with factors, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinearSum {
    pub(crate) factors: BTreeMap<FieldId, i128>,
    pub(crate) constant: i128,
}

impl LinearSum {
    /// Converts an expression, or returns `None` if it is not linear.
    pub(crate) fn from_expr(expr: &Expr) -> Option<LinearSum> {
        let mut sum = LinearSum::default();
        expr.visit_terms(&mut |term, is_negative| {
            let added = match term {
                Expr::Constant(constant) => LinearSum { constant: *constant, ..LinearSum::default() },
                Expr::Field(field) => LinearSum { factors: [(*field, 1)].into(), constant: 0 },
                _ => return None,
            };
            let added = if is_negative { added.checked_scale(-1)? } else { added };
            sum = std::mem::take(&mut sum).checked_add(&added)?;
            Some(())
        })?;
        Some(sum)
    }

    /// Returns the difference of two sums, or `None` on overflow.
    pub(crate) fn checked_sub(self, other: &LinearSum) -> Option<LinearSum> {
        self.checked_add(&other.clone().checked_scale(-1)?)
    }

    fn checked_scale(mut self, factor: i128) -> Option<LinearSum> {
        self.constant = self.constant.checked_mul(factor)?;
        for own in self.factors.values_mut() {
            *own = own.checked_mul(factor)?;
        }
        Some(self)
    }

    fn checked_add(mut self, other: &LinearSum) -> Option<LinearSum> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (field, factor) in &other.factors {
            let own = self.factors.entry(*field).or_default();
            *own = own.checked_add(*factor)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }
}

/// Returns the factor of a field in a linear expression.
pub(crate) fn factor_of_field(expr: &Expr, field: FieldId) -> Option<i128> {
    LinearSum::from_expr(expr).map(|sum| sum.factors.get(&field).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ArithmeticOperator;

    fn field(index: usize) -> Expr {
        Expr::Field(FieldId(index))
    }

    fn binary(operator: ArithmeticOperator, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    #[test]
    fn sums_are_equal_however_they_are_written() {
        let add = |a, b| binary(ArithmeticOperator::Add, a, b);
        let subtract = |a, b| binary(ArithmeticOperator::Subtract, a, b);
        let one = add(subtract(field(1), field(0)), Expr::Constant(1));
        let other = subtract(add(Expr::Constant(1), field(1)), field(0));
        assert_eq!(LinearSum::from_expr(&one), LinearSum::from_expr(&other));
        assert_ne!(LinearSum::from_expr(&one), LinearSum::from_expr(&subtract(field(1), field(0))));
        assert_eq!(factor_of_field(&one, FieldId(0)), Some(-1));
        // Terms that cancel out are no part of the sum.
        assert!(LinearSum::from_expr(&subtract(field(0), field(0))).is_some_and(|sum| sum.factors.is_empty()));
    }

    #[test]
    fn products_and_overflows_are_no_sums() {
        assert_eq!(LinearSum::from_expr(&binary(ArithmeticOperator::Multiply, field(0), field(1))), None);
        let large = LinearSum { constant: i128::MAX, ..LinearSum::default() };
        assert_eq!(large.clone().checked_add(&large), None);
    }
}
