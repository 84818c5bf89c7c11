//! The search for a failing input, at random or through all inputs.

mod conclusion;
mod exhaustive_progress;
mod exhaustive_search;
mod input_tester;
mod report_collector;
mod search;
mod search_end;
mod search_hits;
mod search_stats;
mod search_warnings;
mod search_worker;
mod slow_inputs;
mod stress_plan;

pub use conclusion::explain_inconclusive;
pub use exhaustive_progress::ExhaustiveProgress;
pub use exhaustive_search::{ExhaustiveScope, search_exhaustively};
pub use report_collector::explain_slow_reference;
pub use search::run_search;
pub use stress_plan::{CompiledSubmission, SearchHit, SearchResult, StressPlan};
