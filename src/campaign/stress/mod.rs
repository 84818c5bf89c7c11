//! The search for a failing input, at random or through all inputs.

mod conclusion;
mod exhaustive_progress;
mod exhaustive_search;
mod search;
mod search_stats;
mod search_warnings;
mod slow_inputs;
mod stress_plan;

pub use conclusion::{MIN_CONCLUSIVE_CASES, explain_inconclusive};
pub use exhaustive_progress::ExhaustiveProgress;
pub use exhaustive_search::{ExhaustiveScope, search_exhaustively};
pub use search::{explain_slow_reference, run_search};
pub use stress_plan::{CompiledSubmission, SearchHit, SearchResult, StressPlan};
