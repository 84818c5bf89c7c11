//! The walk from one leaf to the next. The structure in between is determined by the values already chosen;
//! where it is not, the prefix forks.

use super::prefix::{FollowingInstances, Prefix};
use super::prefix_ranges::PrefixRanges;
use super::pruner::{self, ConstraintPruner};
use crate::generate::GenerationPlan;
use crate::language::is_unambiguous;
use crate::language::{BlockId, FieldId, Format, InstanceCount, Interval, LayoutItem, LineToken, narrow_free_length};
use crate::print::{print_value, starts_with_sentinel};
use crate::read::read_input;
use crate::tuning::{LAYOUT_STEPS_PER_STOP_CHECK, MAX_LAYOUT_STEPS, MAX_ROWS};
use crate::validate::{self, find_violation};
use crate::value::{self, InstanceList, TextBytes, Value};
use std::cell::Cell;

/// A format, with the tables for building its inputs.
#[derive(Debug)]
pub(super) struct LayoutWalker<'a> {
    pub(super) plan: &'a GenerationPlan<'a>,
    pub(super) format: &'a Format,
    pub(super) pruner: ConstraintPruner<'a>,
    /// Whether different values may print the same bytes. Then only the value that the reader returns is an
    /// input.
    is_ambiguous: bool,
    /// Whether the pruner understands all constraints, so that parts of inputs can be counted together. Otherwise
    /// each complete input is checked.
    pub(super) is_understood: bool,
    /// Whether a prefix was dropped because it has more empty parts than can be kept.
    has_given_up: Cell<bool>,
    /// Number of steps taken since the last call of [`take_step_count`](LayoutWalker::take_step_count).
    steps_taken: Cell<u64>,
}

/// The result of a step.
enum WalkStep {
    /// The prefix advanced.
    Continue,
    /// A leaf is next, or the input is complete.
    Ready,
    /// No valid input has this prefix.
    Dead,
    /// There are several continuations.
    Fork(Vec<Prefix>),
}

impl<'a> LayoutWalker<'a> {
    pub(super) fn new(plan: &'a GenerationPlan<'a>) -> Self {
        let format = plan.format;
        let is_ambiguous = !is_unambiguous(format);
        let is_understood = !is_ambiguous && format.constraints.iter().all(|c| pruner::is_understood(&c.rule));
        LayoutWalker {
            plan,
            format,
            pruner: ConstraintPruner::new(format),
            is_ambiguous,
            is_understood,
            has_given_up: Cell::new(false),
            steps_taken: Cell::new(0),
        }
    }

