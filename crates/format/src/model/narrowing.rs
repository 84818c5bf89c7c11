//! Narrowing of a field's range by comparisons, given the ranges of the other fields.

use super::MAX_NUMBER;
use super::constraint_rule::Comparison;
use super::expression::{ArithmeticOperator, ComparisonOperator, Expr, NumberFunction};
use super::expression_parts::{RangeSource, evaluate_range, instance_count_range, is_never_empty};
use super::format::Format;
use super::ids::{BlockId, FieldId};
use super::interval::{Interval, can_hold, combine_intervals, function_range, narrow_by_operator, trim_ends};

/// A [`RangeSource`] with the range of one field replaced.
pub(crate) struct WithFieldRange<'a, R> {
    pub(crate) field: FieldId,
    pub(crate) range: Interval,
    pub(crate) rest: &'a R,
}

impl<R: RangeSource> RangeSource for WithFieldRange<'_, R> {
    fn value_range(&self, field: FieldId) -> Interval {
        if field == self.field { self.range } else { self.rest.value_range(field) }
    }

    fn format(&self) -> &Format {
        self.rest.format()
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        self.rest.free_length_range(field)
    }

    fn exact_value(&self, expr: &Expr) -> Option<i128> {
        if self.format().depends_on(expr, self.field) { None } else { self.rest.exact_value(expr) }
    }

    fn fold_range(&self, fold: &Expr) -> Option<Interval> {
        if self.format().depends_on(fold, self.field) { None } else { self.rest.fold_range(fold) }
    }
}

/// Returns the part of a field's range that a comparison allows, given `ranges` for the other fields.
///
/// A field that is itself folded (`N` in `sum(N)`) is left alone: all its values share the sum, and no range of a
/// single one follows.
///
/// The result is sound but not tight: no number that could satisfy the comparison is removed. If the field is one side
/// of the comparison, the ends of the range follow directly; otherwise they are found by bisection, which is exact for
/// expressions that are monotonic in the field.
pub fn narrow_range(field: FieldId, range: Interval, comparison: &Comparison, ranges: &impl RangeSource) -> Interval {
    // Fast path: budgets produce this form for every field of every instance.
    if let ([Expr::Field(of)], [Expr::Constant(bound)]) = (&*comparison.left, &*comparison.right) {
        return if *of == field {
            narrow_by_operator(range, comparison.sign, Interval::from_value(*bound))
        } else {
            range
        };
    }
    match FieldPosition::in_comparison(field, comparison, ranges.format()) {
        None => range,
        Some(FieldPosition::Alone(sign, other)) => narrow_by_operator(range, sign, evaluate_range(other, ranges)),
        Some(FieldPosition::Nested) => NestedNarrowing::of_comparison(comparison, field, ranges.format())
            .map_or(range, |nested| nested.narrow_range(field, range, comparison.sign, ranges)),
    }
}

/// Returns true if each block at or around this one exists at least once, given that some certainly do.
pub(crate) fn block_always_exists(block: BlockId, ranges: &impl RangeSource, exists: impl Fn(BlockId) -> bool) -> bool {
    let mut unknown = ranges.format().blocks_around(block).take_while(|at| !exists(*at));
    unknown.all(|at| instance_count_range(at, ranges).lo >= 1)
}

/// Returns true if a comparison with this home is certain to be evaluated, given that some blocks certainly exist: so does its
/// home, and nothing in it can be empty.
pub(crate) fn is_always_evaluated(
    comparison: &Comparison,
    home: BlockId,
    ranges: &impl RangeSource,
    exists: impl Fn(BlockId) -> bool,
) -> bool {
    block_always_exists(home, ranges, exists) && comparison.all_operands().all(|e| is_never_empty(e, ranges))
}

/// Returns true if a comparison can hold, according to the ranges.
pub(crate) fn comparison_can_hold(comparison: &Comparison, ranges: &impl RangeSource) -> bool {
    let mut parts =
        comparison.left.iter().zip(&comparison.right).map(|(left, right)| {
            can_hold(evaluate_range(left, ranges), comparison.sign, evaluate_range(right, ranges))
        });
    match comparison.sign {
        ComparisonOperator::NotEqual => parts.any(|can_hold| can_hold),
        _ => parts.all(|can_hold| can_hold),
    }
}

/// The position of a field in a comparison of two numbers that constrains its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPosition<'c> {
    /// One side alone: the operator as if it were on the left, and the other side, from which it is absent.
    Alone(ComparisonOperator, &'c Expr),
    /// Any other position.
    Nested,
}

impl<'c> FieldPosition<'c> {
    /// Returns the position of a field, or `None` if the comparison can never narrow its range.
    pub fn in_comparison(field: FieldId, comparison: &'c Comparison, format: &Format) -> Option<Self> {
        let (left, right) = comparison.single_operands()?;
        let (in_left, in_right) = (format.depends_on(left, field), format.depends_on(right, field));
        if !in_left && !in_right || format.folds_field(left, field) || format.folds_field(right, field) {
            return None;
        }
        Some(match (left, right) {
            (Expr::Field(own), other) if *own == field && !in_right => FieldPosition::Alone(comparison.sign, other),
            (other, Expr::Field(own)) if *own == field && !in_left => {
                FieldPosition::Alone(comparison.sign.with_sides_swapped(), other)
            }
            _ => FieldPosition::Nested,
        })
    }
}

