//! Collects the reports of the workers of a search, shows its progress, and ends it when the time is up.

use super::block_builder::SearchBlock;
use super::search_end::SearchEnd;
use super::search_fold::SearchFold;
use super::search_stats::SearchSums;
use super::search_warnings::{no_fork_server_warning, reference_too_slow_error};
use super::stress_plan::StressPlan;
use crate::event::{Event, EventSink, SearchProgress};
use crate::input_reading::explain_input_misuse;
use crate::judging::JudgeSetup;
use crate::tuning::{
    LONG_RUN, MAX_LAST_RUNS, MAX_SLOW_INPUTS, MIN_CONCLUSIVE_CASES, POLL_INTERVALS, PROGRESS_INTERVAL,
    RUN_TIME_PER_POLL,
};
use rebut_diagnostics::{Error, to_millis};
use rebut_sandbox::PhaseGuard;
use std::collections::{BTreeMap, HashSet};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// The sum of the reports of a search, and what was emitted of it.
pub(super) struct ReportCollector<'s, 'a> {
    plan: &'s StressPlan<'a>,
    end: &'s SearchEnd<'s, 'a>,
    start: Instant,
    /// The progress that is shown while the search runs.
    tally: SearchSums,
    /// The result, input by input in order.
    fold: SearchFold,
    /// The blocks that wait for the inputs before them, by their first index.
    waiting: BTreeMap<u64, SearchBlock>,
    /// Index of the next input to be folded, and when the one before it was.
    next_index: u64,
    folded: Instant,
    /// How long the first input had been run that did not end although the search waited for it.
    unfinished: Option<Duration>,
    /// The programs for which the warning about a missing fork server was emitted.
    warned_programs: HashSet<String>,
}

impl<'s, 'a> ReportCollector<'s, 'a> {
    /// Creates the collector of a search that began at `start`.
    pub(super) fn new(plan: &'s StressPlan<'a>, end: &'s SearchEnd<'s, 'a>, start: Instant) -> Self {
        ReportCollector {
            plan,
            end,
            start,
            tally: SearchSums::default(),
            fold: SearchFold::new(plan.submissions.len(), plan.keep_going),
            waiting: BTreeMap::new(),
            next_index: 0,
            folded: start,
            unfinished: None,
            warned_programs: HashSet::new(),
        }
    }

    /// Merges the workers' reports into the progress until all are done. Returns whether the time was up. Runs that are
    /// still in progress after the `phase` are stopped and do not count.
    pub(super) fn collect_reports(
        &mut self,
        receiver: &Receiver<SearchBlock>,
        mut phase: Option<PhaseGuard>,
        sink: &mut dyn EventSink,
    ) -> bool {
        let mut last_progress = Instant::now();
        let mut last_phase = None;
        let (mut timed_out, mut has_given_up) = (false, false);
        // The input that had been run for long when the time was up.
        let mut long_run = None;
        loop {
            match receiver.try_recv() {
                Ok(block) => self.add_block(block, sink),
                // Poll instead of blocking: a blocked receiver is woken for every block, which slows the workers down.
                // The longer the search has run, the longer the interval can be.
                Err(TryRecvError::Empty) => {
                    std::thread::sleep(
                        (self.start.elapsed() / RUN_TIME_PER_POLL).clamp(POLL_INTERVALS[0], POLL_INTERVALS[1]),
                    );
                }
                Err(TryRecvError::Disconnected) => break,
            }
            if self.is_out_of_time() {
                if !timed_out {
                    long_run = Some(self.next_index).filter(|_| self.folded.elapsed() >= LONG_RUN);
                    let is_short = long_run.is_some() || self.tally.counts.test_cases < MIN_CONCLUSIVE_CASES;
                    if last_phase.is_none() {
                        // Long runs, and those of few inputs, are finished: a submission that hangs is the result.
                        drop(phase.take());
                        let last_runs = if is_short { MAX_LAST_RUNS } else { Duration::ZERO };
                        phase = Some(self.plan.judge_setup.cancel.begin_phase(last_runs));
                    }
                }
                timed_out = true;
                if self.may_end(long_run) || self.plan.judge_setup.cancel.is_cancelled() {
                    self.end.stop_search();
                }
            }
            if last_phase.is_none() && self.end.is_settled() {
                // A slow reference on an earlier input must not delay the failure that was found.
                last_phase = Some(self.plan.judge_setup.cancel.begin_phase(Duration::ZERO));
            }
            if !has_given_up
                && !timed_out
                && self.tally.counts.skipped >= MAX_SLOW_INPUTS
                && self.tally.counts.cases == 0
            {
                has_given_up = true;
                // The explanation runs the reference, so the workers are stopped before.
                self.end.stop_search();
                self.end.stop_with_error(0, slow_reference_error(self.plan));
            }
            if last_progress.elapsed() >= PROGRESS_INTERVAL {
                last_progress = Instant::now();
                sink.take_event(&Event::Progress(self.current_progress()));
                self.warn_of_missing_fork_server(sink);
            }
        }
        self.unfinished = Some(self.folded.elapsed()).filter(|_| long_run == Some(self.next_index));
        // An interrupt leaves a gap of inputs, which count as not begun.
        while let Some((_, block)) = self.waiting.pop_first() {
            self.fold_block(&block, sink);
        }
        self.warn_of_missing_fork_server(sink);
        drop((last_phase, phase));
        // If the last run was stopped at the timeout, its worker can finish before the timeout is noticed here.
        timed_out || self.is_out_of_time() && self.end.is_stopped()
    }

