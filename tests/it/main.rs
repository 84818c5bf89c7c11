//! The integration tests: the real program on real files, with real compilers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test fails by panicking, and it may look at whatever it likes"
)]

mod agreement;
mod attacks;
mod build;
mod certificate;
mod compile_attacks;
mod compile_options;
mod constraints;
mod contestants;
mod ctd;
mod described;
mod doctor;
mod documentation;
mod engines;
mod enumerate;
mod environment;
mod exchange;
mod formats;
mod formatted;
mod fuzz;
mod generator;
mod golden;
mod interrupt;
mod invalid;
mod judge_errors;
mod judge_examples;
mod language;
mod languages;
mod large;
mod limits;
mod looks;
mod minima;
mod one_liner;
mod operating;
mod outcomes;
mod packages;
mod packing;
mod points;
mod probes;
mod problems;
mod programs;
mod proofs;
mod reasons;
mod referees;
mod reports;
mod run;
mod run_files;
mod run_interact;
mod run_several;
mod run_sources;
mod same;
mod shipped;
mod shrink;
mod tidy;
mod together;
mod unmet;
mod usage;
mod validate;
mod verdicts;
mod verify;