/// A comparison with one unknown field, prepared for narrowing its range: parts that do not depend on the field are evaluated
/// once for all probes.
#[derive(Debug)]
pub(crate) struct NestedNarrowing<'e> {
    left: RangeExpr<'e>,
    right: RangeExpr<'e>,
    known: Vec<&'e Expr>,
}

impl<'e> NestedNarrowing<'e> {
    /// Prepares a comparison, or returns `None` if it is not one of two numbers.
    pub(crate) fn of_comparison(comparison: &'e Comparison, field: FieldId, format: &Format) -> Option<Self> {
        let (left, right) = comparison.single_operands()?;
        let mut known = Vec::new();
        let left = RangeExpr::for_field(left, field, format, &mut known);
        let right = RangeExpr::for_field(right, field, format, &mut known);
        Some(NestedNarrowing { left, right, known })
    }

    /// Returns the part of the field's range that the comparison allows.
    pub(crate) fn narrow_range(
        &self,
        field: FieldId,
        range: Interval,
        sign: ComparisonOperator,
        ranges: &impl RangeSource,
    ) -> Interval {
        let known: Vec<Interval> = self.known.iter().map(|expr| evaluate_range(expr, ranges)).collect();
        let target = match (&self.left, &self.right) {
            (left, RangeExpr::Known(other)) => {
                left.invert(narrow_by_operator(Interval::ALL, sign, known[*other]), &known)
            }
            (RangeExpr::Known(other), right) => {
                right.invert(narrow_by_operator(Interval::ALL, sign.with_sides_swapped(), known[*other]), &known)
            }
            _ => Interval::ALL,
        };
        trim_ends(range.intersect(target), &|part: Interval| {
            let view = WithFieldRange { field, range: part, rest: ranges };
            can_hold(self.left.evaluate_with(&view, &known), sign, self.right.evaluate_with(&view, &known))
        })
    }
}

