//! The search for inputs on which a submission is too slow.
//!
//! A test that is too slow for a submission has two properties: its size, and a pattern that does not depend on it, such
//! as "sorted numbers" or "one giant case among tiny ones". So the search is for a *pattern* ([`SlowPattern`]): a shape for
//! each family, a direction in which the input grows, and a seed, from which the choices inside the shapes are drawn.
//! Patterns are compared by the work that they cause on inputs so small that a run takes milliseconds
//! ([`PatternMeter`]). Those whose work grows the fastest are mutated and combined ([`Population`]), and the best are run at
//! full size with the real limits ([`SlowSearch`]).
//!
//! Work is counted, so the patterns found do not depend on the machine or on the number of jobs, unless the language of the
//! submission has no counters.

mod meter;
mod pattern;
mod search;
mod simplify;

pub use search::{SlowHit, SlowSearch, SlowSearchPlan, SlowSearchResult, WorstInput};
