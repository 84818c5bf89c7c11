//! Sums of single numbers, compiled for frequent evaluation.

use super::Value;
use super::scope::ValueScope;
use crate::model::{BlockId, Expr, Format, MAX_NUMBER};

/// A sum of constants and of single numbers from the enclosing instances: `r + 1`, `n - m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledSum {
    constant: i128,
    parts: Box<[SumTerm]>,
}

/// A single number with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SumTerm {
    block: BlockId,
    slot: usize,
    is_negative: bool,
}

/// Maximum number of terms; longer sums are rare.
const MAX_TERMS: usize = 4;

/// Limit of each term, small enough that a sum of the maximum length cannot overflow.
const MAX_TERM_VALUE: i128 = MAX_NUMBER / 16;

impl CompiledSum {
    /// Compiles an expression, or returns `None` if it is not such a sum or too long.
    pub fn from_expr(expr: &Expr, format: &Format) -> Option<CompiledSum> {
        let (mut constant, mut parts) = (0, Vec::new());
        collect_sum_terms(expr, format, &mut constant, &mut parts)?;
        (parts.len() <= MAX_TERMS).then(|| CompiledSum { constant, parts: parts.into() })
    }

    /// Returns the value, or `None` if a number is unknown in this scope or so large that the general evaluation is
    /// needed.
    pub fn evaluate_sum(&self, scope: &ValueScope<'_>) -> Option<i128> {
        let mut sum = self.constant;
        for part in &self.parts {
            let number = scope.scope_of_block(part.block)?.slot_value(part.slot).and_then(Value::as_int)?;
            if number.unsigned_abs() > MAX_TERM_VALUE.unsigned_abs() {
                return None;
            }
            sum += if part.is_negative { -number } else { number };
        }
        Some(sum)
    }
}

/// Adds the terms of an expression.
fn collect_sum_terms(expr: &Expr, format: &Format, constant: &mut i128, parts: &mut Vec<SumTerm>) -> Option<()> {
    expr.visit_terms(&mut |term, is_negative| match term {
        Expr::Constant(number) => {
            *constant += if is_negative { -number } else { *number };
            (number.unsigned_abs() <= MAX_TERM_VALUE.unsigned_abs()
                && constant.unsigned_abs() <= MAX_TERM_VALUE.unsigned_abs())
            .then_some(())
        }
        Expr::Field(field) => {
            let field = format.field(*field);
            parts.push(SumTerm { block: field.block, slot: field.slot, is_negative });
            field.is_scalar().then_some(())
        }
        _ => None,
    })
}
