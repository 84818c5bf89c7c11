//! The minimal instance of a block, which replaces another alternative or a missing optional block.
//!
//! Every number is the simplest of its range, every length minimal, every repetition as short as possible. The
//! search decides whether that is valid, after repairing the constraints between fields.

use crate::language::{BlockId, Field, FieldDimension, Format, InstanceCount, LayoutItem};
use crate::tuning::MAX_INSTANCE_PARTS;
use crate::validate::is_comparison_true;
use crate::value::{self, InstanceList, InstanceSlots, TextBytes, Value, ValueScope};

/// Returns the minimal instance of a block within a scope, or `None` if a size is unknown or too large.
pub(super) fn minimal_instance(format: &Format, block: BlockId, outer: Option<&ValueScope<'_>>) -> Option<Vec<Value>> {
    let mut slots: Vec<Option<Value>> = vec![None; format.block(block).slots];
    for field in format.fields_in_block(block) {
        let field = format.field(field);
        let minimal = {
            let scope = ValueScope::new(format, block, InstanceSlots::Partial(&slots), outer);
            minimal_value(field, &field.dimensions, &scope)?
        };
        *slots.get_mut(field.slot)? = Some(minimal);
    }
    for child in format.child_blocks(block) {
        let minimal = {
            let scope = ValueScope::new(format, block, InstanceSlots::Partial(&slots), outer);
            let one = || minimal_instance(format, child, Some(&scope));
            let instances: Option<Vec<Vec<Value>>> =
                (0..min_instance_count(format, child, &scope)?).map(|_| one()).collect();
            InstanceList::from_instances(format.block(child).slots, instances?)
        };
        *slots.get_mut(format.block(child).slot)? = Some(Value::Instances(minimal));
    }
    slots.into_iter().collect()
}

/// Returns the minimal value of a field from one of its dimensions on.
fn minimal_value(field: &Field, dimensions: &[FieldDimension], scope: &ValueScope<'_>) -> Option<Value> {
    let [dimension, inner @ ..] = dimensions else { return Some(Value::Int(field.range.simplest_value())) };
    let length = match dimension {
        FieldDimension::Size(size) => value::evaluate_number(size, scope).ok()?,
        FieldDimension::Free => field.length.lo,
    };
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_INSTANCE_PARTS)?;
    if !inner.is_empty() {
        let rows: Option<Vec<Value>> = (0..length).map(|_| minimal_value(field, inner, scope)).collect();
        return rows.map(Value::List);
    }
    Some(match field.alphabet() {
        Some(letters) => Value::Text(TextBytes::from_elem(*letters.first()?, length)),
        None => Value::Ints(vec![field.range.simplest_value(); length]),
    })
}

/// Returns the minimum number of instances of a block. Of alternatives, the first one exists.
fn min_instance_count(format: &Format, child: BlockId, scope: &ValueScope<'_>) -> Option<usize> {
    match &format.block(child).count {
        InstanceCount::Times(count) => usize::try_from(value::evaluate_number(count, scope).ok()?)
            .ok()
            .filter(|count| *count <= MAX_INSTANCE_PARTS),
        InstanceCount::Conditional(comparisons) => {
            Some(usize::from(comparisons.iter().all(|c| is_comparison_true(c, scope))))
        }
        InstanceCount::Alternative => {
            let first =
                |item: &LayoutItem| matches!(item, LayoutItem::Either(children) if children.first() == Some(&child));
            Some(usize::from(format.block(scope.block).items.iter().any(first)))
        }
        InstanceCount::Until { range, .. } => {
            usize::try_from(range.lo.max(0)).ok().filter(|count| *count <= MAX_INSTANCE_PARTS)
        }
    }
}

/// Returns the value with its conditional blocks adjusted to their conditions: a block is removed if its condition
/// is false, and added as a minimal instance if it is true and the block is missing.
pub(super) fn apply_conditions(format: &Format, value: &Value) -> Option<Value> {
    apply_conditions_within(format, BlockId(0), value.root_slots(), None).map(Value::Block)
}

fn apply_conditions_within(
    format: &Format,
    block: BlockId,
    instance: &[Value],
    outer: Option<&ValueScope<'_>>,
) -> Option<Vec<Value>> {
    let mut slots = instance.to_vec();
    for child in format.child_blocks(block) {
        let met = {
            let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
            let mut list: Vec<Vec<Value>> = Vec::new();
            for inner in scope.child_instances(child).iter() {
                list.push(apply_conditions_within(format, child, inner, Some(&scope))?);
            }
            if matches!(format.block(child).count, InstanceCount::Conditional(_)) {
                let wanted = min_instance_count(format, child, &scope)?;
                list.truncate(wanted);
                if list.len() < wanted {
                    list.push(minimal_instance(format, child, Some(&scope))?);
                }
            }
            InstanceList::from_instances(format.block(child).slots, list)
        };
        *slots.get_mut(format.block(child).slot)? = Value::Instances(met);
    }
    Some(slots)
}
