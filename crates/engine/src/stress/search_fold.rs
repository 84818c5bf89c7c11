//! The fold of a search over the results of its inputs in order, block by block.
//!
//! A search on one machine and the merge of the blocks of many machines are this same fold, so they cannot disagree.
//! Inputs of a block that one search would not have run any more, since all submissions had failed before, are left
//! out.

use super::block_result::{BlockFailure, BlockResult, BlockStretch, BlockTimes, UnconfirmedFailure};
use super::reported_failures::{FailureKey, select_reported};
use super::search_stats::SearchSums;
use super::search_warnings::{chance_failure_warning, fork_server_failure_warning};
use super::stress_plan::StressPlan;
use crate::event::{Event, SearchProgress, SubmissionFailed};
use crate::judging::Judge;
use std::collections::BTreeMap;

/// A failure, with the time of its discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoldedFailure {
    pub(super) failure: BlockFailure,
    /// Milliseconds since the search started, if its blocks are run one after another.
    pub(super) elapsed_ms: u64,
}

/// News of a block, in the order of the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FoldNews {
    /// A program failed for the first time.
    Failed(FoldedFailure),
    /// A submission has its first failure that did not occur again.
    Unconfirmed(UnconfirmedFailure),
}

impl FoldNews {
    /// Returns the event of what is new in a search.
    pub(super) fn to_event(&self, plan: &StressPlan<'_>) -> Event {
        let name = |submission: Option<usize>| {
            submission.map_or(plan.judge_setup.reference.display_name(), |i| plan.submissions[i].name.as_str())
        };
        match self {
            FoldNews::Failed(folded) => Event::Failed(SubmissionFailed {
                submission: name(folded.failure.submission).to_owned(),
                is_expression: matches!(plan.judge_setup.judge, Judge::Finder(_))
                    && folded.failure.submission.is_some(),
                verdict: folded.failure.kind.verdict(),
                case: folded.failure.index + 1,
                shape: folded.failure.shape.clone(),
                elapsed_ms: folded.elapsed_ms,
            }),
            FoldNews::Unconfirmed(unconfirmed) => {
                let warning = if unconfirmed.in_fork { fork_server_failure_warning } else { chance_failure_warning };
                Event::Warning(warning(name(Some(unconfirmed.submission)), unconfirmed.index))
            }
        }
    }

    fn index(&self) -> u64 {
        match self {
            FoldNews::Failed(folded) => folded.failure.index,
            FoldNews::Unconfirmed(unconfirmed) => unconfirmed.index,
        }
    }
}

/// The result of the inputs that were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchFold {
    keep_going: bool,
    /// For each submission, whether it has failed.
    failed: Vec<bool>,
    has_reference_failed: bool,
    sums: SearchSums,
    /// Number of elements of the last input, if the search is exhaustive.
    elements: Option<usize>,
    failures: Vec<FoldedFailure>,
    /// The submissions with a failure that did not occur again.
    unconfirmed: BTreeMap<usize, UnconfirmedFailure>,
    elapsed_ms: u64,
}

