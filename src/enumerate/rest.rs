//! What is still to come behind the beginning of an input: how many elements, and how far from the simplest.

use super::folds;
use super::known::Known;
use super::leaf::Span;
use super::outlook::Outlook;
use super::prefix::{Frame, More, Prefix};
use super::walk::Walk;
use crate::format::{BlockId, Dimension, FieldId, Format, Interval, Item, Part, Ranges, Token, elements, instances};
use crate::value::{Scope, Value};

/// Bounds on what is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// How many numbers and characters.
    pub(super) elements: Interval,
    /// At least this sum of distances; `u128::MAX` if nothing can come.
    pub(super) nearest: u128,
    /// At most this sum of distances.
    pub(super) farthest: u128,
}

impl Rest {
    pub(super) const NOTHING: Rest = Rest { elements: Interval { lo: 0, hi: 0 }, nearest: 0, farthest: 0 };
    /// There is no way to go on.
    pub(super) const IMPOSSIBLE: Rest = Rest { elements: Interval { lo: 0, hi: 0 }, nearest: u128::MAX, farthest: 0 };

    pub(super) fn plus(self, other: Rest) -> Rest {
        let sum = |a: i128, b: i128| a.saturating_add(b);
        Rest {
            elements: Interval::new(sum(self.elements.lo, other.elements.lo), sum(self.elements.hi, other.elements.hi)),
            nearest: self.nearest.saturating_add(other.nearest),
            farthest: self.farthest.saturating_add(other.farthest),
        }
    }

    /// So many times the same.
    pub(super) fn times(self, count: Interval) -> Rest {
        let count = count.intersect(Interval::NATURAL);
        if count.hi <= 0 {
            return Rest::NOTHING;
        }
        Rest {
            elements: Interval::new(
                self.elements.lo.saturating_mul(count.lo),
                self.elements.hi.saturating_mul(count.hi),
            ),
            nearest: self.nearest.saturating_mul(count.lo.unsigned_abs()),
            farthest: self.farthest.saturating_mul(count.hi.unsigned_abs()),
        }
    }

    /// One or the other.
    fn or(self, other: Rest) -> Rest {
        Rest {
            elements: self.elements.hull(other.elements),
            nearest: self.nearest.min(other.nearest),
            farthest: self.farthest.max(other.farthest),
        }
    }
}

/// The largest distance of an element of the field from its simplest.
pub(super) fn reach(format: &Format, field: FieldId) -> u128 {
    Span::stated(format, field).farthest()
}

/// What is to come behind the beginning of an input, the next leaf included.
pub(super) fn of_prefix(walk: &Walk<'_>, prefix: &Prefix) -> Rest {
    let inside = prefix.with_innermost(walk.format, |scope| {
        let known = Known { scope, spine: &prefix.spine };
        inside(walk, prefix, scope, &Outlook::new(walk, &known, None), None)
    });
    inside.plus(outside(walk, prefix))
}

/// What is to come of the innermost open instance; but for the elements of one field that is being filled.
pub(super) fn inside(
    walk: &Walk<'_>,
    prefix: &Prefix,
    scope: &Scope<'_>,
    ranges: &Outlook<'_, '_, '_>,
    without: Option<FieldId>,
) -> Rest {
    prefix.spine.last().map_or(Rest::NOTHING, |frame| of_frame(walk, frame, prefix, scope, ranges, without))
}

/// What is to come of everything around it.
pub(super) fn outside(walk: &Walk<'_>, prefix: &Prefix) -> Rest {
    (1..prefix.spine.len()).fold(Rest::NOTHING, |rest, depth| {
        rest.plus(prefix.with_scope(walk.format, depth - 1, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let outlook = Outlook::new(walk, &known, None);
            let own = of_frame(walk, &prefix.spine[depth - 1], prefix, scope, &outlook, None);
            own.plus(siblings(walk, &prefix.spine[depth], &known, &outlook))
        }))
    })
}

/// The instances that follow an open one in its list, seen from the instance around it.
fn siblings(walk: &Walk<'_>, frame: &Frame, known: &Known<'_, '_>, ranges: &Outlook<'_, '_, '_>) -> Rest {
    let count = match frame.more {
        More::Exactly(count) => Interval::point(count as i128),
        More::Open => {
            let so_far = known.scope.instances(frame.block).map_or(0, |(_, list)| list.len()) as i128;
            let total = instances(frame.block, known);
            Interval::new((total.lo - so_far).max(0), (total.hi - so_far).max(0))
        }
        More::Chosen => return Rest::NOTHING,
    };
    of_block(walk, frame.block, ranges).times(count)
}

