//! Merges the results of blocks to the result of the search, as if one worker had run them one after another.

use super::block_result::{BlockFailure, BlockResult, BlockTimes};
use super::search_fold::{FoldedFailure, SearchFold};
use super::search_warnings::{failure_not_reproduced_warning, flaky_block_warning};
use super::stress_plan::{SearchHit, SearchResult, StressPlan};
use crate::event::{EndReason, Event, EventSink, ExhaustiveReach};
use crate::inputs::GeneratedInput;
use crate::judging::{JudgeSetup, ReferenceAnswer, RunEngine};
use crate::tuning::CONFIRMATION_RUNS;
use rebut_diagnostics::{Error, Result};
use rebut_format::read::read_input;
use rebut_packages::verdict::Verdict;
use rebut_packages::{ProofKind, digest_parts};
use std::collections::BTreeSet;

/// The merge of the blocks of a search, in order.
pub(super) struct BlockMerge<'m, 'a> {
    plan: &'m StressPlan<'a>,
    fold: SearchFold,
    /// Submissions with results that change from run to run.
    flaky: BTreeSet<usize>,
    /// How far the inputs of an exhaustive search are known without a gap.
    enumeration: EnumerationProgress,
}

/// How far the inputs of an exhaustive search are known without a gap.
#[derive(Clone, Copy, Debug, Default)]
struct EnumerationProgress {
    inputs: u64,
    /// Number of elements of the last input.
    elements: usize,
    has_gap: bool,
    /// Whether the last block was added.
    is_over: bool,
}

impl<'m, 'a> BlockMerge<'m, 'a> {
    /// Creates the merge of no blocks.
    pub(super) fn new(plan: &'m StressPlan<'a>) -> Self {
        let fold = SearchFold::new(plan.submissions.len(), plan.keep_going);
        BlockMerge { plan, fold, flaky: BTreeSet::new(), enumeration: EnumerationProgress::default() }
    }

    /// Returns true if no later block can change the result, or if there is none.
    pub(super) fn is_settled(&self) -> bool {
        self.fold.is_settled() || self.enumeration.is_over
    }

    /// Leaves out the next block, which is missing.
    pub(super) fn skip_block(&mut self) {
        self.enumeration.has_gap = true;
    }

    /// Adds the next block, given by its results in all runs: one, unless a program is flaky. Emits the events of what is
    /// new.
    pub(super) fn add_block(&mut self, number: u64, runs: &[(BlockResult, BlockTimes)], sink: &mut dyn EventSink) {
        // A run with a failure takes precedence, so that no failure is lost: it is run again later.
        let Some((result, times)) = runs.iter().find(|(result, _)| !result.failures.is_empty()).or(runs.first()) else {
            return;
        };
        for (other, _) in runs.iter().filter(|(other, _)| other != result) {
            let submission = first_difference(result, other);
            let program = match submission {
                Some(submission) => self.plan.submissions[submission].name.as_str(),
                None => self.plan.judge_setup.reference.display_name(),
            };
            sink.take_event(&Event::Warning(flaky_block_warning(program, number, result, other)));
            self.flaky.extend(submission);
        }
        for news in self.fold.add_block(result, times) {
            sink.take_event(&news.to_event(self.plan));
        }
        self.enumeration.is_over = result.is_last;
        if let ((inputs, Some(elements)), false) = (self.fold.enumerated_inputs(), self.enumeration.has_gap) {
            (self.enumeration.inputs, self.enumeration.elements) = (inputs, elements);
        }
    }

    /// Returns true if an exhaustive search has run all inputs, and each submission passes them.
    fn is_exhausted(&self) -> bool {
        let EnumerationProgress { is_over, has_gap, .. } = self.enumeration;
        is_over && !has_gap && !self.fold.has_failures() && self.fold.skipped_inputs() == 0
    }

    /// Returns how far the submissions of an exhaustive search got that have not failed. Each input was run alone in a
    /// new process.
    pub(super) fn exhaustive_reach(&self, of_one_case: bool) -> Option<ExhaustiveReach> {
        let EnumerationProgress { inputs, elements, .. } = self.enumeration;
        (self.plan.inputs.is_exhaustive() && inputs > 0).then_some(ExhaustiveReach {
            kind: ProofKind::Processes,
            inputs,
            run_alone: inputs,
            run_in_processes: inputs,
            unanswered: self.fold.skipped_inputs(),
            complete: self.is_exhausted(),
            elements,
            of_one_case,
        })
    }

