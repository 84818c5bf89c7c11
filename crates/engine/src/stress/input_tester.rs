//! Tests one input: runs the reference on it, then the submissions, and records which of them fail.

use super::block_result::UnconfirmedFailure;
use super::exhaustive_progress::ExhaustiveProgress;
use super::search_end::SearchEnd;
use super::search_stats::{InputReport, SearchFailure, SearchHits, count_answer_labels};
use super::slow_inputs::SlowInputs;
use super::stress_plan::{SearchHit, StressPlan};
use super::undefined_behaviour::input_on_a_line;
use crate::event::LongestConversation;
use crate::inputs::GeneratedInput;
use crate::judging::{
    ActivityTimer, AdaptiveBatchSize, JudgeSetup, ReferenceAnswer, RunEngine, RunResult, SpeculativeInput,
    SpeculativeRuns, run_speculatively,
};
use crate::tuning::{
    CONFIRMATION_RUNS, EXACT_INTERVALS, MAX_EXACT_INTERVAL, MAX_INPUT_SHARE, MAX_RETRIED_FAILURES,
    MAX_SEARCH_BATCH_BYTES, SLOW_REFERENCE_US,
};
use rebut_checkers::Judgement;
use rebut_diagnostics::{Result, to_millis};
use rebut_format::generate::ScratchBuffers;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ConversationLength, Program, RunOutcome};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tests inputs, for all workers of a search.
pub(super) struct InputTester<'s, 'a> {
    plan: &'s StressPlan<'a>,
    hits: &'s SearchHits,
    end: &'s SearchEnd<'s, 'a>,
    start: Instant,
    /// Same as the plan's judge setup, with the exact engine.
    exact_setup: JudgeSetup,
    /// The sizes of inputs on which the reference is known to be too slow.
    slow_inputs: SlowInputs,
    /// For each submission, the number of failures that did not occur again in a new process.
    unconfirmed: Vec<AtomicU64>,
}

