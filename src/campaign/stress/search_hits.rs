//! The failures that a search has found, of which the first of each kind are kept.

use super::stress_plan::SearchHit;
use crate::campaign::tuning::MAX_KINDS_PER_SUBMISSION;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The failures of a search, shared by its workers.
pub(super) struct SearchHits {
    /// Whether a submission that has failed is still tested, for failures of other kinds.
    keep_going: bool,
    /// Lowest index at which the reference failed. Inputs beyond it are not tested.
    reference_failed: AtomicU64,
    /// Lowest failing index of each submission.
    failed: Vec<AtomicU64>,
    hits: Mutex<Vec<SearchHit>>,
}

impl SearchHits {
    /// Creates the empty list for a number of submissions.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        let never = || AtomicU64::new(u64::MAX);
        let failed = (0..submissions).map(|_| never()).collect();
        SearchHits { keep_going, reference_failed: never(), failed, hits: Mutex::new(Vec::new()) }
    }

    /// Returns true if a submission has failed at any index.
    pub(super) fn has_failed(&self, submission: usize) -> bool {
        self.failed[submission].load(Ordering::SeqCst) != u64::MAX
    }

    /// Returns true if each submission has failed.
    pub(super) fn have_all_failed(&self) -> bool {
        (0..self.failed.len()).all(|submission| self.has_failed(submission))
    }

    /// Returns true if the reference has failed at any index.
    pub(super) fn has_reference_failed(&self) -> bool {
        self.reference_failed.load(Ordering::SeqCst) != u64::MAX
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

    /// Records a failure. Keeps it if it is the first of its kind, or if the one kept has a higher index. Returns true if
    /// its program had not failed before.
    pub(super) fn record_hit(&self, hit: SearchHit) -> bool {
        let first_failed = hit.submission.map_or(&self.reference_failed, |i| &self.failed[i]);
        let is_first = first_failed.fetch_min(hit.index, Ordering::SeqCst) == u64::MAX;
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same_kind = |h: &SearchHit| {
            h.submission == hit.submission && (!self.keep_going || h.run_result.kind == hit.run_result.kind)
        };
        match hits.iter().position(is_same_kind) {
            Some(at) if hits[at].index > hit.index => hits[at] = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
        is_first
    }

    /// Takes the failures that are reported, in the order of the inputs.
    pub(super) fn take_hits(&self) -> Vec<SearchHit> {
        let mut hits = std::mem::take(&mut *self.hits.lock().unwrap_or_else(PoisonError::into_inner));
        hits.sort_by_key(|h| (h.index, h.submission));
        let beyond = self.reference_failed.load(Ordering::SeqCst);
        hits.retain(|h| h.index <= beyond);
        let mut kept = vec![0; self.failed.len()];
        hits.retain(|h| {
            let Some(i) = h.submission else { return true };
            kept[i] += 1;
            kept[i] <= MAX_KINDS_PER_SUBMISSION
        });
        hits
    }
}
