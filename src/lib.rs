//! rebut finds the smallest input that proves a contest submission wrong.
//!
//! A `format` describes the valid inputs of a problem; `generate`, `enumerate`, `validate` and `shrink` work with any
//! format. `run` executes programs in a sandbox, `judge` derives verdicts from the runs, and a `campaign` combines them
//! all into a search for a failing input. Its events are printed by `report`.
//!
//! The modules are layers: each imports only from the layers below it. `ARCHITECTURE.md` is the map.

// Modules at the edge have to call functions that `clippy.toml` disallows, each with its reason. All other modules are
// pure.
#[allow(clippy::disallowed_methods, reason = "a search uses a clock and threads; a finding has a path")]
pub mod campaign;
pub mod checktestdata;
#[allow(clippy::disallowed_methods, reason = "the process starts and exits here: arguments, signals, streams")]
pub mod cli;
pub mod coverage;
pub mod describe;
pub mod diagnostic;
pub mod enumerate;
pub mod explain;
pub mod format;
pub mod generate;
pub mod interop;
pub mod invalid;
pub mod judge;
#[allow(
    clippy::disallowed_methods,
    reason = "the only module that walks folders, and reads and writes the user's files"
)]
pub mod packages;
pub mod print;
pub mod read;
#[allow(clippy::disallowed_methods, reason = "the only module that prints; it detects terminals and their size")]
pub mod report;
#[allow(clippy::disallowed_methods, reason = "the only module that starts processes; it uses clocks and files")]
pub mod run;
pub mod score;
pub mod shrink;
pub mod validate;
pub mod value;
pub mod verdict;
