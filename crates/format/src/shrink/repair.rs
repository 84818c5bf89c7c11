//! Repair of candidates that a deletion made invalid, if little is missing.
//!
//! A board that loses a row may have one `S` too few; a reference may point past the end; a sum may have become
//! too small. Each number moves to the nearest value that its constraints allow, deterministically: a candidate
//! always has the same repairs. A missing letter has to be placed somewhere, and may replace just the cell that
//! makes the program fail, so several placements are tried in small inputs.

use crate::generate::{GenerationPlan, repair_formulas, repair_text_counts, repair_text_properties};
use crate::language::{BlockId, FieldId, Interval, RangeSource, narrow_range};
use crate::tuning::{MAX_RELOCATED_ELEMENTS, MAX_RELOCATIONS};
use crate::validate::{find_violation, is_comparison_true};
use crate::value::{InstanceList, InstanceSlots, Value, ValueScope};
use rebut_generators::Choices;

/// Returns the repaired candidates that are valid.
pub(super) fn repair_candidate(plan: &GenerationPlan<'_>, candidate: &Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let variants =
        if has_letters(plan) && candidate.element_count() <= MAX_RELOCATED_ELEMENTS { MAX_RELOCATIONS } else { 1 };
    for variant in 0..variants {
        let repaired = Value::Block(repair_instance(plan, variant, BlockId(0), candidate.root_slots(), None));
        if repaired != *candidate && !found.contains(&repaired) && find_violation(plan.format, &repaired).is_none() {
            found.push(repaired);
        }
    }
    found
}

fn has_letters(plan: &GenerationPlan<'_>) -> bool {
    plan.format.fields.iter().any(|f| f.alphabet().is_some())
}

/// Returns the choices that place letters: always at the front, or at random.
fn placement_choices(variant: u64) -> Choices {
    if variant == 0 { Choices::from_draws(Vec::new()) } else { Choices::from_seed(variant, 0) }
}

fn repair_instance(
    plan: &GenerationPlan<'_>,
    variant: u64,
    block: BlockId,
    slots: &[Value],
    outer: Option<&ValueScope<'_>>,
) -> Vec<Value> {
    let format = plan.format;
    let mut slots: Vec<Value> = slots.to_vec();
    // The fields of the instance, in layout order, so that each depends on repaired ones. Sizes stay.
    for field in format.fields_in_block(block) {
        let slot = format.field(field).slot;
        let Some(mut repaired) = slots.get(slot).cloned() else { continue };
        let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
        if format.field(field).alphabet().is_some() {
            repair_text_counts(plan, field, &mut repaired, &scope, &mut placement_choices(variant));
            repair_text_properties(plan, field, &mut repaired, &mut placement_choices(variant));
        } else if !plan.is_size(field) {
            let known = ScalarRanges { scope: &scope };
            let declared = format.field(field).range;
            // If all comparisons hold, narrowing would change nothing, and checking is far cheaper.
            let holds = plan.field_comparisons(field).all(|(_, c)| is_comparison_true(c, &scope));
            let narrowed = |range, c| narrow_range(field, range, c, &known);
            let range =
                plan.field_comparisons(field).filter(|_| !holds).fold(declared, |range, (_, c)| narrowed(range, c));
            clamp_value(&mut repaired, if range.is_empty() { declared } else { range });
        }
        slots[slot] = repaired;
    }
    // The instances inside, and last the formulas over all of these.
    for child in format.child_blocks(block) {
        let slot = format.block(child).slot;
        let list = {
            let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
            let repaired =
                scope.child_instances(child).iter().map(|i| repair_instance(plan, variant, child, i, Some(&scope)));
            InstanceList::from_instances(format.block(child).slots, repaired)
        };
        if let Some(place) = slots.get_mut(slot) {
            *place = Value::Instances(list);
        }
    }
    let mut near = |_: FieldId, range: Interval, before: i128| range.clamp_value(before);
    repair_formulas(plan, block, &mut slots, outer, &mut near);
    slots
}

fn clamp_value(value: &mut Value, range: Interval) {
    match value {
        Value::Int(number) => *number = range.clamp_value(*number),
        Value::Ints(numbers) => numbers.iter_mut().for_each(|n| *n = range.clamp_value(*n)),
        Value::List(rows) => rows.iter_mut().for_each(|r| clamp_value(r, range)),
        Value::Text(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}

/// Ranges in which single numbers are known, and the elements of arrays have their declared range.
struct ScalarRanges<'a, 's> {
    scope: &'s ValueScope<'a>,
}

impl RangeSource for ScalarRanges<'_, '_> {
    fn format(&self) -> &crate::language::Format {
        self.scope.format
    }

    fn value_range(&self, field: crate::language::FieldId) -> Interval {
        match self.scope.field_value(field) {
            Some(Value::Int(number)) => Interval::from_value(*number),
            _ => self.scope.format.field(field).range,
        }
    }

    fn free_length_range(&self, field: crate::language::FieldId) -> Interval {
        self.scope.format.field(field).length
    }

    fn exact_value(&self, expr: &crate::language::Expr) -> Option<i128> {
        crate::value::evaluate_number(expr, self.scope).ok()
    }
}