    /// Returns true if the results are incomplete, because some prefix has too many parts to be kept.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up.get()
    }

    /// Records steps of work on a prefix, each about as expensive as a comparison of two numbers.
    pub(super) fn add_steps(&self, steps: usize) {
        self.steps_taken.set(self.steps_taken.get().saturating_add(steps as u64));
    }

    /// Returns the number of steps recorded since the last call.
    pub(super) fn take_step_count(&self) -> u64 {
        self.steps_taken.take()
    }

    /// Drops the prefix, and records that the results are incomplete.
    fn give_up(&self) -> WalkStep {
        self.has_given_up.set(true);
        WalkStep::Dead
    }

    /// Returns all continuations up to the next leaf or the end. Decisions that no number announces are taken in a
    /// fixed order.
    pub(super) fn advance_to_leaf(&self, prefix: Prefix) -> Vec<Prefix> {
        let mut found = Vec::new();
        let mut open = vec![prefix];
        let mut steps = 0;
        let mut next_stop_check = LAYOUT_STEPS_PER_STOP_CHECK;
        while let Some(mut prefix) = open.pop() {
            loop {
                steps += 1;
                if steps > next_stop_check {
                    next_stop_check = steps + LAYOUT_STEPS_PER_STOP_CHECK;
                    if self.format.stop_token.is_stopped() {
                        return Vec::new();
                    }
                }
                let step = if steps > MAX_LAYOUT_STEPS { self.give_up() } else { self.take_step(&mut prefix) };
                match step {
                    WalkStep::Continue => {}
                    WalkStep::Ready => {
                        found.push(prefix);
                        break;
                    }
                    WalkStep::Dead => break,
                    WalkStep::Fork(forks) => {
                        // Each fork copies the whole prefix.
                        steps += forks.iter().map(|fork| fork.tree.node_count()).sum::<usize>() / 2;
                        open.extend(forks.into_iter().rev());
                        break;
                    }
                }
            }
        }
        self.add_steps(steps);
        found
    }

    fn take_step(&self, prefix: &mut Prefix) -> WalkStep {
        let Some(frame) = prefix.spine.last().copied().filter(|_| prefix.next.is_none()) else {
            return WalkStep::Ready;
        };
        match self.format.block(frame.block).items.get(frame.item) {
            None => self.close_instance(prefix, frame.block, frame.following),
            Some(LayoutItem::Line(parts)) => match parts.get(frame.part).map(|part| &part.token) {
                Some(LineToken::Field(field)) => self.enter_field(prefix, *field),
                Some(LineToken::Literal(_)) => advance_frame(prefix, |frame| frame.part += 1),
                None => advance_frame(prefix, |frame| (frame.item, frame.part) = (frame.item + 1, 0)),
            },
            Some(LayoutItem::Rows(field)) => self.enter_field(prefix, *field),
            Some(LayoutItem::Block(child)) => self.begin_list(prefix, *child),
            Some(LayoutItem::Either(children)) => WalkStep::Fork(
                (0..children.len()).map(|i| fork_alternative(self.format, prefix, children, i)).collect(),
            ),
        }
    }

    fn enter_field(&self, prefix: &mut Prefix, field: FieldId) -> WalkStep {
        let info = self.format.field(field);
        if info.is_scalar() {
            prefix.next = Some(field);
            return WalkStep::Ready;
        }
        // An array begins empty.
        if prefix.spine.last().is_some_and(|frame| frame.open_slot != Some(info.slot)) {
            prefix.add_slot(empty_array(info.dimensions.len(), info.alphabet().is_some()));
            prefix.is_row_open = true;
            return advance_frame(prefix, |frame| frame.open_slot = Some(info.slot));
        }
        let sizes = prefix.with_innermost(self.format, |scope| {
            (0..info.dimensions.len()).map(|d| value::dimension_size(field, d, scope)).collect::<Result<Vec<_>, _>>()
        });
        let Ok(sizes) = sizes else { return WalkStep::Dead };
        // Find the place of its next element, beginning rows as needed.
        let mut is_row_open = prefix.is_row_open;
        let place = prefix
            .last_slot_mut()
            .map(|array| place_element(array, &sizes, info.alphabet().is_some(), &mut is_row_open));
        prefix.is_row_open = is_row_open;
        match place {
            Some(ElementPlace::Element) => {
                prefix.next = Some(field);
                WalkStep::Ready
            }
            Some(ElementPlace::ElementOrEnd(length)) => self.end_or_extend_row(prefix, field, length),
            Some(ElementPlace::Full) => self.complete_field(prefix, field),
            Some(ElementPlace::TooFar) => self.give_up(),
            None => WalkStep::Dead,
        }
    }

    /// Ends a row of free length, or extends it by one element, or both.
    fn end_or_extend_row(&self, prefix: &mut Prefix, field: FieldId, length: usize) -> WalkStep {
        let range = prefix.with_innermost(self.format, |scope| {
            let known = PrefixRanges { scope, prefix };
            let declared = self.format.field(field).length;
            self.plan.field_comparisons(field).fold(declared, |range, (i, comparison)| {
                let applies = known.always_applies(comparison, self.plan.home_block(i));
                if applies { narrow_free_length(field, range, comparison, &known) } else { range }
            })
        });
        let length = length as i128;
        let mut forks = Vec::new();
        if length >= range.lo {
            forks.push(Prefix { is_row_open: false, ..prefix.clone() });
        }
        if length < range.hi {
            forks.push(Prefix { next: Some(field), ..prefix.clone() });
        }
        WalkStep::Fork(forks)
    }

    fn complete_field(&self, prefix: &mut Prefix, field: FieldId) -> WalkStep {
        if let Some(frame) = prefix.frame_mut() {
            frame.open_slot = None;
            // Rows in parentheses are parts of a line.
            match self.format.block(frame.block).items.get(frame.item) {
                Some(LayoutItem::Rows(_)) => frame.item += 1,
                _ => frame.part += 1,
            }
        }
        if self.pruner.array_fits(prefix, field) { WalkStep::Continue } else { WalkStep::Dead }
    }

    /// Begins the list of a block's instances.
    fn begin_list(&self, prefix: &mut Prefix, child: BlockId) -> WalkStep {
        let info = self.format.block(child);
        let count = prefix.with_innermost(self.format, |scope| match &info.count {
            InstanceCount::Times(count) => {
                value::evaluate_number(count, scope).ok().and_then(|count| usize::try_from(count).ok())
            }
            InstanceCount::Conditional(comparisons) => {
                Some(usize::from(comparisons.iter().all(|c| validate::is_comparison_true(c, scope))))
            }
            InstanceCount::Alternative | InstanceCount::Until { .. } => Some(0),
        });
        let Some(count) = count else { return WalkStep::Dead };
        prefix.add_slot(empty_list(self.format, child));
        if let Some(frame) = prefix.frame_mut() {
            (frame.item, frame.part, frame.open_slot) = (frame.item + 1, 0, Some(info.slot));
        }
        if let InstanceCount::Until { range, .. } = info.count {
            return self.end_or_repeat(prefix, child, range, 0);
        }
        self.repeat_instance(prefix, child, count)
    }

    /// Opens the next of `count` instances, or ends the list.
    fn repeat_instance(&self, prefix: &mut Prefix, child: BlockId, count: usize) -> WalkStep {
        let Some(later) = count.checked_sub(1) else { return self.end_list(prefix, child) };
        prefix.open_instance(child, FollowingInstances::Exactly(later));
        WalkStep::Continue
    }

    /// Ends a repetition without a count, or continues it, or both.
    fn end_or_repeat(&self, prefix: &Prefix, child: BlockId, range: Interval, length: usize) -> WalkStep {
        let length = length as i128;
        let mut forks = Vec::new();
        if length >= range.lo {
            let mut ended = prefix.clone();
            if matches!(self.end_list(&mut ended, child), WalkStep::Continue) {
                forks.push(ended);
            }
        }
        if length < range.hi {
            let mut longer = prefix.clone();
            longer.open_instance(child, FollowingInstances::Open);
            forks.push(longer);
        }
        WalkStep::Fork(forks)
    }

    fn end_list(&self, prefix: &mut Prefix, child: BlockId) -> WalkStep {
        if let Some(frame) = prefix.frame_mut() {
            frame.open_slot = None;
        }
        if self.pruner.list_fits(prefix, child) { WalkStep::Continue } else { WalkStep::Dead }
    }

    /// Closes the innermost instance.
    fn close_instance(&self, prefix: &mut Prefix, block: BlockId, more: FollowingInstances) -> WalkStep {
        if !self.pruner.instance_fits(prefix, block) || self.starts_like_sentinel(prefix, block) {
            return WalkStep::Dead;
        }
        prefix.spine.pop();
        if prefix.is_complete() {
            return WalkStep::Ready;
        }
        match more {
            FollowingInstances::Exactly(count) => self.repeat_instance(prefix, block, count),
            FollowingInstances::Chosen => self.end_alternatives(prefix, block),
            FollowingInstances::Open => {
                let length = prefix.last_slot_mut().map_or(0, |list| list.as_instances().len());
                match self.format.block(block).count {
                    InstanceCount::Until { range, .. } => self.end_or_repeat(prefix, block, range, length),
                    _ => self.end_list(prefix, block),
                }
            }
        }
    }

    /// Returns true if the innermost instance begins with the line that would end its repetition.
    fn starts_like_sentinel(&self, prefix: &Prefix, block: BlockId) -> bool {
        let InstanceCount::Until { sentinel: Some(sentinel), .. } = &self.format.block(block).count else {
            return false;
        };
        prefix.with_innermost(self.format, |scope| match scope.slots {
            value::InstanceSlots::Known(slots) => starts_with_sentinel(self.format, block, slots, sentinel),
            value::InstanceSlots::Partial(_) => false,
        })
    }

    /// Adds the empty lists of the alternatives after the chosen one.
    fn end_alternatives(&self, prefix: &mut Prefix, chosen: BlockId) -> WalkStep {
        if matches!(self.end_list(prefix, chosen), WalkStep::Dead) {
            return WalkStep::Dead;
        }
        let Some(frame) = prefix.spine.last().copied() else { return WalkStep::Dead };
        if let Some(LayoutItem::Either(children)) = self.format.block(frame.block).items.get(frame.item.wrapping_sub(1))
        {
            let later = children.iter().skip_while(|child| **child != chosen).skip(1);
            later.for_each(|child| prefix.add_slot(empty_list(self.format, *child)));
        }
        WalkStep::Continue
    }

    /// Returns true if a complete input is valid, and its bytes are read as this value.
    pub(super) fn is_valid_input(&self, value: &Value) -> bool {
        find_violation(self.format, value).is_none()
            && (!self.is_ambiguous || read_input(self.format, &print_value(self.format, value)).as_ref() == Ok(value))
    }
}

