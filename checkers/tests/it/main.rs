//! The laws of the checkers, and tables of what each of them says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it stands")]

mod cases;
mod diff;
mod documentation;
mod exit;
mod icpc;
mod laws;
mod names;
mod suggestion;
mod testlib;
