//! The result of a search.

use super::pass_statistics::{AcceptedCounts, PassCounters, PassStatistics, add_statistics};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct ShrinkResult<C> {
    /// The smallest failing value found.
    pub value: C,
    /// Number of improvements.
    pub steps: usize,
    /// Number of candidates that the oracle was queried about.
    pub tried: usize,
    /// Whether the search ran to its end: no pass can improve the value.
    pub is_complete: bool,
    /// What each pass did, in the order in which they were first begun.
    pub passes: Vec<PassStatistics>,
}

impl<C> ShrinkResult<C> {
    /// Returns the result of a search with these counters.
    pub(super) fn from_counters(value: C, complete: bool, counters: PassCounters, accepted: &AcceptedCounts) -> Self {
        ShrinkResult {
            value,
            steps: accepted.total(),
            tried: counters.total_tried(),
            is_complete: complete,
            passes: counters.into_statistics(accepted),
        }
    }

    /// Adds the counts of an earlier search, whose result this search began with.
    pub fn add_earlier_search(&mut self, earlier: &ShrinkResult<C>) {
        self.steps += earlier.steps;
        self.tried += earlier.tried;
        add_statistics(&mut self.passes, &earlier.passes);
    }
}
