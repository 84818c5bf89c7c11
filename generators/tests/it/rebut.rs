//! The helper file of generator programs, with draws that a test chooses.

#![allow(dead_code, clippy::allow_attributes_without_reason, reason = "the file has functions for every generator")]
#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::print_stderr, reason = "it is part of a program")]

include!("../../include/rebut.rs");

/// Begins an input: with these draws, then those of a seed.
pub(crate) fn begin_input(growth: u32, draws: Vec<u64>, seed: u64) {
    SOURCE.set(Source { draws, used: 0, state: Some(seed), growth: growth.into(), is_logged: false });
}

/// Defines how a test draws cases of the kinds of a program. Each program has its own type of kinds.
macro_rules! define_draws {
    () => {
        /// Draws a case of a kind.
        fn draw(kind: &Kind, growth: u32, seed: u64) -> String {
            rebut::begin_input(growth, Vec::new(), seed);
            kind.1(ALL_SIDES).to_case()
        }

        /// Draws a case from a list of draws and those after it.
        fn replay(kind: &Kind, growth: u32, draws: Vec<u64>) -> String {
            rebut::begin_input(growth, draws, 1);
            kind.1(ALL_SIDES).to_case()
        }

        fn find_kind(name: &str) -> &'static Kind {
            KINDS.iter().find(|kind| kind.0 == name).unwrap()
        }
    };
}
pub(crate) use define_draws;
