//! How programs read their input, and whether that fits the input.

mod input_fit;

pub use input_fit::{explain_input_misuse, find_input_misfits};
