//! Draws lists with formulas about each step: `forall i in 1..q: count(added[1..i-1], removed[i]) > 0`.
//!
//! Such a formula says what an instance may be after those before it, so it is checked for each instance as soon as
//! that is drawn, and the instance is drawn again if it does not fit. Where the formula counts an own number among
//! earlier ones, the number is often taken from these: a number drawn from its range alone would hardly ever be one
//! of them.

use super::GenerationError;
use super::distinct_rows::DistinctTracker;
use super::instance::InstanceGenerator;
use super::step_formulas::StepFormula;
use crate::language::{BlockId, Comparison, FieldId, Format, Interval, QuantifiedFormula};
use crate::validate::{self, find_fault};
use crate::value::{self, InstanceList, SliceMemo, Value, ValueScope, evaluate_slice_element};

/// Maximum number of instances that are drawn for one step.
const MAX_STEP_TRIES: usize = 24;

/// A list while its steps are drawn.
pub(super) struct ListSteps<'l> {
    pub(super) block: BlockId,
    pub(super) holder: &'l ValueScope<'l>,
    formulas: &'l [StepFormula<'l>],
    memo: SliceMemo,
}

/// The requirements on an instance of a list, apart from the formulas about its steps.
#[derive(Clone, Copy)]
pub(super) struct InstanceRequest<'r> {
    pub(super) block: BlockId,
    pub(super) holder: &'r ValueScope<'r>,
    pub(super) limits: &'r [Comparison],
    /// About the maximum number of elements.
    pub(super) size_budget: usize,
}

impl<'r> InstanceRequest<'r> {
    /// Returns the scope of an instance.
    pub(super) fn scope_of<'i>(&'i self, instance: &'i [Value]) -> ValueScope<'i> {
        self.holder.for_instance(self.block, instance)
    }

    /// Returns true if an instance satisfies its constraints and the limits.
    pub(super) fn is_met_by(&self, format: &Format, instance: &[Value]) -> bool {
        validate::is_instance_valid(format, self.block, instance, self.holder)
            && self.limits.iter().all(|c| validate::is_comparison_true(c, &self.scope_of(instance)))
    }
}

impl<'l> ListSteps<'l> {
    pub(super) fn new(formulas: &'l [StepFormula<'l>], block: BlockId, holder: &'l ValueScope<'l>) -> Self {
        ListSteps { block, holder, formulas, memo: SliceMemo::default() }
    }

    /// Returns true if no formula is about the steps.
    pub(super) fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// Returns true if no formula is false for the last instance of the list.
    fn last_instance_fits(&self, list: &InstanceList) -> bool {
        let number = list.len() as i128;
        self.memo.set_final_until(number - 1);
        let scope = self.holder.with_open_list(self.block, list);
        let scope = scope.with_memo(&self.memo);
        let applies = |quantified: &QuantifiedFormula| {
            let end = |expr| value::evaluate_number(expr, &scope).ok();
            let ends = end(&quantified.range.0).zip(end(&quantified.range.1));
            ends.is_some_and(|(first, last)| first <= number && number <= last)
        };
        self.formulas.iter().filter(|formula| applies(formula.quantified)).all(|formula| {
            !matches!(find_fault(&formula.quantified.body, &scope.with_variables(&[number])), Ok(Some(_)))
        })
    }

    /// Returns an earlier number for one of the numbers that a formula counts among earlier ones.
    fn pick_earlier_number(
        &self,
        generator: &mut InstanceGenerator<'_, '_>,
        list: &InstanceList,
    ) -> Option<(FieldId, i128)> {
        /// Maximum number of elements that are tried: some steps have none.
        const MAX_PICKS: usize = 4;
        let references: Vec<_> = self.formulas.iter().flat_map(|formula| &formula.references).collect();
        let (field, slice) = **generator.choices.pick_item(&references)?;
        let scope = self.holder.with_open_list(self.block, list);
        let last = list.len() as i128;
        let mut pick = || {
            let number = generator.choices.draw_range(1, last);
            evaluate_slice_element(slice, number, &scope.with_variables(&[last + 1][..slice.variable.min(1)])).ok()
        };
        (last > 0).then(|| (0..MAX_PICKS).find_map(|_| pick())).flatten().map(|number| (field, number))
    }
}

impl InstanceGenerator<'_, '_> {
    /// Draws the next instance of a list such that no formula about its steps is false. If none is found, the instance
    /// is an arbitrary one, and the repair of formulas may change it.
    pub(super) fn draw_step(
        &mut self,
        steps: &ListSteps<'_>,
        request: InstanceRequest<'_>,
        list: &mut InstanceList,
        seen: &mut DistinctTracker<'_>,
    ) -> Result<Vec<Value>, GenerationError> {
        for attempt in 0..MAX_STEP_TRIES {
            let mut instance = match self.settings.extreme {
                Some(_) if attempt > 0 => self.draw_without_extreme(request)?,
                _ => self.draw_requested(request)?,
            };
            if self.choices.draw_chance(2, 3) {
                self.refer_to_earlier_step(steps, request, list, &mut instance);
            }
            if self.starts_like_sentinel(request.block, &instance) {
                continue;
            }
            list.push(instance.iter().cloned());
            let fits = steps.last_instance_fits(list);
            list.remove_last();
            if fits && seen.insert_if_new(&request.scope_of(&instance)) {
                return Ok(instance);
            }
        }
        self.draw_distinct_instance(request, seen)
    }

    /// Sets a number that a formula counts among earlier ones to one of them, if the instance allows that.
    fn refer_to_earlier_step(
        &mut self,
        steps: &ListSteps<'_>,
        request: InstanceRequest<'_>,
        list: &InstanceList,
        instance: &mut [Value],
    ) {
        let Some((field, number)) = steps.pick_earlier_number(self, list) else { return };
        let format = self.plan.format;
        let fits_range = format.field(field).range.intersect(Interval::from_value(number));
        let Some(place) = number_in_instance(format, field, instance).filter(|_| !fits_range.is_empty()) else {
            return;
        };
        let before = std::mem::replace(place, number);
        if !request.is_met_by(format, instance)
            && let Some(place) = number_in_instance(format, field, instance)
        {
            *place = before;
        }
    }
}

/// Returns a number of an instance, which may be in one of its conditions or alternatives.
fn number_in_instance<'v>(format: &Format, field: FieldId, instance: &'v mut [Value]) -> Option<&'v mut i128> {
    let optional: Vec<BlockId> = format.optional_blocks_around(field).collect();
    let mut slots = instance;
    for block in optional.iter().rev() {
        let Value::Instances(list) = slots.get_mut(format.block(*block).slot)? else { return None };
        slots = list.get_mut(0)?;
    }
    match slots.get_mut(format.field(field).slot)? {
        Value::Int(number) => Some(number),
        _ => None,
    }
}
