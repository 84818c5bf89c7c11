//! The mutants of a package in blocks that several machines run.
//!
//! A block is a range of the mutants of one submission, each with all tests until one kills it. The end of a mutant depends
//! on no other mutant, so the blocks of all machines make the result of one. The schema of a submission is
//! compiled by every machine that runs one of its blocks, and the original is timed there.

use super::mutation::{
    CompiledSchema, MutantFate, MutationPlan, MutationRun, TestRuns, count_separate, spread_mutants,
};
use crate::event::{EventSink, NoSink, SubmissionMutants};
use crate::sharding::{BlockPlan, SharedJournal, Work, lock_mutex};
use rebut_diagnostics::{Error, Result, to_millis};
use rebut_mutants::Mutant;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, Mutex};
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

/// The mutants of all submissions, cut into blocks.
pub struct MutantBlocks<'p> {
    plan: &'p MutationPlan<'p>,
    submissions: Vec<SubmissionBlocks>,
}

/// The blocks of the mutants of one submission.
struct SubmissionBlocks {
    all: Vec<Mutant>,
    /// How those of them that are run are cut into blocks.
    blocks: BlockPlan,
    /// Number of blocks of the submissions before.
    first: u64,
    /// Its schema, once a block is run here.
    prepared: Mutex<Option<Arc<PreparedSchema>>>,
}

/// The compiled schema of a submission, and how its mutants are run on the tests.
struct PreparedSchema {
    schema: Option<CompiledSchema>,
    runs: TestRuns,
    result: SchemaResult,
    compile_time_ms: u64,
    one_compile_time_ms: u64,
}

impl SubmissionBlocks {
    /// Returns the number after that of the last block.
    fn end(&self) -> u64 {
        self.first + self.blocks.count_blocks()
    }
}

impl Work for MutantBlocks<'_> {
    type Out = MutantBlock;
    type Times = MutantBlockTimes;
    type Task = ();

    const ACTIVITY: Option<[&'static str; 2]> = Some(["Running", "mutants"]);

    fn count_blocks(&self) -> Option<u64> {
        Some(self.submissions.last().map_or(0, SubmissionBlocks::end))
    }

    fn jobs(&self) -> usize {
        self.plan.package.jobs
    }

    fn run_block(&self, number: u64, (): ()) -> Result<Option<(MutantBlock, MutantBlockTimes)>> {
        let submission = self.submissions.partition_point(|submission| submission.end() <= number);
        let prepared = self.prepare_schema(submission)?;
        let (run, schema) = (self.run_of(submission), prepared.schema.as_ref());
        let (range, began) = (self.mutants_of(submission, number), Instant::now());
        let mut running = run.compile_range(&self.tried_mutants(submission), range.clone(), schema, &mut NoSink)?;
        let compile_time_ms = to_millis(began.elapsed());
        let run_time_us = run.run_tests(&mut running, &prepared.runs, &mut NoSink)?;
        let block = MutantBlock {
            schema: prepared.result.clone(),
            separate: count_separate(schema, range),
            fates: running.iter().map(|running| run.find_fate(running)).collect(),
        };
        let (schema_compile_time_ms, one_compile_time_ms) = (prepared.compile_time_ms, prepared.one_compile_time_ms);
        let times = MutantBlockTimes { schema_compile_time_ms, one_compile_time_ms, compile_time_ms, run_time_us };
        Ok(Some((block, times)))
    }
}

impl<'p> MutantBlocks<'p> {
    /// Cuts the mutants of a plan into blocks of so many.
    pub fn cut_plan(plan: &'p MutationPlan<'p>, block_mutants: u64) -> Self {
        let (each, mut submissions, mut first) = (plan.mutants_of_each(), Vec::new(), 0);
        for submission in &plan.submissions {
            let all = submission.find_mutants().mutants;
            let blocks = BlockPlan { inputs: all.len().min(each) as u64, block_inputs: block_mutants.max(1) };
            submissions.push(SubmissionBlocks { all, blocks, first, prepared: Mutex::default() });
            first += blocks.count_blocks();
        }
        MutantBlocks { plan, submissions }
    }