impl SearchFold {
    /// Creates the fold of a search without inputs.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        SearchFold { keep_going, failed: vec![false; submissions], ..SearchFold::default() }
    }

    /// Returns true if no later input can change the result.
    pub(super) fn is_settled(&self) -> bool {
        self.has_reference_failed || !self.keep_going && self.have_all_failed()
    }

    /// Returns true if each submission has failed.
    pub(super) fn have_all_failed(&self) -> bool {
        self.failed.iter().all(|failed| *failed)
    }

    /// Returns true if any program has failed.
    pub(super) fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    pub(super) fn has_reference_failed(&self) -> bool {
        self.has_reference_failed
    }

    /// Adds the next block. Returns what is new.
    pub(super) fn add_block(&mut self, block: &BlockResult, times: &BlockTimes) -> Vec<FoldNews> {
        let mut news = Vec::new();
        if self.is_settled() {
            return news;
        }
        let mut begin = 0;
        for stretch in &block.stretches {
            if self.is_settled() {
                break;
            }
            self.count_stretch(stretch);
            let indices = begin..stretch.end;
            let unconfirmed = block.unconfirmed.iter().filter(|one| indices.contains(&one.index));
            news.extend(unconfirmed.filter_map(|unconfirmed| self.add_unconfirmed(*unconfirmed)));
            let failures = block.failures.iter().zip(&times.failures_ms);
            for (failure, time_ms) in failures.filter(|(failure, _)| indices.contains(&failure.index)) {
                news.extend(self.add_failure(failure, self.elapsed_ms + time_ms));
            }
            self.mark_failed(block, stretch.end);
            begin = stretch.end;
        }
        news.sort_by_key(FoldNews::index);
        self.elapsed_ms += times.elapsed_ms;
        self.sums.add_times(times);
        news
    }

    /// Returns the failures that are reported, in the order of the inputs.
    pub(super) fn reported_failures(&self) -> Vec<FoldedFailure> {
        select_reported(self.failures.clone(), self.keep_going, |folded| FailureKey {
            submission: folded.failure.submission,
            index: folded.failure.index,
            kind: folded.failure.kind,
        })
    }

    /// Returns the submissions with an unexplained failure that did not occur again.
    pub(super) fn flaky_submissions(&self) -> impl Iterator<Item = usize> + '_ {
        self.unconfirmed.values().filter(|unconfirmed| !unconfirmed.in_fork).map(|unconfirmed| unconfirmed.submission)
    }

    /// Returns the number of test cases that the reference answered, and the number of elements of the last input of an
    /// exhaustive search.
    pub(super) fn enumerated_inputs(&self) -> (u64, Option<usize>) {
        (self.sums.counts.test_cases, self.elements)
    }

    /// Returns the number of parts of inputs on which the reference was too slow.
    pub(super) fn skipped_inputs(&self) -> u64 {
        self.sums.counts.skipped
    }

    /// Returns the progress of the search after these inputs.
    pub(super) fn to_progress(&self) -> SearchProgress {
        self.sums.to_progress(self.elapsed_ms)
    }

    /// Returns true if a submission would still be run.
    fn is_wanted(&self, submission: usize) -> bool {
        self.keep_going || !self.failed[submission]
    }

    fn count_stretch(&mut self, stretch: &BlockStretch) {
        self.sums.counts.add_counts(&stretch.inputs);
        self.elements = stretch.elements;
        for (submission, verdicts) in stretch.verdicts.iter().enumerate() {
            if submission < self.failed.len() && self.is_wanted(submission) {
                self.sums.add_verdicts(verdicts);
            }
        }
    }

    fn add_unconfirmed(&mut self, unconfirmed: UnconfirmedFailure) -> Option<FoldNews> {
        let submission = unconfirmed.submission;
        // A failure by chance weighs more than one that the fork server explains.
        let is_known = self.unconfirmed.get(&submission).is_some_and(|known| !known.in_fork || unconfirmed.in_fork);
        let is_new = submission < self.failed.len() && self.is_wanted(submission) && !is_known;
        is_new.then(|| {
            self.unconfirmed.insert(submission, unconfirmed);
            FoldNews::Unconfirmed(unconfirmed)
        })
    }

    /// Adds a failure, unless it is one of a submission that would not have been run any more. It is news if its program
    /// had not failed before.
    fn add_failure(&mut self, failure: &BlockFailure, elapsed_ms: u64) -> Option<FoldNews> {
        let submission = failure.submission;
        if submission.is_some_and(|i| i >= self.failed.len() || !self.is_wanted(i)) {
            return None;
        }
        let is_same = |known: &&FoldedFailure| {
            known.failure.submission == submission && (!self.keep_going || known.failure.kind == failure.kind)
        };
        if self.failures.iter().any(|known| is_same(&known)) {
            return None;
        }
        let is_first = self.failures.iter().all(|known| known.failure.submission != submission);
        let folded = FoldedFailure { failure: failure.clone(), elapsed_ms };
        self.failures.push(folded.clone());
        is_first.then_some(FoldNews::Failed(folded))
    }

    /// Marks the programs that failed before an index. All submissions are run on the same input, so this is done after
    /// its failures were added.
    fn mark_failed(&mut self, block: &BlockResult, end: u64) {
        for failure in block.failures.iter().filter(|failure| failure.index < end) {
            match failure.submission {
                Some(submission) if submission < self.failed.len() => self.failed[submission] = true,
                Some(_) => {}
                None => self.has_reference_failed = true,
            }
        }
    }
}
