//! The end of one of several parts of a search.

use super::search::SubmissionFailed;
use serde::Serialize;
use std::path::PathBuf;

/// A shard of a search ended. No conclusion is drawn before all shards are merged.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShardFinished {
    /// Folder of the journal.
    pub journal: PathBuf,
    /// Number of the shard, from 1.
    pub shard: u32,
    /// Number of shards.
    pub shards: u32,
    /// Number of blocks of this shard.
    pub blocks: u64,
    /// Number of these that were in the journal before.
    pub known: u64,
    /// Number of these that were run now.
    pub run: u64,
    /// Number of these that are left: the time was up, or the run was interrupted.
    pub left: u64,
    /// The first failure of each program in the blocks of the journal.
    pub failures: Vec<SubmissionFailed>,
}