fn advance_frame(prefix: &mut Prefix, change: impl FnOnce(&mut super::prefix::PrefixFrame)) -> WalkStep {
    if let Some(frame) = prefix.frame_mut() {
        change(frame);
    }
    WalkStep::Continue
}

/// Returns the prefix with one of several alternatives begun.
fn fork_alternative(format: &Format, prefix: &Prefix, children: &[BlockId], chosen: usize) -> Prefix {
    let mut fork = prefix.clone();
    children[..=chosen].iter().for_each(|child| fork.add_slot(empty_list(format, *child)));
    if let Some(frame) = fork.frame_mut() {
        let slot = format.block(children[chosen]).slot;
        (frame.item, frame.part, frame.open_slot) = (frame.item + 1, 0, Some(slot));
    }
    fork.open_instance(children[chosen], FollowingInstances::Chosen);
    fork
}

/// Returns an empty list of a block's instances.
fn empty_list(format: &Format, block: BlockId) -> Value {
    Value::Instances(InstanceList::new(format.block(block).slots))
}

fn empty_array(dimensions: usize, text: bool) -> Value {
    match (dimensions, text) {
        (0 | 1, true) => Value::Text(TextBytes::new()),
        (0 | 1, false) => Value::Ints(Vec::new()),
        _ => Value::List(Vec::new()),
    }
}

/// The place of the next element of an array.
enum ElementPlace {
    /// In the last row.
    Element,
    /// There is none: the array is full.
    Full,
    /// In a row beyond the maximum number of rows.
    TooFar,
    /// In the last row, which has this many elements, unless the row ends there.
    ElementOrEnd(usize),
}

/// Finds the place of the next element, beginning rows as needed.
fn place_element(array: &mut Value, sizes: &[Option<usize>], text: bool, is_row_open: &mut bool) -> ElementPlace {
    match (sizes, array) {
        ([Some(size)], row) if row.element_count() < *size => ElementPlace::Element,
        ([None], row) if *is_row_open => ElementPlace::ElementOrEnd(row.element_count()),
        ([Some(size), inner @ ..], Value::List(rows)) if !inner.is_empty() => loop {
            if let Some(row) = rows.last_mut() {
                match place_element(row, inner, text, is_row_open) {
                    ElementPlace::Full => {}
                    found => return found,
                }
            }
            if rows.len() >= *size {
                return ElementPlace::Full;
            }
            if rows.len() >= MAX_ROWS {
                return ElementPlace::TooFar;
            }
            rows.push(empty_array(inner.len(), text));
            *is_row_open = true;
        },
        _ => ElementPlace::Full,
    }
}
