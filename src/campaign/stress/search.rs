//! The search: generates inputs in order and runs every submission on each, until all submissions have failed or the
//! budget is used up.
//!
//! Workers take the next index from a shared counter, so an input with a lower index is always started earlier, and
//! workers finish every input that they have started. The failure with the lowest index is therefore the same for any
//! number of workers.

use super::exhaustive_progress::ExhaustiveProgress;
use super::search_stats::{InputReport, SearchTally, count_answer_labels};
use super::search_warnings::{
    chance_failure_warning, fork_server_failure_warning, no_fork_server_warning, reference_too_slow_error,
};
use super::slow_inputs::SlowInputs;
use super::stress_plan::{SearchHit, SearchResult, StressPlan};
use crate::campaign::input_reading::explain_input_misuse;
use crate::campaign::inputs::GeneratedInput;
use crate::campaign::judging::{
    ActivityTimer, AdaptiveBatchSize, JudgeSetup, ReferenceAnswer, RunEngine, RunResult, SpeculativeInput,
    SpeculativeRuns, run_speculatively,
};
use crate::campaign::predicate::CONFIRMATION_RUNS;
use crate::event::{EndReason, Event, EventSink, SearchProgress, SubmissionFailed, WarningEvent};
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_format::generate::ScratchBuffers;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ProcessorSet, Program, RunOutcome};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Maximum total size in bytes of the inputs generated in advance.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// Maximum number of kinds of failure kept per submission with `--keep-going`.
const MAX_KINDS_PER_SUBMISSION: usize = 4;

/// Number of unconfirmed failures per submission after which further failures are retried only once.
const MAX_RETRIED_FAILURES: u64 = 8;

/// Number of inputs after which the search gives up if the reference was too slow on all of them.
const MAX_SLOW_INPUTS: u64 = 20;

/// Runs a search to its end.
///
/// # Errors
/// Returns an error if inputs cannot be generated or programs cannot be started. An interrupt is not an error, but an
/// [`EndReason`].
pub fn run_search(plan: &StressPlan<'_>, sink: &mut dyn EventSink) -> Result<SearchResult> {
    let state = SearchState::new(plan);
    // Runs that are still in progress when the time is up are stopped and do not count.
    let phase = plan.time_budget.map(|budget| plan.judge_setup.cancel.begin_phase(budget));
    let (sender, receiver) = channel();
    let processors = ProcessorSet::from_current_thread();
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs.max(1) {
            let (sender, state, processors) = (sender.clone(), &state, &processors);
            scope.spawn(move || {
                processors.pin_thread(worker);
                state.run_worker(sender);
            });
        }
        drop(sender);
        let (tally, timed_out) = state.collect_reports(&receiver, sink);
        // The time is up, but failing inputs are generated once more below, which must not be cancelled.
        drop(phase);
        state.take_search_result(tally, timed_out)
    })
}

/// The state of a search, shared by its workers.
struct SearchState<'p, 'a> {
    plan: &'p StressPlan<'a>,
    /// Same as the plan's judge setup, with the exact engine.
    exact_setup: JudgeSetup,
    start: Instant,
    /// The next index to be taken by a worker.
    next: AtomicU64,
    stop: AtomicBool,
    /// Lowest index at which the reference failed. Inputs beyond it are not tested.
    reference_failed: AtomicU64,
    /// What the reference is known to be too slow on.
    slow_inputs: SlowInputs,
    /// Lowest failing index of each submission.
    failed: Vec<AtomicU64>,
    /// For each submission, the number of failures that did not occur again in a new process.
    unconfirmed: Vec<AtomicU64>,
    hits: Mutex<Vec<SearchHit>>,
    exhaustive_progress: Mutex<ExhaustiveProgress>,
    /// The error at the lowest index.
    error: Mutex<Option<(u64, Error)>>,
}