/// What is to come of an open instance, but for the instance within it that is open.
fn of_frame(
    walk: &Walk<'_>,
    frame: &Frame,
    prefix: &Prefix,
    scope: &Scope<'_>,
    ranges: &Outlook<'_, '_, '_>,
    without: Option<FieldId>,
) -> Rest {
    let format = walk.format;
    let left = |field: FieldId| {
        if without == Some(field) { Rest::NOTHING } else { of_field_left(walk, field, frame, prefix, scope, ranges) }
    };
    let items = &format.block(frame.block).items[frame.item..];
    let mut rest = Rest::NOTHING;
    for (i, item) in items.iter().enumerate() {
        rest = rest.plus(match item {
            Item::Line(parts) => {
                let parts = &parts[if i == 0 { frame.part } else { 0 }..];
                let fields = parts.iter().filter_map(field_of);
                fields.fold(Rest::NOTHING, |sum, field| sum.plus(left(field)))
            }
            Item::Rows(field) => left(*field),
            Item::Block(_) | Item::Either(_) => of_item(walk, item, ranges),
        });
    }
    rest
}

fn field_of(part: &Part) -> Option<FieldId> {
    match &part.token {
        Token::Field(field) => Some(*field),
        Token::Literal(_) => None,
    }
}

/// A field of which some elements may be chosen already.
fn of_field_left(
    walk: &Walk<'_>,
    field: FieldId,
    frame: &Frame,
    prefix: &Prefix,
    scope: &Scope<'_>,
    ranges: &Outlook<'_, '_, '_>,
) -> Rest {
    let info = walk.format.field(field);
    match scope.slot(info.slot).filter(|_| frame.under_way == Some(info.slot)) {
        Some(value) => {
            let left = elements_left(field, value, prefix, ranges);
            folds::elements(walk, field, left, (Some(value), None), ranges)
        }
        None => of_field(walk, field, ranges),
    }
}

/// How many elements an array that is being filled still gets.
pub(super) fn elements_left(field: FieldId, value: &Value, prefix: &Prefix, ranges: &Outlook<'_, '_, '_>) -> Interval {
    let info = ranges.format().field(field);
    let rank = info.dimensions.len();
    if info.dimensions.last() != Some(&Dimension::Free) {
        let total = elements(field, rank, ranges);
        let chosen = value.elements() as i128;
        return Interval::new((total.lo - chosen).max(0), (total.hi - chosen).max(0));
    }
    let length = ranges.free_length(field);
    let rows = elements(field, rank - 1, ranges);
    let (begun, last) = rows_of(value);
    let rows = Interval::new((rows.lo - begun).max(0), (rows.hi - begun).max(0));
    let least = if prefix.next == Some(field) { 1 } else { 0 };
    let row = if prefix.goes_on || least > 0 {
        Interval::new((length.lo - last).max(least), (length.hi - last).max(least))
    } else {
        Interval::point(0)
    };
    Interval::new(
        row.lo.saturating_add(rows.lo.saturating_mul(length.lo)),
        row.hi.saturating_add(rows.hi.saturating_mul(length.hi)),
    )
}

/// How many innermost rows are begun, and how many elements the last of them has.
fn rows_of(value: &Value) -> (i128, i128) {
    match value {
        Value::List(rows) => {
            let (mut begun, mut last) = (0, 0);
            for row in rows {
                let (inner, length) = rows_of(row);
                begun += inner;
                last = length;
            }
            (begun, last)
        }
        row => (1, row.elements() as i128),
    }
}

/// A whole field.
fn of_field(walk: &Walk<'_>, field: FieldId, ranges: &Outlook<'_, '_, '_>) -> Rest {
    let rank = walk.format.field(field).dimensions.len();
    folds::elements(walk, field, elements(field, rank, ranges), (None, None), ranges)
}

/// A whole instance of a block.
pub(super) fn of_block(walk: &Walk<'_>, block: BlockId, ranges: &Outlook<'_, '_, '_>) -> Rest {
    let items = &walk.format.block(block).items;
    items.iter().fold(Rest::NOTHING, |sum, item| sum.plus(of_item(walk, item, ranges)))
}

#[expect(clippy::expect_used, reason = "the parser refuses an `either` without alternatives")]
fn of_item(walk: &Walk<'_>, item: &Item, ranges: &Outlook<'_, '_, '_>) -> Rest {
    match item {
        Item::Line(parts) => {
            let fields = parts.iter().filter_map(field_of);
            fields.fold(Rest::NOTHING, |sum, field| sum.plus(of_field(walk, field, ranges)))
        }
        Item::Rows(field) => of_field(walk, *field, ranges),
        Item::Block(child) => of_block(walk, *child, ranges).times(instances(*child, ranges)),
        Item::Either(children) => {
            let alternatives = children.iter().map(|child| of_block(walk, *child, ranges));
            alternatives.reduce(Rest::or).expect("an `either` has an alternative")
        }
    }
}
