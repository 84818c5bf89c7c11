//! Checks of comparisons: of numbers, of tuples, and element by element.

use super::{BrokenConstraint, ViolationSides};
use crate::language::{Comparison, ComparisonOperator, Expr};
use crate::value::{self, EvalError, ValueScope, both_values};

/// Returns how a comparison is violated, or `None` if it holds.
pub(super) fn check_comparison<'f>(
    comparison: &'f Comparison,
    scope: &ValueScope<'_>,
) -> Result<BrokenConstraint<'f>, EvalError> {
    if let ([left], [right]) = (&*comparison.left, &*comparison.right) {
        if let (Expr::Sequence(_) | Expr::TextLiteral(_), Expr::Sequence(_) | Expr::TextLiteral(_)) = (left, right) {
            return compare_sequences(comparison, left, right, scope);
        }
        if value::is_array_expr(left, scope) || value::is_array_expr(right, scope) {
            return compare_arrays(comparison, left, right, scope);
        }
        let (left, right) = both_values(value::evaluate_number(left, scope), value::evaluate_number(right, scope))?;
        let fails = !comparison.sign.compare(&left, &right);
        return Ok(fails.then_some((None, ViolationSides::Numbers(comparison, left, right))));
    }
    compare_tuples(comparison, scope)
}

/// Number of tuple elements stored inline; longer tuples are rare.
const MAX_INLINE_TUPLE: usize = 8;

fn compare_tuples<'f>(comparison: &'f Comparison, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
    let (mut left, mut right) = ([0; MAX_INLINE_TUPLE], [0; MAX_INLINE_TUPLE]);
    let (mut long_left, mut long_right) = (Vec::new(), Vec::new());
    let left = evaluate_tuple(&comparison.left, scope, &mut left, &mut long_left);
    let right = evaluate_tuple(&comparison.right, scope, &mut right, &mut long_right);
    let (left, right) = both_values(left, right)?;
    let fails = !comparison.sign.compare(&left, &right);
    Ok(fails.then(|| (None, ViolationSides::Tuples(comparison, left.to_vec(), right.to_vec()))))
}

/// Evaluates the elements of one side into inline or heap storage.
fn evaluate_tuple<'n>(
    side: &[Expr],
    scope: &ValueScope<'_>,
    short: &'n mut [i128; MAX_INLINE_TUPLE],
    long: &'n mut Vec<i128>,
) -> Result<&'n [i128], EvalError> {
    let numbers: &mut [i128] = match short.get_mut(..side.len()) {
        Some(numbers) => numbers,
        None => {
            long.resize(side.len(), 0);
            long
        }
    };
    let mut all = Ok(());
    for (number, expr) in numbers.iter_mut().zip(side) {
        let found = value::evaluate_number(expr, scope).map(|found| *number = found);
        all = both_values(all, found).map(|_| ());
    }
    all.map(|()| &*numbers)
}

/// Compares texts, arrays or rows lexicographically, by their numbers or the codes of their characters.
fn compare_sequences<'f>(
    comparison: &'f Comparison,
    left: &Expr,
    right: &Expr,
    scope: &ValueScope<'_>,
) -> Result<BrokenConstraint<'f>, EvalError> {
    let (left, right) = both_values(value::evaluate_elements(left, scope), value::evaluate_elements(right, scope))?;
    let fails = !comparison.sign.compare(&left, &right);
    Ok(fails.then_some((None, ViolationSides::Sequences(comparison, left, right))))
}

fn compare_arrays<'f>(
    comparison: &'f Comparison,
    left: &Expr,
    right: &Expr,
    scope: &ValueScope<'_>,
) -> Result<BrokenConstraint<'f>, EvalError> {
    if holds_for_all_elements(comparison, left, right, scope)? {
        return Ok(None);
    }
    let numbers = |e: &Expr| {
        if value::is_array_expr(e, scope) {
            value::evaluate_elements(e, scope)
        } else {
            Ok(vec![value::evaluate_number(e, scope)?])
        }
    };
    let (left_array, right_array) = (value::is_array_expr(left, scope), value::is_array_expr(right, scope));
    let (left, right) = both_values(numbers(left), numbers(right))?;
    let count = if left_array { left.len() } else { right.len() };
    for i in 0..count {
        let sides = (left.get(if left_array { i } else { 0 }), right.get(if right_array { i } else { 0 }));
        let (Some(a), Some(b)) = sides else { return Err(EvalError::Missing) };
        if !comparison.sign.compare(a, b) {
            return Ok(Some((Some(i), ViolationSides::Numbers(comparison, *a, *b))));
        }
    }
    Ok(None)
}

/// Returns true if a comparison of an array with a single number holds for all elements, without copying the array.
/// Returns false if that is not certain.
fn holds_for_all_elements(
    comparison: &Comparison,
    left: &Expr,
    right: &Expr,
    scope: &ValueScope<'_>,
) -> Result<bool, EvalError> {
    let (array, sign, single) = match (left, right) {
        (Expr::Field(array), single) if !value::is_array_expr(single, scope) => (*array, comparison.sign, single),
        (single, Expr::Field(array)) if !value::is_array_expr(single, scope) => {
            (*array, comparison.sign.with_sides_swapped(), single)
        }
        _ => return Ok(false),
    };
    let single = value::evaluate_number(single, scope)?;
    let array = scope.field_value(array).ok_or(EvalError::Missing)?;
    Ok(match sign {
        ComparisonOperator::Less => value::all_elements(array, |number| number < single),
        ComparisonOperator::LessEqual => value::all_elements(array, |number| number <= single),
        ComparisonOperator::Greater => value::all_elements(array, |number| number > single),
        ComparisonOperator::GreaterEqual => value::all_elements(array, |number| number >= single),
        ComparisonOperator::Equal => value::all_elements(array, |number| number == single),
        ComparisonOperator::NotEqual => value::all_elements(array, |number| number != single),
    })
}
