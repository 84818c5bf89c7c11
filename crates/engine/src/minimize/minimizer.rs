//! Turns a failing input into a finding: confirms, minimizes and explains it, and has it saved.
//!
//! Each pass is a function in a file of its own. The passes share [`CandidateRuns`], which says how candidates are run,
//! and change a [`MinimizationResult`].

use super::candidate_runs::CandidateRuns;
use super::confirmation::{
    ConfirmationResult, confirm_failure, confirmation_runs, find_changed_answer, find_first_failing_case,
    refuses_answer,
};
use super::conversation_search::shorten_conversation;
use super::describe_finding::{
    MinimizedFailure, describe_failing_input, describe_finding, describe_judge_error, describe_unstable_reference,
    explain_finding, explain_state_leak,
};
use super::minimality_proof::{MinimalityProof, SmallerFailure};
use super::minimization_task::{FailingInput, MinimizationResult, MinimizationTask};
use super::random_search::search_random_inputs;
use super::save_finding::{FindingSaver, FindingTools};
use super::shrink_input::{ShrinkPathRecorder, shrink_and_confirm};
use crate::event::{ActivityEvent, Event, EventSink, Finding, FindingSlowness, SanitizerFinding};
use crate::inputs::InputSource;
use crate::judge::judge_outcome;
use crate::judging::{JudgeSetup, ReferenceAnswer, RunEngine, RunResult};
use crate::predicate::FailureTarget;
use crate::tuning::CONFIRMATION_RUNS;
use rebut_diagnostics::{Result, count_with_noun};
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, FindingRecord};
use rebut_sandbox::Program;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Turns failing inputs into findings.
pub struct Minimizer<'a, 'i> {
    /// The reference, the judge and the limits, with the exact engine.
    pub judge_setup: &'a JudgeSetup,
    /// Engine to try for minimizing.
    pub engine: RunEngine,
    /// The format, for shrinking, and the validators.
    pub inputs: &'a InputSource<'i>,
    /// Number of workers.
    pub jobs: usize,
    /// Options for findings.
    pub options: FindingOptions,
    /// Seed of the search.
    pub seed: Option<u64>,
    /// The tools that complete findings.
    pub tools: &'a dyn FindingTools,
    /// Circumstances to be recorded in `finding.json`; the rest is filled in here.
    pub record: FindingRecord,
}

impl Minimizer<'_, '_> {
    /// Confirms, minimizes, explains and saves a failure of a submission, or of the reference if `submission` is
    /// `None`.
    ///
    /// # Errors
    /// Returns an error if programs can no longer be started. If the findings folder cannot be written, a warning is
    /// emitted and the finding is saved elsewhere.
    pub fn minimize_failure(
        &self,
        submission: Option<(&str, &Path, &Program)>,
        mut failing: FailingInput,
        sink: &mut dyn EventSink,
    ) -> Result<Finding> {
        let (judge_setup, seed) = (self.judge_setup, self.seed);
        let target =
            submission.map_or(FailureTarget::Reference, |(_, _, program)| FailureTarget::Submission(program.clone()));
        let checker = judge_setup.judge.display_title();
        let name = match submission {
            // What fails is not the submission.
            _ if failing.run_result.checker_failure.is_some() => &checker,
            Some((name, _, _)) => name,
            None => judge_setup.reference.display_name(),
        };
        if let Some(answer) = find_changed_answer(judge_setup, &failing)? {
            let unstable = describe_unstable_reference(judge_setup, seed, &failing, answer);
            return Ok(self.create_saver(None).save_finding(unstable, sink));
        }
        if refuses_answer(judge_setup, &failing)? {
            let message = "the checker refuses even the answer of the reference as an output";
            let mut refused = describe_judge_error(judge_setup, seed, &checker, &failing, message);
            refused.run.output = failing.answer;
            refused.failure.hints.extend(judge_setup.judge.describe_convention());
            return Ok(self.create_saver(None).save_finding(refused, sink));
        }
        let saver = self.create_saver(submission.map(|(_, source, _)| source));
        let started = Instant::now();
        sink.take_event(&confirming_event(name, failing.run_result.verdict.description(), &failing.run_result));
        let confirmed = confirm_failure(judge_setup, &target, &failing.to_observed(), failing.max_confirmation_runs);
        let mut unshrunk = describe_failing_input(judge_setup, seed, name, &failing);
        unshrunk.failure.flaky = confirmed.flaky_counts();
        if confirmed.is_unconfirmed() {
            return Ok(saver.save_finding(unshrunk, sink));
        }
        // Save the finding before shrinking, which can take long and can be killed.
        let saved = saver.save_before_shrinking(&unshrunk);
        let task = self.create_task(target, name, &mut failing, confirmed);
        let runs = CandidateRuns { judge_setup, inputs: self.inputs, jobs: self.jobs, task: &task };
        let mut recorder = ShrinkPathRecorder::new(sink);
        let minimized = self.minimize_and_reconfirm(&runs, failing.is_in_order, confirmed, started, &mut recorder);
        let path = recorder.into_path();
        let mut finding = describe_finding(&runs, seed, failing, minimized);
        finding.minimization.path = path;
        explain_finding(&runs, &mut finding);
        finding.failure.sanitizer = self.sanitizer_note(submission, &finding);
        explain_state_leak(&runs, &mut finding);
        finding.images = self.tools.draw_images(&finding);
        Ok(saver.replace_saved_finding(saved, finding, sink))
    }

