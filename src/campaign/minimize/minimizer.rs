//! Turns a failing input into a finding: confirms, minimizes and explains it, and has it saved.

use super::conversation_search::{ConversationSearch, ShortestConversation};
use super::minimality_proof::{MinimalityProof, SmallerFailure};
use super::state_leak::find_state_leak;
use crate::campaign::input_reading::explain_input_misuse;
use crate::campaign::inputs::{GeneratorDraws, InputSource, split_into_cases};
use crate::campaign::judging::{
    JudgeSetup, ReferenceAnswer, RunEngine, RunResult, collect_failure_hints, finding_of_run,
};
use crate::campaign::parallel::run_in_parallel;
use crate::campaign::predicate::{
    BatchedPredicate, CONFIRMATION_RUNS, FailureOracle, FailurePredicate, FailureTarget, ObservedFailure,
    PackCandidates, PackedResult, PackedSearch, observe_failure, pack_and_print,
};
use crate::event::{
    ActivityEvent, Event, EventSink, Finding, FindingChoices, FindingConversation, FindingMinimization, FindingOrigin,
    JudgeKind, SanitizerFinding, ShrinkPassSummary, ShrinkProgress,
};
use crate::judge::FailureKind;
use rebut_diagnostics::Result;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::{
    DrawnInput, Oracle, PassStatistics, ShrinkResult, add_statistics, search_below, shrink_draws, shrink_text,
    shrink_value,
};
use rebut_format::validate::find_violation;
use rebut_format::value::Value;
use rebut_generators::DrawRequest;
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, FindingRecord};
use rebut_sandbox::Program;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An input that failed once.
#[derive(Clone, Debug)]
pub struct FailingInput {
    /// The input.
    pub input: Vec<u8>,
    /// Its value, if it was read by a format.
    pub value: Option<Value>,
    /// Its answer.
    pub answer: Vec<u8>,
    /// The failing run.
    pub run_result: RunResult,
    /// Number of the input in its search, from 1.
    pub case: Option<u64>,
    /// The shape that generated it.
    pub shape: Option<String>,
    /// Time of the failure in milliseconds since the start of the search.
    pub elapsed_ms: u64,
    /// Whether the input's cases, and all inputs before it, were enumerated smallest first.
    pub is_in_order: bool,
    /// Maximum number of runs to see it fail again. If it never does, the failure is unconfirmed.
    pub max_confirmation_runs: u32,
}

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
    /// Renders the page of a finding, given its folder.
    pub readme: &'a dyn Fn(&Finding, &Path) -> String,
    /// Runs the smallest crashing input once more with sanitizers, if the submission can be built with them.
    pub sanitize: &'a dyn Fn(&Path, &[u8]) -> Option<SanitizerFinding>,
    /// Circumstances to be recorded in `finding.json`; the rest is filled in here.
    pub record: FindingRecord,
}

