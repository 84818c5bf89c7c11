//! A worker of a search: takes the next inputs, generates and tests them.

use super::exhaustive_progress::ExhaustiveProgress;
use super::input_tester::InputTester;
use super::search_end::SearchEnd;
use super::search_hits::SearchHits;
use super::search_stats::InputReport;
use super::stress_plan::StressPlan;
use crate::judging::{ActivityTimer, AdaptiveBatchSize, SpeculativeInput, run_speculatively};
use crate::tuning::MAX_SEARCH_BATCH_BYTES;
use rebut_format::generate::ScratchBuffers;
use rebut_sandbox::Program;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

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
    /// Tests batches of inputs until the search is finished. `send` receives the report on each input, and returns false to
    /// end the worker.
    pub(super) fn run_worker(&self, send: &mut dyn FnMut(InputReport) -> bool) {
        let mut batch_size = AdaptiveBatchSize::new();
        loop {
            let since = Instant::now();
            let first = self.next_index.fetch_add(batch_size.inputs, Ordering::SeqCst);
            let mut indices = first..first + batch_size.inputs;
            while !indices.is_empty() {
                let first = indices.start;
                let batch = self.prepare_batch(&mut indices);
                for (index, speculative) in (first..).zip(batch) {
                    if !self.process_input(index, speculative, send) {
                        return;
                    }
                }
                if self.end.is_finished_at(indices.start) {
                    return;
                }
            }
            batch_size.update_after_batch(since.elapsed());
        }
    }

    /// Tests one input when its turn comes. Returns false if the worker is finished.
    fn process_input(
        &self,
        index: u64,
        speculative: SpeculativeInput,
        send: &mut dyn FnMut(InputReport) -> bool,
    ) -> bool {
        if self.end.is_finished_at(index) {
            return false;
        }
        match self.tester.test_input(index, speculative) {
            Ok(report) => {
                self.record_file_run(index, report.cases as u64);
                send(report)
            }
            Err(error) => {
                self.end.stop_with_error(index, error);
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
        while bytes < MAX_SEARCH_BATCH_BYTES
            && let Some(index) = indices.clone().next().filter(|index| !self.end.is_finished_at(*index))
        {
            indices.start = index + 1;
            let mut clock = ActivityTimer::start_now();
            let mut generated = self.plan.inputs.make_input_to_run(self.plan.seed, index, &mut scratch);
            let has_slow_case = generated
                .as_mut()
                .is_ok_and(|input| input.as_mut().is_some_and(|input| self.tester.has_slow_case(index, input)));
            clock.record_lap(0);
            bytes += generated.iter().flatten().map(|generated| generated.bytes.len()).sum::<usize>();
            let has_usual_engine = self.tester.judge_setup_for(index).engine == self.plan.judge_setup.engine;
            are_quick.push(has_usual_engine && !has_slow_case);
            all.push(SpeculativeInput::new(generated, &clock));
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
    fn record_file_run(&self, index: u64, inputs: u64) {
        // Indices beyond the last file are ignored.
        if self.plan.inputs.last_input_elements(index).is_some()
            && !self.end.is_stopped()
            && let Ok(mut progress) = self.files.lock()
        {
            progress.record_file(index, inputs);
        }
    }
}
