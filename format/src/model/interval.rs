//! Interval arithmetic, and narrowing of ranges by comparisons.
//!
//! The range of an expression is computed from the ranges of its fields, and is guaranteed to contain every value that
//! the expression can take. This serves three purposes: to find the bounds of each field before anything runs, to find
//! contradictions, and to find the values that remain possible for a number during generation once its neighbours are
//! chosen ([`narrow_range`]).

use super::MAX_NUMBER;
use super::expression::{ArithmeticOperator, ComparisonOperator, Expr, FoldKind, FoldRange, OptionalBlocks};
use super::format::{BlockId, FieldDimension, FieldId, Format, InstanceCount};
use super::formula::Comparison;
use std::ops::{ControlFlow, Range};

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

    /// Returns the number closest to zero, which is the simplest.
    pub fn simplest_value(self) -> i128 {
        0.clamp(self.lo, self.hi.max(self.lo))
    }

    /// Returns the number closest to `value`.
    pub fn clamp_value(self, value: i128) -> i128 {
        value.clamp(self.lo, self.hi.max(self.lo))
    }

    /// Returns the range of the negated numbers.
    fn negate_interval(self) -> Interval {
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

/// The knowledge about fields from which the range of an expression is computed.
pub trait RangeSource {
    /// Returns the format of the fields.
    fn format(&self) -> &Format;
    /// Returns the range of a number, or of every element of an array or text.
    fn value_range(&self, field: FieldId) -> Interval;
    /// Returns the range of a length that only the input determines.
    fn free_length_range(&self, field: FieldId) -> Interval;
    /// Returns the exact value of a fold or element if all of its operands are known.
    fn exact_value(&self, _expr: &Expr) -> Option<i128> {
        None
    }
    /// Returns the range of a fold if part of the folded data is known.
    fn fold_range(&self, fold: &Expr) -> Option<Interval> {
        self.exact_value(fold).map(Interval::from_value)
    }
}

/// The ranges that a format declares, independent of any input.
pub(crate) struct DeclaredRanges<'a>(pub(crate) &'a Format);

impl RangeSource for DeclaredRanges<'_> {
    fn format(&self) -> &Format {
        self.0
    }

    fn value_range(&self, field: FieldId) -> Interval {
        self.0.field(field).range
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        self.0.field(field).length
    }
}

/// Returns the range of an expression.
pub fn evaluate_range(expr: &Expr, ranges: &impl RangeSource) -> Interval {
    match expr {
        Expr::Constant(value) => Interval::from_value(*value),
        Expr::Variable(_) | Expr::Sequence(_) | Expr::TextLiteral(_) => Interval::ALL,
        Expr::Field(field) => ranges.value_range(*field),
        Expr::Element(field, _) => {
            ranges.exact_value(expr).map_or_else(|| ranges.value_range(*field), Interval::from_value)
        }
        Expr::Length(field) => match ranges.format().field(*field).dimensions.last() {
            Some(FieldDimension::Size(size)) => evaluate_range(size, ranges),
            _ => ranges.free_length_range(*field),
        },
        Expr::Negate(inner) => evaluate_range(inner, ranges).negate_interval(),
        Expr::Binary(operator, left, right) => {
            combine_intervals(*operator, evaluate_range(left, ranges), evaluate_range(right, ranges))
        }
        Expr::Fold(fold, over, inner) => match ranges.fold_range(expr) {
            Some(range) => range,
            None => {
                // Knowledge about a field of the current instance does not extend to its other occurrences.
                let each = match over {
                    FoldRange::Elements | FoldRange::Instances(_) => evaluate_range(inner, ranges),
                    FoldRange::Occurrences(_) => evaluate_range(inner, &DeclaredRanges(ranges.format())),
                };
                // The maximum of an empty array adds nothing to a sum.
                let instances = matches!(over, FoldRange::Instances(_) | FoldRange::Occurrences(_));
                let absent = instances && *fold == FoldKind::Sum && !is_never_empty(inner, ranges);
                let each = if absent { each.hull_with(Interval::from_value(0)) } else { each };
                fold_interval(*fold, folded_element_count(*over, inner, ranges), each)
            }
        },
    }
}