impl<'p, 'a> SearchState<'p, 'a> {
    fn new(plan: &'p StressPlan<'a>) -> Self {
        SearchState {
            plan,
            exact_setup: plan.judge_setup.with_engine(RunEngine::Exec),
            start: Instant::now(),
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            reference_failed: AtomicU64::new(u64::MAX),
            slow_inputs: SlowInputs::default(),
            failed: plan.submissions.iter().map(|_| AtomicU64::new(u64::MAX)).collect(),
            unconfirmed: plan.submissions.iter().map(|_| AtomicU64::new(0)).collect(),
            hits: Mutex::new(Vec::new()),
            exhaustive_progress: Mutex::default(),
            error: Mutex::new(None),
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Tests batches of inputs until the search is finished.
    fn run_worker(&self, sender: Sender<InputReport>) {
        let mut batch_size = AdaptiveBatchSize::new();
        loop {
            let since = Instant::now();
            let first = self.next.fetch_add(batch_size.inputs, Ordering::SeqCst);
            let mut indices = first..first + batch_size.inputs;
            while !indices.is_empty() {
                let first = indices.start;
                let batch = self.prepare_batch(&mut indices);
                for (index, speculative) in (first..).zip(batch) {
                    if !self.process_input(index, speculative, &sender) {
                        return;
                    }
                }
                if self.is_finished_at(indices.start) {
                    return;
                }
            }
            batch_size.update_after_batch(since.elapsed());
        }
    }

    /// Tests one input when its turn comes. Returns false if the worker is finished.
    fn process_input(&self, index: u64, speculative: SpeculativeInput, sender: &Sender<InputReport>) -> bool {
        if self.is_finished_at(index) {
            return false;
        }
        match self.test_input(index, speculative) {
            Ok(Some(report)) => {
                self.record_file_run(index, report.cases as u64);
                sender.send(report).is_ok()
            }
            Ok(None) => {
                self.record_file_run(index, 0);
                true
            }
            Err(error) => {
                self.stop_with_error(index, error);
                false
            }
        }
    }

    /// Generates the next inputs, stopping at the index where the search ends or when they become large, and runs them
    /// speculatively.
    fn prepare_batch(&self, indices: &mut Range<u64>) -> Vec<SpeculativeInput> {
        let first = indices.start;
        let (mut all, mut are_quick, mut bytes) = (Vec::new(), Vec::new(), 0);
        let mut scratch = ScratchBuffers::default();
        while bytes < MAX_BATCH_BYTES
            && let Some(index) = indices.clone().next().filter(|index| !self.is_finished_at(*index))
        {
            indices.start = index + 1;
            let mut clock = ActivityTimer::start_now();
            let mut generated = self.plan.inputs.make_input_to_run(self.plan.seed, index, &mut scratch);
            let has_slow_case = generated
                .as_mut()
                .is_ok_and(|input| input.as_mut().is_some_and(|input| self.has_slow_case(index, input)));
            clock.record_lap(0);
            bytes += generated.iter().flatten().map(|generated| generated.bytes.len()).sum::<usize>();
            let has_usual_engine = self.judge_setup_for(index).engine == self.plan.judge_setup.engine;
            are_quick.push(has_usual_engine && !has_slow_case);
            all.push(SpeculativeInput::new(generated, &clock));
        }
        let batch: Vec<&mut SpeculativeInput> = all
            .iter_mut()
            .zip(are_quick)
            .filter_map(|(speculative, is_quick)| is_quick.then_some(speculative))
            .collect();
        let submissions = self.plan.submissions.iter().zip(&self.failed);
        let submissions: Vec<Option<&Program>> = submissions
            .map(|(submission, failed)| {
                let is_wanted = self.plan.keep_going || failed.load(Ordering::SeqCst) >= first;
                is_wanted.then_some(&submission.program)
            })
            .collect();
        run_speculatively(&self.plan.judge_setup, batch, &submissions, &|| self.is_finished_at(first));
        all
    }

    /// Records a file as run in the progress of an exhaustive search.
    fn record_file_run(&self, index: u64, inputs: u64) {
        // Indices beyond the last file are ignored.
        if self.plan.inputs.last_input_elements(index).is_some()
            && !self.stop.load(Ordering::SeqCst)
            && let Ok(mut progress) = self.exhaustive_progress.lock()
        {
            progress.record_file(index, inputs);
        }
    }

    /// Returns true if this index and all later ones need not be tested.
    fn is_finished_at(&self, index: u64) -> bool {
        let beyond = |limit: &AtomicU64| limit.load(Ordering::SeqCst) < index;
        self.stop.load(Ordering::SeqCst)
            || self.plan.judge_setup.cancel.is_cancelled()
            || self.plan.inputs.is_past_end(index)
            || self.plan.case_budget.is_some_and(|budget| index >= budget)
            || beyond(&self.reference_failed)
            || !self.plan.keep_going && self.failed.iter().all(beyond)
    }

    /// Stops the search, and keeps the error with the lowest index.
    fn stop_with_error(&self, index: u64, error: Error) {
        self.stop.store(true, Ordering::SeqCst);
        if let Ok(mut first) = self.error.lock()
            && first.as_ref().is_none_or(|(at, _)| index < *at)
            && error.kind() != ErrorKind::Interrupted
        {
            *first = Some((index, error));
        }
    }

    /// Tests one input. Returns `None` if the validators refuse it.
    fn test_input(&self, index: u64, speculative: SpeculativeInput) -> Result<Option<InputReport>> {
        let mut clock = ActivityTimer::start_now();
        clock.spent_ns = speculative.spent;
        let Some(generated) = speculative.input? else { return Ok(None) };
        let mut report = InputReport { shape: generated.shape.clone(), ..InputReport::default() };
        self.answer_and_test(index, generated, speculative.runs, &mut report, &mut clock)?;
        report.spent_ns = clock.spent_ns;
        Ok(Some(report))
    }

    /// Returns the judge setup for an input. All forks of a process have the same addresses and memory contents, so
    /// failures that depend on these may never occur in a fork. Some inputs are therefore run in new processes, each of
    /// which costs as much as four forks. After the first thousand inputs these become fewer, since a failure that has
    /// not occurred by then is rare.
    fn judge_setup_for(&self, index: u64) -> &JudgeSetup {
        const EARLY_INPUTS: u64 = 1024;
        let interval = if index < EARLY_INPUTS { 32 } else { 128 };
        if index.is_multiple_of(interval) { &self.exact_setup } else { &self.plan.judge_setup }
    }

    /// Returns true if the reference is known to be too slow on a case of an input.
    fn has_slow_case(&self, index: u64, input: &mut GeneratedInput) -> bool {
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
        clock.record_lap(0);
        let judge_setup = self.judge_setup_for(index);
        let (generated, runs) = match &runs.answer {
            Some(_) => (generated, runs),
            None => match self.drop_slow_cases(index, generated, report) {
                Some(generated) => (generated, SpeculativeRuns::default()),
                None => return Ok(()),
            },
        };
        let (mut answer, cpu_time_us) =
            runs.answer.map_or_else(|| judge_setup.run_reference_timed(&generated.bytes), Ok)?;
        if judge_setup.engine != RunEngine::Exec && matches!(answer, ReferenceAnswer::Failed(_)) {
            answer = self.exact_setup.run_reference(&generated.bytes)?;
        }
        report.cpu_time_us += cpu_time_us;
        clock.record_lap(1);
        match answer {
            ReferenceAnswer::TooSlow => {
                let whole = self.plan.inputs.restore_value(generated, self.plan.seed, index);
                match self.plan.inputs.split_cases_in_half(&whole) {
                    Some(halves) => {
                        for half in halves.into_iter().filter(|_| !self.stop.load(Ordering::SeqCst)) {
                            self.answer_and_test(index, half, SpeculativeRuns::default(), report, clock)?;
                        }
                    }
                    None => {
                        report.too_slow += 1;
                        // Of several cases, it is not known which is slow.
                        if let (Some(format), Some(value), 1) =
                            (self.plan.inputs.input_format(), &whole.value, whole.cases)
                        {
                            self.slow_inputs.record_input(format, value);
                        }
                    }
                }
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

    /// Runs the submissions on an input with its answer. `outcomes` are those of speculative runs.
    fn test_submissions(
        &self,
        index: u64,
        (generated, answer): (&GeneratedInput, &[u8]),
        outcomes: Vec<Option<RunOutcome>>,
        report: &mut InputReport,
        clock: &mut ActivityTimer,
    ) -> Result<()> {
        let judge_setup = self.judge_setup_for(index);
        let mut outcomes = outcomes.into_iter();
        for (i, submission) in self.plan.submissions.iter().enumerate() {
            let outcome = outcomes.next().flatten();
            if !self.plan.keep_going && self.failed[i].load(Ordering::SeqCst) < index {
                continue;
            }
            clock.restart_lap();
            let case = (generated.bytes.as_slice(), answer);
            let run_result =
                judge_setup.judge_run_or_reuse(&submission.program, outcome, case, &mut || clock.record_lap(2))?;
            clock.record_lap(3);
            report.cpu_time_us += run_result.outcome.cpu_time_us;
            // If the submission has failed before, a further failure in a new process needs no confirmation.
            let is_known = judge_setup.engine == RunEngine::Exec && self.failed[i].load(Ordering::SeqCst) != u64::MAX;
            if run_result.verdict != Verdict::Accepted && !is_known {
                self.confirm_in_new_process(i, index, generated, report)?;
                continue;
            }
            report.verdicts.push(run_result.verdict);
            if run_result.verdict != Verdict::Accepted {
                self.record_submission_hit(i, index, generated, answer, run_result, report);
            }
        }
        Ok(())
    }

    /// Runs a failing input again in a new process, and records a hit if it fails again; otherwise the search
    /// continues. Failures may be random, so the input is retried several times. But a program can fail in every fork
    /// and in no new process, so after many unconfirmed failures there is only one retry.
    fn confirm_in_new_process(
        &self,
        i: usize,
        index: u64,
        generated: &GeneratedInput,
        report: &mut InputReport,
    ) -> Result<()> {
        let ReferenceAnswer::Known(answer) = self.exact_setup.run_reference(&generated.bytes)? else { return Ok(()) };
        let max_runs =
            if self.unconfirmed[i].load(Ordering::Relaxed) < MAX_RETRIED_FAILURES { CONFIRMATION_RUNS } else { 1 };
        let run = || self.exact_setup.run_and_judge(&self.plan.submissions[i].program, &generated.bytes, &answer);
        let mut run_result = run()?;
        for _ in 1..max_runs {
            if run_result.verdict != Verdict::Accepted {
                break;
            }
            run_result = run()?;
        }
        report.verdicts.push(run_result.verdict);
        if run_result.verdict == Verdict::Accepted {
            self.unconfirmed[i].fetch_add(1, Ordering::Relaxed);
            report.unconfirmed.push((i, index));
        } else {
            self.record_submission_hit(i, index, generated, &answer, run_result, report);
        }
        Ok(())
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
        let is_first = self.failed[i].fetch_min(index, Ordering::SeqCst) == u64::MAX;
        let name = self.plan.submissions[i].name.clone();
        if is_first {
            report.failed.push(self.failure_event(name, run_result.verdict, index, &generated.shape));
        }
        let hit = SearchHit {
            submission: Some(i),
            index,
            input: generated.clone(),
            answer: answer.to_vec(),
            run_result,
            elapsed_ms: self.elapsed_ms(),
        };
        self.keep_first_hit(hit);
    }

    /// Records a failure of the reference, beyond which no inputs are tested.
    fn record_reference_hit(
        &self,
        index: u64,
        generated: GeneratedInput,
        outcome: RunOutcome,
        report: &mut InputReport,
    ) {
        self.reference_failed.fetch_min(index, Ordering::SeqCst);
        let name = self.plan.judge_setup.reference.display_name().to_owned();
        report.failed.push(self.failure_event(name, Verdict::JudgeError, index, &generated.shape));
        let run_result = JudgeSetup::reference_failure(outcome);
        let elapsed_ms = self.elapsed_ms();
        self.keep_first_hit(SearchHit {
            submission: None,
            index,
            input: generated,
            answer: Vec::new(),
            run_result,
            elapsed_ms,
        });
    }

    fn failure_event(&self, submission: String, verdict: Verdict, index: u64, shape: &str) -> SubmissionFailed {
        SubmissionFailed {
            submission,
            verdict,
            case: index + 1,
            shape: shape.to_owned(),
            elapsed_ms: self.elapsed_ms(),
        }
    }

    /// Keeps a hit if it is the first of its kind, or if the one kept has a higher index.
    fn keep_first_hit(&self, hit: SearchHit) {
        let Ok(mut hits) = self.hits.lock() else { return };
        let is_same_kind = |h: &SearchHit| {
            h.submission == hit.submission && (!self.plan.keep_going || h.run_result.kind == hit.run_result.kind)
        };
        match hits.iter().position(is_same_kind) {
            Some(at) if hits[at].index > hit.index => hits[at] = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }

    /// Merges the workers' reports into the progress until all are done. Also returns whether the time was up.
    fn collect_reports(&self, receiver: &Receiver<InputReport>, sink: &mut dyn EventSink) -> (SearchTally, bool) {
        const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
        const POLL_INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(25)];
        let mut tally = SearchTally::default();
        let mut last_progress = Instant::now();
        let (mut timed_out, mut has_given_up) = (false, false);
        let mut warned_programs = HashSet::new();
        loop {
            match receiver.try_recv() {
                Ok(report) => {
                    for failed in &report.failed {
                        sink.take_event(&Event::Failed(failed.clone()));
                    }
                    for (i, index) in &report.unconfirmed {
                        if tally.unconfirmed.insert(*i) {
                            sink.take_event(&Event::Warning(self.unconfirmed_warning(*i, *index)));
                        }
                    }
                    tally.add_report(report);
                }
                // Poll instead of blocking: a blocked receiver is woken for every report, which slows the workers down.
                // The longer the search has run, the longer the interval can be.
                Err(TryRecvError::Empty) => {
                    std::thread::sleep((self.start.elapsed() / 32).clamp(POLL_INTERVALS[0], POLL_INTERVALS[1]));
                }
                Err(TryRecvError::Disconnected) => break,
            }
            if self.is_out_of_time() {
                timed_out = true;
                self.stop.store(true, Ordering::SeqCst);
            }
            if !has_given_up && tally.progress.skipped >= MAX_SLOW_INPUTS && tally.progress.cases == 0 {
                has_given_up = true;
                // The explanation runs the reference, so the workers are stopped before.
                self.stop.store(true, Ordering::SeqCst);
                self.stop_with_error(0, self.slow_reference_error());
            }
            if last_progress.elapsed() >= PROGRESS_INTERVAL {
                last_progress = Instant::now();
                sink.take_event(&Event::Progress(self.current_progress(&tally)));
                self.warn_of_missing_fork_server(&mut warned_programs, sink);
            }
        }
        self.warn_of_missing_fork_server(&mut warned_programs, sink);
        // If the last run was stopped at the timeout, its worker can finish before the timeout is noticed here.
        (tally, timed_out || self.is_out_of_time() && self.stop.load(Ordering::SeqCst))
    }

    /// Returns the error for a reference that is too slow, with the reason if it misuses its input.
    fn slow_reference_error(&self) -> Error {
        let error = reference_too_slow_error(self.plan.judge_setup.reference.display_name(), MAX_SLOW_INPUTS);
        match explain_slow_reference(self.plan) {
            Some(reason) => error.with_note(reason),
            None => error,
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.plan.time_budget.is_some_and(|budget| self.start.elapsed() >= budget)
    }

    /// Emits a warning for each program that cannot use the fork server, once per program.
    fn warn_of_missing_fork_server(&self, warned_programs: &mut HashSet<String>, sink: &mut dyn EventSink) {
        let submissions = self.plan.submissions.iter().map(|submission| &submission.program);
        for program in submissions.chain([&self.plan.judge_setup.reference]) {
            if let Some(reason) = program.fast_path_refusal()
                && warned_programs.insert(program.display_name().to_owned())
            {
                sink.take_event(&Event::Warning(no_fork_server_warning(program.display_name(), &reason)));
            }
        }
    }

    /// Returns the progress, including the time spent in generators and validators.
    fn current_progress(&self, tally: &SearchTally) -> SearchProgress {
        let mut progress = tally.to_progress(self.elapsed_ms());
        progress.refused = self.plan.inputs.refused_count();
        progress.programs_cpu_time_us += self.plan.inputs.programs_cpu_time_us();
        progress
    }

    /// Returns true if a submission is run by a fork server.
    fn uses_fork_server(&self, i: usize) -> bool {
        self.plan.judge_setup.engine == RunEngine::Quick && self.plan.submissions[i].program.has_fast_path()
    }

    fn unconfirmed_warning(&self, i: usize, index: u64) -> WarningEvent {
        let name = &self.plan.submissions[i].name;
        if self.uses_fork_server(i) {
            fork_server_failure_warning(name, index)
        } else {
            chance_failure_warning(name, index)
        }
    }

    /// Combines the results of the workers when all are done.
    fn take_search_result(&self, tally: SearchTally, timed_out: bool) -> Result<SearchResult> {
        let error = self.error.lock().ok().and_then(|mut e| e.take());
        let mut hits = self.hits.lock().map(|mut h| std::mem::take(&mut *h)).unwrap_or_default();
        hits.sort_by_key(|h| (h.index, h.submission));
        let beyond = self.reference_failed.load(Ordering::SeqCst);
        hits.retain(|h| h.index <= beyond);
        let mut kept = vec![0; self.plan.submissions.len()];
        hits.retain(|h| {
            let Some(i) = h.submission else { return true };
            kept[i] += 1;
            kept[i] <= MAX_KINDS_PER_SUBMISSION
        });
        let with_value = |generated, index| self.plan.inputs.restore_value(generated, self.plan.seed, index);
        let hits: Vec<SearchHit> =
            hits.into_iter().map(|hit| SearchHit { input: with_value(hit.input, hit.index), ..hit }).collect();
        // Failures that were found take precedence over the error that ended the search.
        if let (Some((_, error)), true) = (error, hits.is_empty()) {
            return Err(error);
        }
        let reason = if beyond != u64::MAX {
            EndReason::JudgeError
        } else if self.plan.judge_setup.cancel.is_cancel_requested() {
            EndReason::Interrupted
        } else if timed_out {
            EndReason::Time
        } else if hits.is_empty() && tally.progress.skipped == 0 && self.plan.inputs.is_complete() {
            EndReason::Exhausted
        } else if self.failed.iter().all(|f| f.load(Ordering::SeqCst) != u64::MAX) && !self.plan.keep_going {
            EndReason::Done
        } else {
            EndReason::Cases
        };
        let progress =
            self.exhaustive_progress.lock().map(|mut progress| std::mem::take(&mut *progress)).unwrap_or_default();
        let flaky = tally.unconfirmed.iter().filter(|i| !self.uses_fork_server(**i)).count();
        Ok(SearchResult { hits, progress: self.current_progress(&tally), reason, exhaustive_progress: progress, flaky })
    }
}

/// Returns why the reference is too slow on the first input, if it misuses its input. After an error there is no
/// explanation.
pub fn explain_slow_reference(plan: &StressPlan<'_>) -> Option<String> {
    let generated = plan.inputs.make_input(plan.seed, 0).ok().flatten()?;
    let JudgeSetup { reference, judge_limits, cancel, .. } = &plan.judge_setup;
    explain_input_misuse(reference, &generated.bytes, judge_limits, cancel).ok().flatten()
}
