//! Merges the cases of several inputs into one.

use crate::language::Format;
use crate::value::{InstanceList, Value, instances_in_holder};

/// Merges the cases of several inputs into one. Returns `None` if the format has no cases that a single number
/// counts.
pub fn merge_cases(format: &Format, values: &[Value]) -> Option<Value> {
    let block = format.cases_block()?;
    let (cases, count) = (format.block(block), format.case_count()?);
    let mut merged = values.first()?.clone();
    let Value::Block(slots) = &mut merged else { return None };
    let all = values.iter().flat_map(|value| instances_in_holder(format, block, value.root_slots()));
    let list = InstanceList::from_instances(cases.slots, all.map(|case| case.iter().cloned()));
    slots[format.field(count).slot] = Value::Int(list.len() as i128);
    slots[cases.slot] = Value::Instances(list);
    Some(merged)
}
