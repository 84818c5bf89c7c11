//! How many valid inputs there are, without visiting each.
//!
//! The order does not matter here, so only the number of elements is given out. A leaf of which every number does (no
//! constraint on it is open) multiplies; where an instance begins, all prefixes that agree in what still matters have
//! the same count, which is remembered. What neither helps with is walked through.

use super::known::Known;
use super::leaf::Leaf;
use super::prefix::Prefix;
use super::search::{Outline, Way};
use super::spent::Spent;
use super::walk::Walk;
use super::{Stop, sizes};
use crate::format::Interval;
use crate::format::decides_about_the_end;
use crate::generate::Plan;
use std::collections::HashMap;

/// A number of inputs; none if it is larger than any number here.
type Number = Option<u128>;

/// The exact number of valid inputs of at most so many elements, external validators not asked. None if it is above
/// `u128::MAX`, or if `stop` said so.
pub fn count(plan: &Plan<'_>, most_elements: usize, stop: Stop<'_>) -> Option<u128> {
    count_in_memory(plan, most_elements, stop).ok().flatten()
}

/// The same, where it matters why there is no number.
///
/// # Errors
/// Returns an error if some input has more parts than can be kept, without any number or character in them.
pub fn count_in_memory(plan: &Plan<'_>, most_elements: usize, stop: Stop<'_>) -> Result<Option<u128>, TooWide> {
    let walk = Walk::new(plan);
    let sizes = sizes(plan).intersect(Interval::new(0, most_elements as i128));
    let mut counter = Counter { spent: Spent::new(plan.format), walk, known: HashMap::new(), room: MOST_KEPT, stop };
    let number = (sizes.lo..=sizes.hi).try_fold(0_u128, |sum, elements| sum.checked_add(counter.of_size(elements)?));
    if counter.walk.has_given_up() { Err(TooWide) } else { Ok(number) }
}

/// Some input has more parts than can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

/// So many parts of prefixes are kept, which is some fifty megabytes; beyond that counting is slower, but goes on.
const MOST_KEPT: usize = 1_000_000;

struct Counter<'a, 's> {
    walk: Walk<'a>,
    spent: Spent,
    /// Counts of continuations by what matters of the prefix and the elements left.
    known: HashMap<(Prefix, i128), u128>,
    /// How many more parts of prefixes may be kept.
    room: usize,
    stop: Stop<'s>,
}

/// Prefixes whose continuations are being counted.
struct Task {
    /// The leaf whose numbers are gone through one by one.
    choosing: Option<Choosing>,
    /// Prefixes to be looked at, each with so many elements left.
    open: Vec<Prefix>,
    elements: i128,
    /// The continuations counted so far, and how many prefixes have as many.
    total: Number,
    times: u128,
    /// Where to remember the result.
    key: Option<(Prefix, i128)>,
}

/// A leaf whose numbers are gone through, and the next of them.
struct Choosing {
    prefix: Prefix,
    leaf: Leaf,
    next: i128,
}

/// What is known of a prefix once it was looked at.
enum Seen {
    /// It has so many continuations.
    Number(u128),
    /// They are still to be counted.
    Task(Box<Task>),
}

impl Counter<'_, '_> {
    /// The number of inputs of so many elements.
    fn of_size(&mut self, elements: i128) -> Number {
        let open = self.walk.settle(Prefix::empty());
        let mut tasks = vec![Task { choosing: None, open, elements, total: Some(0), times: 1, key: None }];
        while !(self.stop)() && !self.walk.has_given_up() {
            let task = tasks.last_mut()?;
            if let Some(prefix) = task.open.pop() {
                let elements = task.elements;
                match self.look_at(prefix, elements) {
                    Seen::Number(number) => task.total = add(task.total, Some(number)),
                    Seen::Task(next) => tasks.push(*next),
                }
            } else if !self.choose(task) {
                let done = tasks.pop()?;
                let number = done.total.and_then(|total| total.checked_mul(done.times));
                if let (Some(key), Some(number)) = (done.key, number) {
                    self.remember(key, number);
                }
                let Some(above) = tasks.last_mut() else { return number };
                above.total = add(above.total, number);
            }
        }
        None
    }

    /// Keeps a count for the next prefix of its kind, as long as there is room.
    fn remember(&mut self, key: (Prefix, i128), number: u128) {
        let nodes = key.0.tree.nodes();
        if let Some(room) = self.room.checked_sub(nodes) {
            self.room = room;
            self.known.insert(key, number);
        }
    }

    /// Counts the continuations of a prefix at once, or makes a task of it.
    fn look_at(&self, prefix: Prefix, elements: i128) -> Seen {
        if prefix.is_whole() {
            return Seen::Number(u128::from(elements == 0 && self.walk.is_input(&prefix.tree)));
        }
        // A leaf that relations leave one number is not to be gone through number by number.
        let Some(outline) = Outline::of(&self.walk, Way::from(prefix), elements) else { return Seen::Number(0) };
        let Outline { mut prefix, leaf, .. } = outline;
        let key = self.begins_instance(&prefix).then(|| (self.spent.essence(self.walk.format, &prefix), elements));
        if let Some(number) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Seen::Number(*number);
        }
        let mut task = Task { choosing: None, open: Vec::new(), elements: elements - 1, total: Some(0), times: 1, key };
        if self.is_independent(&prefix, leaf) {
            task.times = (leaf.range.hi - leaf.range.lo).unsigned_abs() + 1;
            prefix.choose(self.walk.format, leaf.field, leaf.code(&self.walk, leaf.range.lo));
            task.open = self.walk.settle(prefix);
        } else {
            task.choosing = Some(Choosing { prefix, leaf, next: leaf.range.lo });
        }
        Seen::Task(Box::new(task))
    }

    /// Opens the prefixes with the next number of the leaf; whether there was one.
    fn choose(&self, task: &mut Task) -> bool {
        let Some(choosing) = &mut task.choosing else { return false };
        let Choosing { prefix, leaf, next } = choosing;
        if *next > leaf.range.hi {
            return false;
        }
        prefix.choose(self.walk.format, leaf.field, leaf.code(&self.walk, *next));
        if self.walk.early.leaf_fits(prefix, leaf.field) {
            task.open = self.walk.settle(prefix.clone());
        }
        prefix.undo(self.walk.format, leaf.field);
        *next += 1;
        true
    }

    /// Whether each number of a leaf has the same continuations.
    fn is_independent(&self, prefix: &Prefix, leaf: Leaf) -> bool {
        self.walk.is_understood
            && !self.walk.plan.is_size(leaf.field)
            && !decides_about_the_end(self.walk.format, leaf.field)
            && prefix.with_innermost(self.walk.format, |scope| {
                self.walk.early.is_independent(leaf.field, &Known { scope, spine: &prefix.spine })
            })
    }

    /// Whether nothing of the innermost instance is chosen, and its bytes are read without those before them.
    fn begins_instance(&self, prefix: &Prefix) -> bool {
        self.walk.is_understood
            && prefix.spine.len() > 1
            && prefix.with_innermost(self.walk.format, |scope| scope.slot(0).is_none_or(|first| first.elements() == 0))
    }
}

fn add(a: Number, b: Number) -> Number {
    a?.checked_add(b?)
}
