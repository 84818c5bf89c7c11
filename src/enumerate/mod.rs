//! Every valid input of a format, the smallest first.
//!
//! The order is that of [`Measure`](crate::value::Measure): by elements, then by the sum of the distances from the
//! simplest, then by the distances one by one. An [`Enumerator`] is lazy: it searches one number of elements and one
//! sum of distances after the other, and chooses leaf by leaf in the order of the layout; a branch is given up as soon
//! as a constraint cannot hold any more, or as too few or too many elements, or too little distance, would be left. What
//! is left is bounded by ranges (`rest`, `outlook`), by relations between the elements of an array (`relations`), by folds
//! over them (`folds`), by elements that must differ (`apart`) and by graphs that must be connected (`spanning`). A bound may
//! be wide, but never excludes what could become valid.
//!
//! [`count`] does not visit what it counts where it need not.
//!
//! External validators are not asked here, for nothing here starts a process: a caller that has some filters what it
//! is given.

mod apart;
mod count;
mod early;
mod folds;
mod known;
mod leaf;
mod outlook;
mod prefix;
mod relations;
mod rest;
mod search;
mod spanning;
mod spent;
mod walk;

pub use count::{TooWide, count, count_in_memory};

use crate::format::Interval;
use crate::generate::Plan;
use crate::value::Value;
use prefix::Prefix;
use search::{Ended, Search};
use walk::Walk;

/// Tells a search that takes long whether it should end.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// All valid inputs of a format up to a number of elements, in the order of their measures, each once.
pub struct Enumerator<'a> {
    walk: Walk<'a>,
    stop: Stop<'a>,
    /// The numbers of elements that are still to be searched, the present one first.
    sizes: Interval,
    distance: u128,
    search: Search,
}

impl<'a> Enumerator<'a> {
    /// Before the first of the inputs that have at most so many elements. `stop` is asked all the time; once it says
    /// so, there is nothing more.
    pub fn new(plan: &'a Plan<'a>, most_elements: usize, stop: Stop<'a>) -> Self {
        Enumerator::within(plan, Interval::new(0, most_elements as i128), stop)
    }

    /// Creates an enumerator of the inputs that have exactly `elements` elements, in the same order.
    pub fn of_size(plan: &'a Plan<'a>, elements: usize, stop: Stop<'a>) -> Self {
        Enumerator::within(plan, Interval::point(elements as i128), stop)
    }

    /// Creates an enumerator of the inputs whose number of elements is in a range.
    fn within(plan: &'a Plan<'a>, elements: Interval, stop: Stop<'a>) -> Self {
        let walk = Walk::new(plan);
        let sizes = sizes(plan).intersect(elements);
        let search = Search::new(&walk, sizes.lo);
        Enumerator { walk, stop, sizes, distance: 0, search }
    }

    /// Whether it had to end before all inputs were found, because too many ways would have to be followed at once: where
    /// a thousand lines may be empty, nothing tells how many of them there are.
    pub fn is_cut_short(&self) -> bool {
        self.search.is_too_wide
    }

    /// Goes on to the next sum of distances, or to the next number of elements. Whether there is one.
    fn next_search(&mut self) -> bool {
        match self.search.missing {
            Some(missing) => {
                self.distance = self.distance.saturating_add(missing);
                self.search.begin(self.distance);
            }
            None => {
                self.sizes.lo += 1;
                self.distance = 0;
                self.search = Search::new(&self.walk, self.sizes.lo);
            }
        }
        !self.sizes.is_empty()
    }
}

impl Iterator for Enumerator<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        while !self.sizes.is_empty() && !self.search.is_too_wide && !(self.stop)() {
            match self.search.step(&self.walk) {
                Ok(None) => {}
                Ok(Some(value)) => return Some(value),
                Err(Ended) => {
                    if !self.search.is_too_wide && !self.next_search() {
                        return None;
                    }
                }
            }
        }
        None
    }
}

/// How few and how many elements an input can have, as far as ranges tell: no input has fewer or more, but perhaps none
/// has so few or so many.
pub fn sizes(plan: &Plan<'_>) -> Interval {
    rest::of_prefix(&Walk::new(plan), &Prefix::empty()).elements
}

#[cfg(test)]
mod tests;