/// Returns the range of the number of folded values.
fn folded_element_count(over: FoldRange, inner: &Expr, ranges: &impl RangeSource) -> Interval {
    match over {
        FoldRange::Instances(block) => instance_count_range(block, ranges),
        // Any repetition may lack it.
        FoldRange::Occurrences(OptionalBlocks { outermost, .. }) => {
            Interval::new(0, instance_count_range(outermost, ranges).hi)
        }
        FoldRange::Elements => {
            let count = |(field, dimensions)| element_count_of_dimensions(field, dimensions, ranges);
            first_array_dimensions(inner, ranges.format()).map_or(Interval::NATURAL, count)
        }
    }
}

/// Returns the range of the number of instances of a block per instance of its parent.
pub fn instance_count_range(block: BlockId, ranges: &impl RangeSource) -> Interval {
    match &ranges.format().block(block).count {
        InstanceCount::Times(count) => evaluate_range(count, ranges),
        InstanceCount::Conditional(_) | InstanceCount::Alternative => Interval::new(0, 1),
        InstanceCount::Until { range, .. } => *range,
    }
}

/// Returns the first array in an expression and the dimensions that the expression runs over.
fn first_array_dimensions(expr: &Expr, format: &Format) -> Option<(FieldId, Range<usize>)> {
    let rank = |field: &FieldId| format.field(*field).dimensions.len();
    expr.find_part(&mut |part| {
        let (field, dimensions) = match part {
            Expr::Field(field) => (*field, 0..rank(field)),
            Expr::Length(field) => (*field, 0..rank(field).saturating_sub(1)),
            Expr::Element(field, indices) => (*field, format.indexed_dimensions(*field, indices)..rank(field)),
            Expr::Negate(_) | Expr::Binary(..) => return ControlFlow::Continue(()),
            _ => return ControlFlow::Break(None),
        };
        ControlFlow::Break((!dimensions.is_empty()).then_some((field, dimensions)))
    })
}

/// Returns the range of the number of elements in the outer `rank` dimensions of a field.
pub fn element_count_range(field: FieldId, rank: usize, ranges: &impl RangeSource) -> Interval {
    element_count_of_dimensions(field, 0..rank, ranges)
}

/// Returns the range of the number of elements that remain after indexing `indices` dimensions of a field.
fn row_element_count(field: FieldId, indices: usize, ranges: &impl RangeSource) -> Interval {
    element_count_of_dimensions(field, indices..usize::MAX, ranges)
}

fn element_count_of_dimensions(field: FieldId, which: Range<usize>, ranges: &impl RangeSource) -> Interval {
    let dimensions = &ranges.format().field(field).dimensions;
    let which = dimensions.iter().take(which.end).skip(which.start);
    which.fold(Interval::from_value(1), |product, dimension| {
        let size = match dimension {
            FieldDimension::Size(size) => evaluate_range(size, ranges),
            FieldDimension::Free => ranges.free_length_range(field),
        };
        combine_intervals(ArithmeticOperator::Multiply, product, size.intersect(Interval::NATURAL))
    })
}

/// Returns the range of a fold over `count` values in the range `each`.
fn fold_interval(fold: FoldKind, count: Interval, each: Interval) -> Interval {
    let count = count.intersect(Interval::NATURAL);
    match fold {
        FoldKind::Sum => combine_intervals(ArithmeticOperator::Multiply, count, each),
        FoldKind::Min | FoldKind::Max => each,
        FoldKind::Count(value) if each.contains_value(value) => Interval::new(0, count.hi),
        FoldKind::Count(_) => Interval::from_value(0),
        FoldKind::Size => count,
    }
}

