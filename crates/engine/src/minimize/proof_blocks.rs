//! A proof that a finding is the smallest possible, in blocks that several machines run.
//!
//! A block is an interval of the enumeration of all smaller inputs. Each of its inputs is run alone in a new process: the
//! strongest level of a proof, which is the one that takes long. Every machine enumerates all smaller inputs, and runs
//! those of its own blocks.

use super::minimality_proof::{CertifyResult, MinimalityProof, SmallerFailure, is_smaller_input};
use crate::event::{ActivityEvent, Event, EventSink};
use crate::judge::FailureKind;
use crate::judging::{JudgeSetup, RunEngine};
use crate::parallel::run_in_parallel;
use crate::predicate::{FailurePredicate, FailureTarget, PredicateOutcome, ProofProgress};
use rebut_diagnostics::{Error, Result};
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::{Measure, Value};
use rebut_packages::{Certificate, ProofKind};
use rebut_sandbox::Program;
use serde::{Deserialize, Serialize};
use std::iter::Peekable;
use std::time::Instant;

/// Number of blocks for each worker that are enumerated before they are run.
const BLOCKS_PER_WORKER: usize = 4;

/// The result of a block of smaller inputs. It is the same in each run, unless a program is flaky.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofBlock {
    /// The inputs before the first that fails.
    #[serde(flatten)]
    progress: ProofProgress,
    /// Number of elements of the last input; 0 if there is none.
    pub elements: usize,
    /// Whether the next input fails.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
    /// Whether no smaller input follows after the block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_last: bool,
}

/// The finding that a proof is about.
#[derive(Clone, Copy)]
pub struct ProvedFinding<'f> {
    /// The submission.
    pub submission: &'f Program,
    /// How it fails.
    pub kind: FailureKind,
    /// The input.
    pub input: &'f [u8],
}

/// Keeps the result of a block, and the time that it took in milliseconds.
pub type KeepProof<'a> = dyn Fn(u64, ProofBlock, u64) -> Result<()> + Sync + 'a;

/// Returns the result of a block with its time in milliseconds, or `None` if it is missing.
pub type ReadProof<'a> = dyn FnMut(u64) -> Result<Option<(ProofBlock, u64)>> + 'a;

/// The inputs of a block.
struct BlockValues {
    number: u64,
    values: Vec<Value>,
    is_last: bool,
}

/// Cuts the enumeration of smaller inputs into blocks.
struct SmallerBlocks<I: Iterator<Item = Value>> {
    inputs: Peekable<I>,
    block_inputs: usize,
    next: u64,
    is_over: bool,
}

impl<I: Iterator<Item = Value>> Iterator for SmallerBlocks<I> {
    type Item = BlockValues;

    fn next(&mut self) -> Option<BlockValues> {
        if self.is_over {
            return None;
        }
        let values = self.inputs.by_ref().take(self.block_inputs.max(1)).collect();
        self.is_over = self.inputs.peek().is_none();
        self.next += 1;
        Some(BlockValues { number: self.next - 1, values, is_last: self.is_over })
    }
}

/// Returns the inputs that are smaller than the finding, in order.
fn smaller_inputs<'p>(
    setup: &'p JudgeSetup,
    plan: &'p GenerationPlan<'_>,
    finding: &Value,
    is_over: &'p (dyn Fn() -> bool + Sync),
) -> impl Iterator<Item = Value> + 'p {
    let measure = Measure::of_value(plan.format, finding);
    let enumerator = Enumerator::new(plan, measure.elements, is_over);
    enumerator.take_while(move |value| is_smaller_input(setup, plan.format, value, &measure))
}

/// Runs the inputs of a block, up to the first that fails.
fn run_block(predicate: &FailurePredicate<'_, '_, Value>, block: &BlockValues) -> Result<ProofBlock> {
    let (mut progress, mut fails) = (ProofProgress::default(), false);
    for value in &block.values {
        match predicate.test_candidate(value, None)? {
            PredicateOutcome::Refused => {}
            PredicateOutcome::Passes => progress.count_inputs(1),
            PredicateOutcome::Unresolved => progress.unanswered += 1,
            PredicateOutcome::FailsOtherwise => {
                progress.count_inputs(1);
                progress.failing_otherwise += 1;
            }
            PredicateOutcome::Fails(_) => {
                fails = true;
                break;
            }
        }
        progress.taken += 1;
    }
    let last = progress.taken.checked_sub(1).and_then(|last| block.values.get(last));
    Ok(ProofBlock { progress, elements: last.map_or(0, Value::element_count), fails, is_last: block.is_last && !fails })
}