    fn run_of(&self, submission: usize) -> MutationRun<'p> {
        MutationRun { plan: self.plan, submission: &self.plan.submissions[submission], jobs: 1 }
    }

    fn tried_mutants(&self, submission: usize) -> Vec<&Mutant> {
        let SubmissionBlocks { all, blocks, .. } = &self.submissions[submission];
        spread_mutants(all, blocks.inputs as usize)
    }

    fn mutants_of(&self, submission: usize, block: u64) -> Range<usize> {
        let SubmissionBlocks { blocks, first, .. } = &self.submissions[submission];
        let indices = blocks.block_indices(block - first);
        indices.start as usize..indices.end as usize
    }

    /// Returns the schema of a submission. The first worker compiles it; the others wait.
    fn prepare_schema(&self, submission: usize) -> Result<Arc<PreparedSchema>> {
        let mut prepared = lock_mutex(&self.submissions[submission].prepared);
        if let Some(known) = &*prepared {
            return Ok(Arc::clone(known));
        }
        let (run, mut compiled, began) = (self.run_of(submission), SubmissionMutants::default(), Instant::now());
        let schema = run.compile_schema(&self.tried_mutants(submission), &mut compiled)?;
        let compile_time_ms = to_millis(began.elapsed());
        let runs = run.plan_runs(schema.as_ref())?;
        let result = SchemaResult {
            programs: compiled.programs,
            mutants: compiled.in_one_program,
            separate_because: compiled.separate_because,
        };
        let one_compile_time_ms = compiled.one_compile_time_ms;
        let new = Arc::new(PreparedSchema { schema, runs, result, compile_time_ms, one_compile_time_ms });
        Ok(Arc::clone(prepared.insert(new)))
    }

    /// Returns the mutants of all submissions from their blocks. Of different results of a block, the first one counts, and
    /// the mutant with different runs is named.
    ///
    /// # Errors
    /// Returns an error if a block is missing, or is not one of these mutants.
    pub fn merge_blocks(&self, journal: &SharedJournal, sink: &mut dyn EventSink) -> Result<Vec<SubmissionMutants>> {
        let count = self.count_blocks();
        let known = (0..count.unwrap_or(0)).map(|number| journal.read_block(number, |_, _| Ok(()), sink));
        let mut known = known.collect::<Result<Vec<_>>>()?.into_iter();
        if let Some(missing) = journal.describe_missing(count) {
            return Err(Error::operating_error(format!("the strength of the tests is not known: {missing}")));
        }
        (0..self.submissions.len()).map(|submission| self.merge_submission(submission, &mut known, sink)).collect()
    }

    /// Merges the blocks of a submission, which are the next.
    fn merge_submission(
        &self,
        submission: usize,
        known: &mut dyn Iterator<Item = Vec<(MutantBlock, MutantBlockTimes)>>,
        sink: &mut dyn EventSink,
    ) -> Result<SubmissionMutants> {
        let (run, mutants) = (self.run_of(submission), self.tried_mutants(submission));
        let mut merged = SubmissionMutants { found: self.submissions[submission].all.len(), ..run.empty_result() };
        if mutants.is_empty() {
            run.compile_schema(&mutants, &mut merged)?;
        }
        let mut run_time_us = 0;
        let SubmissionBlocks { first, .. } = self.submissions[submission];
        for (number, mut results) in (first..self.submissions[submission].end()).zip(known) {
            let range = self.mutants_of(submission, number);
            if results.iter().any(|(block, _)| block.fates.len() != range.len()) {
                return Err(Error::operating_error("a block of the journal has another number of mutants"));
            }
            if let Some(at) = differing_mutant(&results) {
                sink.warn(run.describe_flaky_mutant(mutants[range.start + at]));
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
    fn describe_flaky_mutant(&self, mutant: &Mutant) -> String {
        let source = &self.submission.source;
        let (original, replacement) = (mutant.original_text(source), &mutant.replacement);
        format!(
            "a mutant of `{}` is flaky: two runs of line {} with `{replacement}` for `{original}` differ",
            self.submission.name, mutant.line
        )
    }
}
