//! The mutants of a package in blocks that several machines run.
//!
//! A block is a range of the mutants of one submission, each with all tests until one kills it. The end of a mutant depends
//! on no other mutant, so the blocks of all machines make the result of one. The schema of a submission is
//! compiled by every machine that runs one of its blocks, and the original is timed there.

use super::mutation::{MutantFate, MutationPlan, MutationRun, count_separate, elapsed_ms, spread_mutants};
use crate::event::{ActivityEvent, Event, EventSink, SubmissionMutants, WarningEvent};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::{Error, Result};
use rebut_mutants::Mutant;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Instant;

/// The result of a block of mutants, which is the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantBlock {
    /// The program that the mutants of the submission share.
    pub schema: SchemaResult,
    /// Number of mutants in the block that were programs of their own.
    pub separate: usize,
    /// The ends of the mutants, in their order.
    pub fates: Vec<MutantFate>,
}

/// The program that mutants of a submission share; the same in all of its blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaResult {
    /// Number of programs that were compiled for it.
    pub programs: usize,
    /// Number of mutants that share it.
    pub mutants: usize,
    /// Why no mutants share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separate_because: Option<String>,
}

/// The times of a block of mutants, which differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantBlockTimes {
    /// Elapsed time of compiling the schema of the submission, in milliseconds.
    pub schema_compile_time_ms: u64,
    /// Elapsed time of its last compilation, in milliseconds.
    pub one_compile_time_ms: u64,
    /// Elapsed time of compiling the mutants of the block, in milliseconds.
    pub compile_time_ms: u64,
    /// Processor time of running the mutants, in microseconds.
    pub run_time_us: u64,
}

/// Returns the different results of a block.
pub type ReadBlock<'a> = dyn FnMut(u64) -> Result<Vec<(MutantBlock, MutantBlockTimes)>> + 'a;

/// Keeps the result of a block.
pub type KeepMutants<'a> = dyn Fn(u64, MutantBlock, MutantBlockTimes) -> Result<()> + Sync + 'a;

/// How the mutants of all submissions are cut into blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantBlocks {
    /// Number of mutants of each submission.
    mutants: Vec<usize>,
    /// Maximum number of mutants in a block.
    block_mutants: usize,
}

impl MutantBlocks {
    /// Number of mutants in a block, unless the user chooses another: they take some seconds, as long as the compilation
    /// that a shard does first.
    pub const DEFAULT_MUTANTS: u64 = 8;

    /// Cuts the mutants of a plan into blocks of so many.
    pub fn cut_plan(plan: &MutationPlan<'_>, block_mutants: u64) -> MutantBlocks {
        let each = plan.mutants_of_each();
        let mutants =
            plan.submissions.iter().map(|submission| submission.find_mutants().mutants.len().min(each)).collect();
        MutantBlocks { mutants, block_mutants: usize::try_from(block_mutants).unwrap_or(usize::MAX).max(1) }
    }

    /// Returns the number of blocks.
    pub fn count_blocks(&self) -> u64 {
        self.mutants.iter().map(|mutants| mutants.div_ceil(self.block_mutants) as u64).sum()
    }

    /// Returns the numbers of the blocks of a submission.
    fn blocks_of(&self, submission: usize) -> Range<u64> {
        let count = |mutants: &usize| mutants.div_ceil(self.block_mutants) as u64;
        let first = self.mutants[..submission].iter().map(count).sum();
        first..first + count(&self.mutants[submission])
    }

    /// Returns the numbers of the mutants in a block of a submission.
    fn mutants_of(&self, submission: usize, block: u64) -> Range<usize> {
        let start = (block - self.blocks_of(submission).start) as usize * self.block_mutants;
        start..(start + self.block_mutants).min(self.mutants[submission])
    }

