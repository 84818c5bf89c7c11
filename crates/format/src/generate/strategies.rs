//! Chooses the strategies that the instances of a run share.

use super::instance::InstanceGenerator;
use super::numbers::{choose_scalar_strategy, choose_size_strategy, wants_tie};
use super::strategy_cache::{BlockStrategy, FieldStrategy, ListForms, MIN_LONG_LIST, RUN_LENGTH, ShapeStrategy};
use super::{GenerationPlan, GenerationSettings, generate_value};
use crate::language::{BlockId, Constraint, FieldId, Format};
use crate::validate::{Violation, violation_of_constraint};
use crate::value::Value;
use rebut_diagnostics::Span;
use rebut_generators::Choices;

impl InstanceGenerator<'_, '_> {
    /// Called before each instance of a list of `count`: chooses new strategies if a run begins.
    #[inline]
    pub(super) fn refresh_strategies(&mut self, block: BlockId, at: usize, count: usize) {
        if at == 0 || count >= MIN_LONG_LIST && at.is_multiple_of(RUN_LENGTH) {
            self.renew_strategies(block, count >= MIN_LONG_LIST);
        }
    }

    /// Returns true if the instances of a list of `count` share their strategies.
    pub(super) fn uses_strategies(&self, count: usize) -> bool {
        count >= MIN_LONG_LIST && !self.strategies.is_disabled
    }

    /// Chooses the forms of the instances of a list of `count`. Returns whether they follow a sequence, instead of being
    /// drawn one by one.
    pub(super) fn choose_forms(&mut self, block: BlockId, count: usize) -> bool {
        let forms = self.plan.block_plan(block).form_count;
        if forms < 2 {
            return false;
        }
        let shape = self.swarm.pick_form_shape(self.choices);
        let drawn = shape.draw_forms(self.choices, count, forms);
        let is_sequence = !drawn.is_empty();
        if is_sequence {
            self.record_used_shape(shape.name);
        } else {
            self.match_requested_shape(shape.name);
        }
        self.strategies.forms.resize(self.plan.format.blocks.len(), ListForms::default());
        self.strategies.forms[block.0] = ListForms { sequence: drawn, next: None };
        is_sequence
    }

    /// Called before an instance is drawn: its first attempt has the form that was chosen for it.
    #[inline]
    pub(super) fn begin_instance(&mut self, block: BlockId, at: usize) {
        if let Some(forms) = self.strategies.forms.get_mut(block.0) {
            forms.next = forms.sequence.get(at).copied();
        }
    }

    /// Returns the form that was chosen for the instance that is being drawn. Only its first attempt gets it: with it, the
    /// constraints may have no instance.
    pub(super) fn take_chosen_form(&mut self, block: BlockId) -> Option<usize> {
        self.strategies.forms.get_mut(block.0)?.next.take()
    }

    fn renew_strategies(&mut self, block: BlockId, is_long: bool) {
        if !is_long && self.strategies.block_strategies.is_empty() {
            return;
        }
        let format = self.plan.format;
        self.strategies.field_strategies.resize(format.fields.len(), FieldStrategy::default());
        self.strategies.shape_strategies.resize(format.fields.len(), ShapeStrategy::default());
        self.strategies.block_strategies.resize(format.blocks.len(), BlockStrategy::default());
        // The choosers consult the cache: disabled, they choose anew.
        let before = std::mem::replace(&mut self.strategies.is_disabled, true);
        self.strategies.block_strategies[block.0] =
            if is_long { self.choose_block_strategy(block) } else { BlockStrategy::default() };
        for field in format.fields_in_block(block) {
            self.strategies.field_strategies[field.0] =
                if is_long { self.choose_field_strategy(field) } else { FieldStrategy::default() };
            self.strategies.shape_strategies[field.0] =
                if is_long { self.choose_shape_strategy(field) } else { ShapeStrategy::default() };
        }
        self.strategies.is_disabled = before;
    }

    fn choose_block_strategy(&mut self, block: BlockId) -> BlockStrategy {
        BlockStrategy { near_copy: Some(self.wants_near_copy(block)), reverse: Some(self.wants_reverse_order(block)) }
    }

