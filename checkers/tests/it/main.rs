//! Property tests of the checkers, and tables of their judgements.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod cases;
mod diff;
mod documentation;
mod exit;
mod icpc;
mod laws;
mod names;
mod suggestion;
mod testlib;
