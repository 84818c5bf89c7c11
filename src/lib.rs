//! rebut finds the smallest input that proves a contest submission wrong.
//!
//! The rooms are layers: each imports only from those below it. `ARCHITECTURE.md` is the map.

// The rooms at the rim, and what `clippy.toml` refuses that they may. All others are pure.
#[allow(clippy::disallowed_methods, reason = "a search has a clock and threads; a finding has a place")]
pub mod campaign;
#[allow(clippy::disallowed_methods, reason = "the process begins and ends here: arguments, signals, streams")]
pub mod cli;
#[allow(clippy::disallowed_methods, reason = "the only room that walks folders, and reads and writes the user's files")]
pub mod corpus;
pub mod coverage;
pub mod ctd;
pub mod describe;
pub mod diagnostic;
pub mod enumerate;
pub mod exchange;
pub mod explain;
pub mod format;
pub mod generate;
pub mod invalid;
pub mod judge;
pub mod print;
pub mod read;
#[allow(clippy::disallowed_methods, reason = "the only room that prints: it asks what the streams are")]
pub mod report;
#[allow(clippy::disallowed_methods, reason = "the only room that starts processes, with a clock and files")]
pub mod run;
pub mod score;
pub mod shrink;
pub mod validate;
pub mod value;
pub mod verdict;
