//! The least instance of a block: what stands in for lines that take another form, or come to be there.
//!
//! Every number is the simplest of its range, every length the least, every repetition as short as it may be. Whether
//! that is valid, the search decides; what a constraint between fields asks for besides is mended there.

use crate::format::{BlockId, Count, Dimension, Field, Format, Item};
use crate::validate::compares;
use crate::value::{self, Characters, Instances, Scope, Slots, Value};

/// More parts than this are no simpler form of anything.
const PARTS_UP_TO: usize = 64;

/// The least instance of a block within a scope; none if a size is not known or too large.
pub(super) fn least(format: &Format, block: BlockId, outer: Option<&Scope<'_>>) -> Option<Vec<Value>> {
    let mut slots: Vec<Option<Value>> = vec![None; format.block(block).slots];
    for field in format.fields_of(block) {
        let field = format.field(field);
        let made = {
            let scope = Scope { format, block, slots: Slots::Partial(&slots), outer, variables: &[] };
            parts(field, &field.dimensions, &scope)?
        };
        *slots.get_mut(field.slot)? = Some(made);
    }
    for child in format.children(block) {
        let made = {
            let scope = Scope { format, block, slots: Slots::Partial(&slots), outer, variables: &[] };
            let one = || least(format, child, Some(&scope));
            let instances: Option<Vec<Vec<Value>>> = (0..count(format, child, &scope)?).map(|_| one()).collect();
            Instances::of(format.block(child).slots, instances?)
        };
        *slots.get_mut(format.block(child).slot)? = Some(Value::Instances(made));
    }
    slots.into_iter().collect()
}

/// The least value of a field from one of its dimensions on.
fn parts(field: &Field, dimensions: &[Dimension], scope: &Scope<'_>) -> Option<Value> {
    let [dimension, inner @ ..] = dimensions else { return Some(Value::Int(field.range.simplest())) };
    let length = match dimension {
        Dimension::Size(size) => value::number(size, scope).ok()?,
        Dimension::Free => field.length.lo,
    };
    let length = usize::try_from(length).ok().filter(|length| *length <= PARTS_UP_TO)?;
    if !inner.is_empty() {
        let rows: Option<Vec<Value>> = (0..length).map(|_| parts(field, inner, scope)).collect();
        return rows.map(Value::List);
    }
    Some(match field.letters() {
        Some(letters) => Value::Text(Characters::from_elem(*letters.first()?, length)),
        None => Value::Ints(vec![field.range.simplest(); length]),
    })
}

/// How many instances a block has at least; of alternatives, the first is there.
fn count(format: &Format, child: BlockId, scope: &Scope<'_>) -> Option<usize> {
    match &format.block(child).count {
        Count::Times(count) => {
            usize::try_from(value::number(count, scope).ok()?).ok().filter(|count| *count <= PARTS_UP_TO)
        }
        Count::When(comparisons) => Some(usize::from(comparisons.iter().all(|c| compares(c, scope)))),
        Count::Chosen => {
            let first = |item: &Item| matches!(item, Item::Either(children) if children.first() == Some(&child));
            Some(usize::from(format.block(scope.block).items.iter().any(first)))
        }
        Count::Until { range, .. } => usize::try_from(range.lo.max(0)).ok().filter(|count| *count <= PARTS_UP_TO),
    }
}

/// A value in which just those conditional blocks are there whose condition holds: others go, missing ones come as their
/// least instance.
pub(super) fn with_conditions_met(format: &Format, value: &Value) -> Option<Value> {
    conditions_met(format, BlockId(0), value.slots(), None).map(Value::Block)
}

fn conditions_met(
    format: &Format,
    block: BlockId,
    instance: &[Value],
    outer: Option<&Scope<'_>>,
) -> Option<Vec<Value>> {
    let mut slots = instance.to_vec();
    for child in format.children(block) {
        let met = {
            let scope = Scope { format, block, slots: Slots::Known(&slots), outer, variables: &[] };
            let mut list: Vec<Vec<Value>> = Vec::new();
            for inner in scope.list(child).iter() {
                list.push(conditions_met(format, child, inner, Some(&scope))?);
            }
            if matches!(format.block(child).count, Count::When(_)) {
                let wanted = count(format, child, &scope)?;
                list.truncate(wanted);
                if list.len() < wanted {
                    list.push(least(format, child, Some(&scope))?);
                }
            }
            Instances::of(format.block(child).slots, list)
        };
        *slots.get_mut(format.block(child).slot)? = Value::Instances(met);
    }
    Some(slots)
}
