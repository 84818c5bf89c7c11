//! The search for a failing input, at random or through all inputs.

mod block_builder;
mod block_merge;
mod block_result;
mod block_search;
mod closing_warnings;
mod conclusion;
mod exhaustive_progress;
mod exhaustive_search;
mod failure_frontier;
#[cfg(test)]
mod fold_laws;
mod initial_growth;
mod input_tester;
mod report_collector;
mod reported_failures;
mod search;
mod search_end;
mod search_fold;
mod search_hits;
mod search_stats;
mod search_warnings;
mod search_worker;
mod slow_inputs;
mod stress_plan;

pub use block_result::{BlockFailure, BlockResult, BlockStretch, BlockTimes, InputCounts, UnconfirmedFailure};
pub use block_search::{BlockSearch, MergedSearch};
pub use closing_warnings::closing_warnings;
pub use conclusion::explain_inconclusive;
pub use exhaustive_progress::ExhaustiveProgress;
pub use exhaustive_search::{ExhaustiveScope, search_exhaustively};
pub use initial_growth::measure_initial_growth;
pub use search::run_search;
pub use stress_plan::{CompiledSubmission, SearchHit, SearchResult, StressPlan};
