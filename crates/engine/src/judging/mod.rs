//! Runs a reference and a submission on an input, and judges the output.

mod failure_hints;
mod judge_setup;
mod judges;
mod run_engine;
mod run_result;
mod speculation;

pub use failure_hints::collect_failure_hints;
pub(super) use judge_setup::ActivityTimer;
pub use judge_setup::{JudgeSetup, ReferenceAnswer};
pub use judges::{Finder, FinderExpression, Judge, JudgeMode, JudgeProgram, JudgeRequest};
pub use run_engine::RunEngine;
pub use run_result::{RunResult, failure_message, finding_of_run};
pub(super) use run_result::{judge_finished_run, state_memory_limit};
pub(super) use speculation::{AdaptiveBatchSize, SpeculativeInput, SpeculativeRuns, run_speculatively};
