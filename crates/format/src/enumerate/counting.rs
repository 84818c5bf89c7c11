//! Counting of the valid inputs without visiting each.
//!
//! The order does not matter here, so the search is split by the number of elements only. If no constraint on a
//! leaf is open, all of its numbers have the same continuations, so their number is a factor. Where an instance
//! begins, prefixes with the same canonical prefix have the same count, which is memoized. All other leaves are
//! enumerated.

use super::layout_walker::LayoutWalker;
use super::leaf_range::LeafRange;
use super::liveness::Liveness;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use super::search::{PrefixBounds, PrefixContinuation};
use super::{StopPredicate, element_count_range};
use crate::generate::GenerationPlan;
use crate::language::{Format, Interval, affects_repetition_end};
use crate::tuning::{MAX_COUNTING_NODES, MAX_KEPT_NODES, NODES_PER_PREFIX};
use std::collections::HashMap;

/// A number of inputs, or `None` on overflow.
type InputCount = Option<u128>;

/// Returns the exact number of valid inputs of at most `max_elements` elements, without external validators.
/// Returns `None` if it exceeds `u128::MAX`, or if `stop` returned true or the format's token stopped the work. All
/// work is counted in steps of that token.
pub fn count_inputs(plan: &GenerationPlan<'_>, max_elements: usize, stop: StopPredicate<'_>) -> Option<u128> {
    try_count_inputs(plan, max_elements, stop).ok().flatten()
}

/// Like [`count_inputs`], but returns an error if the inputs are too wide to be counted.
///
/// # Errors
/// Returns an error if some input has more empty parts, without a number or character, than can be kept.
pub fn try_count_inputs(
    plan: &GenerationPlan<'_>,
    max_elements: usize,
    stop: StopPredicate<'_>,
) -> Result<Option<u128>, InputTooWide> {
    let walker = LayoutWalker::new(plan);
    let sizes = element_count_range(plan).intersect(Interval::new(0, max_elements as i128));
    let mut counter = InputCounter {
        liveness: Liveness::new(plan.format),
        walker,
        memo: HashMap::new(),
        memo_budget: MAX_KEPT_NODES,
        stack_nodes: 0,
        is_too_wide: false,
        stop,
    };
    let number =
        (sizes.lo..=sizes.hi).try_fold(0_u128, |sum, elements| sum.checked_add(counter.count_of_size(elements)?));
    if counter.is_too_wide || counter.walker.has_given_up() { Err(InputTooWide) } else { Ok(number) }
}

/// Some input has more parts than can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputTooWide;

struct InputCounter<'a, 's> {
    walker: LayoutWalker<'a>,
    liveness: Liveness,
    /// Number of continuations, by canonical prefix and remaining elements.
    memo: HashMap<(Prefix, i128), u128>,
    /// Number of tree nodes that may still be memoized.
    memo_budget: usize,
    /// Number of tree nodes in the prefixes of unfinished tasks, and whether they were too many.
    stack_nodes: usize,
    is_too_wide: bool,
    stop: StopPredicate<'s>,
}

/// A task: prefixes with continuations that are still being counted.
struct CountTask {
    /// The leaf that is being enumerated, if any.
    choosing: Option<LeafChoice>,
    /// Prefixes that are still to be counted, each with this many elements left.
    open: Vec<Prefix>,
    elements: i128,
    /// The number of continuations found, and the factor of the final number.
    total: InputCount,
    times: u128,
    /// The key under which the result is memoized.
    key: Option<(Prefix, i128)>,
    /// Number of tree nodes in the prefix.
    nodes: usize,
}

/// A leaf that is being enumerated, and its next number.
struct LeafChoice {
    prefix: Prefix,
    leaf: LeafRange,
    next: i128,
}

/// The result of inspecting a prefix.
enum CountStep {
    /// It has this many continuations.
    Counted(u128),
    /// They are still to be counted.
    Pending(Box<CountTask>),
}

impl InputCounter<'_, '_> {
    /// Returns the number of inputs with this many elements. The tasks form an explicit stack.
    fn count_of_size(&mut self, elements: i128) -> InputCount {
        let open = self.walker.advance_to_leaf(Prefix::new_empty());
        let mut tasks =
            vec![CountTask { choosing: None, open, elements, total: Some(0), times: 1, key: None, nodes: 0 }];
        while !(self.stop)() && !self.walker.has_given_up() {
            if self.walker.format.stop_token.spend_steps(self.walker.take_step_count()) {
                return None;
            }
            let task = tasks.last_mut()?;
            // Count the next open prefix of the innermost task, or begin a task for it.
            if let Some(prefix) = task.open.pop() {
                let elements = task.elements;
                match self.count_prefix(prefix, elements) {
                    CountStep::Counted(number) => task.total = add_counts(task.total, Some(number)),
                    CountStep::Pending(next) => {
                        self.stack_nodes += next.nodes;
                        if self.stack_nodes > MAX_COUNTING_NODES {
                            self.is_too_wide = true;
                            return None;
                        }
                        tasks.push(*next);
                    }
                }
            } else if !self.choose_next(task) {
                // The task is complete: add its result to that of the task around it.
                let done = tasks.pop()?;
                self.stack_nodes -= done.nodes;
                let number = done.total.and_then(|total| total.checked_mul(done.times));
                if let (Some(key), Some(number)) = (done.key, number) {
                    self.memoize_count(key, number);
                }
                let Some(above) = tasks.last_mut() else { return number };
                above.total = add_counts(above.total, number);
            }
        }
        None
    }

