//! A proof that a finding is the smallest possible, in blocks that several machines run.
//!
//! A block is an interval of the enumeration of all smaller inputs. Each of its inputs is run alone in a new process: the
//! strongest level of a proof, which is the one that takes long. Every machine enumerates all smaller inputs, and runs
//! those of its own blocks.

use super::minimality_proof::{CertifyResult, MinimalityProof, SmallerFailure, is_smaller_input};
use crate::event::EventSink;
use crate::judge::FailureKind;
use crate::judging::{JudgeSetup, RunEngine};
use crate::predicate::{FailurePredicate, FailureTarget, FailureTest, PredicateOutcome, ProofProgress};
use crate::sharding::{SharedEnd, SharedJournal, Work, lock_mutex};
use rebut_diagnostics::{Error, Result, to_millis};
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::{Measure, Value};
use rebut_packages::{Certificate, ProofKind};
use rebut_sandbox::{CancelToken, Program};
use serde::{Deserialize, Serialize};
use std::iter::Peekable;
use std::sync::Mutex;
use std::time::Instant;

/// The result of a block of smaller inputs. It is the same in each run, unless a program is flaky.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ProofBlock {
    /// The inputs before the first that fails.
    #[serde(flatten)]
    progress: ProofProgress,
    /// Number of elements of the last input; 0 if there is none.
    elements: usize,
    /// Whether the next input fails.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fails: bool,
    /// Whether no smaller input follows after the block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_last: bool,
}

/// The proof of a finding in blocks, which several machines can share. The time of the proof is not limited.
#[derive(Clone, Copy)]
pub struct ProofBlocks<'p, 'i> {
    /// The resources of the proof.
    pub proof: &'p MinimalityProof<'p, 'i>,
    /// The submission of the finding.
    pub submission: &'p Program,
    /// How it fails.
    pub kind: FailureKind,
    /// The input of the finding.
    pub input: &'p [u8],
    /// Number of inputs in a block.
    pub block_inputs: u64,
}

/// The inputs of a block, and whether no smaller input follows after them.
type BlockValues = (Vec<Value>, bool);

/// Cuts the enumeration of smaller inputs into blocks.
struct SmallerBlocks<I: Iterator<Item = Value>> {
    inputs: Peekable<I>,
    block_inputs: usize,
    next: u64,
    is_over: bool,
}

impl<I: Iterator<Item = Value>> SmallerBlocks<I> {
    /// Returns the inputs of a block with a higher number than the last one, or `None` if there are none.
    fn skip_to(&mut self, number: u64) -> Option<BlockValues> {
        while !self.is_over {
            let values = self.inputs.by_ref().take(self.block_inputs.max(1)).collect();
            self.is_over = self.inputs.peek().is_none();
            self.next += 1;
            if self.next > number {
                return Some((values, self.is_over));
            }
        }
        None
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

/// The blocks of smaller inputs as work.
struct ProofWork<'w, 'p, 'i, I: Iterator<Item = Value>> {
    cancel: &'w CancelToken,
    jobs: usize,
    predicate: &'w FailurePredicate<'p, 'i, Value>,
    blocks: Mutex<SmallerBlocks<I>>,
}

impl<I: Iterator<Item = Value> + Send> Work for ProofWork<'_, '_, '_, I> {
    type Out = ProofBlock;
    /// The time in milliseconds.
    type Times = u64;
    type Task = BlockValues;

