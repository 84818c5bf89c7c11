//! Closed ranges of integers: their arithmetic, and what a comparison leaves of them.

use super::MAX_NUMBER;
use super::expression::{ArithmeticOperator, ComparisonOperator, FoldKind, NumberFunction};
use crate::tuning::MAX_BISECTION_STEPS;

/// A closed range of integers; empty if `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest number.
    pub lo: i128,
    /// The largest number.
    pub hi: i128,
}

impl Interval {
    /// All numbers that a format can represent.
    pub const ALL: Interval = Interval { lo: -MAX_NUMBER, hi: MAX_NUMBER };
    /// All numbers from 0.
    pub const NATURAL: Interval = Interval { lo: 0, hi: MAX_NUMBER };

    /// Creates the range from `lo` to `hi`.
    pub fn new(lo: i128, hi: i128) -> Self {
        Interval { lo, hi }
    }

    /// Creates the range of a single number.
    pub fn from_value(value: i128) -> Self {
        Interval { lo: value, hi: value }
    }

    /// Returns true if the range contains no number.
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Returns true if the range contains `value`.
    pub fn contains_value(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Returns the intersection of two ranges.
    #[must_use]
    pub fn intersect(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub fn hull_with(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Returns the range of the sum of a number of each.
    #[must_use]
    pub fn sum_with(self, other: Interval) -> Interval {
        Interval { lo: self.lo.saturating_add(other.lo), hi: self.hi.saturating_add(other.hi) }
    }

    /// Returns the range of what a number of another range leaves of one within this range.
    #[must_use]
    pub fn difference_with(self, other: Interval) -> Interval {
        Interval { lo: self.lo.saturating_sub(other.hi), hi: self.hi.saturating_sub(other.lo) }
    }

    /// Returns the range of a count after this many have been counted already.
    #[must_use]
    pub fn left_after(self, counted: i128) -> Interval {
        Interval { lo: (self.lo - counted).max(0), hi: (self.hi - counted).max(0) }
    }

    /// Returns the number closest to zero, which is the simplest.
    pub fn simplest_value(self) -> i128 {
        0.clamp(self.lo, self.hi.max(self.lo))
    }

    /// Returns the number closest to `value`.
    pub fn clamp_value(self, value: i128) -> i128 {
        value.clamp(self.lo, self.hi.max(self.lo))
    }

    /// Returns the range of the negated numbers.
    pub(super) fn negate_interval(self) -> Interval {
        Interval::new(-self.hi, -self.lo)
    }

    /// Returns the smallest range that contains all values, or every number if one of them is unknown.
    fn hull_of_values(values: impl IntoIterator<Item = Option<i128>>) -> Interval {
        let mut hull: Option<Interval> = None;
        for value in values {
            let Some(value) = value else { return Interval::ALL };
            let point = Interval::from_value(value.clamp(-MAX_NUMBER, MAX_NUMBER));
            hull = Some(hull.map_or(point, |h| h.hull_with(point)));
        }
        hull.unwrap_or(Interval::ALL)
    }
}

/// Returns the range of a fold over `count` values in the range `each`.
pub(crate) fn fold_interval(fold: FoldKind, count: Interval, each: Interval) -> Interval {
    let count = count.intersect(Interval::NATURAL);
    match fold {
        FoldKind::Sum => combine_intervals(ArithmeticOperator::Multiply, count, each),
        FoldKind::Min | FoldKind::Max => each,
        // Two operands reach every value that any number of them reaches, and so do none and one.
        FoldKind::Gcd | FoldKind::Xor => {
            let operator = if fold == FoldKind::Gcd { ArithmeticOperator::Gcd } else { ArithmeticOperator::Xor };
            let hull = combine_intervals(operator, each, each).hull_with(each);
            let lo = if fold == FoldKind::Gcd { hull.lo.max(0) } else { hull.lo };
            let of_some = Interval::new(lo, hull.hi.max(-each.lo));
            if count.lo >= 1 { of_some } else { of_some.hull_with(Interval::from_value(0)) }
        }
        FoldKind::Count(value) if each.contains_value(value) => Interval::new(0, count.hi),
        FoldKind::Count(_) => Interval::from_value(0),
        FoldKind::Size => count,
        FoldKind::Inversions => Interval::new(0, count.hi.saturating_mul(count.hi - 1).min(MAX_NUMBER) / 2),
        FoldKind::Distinct | FoldKind::Cycles => {
            let width = each.hi.saturating_sub(each.lo).saturating_add(1);
            Interval::new(count.lo.min(1), count.hi.min(width))
        }
    }
}

/// Returns a range that contains the result of an operation on any numbers of two ranges.
pub fn combine_intervals(operator: ArithmeticOperator, a: Interval, b: Interval) -> Interval {
    if a.is_empty() || b.is_empty() {
        return Interval::ALL;
    }
    // Two exact operands have an exact result, and callers rely on that.
    if a.lo == a.hi
        && b.lo == b.hi
        && let Some(value) = apply_operator(operator, a.lo, b.lo).filter(|v| v.abs() <= MAX_NUMBER)
    {
        return Interval::from_value(value);
    }
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        Interval::hull_of_values([f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)])
    };
    match operator {
        ArithmeticOperator::Add => Interval::hull_of_values([a.lo.checked_add(b.lo), a.hi.checked_add(b.hi)]),
        ArithmeticOperator::Subtract => Interval::hull_of_values([a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo)]),
        ArithmeticOperator::Multiply => corners(|a, b| Some(a.saturating_mul(b))),
        ArithmeticOperator::Divide if !b.contains_value(0) => {
            corners(|a, b| apply_operator(ArithmeticOperator::Divide, a, b))
        }
        ArithmeticOperator::Modulo if b.lo > 0 => {
            if a.lo >= 0 && a.hi < b.lo {
                a
            } else {
                Interval::new(0, b.hi - 1)
            }
        }
        ArithmeticOperator::Power if a.lo >= 1 && b.lo >= 0 => {
            Interval::hull_of_values([saturating_power(a.lo, b.lo), saturating_power(a.hi, b.hi)])
        }
        ArithmeticOperator::Min => Interval::new(a.lo.min(b.lo), a.hi.min(b.hi)),
        ArithmeticOperator::Max => Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)),
        ArithmeticOperator::Gcd => {
            let most = |range: Interval| range.hi.max(-range.lo);
            // A common divisor of positive numbers is at most the smaller one.
            let hi = if a.lo > 0 && b.lo > 0 { a.hi.min(b.hi) } else { most(a).max(most(b)) };
            Interval::new(i128::from(!(a.contains_value(0) && b.contains_value(0))), hi)
        }
        ArithmeticOperator::Xor => {
            let largest = [a.lo, a.hi, b.lo, b.hi].map(|end| if end < 0 { !end } else { end });
            let bits = largest.into_iter().fold(0, |bits, end| bits | end);
            let all_ones = (1_i128 << (i128::BITS - bits.leading_zeros()).min(i128::BITS - 2)) - 1;
            let lo = if a.lo >= 0 && b.lo >= 0 { 0 } else { -all_ones - 1 };
            Interval::new(lo.max(-MAX_NUMBER), all_ones.min(MAX_NUMBER))
        }
        ArithmeticOperator::OrElse => a.hull_with(b),
        ArithmeticOperator::Power if a.lo >= 0 && b.lo >= 0 => {
            Interval::hull_of_values([Some(0), Some(1), saturating_power(a.hi, b.hi)])
        }
        _ => Interval::ALL,
    }
}

