//! Where each program of a search failed first, which decides what is tested after it.

use std::sync::atomic::{AtomicU64, Ordering};

/// The lowest indices at which the programs of a search failed, shared by its workers.
pub(super) struct FailureFrontier {
    /// Whether a submission that has failed is still tested, for failures of other kinds.
    keep_going: bool,
    /// Lowest index at which the reference failed. Inputs beyond it are not tested.
    reference_failed: AtomicU64,
    /// Lowest failing index of each submission.
    failed: Vec<AtomicU64>,
}

impl FailureFrontier {
    /// Creates the frontier of a number of submissions of which none has failed.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        let never = || AtomicU64::new(u64::MAX);
        FailureFrontier { keep_going, reference_failed: never(), failed: (0..submissions).map(|_| never()).collect() }
    }

    /// Records a failure of a submission, or of the reference. Returns true if it had not failed before.
    pub(super) fn record_failure(&self, submission: Option<usize>, index: u64) -> bool {
        let first_failed = submission.map_or(&self.reference_failed, |i| &self.failed[i]);
        first_failed.fetch_min(index, Ordering::SeqCst) == u64::MAX
    }

    /// Returns true if a submission has failed at any index.
    pub(super) fn has_failed(&self, submission: usize) -> bool {
        self.failed[submission].load(Ordering::SeqCst) != u64::MAX
    }

    /// Returns true if a submission is to be tested at an index: it has not failed before.
    pub(super) fn is_wanted_at(&self, submission: usize, index: u64) -> bool {
        self.keep_going || self.failed[submission].load(Ordering::SeqCst) >= index
    }

    /// Returns true if nothing at this index or a later one can become a result.
    pub(super) fn is_settled_at(&self, index: u64) -> bool {
        self.reference_failed.load(Ordering::SeqCst) < index
            || !self.keep_going && (0..self.failed.len()).all(|submission| !self.is_wanted_at(submission, index))
    }
}
