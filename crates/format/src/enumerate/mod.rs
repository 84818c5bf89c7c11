//! Lazy enumeration of every valid input of a format, the smallest first.
//!
//! An [`Enumerator`] yields the inputs in the order of [`Measure`](crate::value::Measure): by the number of
//! elements, then by the sum of the distances from the simplest values, then by the distances one by one. It
//! searches one number of elements and one sum of distances after the other, and chooses leaf by leaf in layout
//! order. A branch is pruned as soon as a constraint cannot hold any more, or as too few or too many elements,
//! or too little distance, would be left.
//!
//! The rest of an input is bounded by ranges (`remainder`, `future_ranges`), by relations between the elements
//! of an array (`linear_relations`), by folds over them (`fold_bounds`), by elements that must differ
//! (`distinct_bound`) and by graphs that must be connected (`spanning_bound`). A bound may be loose, but never
//! excludes a valid input.
//!
//! [`count_inputs`] counts the inputs without visiting each.
//!
//! External validators are not run here, since this module starts no processes: a caller with validators
//! filters the results.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::enumerate::{Enumerator, count_inputs};
//! use rebut_format::language::Format;
//! use rebut_format::generate::GenerationPlan;
//! use rebut_format::print::print_value;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 2; 0 <= a <= 1");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let plan = GenerationPlan::new(&format);
//! let mut inputs = Enumerator::new(&plan, 3, &|| false).map(|value| print_value(&format, &value));
//! assert_eq!(inputs.next().as_deref(), Some(b"1\n0\n".as_slice()));
//! assert_eq!(inputs.count(), 5);
//! assert_eq!(count_inputs(&plan, 3, &|| false), Some(6));
//! ```

mod counting;
mod distance_span;
mod distinct_bound;
mod fold_bounds;
mod future_ranges;
mod layout_walker;
mod leaf_range;
mod linear_relations;
mod liveness;
mod prefix;
mod prefix_ranges;
mod pruner;
mod remainder;
mod remainder_bounds;
mod search;

pub use counting::{InputTooWide, count_inputs, try_count_inputs};

use crate::generate::GenerationPlan;
use crate::language::Interval;
use crate::value::Value;
use layout_walker::LayoutWalker;
use prefix::Prefix;
use search::{DistanceSearch, SearchEnded};

/// Returns true if a long search should end. Called often.
pub type StopPredicate<'a> = &'a (dyn Fn() -> bool + Sync);

/// Iterator over all valid inputs of a format up to a number of elements, in the order of their measures, each
/// once.
pub struct Enumerator<'a> {
    walker: LayoutWalker<'a>,
    stop: StopPredicate<'a>,
    /// The numbers of elements that are still to be searched, starting with the current one.
    sizes: Interval,
    distance: u128,
    search: DistanceSearch,
}

impl<'a> Enumerator<'a> {
    /// Creates an enumerator of the inputs with at most `max_elements` elements. It ends once `stop` returns
    /// true.
    pub fn new(plan: &'a GenerationPlan<'a>, max_elements: usize, stop: StopPredicate<'a>) -> Self {
        Enumerator::with_element_range(plan, Interval::new(0, max_elements as i128), stop)
    }

    /// Creates an enumerator of the inputs with exactly `elements` elements, in the same order.
    pub fn with_elements(plan: &'a GenerationPlan<'a>, elements: usize, stop: StopPredicate<'a>) -> Self {
        Enumerator::with_element_range(plan, Interval::from_value(elements as i128), stop)
    }

    /// Creates an enumerator of the inputs with a number of elements in a range.
    fn with_element_range(plan: &'a GenerationPlan<'a>, elements: Interval, stop: StopPredicate<'a>) -> Self {
        let walker = LayoutWalker::new(plan);
        let sizes = element_count_range(plan).intersect(elements);
        let search = DistanceSearch::new(&walker, sizes.lo);
        Enumerator { walker, stop, sizes, distance: 0, search }
    }

    /// Returns true if the search ended before all inputs were found, because it would have to keep too many
    /// prefixes at once. For example, no number announces how many of a thousand possibly empty lines are empty.
    pub fn is_cut_short(&self) -> bool {
        self.search.is_too_wide
    }

    /// Advances to the next sum of distances, or to the next number of elements. Returns false at the end of the
    /// range.
    fn next_search(&mut self) -> bool {
        match self.search.min_missing_distance {
            Some(missing) => {
                self.distance = self.distance.saturating_add(missing);
                self.search.restart_at_distance(self.distance);
            }
            None => {
                self.sizes.lo += 1;
                self.distance = 0;
                self.search = DistanceSearch::new(&self.walker, self.sizes.lo);
            }
        }
        !self.sizes.is_empty()
    }
}

impl Iterator for Enumerator<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        while !self.sizes.is_empty() && !self.search.is_too_wide && !(self.stop)() {
            match self.search.advance_search(&self.walker) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    debug_assert_eq!(value.element_count() as i128, self.sizes.lo, "one size is searched at a time");
                    return Some(value);
                }
                Err(SearchEnded) => {
                    if !self.search.is_too_wide && !self.next_search() {
                        return None;
                    }
                }
            }
        }
        None
    }
}

/// Returns bounds on the number of elements of an input according to the ranges. Inputs at the bounds do not
/// have to exist.
pub fn element_count_range(plan: &GenerationPlan<'_>) -> Interval {
    remainder::bound_prefix(&LayoutWalker::new(plan), &Prefix::new_empty()).elements
}

#[cfg(test)]
mod tests;
