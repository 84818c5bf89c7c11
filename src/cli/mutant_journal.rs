//! The blocks of mutants in a journal, behind the blocks of the table.

use super::missing_blocks::{MissingBlocks, warn_of_damages};
use super::session::Session;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{ShardFinished, SubmissionMutants};
use rebut_engine::{MutantBlock, MutantBlockTimes, MutantBlocks, MutationPlan, Shard};
use rebut_packages::{JournalSet, JournalWriter};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the blocks of mutants are in a journal.
#[derive(Clone, Copy, Debug)]
pub(super) struct MutantPart {
    /// Number of blocks before the first.
    pub(super) first: u64,
    /// Number of mutants in a block.
    pub(super) block_mutants: u64,
}

impl MutantPart {
    /// Runs the blocks of a shard that the journal does not contain yet, and adds them to the counts of the shard, even
    /// if the work is cancelled.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, if a block cannot be kept, or if the work was cancelled.
    pub(super) fn run_missing(
        self,
        mutation: &MutationPlan<'_>,
        (shard, writer): (Shard, &JournalWriter),
        set: &JournalSet,
        counts: &mut ShardFinished,
        session: &mut Session,
    ) -> Result<()> {
        let blocks = MutantBlocks::cut_plan(mutation, self.block_mutants);
        let of_shard = (0..blocks.count_blocks()).filter(|block| shard.has_block(self.first + block));
        let (known, wanted): (Vec<u64>, Vec<u64>) = of_shard.partition(|block| {
            let reading = set.read_block::<MutantBlock, MutantBlockTimes>(self.first + block);
            warn_of_damages(&reading.damages, "it is run again", session);
            !reading.runs.is_empty()
        });
        let finished = AtomicU64::new(0);
        let keep = |block: u64, result: MutantBlock, times: MutantBlockTimes| {
            writer.write_block(self.first + block, result, times)?;
            finished.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        let ended = blocks.run_blocks(mutation, &wanted, &keep, session);
        let finished = finished.into_inner();
        counts.blocks += (known.len() + wanted.len()) as u64;
        counts.known += known.len() as u64;
        counts.run += finished;
        counts.left += wanted.len() as u64 - finished;
        ended
    }

    /// Returns the mutants of all submissions from their blocks.
    ///
    /// # Errors
    /// Returns an error if blocks are missing.
    pub(super) fn merge_blocks(
        self,
        mutation: &MutationPlan<'_>,
        set: &JournalSet,
        session: &mut Session,
    ) -> Result<Vec<SubmissionMutants>> {
        let blocks = MutantBlocks::cut_plan(mutation, self.block_mutants);
        let (mut known, mut missing) = (Vec::new(), MissingBlocks::default());
        for number in self.first..self.first + blocks.count_blocks() {
            session.check_interrupted()?;
            let reading = set.read_block::<MutantBlock, MutantBlockTimes>(number);
            warn_of_damages(&reading.damages, "run its shard again", session);
            if reading.runs.is_empty() {
                missing.add_block(number);
            }
            known.push(reading.runs);
        }
        if let Some(missing) = missing.describe_missing(Some(self.first + blocks.count_blocks())) {
            return Err(Error::operating_error(format!("the strength of the tests is not known: {missing}")));
        }
        blocks.merge_blocks(mutation, &mut |block| Ok(std::mem::take(&mut known[block as usize])), session)
    }
}
