//! Whether a search goes on.

use super::failure_frontier::FailureFrontier;
use super::stress_plan::StressPlan;
use rebut_diagnostics::{Error, ErrorKind};
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

    /// Stops the workers.
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
