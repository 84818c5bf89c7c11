//! Whether a search goes on.

use super::failure_frontier::FailureFrontier;
use super::stress_plan::StressPlan;
use crate::event::{EndReason, SearchProgress};
use crate::tuning::{MAX_SKIPPED_PER_CASE, MIN_CONCLUSIVE_CASES};
use rebut_diagnostics::{Error, ErrorKind, group_thousands};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The reasons to end a search: its budgets, its results, an error, or a request to stop. Shared by its workers.
pub(super) struct SearchEnd<'s, 'a> {
    plan: &'s StressPlan<'a>,
    frontier: &'s FailureFrontier,
    /// The end of the inputs: the index after the last one.
    limit: Option<u64>,
    /// The whole search, if this is the search of one of its blocks.
    whole: Option<&'s SearchEnd<'s, 'a>>,
    stop: AtomicBool,
    /// The error at the lowest index.
    error: Mutex<Option<(u64, Error)>>,
}

impl<'s, 'a> SearchEnd<'s, 'a> {
    /// Creates the state of a search that goes on.
    pub(super) fn new(plan: &'s StressPlan<'a>, frontier: &'s FailureFrontier) -> Self {
        let (stop, error) = (AtomicBool::new(false), Mutex::new(None));
        SearchEnd { plan, frontier, limit: plan.case_budget, whole: None, stop, error }
    }

    /// Creates the state of the search of a block, which ends with the whole search, or before the index `limit`.
    pub(super) fn of_block(whole: &'s SearchEnd<'s, 'a>, frontier: &'s FailureFrontier, limit: u64) -> Self {
        let (stop, error) = (AtomicBool::new(false), Mutex::new(None));
        SearchEnd { plan: whole.plan, frontier, limit: Some(limit), whole: Some(whole), stop, error }
    }

    /// Returns true if this index and all later ones need not be tested.
    pub(super) fn is_finished_at(&self, index: u64) -> bool {
        self.is_stopped()
            || self.plan.judge_setup.cancel.is_cancelled()
            || self.plan.inputs.is_past_end(index)
            || self.limit.is_some_and(|limit| index >= limit)
            || self.frontier.is_settled_at(index)
            || self.whole.is_some_and(|whole| whole.is_finished_at(index))
    }

    /// Returns true if later inputs cannot change the result, since the programs have failed. In an exhaustive search,
    /// nothing before a failure may be left out.
    pub(super) fn is_settled(&self) -> bool {
        !self.plan.inputs.is_exhaustive() && self.frontier.is_settled_at(u64::MAX)
    }

    /// Returns true if the workers were told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || self.whole.is_some_and(SearchEnd::is_stopped)
    }

    pub(super) fn stop_search(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Stops the workers, and keeps the error with the lowest index.
    pub(super) fn stop_with_error(&self, index: u64, error: Error) {
        self.stop_search();
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(at, _)| index < *at) && error.kind() != ErrorKind::Interrupted {
            *first = Some((index, error));
        }
    }

    /// Takes the error with the lowest index.
    pub(super) fn take_error(&self) -> Option<Error> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take().map(|(_, error)| error)
    }
}

// Whether a search without findings is conclusive.

