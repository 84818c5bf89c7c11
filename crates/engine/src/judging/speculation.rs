//! Speculative execution: runs several inputs of a search before their turn.
//!
//! Requesting a run costs about as much as a small run itself, and requesting several at once costs little more than
//! requesting one. So a worker takes a batch of inputs, runs the reference on all of them, and then each submission on
//! all of them. The outcomes of an input are used when its turn comes, as if it had been run then; outcomes that are no
//! longer needed by then are discarded.

use super::judge_setup::{ActivityTimer, JudgeSetup, ReferenceAnswer};
use super::run_engine::RunEngine;
use crate::inputs::GeneratedInput;
use crate::tuning::{BATCH_WAITING_FACTOR, MAX_BATCH_DURATION, MAX_BATCH_INPUTS};
use rebut_diagnostics::Result;
use rebut_sandbox::{Program, RunOutcome};
use std::time::Duration;

/// The number of inputs that a worker takes at a time. It grows as long as they are fast.
pub(crate) struct AdaptiveBatchSize {
    /// Size of the next batch.
    pub(crate) inputs: u64,
}

impl AdaptiveBatchSize {
    pub(crate) fn new() -> AdaptiveBatchSize {
        AdaptiveBatchSize { inputs: 1 }
    }

    /// Adapts the size to the processor time of the programs in the last batch, and to the time that it took. The latter
    /// counts less: on a machine with much to do, most of it is spent on waiting for a processor, and small batches wait
    /// more often.
    pub(crate) fn update_after_batch(&mut self, cpu_time: Duration, passed: Duration) {
        let duration = cpu_time.max(passed / BATCH_WAITING_FACTOR);
        self.inputs = match () {
            () if duration < MAX_BATCH_DURATION => (self.inputs * 2).min(MAX_BATCH_INPUTS),
            () if duration < MAX_BATCH_DURATION * 8 => (self.inputs / 2).max(1),
            () => 1,
        };
    }
}

/// An input with the outcomes of its speculative runs.
pub(crate) struct SpeculativeInput {
    /// The input, or `None` if the validators refuse it.
    pub(crate) input: Result<Option<GeneratedInput>>,
    pub(crate) runs: SpeculativeRuns,
    /// Nanoseconds spent on generating, the reference, the submissions, checking: of the whole batch, at its first input.
    pub(crate) spent: [u64; 4],
}

/// The outcomes of speculative runs on an input.
#[derive(Default)]
pub(crate) struct SpeculativeRuns {
    /// The reference's answer and its processor time.
    pub(crate) answer: Option<(ReferenceAnswer, u64)>,
    /// The outcome of each submission.
    pub(crate) outcomes: Vec<Option<RunOutcome>>,
}

impl SpeculativeInput {
    /// Creates an input without outcomes.
    pub(crate) fn new(generated: Result<Option<GeneratedInput>>) -> SpeculativeInput {
        SpeculativeInput { input: generated, runs: SpeculativeRuns::default(), spent: [0; 4] }
    }

    fn input_bytes(&self) -> &[u8] {
        if let Ok(Some(generated)) = &self.input { &generated.bytes } else { &[] }
    }
}

/// Runs the reference on all inputs, then each submission on those with an answer, until `is_over`. Inputs that could
/// not be run are left without outcomes, to be run in their turn.
pub(crate) fn run_speculatively(
    judge_setup: &JudgeSetup,
    mut batch: Vec<&mut SpeculativeInput>,
    submissions: &[Option<&Program>],
    is_over: &dyn Fn() -> bool,
) {
    batch.retain(|speculative| matches!(speculative.input, Ok(Some(_))));
    if judge_setup.engine != RunEngine::Quick || judge_setup.judge.holds_conversation() {
        return;
    }
    let mut clock = ActivityTimer::start_now();
    let answers = judge_setup.run_reference_batch(&collect_input_bytes(&batch)).unwrap_or_default();
    batch.truncate(answers.len());
    batch.iter_mut().zip(answers).for_each(|(speculative, answer)| speculative.runs.answer = Some(answer));
    clock.record_lap(1);
    charge_time_to_first(&mut batch, 1, &clock);
    batch.retain(|speculative| matches!(speculative.runs.answer, Some((ReferenceAnswer::Known(_), _))));
    for submission in submissions {
        let (limits, cancel) = (&judge_setup.limits, &judge_setup.cancel);
        let outcomes = submission
            .filter(|_| !is_over())
            .map(|program| program.run_batch(&collect_input_bytes(&batch), limits, cancel).unwrap_or_default());
        let mut outcomes = outcomes.unwrap_or_default().into_iter();
        batch.iter_mut().for_each(|speculative| speculative.runs.outcomes.push(outcomes.next()));
    }
    clock.record_lap(2);
    charge_time_to_first(&mut batch, 2, &clock);
}

fn collect_input_bytes<'a>(batch: &'a [&mut SpeculativeInput]) -> Vec<&'a [u8]> {
    batch.iter().map(|speculative| speculative.input_bytes()).collect()
}

/// Charges the time of the whole batch to its first input.
fn charge_time_to_first(batch: &mut [&mut SpeculativeInput], activity: usize, clock: &ActivityTimer) {
    if let Some(first) = batch.first_mut() {
        first.spent[activity] = clock.spent_ns[activity];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_processor_does_not_make_batches_small() {
        let mut size = AdaptiveBatchSize::new();
        let milliseconds = Duration::from_millis;
        (0..4).for_each(|_| size.update_after_batch(milliseconds(5), milliseconds(300)));
        assert_eq!(size.inputs, 16);
        size.update_after_batch(milliseconds(100), milliseconds(300));
        assert_eq!(size.inputs, 8, "the programs are slow");
        size.update_after_batch(milliseconds(5), milliseconds(700));
        assert_eq!(size.inputs, 4, "they wait for something else");
        size.update_after_batch(milliseconds(400), milliseconds(500));
        assert_eq!(size.inputs, 1);
    }
}