pub(crate) fn function_range(function: NumberFunction, numbers: Interval) -> Interval {
    match function {
        _ if numbers.is_empty() => numbers,
        _ if numbers.lo == numbers.hi => Interval::from_value(function.apply_to(numbers.lo)),
        // No number below 2 is prime.
        NumberFunction::Prime if numbers.hi < 2 => Interval::from_value(0),
        NumberFunction::Prime => Interval::new(0, 1),
    }
}

fn saturating_power(base: i128, exponent: i128) -> Option<i128> {
    apply_operator(ArithmeticOperator::Power, base, exponent).or(Some(MAX_NUMBER))
}

/// Returns the exact result of an operation, or `None` on overflow, division by zero or a negative exponent.
pub(crate) fn apply_operator(operator: ArithmeticOperator, a: i128, b: i128) -> Option<i128> {
    match operator {
        ArithmeticOperator::Add => a.checked_add(b),
        ArithmeticOperator::Subtract => a.checked_sub(b),
        ArithmeticOperator::Multiply => a.checked_mul(b),
        ArithmeticOperator::Divide => {
            let quotient = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
        }
        ArithmeticOperator::Modulo => {
            let remainder = a.checked_rem(b)?;
            Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
        }
        ArithmeticOperator::Power => a.checked_pow(u32::try_from(b).ok()?),
        ArithmeticOperator::Min => Some(a.min(b)),
        ArithmeticOperator::Max => Some(a.max(b)),
        ArithmeticOperator::Gcd => i128::try_from(greatest_common_divisor(a.unsigned_abs(), b.unsigned_abs())).ok(),
        ArithmeticOperator::Xor => Some(a ^ b),
        // It is not known which operand is present, so the result is known only if both are equal.
        ArithmeticOperator::OrElse => (a == b).then_some(a),
    }
}