    fn choose_field_strategy(&mut self, field: FieldId) -> FieldStrategy {
        let info = self.plan.format.field(field);
        if self.plan.is_size(field) {
            let size = choose_size_strategy(self.choices, self.settings);
            return FieldStrategy { size: Some(size), ..FieldStrategy::default() };
        }
        let mut strategy = FieldStrategy::default();
        if info.alphabet().is_none() {
            strategy.full_range = Some(self.uses_full_range(field));
        }
        if info.is_scalar() {
            strategy.tie = Some(wants_tie(self.choices));
            strategy.number = Some(choose_scalar_strategy(self.choices, self.settings.numbers, &self.settings.hints));
        }
        strategy
    }

    fn choose_shape_strategy(&mut self, field: FieldId) -> ShapeStrategy {
        let info = self.plan.format.field(field);
        let mut shapes = ShapeStrategy::default();
        match (info.alphabet().is_some(), info.dimensions.len()) {
            (_, 0) => {}
            (false, _) => shapes.numbers = Some(self.swarm.pick_number_shape(self.choices)),
            (true, 1) => shapes.text = Some(self.swarm.pick_text_shape(self.choices)),
            (true, _) => shapes.board = Some(self.swarm.pick_board_shape(self.choices)),
        }
        shapes
    }

    /// Draws with the cache at the first attempt, and without it at all others.
    #[inline]
    pub(super) fn with_cache_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.strategies.is_disabled;
        self.strategies.is_disabled |= attempt > 0;
        let drawn = draw(self);
        self.strategies.is_disabled = before;
        drawn
    }

    /// Draws without the cache, after its strategies led to a broken constraint.
    pub(super) fn without_cache<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        self.with_cache_at_first(1, draw)
    }
}

// Search for the input that comes closest to a constraint which generation cannot meet.

/// Number of inputs that are drawn.
const MAX_INPUTS: u64 = 100;

/// Maximum number of steps spent on drawing them: about a second.
const MAX_STEPS: u64 = 20_000_000;

/// An input that breaks one constraint, and satisfies all others.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The input.
    pub value: Value,
    /// Where it breaks the constraint.
    pub violation: Violation,
}

/// Draws inputs that satisfy everything but the constraint at one of several locations of the format file. Returns
/// the one that comes closest to satisfying the first location for which there is any, and the smallest of equals,
/// or `None` if every draw failed.
pub fn find_near_miss(format: &Format, constraints: &[Span]) -> Option<NearMiss> {
    let strict = Format { stop_token: format.stop_token.with_steps(MAX_STEPS), ..format.clone() };
    constraints.iter().find_map(|constraint| find_near_miss_of(&strict, *constraint))
}

/// Searches for an input that breaks only the constraint at one location, within the steps of the format's token.
fn find_near_miss_of(strict: &Format, constraint: Span) -> Option<NearMiss> {
    let is_other = |other: &&Constraint| other.span != constraint;
    let others = strict.constraints.iter().filter(is_other).cloned().collect();
    let loose = Format { constraints: others, ..strict.clone() };
    let plan = GenerationPlan::new(&loose);
    let indices: Vec<usize> =
        (0..strict.constraints.len()).filter(|at| strict.constraints[*at].span == constraint).collect();
    let draw = |number: u64| {
        let growth = u32::try_from(number * 100 / MAX_INPUTS).unwrap_or(100);
        let settings = GenerationSettings {
            growth,
            max_elements: 1000,
            max_cases: 10,
            max_wasted_draws: 100_000,
            ..GenerationSettings::default()
        };
        let value = generate_value(&plan, &mut Choices::from_seed(0, number), &settings).ok()?.value;
        let violation = indices.iter().find_map(|at| violation_of_constraint(strict, &value, *at))?;
        // A check that was stopped early proves no violation.
        (!strict.stop_token.is_stopped()).then_some(NearMiss { value, violation })
    };
    let distance = |found: &NearMiss| (found.violation.distance.unwrap_or(u128::MAX), found.value.element_count());
    (0..MAX_INPUTS).take_while(|_| !loose.stop_token.is_stopped()).filter_map(draw).min_by_key(distance)
}
