//! Runs blocks of a search. Each is run by one worker from a fresh state, so its result depends on nothing else: not on
//! the other blocks, not on the number of workers, not on the shard.

use super::block_builder::BlockBuilder;
use super::block_plan::BlockPlan;
use super::block_result::{BlockFailure, BlockResult, BlockTimes};
use super::exhaustive_progress::ExhaustiveProgress;
use super::failure_frontier::FailureFrontier;
use super::input_tester::InputTester;
use super::report_collector::explain_slow_reference;
use super::search_end::SearchEnd;
use super::search_hits::SearchHits;
use super::search_stats::{SearchTally, elapsed_ms_since};
use super::search_warnings::reference_too_slow_error;
use super::search_worker::SearchWorker;
use super::stress_plan::{SearchHit, StressPlan};
use crate::event::{EndReason, Event, EventSink};
use crate::tuning::{MAX_SLOW_INPUTS, POLL_INTERVALS, PROGRESS_INTERVAL};
use rebut_diagnostics::Result;
use rebut_packages::digest_parts;
use rebut_sandbox::ProcessorSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Some blocks of a search, to be run here.
pub struct BlockSearch<'s, 'a> {
    /// The search.
    pub plan: &'s StressPlan<'a>,
    /// How it is cut into blocks.
    pub blocks: BlockPlan,
    /// The failures of blocks that were run before. Blocks that cannot change the result any more are not run.
    pub known_failures: Vec<(Option<usize>, u64)>,
}

/// How the run of some blocks ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSearchEnd {
    /// Number of blocks that were run to their ends.
    pub finished: u64,
    /// Why the run ended: [`EndReason::Done`] if no wanted block is left.
    pub reason: EndReason,
}

/// Keeps the result of a finished block.
pub type KeepBlock<'k> = dyn Fn(u64, &BlockResult, &BlockTimes) -> Result<()> + Sync + 'k;

/// The state that the workers share.
struct BlockRun<'r, 's, 'a> {
    search: &'r BlockSearch<'s, 'a>,
    whole: &'r SearchEnd<'r, 'a>,
    frontier: &'r FailureFrontier,
    /// The numbers of the blocks that are left, in rising order.
    numbers: Mutex<&'r mut (dyn Iterator<Item = u64> + Send)>,
    keep: &'r KeepBlock<'r>,
    tally: Mutex<SearchTally>,
    finished: AtomicU64,
}

impl BlockSearch<'_, '_> {
    /// Runs the blocks with these numbers, which must rise, and passes each result to `keep`.
    ///
    /// # Errors
    /// Returns an error if inputs cannot be generated, programs cannot be started or a result cannot be kept. An
    /// interrupt is not an error, but an [`EndReason`].
    pub fn run_blocks(
        &self,
        numbers: &mut (dyn Iterator<Item = u64> + Send),
        keep: &KeepBlock<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<BlockSearchEnd> {
        let plan = self.plan;
        let frontier = FailureFrontier::new(plan.submissions.len(), plan.keep_going);
        self.known_failures.iter().for_each(|(submission, index)| {
            frontier.record_failure(*submission, *index);
        });
        let whole = SearchEnd::new(plan, &frontier);
        let phase = plan.time_budget.map(|budget| plan.judge_setup.cancel.begin_phase(budget));
        let run = BlockRun {
            search: self,
            whole: &whole,
            frontier: &frontier,
            numbers: Mutex::new(numbers),
            keep,
            tally: Mutex::default(),
            finished: AtomicU64::new(0),
        };
        let timed_out = run.run_workers(sink);
        drop(phase);
        if let Some(error) = whole.take_error() {
            return Err(error);
        }
        let reason = if plan.judge_setup.cancel.is_cancel_requested() {
            EndReason::Interrupted
        } else if timed_out {
            EndReason::Time
        } else {
            EndReason::Done
        };
        Ok(BlockSearchEnd { finished: run.finished.into_inner(), reason })
    }
}

impl BlockRun<'_, '_, '_> {
    /// Starts the workers, and shows their progress until they are done. Returns whether the time was up.
    fn run_workers(&self, sink: &mut dyn EventSink) -> bool {
        let (start, plan, processors) = (Instant::now(), self.search.plan, ProcessorSet::from_current_thread());
        let left = AtomicU64::new(plan.jobs.max(1) as u64);
        std::thread::scope(|scope| {
            for number in 0..plan.jobs.max(1) {
                let (processors, left) = (&processors, &left);
                scope.spawn(move || {
                    processors.pin_thread(number);
                    let _done = CountDown(left);
                    self.run_worker();
                });
            }
            self.show_progress(start, &left, sink)
        })
    }

