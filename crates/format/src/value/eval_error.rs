//! The reasons why an expression has no value.

/// The reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// Something in it is not known yet, or is not visible from this scope.
    Missing,
    /// It is the minimum or maximum of nothing; comparisons with it hold.
    Empty,
    /// It overflows, divides by zero, or has a negative exponent.
    Undefined,
    /// It is an element of a block that a repetition lacks: another alternative is present, or a condition does not
    /// hold. Comparisons with it are void. Holds the number of the innermost quantifier variable in its
    /// indices, if any.
    Absent(Option<usize>),
}

impl EvalError {
    /// Returns the reason for an expression of two parts that both have no value. An absent part makes a comparison
    /// void regardless of the other; of two absent parts, the one indexed by the outermost quantifier counts.
    pub fn combine(self, other: EvalError) -> EvalError {
        match (self, other) {
            (EvalError::Absent(one), EvalError::Absent(two)) => EvalError::Absent(one.min(two)),
            (_, absent @ EvalError::Absent(_)) => absent,
            // An undefined part makes a comparison false even if another part is empty.
            (EvalError::Empty, other) => other,
            (first, _) => first,
        }
    }
}

/// Returns both values.
///
/// # Errors
/// Returns the combined reason if either has no value, see [`EvalError::combine`].
pub(crate) fn both_values<A, B>(one: EvalResult<A>, two: EvalResult<B>) -> EvalResult<(A, B)> {
    match (one, two) {
        (Ok(one), Ok(two)) => Ok((one, two)),
        (Err(one), Err(two)) => Err(one.combine(two)),
        (Err(unknown), Ok(_)) | (Ok(_), Err(unknown)) => Err(unknown),
    }
}

pub(crate) type EvalResult<T> = Result<T, EvalError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_parts_decide_and_undefined_ones_come_before_empty_ones() {
        let absent = EvalError::Absent;
        assert_eq!(EvalError::Empty.combine(EvalError::Undefined), EvalError::Undefined);
        assert_eq!(EvalError::Missing.combine(absent(Some(1))), absent(Some(1)));
        assert_eq!(absent(Some(2)).combine(absent(Some(1))), absent(Some(1)));
        assert_eq!(absent(None).combine(absent(Some(1))), absent(None));
        assert_eq!(both_values::<i32, i32>(Ok(1), Err(EvalError::Empty)), Err(EvalError::Empty));
        assert_eq!(both_values(Ok(1), Ok(2)), Ok((1, 2)));
    }
}
