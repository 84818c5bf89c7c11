//! rebut finds the smallest input that proves a contest submission wrong.
//!
//! This crate is the tool itself: [`cli`], its commands, and [`report`], which prints what they do. It is on top of
//! five libraries: `rebut_format` describes the valid inputs of a problem, and reads, generates, enumerates and shrinks
//! them; `rebut_sandbox` runs programs; `rebut_packages` reads and writes problem packages; `rebut_diagnostics` holds
//! located messages and errors; `rebut_engine` combines them into searches for failing inputs, and emits events.
//!
//! The modules are layers: each imports only from the layers below it. `ARCHITECTURE.md` is the map.

// Modules at the edge have to call functions that `clippy.toml` disallows, each with its reason. All other modules are
// pure.
#[allow(clippy::disallowed_methods, reason = "the process starts and exits here: arguments, signals, streams")]
#[allow(clippy::disallowed_types, reason = "`rebut listen` listens on the loopback address")]
pub mod cli;
pub mod diagnostic_index;
#[allow(clippy::disallowed_methods, reason = "the only module that prints; it detects terminals and their size")]
pub mod report;
