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
    BlockId, FieldDimension, FieldId, Format, Interval, LayoutItem, LinePart, LineToken, RangeSource,
    element_count_range, instance_count_range,
};
use crate::value::{Value, ValueScope};

/// Returns the maximum distance of an element of the field from its simplest value.
pub(super) fn max_leaf_distance(format: &Format, field: FieldId) -> u128 {
    DistanceSpan::for_declared(format, field).max_distance()
}

/// Returns bounds on all leaves after a prefix, the next leaf included.
pub(super) fn bound_prefix(walker: &LayoutWalker<'_>, prefix: &Prefix) -> RemainderBounds {
    let inside = prefix.with_innermost(walker.format, |scope| {
        let known = PrefixRanges { scope, spine: &prefix.spine };
        bound_inside(walker, prefix, scope, &FutureRanges::new(walker, &known, None), None)
    });
    inside.combined_with(bound_outside(walker, prefix))
}

/// Returns bounds on the rest of the innermost open instance, without the field `without` that is being filled.
pub(super) fn bound_inside(
    walker: &LayoutWalker<'_>,
    prefix: &Prefix,
    scope: &ValueScope<'_>,
    ranges: &FutureRanges<'_, '_, '_>,
    without: Option<FieldId>,
) -> RemainderBounds {
    prefix
        .spine
        .last()
        .map_or(RemainderBounds::NOTHING, |frame| bound_frame(walker, frame, prefix, scope, ranges, without))
}

/// Returns bounds on the rest of everything outside the innermost open instance.
pub(super) fn bound_outside(walker: &LayoutWalker<'_>, prefix: &Prefix) -> RemainderBounds {
    (1..prefix.spine.len()).fold(RemainderBounds::NOTHING, |rest, depth| {
        rest.combined_with(prefix.with_scope(walker.format, depth - 1, |scope| {
            let known = PrefixRanges { scope, spine: &prefix.spine };
            let future = FutureRanges::new(walker, &known, None);
            let own = bound_frame(walker, &prefix.spine[depth - 1], prefix, scope, &future, None);
            own.combined_with(bound_siblings(walker, &prefix.spine[depth], &known, &future))
        }))
    })
}

/// Returns bounds on the instances that follow an open one in its list, as seen from the surrounding instance.
fn bound_siblings(
    walker: &LayoutWalker<'_>,
    frame: &PrefixFrame,
    known: &PrefixRanges<'_, '_>,
    ranges: &FutureRanges<'_, '_, '_>,
) -> RemainderBounds {
    let count = match frame.following {
        FollowingInstances::Exactly(count) => Interval::from_value(count as i128),
        FollowingInstances::Open => {
            let existing = known.scope.instances_of(frame.block).map_or(0, |(_, list)| list.len()) as i128;
            let total = instance_count_range(frame.block, known);
            Interval::new((total.lo - existing).max(0), (total.hi - existing).max(0))
        }
        FollowingInstances::Chosen => return RemainderBounds::NOTHING,
    };
    bound_block(walker, frame.block, ranges).repeated_by(count)
}

/// Returns bounds on the rest of an open instance, without the instance inside it that is open.
fn bound_frame(
    walker: &LayoutWalker<'_>,
    frame: &PrefixFrame,
    prefix: &Prefix,
    scope: &ValueScope<'_>,
    ranges: &FutureRanges<'_, '_, '_>,
    without: Option<FieldId>,
) -> RemainderBounds {
    let format = walker.format;
    let left = |field: FieldId| {
        if without == Some(field) {
            RemainderBounds::NOTHING
        } else {
            bound_partial_field(walker, field, frame, prefix, scope, ranges)
        }
    };
    // Part of the first item may be chosen already, but nothing of the later ones.
    let items = &format.block(frame.block).items[frame.item..];
    let mut rest = RemainderBounds::NOTHING;
    for (i, item) in items.iter().enumerate() {
        rest = rest.combined_with(match item {
            LayoutItem::Line(parts) => {
                let parts = &parts[if i == 0 { frame.part } else { 0 }..];
                let fields = parts.iter().filter_map(part_field);
                fields.fold(RemainderBounds::NOTHING, |sum, field| sum.combined_with(left(field)))
            }
            LayoutItem::Rows(field) => left(*field),
            LayoutItem::Block(_) | LayoutItem::Either(_) => bound_item(walker, item, ranges),
        });
    }
    rest
}

