//! The cases of an input: counts and splits them, and packs several inputs into one file.

use crate::tuning::MAX_PACKED_INPUTS;
use rebut_format::generate::merge_cases;
use rebut_format::language::{BlockId, Format};
use rebut_format::validate::find_violation;
use rebut_format::value::{InstanceList, Value, instances_in_holder};

/// Returns the maximum number of inputs of one case each that fit into one file, as far as the number of its cases
/// decides.
pub(crate) fn max_inputs_per_file(format: &Format) -> usize {
    let most = format.case_count().filter(|_| can_pack_cases(format)).map_or(1, |count| format.field(count).range.hi);
    usize::try_from(most).unwrap_or(MAX_PACKED_INPUTS).clamp(1, MAX_PACKED_INPUTS)
}

/// Returns true if inputs of a format can be packed: it has cases with a count, and nothing else.
pub(crate) fn can_pack_cases(format: &Format) -> bool {
    format.case_count().is_some() && format.block(BlockId(0)).slots == 2
}

/// Merges all cases of some inputs into one input, if that is valid.
pub(crate) fn pack_cases(format: &Format, values: &[Value]) -> Option<Value> {
    match values {
        [one] => Some(one.clone()),
        _ => merge_cases(format, values).filter(|value| find_violation(format, value).is_none()),
    }
}

/// Returns the number of test cases in a value.
pub(super) fn count_cases(format: &Format, value: &Value) -> usize {
    format.cases_block().map_or(1, |cases| instances_in_holder(format, cases, value.root_slots()).len())
}

/// Returns each case as a separate input, or nothing if there is only one.
pub(crate) fn split_into_cases(format: &Format, value: &Value) -> Vec<Value> {
    let Some(cases) = format.cases_block() else { return Vec::new() };
    let block = format.block(cases);
    let list = instances_in_holder(format, cases, value.root_slots());
    if list.len() < 2 {
        return Vec::new();
    }
    // The slots without the cases, so that copying them for each case is cheap.
    let others = value.root_slots().iter().enumerate().map(|(at, part)| match at == block.slot {
        true => Value::Instances(InstanceList::new(block.slots)),
        false => part.clone(),
    });
    let others: Vec<Value> = others.collect();
    let alone = |case: &[Value]| {
        let mut slots = others.clone();
        slots[block.slot] = Value::Instances(InstanceList::from_instances(block.slots, [case.iter().cloned()]));
        merge_cases(format, &[Value::Block(slots)])
    };
    list.iter().filter_map(alone).collect()
}