    /// Memoizes a count, as long as the budget allows.
    fn memoize_count(&mut self, key: (Prefix, i128), number: u128) {
        let nodes = key.0.tree.node_count();
        if let Some(remaining) = self.memo_budget.checked_sub(nodes) {
            self.memo_budget = remaining;
            self.memo.insert(key, number);
        }
    }

    /// Counts the continuations of a prefix at once, or returns a task.
    fn count_prefix(&self, prefix: Prefix, elements: i128) -> CountStep {
        self.walker.add_steps(self.step_estimate(&prefix));
        if prefix.is_complete() {
            return CountStep::Counted(u128::from(elements == 0 && self.walker.is_valid_input(&prefix.tree)));
        }
        // These bounds take relations into account: a leaf with a single possible number need not be enumerated.
        let Some(bounds) = PrefixBounds::for_continuation(&self.walker, PrefixContinuation::from(prefix), elements)
        else {
            return CountStep::Counted(0);
        };
        let PrefixBounds { mut prefix, leaf, .. } = bounds;
        // Where an instance begins, the count may be known from a prefix with the same canonical form.
        let key = self
            .begins_instance(&prefix)
            .then(|| (self.liveness.canonical_prefix(self.walker.format, &prefix), elements));
        if let Some(number) = key.as_ref().and_then(|key| self.memo.get(key)) {
            return CountStep::Counted(*number);
        }
        let nodes = prefix.tree.node_count();
        let mut task = CountTask {
            choosing: None,
            open: Vec::new(),
            elements: elements - 1,
            total: Some(0),
            times: 1,
            key,
            nodes,
        };
        if self.is_independent(&prefix, leaf) {
            // Every number has the same continuations, so count those of one.
            task.times = (leaf.range.hi - leaf.range.lo).unsigned_abs() + 1;
            prefix.choose_leaf(self.walker.format, leaf.field, leaf.code_of_number(&self.walker, leaf.range.lo));
            task.open = self.walker.advance_to_leaf(prefix);
        } else {
            task.choosing = Some(LeafChoice { prefix, leaf, next: leaf.range.lo });
        }
        CountStep::Pending(Box::new(task))
    }

    /// Returns the approximate number of steps for bounding a prefix: each field and constraint looks at its nodes.
    fn step_estimate(&self, prefix: &Prefix) -> usize {
        let Format { fields, constraints, .. } = self.walker.format;
        (NODES_PER_PREFIX + prefix.tree.node_count()) * (1 + (fields.len() + constraints.len()) / 4)
    }

    /// Opens the prefixes with the next number of the leaf. Returns false after the last number.
    fn choose_next(&self, task: &mut CountTask) -> bool {
        let Some(choosing) = &mut task.choosing else { return false };
        let LeafChoice { prefix, leaf, next } = choosing;
        if *next > leaf.range.hi {
            return false;
        }
        self.walker.add_steps(NODES_PER_PREFIX + task.nodes);
        prefix.choose_leaf(self.walker.format, leaf.field, leaf.code_of_number(&self.walker, *next));
        if self.walker.pruner.leaf_fits(prefix, leaf.field) {
            task.open = self.walker.advance_to_leaf(prefix.clone());
        }
        prefix.undo_leaf(self.walker.format, leaf.field);
        *next += 1;
        true
    }

    /// Returns true if each number of a leaf has the same continuations.
    fn is_independent(&self, prefix: &Prefix, leaf: LeafRange) -> bool {
        self.walker.is_understood
            && !self.walker.plan.is_size(leaf.field)
            && !affects_repetition_end(self.walker.format, leaf.field)
            && prefix.with_innermost(self.walker.format, |scope| {
                self.walker.pruner.is_independent(leaf.field, &PrefixRanges { scope, prefix })
            })
    }

    /// Returns true if no leaf of the innermost instance is chosen, and its bytes can be read independently of
    /// those before.
    fn begins_instance(&self, prefix: &Prefix) -> bool {
        self.walker.is_understood
            && prefix.spine.len() > 1
            && prefix.with_innermost(self.walker.format, |scope| {
                scope.slot_value(0).is_none_or(|first| first.element_count() == 0)
            })
    }
}

fn add_counts(a: InputCount, b: InputCount) -> InputCount {
    a?.checked_add(b?)
}