/// Returns a range that contains the result of an operation on any numbers of two ranges.
fn combine_intervals(operator: ArithmeticOperator, a: Interval, b: Interval) -> Interval {
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
        ArithmeticOperator::Multiply => corners(saturating_product),
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
        ArithmeticOperator::OrElse => a.hull_with(b),
        ArithmeticOperator::Power if a.lo >= 0 && b.lo >= 0 => {
            Interval::hull_of_values([Some(0), Some(1), saturating_power(a.hi, b.hi)])
        }
        _ => Interval::ALL,
    }
}

fn saturating_product(a: i128, b: i128) -> Option<i128> {
    Some(a.saturating_mul(b))
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
        // It is not known which operand is present, so the result is known only if both are equal.
        ArithmeticOperator::OrElse => (a == b).then_some(a),
    }
}

/// Returns true if some numbers of these ranges satisfy the comparison.
pub(crate) fn can_hold(left: Interval, sign: ComparisonOperator, right: Interval) -> bool {
    match sign {
        ComparisonOperator::Less => left.lo < right.hi,
        ComparisonOperator::LessEqual => left.lo <= right.hi,
        ComparisonOperator::Greater => left.hi > right.lo,
        ComparisonOperator::GreaterEqual => left.hi >= right.lo,
        ComparisonOperator::Equal => !left.intersect(right).is_empty(),
        ComparisonOperator::NotEqual => !(left.lo == left.hi && left == right),
    }
}

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
    match OperandSide::of_field(field, comparison, ranges.format()) {
        Some(side) => narrow_range_by_side(side, field, range, comparison, ranges),
        None => range,
    }
}

/// The position of a field in a comparison of two numbers that constrains its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandSide {
    /// Alone on the left, and absent from the right.
    Left,
    /// Alone on the right, and absent from the left.
    Right,
    /// Any other position.
    Nested,
}

impl OperandSide {
    /// Returns the position of a field, or `None` if the comparison can never narrow its range.
    pub fn of_field(field: FieldId, comparison: &Comparison, format: &Format) -> Option<OperandSide> {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        let (in_left, in_right) = (format.depends_on(left, field), format.depends_on(right, field));
        if !in_left && !in_right || format.folds_field(left, field) || format.folds_field(right, field) {
            return None;
        }
        Some(if *left == Expr::Field(field) && !in_right {
            OperandSide::Left
        } else if *right == Expr::Field(field) && !in_left {
            OperandSide::Right
        } else {
            OperandSide::Nested
        })
    }

    /// Returns the other operand of a field that is one side, with the operator as if the field were on the left.
    pub fn opposite_operand<'c>(&self, comparison: &'c Comparison) -> Option<(ComparisonOperator, &'c Expr)> {
        match (self, &*comparison.left, &*comparison.right) {
            (OperandSide::Left, _, [other]) => Some((comparison.sign, other)),
            (OperandSide::Right, [other], _) => Some((comparison.sign.with_sides_swapped(), other)),
            _ => None,
        }
    }
}

/// Like [`narrow_range`] with a known position of the field.
pub fn narrow_range_by_side(
    side: OperandSide,
    field: FieldId,
    range: Interval,
    comparison: &Comparison,
    ranges: &impl RangeSource,
) -> Interval {
    if let Some((sign, other)) = side.opposite_operand(comparison) {
        return narrow_by_operator(range, sign, evaluate_range(other, ranges));
    }
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return range };
    let (left, right) = (RangeExpr::for_field(left, field, ranges), RangeExpr::for_field(right, field, ranges));
    let can_hold = |part: Interval| {
        let view = WithFieldRange { field, range: part, rest: ranges };
        can_hold(left.evaluate_with(&view), comparison.sign, right.evaluate_with(&view))
    };
    trim_ends(range, &can_hold)
}

