//! A search through every input of a format, the smallest first.
//!
//! Like a proof of minimality (see [`super::certify`]), it runs the inputs in up to three ways, the fastest and weakest
//! first: many in a file where the format has cases, each alone in a copy of a loaded process, each alone in a new process.
//! What a fast way finds ends the search for that submission at once. What it does not find is said with the assumption on
//! which it rests, see [`Reach`].

use super::bench::Engine;
use super::event::{Event, Failed, Progress, Reach, Reason, Sink};
use super::every::Every;
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
    for kind in kinds(scope.format, fastest) {
        let passing: Vec<usize> = (0..all.len()).filter(|i| plan.keep_going || !total.has_failed(*i)).collect();
        if passing.is_empty() {
            break;
        }
        plan.submissions = passing.iter().map(|i| all[*i].clone()).collect::<Vec<Submission>>();
        plan.bench = plan.bench.with(if kind == ProofKind::Processes { Engine::Exec } else { fastest });
        plan.time_budget = budget.map(|budget| budget.saturating_sub(started.elapsed()) / share(kind));
        let together = if kind == ProofKind::Packed { most_together(scope.format) } else { 1 };
        plan.inputs.replace_every(Every::new(scope.format, scope.narrow, scope.stop, together));
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let result = search(plan, &mut Later { sink, elapsed_ms })?;
        levels.extend(Level::new(kind, plan, &result));
        let reason = result.reason;
        total.append(result, &passing, elapsed_ms);
        if matches!(reason, Reason::Interrupted | Reason::JudgeError) {
            break;
        }
    }
    (plan.submissions, plan.bench, plan.time_budget) = (all, plan.bench.with(fastest), budget);
    let reach = reach(&levels, together_at_first(&levels));
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

/// The ways in which inputs are run, the weakest first.
fn kinds(format: &Format, engine: Engine) -> Vec<ProofKind> {
    let packed = (most_together(format) > 1 && Every::of_one_case(format).is_some()).then_some(ProofKind::Packed);
    let copies = (engine == Engine::Quick).then_some(ProofKind::Copies);
    packed.into_iter().chain(copies).chain([ProofKind::Processes]).collect()
}

/// The part of the remaining time that a way may take, as a divisor.
fn share(kind: ProofKind) -> u32 {
    match kind {
        ProofKind::Packed => 3,
        ProofKind::Copies => 2,
        ProofKind::Processes => 1,
    }
}

/// How far the inputs were run in one way.
#[derive(Clone, Copy)]
struct Level {
    kind: ProofKind,
    inputs: u64,
    elements: usize,
    complete: bool,
}

impl Level {
    /// None if not even the first file was run.
    fn new(kind: ProofKind, plan: &StressPlan<'_>, result: &SearchResult) -> Option<Level> {
        let files = result.passed.count_in_a_row();
        let elements = plan.inputs.elements(files.checked_sub(1)?)?;
        let inputs = result.passed.count_inputs_before(files);
        Some(Level { kind, inputs, elements, complete: result.reason == Reason::Exhausted })
    }
}

fn together_at_first(levels: &[Level]) -> bool {
    levels.first().is_some_and(|level| level.kind == ProofKind::Packed)
}

/// What the submissions that have not failed pass: by the strongest way that came to its end, else by that which reached
/// furthest.
fn reach(levels: &[Level], of_one_case: bool) -> Option<Reach> {
    let rank = |level: &&Level| (level.complete, if level.complete { 0 } else { level.inputs }, level.kind);
    let shown = levels.iter().max_by_key(rank)?;
    let reached = |weakest: ProofKind| {
        let strong = levels.iter().filter(|level| level.kind >= weakest);
        strong.map(|level| level.inputs).max().unwrap_or(0).min(shown.inputs)
    };
    Some(Reach {
        kind: shown.kind,
        inputs: shown.inputs,
        run_alone: reached(ProofKind::Copies),
        run_in_processes: reached(ProofKind::Processes),
        complete: shown.complete,
        elements: shown.elements,
        of_one_case,
    })
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
