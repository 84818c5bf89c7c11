//! How programs read their input, and whether that fits the input.

mod extra_input;
mod input_fit;
mod stdin_diagnosis;

pub use input_fit::find_input_misfits;
pub use stdin_diagnosis::explain_input_misuse;