    /// Returns what saves the findings of the submission with this source, or of the reference.
    pub(super) fn create_saver<'s>(&'s self, source: Option<&'s Path>) -> FindingSaver<'s> {
        let JudgeSetup { judge, limits, .. } = self.judge_setup;
        let record = FindingRecord {
            checker: judge.checker_name(),
            cpu_time_limit_ms: limits.cpu_time_limit_ms,
            memory_limit_bytes: limits.memory_limit_bytes,
            seed: self.seed,
            ..self.record.clone()
        };
        FindingSaver { findings: self.options.findings.as_deref(), tools: self.tools, record, source }
    }

    /// Returns the task of minimizing a confirmed failure. Takes the value out of `failing`.
    fn create_task<'q>(
        &'q self,
        target: FailureTarget,
        name: &'q str,
        failing: &mut FailingInput,
        confirmed: ConfirmationResult,
    ) -> MinimizationTask<'q> {
        let first = failing.to_observed();
        let origin = self.seed.zip(failing.case).map(|(seed, case)| (seed, case - 1));
        // If the generator cannot be run again, its draws are not shrunk; that must not cost the finding.
        let find_draws = |(seed, index)| self.inputs.find_draws(seed, index, &first.input).ok().flatten();
        let draws = origin.and_then(find_draws);
        MinimizationTask {
            target,
            name,
            kind: self.options.keep_kind.then_some(first.run_result.kind),
            first,
            value: failing.value.take(),
            origin: origin.zip(failing.shape.clone()),
            draws,
            tries: if confirmed.flaky_counts().is_some() { CONFIRMATION_RUNS } else { 1 },
            shrinks_unvalidated: self.options.shrink_unvalidated,
            shrink_end: self.options.shrink_budget.map(|budget| self.judge_setup.cancel.work_end(budget)),
        }
    }

    /// Minimizes a failure, certifies the result, and runs it again. If it does not fail again, the original failure is
    /// the result. `confirmed` is how often that one failed.
    fn minimize_and_reconfirm(
        &self,
        runs: &CandidateRuns<'_, '_>,
        is_in_order: bool,
        confirmed: ConfirmationResult,
        started: Instant,
        sink: &mut dyn EventSink,
    ) -> MinimizedFailure {
        let task = runs.task;
        // The end of the time must not stop the confirmation.
        let phase = self
            .options
            .end
            .map(|end| self.judge_setup.cancel.begin_phase(end.saturating_duration_since(Instant::now())));
        let engine = runs.choose_shrink_engine(self.engine);
        let first_case = is_in_order.then(|| find_first_failing_case(runs, engine)).flatten();
        let mut result = first_case.unwrap_or_else(|| shrink_and_confirm(runs, engine, sink));
        let shrink_time = started.elapsed();
        let certificate = self.certify_or_improve(runs, engine, &mut result, sink);
        let conversation = shorten_conversation(runs, &mut result, sink);
        drop(phase);
        sink.take_event(&confirming_event(task.name, "the smallest input", &result.best.run_result));
        let mut reconfirmed = confirmed;
        // The original input was already run again.
        if result.best.input != task.first.input {
            reconfirmed = confirm_failure(self.judge_setup, &task.target, &result.best, CONFIRMATION_RUNS);
        }
        if reconfirmed.is_unconfirmed() {
            // The shrunk input does not fail again: report the original one.
            let result = MinimizationResult::from_first_failure(task, result.tried);
            let flaky = confirmed.flaky_counts();
            return MinimizedFailure { result, certificate: None, conversation: None, flaky, shrink_time };
        }
        let flaky = reconfirmed.flaky_counts().or(confirmed.flaky_counts());
        // If a failure is flaky, runs that pass prove nothing.
        let certificate = certificate.filter(|_| flaky.is_none());
        let conversation = conversation.filter(|_| flaky.is_none());
        MinimizedFailure { result, certificate, conversation, flaky, shrink_time }
    }

    /// Certifies the result of shrinking. Where the proof is incomplete, looks for smaller inputs at random until none is
    /// found.
    fn certify_or_improve(
        &self,
        runs: &CandidateRuns<'_, '_>,
        engine: RunEngine,
        result: &mut MinimizationResult,
        sink: &mut dyn EventSink,
    ) -> Option<Certificate> {
        let budget = self.options.certify_budget;
        sink.take_event(&Event::Activity(ActivityEvent::new("Proving", runs.task.name)));
        let mut certificate = certify_minimality(runs, engine, budget, result);
        while certificate.as_ref().is_none_or(|certificate| !certificate.complete)
            && search_random_inputs(runs, engine, result, sink)
        {
            certificate = certify_minimality(runs, engine, budget, result);
        }
        certificate
    }

    fn sanitizer_note(
        &self,
        submission: Option<(&str, &Path, &Program)>,
        finding: &Finding,
    ) -> Option<SanitizerFinding> {
        let (_, source, _) = submission?;
        let crashed = finding.failure.verdict == Verdict::RuntimeError && !self.judge_setup.cancel.is_cancelled();
        if crashed { self.tools.run_with_sanitizers(source, &finding.run.input) } else { None }
    }
}

