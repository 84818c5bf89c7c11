//! The failures that a search has found, of which the first of each kind are kept.

use super::failure_frontier::FailureFrontier;
use super::reported_failures::{FailureKey, select_reported};
use super::stress_plan::SearchHit;
use std::sync::{Mutex, PoisonError};

/// The failures of a search, shared by its workers.
pub(super) struct SearchHits {
    /// Whether failures of several kinds are kept for each submission.
    keep_going: bool,
    /// Where each program failed first.
    pub(super) frontier: FailureFrontier,
    hits: Mutex<Vec<SearchHit>>,
}

impl SearchHits {
    /// Creates the empty list for a number of submissions.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        let frontier = FailureFrontier::new(submissions, keep_going);
        SearchHits { keep_going, frontier, hits: Mutex::new(Vec::new()) }
    }

    /// Records a failure. Keeps it if it is the first of its kind, or if the one kept has a higher index.
    pub(super) fn record_hit(&self, hit: SearchHit) {
        self.frontier.record_failure(hit.submission, hit.index);
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same_kind = |h: &SearchHit| {
            h.submission == hit.submission && (!self.keep_going || h.run_result.kind == hit.run_result.kind)
        };
        match hits.iter().position(is_same_kind) {
            Some(at) if hits[at].index > hit.index => hits[at] = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }

    /// Takes the failures that are reported, in the order of the inputs.
    pub(super) fn take_hits(&self) -> Vec<SearchHit> {
        let hits = std::mem::take(&mut *self.hits.lock().unwrap_or_else(PoisonError::into_inner));
        select_reported(hits, self.keep_going, |hit| FailureKey {
            submission: hit.submission,
            index: hit.index,
            kind: hit.run_result.kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::GeneratedInput;
    use crate::judge::FailureKind;
    use crate::judging::RunResult;
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
        let frontier = &hits.frontier;
        hits.record_hit(hit(Some(1), 7, Verdict::WrongAnswer));
        hits.record_hit(hit(Some(1), 5, Verdict::RuntimeError));
        hits.record_hit(hit(Some(1), 9, Verdict::TimeLimit));
        assert!(!frontier.has_failed(0) && frontier.has_failed(1));
        assert!(frontier.is_wanted_at(1, 5) && !frontier.is_wanted_at(1, 6) && !frontier.is_settled_at(6));
        hits.record_hit(hit(Some(0), 8, Verdict::WrongAnswer));
        assert!(frontier.is_settled_at(9) && !frontier.is_settled_at(8));
        assert_eq!(kept(&hits), [(Some(1), 5), (Some(0), 8)]);
    }

    #[test]
    fn other_kinds_are_kept_while_a_search_goes_on() {
        let hits = SearchHits::new(1, true);
        for (index, verdict) in [(4, Verdict::WrongAnswer), (2, Verdict::WrongAnswer), (9, Verdict::RuntimeError)] {
            hits.record_hit(hit(Some(0), index, verdict));
        }
        assert!(hits.frontier.is_wanted_at(0, 100) && !hits.frontier.is_settled_at(100));
        assert_eq!(kept(&hits), [(Some(0), 2), (Some(0), 9)]);
    }

    #[test]
    fn nothing_counts_beyond_a_failure_of_the_reference() {
        let hits = SearchHits::new(1, true);
        hits.record_hit(hit(None, 3, Verdict::JudgeError));
        hits.record_hit(hit(Some(0), 4, Verdict::WrongAnswer));
        assert!(hits.frontier.is_settled_at(4) && !hits.frontier.is_settled_at(3));
        assert_eq!(kept(&hits), [(None, 3)]);
    }
}
