//! A search through every input of a format, the smallest first.
//!
//! Like a proof of minimality (see [`super::certify`]), it runs the inputs in up to three ways, the fastest and weakest
//! first: many in a file where the format has cases, each alone in a copy of a loaded process, each alone in a new process.
//! What a fast way finds ends the search for that submission at once. What it does not find is said with the assumption on
//! which it rests, see [`Reach`].

use super::bench::Engine;
use super::event::{Event, Failed, Progress, Reach, Reason, Sink};
use super::every::Every;
use super::evidence::{Evidence, Level, Progress as Tried, kinds, time_divisor};
use super::pack::most_together;
use super::stress::{SearchResult, StressPlan, Submission, search};
use crate::corpus::ProofKind;
use crate::diagnostic::Result;
use crate::enumerate::Stop;
use crate::format::Format;
use crate::generate::Plan;
use std::time::Instant;

/// Every input that is to be tried.
pub struct Scope<'a> {
    /// The format of the files.
    pub format: &'a Format,
    /// What is enumerated: the inputs of one case each where many can be in one file, else all inputs.
    pub narrow: &'a Plan<'a>,
    /// Ends the enumeration.
    pub stop: Stop<'a>,
}

/// Searches through every input, in each way in turn. Returns with the result how far the submissions that have not failed
/// pass. The inputs of `plan` are left as those of the last way.
///
/// # Errors
/// Returns an error if programs cannot be started. Being interrupted is no error: it is a [`Reason`].
pub fn search_exhaustively<'a>(
    plan: &mut StressPlan<'a>,
    scope: &Scope<'a>,
    sink: &mut dyn Sink,
) -> Result<(SearchResult, Option<Reach>)> {
    let (started, budget, all) = (Instant::now(), plan.time_budget, plan.submissions.clone());
    let fastest = plan.bench.engine;
    let mut total = SearchResult::default();
    let mut levels: Vec<Level> = Vec::new();
    let is_packed = most_together(scope.format) > 1 && Every::of_one_case(scope.format).is_some();
    for kind in kinds(is_packed, fastest) {
        let passing: Vec<usize> = (0..all.len()).filter(|i| plan.keep_going || !total.has_failed(*i)).collect();
        if passing.is_empty() {
            break;
        }
        plan.submissions = passing.iter().map(|i| all[*i].clone()).collect::<Vec<Submission>>();
        plan.bench = plan.bench.with(if kind == ProofKind::Processes { Engine::Exec } else { fastest });
        plan.time_budget = budget.map(|budget| budget.saturating_sub(started.elapsed()) / time_divisor(kind));
        let together = if kind == ProofKind::Packed { most_together(scope.format) } else { 1 };
        plan.inputs.replace_every(Every::new(scope.format, scope.narrow, scope.stop, together));
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let result = search(plan, &mut Later { sink, elapsed_ms })?;
        levels.extend(level(kind, plan, &result));
        let reason = result.reason;
        total.append(result, &passing, elapsed_ms);
        if matches!(reason, Reason::Interrupted | Reason::JudgeError) {
            break;
        }
    }
    (plan.submissions, plan.bench, plan.time_budget) = (all, plan.bench.with(fastest), budget);
    let reach = reach(&levels, is_packed);
    total.reason = overall_reason(&total, reach);
    Ok((total, reach))
}

/// Why the search ended: a way that did not come to its end does not matter where another one did.
fn overall_reason(total: &SearchResult, reach: Option<Reach>) -> Reason {
    let is_exhausted = reach.is_some_and(|reach| reach.complete && reach.kind != ProofKind::Packed);
    match total.reason {
        Reason::Time | Reason::Cases | Reason::Exhausted if is_exhausted && total.hits.is_empty() => Reason::Exhausted,
        Reason::Exhausted => Reason::Cases,
        reason => reason,
    }
}

/// How far a search came in one way. None if not even the first file was run.
fn level(kind: ProofKind, plan: &StressPlan<'_>, result: &SearchResult) -> Option<Level> {
    let files = result.passed.count_in_a_row();
    let elements = plan.inputs.elements(files.checked_sub(1)?)?;
    let mut progress = Tried::default();
    progress.count_inputs(result.passed.count_inputs_before(files));
    Some(Level { kind, progress, elements, complete: result.reason == Reason::Exhausted })
}

/// What the submissions that have not failed pass.
fn reach(levels: &[Level], of_one_case: bool) -> Option<Reach> {
    let Evidence { shown, run_alone, run_in_processes } = Evidence::of(levels)?;
    let Level { kind, progress, elements, complete } = shown;
    Some(Reach { kind, inputs: progress.inputs, run_alone, run_in_processes, complete, elements, of_one_case })
}

impl SearchResult {
    fn has_failed(&self, submission: usize) -> bool {
        self.hits.iter().any(|hit| hit.submission == Some(submission))
    }

    /// Adds a later search. `submissions` are the numbers of its submissions in the first one, and `elapsed_ms` is when it
    /// began.
    fn append(&mut self, mut later: SearchResult, submissions: &[usize], elapsed_ms: u64) {
        for hit in &mut later.hits {
            hit.submission = hit.submission.map(|i| submissions[i]);
            hit.elapsed_ms += elapsed_ms;
        }
        self.hits.append(&mut later.hits);
        self.flaky = self.flaky.max(later.flaky);
        self.reason = later.reason;
        self.progress = merged(std::mem::take(&mut self.progress), later.progress, elapsed_ms);
        self.passed = later.passed;
    }
}

/// The counts of whichever search tried more, and the time of both.
fn merged(earlier: Progress, later: Progress, elapsed_ms: u64) -> Progress {
    let total = elapsed_ms + later.elapsed_ms;
    let programs_cpu_time_us = earlier.programs_cpu_time_us + later.programs_cpu_time_us;
    let counts = if later.test_cases > earlier.test_cases { later } else { earlier };
    Progress { elapsed_ms: total, programs_cpu_time_us, ..counts }
}

/// Passes events on with the time since the first of several searches began.
struct Later<'s> {
    sink: &'s mut dyn Sink,
    elapsed_ms: u64,
}

impl Sink for Later<'_> {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Progress(progress) => {
                let elapsed_ms = progress.elapsed_ms + self.elapsed_ms;
                self.sink.take(&Event::Progress(Progress { elapsed_ms, ..progress.clone() }));
            }
            Event::Failed(failed) => {
                let elapsed_ms = failed.elapsed_ms + self.elapsed_ms;
                self.sink.take(&Event::Failed(Failed { elapsed_ms, ..failed.clone() }));
            }
            event => self.sink.take(event),
        }
    }
}