/// Euclid's algorithm.
fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns true if some numbers of these ranges satisfy the comparison.
pub fn can_hold(left: Interval, sign: ComparisonOperator, right: Interval) -> bool {
    match sign {
        ComparisonOperator::Less => left.lo < right.hi,
        ComparisonOperator::LessEqual => left.lo <= right.hi,
        ComparisonOperator::Greater => left.hi > right.lo,
        ComparisonOperator::GreaterEqual => left.hi >= right.lo,
        ComparisonOperator::Equal => !left.intersect(right).is_empty(),
        ComparisonOperator::NotEqual => !(left.lo == left.hi && left == right),
    }
}

/// Removes the impossible numbers at both ends of a range. `can_hold` returns true if some number of a part may be
/// possible.
pub(crate) fn trim_ends(range: Interval, can_hold: &impl Fn(Interval) -> bool) -> Interval {
    // Mostly an end is possible itself.
    let is_possible = |end: i128| !range.is_empty() && can_hold(Interval::from_value(end));
    let lo = if is_possible(range.lo) { Some(range.lo) } else { bisect_end(range, can_hold, false, &mut 0) };
    let Some(lo) = lo else { return Interval::new(1, 0) };
    let rest = Interval::new(lo, range.hi);
    let hi = if is_possible(rest.hi) { Some(rest.hi) } else { bisect_end(rest, can_hold, true, &mut 0) };
    Interval::new(lo, hi.unwrap_or(rest.hi))
}

/// Returns the part of `range` whose numbers can satisfy a comparison with some number of `other`.
pub fn narrow_by_operator(range: Interval, sign: ComparisonOperator, other: Interval) -> Interval {
    match sign {
        ComparisonOperator::Less => range.intersect(Interval::new(-MAX_NUMBER, other.hi - 1)),
        ComparisonOperator::LessEqual => range.intersect(Interval::new(-MAX_NUMBER, other.hi)),
        ComparisonOperator::Greater => range.intersect(Interval::new(other.lo + 1, MAX_NUMBER)),
        ComparisonOperator::GreaterEqual => range.intersect(Interval::new(other.lo, MAX_NUMBER)),
        ComparisonOperator::Equal => range.intersect(other),
        ComparisonOperator::NotEqual if other.lo != other.hi => range,
        ComparisonOperator::NotEqual => {
            Interval::new(range.lo + i128::from(range.lo == other.lo), range.hi - i128::from(range.hi == other.lo))
        }
    }
}