    const DEPENDS_ON_OTHERS: bool = true;
    const ACTIVITY: Option<[&'static str; 2]> = Some(["Proving", "smaller inputs pass"]);

    fn count_blocks(&self) -> Option<u64> {
        None
    }

    fn jobs(&self) -> usize {
        self.jobs
    }

    fn begin_block(&self, number: u64) -> Result<Option<BlockValues>> {
        let block = lock_mutex(&self.blocks).skip_to(number);
        // An interrupted enumeration looks like one that has ended.
        if self.cancel.is_cancelled() { Err(Error::interrupted()) } else { Ok(block) }
    }

    /// Runs the inputs, up to the first that fails.
    fn run_block(&self, _number: u64, (values, is_last): BlockValues) -> Result<Option<(ProofBlock, u64)>> {
        let (mut progress, mut fails, began) = (ProofProgress::default(), false, Instant::now());
        for value in &values {
            fails = progress.count_outcome(self.predicate.test_candidate(value, None)?).is_some();
            if fails {
                break;
            }
        }
        let last = progress.taken.checked_sub(1).and_then(|last| values.get(last));
        let elements = last.map_or(0, Value::element_count);
        let time_ms = to_millis(began.elapsed());
        Ok(Some((ProofBlock { progress, elements, fails, is_last: is_last && !fails }, time_ms)))
    }

    fn note_block(&self, block: &ProofBlock) -> bool {
        block.is_end()
    }
}

impl ProofBlock {
    /// Returns true if no block after it is needed.
    fn is_end(&self) -> bool {
        self.is_last || self.fails
    }
}

impl ProofBlocks<'_, '_> {
    /// Runs the blocks of a shard that its journal lacks, up to the last one or one with an input that fails. Draws up the
    /// certificate unless other machines run other shards. Does nothing without a format that can read the finding.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, if a block cannot be written, or if blocks
    /// differ or cannot be repeated.
    pub fn share_proof(
        self,
        journal: &mut SharedJournal,
        sink: &mut dyn EventSink,
    ) -> Result<SharedEnd<Option<CertifyResult>>> {
        let run = |plan: &GenerationPlan<'_>, predicate: &FailurePredicate<'_, '_, Value>, value: Value| {
            let setup = self.proof.judge_setup;
            let block_inputs = usize::try_from(self.block_inputs).unwrap_or(usize::MAX);
            let is_over = || setup.cancel.is_cancelled();
            let inputs = smaller_inputs(setup, plan, &value, &is_over).peekable();
            let blocks = Mutex::new(SmallerBlocks { inputs, block_inputs, next: 0, is_over: false });
            journal.run_missing(&ProofWork { cancel: &setup.cancel, jobs: self.proof.jobs, predicate, blocks }, sink)
        };
        let end = self.with_predicate(run)?.unwrap_or_default();
        match journal.report_shard(end, Vec::new(), sink) {
            Some(reason) => Ok(SharedEnd::Shard(reason)),
            None => self.merge_blocks(journal, sink).map(SharedEnd::Whole),
        }
    }

    /// Draws up the certificate of the proof from its blocks, up to the first one that is missing. If an input fails in
    /// one, it is run again. Returns `None` without a format that can read the finding.
    ///
    /// # Errors
    /// Returns an error if two runs of a block differ, if a program cannot be started, if a failure of a block does not
    /// occur again, or if the work was cancelled.
    fn merge_blocks(self, journal: &SharedJournal, sink: &mut dyn EventSink) -> Result<Option<CertifyResult>> {
        let (mut progress, mut elements, mut time_ms) = (ProofProgress::default(), 0, 0);
        let (mut is_whole, mut failing, mut number) = (false, None, 0);
        while !is_whole && let Some((block, block_time_ms)) = read_single_run(journal, number, sink)? {
            progress.append_progress(block.progress);
            elements = elements.max(block.elements);
            time_ms += block_time_ms;
            failing = block.fails.then_some(progress.taken);
            is_whole = block.is_end();
            number += 1;
        }
        // Until the last block is known, so is not their number.
        let largest = journal.block_numbers().last();
        let largest = largest.map(|number| read_single_run(journal, number, sink)).transpose()?.flatten();
        let count = largest.filter(|(block, _)| block.is_end()).and(journal.block_numbers().last());
        if let Some(missing) = journal.describe_missing(count.map(|last| last + 1)) {
            sink.warn(format!("{missing}: the proof ends there"));
        }
        let complete = is_whole && progress.unanswered == 0;
        self.with_predicate(|plan, predicate, value| {
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
        self,
        plan: &GenerationPlan<'_>,
        predicate: &FailurePredicate<'_, '_, Value>,
        finding: &Value,
        rank: usize,
    ) -> Result<SmallerFailure> {
        let setup = self.proof.judge_setup;
        let is_over = || setup.cancel.is_cancelled();
        let found = smaller_inputs(setup, plan, finding, &is_over).nth(rank);
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
        self,
        run: impl FnOnce(&GenerationPlan<'_>, &FailurePredicate<'_, '_, Value>, Value) -> Result<T>,
    ) -> Result<Option<T>> {
        let ProofBlocks { proof, submission, kind, input, .. } = self;
        let Some(plan) = proof.inputs.generation_plan() else { return Ok(None) };
        let Ok(value) = read_input(plan.format, input) else { return Ok(None) };
        let exact = proof.judge_setup.with_engine(RunEngine::Exec);
        let predicate = FailurePredicate {
            test: FailureTest::new(&exact, FailureTarget::Submission(submission.clone()), Some(kind)),
            inputs: proof.inputs,
            print: &|value: &Value| print_value(plan.format, value),
        };
        run(plan, &predicate, value).map(Some)
    }
}

/// Returns the result of a block with its time in milliseconds, or `None` if it is missing.
fn read_single_run(
    journal: &SharedJournal,
    number: u64,
    sink: &mut dyn EventSink,
) -> Result<Option<(ProofBlock, u64)>> {
    let mut runs = journal.read_block(number, |_, _| Ok(()), sink)?;
    if runs.len() > 1 {
        return Err(Error::operating_error(format!("two runs of block {} have different results", number + 1))
            .with_help("a program is flaky, so nothing is proved"));
    }
    Ok(runs.pop())
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
