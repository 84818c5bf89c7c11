//! The search for a failing input, at random or through all inputs.

mod block_builder;
mod block_merge;
mod block_result;
mod block_search;
mod closing_warnings;
mod exhaustive_progress;
mod exhaustive_search;
mod failure_frontier;
mod input_tester;
mod report_collector;
mod reported_failures;
mod search;
mod search_end;
mod search_fold;
mod search_stats;
mod search_warnings;
mod slow_inputs;
mod stress_plan;
#[cfg(test)]
mod tests;
mod undefined_behaviour;

pub use block_result::{BlockFailure, BlockResult, BlockStretch, BlockTimes, InputCounts, UnconfirmedFailure};
pub use block_search::{BlockSearch, MergedSearch};
pub use closing_warnings::closing_warnings;
pub use exhaustive_progress::ExhaustiveProgress;
pub use exhaustive_search::{ExhaustiveScope, reach_of_every_input, search_exhaustively};
pub use search::{measure_initial_growth, run_search};
pub use search_end::explain_inconclusive;
pub use stress_plan::{CompiledSubmission, SearchHit, SearchResult, StressPlan};
pub use undefined_behaviour::undefined_behaviour_warnings;