impl MinimalityProof<'_, '_> {
    /// Runs the blocks of a proof that `is_wanted` selects by their numbers, up to the last one or one with an input that
    /// fails, and passes each to `keep` when it is finished. The time of the proof is not limited. Does nothing without a
    /// format that can read the finding.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, if a block cannot be kept, or if the work was cancelled.
    pub fn run_blocks(
        &self,
        finding: ProvedFinding<'_>,
        block_inputs: usize,
        is_wanted: &dyn Fn(u64) -> bool,
        keep: &KeepProof<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<()> {
        let run = |plan: &GenerationPlan<'_>, predicate: &FailurePredicate<'_, '_, Value>, value: Value| {
            let cancel = &self.judge_setup.cancel;
            let is_over = || cancel.is_cancelled();
            let inputs = smaller_inputs(self.judge_setup, plan, &value, &is_over).peekable();
            let blocks = SmallerBlocks { inputs, block_inputs, next: 0, is_over: false };
            let mut wanted = blocks.filter(|block| is_wanted(block.number));
            let mut activity = ActivityEvent { noun: "blocks", ..ActivityEvent::new("Proving", "smaller inputs pass") };
            loop {
                let batch: Vec<BlockValues> = wanted.by_ref().take(self.jobs.max(1) * BLOCKS_PER_WORKER).collect();
                // An interrupted enumeration looks like one that has ended.
                if is_over() {
                    return Err(Error::interrupted());
                }
                if batch.is_empty() {
                    return Ok(());
                }
                let work = |at: usize| {
                    let began = Instant::now();
                    let block = run_block(predicate, &batch[at])?;
                    let (fails, time_ms) = (block.fails, began.elapsed().as_millis());
                    keep(batch[at].number, block, u64::try_from(time_ms).unwrap_or(u64::MAX))?;
                    Ok(fails)
                };
                let before = activity.done;
                let fails = run_in_parallel(self.jobs, batch.len(), work, &mut |done| {
                    activity.done = before + done as u64;
                    sink.take_event(&Event::Activity(activity.clone()));
                })?;
                if fails.contains(&true) {
                    return Ok(());
                }
            }
        };
        self.with_predicate(finding, run).map(drop)
    }

    /// Draws up the certificate of a proof from its blocks, up to the first one that is missing. If an input fails in one,
    /// it is run again. Returns `None` without a format that can read the finding.
    ///
    /// # Errors
    /// Returns an error if a block cannot be read, if a program cannot be started, if a failure of a block does not occur
    /// again, or if the work was cancelled.
    pub fn merge_blocks(&self, finding: ProvedFinding<'_>, read: &mut ReadProof<'_>) -> Result<Option<CertifyResult>> {
        let (mut progress, mut elements, mut time_ms) = (ProofProgress::default(), 0, 0);
        let (mut is_whole, mut failing, mut number) = (false, None, 0);
        while !is_whole && let Some((block, block_time_ms)) = read(number)? {
            progress.append_progress(block.progress);
            elements = elements.max(block.elements);
            time_ms += block_time_ms;
            failing = block.fails.then_some(progress.taken);
            is_whole = block.is_last || block.fails;
            number += 1;
        }
        let complete = is_whole && progress.unanswered == 0;
        self.with_predicate(finding, |plan, predicate, value| {
            let smaller = failing.map(|rank| self.repeat_failure(plan, predicate, &value, rank));
            let certificate = Certificate {
                kind: ProofKind::Processes,
                inputs: progress.inputs,
                run_alone: progress.contiguous_inputs,
                run_in_processes: progress.contiguous_inputs,
                complete,
                elements,
                unanswered: progress.unanswered,
                failing_otherwise: progress.failing_otherwise,
                same_size: None,
                shortest_spelling_only: plan.format.has_several_spellings(),
                time_ms,
            };
            Ok(CertifyResult { certificate, smaller: smaller.transpose()? })
        })
    }

    /// Runs the smaller input with this rank again.
    fn repeat_failure(
        &self,
        plan: &GenerationPlan<'_>,
        predicate: &FailurePredicate<'_, '_, Value>,
        finding: &Value,
        rank: usize,
    ) -> Result<SmallerFailure> {
        let cancel = &self.judge_setup.cancel;
        let is_over = || cancel.is_cancelled();
        let found = smaller_inputs(self.judge_setup, plan, finding, &is_over).nth(rank);
        if is_over() {
            return Err(Error::interrupted());
        }
        let outcome = found.map(|value| Ok((predicate.test_candidate(&value, None)?, value))).transpose()?;
        match outcome {
            Some((PredicateOutcome::Fails(failure), value)) => Ok(SmallerFailure { value, failure }),
            _ => Err(Error::operating_error("a smaller input failed in the journal, and passes here")
                .with_help("a program is flaky, so nothing is proved")),
        }
    }

    /// Passes the format, a predicate that runs inputs in new processes, and the value of the finding to `run`. Returns
    /// `None` without a format that can read it.
    fn with_predicate<T>(
        &self,
        finding: ProvedFinding<'_>,
        run: impl FnOnce(&GenerationPlan<'_>, &FailurePredicate<'_, '_, Value>, Value) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(plan) = self.inputs.generation_plan() else { return Ok(None) };
        let Ok(value) = read_input(plan.format, finding.input) else { return Ok(None) };
        let exact = self.judge_setup.with_engine(RunEngine::Exec);
        let predicate = FailurePredicate {
            judge_setup: &exact,
            inputs: self.inputs,
            target: FailureTarget::Submission(finding.submission.clone()),
            kind: Some(finding.kind),
            print: &|value: &Value| print_value(plan.format, value),
            tries: 1,
        };
        run(plan, &predicate, value).map(Some)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn blocks_of_a_journal_have_one_spelling() {
        let passed = r#"{"taken":3,"inputs":2,"contiguous_inputs":2,"elements":4,"is_last":true}"#;
        let failed = r#"{"taken":3,"inputs":2,"contiguous_inputs":1,"unanswered":1,"failing_otherwise":1,"elements":4,"fails":true}"#;
        for text in [passed, failed] {
            let block: ProofBlock = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&block).unwrap(), text);
        }
    }
}
