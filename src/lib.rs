//! rebut finds the smallest input that proves a contest submission wrong.
//!
//! This crate is the tool itself, on top of four libraries: `rebut_format` describes the valid inputs of a problem, and
//! reads, generates, enumerates and shrinks them; `rebut_sandbox` runs programs; `rebut_packages` reads and writes
//! problem packages; `rebut_diagnostics` holds located messages and errors. Here, [`judge`] derives verdicts from runs,
//! and a [`campaign`] combines everything into a search for a failing input. It emits each [`event`] to a [`report`], which
//! prints it.
//!
//! The modules are layers: each imports only from the layers below it. `ARCHITECTURE.md` is the map.

// Modules at the edge have to call functions that `clippy.toml` disallows, each with its reason. All other modules are
// pure.
#[allow(clippy::disallowed_methods, reason = "a search uses a clock and threads; a finding has a path")]
pub mod campaign;
#[allow(clippy::disallowed_methods, reason = "the process starts and exits here: arguments, signals, streams")]
pub mod cli;
pub mod diagnostic_index;
pub mod event;
pub mod judge;
#[allow(clippy::disallowed_methods, reason = "the only module that prints; it detects terminals and their size")]
pub mod report;
