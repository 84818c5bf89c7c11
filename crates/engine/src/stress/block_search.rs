//! Runs blocks of a search. Each is run by one worker from a fresh state, so its result depends on nothing else: not on
//! the other blocks, not on the number of workers, not on the shard.

use super::block_builder::{BlockBuilder, ReportBatcher, SearchBlock};
use super::block_merge::BlockMerge;
use super::block_result::{BlockFailure, BlockResult, BlockTimes};
use super::exhaustive_progress::ExhaustiveProgress;
use super::failure_frontier::FailureFrontier;
use super::input_tester::{InputTester, SearchWorker};
use super::report_collector::slow_reference_error;
use super::search_end::SearchEnd;
use super::search_stats::{SearchHits, SearchSums};
use super::stress_plan::{SearchHit, SearchResult, StressPlan};
use crate::event::{EndReason, Event, EventSink, ExhaustiveReach, SubmissionFailed};
use crate::sharding::{BlockPlan, SharedJournal, WantedBlocks, Work, lock_mutex};
use crate::tuning::{MAX_SLOW_INPUTS, PROGRESS_INTERVAL};
use rebut_diagnostics::{Result, to_millis};
use rebut_packages::digest_parts;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// A search in blocks, which several machines can share.
#[derive(Clone, Copy)]
pub struct BlockSearch<'s, 'a> {
    /// The search.
    pub plan: &'s StressPlan<'a>,
    /// How it is cut into blocks.
    pub blocks: BlockPlan,
}

impl<'s, 'a> BlockSearch<'s, 'a> {
    /// Runs the blocks of a shard that its journal lacks, and reports the end if it is one of several shards.
    ///
    /// # Errors
    /// Returns an error if inputs cannot be generated, programs cannot be started or a block cannot be written.
    pub fn run_shard(self, journal: &mut SharedJournal, sink: &mut dyn EventSink) -> Result<EndReason> {
        let plan = self.plan;
        let frontier = FailureFrontier::new(plan.submissions.len(), plan.keep_going);
        let work = SearchWork::new(self, &frontier);
        let phase = plan.time_budget.map(|budget| plan.judge_setup.cancel.begin_phase(budget));
        let end = journal.run_missing(&work, sink)?;
        drop(phase);
        if let Some(error) = work.whole.take_error() {
            return Err(error);
        }
        if journal.is_part() {
            journal.report_shard(end, self.find_failures(journal), sink);
        }
        Ok(end.reason)
    }

    /// Returns the first failure of each program in the blocks of the journal.
    fn find_failures(self, journal: &SharedJournal) -> Vec<SubmissionFailed> {
        let (mut merge, mut failures) = (BlockMerge::new(self.plan), FailureList::default());
        for number in journal.block_numbers() {
            let check = |result: &BlockResult, times: &BlockTimes| self.check_block(number, result, times);
            merge.add_block(number, &journal.read_runs(number, check, "", &mut failures), &mut failures);
        }
        failures.0
    }

    fn check_block(self, number: u64, result: &BlockResult, times: &BlockTimes) -> std::result::Result<(), String> {
        result.check_possible(times, self.plan.submissions.len(), self.blocks.block_indices(number))
    }

    /// Returns the number of blocks to be merged. Of an exhaustive search, the last one is not known before it is there.
    pub fn count_merged(self, journal: &SharedJournal) -> u64 {
        match self.plan.inputs.is_exhaustive() {
            true => journal.block_numbers().last().map_or(1, |last| last + 2),
            false => self.blocks.count_blocks(),
        }
    }

    /// Merges the blocks of all shards.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, or if the search was cancelled.
    pub fn merge_blocks(
        self,
        journal: &SharedJournal,
        of_one_case: bool,
        sink: &mut dyn EventSink,
    ) -> Result<MergedSearch> {
        let (is_exhaustive, mut merge) = (self.plan.inputs.is_exhaustive(), BlockMerge::new(self.plan));
        for number in 0..self.count_merged(journal) {
            if merge.is_settled() {
                break;
            }
            let runs = journal.read_block(number, |result, times| self.check_block(number, result, times), sink)?;
            if runs.is_empty() {
                merge.skip_block();
            } else {
                merge.add_block(number, &runs, sink);
            }
        }
        let missing = journal.describe_missing((!is_exhaustive).then(|| self.blocks.count_blocks()));
        let reach = merge.exhaustive_reach(of_one_case);
        let result = merge.finish_search(missing.is_some(), sink)?;
        if let (Some(missing), false) = (&missing, result.hits.is_empty()) {
            sink.warn(format!("{missing}: an input before the failing one may fail as well"));
        }
        Ok(MergedSearch { result, reach, missing })
    }
}

/// The result of a merge.
pub struct MergedSearch {
    /// The result of the search.
    pub result: SearchResult,
    /// How far an exhaustive search got.
    pub reach: Option<ExhaustiveReach>,
    /// Which blocks are missing, if some are.
    pub missing: Option<String>,
}

/// Keeps the failures.
#[derive(Default)]
struct FailureList(Vec<SubmissionFailed>);

impl EventSink for FailureList {
    fn take_event(&mut self, event: &Event) {
        if let Event::Failed(failed) = event {
            self.0.push(failed.clone());
        }
    }
}

