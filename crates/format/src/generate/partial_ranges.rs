//! Ranges while an instance is being drawn: of numbers already drawn these alone, of others the declared range within the limits
//! of the instance.

use crate::language::{
    BlockId, Comparison, Expr, Field, FieldId, Format, Interval, LayoutItem, RangeSource, element_count_range,
    evaluate_range, instance_count_range, narrow_by_operator,
};
use crate::value::{self, InstanceSlots, Value, ValueScope};

/// The ranges of a scope with values that are only partly drawn.
#[derive(Debug)]
pub(super) struct PartialRanges<'a, 's> {
    pub(super) scope: &'s ValueScope<'a>,
    /// What holds for the instance beside the constraints: such as its share of a sum. A number that is drawn before the one
    /// that it must not exceed would otherwise leave nothing for that.
    limits: &'s [Comparison],
}

impl<'a, 's> PartialRanges<'a, 's> {
    /// Returns the ranges of a scope without limits.
    pub(super) fn new(scope: &'s ValueScope<'a>) -> Self {
        PartialRanges { scope, limits: &[] }
    }

    /// Returns the same within these limits.
    pub(super) fn narrow_by_limits(self, limits: &'s [Comparison]) -> Self {
        PartialRanges { limits, ..self }
    }

    /// Returns the part of a field's declared range that limits by constants leave, unless that is nothing.
    fn limited_range(&self, field: FieldId, declared: Interval) -> Interval {
        let limited = self.limits.iter().fold(declared, |range, limit| match (&*limit.left, &*limit.right) {
            ([Expr::Field(of)], [Expr::Constant(bound)]) if *of == field => {
                narrow_by_operator(range, limit.sign, Interval::from_value(*bound))
            }
            _ => range,
        });
        if limited.is_empty() { declared } else { limited }
    }
}

impl RangeSource for PartialRanges<'_, '_> {
    fn format(&self) -> &Format {
        self.scope.format
    }

    fn value_range(&self, field: FieldId) -> Interval {
        let declared = self.scope.format.field(field).range;
        match self.scope.field_value(field) {
            None => self.limited_range(field, declared),
            Some(Value::Int(number)) => Interval::from_value(*number),
            Some(known) => known.number_hull().unwrap_or(declared),
        }
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        match self.scope.field_value(field) {
            Some(Value::Text(letters)) => Interval::from_value(letters.len() as i128),
            Some(Value::Ints(numbers)) => Interval::from_value(numbers.len() as i128),
            _ => announced_length_range(self.scope.format.field(field), self),
        }
    }

    fn exact_value(&self, expr: &Expr) -> Option<i128> {
        value::evaluate_number(expr, self.scope).ok()
    }
}

/// Returns the range of a length that the input announces, from the expression it must be equal to.
pub(super) fn announced_length_range(field: &Field, ranges: &impl RangeSource) -> Interval {
    let announced = field.announced_length.as_ref().map_or(Interval::ALL, |expr| evaluate_range(expr, ranges));
    let left = field.length.intersect(announced);
    if left.is_empty() { field.length } else { left }
}

/// Returns the minimum number of elements of an input, according to the ranges of its format.
pub fn min_input_elements(format: &Format) -> i128 {
    with_declared_ranges(format, |ranges| min_elements(BlockId(0), ranges))
}

/// Returns the maximum number of elements of an instance of a block, according to the ranges of its format.
pub(super) fn max_elements(format: &Format, block: BlockId) -> i128 {
    with_declared_ranges(format, |ranges| count_elements(block, ranges, &MAX_ELEMENTS))
}

/// Returns the minimum number of elements of an instance of a block, given the known numbers.
pub(super) fn min_elements(block: BlockId, ranges: &impl RangeSource) -> i128 {
    count_elements(block, ranges, &MIN_ELEMENTS)
}

fn with_declared_ranges<T>(format: &Format, work: impl FnOnce(&PartialRanges<'_, '_>) -> T) -> T {
    let slots = vec![None; format.block(BlockId(0)).slots];
    let scope = ValueScope::new(format, BlockId(0), InstanceSlots::Partial(&slots), None);
    work(&PartialRanges::new(&scope))
}

/// The bound to count: the end to take of each range, and of two alternatives.
struct ElementBound {
    of_range: fn(Interval) -> i128,
    of_two: fn(i128, i128) -> i128,
}

const MIN_ELEMENTS: ElementBound = ElementBound { of_range: |range| range.lo, of_two: i128::min };
const MAX_ELEMENTS: ElementBound = ElementBound { of_range: |range| range.hi.max(0), of_two: i128::max };

#[expect(clippy::expect_used, reason = "the parser refuses an `either` without alternatives")]
fn count_elements(block: BlockId, ranges: &impl RangeSource, end: &ElementBound) -> i128 {
    let format = ranges.format();
    let of_field =
        |field: FieldId| (end.of_range)(element_count_range(field, format.field(field).dimensions.len(), ranges));
    let sizes = format.block(block).items.iter().map(|item| match item {
        LayoutItem::Line(_) | LayoutItem::Rows(_) => item.fields().map(of_field).fold(0, i128::saturating_add),
        LayoutItem::Block(child) => {
            let count = (end.of_range)(instance_count_range(*child, ranges)).max(0);
            count.saturating_mul(count_elements(*child, ranges, end))
        }
        LayoutItem::Either(children) => {
            let alternatives = children.iter().map(|c| count_elements(*c, ranges, end));
            alternatives.reduce(end.of_two).expect("an `either` has an alternative")
        }
    });
    sizes.fold(0_i128, i128::saturating_add)
}