impl<'i> Minimizer<'_, 'i> {
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
        let target =
            submission.map_or(FailureTarget::Reference, |(_, _, program)| FailureTarget::Submission(program.clone()));
        let name = submission.map_or(self.judge_setup.reference.display_name(), |(name, _, _)| name);
        let source = submission.map(|(_, source, _)| source);
        if let Some(unstable) = self.find_unstable_reference(&failing)? {
            return Ok(self.save_finding(unstable, None, sink));
        }
        let started = Instant::now();
        sink.take_event(&Event::Activity(ActivityEvent::new("Confirming", name)));
        let confirmed =
            self.confirm_failure(&target, failing.run_result.kind, &failing.input, failing.max_confirmation_runs);
        let mut unshrunk = self.first_finding(name, &failing);
        unshrunk.failure.flaky = confirmed.flaky_counts();
        if confirmed.is_unconfirmed() {
            return Ok(self.save_finding(unshrunk, source, sink));
        }
        // Save the finding before shrinking, which can take long and can be killed.
        let saved = self.save_before_shrinking(&unshrunk, source);
        let task = self.create_task(target, name, &mut failing, confirmed);
        let minimized = self.minimize_and_reconfirm(&task, failing.is_in_order, confirmed, started, sink);
        let mut finding = self.describe_finding(&task, failing, minimized);
        finding.failure.hints.extend(self.reading_hint(&task.target, &finding));
        finding.failure.hints.extend(self.validity_hint(&task));
        finding.failure.hints.extend(unstable_generator_hint(&task));
        finding.failure.sanitizer = self.sanitizer_note(submission, &finding);
        finding.failure.leaking_cases =
            find_state_leak(self.judge_setup, self.inputs, &task.target, &finding.run.input);
        finding.failure.message = message_with_state_leak(&finding);
        Ok(self.replace_saved_finding(saved, finding, source, sink))
    }

    /// Returns the task of minimizing a confirmed failure. Takes the value out of `failing`.
    fn create_task<'q>(
        &'q self,
        target: FailureTarget,
        name: &'q str,
        failing: &mut FailingInput,
        confirmed: ConfirmationResult,
    ) -> MinimizationTask<'q> {
        let first = ObservedFailure {
            input: failing.input.clone(),
            answer: failing.answer.clone(),
            run_result: failing.run_result.clone(),
        };
        let origin = self.seed.zip(failing.case).map(|(seed, case)| (seed, case - 1));
        // If the generator cannot be run again, its draws are not shrunk; that must not cost the finding.
        let find_draws = |(seed, index)| self.inputs.find_draws(seed, index, &first.input).ok().flatten();
        let draws = origin.and_then(find_draws);
        MinimizationTask {
            target,
            name,
            first,
            value: failing.value.take(),
            draws,
            tries: if confirmed.flaky_counts().is_some() { CONFIRMATION_RUNS } else { 1 },
            shrink_end: self.options.shrink_budget.map(|budget| Instant::now() + budget),
        }
    }

    /// Minimizes a failure, certifies the result, and runs it again. If it does not fail again, the original failure is
    /// the result. `confirmed` is how often that one failed.
    fn minimize_and_reconfirm(
        &self,
        task: &MinimizationTask<'_>,
        is_in_order: bool,
        confirmed: ConfirmationResult,
        started: Instant,
        sink: &mut dyn EventSink,
    ) -> MinimizedFailure {
        let engine = self.choose_shrink_engine(task);
        let first_case = is_in_order.then(|| self.find_first_failing_case(engine, task)).flatten();
        let mut result = first_case.unwrap_or_else(|| self.shrink_and_confirm(engine, task, sink));
        let shrink_time = started.elapsed();
        sink.take_event(&Event::Activity(ActivityEvent::new("Proving", task.name)));
        let mut certificate = self.certify_minimality(engine, task, &mut result);
        while certificate.as_ref().is_none_or(|certificate| !certificate.complete)
            && self.search_below(engine, task, &mut result, sink)
        {
            certificate = self.certify_minimality(engine, task, &mut result);
        }
        let left = self.options.shrink_budget.map_or(Duration::MAX, |budget| budget.saturating_sub(shrink_time));
        let mut conversation = self.shorten_conversation(task, &mut result, left, sink);
        sink.take_event(&Event::Activity(ActivityEvent::new("Confirming", task.name)));
        let mut reconfirmed = confirmed;
        // The original input was already run again.
        if result.best.input != task.first.input {
            let ObservedFailure { run_result, input, .. } = &result.best;
            reconfirmed = self.confirm_failure(&task.target, run_result.kind, input, CONFIRMATION_RUNS);
        }
        if reconfirmed.is_unconfirmed() {
            // The shrunk input does not fail again: report the original one.
            result = MinimizationResult::from_first_failure(task, result.tried);
            (reconfirmed, certificate, conversation) = (confirmed, None, None);
        }
        let flaky = reconfirmed.flaky_counts().or(confirmed.flaky_counts());
        // If a failure is flaky, runs that pass prove nothing.
        let certificate = certificate.filter(|_| flaky.is_none());
        let conversation = conversation.filter(|_| flaky.is_none());
        MinimizedFailure { result, certificate, conversation, flaky, shrink_time }
    }

    /// Returns true if neither a format nor a validator can check whether a shrunk input is valid.
    fn has_no_validity_check(&self, task: &MinimizationTask<'_>) -> bool {
        task.value.is_none() && self.inputs.validators.is_empty()
    }

    /// Returns a hint on how to have inputs checked for validity, if that is impossible at present.
    fn validity_hint(&self, task: &MinimizationTask<'_>) -> Option<String> {
        let state = if self.options.shrink_unvalidated {
            "the shrunk input may be invalid"
        } else {
            "the input was not shrunk"
        };
        (self.has_no_validity_check(task) && task.draws.is_none()).then(|| {
            format!("{state}, since there is no format or validator to check it; use --input, --format or --validator")
        })
    }

    /// Returns a finding against the reference if its answer changes from run to run.
    fn find_unstable_reference(&self, failing: &FailingInput) -> Result<Option<Finding>> {
        if failing.run_result.verdict != Verdict::WrongAnswer || self.judge_setup.cancel.is_cancelled() {
            return Ok(None);
        }
        for _ in 1..CONFIRMATION_RUNS {
            let ReferenceAnswer::Known(answer) = self.judge_setup.run_reference(&failing.input)? else {
                continue;
            };
            let judgement = self.judge_setup.judge_output(&failing.input, &failing.answer, &answer)?;
            if answer != failing.answer && judgement != rebut_checkers::Judgement::Accepted {
                let mut finding = self.first_finding(self.judge_setup.reference.display_name(), failing);
                finding.failure.verdict = Verdict::JudgeError;
                finding.failure.message = "the reference answers the same input differently from run to run".to_owned();
                finding.failure.hints = Vec::new();
                finding.failure.flaky = Some((1, CONFIRMATION_RUNS));
                finding.run.output = answer;
                finding.run.line = None;
                return Ok(Some(finding));
            }
        }
        Ok(None)
    }

    /// Runs an input [`CONFIRMATION_RUNS`] times, and if it has not failed by then, up to `max_runs` times in all until
    /// it does. If the user interrupts, no run counts.
    fn confirm_failure(
        &self,
        target: &FailureTarget,
        kind: FailureKind,
        input: &[u8],
        max_runs: u32,
    ) -> ConfirmationResult {
        let mut confirmed = ConfirmationResult { failed: 0, runs: 0 };
        while confirmed.runs < CONFIRMATION_RUNS || confirmed.failed == 0 && confirmed.runs < max_runs {
            let Ok(failure) = observe_failure(self.judge_setup, target, Some(kind), input, 1) else { break };
            confirmed.runs += 1;
            confirmed.failed += u32::from(failure.is_some());
        }
        if self.judge_setup.cancel.is_cancelled() { ConfirmationResult { failed: 0, runs: 0 } } else { confirmed }
    }

    /// Returns the engine for minimizing: the fast one if the failure also occurs there.
    fn choose_shrink_engine(&self, task: &MinimizationTask<'_>) -> RunEngine {
        let quick = self.quick_judge_setup(self.engine, task);
        let MinimizationTask { target, first, tries, .. } = task;
        match observe_failure(&quick, target, Some(first.run_result.kind), &first.input, *tries) {
            Ok(Some(_)) => self.engine,
            _ => RunEngine::Exec,
        }
    }

    /// Returns the judge setup for minimizing with a fast engine. A time limit must be exceeded by more than one run's
    /// error of measurement: shrinking goes down to the limit, where the exact engine, which takes the shortest of
    /// several runs, would disagree.
    fn quick_judge_setup(&self, engine: RunEngine, task: &MinimizationTask<'_>) -> JudgeSetup {
        let quick = self.judge_setup.with_engine(engine);
        match task.first.run_result.verdict {
            Verdict::TimeLimit => quick.with_slack(),
            _ => quick,
        }
    }

    /// Returns the kind of failure that shrinking must preserve, or `None` if any failure will do.
    fn required_failure_kind(&self, task: &MinimizationTask<'_>) -> Option<FailureKind> {
        self.options.keep_kind.then_some(task.first.run_result.kind)
    }

    /// Shrinks with the fast engine, and again with the exact one if the result does not fail there.
    fn shrink_and_confirm(
        &self,
        engine: RunEngine,
        task: &MinimizationTask<'_>,
        sink: &mut dyn EventSink,
    ) -> MinimizationResult {
        if engine == RunEngine::Exec {
            return self.shrink_input(self.judge_setup, task, sink);
        }
        let quick = self.quick_judge_setup(engine, task);
        let result = self.shrink_input(&quick, task, sink);
        match self.observe_exactly(task, &result.best.input) {
            Some(best) => MinimizationResult { best, ..result },
            _ if self.judge_setup.cancel.is_cancelled() => result,
            _ => self.shrink_input(self.judge_setup, task, sink),
        }
    }

    /// Proves that nothing smaller fails. If something smaller does fail, it replaces the result. Flaky failures cannot
    /// be proved.
    fn certify_minimality(
        &self,
        engine: RunEngine,
        task: &MinimizationTask<'_>,
        result: &mut MinimizationResult,
    ) -> Option<Certificate> {
        if task.tries > 1 || self.options.certify_budget.is_zero() || self.judge_setup.cancel.is_cancelled() {
            return None;
        }
        let setup = self.judge_setup.with_engine(engine);
        let proof = MinimalityProof {
            judge_setup: &setup,
            inputs: self.inputs,
            jobs: self.jobs,
            budget: self.options.certify_budget,
        };
        let certified =
            proof.certify_target(&task.target, self.required_failure_kind(task), &result.best.input).ok()??;
        // If all smaller inputs were run, it does not matter that shrinking ran out of time.
        result.complete |= certified.certificate.complete;
        if let Some(SmallerFailure { value, failure }) = certified.smaller {
            let (size, steps) = (value.element_count(), result.steps + 1);
            (result.best, result.size, result.steps, result.complete) = (*failure, size, steps, true);
        }
        Some(certified.certificate)
    }

    /// Replaces the result by the smallest failing input that is found among random smaller ones, for what is left of the
    /// time for shrinking. Returns true if there is one. Draws a few times as many inputs as shrinking ran.
    fn search_below(
        &self,
        engine: RunEngine,
        task: &MinimizationTask<'_>,
        result: &mut MinimizationResult,
        sink: &mut dyn EventSink,
    ) -> bool {
        const DRAWS_PER_CANDIDATE: usize = 4;
        const MIN_DRAWS: usize = 256;
        const MAX_DRAWS: usize = 20_000;
        let Some(plan) = self.inputs.generation_plan().filter(|_| task.tries == 1 && result.complete) else {
            return false;
        };
        let Ok(value) = read_input(plan.format, &result.best.input) else { return false };
        let setup = self.quick_judge_setup(engine, task);
        let phase = task.remaining_time().map(|remaining| setup.cancel.begin_phase(remaining));
        let mut on_improvement = self.report_improvements(task, sink);
        let print = |value: &Value| print_value(plan.format, value);
        let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(plan.format, values, last);
        let predicate = self.build_predicate(&setup, task, &print);
        let mut oracle = self.build_oracle(predicate, Some(&pack), task, &result.best, &mut on_improvement);
        let draws = (DRAWS_PER_CANDIDATE * result.tried).clamp(MIN_DRAWS, MAX_DRAWS) as u64;
        let below = search_below(plan, value, draws, &mut oracle);
        // The end of the time must not stop the confirmation.
        drop(phase);
        let size = below.value.element_count();
        let found = MinimizationResult::from_shrink_result(&below, size, oracle);
        let is_changed = found.best.input != result.best.input;
        let confirmed = if is_changed { self.observe_exactly(task, &found.best.input) } else { None };
        let is_smaller = confirmed.is_some();
        result.add_later_result(found, confirmed);
        is_smaller
    }

    /// Runs an input with the exact engine. Returns its failure, if it fails as is required.
    fn observe_exactly(&self, task: &MinimizationTask<'_>, input: &[u8]) -> Option<ObservedFailure> {
        let kind = self.required_failure_kind(task);
        observe_failure(self.judge_setup, &task.target, kind, input, task.tries).ok().flatten()
    }

    /// Replaces the result by the failing input with the shortest conversation, among those with as many elements that
    /// can be run within `budget`. Returns its length, or `None` if no others can be run: without an interactor or a
    /// format, or if the failure is flaky.
    fn shorten_conversation(
        &self,
        task: &MinimizationTask<'_>,
        result: &mut MinimizationResult,
        budget: Duration,
        sink: &mut dyn EventSink,
    ) -> Option<FindingConversation> {
        result.best.run_result.conversation?;
        let plan = self.inputs.generation_plan()?;
        if task.tries > 1 || budget.is_zero() || self.judge_setup.cancel.is_cancelled() {
            return None;
        }
        let value = read_input(plan.format, &result.best.input).ok()?;
        sink.take_event(&Event::Activity(ActivityEvent::new("Shortening", task.name)));
        let print = |value: &Value| print_value(plan.format, value);
        let predicate = self.build_predicate(self.judge_setup, task, &print);
        let search = ConversationSearch { predicate, plan, jobs: self.jobs, budget };
        let ShortestConversation { failure, shortest_run, inputs, is_proved } = search.find_shortest(&value).ok()??;
        let conversation = FindingConversation {
            fewest_messages: shortest_run.messages,
            inputs_of_this_size: inputs,
            shortest_of_this_size: is_proved,
            ..FindingConversation::from_run(failure.run_result.conversation?)
        };
        result.steps += usize::from(failure.input != result.best.input);
        result.best = failure;
        Some(conversation)
    }

    /// Returns the first case that fails alone in a file of enumerated cases. It is smaller than anything that
    /// shrinking could find in the file. Returns `None` if no case fails alone.
    fn find_first_failing_case(&self, engine: RunEngine, task: &MinimizationTask<'_>) -> Option<MinimizationResult> {
        let (value, plan) = (task.value.as_ref()?, self.inputs.generation_plan()?);
        if task.tries > 1 || matches!(task.target, FailureTarget::Reference) {
            return None;
        }
        let cases = match split_into_cases(plan.format, value) {
            cases if cases.is_empty() => vec![value.clone()],
            cases => cases,
        };
        let print = |value: &Value| print_value(plan.format, value);
        let setup = self.quick_judge_setup(engine, task);
        let quick = FailurePredicate { kind: None, tries: 1, ..self.build_predicate(&setup, task, &print) };
        let exact = FailurePredicate { judge_setup: self.judge_setup, ..quick.clone() };
        let search = PackedSearch { quick, exact, format: plan.format, jobs: self.jobs };
        let is_over = || self.judge_setup.cancel.is_cancelled();
        let PackedResult::Fails { before, failure } = search.find_first_failing(&cases, &is_over).ok()? else {
            return None;
        };
        let steps = usize::from(failure.input != task.first.input);
        let (size, tried) = (cases[before.taken].element_count(), before.taken + 1);
        Some(MinimizationResult { best: *failure, size, steps, tried, complete: true, passes: Vec::new(), drawn: None })
    }

    fn shrink_input(
        &self,
        setup: &JudgeSetup,
        task: &MinimizationTask<'_>,
        sink: &mut dyn EventSink,
    ) -> MinimizationResult {
        sink.take_event(&Event::Activity(ActivityEvent {
            noun: "tried",
            ..ActivityEvent::new("Shrinking", task.name)
        }));
        let _phase = task.remaining_time().map(|remaining| setup.cancel.begin_phase(remaining));
        let drawn = self.shrink_by_draws(setup, task, sink);
        if self.has_no_validity_check(task) && !self.options.shrink_unvalidated {
            return drawn;
        }
        let mut result = self.shrink_by_structure(setup, task, &drawn, sink);
        result.add_earlier_result(drawn);
        result
    }

    /// Shrinks the draws of the generator that made the first input, if it takes them from rebut.
    fn shrink_by_draws(
        &self,
        setup: &JudgeSetup,
        task: &MinimizationTask<'_>,
        sink: &mut dyn EventSink,
    ) -> MinimizationResult {
        let Some(GeneratorDraws { generator, input: Some(start) }) = &task.draws else {
            return MinimizationResult::from_first_failure(task, 0);
        };
        let format = self.inputs.input_format();
        let is_valid = |input: &DrawnInput| {
            let value =
                format.map(|format| read_input(format, &input.text).map(|value| find_violation(format, &value)));
            matches!(value, None | Some(Ok(None)))
        };
        let (limits, cancel) = (&self.inputs.limits, &setup.cancel);
        let run = |request: &DrawRequest| {
            let made = generator.run_with_draws(request, limits, cancel).ok().flatten();
            made.filter(is_valid)
        };
        let mut run_generator = |requests: &[DrawRequest]| {
            let made = run_in_parallel(self.jobs, requests.len(), |at| Ok(run(&requests[at])), &mut |_| ());
            made.unwrap_or_else(|_| vec![None; requests.len()])
        };
        let mut on_improvement = self.report_improvements(task, sink);
        let print = |text: &Vec<u8>| text.clone();
        let predicate = self.build_predicate(setup, task, &print);
        let mut oracle = self.build_oracle(predicate, None, task, &task.first, &mut on_improvement);
        let shrunk = shrink_draws(start.clone(), &mut run_generator, &mut oracle);
        let size = self.size_of_input(&shrunk.value.text);
        let drawn = Some(shrunk.value.clone());
        MinimizationResult { drawn, ..MinimizationResult::from_shrink_result(&shrunk, size, oracle) }
    }

    /// Returns what reports each improvement of shrinking.
    fn report_improvements<'s>(
        &'s self,
        task: &'s MinimizationTask<'_>,
        sink: &'s mut dyn EventSink,
    ) -> impl FnMut(&ObservedFailure, usize) {
        let size_before = self.size_of_input(&task.first.input);
        move |best: &ObservedFailure, tried: usize| {
            let size = self.size_of_input(&best.input);
            let submission = task.name.to_owned();
            sink.take_event(&Event::Shrinking(ShrinkProgress { submission, size_before, size, tried }));
        }
    }

    /// Returns the size of an input in the unit of [`size_unit`].
    fn size_of_input(&self, input: &[u8]) -> usize {
        let value = self.inputs.input_format().and_then(|format| read_input(format, input).ok());
        input_size(input, value.as_ref())
    }

    /// Shrinks an input by its format, or else by its lines and tokens.
    fn shrink_by_structure(
        &self,
        setup: &JudgeSetup,
        task: &MinimizationTask<'_>,
        from: &MinimizationResult,
        sink: &mut dyn EventSink,
    ) -> MinimizationResult {
        let first = &from.best;
        let plan = self.inputs.generation_plan();
        let is_redrawn = first.input != task.first.input;
        let redrawn = plan.filter(|_| is_redrawn).and_then(|plan| read_input(plan.format, &first.input).ok());
        let value = redrawn.as_ref().or(task.value.as_ref());
        let mut on_improvement = self.report_improvements(task, sink);
        match (plan, value) {
            (Some(plan), Some(value)) => {
                let print = |v: &Value| print_value(plan.format, v);
                let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(plan.format, values, last);
                let predicate = self.build_predicate(setup, task, &print);
                let mut oracle = self.build_oracle(predicate, Some(&pack), task, first, &mut on_improvement);
                let mut shrunk = shrink_value(plan, value.clone(), &mut oracle);
                // Candidates that passed as cases of one file were not run as separate inputs.
                if shrunk.is_complete && oracle.batching.disable_batching() {
                    let packed = shrunk;
                    shrunk = shrink_value(plan, packed.value.clone(), &mut oracle);
                    shrunk.add_earlier_search(&packed);
                }
                MinimizationResult::from_shrink_result(&shrunk, shrunk.value.element_count(), oracle)
            }
            _ => {
                let print = |v: &Vec<u8>| v.clone();
                let predicate = self.build_predicate(setup, task, &print);
                let mut oracle = self.build_oracle(predicate, None, task, first, &mut on_improvement);
                let shrunk = shrink_text(first.input.clone(), &mut oracle);
                MinimizationResult::from_shrink_result(&shrunk, shrunk.value.len(), oracle)
            }
        }
    }

    fn build_predicate<'s, C>(
        &'s self,
        setup: &'s JudgeSetup,
        task: &MinimizationTask<'_>,
        print: &'s (dyn Fn(&C) -> Vec<u8> + Sync),
    ) -> FailurePredicate<'s, 'i, C> {
        let (target, kind) = (task.target.clone(), self.required_failure_kind(task));
        FailurePredicate { judge_setup: setup, inputs: self.inputs, target, kind, print, tries: task.tries }
    }

    /// Creates the oracle for a shrink search from a failure.
    fn build_oracle<'s, C: Sync>(
        &self,
        predicate: FailurePredicate<'s, 'i, C>,
        pack: Option<PackCandidates<'s, C>>,
        task: &MinimizationTask<'_>,
        first: &ObservedFailure,
        on_improvement: &'s mut dyn FnMut(&ObservedFailure, usize),
    ) -> FailureOracle<'s, 'i, C> {
        let deadline = task.shrink_end;
        let batching = BatchedPredicate::new(pack, &predicate, first);
        FailureOracle {
            predicate,
            jobs: self.jobs,
            batching,
            start: Instant::now(),
            deadline,
            best: first.clone(),
            on_improvement,
            tried: 0,
        }
    }

    /// Returns the finding of a failing input before anything else was run.
    fn first_finding(&self, name: &str, failing: &FailingInput) -> Finding {
        let FailingInput { input, answer, run_result, .. } = failing.clone();
        let judge = &self.judge_setup.judge;
        let hints = collect_failure_hints(judge, &run_result, &answer);
        let size = input_size(&input, failing.value.as_ref());
        let mut finding = finding_of_run(name, input, answer, run_result, judge.checker_name());
        finding.failure.hints = hints;
        finding.run.judged_by = judge.judge_kind();
        let FailingInput { case, shape, elapsed_ms, .. } = failing;
        let (case, shape, elapsed_ms) = (*case, shape.clone(), *elapsed_ms);
        finding.origin = FindingOrigin { case, shape, elapsed_ms, seed: self.seed, ..finding.origin };
        finding.minimization = FindingMinimization::of_size(size, size_unit(failing.value.as_ref()));
        finding.minimization.is_complete = false;
        finding
    }

    fn describe_finding(
        &self,
        task: &MinimizationTask<'_>,
        failing: FailingInput,
        minimized: MinimizedFailure,
    ) -> Finding {
        let MinimizedFailure { result, certificate, conversation, flaky, shrink_time } = minimized;
        let choices = self.describe_choices(task, &result);
        let original = failing.input.clone();
        let ObservedFailure { input, answer, run_result } = result.best;
        let mut finding = self.first_finding(task.name, &FailingInput { input, answer, run_result, ..failing });
        finding.failure.flaky = flaky;
        finding.origin.original = original;
        finding.origin.choices = choices;
        finding.run.conversation = conversation.or(finding.run.conversation);
        finding.minimization = FindingMinimization {
            size_before: input_size(&task.first.input, task.value.as_ref()),
            size_after: result.size,
            size_unit: size_unit(task.value.as_ref()),
            steps: result.steps,
            tried: result.tried,
            time_ms: u64::try_from(shrink_time.as_millis()).unwrap_or(u64::MAX),
            passes: result.passes.iter().map(summarize_pass).collect(),
            is_complete: result.complete,
        };
        finding.proof.certificate = certificate;
        finding
    }

    /// Returns the choices for which the generator prints the input of a finding, or what that was shrunk from. `None` if
    /// it does not print that in a process of its own.
    fn describe_choices(&self, task: &MinimizationTask<'_>, result: &MinimizationResult) -> Option<FindingChoices> {
        let (draws, drawn) = (task.draws.as_ref()?, result.drawn.as_ref()?);
        drawn.draws.as_ref()?;
        let request = drawn.to_request();
        let (limits, cancel) = (&self.inputs.limits, &self.judge_setup.cancel);
        draws.generator.prints_text(&request, &drawn.text, limits, cancel).then(|| FindingChoices {
            generator: draws.generator.display_name().to_owned(),
            prints_input: drawn.text == result.best.input,
            request: request.to_line(false),
        })
    }

    /// Returns how the failing program, or the reference, misuses its input, if that explains the failure.
    fn reading_hint(&self, target: &FailureTarget, finding: &Finding) -> Option<String> {
        if self.judge_setup.judge.judge_kind() == JudgeKind::Conversation || self.judge_setup.cancel.is_cancelled() {
            return None;
        }
        let JudgeSetup { reference, limits, judge_limits, cancel, .. } = self.judge_setup;
        // A failure to diagnose costs only the hint; it must not cost the finding.
        let explain =
            |program, limits| explain_input_misuse(program, &finding.run.input, limits, cancel).ok().flatten();
        let explain_reference = || explain(reference, judge_limits);
        match target {
            FailureTarget::Reference => explain_reference(),
            FailureTarget::Submission(program) => explain(program, limits).or_else(|| {
                let reason = explain_reference().filter(|_| finding.failure.verdict == Verdict::WrongAnswer)?;
                Some(format!("the reference `{}`: {reason}", reference.display_name()))
            }),
        }
    }

    fn sanitizer_note(
        &self,
        submission: Option<(&str, &Path, &Program)>,
        finding: &Finding,
    ) -> Option<SanitizerFinding> {
        let (_, source, _) = submission?;
        let crashed = finding.failure.verdict == Verdict::RuntimeError && !self.judge_setup.cancel.is_cancelled();
        if crashed { (self.sanitize)(source, &finding.run.input) } else { None }
    }
}

