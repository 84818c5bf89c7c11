//! Draws the instances of a repeated block, which share budgets and may have to differ.

use super::GenerationError;
use super::budget::{
    Budget, INSTANCE_BYTES, SharedList, compare_with_constant, limits_on_optional_block, number_to_size,
};
use super::distinct_rows::DistinctTracker;
use super::instance::InstanceGenerator;
use super::partial_graphs::{EdgeList, PartialEdges, order_limits};
use super::partial_ranges::{PartialRanges, min_elements};
use super::scoped_draft::ScopedDraft;
use super::steps::{InstanceRequest, ListSteps};
use crate::language::{BlockId, Comparison, ComparisonOperator, Expr, FieldId, InstanceCount, Interval};
use crate::print::starts_with_sentinel;
use crate::validate;
use crate::value::{self, InstanceList, Value, ValueScope};
use rebut_generators::{Corner, POLYGON_SHAPES, PolygonProperties, PolygonRequirements, SizeRange};

/// Maximum number of tries at an instance that must differ from all others.
const MAX_DISTINCT_TRIES: usize = 40;

/// The same limit for texts, which are drawn without regard to earlier ones.
const MAX_DISTINCT_TEXT_TRIES: usize = 400;

/// Number of texts that are drawn at random before an unused one is picked, where most of the possible texts
/// are used.
const MIN_TRIES_BEFORE_PICK: usize = 8;

/// The numbers that are drawn for all instances together, before the rest of each.
struct WholeList<'d> {
    edges: Option<&'d EdgeList>,
    partial: Option<&'d PartialEdges>,
    corners: Option<&'d CornerList>,
}

impl WholeList<'_> {
    fn is_empty(&self) -> bool {
        self.edges.is_none() && self.partial.is_none() && self.corners.is_none()
    }

    /// Returns the required values of the `i`-th instance.
    fn instance_limits(&self, i: usize) -> Vec<Comparison> {
        let edges = self.edges.map(|edges| edges.instance_limits(i));
        let partial = self.partial.map(|partial| partial.instance_limits(i));
        edges
            .into_iter()
            .chain(partial)
            .chain(self.corners.map(|corners| corners.instance_limits(i)))
            .flatten()
            .collect()
    }
}