    /// Shows the progress until no worker is left. Returns whether the time was up.
    fn show_progress(&self, start: Instant, left: &AtomicU64, sink: &mut dyn EventSink) -> bool {
        let plan = self.search.plan;
        let (mut last_progress, mut timed_out) = (start, false);
        while left.load(Ordering::SeqCst) > 0 {
            std::thread::sleep(POLL_INTERVALS[0]);
            timed_out |= plan.time_budget.is_some_and(|budget| start.elapsed() >= budget);
            if timed_out {
                self.whole.stop_search();
            }
            if last_progress.elapsed() < PROGRESS_INTERVAL {
                continue;
            }
            last_progress = Instant::now();
            let mut progress = lock(&self.tally).to_progress(elapsed_ms_since(start));
            progress.programs_cpu_time_us += plan.inputs.programs_cpu_time_us();
            if progress.skipped >= MAX_SLOW_INPUTS && progress.cases == 0 && !self.whole.is_stopped() {
                self.whole.stop_search();
                self.give_up();
            }
            sink.take_event(&Event::Progress(progress));
        }
        timed_out
    }

    /// Ends the run, since the reference is too slow on every input.
    fn give_up(&self) {
        let plan = self.search.plan;
        let error = reference_too_slow_error(plan.judge_setup.reference.display_name(), MAX_SLOW_INPUTS);
        let reason = explain_slow_reference(plan);
        self.whole.stop_with_error(0, reason.into_iter().fold(error, |error, reason| error.with_note(reason)));
    }

    /// Runs blocks until none is left that can change the result.
    fn run_worker(&self) {
        loop {
            let Some(number) = lock(&self.numbers).next() else { return };
            let indices = self.search.blocks.block_indices(number);
            if self.whole.is_finished_at(indices.start) {
                return;
            }
            let finished = self.run_block(number);
            let kept = finished.and_then(|block| match block {
                Some((result, times)) => (self.keep)(number, &result, &times).map(|()| Some(result)),
                None => Ok(None),
            });
            match kept {
                Ok(Some(result)) => {
                    self.finished.fetch_add(1, Ordering::SeqCst);
                    result.failures.iter().for_each(|failure| {
                        self.frontier.record_failure(failure.submission, failure.index);
                    });
                }
                Ok(None) => return,
                Err(error) => return self.whole.stop_with_error(indices.start, error),
            }
        }
    }

    /// Runs a block. Returns `None` if it was cut off, or is not needed any more.
    fn run_block(&self, number: u64) -> Result<Option<(BlockResult, BlockTimes)>> {
        let (plan, start) = (self.search.plan, Instant::now());
        let indices = self.search.blocks.block_indices(number);
        let hits = SearchHits::new(plan.submissions.len(), plan.keep_going);
        let end = SearchEnd::of_block(self.whole, &hits.frontier, indices.end);
        let tester = InputTester::new(plan, &hits, &end, start);
        let (next_index, files) = (AtomicU64::new(indices.start), Mutex::<ExhaustiveProgress>::default());
        let worker =
            SearchWorker { plan, tester: &tester, end: &end, hits: &hits, next_index: &next_index, files: &files };
        let mut builder = BlockBuilder::new(plan.submissions.len(), plan.keep_going);
        worker.run_worker(&mut |report| {
            lock(&self.tally).add_report(&report);
            builder.add_report(&report);
            true
        });
        if let Some(error) = end.take_error() {
            return Err(error);
        }
        if end.is_stopped() || self.whole.is_finished_at(indices.start) {
            return Ok(None);
        }
        let (mut result, mut times) = builder.finish_block();
        times.elapsed_ms = elapsed_ms_since(start);
        self.describe_failures(&mut result, &mut times, &hits.take_hits())?;
        if plan.inputs.is_exhaustive() {
            // Beyond the last input, there is no block.
            if result.stretches.is_empty() {
                return Ok(None);
            }
            result.is_last = plan.inputs.ends_before(indices.end);
            for stretch in &mut result.stretches {
                stretch.elements = plan.inputs.last_input_elements(stretch.end - 1);
            }
        }
        Ok(Some((result, times)))
    }

    /// Adds to the failures what makes their inputs again, and leaves out those that are not reported.
    fn describe_failures(&self, result: &mut BlockResult, times: &mut BlockTimes, hits: &[SearchHit]) -> Result<()> {
        let failures = std::mem::take(&mut result.failures).into_iter().zip(std::mem::take(&mut times.failures_ms));
        for (failure, time_ms) in failures {
            let is_hit = |hit: &&SearchHit| {
                (hit.submission, hit.index, hit.run_result.kind) == (failure.submission, failure.index, failure.kind)
            };
            if let Some(hit) = hits.iter().find(is_hit) {
                result.failures.push(self.describe_failure(failure, hit)?);
                times.failures_ms.push(time_ms);
            }
        }
        Ok(())
    }

    fn describe_failure(&self, failure: BlockFailure, hit: &SearchHit) -> Result<BlockFailure> {
        let plan = self.search.plan;
        // An enumeration makes each input once.
        let is_part = plan.inputs.is_exhaustive() || {
            let whole = plan.inputs.make_input(plan.seed, hit.index)?;
            whole.is_none_or(|whole| whole.bytes != hit.input.bytes)
        };
        let part = is_part.then(|| String::from_utf8_lossy(&hit.input.bytes).into_owned());
        Ok(BlockFailure { digest: digest_parts(&[&hit.input.bytes]), part, ..failure })
    }
}

/// Counts a worker as done, even if it panics.
struct CountDown<'c>(&'c AtomicU64);

impl Drop for CountDown<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