    /// Returns the result of the search. Runs each failing input once more to get its output. `are_blocks_missing` is
    /// true if blocks were left out that could change the result.
    ///
    /// # Errors
    /// Returns an error if an input cannot be generated again, or if programs cannot be started.
    pub(super) fn finish_search(mut self, are_blocks_missing: bool, sink: &mut dyn EventSink) -> Result<SearchResult> {
        let mut hits = Vec::new();
        for folded in self.fold.reported_failures() {
            match run_failure_again(self.plan, &folded)? {
                Some(hit) => hits.push(hit),
                None => {
                    let Some(submission) = folded.failure.submission else {
                        return Err(changed_reference_error(self.plan, folded.failure.index));
                    };
                    self.flaky.insert(submission);
                    let name = &self.plan.submissions[submission].name;
                    sink.take_event(&Event::Warning(failure_not_reproduced_warning(name, folded.failure.index)));
                }
            }
        }
        self.flaky.extend(self.fold.flaky_submissions());
        Ok(SearchResult {
            hits,
            progress: self.fold.to_progress(),
            reason: self.end_reason(are_blocks_missing),
            flaky: self.flaky.len(),
            ..SearchResult::default()
        })
    }

    fn end_reason(&self, are_blocks_missing: bool) -> EndReason {
        if self.fold.has_reference_failed() {
            EndReason::JudgeError
        } else if are_blocks_missing {
            EndReason::Incomplete
        } else if self.is_exhausted() {
            EndReason::Exhausted
        } else if self.fold.have_all_failed() && !self.plan.keep_going {
            EndReason::Done
        } else {
            EndReason::Cases
        }
    }
}

/// Returns the first submission whose results differ in two runs of a block, or `None` if only those of the reference
/// do.
fn first_difference(one: &BlockResult, other: &BlockResult) -> Option<usize> {
    let results = |block: &BlockResult, i: usize| {
        let verdicts: Vec<_> = block.stretches.iter().map(|stretch| stretch.verdicts.get(i).cloned()).collect();
        let failures: Vec<BlockFailure> =
            block.failures.iter().filter(|failure| failure.submission == Some(i)).cloned().collect();
        let unconfirmed = block.unconfirmed.iter().find(|unconfirmed| unconfirmed.submission == i).copied();
        (failures, unconfirmed, verdicts)
    };
    let count = one.stretches.first().map_or(0, |stretch| stretch.verdicts.len());
    let has_other_failures = |i: &usize| results(one, *i).0 != results(other, *i).0;
    (0..count).find(has_other_failures).or_else(|| (0..count).find(|i| results(one, *i) != results(other, *i)))
}

/// Runs the reference and the submission on the input of a failure. Returns `None` if nothing fails any more.
fn run_failure_again(plan: &StressPlan<'_>, folded: &FoldedFailure) -> Result<Option<SearchHit>> {
    let FoldedFailure { failure, elapsed_ms } = folded;
    let input = make_failing_input(plan, failure)?;
    let setup = plan.judge_setup.with_engine(RunEngine::Exec);
    let hit = |answer, run_result| SearchHit {
        submission: failure.submission,
        index: failure.index,
        input: input.clone(),
        answer,
        run_result,
        elapsed_ms: *elapsed_ms,
    };
    match (setup.run_reference(&input.bytes)?, failure.submission) {
        (ReferenceAnswer::Failed(outcome), None) => Ok(Some(hit(Vec::new(), JudgeSetup::reference_failure(outcome)))),
        (ReferenceAnswer::Known(answer), Some(submission)) => {
            let program = &plan.submissions[submission].program;
            for _ in 0..CONFIRMATION_RUNS {
                let run_result = setup.run_and_judge(program, &input.bytes, &answer)?;
                if run_result.verdict != Verdict::Accepted {
                    return Ok(Some(hit(answer, run_result)));
                }
            }
            Ok(None)
        }
        (_, None) => Ok(None),
        (_, Some(_)) => Err(changed_reference_error(plan, failure.index)),
    }
}

fn changed_reference_error(plan: &StressPlan<'_>, index: u64) -> Error {
    let reference = plan.judge_setup.reference.display_name();
    Error::judge_error(format!(
        "the reference `{reference}` does on input {} something else than when its block was run",
        index + 1
    ))
    .with_help("its results change from run to run or from machine to machine; `rebut stress` with its seed finds out")
}

/// Makes the input of a failure again.
fn make_failing_input(plan: &StressPlan<'_>, failure: &BlockFailure) -> Result<GeneratedInput> {
    let made = match &failure.part {
        Some(part) => read_part(plan, failure, part),
        None => plan.inputs.make_input(plan.seed, failure.index)?,
    };
    made.filter(|input| digest_parts(&[&input.bytes]) == failure.digest).ok_or_else(|| {
        Error::judge_error(format!(
            "input {} is not the one that its block was run on: a generator does not depend on its seed alone",
            failure.index + 1
        ))
    })
}

fn read_part(plan: &StressPlan<'_>, failure: &BlockFailure, part: &str) -> Option<GeneratedInput> {
    let format = plan.inputs.input_format()?;
    let value = read_input(format, part.as_bytes()).ok()?;
    Some(GeneratedInput::from_value(format, value, failure.shape.clone()))
}