/// Returns the end of the range (the upper one if `from_above`) after impossible parts are removed.
fn bisect_end(
    range: Interval,
    can_hold: &impl Fn(Interval) -> bool,
    from_above: bool,
    steps: &mut u32,
) -> Option<i128> {
    *steps += 1;
    if range.is_empty() || !can_hold(range) {
        return None;
    }
    if range.lo == range.hi || *steps > MAX_BISECTION_STEPS {
        return Some(if from_above { range.hi } else { range.lo });
    }
    let middle = range.lo + (range.hi - range.lo) / 2;
    let low = Interval::new(range.lo, middle);
    let high = Interval::new(middle + 1, range.hi);
    let (near, far) = if from_above { (high, low) } else { (low, high) };
    bisect_end(near, can_hold, from_above, steps).or_else(|| bisect_end(far, can_hold, from_above, steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_functions_have_all_values() {
        let over = |lo, hi| function_range(NumberFunction::Prime, Interval::new(lo, hi));
        assert_eq!(over(-5, 1), Interval::from_value(0));
        assert_eq!(over(7, 7), Interval::from_value(1));
        assert_eq!(over(8, 8), Interval::from_value(0));
        assert_eq!(over(1, 10), Interval::new(0, 1));
        assert!(over(3, 2).is_empty());
    }

    #[test]
    fn division_rounds_down() {
        assert_eq!(apply_operator(ArithmeticOperator::Divide, -7, 2), Some(-4));
        assert_eq!(apply_operator(ArithmeticOperator::Modulo, -7, 2), Some(1));
        assert_eq!(apply_operator(ArithmeticOperator::Divide, 7, 0), None);
        assert_eq!(apply_operator(ArithmeticOperator::Power, 10, 100), None);
    }

    #[test]
    fn operations_on_ranges_hold_every_result() {
        let small: Vec<Interval> = (-3..=3).flat_map(|lo| (lo..=3).map(move |hi| Interval::new(lo, hi))).collect();
        let operators = [
            ArithmeticOperator::Add,
            ArithmeticOperator::Subtract,
            ArithmeticOperator::Multiply,
            ArithmeticOperator::Divide,
            ArithmeticOperator::Modulo,
            ArithmeticOperator::Power,
            ArithmeticOperator::Min,
            ArithmeticOperator::Max,
            ArithmeticOperator::Gcd,
            ArithmeticOperator::Xor,
        ];
        for operator in operators {
            for (a, b) in small.iter().flat_map(|a| small.iter().map(move |b| (*a, *b))) {
                let range = combine_intervals(operator, a, b);
                for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                    if let Some(value) = apply_operator(operator, x, y) {
                        assert!(range.contains_value(value), "{x} {operator:?} {y} = {value} not in {range:?}");
                    }
                }
            }
        }
    }
    #[test]
    fn folds_of_ranges_hold_every_result() {
        for (lo, hi) in (-3..=3).flat_map(|lo| (lo..=3).map(move |hi| (lo, hi))) {
            for (fold, operator) in [(FoldKind::Gcd, ArithmeticOperator::Gcd), (FoldKind::Xor, ArithmeticOperator::Xor)]
            {
                // The results of none, one, two and three operands.
                let mut results = vec![0];
                for count in 0..=3 {
                    let range = fold_interval(fold, Interval::from_value(count), Interval::new(lo, hi));
                    for result in &results {
                        assert!(
                            range.contains_value(*result),
                            "{fold:?} of {count} in {lo}..{hi}: {result} not in {range:?}"
                        );
                    }
                    let longer = results.iter().flat_map(|so_far| (lo..=hi).map(move |next| (*so_far, next)));
                    results = longer.filter_map(|(so_far, next)| apply_operator(operator, so_far, next)).collect();
                }
            }
        }
    }
}