/// An expression with one unknown field.
#[derive(Debug)]
enum RangeExpr<'e> {
    /// A part that does not depend on the field, by its number.
    Known(usize),
    Variable,
    Negate(Box<RangeExpr<'e>>),
    Call(NumberFunction, Box<RangeExpr<'e>>),
    Binary(ArithmeticOperator, Box<[RangeExpr<'e>; 2]>),
    /// A part that is evaluated again for each probe.
    Other(&'e Expr),
}

impl<'e> RangeExpr<'e> {
    fn for_field(expr: &'e Expr, field: FieldId, format: &Format, known: &mut Vec<&'e Expr>) -> RangeExpr<'e> {
        let first = known.len();
        let mut of_part = |part: &'e Expr| RangeExpr::for_field(part, field, format, known);
        // The parts come first: looking up the fields of a long sum at each level would take quadratic time.
        let (combined, is_known) = match expr {
            Expr::Field(other) if *other == field => return RangeExpr::Variable,
            Expr::Negate(inner) => {
                let inner = of_part(inner);
                let is_known = inner.is_known();
                (RangeExpr::Negate(Box::new(inner)), is_known)
            }
            Expr::Call(function, inner) => {
                let inner = of_part(inner);
                let is_known = inner.is_known();
                (RangeExpr::Call(*function, Box::new(inner)), is_known)
            }
            Expr::Binary(operator, left, right) => {
                let sides = [of_part(left), of_part(right)];
                let is_known = sides.iter().all(RangeExpr::is_known);
                (RangeExpr::Binary(*operator, Box::new(sides)), is_known)
            }
            _ => (RangeExpr::Other(expr), !format.depends_on(expr, field)),
        };
        if !is_known {
            return combined;
        }
        known.truncate(first);
        known.push(expr);
        RangeExpr::Known(first)
    }

    fn is_known(&self) -> bool {
        matches!(self, RangeExpr::Known(_))
    }

    /// Returns a range that contains each number of the field for which this can be within a range. The rest is bisected,
    /// which takes many times as long.
    fn invert(&self, target: Interval, known: &[Interval]) -> Interval {
        match self {
            RangeExpr::Variable => target,
            _ if target.is_empty() => Interval::ALL,
            RangeExpr::Negate(inner) => inner.invert(target.negate_interval(), known),
            RangeExpr::Binary(operator, sides) => match (operator, &**sides) {
                (ArithmeticOperator::Add, [inner, RangeExpr::Known(other)] | [RangeExpr::Known(other), inner]) => {
                    inner.invert(shift_range(target, known[*other].negate_interval()), known)
                }
                (ArithmeticOperator::Subtract, [inner, RangeExpr::Known(other)]) => {
                    inner.invert(shift_range(target, known[*other]), known)
                }
                (ArithmeticOperator::Subtract, [RangeExpr::Known(other), inner]) => {
                    inner.invert(shift_range(target.negate_interval(), known[*other]), known)
                }
                // No side is above the maximum or below the minimum.
                (ArithmeticOperator::Max | ArithmeticOperator::Min, [left, right]) => {
                    let target = match operator {
                        ArithmeticOperator::Max => Interval { lo: -MAX_NUMBER, ..target },
                        _ => Interval { hi: MAX_NUMBER, ..target },
                    };
                    left.invert(target, known).intersect(right.invert(target, known))
                }
                _ => Interval::ALL,
            },
            RangeExpr::Known(_) | RangeExpr::Call(..) | RangeExpr::Other(_) => Interval::ALL,
        }
    }

    fn evaluate_with<R: RangeSource>(&self, view: &WithFieldRange<'_, R>, known: &[Interval]) -> Interval {
        match self {
            RangeExpr::Known(number) => known[*number],
            RangeExpr::Variable => view.range,
            RangeExpr::Negate(inner) => inner.evaluate_with(view, known).negate_interval(),
            RangeExpr::Call(function, inner) => function_range(*function, inner.evaluate_with(view, known)),
            RangeExpr::Binary(operator, sides) => {
                let [left, right] = &**sides;
                combine_intervals(*operator, left.evaluate_with(view, known), right.evaluate_with(view, known))
            }
            RangeExpr::Other(expr) => evaluate_range(expr, view),
        }
    }
}

/// Adds a range to one whose ends may be open: the largest numbers stand for that.
fn shift_range(range: Interval, by: Interval) -> Interval {
    if by.is_empty() || range.is_empty() {
        return Interval::ALL;
    }
    let shift = |end: i128, by: i128| if end.abs() >= MAX_NUMBER { end } else { end.saturating_add(by) };
    Interval::new(shift(range.lo, by.lo), shift(range.hi, by.hi))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    struct FixedRanges(Format, Vec<Interval>);

    impl RangeSource for FixedRanges {
        fn format(&self) -> &Format {
            &self.0
        }
        fn value_range(&self, field: FieldId) -> Interval {
            self.1[field.0]
        }
        fn free_length_range(&self, _: FieldId) -> Interval {
            Interval::NATURAL
        }
    }

    fn fixed_ranges(ranges: Vec<Interval>) -> FixedRanges {
        let text = "n m where 1 <= n <= 10; 0 <= m <= 1000";
        let (format, _) = Format::parse(&rebut_diagnostics::SourceText::new("test", text)).unwrap();
        FixedRanges(format, ranges)
    }

    fn field_expr(i: usize) -> Expr {
        Expr::Field(FieldId(i))
    }

    fn binary_expr(operator: ArithmeticOperator, a: Expr, b: Expr) -> Expr {
        Expr::Binary(operator, Box::new(a), Box::new(b))
    }

    #[test]
    fn narrows_through_products() {
        // 2 * m <= n * (n - 1), n in 1..10, m = 15
        let n = || field_expr(0);
        let right = binary_expr(
            ArithmeticOperator::Multiply,
            n(),
            binary_expr(ArithmeticOperator::Subtract, n(), Expr::Constant(1)),
        );
        let left = binary_expr(ArithmeticOperator::Multiply, Expr::Constant(2), field_expr(1));
        let comparison = Comparison::new(left, ComparisonOperator::LessEqual, right);
        let ranges = fixed_ranges(vec![Interval::new(1, 10), Interval::from_value(15)]);
        assert_eq!(narrow_range(FieldId(0), Interval::new(1, 10), &comparison, &ranges), Interval::new(6, 10));
        let ranges = fixed_ranges(vec![Interval::from_value(4), Interval::new(0, 1000)]);
        assert_eq!(narrow_range(FieldId(1), Interval::new(0, 1000), &comparison, &ranges), Interval::new(0, 6));
    }
    #[test]
    fn formulas_are_inverted_and_their_ends_are_possible() {
        // abs(n - 5) + m = 7, as it is parsed
        let difference = || binary_expr(ArithmeticOperator::Subtract, field_expr(0), Expr::Constant(5));
        let distance = binary_expr(ArithmeticOperator::Max, difference(), Expr::Negate(Box::new(difference())));
        let left = binary_expr(ArithmeticOperator::Add, distance, field_expr(1));
        let comparison = Comparison::new(left, ComparisonOperator::Equal, Expr::Constant(7));
        for (m, expected) in [((4, 4), (2, 8)), ((7, 7), (5, 5)), ((6, 9), (4, 6)), ((2, 2), (10, 10))] {
            let ranges = fixed_ranges(vec![Interval::ALL, Interval::new(m.0, m.1)]);
            let found = narrow_range(FieldId(0), Interval::new(1, 10), &comparison, &ranges);
            assert_eq!(found, Interval::new(expected.0, expected.1), "{m:?}");
        }
        let ranges = fixed_ranges(vec![Interval::ALL, Interval::from_value(8)]);
        assert!(narrow_range(FieldId(0), Interval::new(1, 10), &comparison, &ranges).is_empty());
    }
}