fn part_field(part: &LinePart) -> Option<FieldId> {
    match &part.token {
        LineToken::Field(field) => Some(*field),
        LineToken::Literal(_) => None,
    }
}

/// Returns bounds on the rest of a field of which some elements may be chosen.
fn bound_partial_field(
    walker: &LayoutWalker<'_>,
    field: FieldId,
    frame: &PrefixFrame,
    prefix: &Prefix,
    scope: &ValueScope<'_>,
    ranges: &FutureRanges<'_, '_, '_>,
) -> RemainderBounds {
    let info = walker.format.field(field);
    match scope.slot_value(info.slot).filter(|_| frame.open_slot == Some(info.slot)) {
        Some(value) => {
            let left = remaining_elements(field, value, prefix, ranges);
            fold_bounds::bound_elements(walker, field, left, (Some(value), None), ranges)
        }
        None => bound_field(walker, field, ranges),
    }
}

/// Returns the number of elements still missing from an open array.
pub(super) fn remaining_elements(
    field: FieldId,
    value: &Value,
    prefix: &Prefix,
    ranges: &FutureRanges<'_, '_, '_>,
) -> Interval {
    let info = ranges.format().field(field);
    let rank = info.dimensions.len();
    if info.dimensions.last() != Some(&FieldDimension::Free) {
        let total = element_count_range(field, rank, ranges);
        let chosen = value.element_count() as i128;
        return Interval::new((total.lo - chosen).max(0), (total.hi - chosen).max(0));
    }
    // With free row lengths, the current row and the rows after it are bounded separately.
    let length = ranges.free_length_range(field);
    let rows = element_count_range(field, rank - 1, ranges);
    let (begun, last) = count_rows(value);
    let rows = Interval::new((rows.lo - begun).max(0), (rows.hi - begun).max(0));
    let least = if prefix.next == Some(field) { 1 } else { 0 };
    let row = if prefix.is_row_open || least > 0 {
        Interval::new((length.lo - last).max(least), (length.hi - last).max(least))
    } else {
        Interval::from_value(0)
    };
    Interval::new(
        row.lo.saturating_add(rows.lo.saturating_mul(length.lo)),
        row.hi.saturating_add(rows.hi.saturating_mul(length.hi)),
    )
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

fn bound_field(walker: &LayoutWalker<'_>, field: FieldId, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    let rank = walker.format.field(field).dimensions.len();
    fold_bounds::bound_elements(walker, field, element_count_range(field, rank, ranges), (None, None), ranges)
}

/// Returns bounds on a whole instance of a block.
pub(super) fn bound_block(
    walker: &LayoutWalker<'_>,
    block: BlockId,
    ranges: &FutureRanges<'_, '_, '_>,
) -> RemainderBounds {
    let items = &walker.format.block(block).items;
    items.iter().fold(RemainderBounds::NOTHING, |sum, item| sum.combined_with(bound_item(walker, item, ranges)))
}

#[expect(clippy::expect_used, reason = "the parser refuses an `either` without alternatives")]
fn bound_item(walker: &LayoutWalker<'_>, item: &LayoutItem, ranges: &FutureRanges<'_, '_, '_>) -> RemainderBounds {
    match item {
        LayoutItem::Line(parts) => {
            let fields = parts.iter().filter_map(part_field);
            fields.fold(RemainderBounds::NOTHING, |sum, field| sum.combined_with(bound_field(walker, field, ranges)))
        }
        LayoutItem::Rows(field) => bound_field(walker, *field, ranges),
        LayoutItem::Block(child) => {
            bound_block(walker, *child, ranges).repeated_by(instance_count_range(*child, ranges))
        }
        LayoutItem::Either(children) => {
            let alternatives = children.iter().map(|child| bound_block(walker, *child, ranges));
            alternatives.reduce(RemainderBounds::union_with).expect("an `either` has an alternative")
        }
    }
}
