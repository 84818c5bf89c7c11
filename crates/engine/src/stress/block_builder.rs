//! Builds the result of a block from the reports on its inputs, in order.

use super::block_result::{
    BlockFailure, BlockResult, BlockStretch, BlockTimes, UnconfirmedFailure, add_answer_counts, add_count,
};
use super::search_stats::InputReport;
use crate::tuning::{MAX_BATCH_DURATION, MAX_BATCH_INPUTS};
use std::ops::Range;

/// The result of a block, while it is made.
pub(super) struct BlockBuilder {
    submissions: usize,
    keep_going: bool,
    result: BlockResult,
    times: BlockTimes,
    /// Whether the next input begins a stretch.
    begins_stretch: bool,
}

impl BlockBuilder {
    /// Creates the builder of a block without inputs.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        let (result, times) = <(BlockResult, BlockTimes)>::default();
        BlockBuilder { submissions, keep_going, result, times, begins_stretch: true }
    }

    pub(super) fn add_report(&mut self, report: &InputReport) {
        self.count_report(report);
        let ends_stretch = report.failures.iter().any(|failure| failure.submission.is_none() || !self.keep_going);
        let known = |submission| self.result.failures.iter().any(|known: &BlockFailure| known.submission == submission);
        let is_first = report.failures.iter().any(|failure| !known(failure.submission));
        self.begins_stretch = ends_stretch && is_first;
        self.add_failures(report);
        for unconfirmed in &report.unconfirmed {
            let is_known = |known: &UnconfirmedFailure| {
                known.submission == unconfirmed.submission && known.in_fork == unconfirmed.in_fork
            };
            if !self.result.unconfirmed.iter().any(is_known) {
                self.result.unconfirmed.push(*unconfirmed);
            }
        }
    }

    pub(super) fn finish_block(self) -> (BlockResult, BlockTimes) {
        (self.result, self.times)
    }

    /// Adds the counts of an input to the last stretch, or to a new one.
    fn count_report(&mut self, report: &InputReport) {
        if self.begins_stretch {
            let verdicts = vec![std::collections::BTreeMap::new(); self.submissions];
            self.result.stretches.push(BlockStretch { verdicts, ..BlockStretch::default() });
        }
        let Some(stretch) = self.result.stretches.last_mut() else { return };
        stretch.end = report.index + 1;
        stretch.inputs.refused += u64::from(report.is_refused);
        stretch.inputs.skipped += report.too_slow;
        self.times.programs_cpu_time_us += report.cpu_time_us;
        if !report.is_tried() {
            return;
        }
        stretch.inputs.cases += 1;
        stretch.inputs.test_cases += report.cases as u64;
        stretch.inputs.longest = stretch.inputs.longest.take().max(report.longest.clone());
        add_count(&mut stretch.inputs.shapes, &report.shape, 1);
        add_answer_counts(&mut stretch.inputs.answers, report.answers.iter().map(|(answer, count)| (answer, count)));
        for (submission, verdict) in &report.verdicts {
            *stretch.verdicts[*submission].entry(*verdict).or_default() += 1;
        }
        for (sum, part) in self.times.spent_ns.iter_mut().zip(report.spent_ns) {
            *sum += part;
        }
    }

    /// Adds the failures on an input that are the first of their kind in this block.
    fn add_failures(&mut self, report: &InputReport) {
        for failure in &report.failures {
            let is_same = |known: &BlockFailure| {
                known.submission == failure.submission && (!self.keep_going || known.kind == failure.kind)
            };
            if self.result.failures.iter().any(is_same) {
                continue;
            }
            self.result.failures.push(BlockFailure {
                submission: failure.submission,
                index: report.index,
                kind: failure.kind,
                shape: report.shape.clone(),
                digest: String::new(),
                part: None,
            });
            self.times.failures_ms.push(failure.elapsed_ms);
        }
    }
}

/// Consecutive inputs of a search, as a worker reports them.
pub(super) struct SearchBlock {
    pub(super) indices: Range<u64>,
    pub(super) result: BlockResult,
    pub(super) times: BlockTimes,
}

/// Collects the reports of a worker, and passes on the sums of several quick inputs at once: passing on each costs more
/// than counting it.
pub(super) struct ReportBatcher<S> {
    /// Receives the blocks, and returns false to end the worker.
    send: S,
    submissions: usize,
    keep_going: bool,
    indices: Range<u64>,
    builder: BlockBuilder,
    /// Number of inputs that were passed on.
    sent: u64,
}

impl<S: FnMut(SearchBlock) -> bool> ReportBatcher<S> {
    pub(super) fn new(submissions: usize, keep_going: bool, send: S) -> Self {
        let builder = BlockBuilder::new(submissions, keep_going);
        ReportBatcher { send, submissions, keep_going, indices: 0..0, builder, sent: 0 }
    }

    /// Adds a report. Returns false if the worker is to end.
    pub(super) fn take_report(&mut self, report: &InputReport) -> bool {
        if self.indices.end != report.index && !self.send_block() {
            return false;
        }
        if self.indices.is_empty() {
            self.indices = report.index..report.index;
        }
        self.builder.add_report(report);
        self.indices.end += 1;
        // The first inputs are shown at once, and so is every failure.
        let count = self.indices.end - self.indices.start;
        let is_quick = u128::from(self.builder.times.spent_ns.iter().sum::<u64>()) < MAX_BATCH_DURATION.as_nanos();
        let is_kept = count < self.sent.min(MAX_BATCH_INPUTS) && is_quick && self.builder.result.failures.is_empty();
        is_kept || self.send_block()
    }

    /// Passes on the inputs that were not yet. Returns false if the worker is to end.
    pub(super) fn send_block(&mut self) -> bool {
        if self.indices.is_empty() {
            return true;
        }
        let builder = std::mem::replace(&mut self.builder, BlockBuilder::new(self.submissions, self.keep_going));
        let (result, times) = builder.finish_block();
        let indices = std::mem::replace(&mut self.indices, 0..0);
        self.sent += indices.end - indices.start;
        (self.send)(SearchBlock { indices, result, times })
    }
}
