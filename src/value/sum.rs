//! Sums of single numbers, made ready to be computed very often.

use super::Value;
use super::scope::Scope;
use crate::format::{BlockId, Expr, Format, LARGEST, Operator};

/// Constants and single numbers of the instances around, added and subtracted: `r + 1`, `n - m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    constant: i128,
    parts: Box<[Part]>,
}

/// A single number, and whether it is subtracted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    block: BlockId,
    slot: usize,
    is_negative: bool,
}

/// Sums of more numbers are rare.
const MOST_PARTS: usize = 4;

/// So many times this do the numbers and the constants of a sum come to at most, together and on the way.
const TERM_LIMIT: i128 = LARGEST / 16;

impl Sum {
    /// An expression as such a sum; none if it is another, or a long one.
    pub fn of(expr: &Expr, format: &Format) -> Option<Sum> {
        let (mut constant, mut parts) = (0, Vec::new());
        gather(expr, false, format, &mut constant, &mut parts)?;
        (parts.len() <= MOST_PARTS).then(|| Sum { constant, parts: parts.into() })
    }

    /// Its value; none if one of its numbers is not known here, or so large that the general way has to be gone.
    pub fn number(&self, scope: &Scope<'_>) -> Option<i128> {
        let mut sum = self.constant;
        for part in &self.parts {
            let number = scope.of(part.block)?.slot(part.slot).and_then(Value::as_int)?;
            if number.unsigned_abs() > TERM_LIMIT.unsigned_abs() {
                return None;
            }
            sum += if part.is_negative { -number } else { number };
        }
        Some(sum)
    }
}

/// Adds what an expression consists of.
fn gather(expr: &Expr, is_negative: bool, format: &Format, constant: &mut i128, parts: &mut Vec<Part>) -> Option<()> {
    match expr {
        Expr::Constant(number) => {
            *constant += if is_negative { -number } else { *number };
            (number.unsigned_abs() <= TERM_LIMIT.unsigned_abs() && constant.unsigned_abs() <= TERM_LIMIT.unsigned_abs())
                .then_some(())
        }
        Expr::Field(field) => {
            let field = format.field(*field);
            parts.push(Part { block: field.block, slot: field.slot, is_negative });
            field.is_scalar().then_some(())
        }
        Expr::Minus(inner) => gather(inner, !is_negative, format, constant, parts),
        Expr::Binary(Operator::Plus, left, right) => {
            gather(left, is_negative, format, constant, parts)?;
            gather(right, is_negative, format, constant, parts)
        }
        Expr::Binary(Operator::Minus, left, right) => {
            gather(left, is_negative, format, constant, parts)?;
            gather(right, !is_negative, format, constant, parts)
        }
        _ => None,
    }
}
