//! Folds of numbers, one by one.

use super::eval_error::{EvalError, EvalResult};
use crate::model::{ArithmeticOperator, FoldKind, apply_operator};

/// The state of a fold.
#[derive(Clone, Debug)]
pub(super) struct FoldAccumulator {
    fold: FoldKind,
    so_far: Option<i128>,
    overflow: bool,
}

impl FoldAccumulator {
    pub(super) fn new(fold: FoldKind) -> Self {
        let so_far = (!matches!(fold, FoldKind::Min | FoldKind::Max)).then_some(0);
        FoldAccumulator { fold, so_far, overflow: false }
    }

    pub(super) fn add_value(&mut self, value: i128) {
        let before = self.so_far;
        self.so_far = match (self.fold, before) {
            (FoldKind::Sum, Some(sum)) => {
                let (sum, overflow) = sum.overflowing_add(value);
                self.overflow |= overflow;
                Some(sum)
            }
            (FoldKind::Count(wanted), Some(count)) => Some(count + i128::from(value == wanted)),
            (FoldKind::Size, Some(count)) => Some(count + 1),
            (FoldKind::Gcd, Some(divisor)) => apply_operator(ArithmeticOperator::Gcd, divisor, value),
            (FoldKind::Xor, Some(bits)) => Some(bits ^ value),
            (FoldKind::Min, Some(least)) => Some(least.min(value)),
            (FoldKind::Max, Some(most)) => Some(most.max(value)),
            (_, None) => Some(value),
        };
    }

    pub(super) fn finish_fold(self) -> EvalResult<i128> {
        if self.overflow {
            return Err(EvalError::Undefined);
        }
        self.so_far.ok_or(EvalError::Empty)
    }
}
