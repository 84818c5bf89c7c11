//! What is still to come behind the beginning of an input: how many elements, and how far from the simplest.

use super::known::Known;
use super::prefix::{Frame, More, Prefix};
use crate::format::{BlockId, Dimension, FieldId, Format, Interval, Item, Part, Ranges, Token, elements, instances};
use crate::value::{Scope, Value};

/// Bounds on what is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// How many numbers and characters.
    pub(super) elements: Interval,
    /// At most this sum of distances; at least it is 0, for the simplest is always in its range.
    pub(super) farthest: u128,
}

impl Rest {
    const NOTHING: Rest = Rest { elements: Interval { lo: 0, hi: 0 }, farthest: 0 };

    fn plus(self, other: Rest) -> Rest {
        let sum = |a: i128, b: i128| a.saturating_add(b);
        Rest {
            elements: Interval::new(sum(self.elements.lo, other.elements.lo), sum(self.elements.hi, other.elements.hi)),
            farthest: self.farthest.saturating_add(other.farthest),
        }
    }

    /// So many times the same.
    fn times(self, count: Interval) -> Rest {
        let count = count.intersect(Interval::NATURAL);
        Rest {
            elements: Interval::new(
                self.elements.lo.saturating_mul(count.lo),
                self.elements.hi.saturating_mul(count.hi.max(0)),
            ),
            farthest: self.farthest.saturating_mul(count.hi.max(0).unsigned_abs()),
        }
    }

    /// One or the other.
    fn or(self, other: Rest) -> Rest {
        Rest { elements: self.elements.hull(other.elements), farthest: self.farthest.max(other.farthest) }
    }
}

/// The largest distance of an element of the field from its simplest.
pub(super) fn reach(format: &Format, field: FieldId) -> u128 {
    let info = format.field(field);
    match info.letters() {
        Some(letters) => letters.len().saturating_sub(1) as u128,
        None => info.range.simplest().abs_diff(info.range.lo).max(info.range.simplest().abs_diff(info.range.hi)),
    }
}

/// What is to come behind the beginning of an input, the next leaf included.
pub(super) fn of_prefix(format: &Format, prefix: &Prefix) -> Rest {
    let inside = prefix.with_innermost(format, |scope| inside(prefix, scope, &Known { scope, spine: &prefix.spine }));
    inside.plus(outside(format, prefix))
}

/// What is to come of the innermost open instance.
pub(super) fn inside(prefix: &Prefix, scope: &Scope<'_>, ranges: &impl Ranges) -> Rest {
    prefix.spine.last().map_or(Rest::NOTHING, |frame| of_frame(frame, prefix, scope, ranges))
}

/// What is to come of everything around it.
pub(super) fn outside(format: &Format, prefix: &Prefix) -> Rest {
    (1..prefix.spine.len()).fold(Rest::NOTHING, |rest, depth| {
        rest.plus(prefix.with_scope(format, depth - 1, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let own = of_frame(&prefix.spine[depth - 1], prefix, scope, &known);
            own.plus(siblings(&prefix.spine[depth], &known))
        }))
    })
}

/// The instances that follow an open one in its list, seen from the instance around it.
fn siblings(frame: &Frame, known: &Known<'_, '_>) -> Rest {
    let count = match frame.more {
        More::Exactly(count) => Interval::point(count as i128),
        More::Open => {
            let so_far = known.scope.instances(frame.block).map_or(0, |(_, list)| list.len()) as i128;
            let total = instances(frame.block, known);
            Interval::new((total.lo - so_far).max(0), (total.hi - so_far).max(0))
        }
        More::Chosen => return Rest::NOTHING,
    };
    of_block(frame.block, known).times(count)
}

/// What is to come of an open instance, but for the instance within it that is open.
fn of_frame(frame: &Frame, prefix: &Prefix, scope: &Scope<'_>, ranges: &impl Ranges) -> Rest {
    let format = ranges.format();
    let items = &format.block(frame.block).items[frame.item..];
    let mut rest = Rest::NOTHING;
    for (i, item) in items.iter().enumerate() {
        rest = rest.plus(match item {
            Item::Line(parts) => {
                let parts = &parts[if i == 0 { frame.part } else { 0 }..];
                let fields = parts.iter().filter_map(field_of);
                fields.fold(Rest::NOTHING, |sum, field| sum.plus(of_field_left(field, frame, prefix, scope, ranges)))
            }
            Item::Rows(field) => of_field_left(*field, frame, prefix, scope, ranges),
            Item::Block(_) | Item::Either(_) => of_item(item, ranges),
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
fn of_field_left(field: FieldId, frame: &Frame, prefix: &Prefix, scope: &Scope<'_>, ranges: &impl Ranges) -> Rest {
    let info = ranges.format().field(field);
    let Some(value) = scope.slot(info.slot).filter(|_| frame.under_way == Some(info.slot)) else {
        return of_field(field, ranges);
    };
    let rank = info.dimensions.len();
    let left = if info.dimensions.last() == Some(&Dimension::Free) {
        let rows = elements(field, rank - 1, ranges);
        let (begun, last) = rows_of(value);
        let rows = Interval::new((rows.lo - begun).max(0), (rows.hi - begun).max(0));
        let least = if prefix.next == Some(field) { 1 } else { 0 };
        let row = if prefix.goes_on || least > 0 {
            Interval::new((info.length.lo - last).max(least), (info.length.hi - last).max(least))
        } else {
            Interval::point(0)
        };
        Interval::new(
            row.lo.saturating_add(rows.lo.saturating_mul(info.length.lo)),
            row.hi.saturating_add(rows.hi.saturating_mul(info.length.hi)),
        )
    } else {
        let total = elements(field, rank, ranges);
        let chosen = value.elements() as i128;
        Interval::new((total.lo - chosen).max(0), (total.hi - chosen).max(0))
    };
    each(ranges.format(), field).times(left)
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
fn of_field(field: FieldId, ranges: &impl Ranges) -> Rest {
    let rank = ranges.format().field(field).dimensions.len();
    each(ranges.format(), field).times(elements(field, rank, ranges))
}

/// One element of a field.
fn each(format: &Format, field: FieldId) -> Rest {
    Rest { elements: Interval::point(1), farthest: reach(format, field) }
}

/// A whole instance of a block.
pub(super) fn of_block(block: BlockId, ranges: &impl Ranges) -> Rest {
    let items = &ranges.format().block(block).items;
    items.iter().fold(Rest::NOTHING, |sum, item| sum.plus(of_item(item, ranges)))
}

fn of_item(item: &Item, ranges: &impl Ranges) -> Rest {
    match item {
        Item::Line(parts) => {
            parts.iter().filter_map(field_of).fold(Rest::NOTHING, |sum, field| sum.plus(of_field(field, ranges)))
        }
        Item::Rows(field) => of_field(*field, ranges),
        Item::Block(child) => of_block(*child, ranges).times(instances(*child, ranges)),
        Item::Either(children) => {
            children.iter().map(|child| of_block(*child, ranges)).reduce(Rest::or).unwrap_or(Rest::NOTHING)
        }
    }
}