    /// Runs the blocks with these numbers, and passes each to `keep` when it is finished. Blocks are run at the same
    /// time, each by one worker.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if a program cannot be started, if a block cannot be kept, or if the
    /// work was cancelled.
    pub fn run_blocks(
        &self,
        plan: &MutationPlan<'_>,
        wanted: &[u64],
        keep: &KeepMutants<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<()> {
        let mut activity =
            ActivityEvent { of: Some(wanted.len() as u64), noun: "blocks", ..ActivityEvent::new("Running", "mutants") };
        let mut finished = 0;
        for submission in 0..plan.submissions.len() {
            let range = self.blocks_of(submission);
            let numbers: Vec<u64> = wanted.iter().copied().filter(|number| range.contains(number)).collect();
            if numbers.is_empty() {
                continue;
            }
            self.run_blocks_of(plan, submission, &numbers, keep, &mut |done| {
                activity.done = finished + done as u64;
                sink.take_event(&Event::Activity(activity.clone()));
            })?;
            finished += numbers.len() as u64;
        }
        Ok(())
    }

    /// Runs blocks of one submission.
    fn run_blocks_of(
        &self,
        plan: &MutationPlan<'_>,
        submission: usize,
        numbers: &[u64],
        keep: &KeepMutants<'_>,
        on_progress: &mut dyn FnMut(usize),
    ) -> Result<()> {
        let run = MutationRun { plan, submission: &plan.submissions[submission], jobs: 1 };
        let all = run.submission.find_mutants().mutants;
        let mutants = spread_mutants(&all, plan.mutants_of_each());
        let (mut compiled, began) = (SubmissionMutants::default(), Instant::now());
        let schema = run.compile_schema(&mutants, &mut compiled)?;
        let schema_compile_time_ms = elapsed_ms(began);
        let runs = run.plan_runs(schema.as_ref())?;
        let result = SchemaResult {
            programs: compiled.programs,
            mutants: compiled.in_one_program,
            separate_because: compiled.separate_because,
        };
        let run_block = |at: usize| {
            let (range, began) = (self.mutants_of(submission, numbers[at]), Instant::now());
            let mut running = run.compile_range(&mutants, range.clone(), schema.as_ref(), &mut NoSink)?;
            let compile_time_ms = elapsed_ms(began);
            let run_time_us = run.run_tests(&mut running, &runs, &mut NoSink)?;
            let block = MutantBlock {
                schema: result.clone(),
                separate: count_separate(schema.as_ref(), range),
                fates: running.iter().map(|running| run.find_fate(running)).collect(),
            };
            let one_compile_time_ms = compiled.one_compile_time_ms;
            let times = MutantBlockTimes { schema_compile_time_ms, one_compile_time_ms, compile_time_ms, run_time_us };
            keep(numbers[at], block, times)
        };
        run_in_parallel(plan.package.jobs, numbers.len(), run_block, on_progress).map(drop)
    }

    /// Returns the mutants of all submissions. `read` returns the different results of a block, of which the first one
    /// counts; if there are several, the mutant with different runs is named.
    ///
    /// # Errors
    /// Returns an error if a block is missing, or is not one of these mutants.
    pub fn merge_blocks(
        &self,
        plan: &MutationPlan<'_>,
        read: &mut ReadBlock<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<SubmissionMutants>> {
        (0..plan.submissions.len()).map(|submission| self.merge_blocks_of(plan, submission, read, sink)).collect()
    }

    fn merge_blocks_of(
        &self,
        plan: &MutationPlan<'_>,
        submission: usize,
        read: &mut ReadBlock<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<SubmissionMutants> {
        let run = MutationRun { plan, submission: &plan.submissions[submission], jobs: 1 };
        let all = run.submission.find_mutants().mutants;
        let mutants = spread_mutants(&all, plan.mutants_of_each());
        let mut merged = SubmissionMutants { found: all.len(), ..run.empty_result() };
        if mutants.is_empty() {
            run.compile_schema(&mutants, &mut merged)?;
        }
        let mut run_time_us = 0;
        for number in self.blocks_of(submission) {
            let range = self.mutants_of(submission, number);
            let mut results = read(number)?;
            if results.is_empty() || results.iter().any(|(block, _)| block.fates.len() != range.len()) {
                return Err(Error::operating_error("a block of the journal has another number of mutants"));
            }
            if let Some(at) = differing_mutant(&results) {
                sink.take_event(&run.warn_of_flaky_mutant(mutants[range.start + at]));
            }
            let (MutantBlock { schema, separate, fates }, times) = results.swap_remove(0);
            if range.start == 0 {
                merged.programs = schema.programs;
                merged.in_one_program = schema.mutants;
                merged.separate_because = schema.separate_because;
                merged.one_compile_time_ms = times.one_compile_time_ms;
                merged.compile_time_ms = times.schema_compile_time_ms;
            }
            merged.programs += separate;
            merged.compile_time_ms += times.compile_time_ms;
            run_time_us += times.run_time_us;
            let outcomes = mutants[range].iter().zip(fates).map(|(mutant, fate)| run.describe_outcome(mutant, fate));
            merged.mutants.extend(outcomes);
        }
        merged.run_time_ms = run_time_us / 1000;
        Ok(merged)
    }
}

/// Returns the first mutant of a block that has different results.
fn differing_mutant(results: &[(MutantBlock, MutantBlockTimes)]) -> Option<usize> {
    let (first, _) = results.first()?;
    let differs = |at: &usize| results.iter().any(|(block, _)| block.fates[*at] != first.fates[*at]);
    (0..first.fates.len()).find(differs)
}

impl MutationRun<'_> {
    fn warn_of_flaky_mutant(&self, mutant: &Mutant) -> Event {
        let source = &self.submission.source;
        let (original, replacement) = (mutant.original_text(source), &mutant.replacement);
        let message = format!(
            "a mutant of `{}` is flaky: two runs of line {} with `{replacement}` for `{original}` differ",
            self.submission.name, mutant.line
        );
        Event::Warning(WarningEvent { message, help: None })
    }
}

/// A sink for the events of blocks that are run at the same time.
struct NoSink;

impl EventSink for NoSink {
    fn take_event(&mut self, _: &Event) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_mutants_of_each_submission() {
        let blocks = MutantBlocks { mutants: vec![5, 0, 4, 1], block_mutants: 2 };
        assert_eq!(blocks.count_blocks(), 6);
        let covered = |submission: usize| {
            let numbers = blocks.blocks_of(submission);
            numbers.flat_map(|number| blocks.mutants_of(submission, number)).collect::<Vec<_>>()
        };
        assert_eq!([0, 1, 2, 3].map(|submission| covered(submission).len()), [5, 0, 4, 1]);
        assert_eq!(covered(0), [0, 1, 2, 3, 4]);
        assert_eq!(blocks.blocks_of(2), 3..5);
    }
}