impl InstanceGenerator<'_, '_> {
    pub(super) fn draw_instances(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<InstanceList, GenerationError> {
        let count = self.choose_instance_count(child, holder, size_budget)?;
        self.memory.reserve_repetitions(self.plan.format, child, count, INSTANCE_BYTES)?;
        // Edges and independent columns are drawn for the whole list at once.
        let partial = self.draw_partial_edges(child, count, holder)?;
        let edges = if partial.is_some() { None } else { self.draw_edges(child, count, holder)? };
        let columns = self.draw_columns(child, count, holder, extra, edges.as_ref());
        if let Some(list) = columns.map_err(|failure| failure.into_error(self.plan.format))? {
            return Ok(list);
        }
        let corners = self.draw_polygon(child, count, holder)?;
        let list = SharedList { block: child, count, holder, size_budget };
        let mut budgets = self.find_budgets(child, holder, extra);
        // A chosen distribution sets sizes and shares together; otherwise they are split separately.
        let distribution = self.choose_distribution(&list, &budgets);
        let is_filled = self.is_case_block(child) && self.settings.case_share.is_some_and(|share| share.is_filled);
        let size_budgets = match distribution.filter(|_| budgets.iter().any(Budget::is_bounded)) {
            Some(distribution) => self.split_by_distribution(&list, distribution, &mut budgets),
            None => {
                let most = usize::try_from(self.max_instance_elements(child, size_budget)).unwrap_or(usize::MAX);
                let size_budgets = if is_filled {
                    vec![most; count]
                } else {
                    self.split_size_budget(child, count, holder, size_budget)
                };
                self.split_budgets(&list, &mut budgets);
                size_budgets
            }
        };
        // Some instances are chosen to meet bounds on a minimum or maximum.
        let size_budgets = self.assign_required_ranges(&list, &mut budgets, size_budgets);
        let filled =
            if is_filled || distribution.is_some() { self.fields_to_fill(child, &budgets) } else { Vec::new() };
        let before = std::mem::replace(&mut self.filled_fields, filled);
        let whole = WholeList { edges: edges.as_ref(), partial: partial.as_ref(), corners: corners.as_ref() };
        let copying = whole.is_empty() && distribution.is_none() && self.choices.draw_chance(1, 3);
        let drawn = self.draw_list_within(&list, extra, (&whole, copying), size_budgets, budgets);
        self.filled_fields = before;
        drawn
    }

    /// Draws the instances of a list, each within its size budget and its shares of the other budgets.
    fn draw_list_within(
        &mut self,
        list: &SharedList<'_>,
        extra: &[Comparison],
        (whole, copying): (&WholeList<'_>, bool),
        size_budgets: Vec<usize>,
        mut budgets: Vec<Budget<'_>>,
    ) -> Result<InstanceList, GenerationError> {
        let SharedList { block: child, count, holder, .. } = *list;
        let mut seen = DistinctTracker::new(self.plan, child, count, holder);
        if !seen.has_enough_texts(count) {
            return Err(seen.exhausted_error());
        }
        if let Some(mut lanes) = self.list_lanes(child, count, holder, &budgets) {
            let lines = self.line_program_of(child).filter(|_| !copying && self.uses_strategies(count));
            if lines.is_none() {
                self.memory.reserve_slots(self.plan.format, child, count)?;
            }
            return self.draw_compiled_list(&mut lanes, lines, &size_budgets, &mut budgets, copying);
        }
        // Without lanes, each instance is drawn under the limits that the earlier ones leave.
        self.memory.reserve_slots(self.plan.format, child, count)?;
        let mut list = InstanceList::with_capacity(self.plan.format.block(child).slots, count);
        let steps = ListSteps::new(self.plan.step_formulas(child), child, holder);
        // A near copy has the form of the earlier instance.
        let has_form_sequence = self.choose_forms(child, count);
        let copying = copying && steps.is_empty() && !has_form_sequence;
        for (i, size_budget) in size_budgets.into_iter().enumerate() {
            self.check_stop(i)?;
            self.refresh_strategies(child, i, count);
            self.begin_instance(child, i);
            let mut limits: Vec<Comparison> = budgets.iter().flat_map(|b| b.limit_comparisons(i, count)).collect();
            limits.extend(order_limits(self.plan.format, child, holder, list.last(), count - i - 1));
            limits.extend(whole.instance_limits(i));
            limits.extend(limits_on_optional_block(self.plan.format, child, extra));
            let request = InstanceRequest { block: child, holder, limits: &limits, size_budget };
            let copied = if copying { self.draw_near_copy(request, &list, &mut seen) } else { None };
            let instance = match copied {
                Some(instance) => instance,
                None if !steps.is_empty() => self.draw_step(&steps, request, &mut list, &mut seen)?,
                None => self.draw_distinct_instance(request, &mut seen)?,
            };
            for budget in &mut budgets {
                budget.spend_instance(child, holder, &instance);
            }
            list.push(instance);
        }
        Ok(list)
    }

    fn choose_instance_count(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<usize, GenerationError> {
        let known = match &self.plan.format.block(child).count {
            InstanceCount::Times(count) => value::evaluate_number(count, holder).ok(),
            InstanceCount::Conditional(comparisons) => {
                Some(i128::from(comparisons.iter().all(|c| validate::is_comparison_true(c, holder))))
            }
            InstanceCount::Alternative => Some(0),
            InstanceCount::Until { range, .. } => Some(self.draw_free_count(*range, child, holder, size_budget)),
        };
        let count = known.and_then(number_to_size);
        count.ok_or_else(|| GenerationError::with_message("a count has no value"))
    }

    fn draw_free_count(
        &mut self,
        range: Interval,
        child: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        match self.settings.extreme {
            Some(extreme) => extreme.end_of_range(range),
            None => {
                let least = min_elements(child, &PartialRanges::new(holder)).max(1);
                let hi = range.hi.min(size_budget as i128 / least).max(range.lo);
                if self.is_case_block(child) {
                    return self.draw_case_count(child, range.lo, hi, size_budget);
                }
                self.draw_one_size(None, &SizeRange::new(range.lo, hi, self.settings.growth))
            }
        }
    }

    /// Copies an earlier instance and changes one number: state that a program wrongly keeps from one case to
    /// the next only shows where the two are nearly equal.
    fn draw_near_copy(
        &mut self,
        request: InstanceRequest<'_>,
        earlier: &InstanceList,
        seen: &mut DistinctTracker<'_>,
    ) -> Option<Vec<Value>> {
        let child = request.block;
        if !self.wants_near_copy(child) {
            return None;
        }
        let format = self.plan.format;
        let original = earlier.get(self.choices.draw_index(earlier.len()))?;
        let slots = original.iter().cloned().map(Some).collect();
        let mut draft = ScopedDraft::with_slots(child, Some(request.holder), request.limits, slots);
        let movable: Vec<_> =
            format.fields_in_block(child).filter(|f| format.field(*f).is_scalar() && !self.plan.is_size(*f)).collect();
        if let Some(field) = self.choices.pick_item(&movable).copied() {
            let slot = format.field(field).slot;
            draft.slots[slot] = None;
            let number = draft.draw_scalar_field(self, field).ok()?;
            draft.slots[slot] = Some(Value::Int(number));
        }
        let instance = draft.into_instance();
        (self.fits_request(request, &instance) && seen.insert_if_new(&request.scope_of(&instance))).then_some(instance)
    }

    fn fits_request(&self, request: InstanceRequest<'_>, instance: &[Value]) -> bool {
        !self.starts_like_sentinel(request.block, instance) && request.is_met_by(self.plan.format, instance)
    }

    /// Returns true if an instance should be a near copy of an earlier one.
    #[inline]
    pub(super) fn wants_near_copy(&mut self, block: BlockId) -> bool {
        self.strategies.block_strategy(block).near_copy.unwrap_or_else(|| self.choices.draw_chance(1, 2))
    }

    /// Returns true if an instance begins with the line that ends its repetition.
    pub(super) fn starts_like_sentinel(&self, child: BlockId, instance: &[Value]) -> bool {
        match &self.plan.format.block(child).count {
            InstanceCount::Until { sentinel: Some(sentinel), .. } => {
                starts_with_sentinel(self.plan.format, child, instance, sentinel)
            }
            _ => false,
        }
    }

    /// Draws an instance that differs from all earlier ones, where the format requires that.
    pub(super) fn draw_distinct_instance(
        &mut self,
        request: InstanceRequest<'_>,
        seen: &mut DistinctTracker<'_>,
    ) -> Result<Vec<Value>, GenerationError> {
        let texts = seen.has_text_rules();
        // There are few short texts: later tries may be longer, and the last ones have any size but the
        // extreme.
        let (repeats, extreme) =
            if texts { (MAX_DISTINCT_TEXT_TRIES, self.settings.extreme) } else { (MAX_DISTINCT_TRIES, None) };
        for attempt in 0..repeats {
            let size_budget = request.size_budget.saturating_add(if texts { attempt } else { 0 });
            let wanted = InstanceRequest { size_budget, ..request };
            let instance = match extreme.filter(|_| attempt >= repeats / 8) {
                Some(_) => self.draw_without_extreme(wanted)?,
                None => self.with_cache_at_first(attempt, |generator| generator.draw_requested(wanted))?,
            };
            if self.starts_like_sentinel(request.block, &instance) {
                continue;
            }
            if seen.insert_if_new(&request.scope_of(&instance)) {
                return Ok(instance);
            }
            if (attempt >= MIN_TRIES_BEFORE_PICK && seen.is_crowded() || attempt + 1 == repeats)
                && let Some(instance) = self.replace_with_unused_texts(request, instance, seen)
            {
                return Ok(instance);
            }
        }
        Err(seen.exhausted_error())
    }

    /// Gives an instance texts that no earlier one has. Where few are left, they are picked from the list of all
    /// texts instead of being drawn.
    fn replace_with_unused_texts(
        &mut self,
        request: InstanceRequest<'_>,
        mut instance: Vec<Value>,
        seen: &mut DistinctTracker<'_>,
    ) -> Option<Vec<Value>> {
        let format = self.plan.format;
        for _ in 0..MAX_DISTINCT_TRIES {
            for (field, text) in seen.pick_unused_texts(self.choices)? {
                *instance.get_mut(format.field(field).slot)? = Value::Text(text.into());
            }
            if self.fits_request(request, &instance) && seen.insert_if_new(&request.scope_of(&instance)) {
                return Some(instance);
            }
        }
        None
    }

    /// Draws an instance as if no extreme were set.
    pub(super) fn draw_without_extreme(&mut self, request: InstanceRequest<'_>) -> Result<Vec<Value>, GenerationError> {
        let settings = self.settings.without_extreme();
        let mut generator = InstanceGenerator::new(self.plan, self.choices, &settings, self.swarm);
        generator.draw_requested(request)
    }

    pub(super) fn draw_requested(&mut self, request: InstanceRequest<'_>) -> Result<Vec<Value>, GenerationError> {
        self.draw_instance(request.block, Some(request.holder), request.limits, request.size_budget)
    }
}

// Blocks of corners: the corners of a polygon are drawn before the lines that they are in.

/// The corners that become the instances of a block.
#[derive(Debug)]
pub(super) struct CornerList {
    fields: (FieldId, FieldId),
    corners: Vec<Corner>,
}

impl CornerList {
    /// Returns the required values of the `i`-th instance.
    pub(super) fn instance_limits(&self, i: usize) -> Vec<Comparison> {
        let Some((x, y)) = self.corners.get(i) else { return Vec::new() };
        let is = |field, number| compare_with_constant(&Expr::Field(field), ComparisonOperator::Equal, number);
        vec![is(self.fields.0, *x), is(self.fields.1, *y)]
    }
}

impl InstanceGenerator<'_, '_> {
    /// Draws the corners, if the instances of a block are those of a polygon. If none is found in the ranges of the
    /// coordinates, the lines are drawn without it and refused by the check.
    pub(super) fn draw_polygon(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
    ) -> Result<Option<CornerList>, GenerationError> {
        let Some((properties, fields)) = self.polygon_of(child) else { return Ok(None) };
        if self.plan.format.stop_token.spend_steps(count as u64) {
            return Err(GenerationError::for_stop());
        }
        let nothing = vec![None; self.plan.format.block(child).slots];
        let scope = self.scope_of_block(child, &nothing, Some(holder));
        let range = |generator: &mut Self, field| {
            let range = generator.remaining_range(field, &scope, &[]);
            range.map_err(|failure| failure.into_error(generator.plan.format))
        };
        let (x, y) = (range(self, fields.0)?, range(self, fields.1)?);
        // Early in a search, numbers are small, which may be too few for so many corners.
        let near = (self.grow_field_range(fields.0, x), self.grow_field_range(fields.1, y));
        let shape = self.swarm.pick_polygon_shape(self.choices);
        let whole = |range: Interval| (range.lo, range.hi);
        let draws = [(near, shape), ((x, y), shape), ((x, y), &POLYGON_SHAPES[0])];
        let drawn = draws.into_iter().find_map(|((x, y), shape)| {
            let wanted = PolygonRequirements { count, x: whole(x), y: whole(y), properties };
            Some((shape.draw_corners(self.choices, &wanted)?, shape))
        });
        let Some((corners, shape)) = drawn else { return Ok(None) };
        self.record_used_shape(shape.name);
        Ok(Some(CornerList { fields, corners }))
    }

    /// Returns the properties and the coordinates of the polygon whose corners are the instances of a block. Of several,
    /// one is constructed.
    fn polygon_of(&self, block: BlockId) -> Option<(PolygonProperties, (FieldId, FieldId))> {
        let polygons = self.plan.format.constraints.iter().filter_map(|constraint| constraint.rule.polygon());
        let polygon = polygons.into_iter().find(|polygon| polygon.block == block)?;
        Some((polygon.properties, polygon.corner_fields()?))
    }
}
