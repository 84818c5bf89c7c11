//! Constraints on one number alone that leave gaps in its range: `a % 2 = 1`, `gcd(a, 6) = 1`, `prime(a)`, `a != 0`.
//!
//! A number is drawn from its range as if they were not there, and then moved to the nearest one that they allow. That
//! keeps what a shape is about: equal numbers stay equal, sorted ones sorted, large ones large.

use crate::constraints::leaves_gaps;
use crate::language::{Comparison, Expr, FieldId, Format, Interval, apply_operator};
use std::collections::HashSet;

/// Maximum distance to the nearest number that is allowed. The largest gap between primes below 2^64 is 1,550; numbers
/// that are further apart than this are left to chance.
const MAX_DISTANCE: i128 = 4096;

/// The constraints on the numbers of a field alone.
#[derive(Debug)]
pub(super) struct NumberFilter<'f> {
    field: FieldId,
    comparisons: Vec<&'f Comparison>,
}

impl<'f> NumberFilter<'f> {
    /// Returns the filter of a field, unless its constraints leave a whole range.
    pub(super) fn for_field(format: &'f Format, field: FieldId) -> Option<NumberFilter<'f>> {
        let has_gaps = |comparison: &&Comparison| leaves_gaps(format, comparison, field);
        let comparisons: Vec<&Comparison> = format.comparisons().filter(has_gaps).collect();
        (!comparisons.is_empty()).then_some(NumberFilter { field, comparisons })
    }

    /// Returns true if the constraints on the field alone allow a number.
    pub(super) fn allows_number(&self, number: i128) -> bool {
        self.comparisons.iter().all(|comparison| holds_for(comparison, self.field, number))
    }

    /// Returns the number of a range that is nearest to a number and allowed; the smaller one of two. Returns the number
    /// itself if there is none nearby.
    pub(super) fn move_number(&self, number: i128, range: Interval) -> i128 {
        nearest_number(number, range, |candidate| self.allows_number(candidate)).unwrap_or(number)
    }

    /// Moves each number of an array; to different ones if they have to differ.
    pub(super) fn move_numbers(&self, numbers: &mut [i128], range: Interval, distinct: bool) {
        let mut taken = HashSet::new();
        for number in numbers {
            let is_free = |candidate: i128| self.allows_number(candidate) && !(distinct && taken.contains(&candidate));
            *number = nearest_number(*number, range, is_free).unwrap_or(*number);
            if distinct {
                taken.insert(*number);
            }
        }
    }
}

/// Returns the number of a range that is nearest to a number and fits, within a limited distance; the smaller one of
/// two.
pub(super) fn nearest_number(number: i128, range: Interval, fits: impl Fn(i128) -> bool) -> Option<i128> {
    let reachable = range.intersect(Interval::new(number - MAX_DISTANCE, number + MAX_DISTANCE));
    if reachable.is_empty() {
        return None;
    }
    let candidates = |distance: i128| [number - distance, number + distance];
    (0..=MAX_DISTANCE).flat_map(candidates).find(|candidate| reachable.contains_value(*candidate) && fits(*candidate))
}

/// Returns true if a comparison about the numbers of a field alone holds for one of them.
pub(super) fn holds_for(comparison: &Comparison, field: FieldId, number: i128) -> bool {
    let value = |expr: &Expr| evaluate_for(expr, field, number);
    match (value(&comparison.left[0]), value(&comparison.right[0])) {
        (Some(left), Some(right)) => comparison.sign.compare(&left, &right),
        _ => false,
    }
}

/// Returns the value of an expression about one number, or `None` if it has none: a division by zero.
fn evaluate_for(expr: &Expr, field: FieldId, number: i128) -> Option<i128> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Field(other) if *other == field => Some(number),
        Expr::Negate(inner) => evaluate_for(inner, field, number)?.checked_neg(),
        Expr::Call(function, inner) => Some(function.apply_to(evaluate_for(inner, field, number)?)),
        Expr::Binary(operator, left, right) => {
            apply_operator(*operator, evaluate_for(left, field, number)?, evaluate_for(right, field, number)?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn format_of(text: &str) -> Format {
        Format::parse(&SourceText::new("format", text)).unwrap().0
    }

    #[test]
    fn numbers_move_to_the_nearest_allowed_one() {
        let format = format_of("n where 1 <= n <= 100; prime(n); n % 4 = 1");
        let filter = NumberFilter::for_field(&format, FieldId(0)).unwrap();
        let range = Interval::new(1, 100);
        let moved = [1, 5, 9, 10, 20, 33, 100].map(|number| filter.move_number(number, range));
        assert_eq!(moved, [5, 5, 5, 13, 17, 29, 97]);
        assert_eq!(filter.move_number(9, Interval::new(6, 12)), 9, "nothing in the range is allowed");
    }

    #[test]
    fn different_numbers_stay_different() {
        let format = format_of("n; a[n] where 1 <= n <= 9; 1 <= a <= 50; a % 10 = 3; distinct(a)");
        let filter = NumberFilter::for_field(&format, FieldId(1)).unwrap();
        let mut numbers = [3, 4, 5, 30, 31];
        filter.move_numbers(&mut numbers, Interval::new(1, 50), true);
        assert_eq!(numbers, [3, 13, 23, 33, 43]);
    }

    #[test]
    fn only_gaps_need_a_filter() {
        let has_filter = |text: &str| NumberFilter::for_field(&format_of(text), FieldId(0)).is_some();
        assert!(!has_filter("n m where 1 <= n <= 9; 1 <= m <= n"));
        assert!(!has_filter("n m where 1 <= n <= 9; 1 <= m <= 9; (n + m) % 2 = 0"));
        assert!(has_filter("n where -9 <= n <= 9; n != 0"));
        assert!(has_filter("n where -9 <= n <= 9; n * n >= 4"));
    }
}
