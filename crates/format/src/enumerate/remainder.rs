//! Bounds on the rest of an input after a prefix: the number of elements, and the sum of distances from the
//! simplest values.

use super::distance_span::DistanceSpan;
use super::fold_bounds;
use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::prefix::{FollowingInstances, Prefix, PrefixFrame};
use super::prefix_ranges::PrefixRanges;
use super::remainder_bounds::RemainderBounds;
use crate::language::{
    BlockId, FieldId, Format, Interval, LayoutItem, RangeSource, element_count_range, instance_count_range,
};
use crate::value::Value;

/// Returns the maximum distance of an element of the field from its simplest value.
pub(super) fn max_leaf_distance(format: &Format, field: FieldId) -> u128 {
    DistanceSpan::for_declared(format, field).max_distance()
}

/// Returns bounds on all leaves after a prefix, the next leaf included.
pub(super) fn bound_prefix(walker: &LayoutWalker<'_>, prefix: &Prefix) -> RemainderBounds {
    let inside = prefix.with_innermost(walker.format, |scope| {
        bound_inside(&FutureRanges::new(walker, &PrefixRanges { scope, prefix }, None), None)
    });
    inside.combined_with(bound_outside(walker, prefix))
}

/// Returns bounds on the rest of the innermost open instance, without the field `without` that is being filled.
pub(super) fn bound_inside(ranges: &FutureRanges<'_, '_, '_>, without: Option<FieldId>) -> RemainderBounds {
    let frame = ranges.known.prefix.spine.last();
    frame.map_or(RemainderBounds::NOTHING, |frame| bound_frame(frame, ranges, without))
}

/// Returns bounds on the rest of everything outside the innermost open instance.
pub(super) fn bound_outside(walker: &LayoutWalker<'_>, prefix: &Prefix) -> RemainderBounds {
    let around = prefix.spine.windows(2).enumerate().map(|(depth, frames)| {
        prefix.with_scope(walker.format, depth, |scope| {
            let known = PrefixRanges { scope, prefix };
            let future = FutureRanges::new(walker, &known, None);
            bound_frame(&frames[0], &future, None).combined_with(bound_siblings(&frames[1], &future))
        })
    });
    around.sum()
}

/// Returns bounds on the instances that follow an open one in its list, as seen from the surrounding instance.
fn bound_siblings(frame: &PrefixFrame, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    let count = match frame.following {
        FollowingInstances::Exactly(count) => Interval::from_value(count as i128),
        FollowingInstances::Open => {
            let existing = ranges.known.scope.instances_of(frame.block).map_or(0, |(_, list)| list.len());
            instance_count_range(frame.block, ranges.known).left_after(existing as i128)
        }
        FollowingInstances::Chosen => return RemainderBounds::NOTHING,
    };
    bound_block(frame.block, ranges).repeated_by(count)
}

/// Returns bounds on the rest of an open instance, without the instance inside it that is open.
fn bound_frame(frame: &PrefixFrame, ranges: &FutureRanges<'_, '_, '_>, without: Option<FieldId>) -> RemainderBounds {
    let left = |field: FieldId| bound_partial_field(field, frame, ranges);
    // Part of the first item may be chosen already, but nothing of the later ones.
    let items = ranges.format().block(frame.block).items[frame.item..].iter().enumerate();
    let bounds = items.map(|(i, item)| match item {
        LayoutItem::Line(_) | LayoutItem::Rows(_) => {
            let fields = item.fields_after(if i == 0 { frame.part } else { 0 });
            fields.filter(|field| without != Some(*field)).map(left).sum()
        }
        LayoutItem::Block(_) | LayoutItem::Either(_) => bound_item(item, ranges),
    });
    bounds.sum()
}

/// Returns bounds on the rest of a field of which some elements may be chosen.
fn bound_partial_field(field: FieldId, frame: &PrefixFrame, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    let slot = ranges.format().field(field).slot;
    match ranges.known.scope.slot_value(slot).filter(|_| frame.open_slot == Some(slot)) {
        Some(value) => {
            fold_bounds::bound_elements(field, remaining_elements(field, value, ranges), (Some(value), None), ranges)
        }
        None => bound_field(field, ranges),
    }
}

/// Returns the number of elements still missing from an open array.
pub(super) fn remaining_elements(field: FieldId, value: &Value, ranges: &FutureRanges<'_, '_, '_>) -> Interval {
    let info = ranges.format().field(field);
    let rank = info.dimensions.len();
    if !info.has_free_length() {
        return element_count_range(field, rank, ranges).left_after(value.element_count() as i128);
    }
    // With free row lengths, the current row and the rows after it are bounded separately.
    let (length, prefix) = (ranges.free_length_range(field), ranges.known.prefix);
    let (begun, last) = count_rows(value);
    let rows = element_count_range(field, rank - 1, ranges).left_after(begun);
    let least = if prefix.next == Some(field) { 1 } else { 0 };
    let row = if prefix.is_row_open || least > 0 {
        Interval::new((length.lo - last).max(least), (length.hi - last).max(least))
    } else {
        Interval::from_value(0)
    };
    row.sum_with(Interval::new(rows.lo.saturating_mul(length.lo), rows.hi.saturating_mul(length.hi)))
}

/// Returns the number of innermost rows begun, and the number of elements of the last one.
fn count_rows(value: &Value) -> (i128, i128) {
    match value {
        Value::List(rows) => {
            let (mut begun, mut last) = (0, 0);
            for row in rows {
                let (inner, length) = count_rows(row);
                begun += inner;
                last = length;
            }
            (begun, last)
        }
        row => (1, row.element_count() as i128),
    }
}

fn bound_field(field: FieldId, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    let rank = ranges.format().field(field).dimensions.len();
    fold_bounds::bound_elements(field, element_count_range(field, rank, ranges), (None, None), ranges)
}

/// Returns bounds on a whole instance of a block.
fn bound_block(block: BlockId, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    ranges.format().block(block).items.iter().map(|item| bound_item(item, ranges)).sum()
}

#[expect(clippy::expect_used, reason = "the parser refuses an `either` without alternatives")]
fn bound_item(item: &LayoutItem, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    match item {
        LayoutItem::Line(_) | LayoutItem::Rows(_) => item.fields().map(|field| bound_field(field, ranges)).sum(),
        LayoutItem::Block(child) => bound_block(*child, ranges).repeated_by(instance_count_range(*child, ranges)),
        LayoutItem::Either(children) => {
            let alternatives = children.iter().map(|child| bound_block(*child, ranges));
            alternatives.reduce(RemainderBounds::union_with).expect("an `either` has an alternative")
        }
    }
}
