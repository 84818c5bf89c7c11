//! The progress of all shards of a campaign, as far as their journal shows it.

use rebut_engine::{BlockResult, BlockTimes};
use rebut_packages::JournalSet;
use std::collections::{BTreeMap, BTreeSet};

/// The blocks that were seen in a journal so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CampaignProgress {
    seen: BTreeSet<u64>,
    /// Number of blocks before which all were seen.
    complete: u64,
    /// The first block with a failure of each submission, and of the reference.
    failures: BTreeMap<Option<usize>, u64>,
}

/// Name of the parts of a manifest that stand for the submissions.
const SUBMISSION_PART: &str = "submission ";

impl CampaignProgress {
    /// Reads the blocks of a journal that were not seen before. `is_search` is false if its blocks are those of a table,
    /// in which a failure can be expected.
    pub(super) fn read_new_blocks(&mut self, set: &JournalSet, is_search: bool) {
        let new: Vec<u64> = set.block_numbers().filter(|number| !self.seen.contains(number)).collect();
        for number in new {
            let mut failing = Vec::new();
            if is_search {
                let reading = set.read_block::<BlockResult, BlockTimes>(number);
                let failures = reading.runs.iter().flat_map(|(result, _)| &result.failures);
                failing.extend(failures.map(|failure| failure.submission));
            }
            self.add_block(number, &failing);
        }
    }

    fn add_block(&mut self, number: u64, failing: &[Option<usize>]) {
        self.seen.insert(number);
        while self.seen.contains(&self.complete) {
            self.complete += 1;
        }
        for submission in failing {
            let first = self.failures.entry(*submission).or_insert(number);
            *first = number.min(*first);
        }
    }

    /// Returns the number of blocks.
    pub(super) fn count_blocks(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Returns true if anything has failed in any block.
    pub(super) fn has_failure(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Returns true if the blocks that are missing cannot change the result of a search any more: in the blocks before
    /// them, each of its submissions has failed, or the reference.
    pub(super) fn is_settled(&self, submissions: usize) -> bool {
        let has_failed = |program: Option<usize>| self.failures.get(&program).is_some_and(|at| *at < self.complete);
        has_failed(None) || submissions > 0 && (0..submissions).all(|submission| has_failed(Some(submission)))
    }
}

/// Returns the number of submissions of a search.
pub(super) fn count_submissions(set: &JournalSet) -> usize {
    set.manifest().parts.keys().filter(|name| name.starts_with(SUBMISSION_PART)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_is_settled_when_no_block_before_the_failures_is_missing() {
        let mut progress = CampaignProgress::default();
        progress.add_block(0, &[]);
        progress.add_block(2, &[Some(0)]);
        assert!(progress.has_failure() && !progress.is_settled(1), "an earlier input of block 1 may fail");
        progress.add_block(1, &[]);
        assert!(progress.is_settled(1));
        assert!(!progress.is_settled(2), "the other submission has not failed");
        progress.add_block(5, &[Some(1)]);
        progress.add_block(3, &[Some(1)]);
        assert!(progress.is_settled(2), "block 5 is not needed");
        assert_eq!(progress.count_blocks(), 5);
    }

    #[test]
    fn failure_of_the_reference_ends_a_search() {
        let mut progress = CampaignProgress::default();
        assert!(!progress.is_settled(0));
        progress.add_block(0, &[None]);
        assert!(progress.is_settled(3));
    }
}
