//! The exhaustive search: runs all inputs of a format, smallest first.
//!
//! Like a proof of minimality (see [`MinimalityProof`](crate::MinimalityProof)), it runs the inputs at up to three levels, the fastest
//! and weakest first: packed into files if the format has cases, each alone in a fork of a loaded process, each alone
//! in a new process. A failure found at a fast level ends the search for that submission at once. If nothing is found,
//! the result names the level on which that statement rests, see [`ExhaustiveReach`].

use super::search::run_search;
use super::stress_plan::{CompiledSubmission, SearchResult, StressPlan};
use crate::event::{EndReason, Event, EventSink, ExhaustiveReach, SearchProgress, SubmissionFailed};
use crate::inputs::{ExhaustiveInputs, max_inputs_per_file};
use crate::judging::RunEngine;
use crate::predicate::{ProofLevel, ProofProgress, ProofSummary, proof_kinds, proof_time_divisor};
use rebut_diagnostics::{Result, to_millis};
use rebut_format::enumerate::StopPredicate;
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_packages::ProofKind;
use std::time::Instant;

/// The inputs of an exhaustive search.
pub struct ExhaustiveScope<'a> {
    /// The format of the files.
    pub format: &'a Format,
    /// Plan of the enumeration: inputs of one case each if they are packed into files, all inputs otherwise.
    pub enumeration_plan: &'a GenerationPlan<'a>,
    /// Stops the enumeration.
    pub stop: StopPredicate<'a>,
}

/// Runs an exhaustive search, one level after another. Also returns how far the submissions that have not failed got.
/// Replaces the inputs of `plan`.
///
/// # Errors
/// Returns an error if programs cannot be started. An interrupt is not an error, but an [`EndReason`].
pub fn search_exhaustively<'a>(
    plan: &mut StressPlan<'a>,
    scope: &ExhaustiveScope<'a>,
    sink: &mut dyn EventSink,
) -> Result<(SearchResult, Option<ExhaustiveReach>)> {
    let (started, budget, all) = (Instant::now(), plan.time_budget, plan.submissions.clone());
    let fastest = plan.judge_setup.engine;
    let mut total = SearchResult::default();
    let mut levels: Vec<ProofLevel> = Vec::new();
    let is_packed =
        max_inputs_per_file(scope.format) > 1 && ExhaustiveInputs::single_case_format(scope.format).is_some();
    for kind in proof_kinds(is_packed, &plan.judge_setup) {
        let passing: Vec<usize> = (0..all.len()).filter(|i| plan.keep_going || !total.has_failed(*i)).collect();
        if passing.is_empty() {
            break;
        }
        plan.submissions = passing.iter().map(|i| all[*i].clone()).collect::<Vec<CompiledSubmission>>();
        plan.judge_setup =
            plan.judge_setup.with_engine(if kind == ProofKind::Processes { RunEngine::Exec } else { fastest });
        plan.time_budget = budget.map(|budget| budget.saturating_sub(started.elapsed()) / proof_time_divisor(kind));
        let inputs_per_file = if kind == ProofKind::Packed { max_inputs_per_file(scope.format) } else { 1 };
        let inputs = ExhaustiveInputs::new(scope.format, scope.enumeration_plan, scope.stop, inputs_per_file);
        plan.inputs.replace_exhaustive_inputs(inputs);
        let elapsed_ms = to_millis(started.elapsed());
        let result = run_search(plan, &mut ElapsedOffsetSink { sink, elapsed_ms })?;
        levels.extend(proof_level_reached(kind, plan, &result));
        let reason = result.reason;
        total.append_search(result, &passing, elapsed_ms);
        if matches!(reason, EndReason::Interrupted | EndReason::JudgeError) {
            break;
        }
    }
    (plan.submissions, plan.judge_setup, plan.time_budget) = (all, plan.judge_setup.with_engine(fastest), budget);
    let reach = exhaustive_reach(&levels, is_packed);
    total.reason = overall_reason(&total, reach);
    Ok((total, reach))
}

/// Returns why the search ended. An incomplete level does not matter if another one was completed.
fn overall_reason(total: &SearchResult, reach: Option<ExhaustiveReach>) -> EndReason {
    let is_exhausted = reach.is_some_and(|reach| reach.complete && reach.kind != ProofKind::Packed);
    match total.reason {
        EndReason::Time | EndReason::Cases | EndReason::Exhausted if is_exhausted && total.hits.is_empty() => {
            EndReason::Exhausted
        }
        EndReason::Exhausted => EndReason::Cases,
        reason => reason,
    }
}

