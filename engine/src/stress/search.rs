//! The search: generates inputs in order and runs every submission on each, until all submissions have failed or the
//! budget is used up.
//!
//! Workers take the next index from a shared counter, so an input with a lower index is always started earlier, and
//! workers finish every input that they have started. The failure with the lowest index is therefore the same for any
//! number of workers.

use super::exhaustive_progress::ExhaustiveProgress;
use super::input_tester::InputTester;
use super::report_collector::ReportCollector;
use super::search_end::SearchEnd;
use super::search_fold::SearchFold;
use super::search_hits::SearchHits;
use super::search_worker::SearchWorker;
use super::stress_plan::{SearchHit, SearchResult, StressPlan};
use crate::event::{EndReason, EventSink, SearchProgress};
use rebut_diagnostics::Result;
use rebut_sandbox::ProcessorSet;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs a search to its end.
///
/// # Errors
/// Returns an error if inputs cannot be generated or programs cannot be started. An interrupt is not an error, but an
/// [`EndReason`].
pub fn run_search(plan: &StressPlan<'_>, sink: &mut dyn EventSink) -> Result<SearchResult> {
    let start = Instant::now();
    let hits = SearchHits::new(plan.submissions.len(), plan.keep_going);
    let end = SearchEnd::new(plan, &hits.frontier);
    let tester = InputTester::new(plan, &hits, &end, start);
    let (next_index, files) = (AtomicU64::new(0), Mutex::<ExhaustiveProgress>::default());
    // Runs that are still in progress when the time is up are stopped and do not count.
    let phase = plan.time_budget.map(|budget| plan.judge_setup.cancel.begin_phase(budget));
    let (sender, receiver) = channel();
    let worker = SearchWorker { plan, tester: &tester, end: &end, hits: &hits, next_index: &next_index, files: &files };
    let processors = ProcessorSet::from_current_thread();
    let mut collector = ReportCollector::new(plan, &end, start);
    let timed_out = std::thread::scope(|scope| {
        for number in 0..plan.jobs.max(1) {
            let (worker, processors, sender) = (worker.clone(), &processors, sender.clone());
            scope.spawn(move || {
                processors.pin_thread(number);
                worker.run_worker(&mut |report| sender.send(report).is_ok());
            });
        }
        // The receiver ends with the last sender.
        drop(sender);
        collector.collect_reports(&receiver, sink)
    });
    // The time is up, but failing inputs are generated once more below, which must not be cancelled.
    drop(phase);
    let found = hits.take_hits();
    debug_assert!(found.is_sorted_by_key(|hit| hit.index), "findings are reported in the order of the inputs");
    // Failures that were found take precedence over the error that ended the search.
    if let (Some(error), true) = (end.take_error(), found.is_empty()) {
        return Err(error);
    }
    let progress = collector.final_progress();
    let fold = collector.into_fold();
    Ok(SearchResult {
        reason: end_reason(plan, &fold, &progress, timed_out),
        hits: found.into_iter().map(|hit| with_value(plan, hit)).collect(),
        progress,
        exhaustive_progress: files.into_inner().unwrap_or_else(PoisonError::into_inner),
        flaky: fold.flaky_submissions().count(),
    })
}

/// Returns a failure with the value of its input.
fn with_value(plan: &StressPlan<'_>, hit: SearchHit) -> SearchHit {
    SearchHit { input: plan.inputs.restore_value(hit.input, plan.seed, hit.index), ..hit }
}

/// Returns why a search ended that found these failures.
fn end_reason(plan: &StressPlan<'_>, fold: &SearchFold, progress: &SearchProgress, timed_out: bool) -> EndReason {
    if fold.has_reference_failed() {
        EndReason::JudgeError
    } else if plan.judge_setup.cancel.is_cancel_requested() {
        EndReason::Interrupted
    } else if timed_out {
        EndReason::Time
    } else if !fold.has_failures() && progress.skipped == 0 && plan.inputs.is_complete() {
        EndReason::Exhausted
    } else if fold.have_all_failed() && !plan.keep_going {
        EndReason::Done
    } else {
        EndReason::Cases
    }
}