/// The blocks of a search as work, with the state that the workers share.
struct SearchWork<'w, 'a> {
    search: BlockSearch<'w, 'a>,
    whole: SearchEnd<'w, 'a>,
    frontier: &'w FailureFrontier,
    tally: Mutex<SearchSums>,
    start: Instant,
    last_progress: Mutex<Instant>,
    timed_out: AtomicBool,
}

impl Work for SearchWork<'_, '_> {
    type Out = BlockResult;
    type Times = BlockTimes;
    type Task = ();

    const DEPENDS_ON_OTHERS: bool = true;

    fn count_blocks(&self) -> Option<u64> {
        (!self.search.plan.inputs.is_exhaustive()).then(|| self.search.blocks.count_blocks())
    }

    fn jobs(&self) -> usize {
        self.search.plan.jobs
    }

    fn expect_blocks(&self, wanted: &WantedBlocks) {
        let (wanted, block_inputs) = (wanted.clone(), self.search.blocks.block_inputs);
        self.search.plan.inputs.keep_only(Box::new(move |index| wanted.has_block(index / block_inputs)));
    }

    fn begin_worker(&self, number: usize) {
        self.search.plan.processors.pin_thread(number);
    }

    fn begin_block(&self, number: u64) -> Result<Option<()>> {
        let start = self.search.blocks.block_indices(number).start;
        Ok((!self.whole.is_finished_at(start)).then_some(()))
    }

    fn run_block(&self, number: u64, (): ()) -> Result<Option<(BlockResult, BlockTimes)>> {
        // The other workers need not finish their blocks after an error.
        self.run_inputs(number).inspect_err(|_| self.whole.stop_search())
    }

    fn check_block(&self, number: u64, result: &BlockResult, times: &BlockTimes) -> std::result::Result<(), String> {
        self.search.check_block(number, result, times)
    }

    /// Blocks after a failure of each program cannot change the result any more.
    fn note_block(&self, result: &BlockResult) -> bool {
        result.failures.iter().for_each(|failure| {
            self.frontier.record_failure(failure.submission, failure.index);
        });
        result.is_last
    }

    /// Shows the progress, and stops the workers when the time is up or the reference is too slow on every input.
    fn watch_workers(&self, sink: &mut dyn EventSink) {
        let plan = self.search.plan;
        if plan.time_budget.is_some_and(|budget| self.start.elapsed() >= budget) {
            self.timed_out.store(true, Ordering::SeqCst);
            self.whole.stop_search();
        }
        let mut last_progress = lock_mutex(&self.last_progress);
        if last_progress.elapsed() < PROGRESS_INTERVAL {
            return;
        }
        *last_progress = Instant::now();
        let mut progress = lock_mutex(&self.tally).to_progress(to_millis(self.start.elapsed()));
        progress.programs_cpu_time_us += plan.inputs.programs_cpu_time_us();
        if progress.skipped >= MAX_SLOW_INPUTS && progress.cases == 0 && !self.whole.is_stopped() {
            self.whole.stop_search();
            self.whole.stop_with_error(0, slow_reference_error(plan));
        }
        sink.take_event(&Event::Progress(progress));
    }

    fn end_reason(&self, _was_interrupted: bool) -> EndReason {
        if self.search.plan.judge_setup.cancel.is_cancel_requested() {
            EndReason::Interrupted
        } else if self.timed_out.load(Ordering::SeqCst) {
            EndReason::Time
        } else {
            EndReason::Done
        }
    }
}

impl<'w, 'a> SearchWork<'w, 'a> {
    fn new(search: BlockSearch<'w, 'a>, frontier: &'w FailureFrontier) -> Self {
        SearchWork {
            search,
            whole: SearchEnd::new(search.plan, frontier),
            frontier,
            tally: Mutex::default(),
            start: Instant::now(),
            last_progress: Mutex::new(Instant::now()),
            timed_out: AtomicBool::new(false),
        }
    }

    /// Runs a block. Returns `None` if it was cut off, or is not needed any more.
    fn run_inputs(&self, number: u64) -> Result<Option<(BlockResult, BlockTimes)>> {
        let (plan, start) = (self.search.plan, Instant::now());
        let indices = self.search.blocks.block_indices(number);
        let hits = SearchHits::new(plan.submissions.len(), plan.keep_going);
        let end = SearchEnd::of_block(&self.whole, &hits.frontier, indices.end);
        let tester = InputTester::new(plan, &hits, &end, start);
        let (next_index, files) = (AtomicU64::new(indices.start), Mutex::<ExhaustiveProgress>::default());
        let worker =
            SearchWorker { plan, tester: &tester, end: &end, hits: &hits, next_index: &next_index, files: &files };
        let mut builder = BlockBuilder::new(plan.submissions.len(), plan.keep_going);
        let mut shown = ReportBatcher::new(plan.submissions.len(), plan.keep_going, |block: SearchBlock| {
            lock_mutex(&self.tally).add_block(&block.result, &block.times);
            true
        });
        worker.run_worker(&mut |report| {
            builder.add_report(report);
            shown.take_report(report)
        });
        shown.send_block();
        if let Some(error) = end.take_error() {
            return Err(error);
        }
        if end.is_stopped() || self.whole.is_finished_at(indices.start) {
            return Ok(None);
        }
        let (mut result, mut times) = builder.finish_block();
        times.elapsed_ms = to_millis(start.elapsed());
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
