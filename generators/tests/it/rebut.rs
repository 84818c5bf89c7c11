//! The helper file of generator programs, with draws that a test chooses.

#![allow(dead_code, clippy::allow_attributes_without_reason, reason = "the file has functions for every generator")]
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::print_stderr, reason = "it is part of a program")]

include!("../../include/rebut.rs");

/// Begins an input: with these draws, then those of a seed.
pub(crate) fn begin_input(growth: u32, draws: Vec<u64>, seed: u64) {
    SOURCE.set(Source { draws, used: 0, state: Some(seed), growth: growth.into(), is_logged: false });
}