/// Options for findings.
#[derive(Clone, Debug)]
pub struct FindingOptions {
    /// Maximum duration of shrinking.
    pub shrink_budget: Option<Duration>,
    /// Maximum duration of the minimality proof.
    pub certify_budget: Duration,
    /// Whether shrinking must preserve the kind of failure.
    pub keep_kind: bool,
    /// Whether to shrink an input if there is neither a format nor a validator to check its validity.
    pub shrink_unvalidated: bool,
    /// Folder for findings, or `None` to save nothing.
    pub findings: Option<PathBuf>,
}

/// The task of minimizing one failure.
struct MinimizationTask<'q> {
    target: FailureTarget,
    /// Name of the failing program in progress reports.
    name: &'q str,
    first: ObservedFailure,
    /// Value of the first input, if it was read by a format.
    value: Option<Value>,
    /// The generator that made the first input, if it takes its choices from rebut.
    draws: Option<GeneratorDraws<'q>>,
    /// Number of runs a candidate gets to fail; more than one if the failure is flaky.
    tries: u32,
    /// Deadline of shrinking, across restarts.
    shrink_end: Option<Instant>,
}

impl MinimizationTask<'_> {
    /// Returns the time that is left for shrinking, if it is limited.
    fn remaining_time(&self) -> Option<Duration> {
        self.shrink_end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// How often an input failed when it was run again.
#[derive(Clone, Copy)]
struct ConfirmationResult {
    failed: u32,
    runs: u32,
}

impl ConfirmationResult {
    /// Returns the numbers of failures and runs, if not every run failed.
    fn flaky_counts(self) -> Option<(u32, u32)> {
        (self.failed < self.runs).then_some((self.failed, self.runs))
    }

    /// Returns true if no run failed.
    fn is_unconfirmed(self) -> bool {
        self.failed == 0 && self.runs > 0
    }
}

/// A minimized failure after its confirmation.
struct MinimizedFailure {
    result: MinimizationResult,
    certificate: Option<Certificate>,
    /// The length of the conversation, if other inputs were run to find a shorter one.
    conversation: Option<FindingConversation>,
    /// Numbers of failures and runs, if the failure is flaky.
    flaky: Option<(u32, u32)>,
    /// Duration of confirming and shrinking.
    shrink_time: Duration,
}

/// The result of minimizing.
struct MinimizationResult {
    best: ObservedFailure,
    size: usize,
    steps: usize,
    tried: usize,
    complete: bool,
    /// The statistics of the passes; empty where none was run.
    passes: Vec<PassStatistics>,
    /// The last input that the generator made of draws.
    drawn: Option<DrawnInput>,
}

impl MinimizationResult {
    /// Returns the original failure, after `tried` unsuccessful candidates.
    fn from_first_failure(task: &MinimizationTask<'_>, tried: usize) -> Self {
        let best = task.first.clone();
        let size = input_size(&best.input, task.value.as_ref());
        let drawn = task.draws.as_ref().and_then(|draws| draws.input.clone());
        MinimizationResult { best, size, steps: 0, tried, complete: false, passes: Vec::new(), drawn }
    }

    fn from_shrink_result<V, C: Sync + Clone>(
        shrunk: &ShrinkResult<V>,
        size: usize,
        oracle: FailureOracle<'_, '_, C>,
    ) -> Self {
        // An interrupted shrink pass has no candidates left and looks complete.
        let complete = shrunk.is_complete && !oracle.should_stop();
        let (steps, tried, passes) = (shrunk.steps, shrunk.tried, shrunk.passes.clone());
        MinimizationResult { best: oracle.best, size, steps, tried, complete, passes, drawn: None }
    }

    /// Adds the counts of an earlier search, whose result this search began with.
    fn add_earlier_result(&mut self, earlier: MinimizationResult) {
        self.steps += earlier.steps;
        self.tried += earlier.tried;
        self.passes.splice(0..0, earlier.passes);
        self.drawn = earlier.drawn;
    }

    /// Adds the counts of a later search, which began with this result, and takes over its result if that was `confirmed`.
    fn add_later_result(&mut self, later: MinimizationResult, confirmed: Option<ObservedFailure>) {
        self.tried += later.tried;
        add_statistics(&mut self.passes, &later.passes);
        if let Some(best) = confirmed {
            self.steps += later.steps;
            (self.best, self.size, self.complete) = (best, later.size, later.complete);
        }
    }
}

fn summarize_pass(pass: &PassStatistics) -> ShrinkPassSummary {
    let PassStatistics { name, calls, tried, accepted, time } = *pass;
    let time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    ShrinkPassSummary { name: name.to_owned(), calls, tried, accepted, time_ms }
}

/// Returns a hint if the generator does not print the same input again.
fn unstable_generator_hint(task: &MinimizationTask<'_>) -> Option<String> {
    let draws = task.draws.as_ref().filter(|draws| draws.input.is_none())?;
    let name = draws.generator.display_name();
    Some(format!(
        "the choices of `{name}` were not shrunk, since it prints another input for the same ones: take all of them from rebut"
    ))
}

/// Returns the size of an input in the unit of [`size_unit`].
fn input_size(input: &[u8], value: Option<&Value>) -> usize {
    value.map_or(input.len(), Value::element_count)
}

fn size_unit(value: Option<&Value>) -> &'static str {
    if value.is_some() { "elements" } else { "bytes" }
}

/// Returns the message of a finding, which begins with the state leak if there is one.
fn message_with_state_leak(finding: &Finding) -> String {
    match finding.failure.leaking_cases {
        Some(cases) => {
            format!("state leaks between cases: each of these {cases} passes alone\n{}", finding.failure.message)
        }
        None => finding.failure.message.clone(),
    }
}