    /// Adds a block to the tally, and to the fold as soon as all inputs before it are there.
    fn add_block(&mut self, block: SearchBlock, sink: &mut dyn EventSink) {
        self.tally.add_block(&block.result, &block.times);
        self.waiting.insert(block.indices.start, block);
        while let Some(block) = self.waiting.remove(&self.next_index) {
            (self.next_index, self.folded) = (block.indices.end, Instant::now());
            self.fold_block(&block, sink);
        }
    }

    /// Adds the next block to the fold, and emits the events of what is new.
    fn fold_block(&mut self, block: &SearchBlock, sink: &mut dyn EventSink) {
        for news in self.fold.add_block(&block.result, &block.times) {
            sink.take_event(&news.to_event(self.plan));
        }
    }

    /// Returns true if the search ends now that its time is over: an input was run and none had been run for long, so many were
    /// refused that the run in progress is hardly to be waited for, or that was waited for.
    fn may_end(&self, long_run: Option<u64>) -> bool {
        let counts = &self.tally.counts;
        let waited_until = self.time_budget().map(|budget| budget.saturating_add(MAX_LAST_RUNS));
        counts.cases + counts.skipped > 0 && long_run != Some(self.next_index)
            || self.plan.inputs.refused_count() >= MIN_CONCLUSIVE_CASES
            || waited_until.is_some_and(|until| self.start.elapsed() >= until)
    }

    fn is_out_of_time(&self) -> bool {
        self.time_budget().is_some_and(|budget| self.start.elapsed() >= budget)
    }

    /// Returns the time of the search with that in which it waited for the compiler.
    fn time_budget(&self) -> Option<Duration> {
        self.plan.time_budget.map(|budget| budget.saturating_add(self.plan.inputs.compile_time()))
    }

    /// Emits a warning for each program that cannot use the fork server, once per program.
    fn warn_of_missing_fork_server(&mut self, sink: &mut dyn EventSink) {
        let submissions = self.plan.submissions.iter().map(|submission| &submission.program);
        for program in submissions.chain([&self.plan.judge_setup.reference]) {
            if let Some(reason) = program.fast_path_refusal()
                && self.warned_programs.insert(program.display_name().to_owned())
            {
                sink.take_event(&Event::Warning(no_fork_server_warning(program.display_name(), &reason)));
            }
        }
    }

    /// Returns the progress, including the time spent in generators and validators.
    fn current_progress(&self) -> SearchProgress {
        let mut progress = self.tally.to_progress(to_millis(self.start.elapsed()));
        progress.programs_cpu_time_us += self.plan.inputs.programs_cpu_time_us();
        progress
    }

    /// Returns the final progress: the inputs that one worker would have tried.
    pub(super) fn final_progress(&self) -> SearchProgress {
        let mut progress = self.fold.to_progress();
        progress.elapsed_ms = to_millis(self.start.elapsed());
        progress.programs_cpu_time_us += self.plan.inputs.programs_cpu_time_us();
        progress.unfinished_ms = self.unfinished.map_or(0, to_millis);
        progress
    }

    pub(super) fn into_fold(self) -> SearchFold {
        self.fold
    }
}

/// Returns the error for a reference that is too slow on every input, with the reason if it misuses its input.
pub(super) fn slow_reference_error(plan: &StressPlan<'_>) -> Error {
    let error = reference_too_slow_error(plan.judge_setup.reference.display_name(), MAX_SLOW_INPUTS);
    explain_slow_reference(plan).into_iter().fold(error, Error::with_note)
}

/// Returns why the reference is too slow on the first input, if it misuses its input. After an error there is no
/// explanation.
pub(super) fn explain_slow_reference(plan: &StressPlan<'_>) -> Option<String> {
    let generated = plan.inputs.make_input(plan.seed, 0).ok().flatten()?;
    let JudgeSetup { reference, judge_limits, cancel, .. } = &plan.judge_setup;
    explain_input_misuse(reference, &generated.bytes, judge_limits, cancel).ok().flatten()
}