fn confirming_event(name: &str, what: &str, failure: &RunResult) -> Event {
    let runs = count_with_noun(confirmation_runs(failure) as usize, "run");
    Event::Activity(ActivityEvent::new("Confirming", format!("{name}: {what}, in {runs}")))
}

/// Options for findings.
#[derive(Clone, Debug)]
pub struct FindingOptions {
    /// Maximum duration of shrinking.
    pub shrink_budget: Option<Duration>,
    /// Maximum duration of the minimality proof.
    pub certify_budget: Duration,
    /// When both end in any case.
    pub end: Option<Instant>,
    /// Whether shrinking must preserve the kind of failure.
    pub keep_kind: bool,
    /// Whether to shrink an input if there is neither a format nor a validator to check its validity.
    pub shrink_unvalidated: bool,
    /// Folder for findings, or `None` to save nothing.
    pub findings: Option<PathBuf>,
}

impl Minimizer<'_, '_> {
    /// Runs a slow input again, and saves it as a finding. Only failures that need no answer can be reported, since the
    /// reference may be too slow for the input as well.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn report_slow_input(
        &self,
        (name, source, program): (&str, &Path, &Program),
        mut failing: FailingInput,
        slowness: FindingSlowness,
        sink: &mut dyn EventSink,
    ) -> Result<Finding> {
        sink.take_event(&Event::Activity(ActivityEvent::new("Confirming", name)));
        let hint = match self.judge_setup.run_reference(&failing.input)? {
            ReferenceAnswer::Known(answer) => {
                failing.answer = answer;
                None
            }
            ReferenceAnswer::TooSlow => {
                Some("is too slow for this input as well, so it does not prove that a solution can be fast enough")
            }
            ReferenceAnswer::Failed(_) => Some("fails on this input as well"),
        };
        let mut failed = 1;
        for _ in 1..CONFIRMATION_RUNS {
            let run_result = self.judge_setup.run_and_judge(program, &failing.input, &failing.answer)?;
            failed += u32::from(judge_outcome(&run_result.outcome) == Some(failing.run_result.verdict));
        }
        let mut finding = describe_failing_input(self.judge_setup, self.seed, name, &failing);
        let reference = self.judge_setup.reference.display_name();
        finding.failure.hints.extend(hint.map(|hint| format!("the reference `{reference}` {hint}")));
        finding.failure.flaky = (failed < CONFIRMATION_RUNS).then_some((failed, CONFIRMATION_RUNS));
        if finding.failure.verdict == Verdict::RuntimeError {
            finding.failure.sanitizer = self.tools.run_with_sanitizers(source, &failing.input);
        }
        finding.minimization.is_complete = true;
        finding.slowness = Some(slowness);
        finding.images = self.tools.draw_images(&finding);
        Ok(self.create_saver(Some(source)).save_finding(finding, sink))
    }
}

/// Proves within `budget` that nothing smaller fails. If something smaller does fail, it replaces the result. Flaky failures cannot
/// be proved.
pub(super) fn certify_minimality(
    runs: &CandidateRuns<'_, '_>,
    engine: RunEngine,
    budget: Duration,
    result: &mut MinimizationResult,
) -> Option<Certificate> {
    if runs.task.tries > 1 || budget.is_zero() || runs.judge_setup.cancel.is_cancelled() {
        return None;
    }
    let setup = runs.judge_setup.with_engine(engine);
    let proof = MinimalityProof { judge_setup: &setup, inputs: runs.inputs, jobs: runs.jobs, budget };
    let certified = proof.certify_target(&runs.task.target, runs.task.kind, &result.best.input).ok()??;
    // If all smaller inputs were run, it does not matter that shrinking ran out of time.
    result.complete |= certified.certificate.complete;
    if let Some(SmallerFailure { value, failure }) = certified.smaller {
        let (size, steps) = (value.element_count(), result.steps + 1);
        (result.best, result.size, result.steps, result.complete) = (*failure, size, steps, true);
    }
    Some(certified.certificate)
}
