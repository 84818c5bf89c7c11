//! Comparisons of numbers, of tuples, and element by element.

use super::{Broken, Sides};
use crate::format::{Comparison, Expr, Sign};
use crate::value::{self, Scope, Unknown, both};

/// How a comparison fails; none if it holds.
pub(super) fn compare<'f>(comparison: &'f Comparison, scope: &Scope<'_>) -> Result<Broken<'f>, Unknown> {
    if let ([left], [right]) = (&*comparison.left, &*comparison.right) {
        if let (Expr::Whole(_) | Expr::Letters(_), Expr::Whole(_) | Expr::Letters(_)) = (left, right) {
            return wholes(comparison, left, right, scope);
        }
        if value::is_array(left, scope) || value::is_array(right, scope) {
            return arrays(comparison, left, right, scope);
        }
        let (left, right) = both(value::number(left, scope), value::number(right, scope))?;
        let fails = !comparison.sign.holds(&left, &right);
        return Ok(fails.then_some((None, Sides::Numbers(comparison, left, right))));
    }
    tuples(comparison, scope)
}

/// Tuples of more numbers are rare.
const SHORT: usize = 8;

fn tuples<'f>(comparison: &'f Comparison, scope: &Scope<'_>) -> Result<Broken<'f>, Unknown> {
    let (mut left, mut right) = ([0; SHORT], [0; SHORT]);
    let (mut long_left, mut long_right) = (Vec::new(), Vec::new());
    let left = tuple(&comparison.left, scope, &mut left, &mut long_left);
    let right = tuple(&comparison.right, scope, &mut right, &mut long_right);
    let (left, right) = both(left, right)?;
    let fails = !comparison.sign.holds(&left, &right);
    Ok(fails.then(|| (None, Sides::Tuples(comparison, left.to_vec(), right.to_vec()))))
}

/// The numbers of one side, in the one place or the other.
fn tuple<'n>(
    side: &[Expr],
    scope: &Scope<'_>,
    short: &'n mut [i128; SHORT],
    long: &'n mut Vec<i128>,
) -> Result<&'n [i128], Unknown> {
    let numbers: &mut [i128] = match short.get_mut(..side.len()) {
        Some(numbers) => numbers,
        None => {
            long.resize(side.len(), 0);
            long
        }
    };
    let mut all = Ok(());
    for (number, expr) in numbers.iter_mut().zip(side) {
        let found = value::number(expr, scope).map(|found| *number = found);
        all = both(all, found).map(|_| ());
    }
    all.map(|()| &*numbers)
}

/// Texts, arrays or rows as wholes: in the order of dictionaries, by the numbers or the codes of the letters.
fn wholes<'f>(comparison: &'f Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Broken<'f>, Unknown> {
    let (left, right) = both(value::elements(left, scope), value::elements(right, scope))?;
    let fails = !comparison.sign.holds(&left, &right);
    Ok(fails.then_some((None, Sides::Wholes(comparison, left, right))))
}

fn arrays<'f>(comparison: &'f Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Broken<'f>, Unknown> {
    if all_within(comparison, left, right, scope)? {
        return Ok(None);
    }
    let numbers = |e: &Expr| {
        if value::is_array(e, scope) { value::elements(e, scope) } else { Ok(vec![value::number(e, scope)?]) }
    };
    let (left_array, right_array) = (value::is_array(left, scope), value::is_array(right, scope));
    let (left, right) = both(numbers(left), numbers(right))?;
    let count = if left_array { left.len() } else { right.len() };
    for i in 0..count {
        let sides = (left.get(if left_array { i } else { 0 }), right.get(if right_array { i } else { 0 }));
        let (Some(a), Some(b)) = sides else { return Err(Unknown::Missing) };
        if !comparison.sign.holds(a, b) {
            return Ok(Some((Some(i), Sides::Numbers(comparison, *a, *b))));
        }
    }
    Ok(None)
}

/// Whether a comparison of an array with a single number holds for all elements, found without a copy of the array. False
/// where that cannot be said.
fn all_within(comparison: &Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<bool, Unknown> {
    let (array, sign, single) = match (left, right) {
        (Expr::Field(array), single) if !value::is_array(single, scope) => (*array, comparison.sign, single),
        (single, Expr::Field(array)) if !value::is_array(single, scope) => (*array, comparison.sign.mirrored(), single),
        _ => return Ok(false),
    };
    let single = value::number(single, scope)?;
    let array = scope.field(array).ok_or(Unknown::Missing)?;
    Ok(match sign {
        Sign::Less => value::every(array, |number| number < single),
        Sign::LessEqual => value::every(array, |number| number <= single),
        Sign::Greater => value::every(array, |number| number > single),
        Sign::GreaterEqual => value::every(array, |number| number >= single),
        Sign::Equal => value::every(array, |number| number == single),
        Sign::NotEqual => value::every(array, |number| number != single),
    })
}
