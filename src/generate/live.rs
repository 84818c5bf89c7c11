//! What is known while an instance is being drawn: exact where it is drawn already, the stated range elsewhere.

use crate::format::{
    BlockId, Expr, Field, FieldId, Format, Interval, Item, Part, Ranges, Token, bounds_of, elements, instances,
};
use crate::value::{self, Scope, Slots, Value};

/// Ranges within a scope in the making.
#[derive(Debug)]
pub(super) struct Live<'a, 's> {
    pub(super) scope: &'s Scope<'a>,
}

impl Ranges for Live<'_, '_> {
    fn format(&self) -> &Format {
        self.scope.format
    }

    fn value(&self, field: FieldId) -> Interval {
        let stated = self.scope.format.field(field).range;
        match self.scope.field(field) {
            None => stated,
            Some(Value::Int(number)) => Interval::point(*number),
            Some(known) => hull(known).unwrap_or(stated),
        }
    }

    fn free_length(&self, field: FieldId) -> Interval {
        match self.scope.field(field) {
            Some(Value::Text(letters)) => Interval::point(letters.len() as i128),
            Some(Value::Ints(numbers)) => Interval::point(numbers.len() as i128),
            _ => length_by(self.scope.format.field(field), self),
        }
    }

    fn exact(&self, expr: &Expr) -> Option<i128> {
        value::number(expr, self.scope).ok()
    }
}

/// The range of a length that the input tells, by what it is equal to.
pub(super) fn length_by(field: &Field, ranges: &impl Ranges) -> Interval {
    let announced = field.announced.as_ref().map_or(Interval::ALL, |expr| bounds_of(expr, ranges));
    let left = field.length.intersect(announced);
    if left.is_empty() { field.length } else { left }
}

/// The range from the smallest to the largest number of a value.
fn hull(value: &Value) -> Option<Interval> {
    match value {
        Value::Int(number) => Some(Interval::point(*number)),
        Value::Ints(numbers) => Some(Interval::new(numbers.iter().copied().min()?, numbers.iter().copied().max()?)),
        Value::Text(_) => None,
        nested => nested.parts().iter().filter_map(hull).reduce(|a, b| a.hull(b)),
    }
}

/// How many elements an input has at least, as far as the ranges of its format tell.
pub fn smallest_size(format: &Format) -> i128 {
    with_nothing_known(format, |ranges| least_elements(BlockId(0), ranges))
}

/// How many elements an instance of a block has at most, as far as the ranges of its format tell.
pub(super) fn most_elements(format: &Format, block: BlockId) -> i128 {
    with_nothing_known(format, |ranges| count_elements(block, ranges, &MOST))
}

/// How many elements an instance of a block has at least, given what is known.
pub(super) fn least_elements(block: BlockId, ranges: &impl Ranges) -> i128 {
    count_elements(block, ranges, &LEAST)
}

fn with_nothing_known<T>(format: &Format, work: impl FnOnce(&Live<'_, '_>) -> T) -> T {
    let slots = vec![None; format.block(BlockId(0)).slots];
    let scope = Scope { format, block: BlockId(0), slots: Slots::Partial(&slots), outer: None, variables: &[] };
    work(&Live { scope: &scope })
}

/// The end of what is possible that is counted: which end of a range, and which of some alternatives.
struct End {
    of_range: fn(Interval) -> i128,
    of_two: fn(i128, i128) -> i128,
}

const LEAST: End = End { of_range: |range| range.lo, of_two: i128::min };
const MOST: End = End { of_range: |range| range.hi.max(0), of_two: i128::max };

#[expect(clippy::expect_used, reason = "the parser refuses an `either` without alternatives")]
fn count_elements(block: BlockId, ranges: &impl Ranges, end: &End) -> i128 {
    let format = ranges.format();
    let of_field = |field: &FieldId| (end.of_range)(elements(*field, format.field(*field).dimensions.len(), ranges));
    let of_part = |part: &Part| match &part.token {
        Token::Field(field) => of_field(field),
        Token::Literal(_) => 0,
    };
    let sizes = format.block(block).items.iter().map(|item| match item {
        Item::Line(parts) => parts.iter().map(of_part).fold(0, i128::saturating_add),
        Item::Rows(field) => of_field(field),
        Item::Block(child) => {
            let count = (end.of_range)(instances(*child, ranges)).max(0);
            count.saturating_mul(count_elements(*child, ranges, end))
        }
        Item::Either(children) => {
            let alternatives = children.iter().map(|c| count_elements(*c, ranges, end));
            alternatives.reduce(end.of_two).expect("an `either` has an alternative")
        }
    });
    sizes.fold(0_i128, i128::saturating_add)
}