/// Returns why a search without findings is inconclusive, or `None` if it is conclusive. An exhaustive search is
/// conclusive with any number of inputs; if the user limits the number of inputs, half of that limit is enough.
pub fn explain_inconclusive(progress: &SearchProgress, reason: EndReason, case_budget: Option<u64>) -> Option<String> {
    let tested = progress.test_cases.max(progress.cases);
    let wanted = case_budget.map_or(MIN_CONCLUSIVE_CASES, |budget| budget.div_ceil(2).min(MIN_CONCLUSIVE_CASES)).max(1);
    if reason == EndReason::Exhausted && tested > 0 {
        return None;
    }
    let inputs = progress.cases.saturating_add(progress.skipped);
    let amount = match tested {
        0 => "no test case was run".to_owned(),
        1 => "only 1 test case was run".to_owned(),
        count => format!("only {count} test cases were run"),
    };
    if progress.unfinished_ms > 0 {
        let seconds = progress.unfinished_ms.div_ceil(1000);
        let hangs =
            format!("an input had not ended after {seconds} s: one of the programs, or the checker, may hang on it");
        return Some(if tested < wanted { format!("{amount}; {hangs}") } else { hangs });
    }
    if tested < wanted {
        return Some(match (progress.skipped, progress.refused) {
            (0, 0) if progress.is_reference_slow() => {
                format!("{amount}: the reference took {} % of the time", progress.shares.reference)
            }
            (0, 0) => amount,
            (0, refused) => format!("{amount}: the validators refused {} inputs", format_count(refused)),
            (skipped, _) => {
                format!(
                    "{amount}: the reference runs out of time or memory on {} of {} inputs",
                    format_count(skipped),
                    format_count(inputs)
                )
            }
        });
    }
    (progress.skipped > MAX_SKIPPED_PER_CASE.saturating_mul(progress.cases)).then(|| {
        format!(
            "the reference runs out of time or memory on {} of {} inputs",
            format_count(progress.skipped),
            format_count(inputs)
        )
    })
}

fn format_count(count: u64) -> String {
    group_thousands(u128::from(count))
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn progress_with_cases(cases: u64, skipped: u64) -> SearchProgress {
        SearchProgress { cases, test_cases: cases, skipped, ..SearchProgress::default() }
    }

    #[test]
    fn too_few_cases_are_inconclusive() {
        let why = |cases, skipped| explain_inconclusive(&progress_with_cases(cases, skipped), EndReason::Time, None);
        assert_eq!(why(7, 0).as_deref(), Some("only 7 test cases were run"));
        let slow = "only 7 test cases were run: the reference runs out of time or memory on 40 of 47 inputs";
        assert_eq!(why(7, 40).as_deref(), Some(slow));
        assert_eq!((why(30, 0), why(30, 270)), (None, None));
        assert_eq!(why(30, 271).as_deref(), Some("the reference runs out of time or memory on 271 of 301 inputs"));
        assert_eq!(why(0, 0).as_deref(), Some("no test case was run"));
    }

    #[test]
    fn an_input_that_did_not_end_is_inconclusive() {
        let why = |cases| {
            let progress = SearchProgress { unfinished_ms: 12_400, ..progress_with_cases(cases, 0) };
            explain_inconclusive(&progress, EndReason::Time, None).expect("inconclusive")
        };
        assert!(why(5_000).starts_with("an input had not ended after 13 s"));
        assert!(why(2).starts_with("only 2 test cases were run; an input had not ended after 13 s"));
    }

    #[test]
    fn a_file_of_many_cases_counts_as_all_of_them() {
        let packed = SearchProgress { cases: 1, test_cases: 1000, ..SearchProgress::default() };
        assert_eq!(explain_inconclusive(&packed, EndReason::Time, None), None);
    }

    #[test]
    fn reached_case_budget_is_conclusive() {
        let why =
            |cases, skipped| explain_inconclusive(&progress_with_cases(cases, skipped), EndReason::Cases, Some(5));
        assert_eq!((why(5, 0), why(3, 2)), (None, None));
        assert!(why(2, 3).is_some());
    }

    #[test]
    fn exhausted_search_is_conclusive() {
        assert_eq!(explain_inconclusive(&progress_with_cases(3, 0), EndReason::Exhausted, None), None);
        assert!(explain_inconclusive(&progress_with_cases(0, 0), EndReason::Exhausted, None).is_some());
        let refused = SearchProgress { refused: 12, ..progress_with_cases(0, 0) };
        let why = explain_inconclusive(&refused, EndReason::Cases, None);
        assert_eq!(why.as_deref(), Some("no test case was run: the validators refused 12 inputs"));
    }
}
