//! How the candidates for one failure are run: with which judge setup and engine, and how they are judged.

use super::minimization_task::{MinimizationTask, input_size};
use crate::event::{Event, EventSink, ShrinkProgress};
use crate::inputs::InputSource;
use crate::judging::{JudgeSetup, RunEngine};
use crate::predicate::{
    BatchedPredicate, FailureOracle, FailurePredicate, FailureTest, ObservedFailure, PackCandidates,
};
use rebut_format::read::read_input;
use rebut_packages::verdict::Verdict;
use std::time::Instant;

/// The runs of candidates for one failure, for all passes.
#[derive(Clone, Copy)]
pub(super) struct CandidateRuns<'s, 'i> {
    /// The reference, the judge and the limits, with the exact engine.
    pub(super) judge_setup: &'s JudgeSetup,
    /// The format and the validators.
    pub(super) inputs: &'s InputSource<'i>,
    /// Number of workers.
    pub(super) jobs: usize,
    /// The failure to minimize.
    pub(super) task: &'s MinimizationTask<'s>,
}

impl<'s, 'i> CandidateRuns<'s, 'i> {
    /// Returns the engine for minimizing: `engine` if the failure also occurs there.
    pub(super) fn choose_shrink_engine(&self, engine: RunEngine) -> RunEngine {
        let quick = self.quick_judge_setup(engine);
        let first = &self.task.first;
        let test = FailureTest { kind: Some(first.run_result.kind), ..self.failure_test(&quick) };
        if let Ok(Some(_)) = test.observe_failure(&first.input) { engine } else { RunEngine::Exec }
    }

    fn failure_test<'c>(&self, judge_setup: &'c JudgeSetup) -> FailureTest<'c> {
        let MinimizationTask { target, kind, tries, .. } = self.task;
        FailureTest { judge_setup, target: target.clone(), kind: *kind, tries: *tries }
    }

    /// Returns the judge setup for minimizing with a fast engine. A time limit must be exceeded by more than one run's
    /// error of measurement: shrinking goes down to the limit, where the exact engine, which takes the shortest of
    /// several runs, would disagree.
    pub(super) fn quick_judge_setup(&self, engine: RunEngine) -> JudgeSetup {
        let quick = self.judge_setup.with_engine(engine);
        match self.task.first.run_result.verdict {
            Verdict::TimeLimit => quick.with_slack(),
            _ => quick,
        }
    }

    /// Runs an input with the exact engine. Returns its failure, if it fails as is required.
    pub(super) fn observe_exactly(&self, input: &[u8]) -> Option<ObservedFailure> {
        self.failure_test(self.judge_setup).observe_failure(input).ok().flatten()
    }

    /// Returns true if neither a format nor a validator can check whether a shrunk input is valid.
    pub(super) fn has_no_validity_check(&self) -> bool {
        self.task.value.is_none() && self.inputs.validators.is_empty()
    }

    pub(super) fn build_predicate<'c, C>(
        &self,
        setup: &'c JudgeSetup,
        print: &'c (dyn Fn(&C) -> Vec<u8> + Sync),
    ) -> FailurePredicate<'c, 'i, C>
    where
        's: 'c,
    {
        FailurePredicate { test: self.failure_test(setup), inputs: self.inputs, print }
    }

    /// Creates the oracle for a shrink search from a failure.
    pub(super) fn build_oracle<'c, C: Sync>(
        &self,
        predicate: FailurePredicate<'c, 'i, C>,
        pack: Option<PackCandidates<'c, C>>,
        first: &ObservedFailure,
        on_improvement: &'c mut dyn FnMut(&ObservedFailure, usize),
    ) -> FailureOracle<'c, 'i, C> {
        let batching = BatchedPredicate::new(pack, &predicate, first);
        FailureOracle {
            predicate,
            jobs: self.jobs,
            batching,
            start: Instant::now(),
            best: first.clone(),
            on_improvement,
            tried: 0,
        }
    }

    /// Returns what reports each improvement of shrinking.
    pub(super) fn report_improvements<'c>(
        &'c self,
        sink: &'c mut dyn EventSink,
    ) -> impl FnMut(&ObservedFailure, usize) {
        let size_before = self.size_of_input(&self.task.first.input);
        move |best: &ObservedFailure, tried: usize| {
            let size = self.size_of_input(&best.input);
            let submission = self.task.name.to_owned();
            sink.take_event(&Event::Shrinking(ShrinkProgress { submission, size_before, size, tried }));
        }
    }

    /// Returns the size of an input in the unit of [`size_unit`].
    pub(super) fn size_of_input(&self, input: &[u8]) -> usize {
        let value = self.inputs.input_format().and_then(|format| read_input(format, input).ok());
        input_size(input, value.as_ref())
    }
}