/// An expression with one unknown field: parts that do not depend on it are evaluated once for all probes.
enum RangeExpr<'e> {
    Known(Interval),
    Variable,
    Negate(Box<RangeExpr<'e>>),
    Binary(ArithmeticOperator, Box<[RangeExpr<'e>; 2]>),
    /// A part that is evaluated again for each probe.
    Other(&'e Expr),
}

impl<'e> RangeExpr<'e> {
    fn for_field(expr: &'e Expr, field: FieldId, ranges: &impl RangeSource) -> RangeExpr<'e> {
        match expr {
            Expr::Field(other) if *other == field => RangeExpr::Variable,
            _ if !ranges.format().depends_on(expr, field) => RangeExpr::Known(evaluate_range(expr, ranges)),
            Expr::Negate(inner) => RangeExpr::Negate(Box::new(RangeExpr::for_field(inner, field, ranges))),
            Expr::Binary(operator, left, right) => RangeExpr::Binary(
                *operator,
                Box::new([RangeExpr::for_field(left, field, ranges), RangeExpr::for_field(right, field, ranges)]),
            ),
            _ => RangeExpr::Other(expr),
        }
    }

    fn evaluate_with<R: RangeSource>(&self, view: &WithFieldRange<'_, R>) -> Interval {
        match self {
            RangeExpr::Known(range) => *range,
            RangeExpr::Variable => view.range,
            RangeExpr::Negate(inner) => inner.evaluate_with(view).negate_interval(),
            RangeExpr::Binary(operator, sides) => {
                combine_intervals(*operator, sides[0].evaluate_with(view), sides[1].evaluate_with(view))
            }
            RangeExpr::Other(expr) => evaluate_range(expr, view),
        }
    }
}

/// Removes the impossible numbers at both ends of a range. `can_hold` returns true if some number of a part may be
/// possible.
pub(crate) fn trim_ends(range: Interval, can_hold: &impl Fn(Interval) -> bool) -> Interval {
    match bisect_end(range, can_hold, false, &mut 0) {
        None => Interval::new(1, 0),
        Some(lo) => {
            let rest = Interval::new(lo, range.hi);
            let hi = bisect_end(rest, can_hold, true, &mut 0).unwrap_or(rest.hi);
            Interval::new(lo, hi)
        }
    }
}

/// Returns the part of `range` whose numbers can satisfy a comparison with some number of `other`.
pub(crate) fn narrow_by_operator(range: Interval, sign: ComparisonOperator, other: Interval) -> Interval {
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

/// Maximum number of bisection probes; beyond it the result is a safe overestimate.
const MAX_BISECTION_STEPS: u32 = 600;

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

/// Returns true if an expression is guaranteed to have a value: no array in it can be empty, and every minimum or
/// maximum has an operand.
pub(crate) fn is_never_empty(expr: &Expr, ranges: &impl RangeSource) -> bool {
    let format = ranges.format();
    let rank = |field: FieldId| format.field(field).dimensions.len();
    expr.all_parts(&|part| match part {
        Expr::Field(field) => Some(element_count_range(*field, rank(*field), ranges).lo >= 1),
        // The lengths of the rows, of which there may be none.
        Expr::Length(field) => Some(element_count_range(*field, rank(*field).saturating_sub(1), ranges).lo >= 1),
        // An empty text can be compared like any other.
        Expr::Sequence(_) => Some(true),
        Expr::Element(field, indices) => {
            let is_absent = format.indexes_repetitions(*field, indices) && format.may_be_absent(*field);
            let picked = format.indexed_dimensions(*field, indices);
            let is_empty = || format.picks_row(*field, indices) && row_element_count(*field, picked, ranges).lo < 1;
            (is_absent || is_empty()).then_some(false)
        }
        Expr::Fold(FoldKind::Sum | FoldKind::Count(_) | FoldKind::Size, ..) => Some(true),
        Expr::Fold(_, FoldRange::Instances(block), _) => Some(instance_count_range(*block, ranges).lo >= 1),
        Expr::Fold(_, FoldRange::Occurrences(_), _) => Some(false),
        _ => None,
    })
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
    fn division_rounds_down() {
        assert_eq!(apply_operator(ArithmeticOperator::Divide, -7, 2), Some(-4));
        assert_eq!(apply_operator(ArithmeticOperator::Modulo, -7, 2), Some(1));
        assert_eq!(apply_operator(ArithmeticOperator::Divide, 7, 0), None);
        assert_eq!(apply_operator(ArithmeticOperator::Power, 10, 100), None);
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
}
