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
        assert!(hit.submission.is_none_or(|i| i < self.failed.len()), "hits are of the submissions of the search");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::inputs::GeneratedInput;
    use crate::campaign::judging::RunResult;
    use crate::judge::FailureKind;
    use rebut_packages::score::FeedbackScore;
    use rebut_packages::verdict::Verdict;
    use rebut_sandbox::{ProcessExit, RunOutcome};
    use std::collections::BTreeMap;

    fn hit(submission: Option<usize>, index: u64, verdict: Verdict) -> SearchHit {
        let outcome = RunOutcome {
            exit: ProcessExit::Code(0),
            limit: None,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let run_result = RunResult {
            verdict,
            kind: FailureKind::from_verdict(verdict),
            outcome,
            mismatch: None,
            checker_failure: None,
            feedback_score: FeedbackScore::default(),
            conversation: None,
        };
        let input = GeneratedInput { bytes: Vec::new(), value: None, cases: 1, shape: String::new() };
        SearchHit { submission, index, input, answer: Vec::new(), run_result, elapsed_ms: 0 }
    }

    fn kept(hits: &SearchHits) -> Vec<(Option<usize>, u64)> {
        hits.take_hits().iter().map(|hit| (hit.submission, hit.index)).collect()
    }

    #[test]
    fn the_first_failure_of_each_submission_is_kept() {
        let hits = SearchHits::new(2, false);
        assert!(hits.record_hit(hit(Some(1), 7, Verdict::WrongAnswer)));
        assert!(!hits.record_hit(hit(Some(1), 5, Verdict::RuntimeError)));
        assert!(!hits.record_hit(hit(Some(1), 9, Verdict::TimeLimit)));
        assert!(!hits.has_failed(0) && hits.has_failed(1) && !hits.have_all_failed());
        assert!(hits.is_wanted_at(1, 5) && !hits.is_wanted_at(1, 6) && !hits.is_settled_at(6));
        assert!(hits.record_hit(hit(Some(0), 8, Verdict::WrongAnswer)));
        assert!(hits.have_all_failed() && hits.is_settled_at(9) && !hits.is_settled_at(8));
        assert_eq!(kept(&hits), [(Some(1), 5), (Some(0), 8)]);
    }

    #[test]
    fn other_kinds_are_kept_while_a_search_goes_on() {
        let hits = SearchHits::new(1, true);
        for (index, verdict) in [(4, Verdict::WrongAnswer), (2, Verdict::WrongAnswer), (9, Verdict::RuntimeError)] {
            hits.record_hit(hit(Some(0), index, verdict));
        }
        assert!(hits.is_wanted_at(0, 100) && !hits.is_settled_at(100));
        assert_eq!(kept(&hits), [(Some(0), 2), (Some(0), 9)]);
    }

    #[test]
    fn nothing_counts_beyond_a_failure_of_the_reference() {
        let hits = SearchHits::new(1, true);
        hits.record_hit(hit(None, 3, Verdict::JudgeError));
        hits.record_hit(hit(Some(0), 4, Verdict::WrongAnswer));
        assert!(hits.has_reference_failed() && hits.is_settled_at(4) && !hits.is_settled_at(3));
        assert_eq!(kept(&hits), [(None, 3)]);
    }
}