impl<'s, 'a> InputTester<'s, 'a> {
    /// Creates the tester of a search that began at `start`.
    pub(super) fn new(
        plan: &'s StressPlan<'a>,
        hits: &'s SearchHits,
        end: &'s SearchEnd<'s, 'a>,
        start: Instant,
    ) -> Self {
        InputTester {
            plan,
            hits,
            end,
            start,
            exact_setup: plan.judge_setup.with_engine(RunEngine::Exec),
            slow_inputs: SlowInputs::default(),
            unconfirmed: plan.submissions.iter().map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Tests one input, unless the validators refuse it, and reports on it.
    fn test_input(&self, index: u64, speculative: SpeculativeInput, report: &mut InputReport) -> Result<()> {
        let mut clock = ActivityTimer::start_now();
        clock.spent_ns = speculative.spent;
        report.begin_input(index);
        let Some(generated) = speculative.input? else {
            report.is_refused = self.plan.inputs.counts_refusal(index);
            return Ok(());
        };
        report.was_made = true;
        report.shape.clone_from(&generated.shape);
        self.answer_and_test(index, generated, speculative.runs, report, &mut clock)?;
        report.spent_ns = clock.spent_ns;
        Ok(())
    }

    /// Returns true if a program is run on an input in a new process. All forks of a process have the same addresses and
    /// memory contents, so failures that depend on these may never occur in a fork. Some inputs are therefore run in new
    /// processes, fewer and fewer of them, and fewer where such processes are expensive.
    fn is_exact(&self, program: &Program, index: u64) -> bool {
        let interval = EXACT_INTERVALS.iter().find(|(end, _)| index < *end).map_or(1, |(_, interval)| *interval);
        let interval = (interval * program.start_price()).min(MAX_EXACT_INTERVAL);
        self.plan.judge_setup.engine == RunEngine::Exec || index.is_multiple_of(interval)
    }

    /// Returns the judge setup to run a program on an input.
    fn setup_for(&self, program: &Program, index: u64) -> &JudgeSetup {
        if self.is_exact(program, index) { &self.exact_setup } else { &self.plan.judge_setup }
    }

    /// Returns true if some program is run on an input in a new process.
    fn has_exact_run(&self, index: u64) -> bool {
        let mut submissions = self.plan.submissions.iter();
        self.is_exact(&self.plan.judge_setup.reference, index)
            || submissions.any(|submission| self.is_exact(&submission.program, index))
    }

    /// Returns true if the reference is known to be too slow on a case of an input.
    pub(super) fn has_slow_case(&self, index: u64, input: &mut GeneratedInput) -> bool {
        let Some(format) = self.plan.inputs.input_format().filter(|_| !self.slow_inputs.is_empty()) else {
            return false;
        };
        self.plan.inputs.restore_value_in_place(input, self.plan.seed, index);
        input.value.as_ref().is_some_and(|value| self.slow_inputs.is_any_case_covered(format, value))
    }

    /// Returns the input without the cases on which the reference is known to be too slow, or `None` if no case is left.
    fn drop_slow_cases(
        &self,
        index: u64,
        mut input: GeneratedInput,
        report: &mut InputReport,
    ) -> Option<GeneratedInput> {
        if self.slow_inputs.is_empty() {
            return Some(input);
        }
        self.plan.inputs.restore_value_in_place(&mut input, self.plan.seed, index);
        let cases = input.cases;
        let kept = self.plan.inputs.retain_cases(input, |format, case| !self.slow_inputs.is_covered(format, case));
        report.too_slow += (cases - kept.as_ref().map_or(0, |kept| kept.cases)) as u64;
        kept
    }

    /// Runs the reference on an input, then the submissions. If the reference is too slow, the cases are split in half
    /// until it is fast enough.
    fn answer_and_test(
        &self,
        index: u64,
        generated: GeneratedInput,
        runs: SpeculativeRuns,
        report: &mut InputReport,
        clock: &mut ActivityTimer,
    ) -> Result<()> {
        let judge_setup = self.setup_for(&self.plan.judge_setup.reference, index);
        let (generated, (mut answer, cpu_time_us)) = match runs.answer {
            Some(answer) => (generated, answer),
            None => match self.drop_slow_cases(index, generated, report) {
                Some(generated) => {
                    clock.record_lap(0);
                    let answer = judge_setup.run_reference_timed(&generated.bytes)?;
                    clock.record_lap(1);
                    (generated, answer)
                }
                None => return Ok(()),
            },
        };
        if judge_setup.engine != RunEngine::Exec && matches!(answer, ReferenceAnswer::Failed(_)) {
            answer = self.exact_setup.run_reference(&generated.bytes)?;
        }
        report.cpu_time_us += cpu_time_us;
        if cpu_time_us >= SLOW_REFERENCE_US && matches!(answer, ReferenceAnswer::Known(_)) {
            self.record_slow_answer(index, &generated);
        }
        match answer {
            ReferenceAnswer::TooSlow => self.split_or_skip(index, generated, report, clock)?,
            // A reference that needs too much memory, or prints too much, is one for small inputs as well.
            ReferenceAnswer::Failed(RunOutcome { limit: Some(_), .. }) => {
                self.split_or_skip(index, generated, report, clock)?;
            }
            ReferenceAnswer::Failed(outcome) => self.record_reference_hit(index, generated, outcome, report),
            ReferenceAnswer::Known(answer) => {
                report.cases += generated.cases;
                if !judge_setup.judge.needs_no_answer() {
                    count_answer_labels(&answer, generated.cases, &mut report.answers);
                }
                self.test_submissions(index, (&generated, &answer), runs.outcomes, report, clock)?;
            }
        }
        Ok(())
    }

    /// Tests the halves of an input that the reference did not answer within its limits, until they took their
    /// part of the time of the search, or skips it if it has one case.
    fn split_or_skip(
        &self,
        index: u64,
        generated: GeneratedInput,
        report: &mut InputReport,
        clock: &mut ActivityTimer,
    ) -> Result<()> {
        let max_time = self.plan.time_budget.map(|budget| budget / MAX_INPUT_SHARE);
        let is_over = |report: &InputReport| {
            self.end.is_stopped() || max_time.is_some_and(|max| Duration::from_micros(report.cpu_time_us) >= max)
        };
        self.record_slow_answer(index, &generated);
        let whole = self.plan.inputs.restore_value(generated, self.plan.seed, index);
        if let Some(halves) = self.plan.inputs.split_cases_in_half(&whole) {
            for half in halves {
                if is_over(report) {
                    report.too_slow += 1;
                } else {
                    self.answer_and_test(index, half, SpeculativeRuns::default(), report, clock)?;
                }
            }
            return Ok(());
        }
        report.too_slow += 1;
        // Of several cases, it is not known which is slow.
        if let (Some(format), Some(value), 1) = (self.plan.inputs.input_format(), &whole.value, whole.cases) {
            self.slow_inputs.record_input(format, value);
        }
        Ok(())
    }

    /// Records the sizes of an input on which the reference is slow.
    fn record_slow_answer(&self, index: u64, generated: &GeneratedInput) {
        let whole = self.plan.inputs.restore_value(generated.clone(), self.plan.seed, index);
        if let (Some(format), Some(value)) = (self.plan.inputs.input_format(), &whole.value) {
            self.slow_inputs.record_slow_answer(format, value);
        }
    }

    /// Returns a constraint on the inputs with which the reference is faster, if it was slow.
    pub(super) fn suggest_smaller_inputs(&self) -> Option<String> {
        self.slow_inputs.suggest_constraint(self.plan.inputs.generation_plan()?)
    }

    /// Runs the submissions on an input with its answer. `outcomes` are those of speculative runs.
    fn test_submissions(
        &self,
        index: u64,
        (generated, answer): (&GeneratedInput, &[u8]),
        outcomes: Vec<Option<RunOutcome>>,
        report: &mut InputReport,
        clock: &mut ActivityTimer,
    ) -> Result<()> {
        let mut outcomes = outcomes.into_iter();
        for (i, submission) in self.plan.submissions.iter().enumerate() {
            let judge_setup = self.setup_for(&submission.program, index);
            let outcome = outcomes.next().flatten();
            if !self.hits.frontier.is_wanted_at(i, index) {
                continue;
            }
            // A run before its turn was timed then.
            let is_timed = outcome.is_none();
            if is_timed {
                clock.restart_lap();
            }
            let mut ended = || {
                if is_timed {
                    clock.record_lap(2)
                }
            };
            let case = (generated.bytes.as_slice(), answer);
            let run_result = judge_setup.judge_run_or_reuse(&submission.program, outcome, case, &mut ended)?;
            clock.record_lap(3);
            report.cpu_time_us += run_result.outcome.cpu_time_us;
            let longest = run_result.conversation.map(|ConversationLength { messages, questions, .. }| {
                let input = input_on_a_line(&generated.bytes).unwrap_or_default();
                LongestConversation { messages, index: Reverse(index), questions, input }
            });
            report.longest = report.longest.take().max(longest);
            // If the submission has failed before, a further failure in new processes needs no confirmation; nor does one that
            // takes its whole time, which is run again later.
            let is_known = self.is_exact(&submission.program, index)
                && (run_result.verdict == Verdict::TimeLimit
                    || self.hits.frontier.has_failed(i) && self.is_exact(&self.plan.judge_setup.reference, index));
            if run_result.verdict != Verdict::Accepted && !is_known {
                self.confirm_in_new_process(i, index, generated, (answer, run_result), report)?;
                continue;
            }
            report.verdicts.push((i, run_result.verdict));
            if run_result.verdict != Verdict::Accepted {
                self.record_submission_hit(i, index, generated, answer, run_result, report);
            }
        }
        Ok(())
    }

    /// Runs a failing input again in a new process, and records a hit if it fails again; otherwise the search
    /// continues. Failures may be random, so the input is retried several times. But a program can fail in every fork
    /// and in no new process, so after many unconfirmed failures there is only one retry. `first` is the failure, with the answer
    /// that it was judged by.
    fn confirm_in_new_process(
        &self,
        i: usize,
        index: u64,
        generated: &GeneratedInput,
        first: (&[u8], RunResult),
        report: &mut InputReport,
    ) -> Result<()> {
        let ReferenceAnswer::Known(answer) = self.exact_setup.run_reference(&generated.bytes)? else { return Ok(()) };
        if self.is_by_chance(generated, &first, &answer)? {
            // The failure is examined with the answer that will not come again: that blames the reference.
            report.verdicts.push((i, first.1.verdict));
            self.record_submission_hit(i, index, generated, first.0, first.1, report);
            return Ok(());
        }
        let max_runs =
            if self.unconfirmed[i].load(Ordering::Relaxed) < MAX_RETRIED_FAILURES { CONFIRMATION_RUNS } else { 1 };
        let run =
            |setup: &JudgeSetup| setup.run_and_judge(&self.plan.submissions[i].program, &generated.bytes, &answer);
        let mut run_result = run(&self.exact_setup)?;
        for _ in 1..max_runs {
            if run_result.verdict != Verdict::Accepted {
                break;
            }
            run_result = run(&self.exact_setup)?;
        }
        report.verdicts.push((i, run_result.verdict));
        if run_result.verdict == Verdict::Accepted {
            self.unconfirmed[i].fetch_add(1, Ordering::Relaxed);
            let mut in_fork = self.uses_fork_server(i);
            // A failure of forks alone comes in each of them: otherwise it depends on chance.
            for _ in 1..max_runs {
                in_fork = in_fork && run(&self.plan.judge_setup)?.verdict != Verdict::Accepted;
            }
            report.unconfirmed.push(UnconfirmedFailure { submission: i, index, in_fork });
        } else {
            self.record_submission_hit(i, index, generated, &answer, run_result, report);
        }
        Ok(())
    }

    /// Returns true if the reference has another answer to an input than at first, which is no effect of the fork server either, and
    /// the judge refuses the one beside the other.
    fn is_by_chance(&self, generated: &GeneratedInput, first: &(&[u8], RunResult), answer: &[u8]) -> Result<bool> {
        let (first_answer, RunResult { verdict, .. }) = first;
        if answer == *first_answer
            || *verdict != Verdict::WrongAnswer
            || self.exact_setup.judge_output(&generated.bytes, first_answer, answer)? == Judgement::Accepted
        {
            return Ok(false);
        }
        let again = self.plan.judge_setup.run_reference(&generated.bytes)?;
        Ok(!matches!(again, ReferenceAnswer::Known(again) if again == *first_answer))
    }

    /// Returns true if a submission is run by a fork server.
    fn uses_fork_server(&self, i: usize) -> bool {
        self.plan.judge_setup.engine == RunEngine::Quick && self.plan.submissions[i].program.has_fast_path()
    }

    /// Records a confirmed failure of a submission.
    fn record_submission_hit(
        &self,
        i: usize,
        index: u64,
        generated: &GeneratedInput,
        answer: &[u8],
        run_result: RunResult,
        report: &mut InputReport,
    ) {
        let (kind, elapsed_ms) = (run_result.kind, to_millis(self.start.elapsed()));
        report.failures.push(SearchFailure { submission: Some(i), kind, elapsed_ms });
        self.hits.record_hit(SearchHit {
            submission: Some(i),
            index,
            input: generated.clone(),
            answer: answer.to_vec(),
            run_result,
            elapsed_ms,
        });
    }

    /// Records a failure of the reference, beyond which no inputs are tested.
    fn record_reference_hit(
        &self,
        index: u64,
        generated: GeneratedInput,
        outcome: RunOutcome,
        report: &mut InputReport,
    ) {
        let (run_result, elapsed_ms) = (JudgeSetup::reference_failure(outcome), to_millis(self.start.elapsed()));
        report.failures.push(SearchFailure { submission: None, kind: run_result.kind, elapsed_ms });
        self.hits.record_hit(SearchHit {
            submission: None,
            index,
            input: generated,
            answer: Vec::new(),
            run_result,
            elapsed_ms,
        });
    }
}

// A worker of a search: takes the next inputs, generates and tests them.

/// A worker, and what it shares with the others.
#[derive(Clone)]
pub(super) struct SearchWorker<'s, 'a> {
    pub(super) plan: &'s StressPlan<'a>,
    pub(super) tester: &'s InputTester<'s, 'a>,
    pub(super) end: &'s SearchEnd<'s, 'a>,
    pub(super) hits: &'s SearchHits,
    /// The next index to be taken by a worker.
    pub(super) next_index: &'s AtomicU64,
    /// In an exhaustive search, the files that were run.
    pub(super) files: &'s Mutex<ExhaustiveProgress>,
}

impl SearchWorker<'_, '_> {
    /// Tests batches of inputs until the search is finished. `take` receives the report on each input, and returns false to
    /// end the worker.
    pub(super) fn run_worker(&self, take: &mut dyn FnMut(&InputReport) -> bool) {
        let mut report = InputReport::default();
        let mut batch_size = AdaptiveBatchSize::new();
        loop {
            let since = Instant::now();
            let first = self.next_index.fetch_add(batch_size.inputs, Ordering::SeqCst);
            let mut indices = first..first + batch_size.inputs;
            let mut cpu_time_us = 0;
            while !indices.is_empty() {
                let first = indices.start;
                let batch = self.prepare_batch(&mut indices);
                for (index, speculative) in (first..).zip(batch) {
                    if !self.process_input(index, speculative, &mut report) || !take(&report) {
                        return;
                    }
                    cpu_time_us += report.cpu_time_us;
                }
                if self.end.is_finished_at(indices.start) {
                    return;
                }
            }
            batch_size.update_after_batch(Duration::from_micros(cpu_time_us), since.elapsed());
        }
    }

    /// Tests one input when its turn comes. Returns false if the worker is finished.
    fn process_input(&self, index: u64, speculative: SpeculativeInput, report: &mut InputReport) -> bool {
        if self.end.is_finished_at(index) {
            return false;
        }
        match self.tester.test_input(index, speculative, report) {
            Ok(()) => self.record_file_run(index, report),
            Err(error) => {
                self.end.stop_with_error(index, error);
                return false;
            }
        }
        true
    }

    /// Generates the next inputs, stopping at the index where the search ends or when they become large, and runs them
    /// speculatively.
    fn prepare_batch(&self, indices: &mut Range<u64>) -> Vec<SpeculativeInput> {
        let first = indices.start;
        // Nothing of this batch, nor anything before it, waits for a compiler while later inputs are run.
        self.plan.inputs.prepare_guide(first);
        let (mut all, mut are_quick, mut bytes) = (Vec::new(), Vec::new(), 0);
        let mut scratch = ScratchBuffers::default();
        let mut clock = ActivityTimer::start_now();
        let ends_before =
            |index: u64| self.end.is_finished_at(index) || index > first && self.plan.inputs.begins_guiding_at(index);
        while bytes < MAX_SEARCH_BATCH_BYTES
            && let Some(index) = indices.clone().next().filter(|index| !ends_before(*index))
        {
            indices.start = index + 1;
            let mut generated = self.plan.inputs.make_input_to_run(self.plan.seed, index, &mut scratch);
            let has_slow_case = generated
                .as_mut()
                .is_ok_and(|input| input.as_mut().is_some_and(|input| self.tester.has_slow_case(index, input)));
            bytes += generated.iter().flatten().map(|generated| generated.bytes.len()).sum::<usize>();
            are_quick.push(!self.tester.has_exact_run(index) && !has_slow_case);
            all.push(SpeculativeInput::new(generated));
        }
        clock.record_lap(0);
        if let Some(first) = all.first_mut() {
            first.spent = clock.spent_ns;
        }
        let batch: Vec<&mut SpeculativeInput> = all
            .iter_mut()
            .zip(are_quick)
            .filter_map(|(speculative, is_quick)| is_quick.then_some(speculative))
            .collect();
        let submissions = self.plan.submissions.iter().enumerate();
        let submissions: Vec<Option<&Program>> = submissions
            .map(|(i, submission)| self.hits.frontier.is_wanted_at(i, first).then_some(&submission.program))
            .collect();
        run_speculatively(&self.plan.judge_setup, batch, &submissions, &|| self.end.is_finished_at(first));
        all
    }

    /// Records a file as run in the progress of an exhaustive search.
    fn record_file_run(&self, index: u64, report: &InputReport) {
        // Indices beyond the last file are ignored.
        if self.plan.inputs.last_input_elements(index).is_some()
            && !self.end.is_stopped()
            && let Ok(mut progress) = self.files.lock()
        {
            progress.record_file(index, report.cases as u64, report.too_slow);
        }
    }
}