/// Returns how far a search got at one level, or `None` if not even the first file was run.
fn proof_level_reached(kind: ProofKind, plan: &StressPlan<'_>, result: &SearchResult) -> Option<ProofLevel> {
    let files = result.exhaustive_progress.contiguous_files();
    let elements = plan.inputs.last_input_elements(files.checked_sub(1)?)?;
    let mut progress = ProofProgress::default();
    let [answered, unanswered] = result.exhaustive_progress.inputs_before_file(files);
    progress.unanswered = unanswered;
    progress.count_inputs(answered);
    Some(ProofLevel { kind, progress, elements, complete: result.reason == EndReason::Exhausted })
}

/// Returns how far the submissions that have not failed got.
fn exhaustive_reach(levels: &[ProofLevel], of_one_case: bool) -> Option<ExhaustiveReach> {
    let ProofSummary { strongest, run_alone, run_in_processes } = ProofSummary::from_levels(levels)?;
    let ProofLevel { kind, progress, elements, complete } = strongest;
    Some(ExhaustiveReach {
        kind,
        inputs: progress.inputs,
        run_alone,
        run_in_processes,
        unanswered: progress.unanswered,
        complete,
        elements,
        of_one_case,
    })
}

/// Returns the reach of a search that ran each input of its format once, in the way of its engine.
pub fn reach_of_every_input(plan: &StressPlan<'_>, result: &SearchResult) -> Option<ExhaustiveReach> {
    let kind = proof_kinds(false, &plan.judge_setup).first().copied().unwrap_or_default();
    let (inputs, is_new) = (result.progress.cases, kind == ProofKind::Processes);
    (result.reason == EndReason::Exhausted).then(|| ExhaustiveReach {
        kind,
        inputs,
        run_alone: inputs,
        run_in_processes: if is_new { inputs } else { 0 },
        complete: true,
        elements: plan.inputs.max_listed_elements(),
        ..ExhaustiveReach::default()
    })
}

impl SearchResult {
    fn has_failed(&self, submission: usize) -> bool {
        self.hits.iter().any(|hit| hit.submission == Some(submission))
    }

    /// Adds a later search. `submissions` maps its submissions to those of the first search, and `elapsed_ms` is when
    /// it began.
    fn append_search(&mut self, mut later: SearchResult, submissions: &[usize], elapsed_ms: u64) {
        for hit in &mut later.hits {
            hit.submission = hit.submission.map(|i| submissions[i]);
            hit.elapsed_ms += elapsed_ms;
        }
        self.hits.append(&mut later.hits);
        self.flaky = self.flaky.max(later.flaky);
        self.reason = later.reason;
        self.progress = merge_progress(std::mem::take(&mut self.progress), later.progress, elapsed_ms);
        self.exhaustive_progress = later.exhaustive_progress;
    }
}

/// Merges the progress of two searches: the counts of the one that ran more, and the time of both.
fn merge_progress(earlier: SearchProgress, later: SearchProgress, elapsed_ms: u64) -> SearchProgress {
    let total = elapsed_ms + later.elapsed_ms;
    let programs_cpu_time_us = earlier.programs_cpu_time_us + later.programs_cpu_time_us;
    let counts = if later.test_cases > earlier.test_cases { later } else { earlier };
    SearchProgress { elapsed_ms: total, programs_cpu_time_us, ..counts }
}

/// Forwards events, with times relative to the first of several searches.
struct ElapsedOffsetSink<'s> {
    sink: &'s mut dyn EventSink,
    elapsed_ms: u64,
}

impl EventSink for ElapsedOffsetSink<'_> {
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::Progress(progress) => {
                let elapsed_ms = progress.elapsed_ms + self.elapsed_ms;
                self.sink.take_event(&Event::Progress(SearchProgress { elapsed_ms, ..progress.clone() }));
            }
            Event::Failed(failed) => {
                let elapsed_ms = failed.elapsed_ms + self.elapsed_ms;
                self.sink.take_event(&Event::Failed(SubmissionFailed { elapsed_ms, ..failed.clone() }));
            }
            event => self.sink.take_event(event),
        }
    }
}
