//! How programs read their input, and whether that fits the input.

mod input_fit;

pub(crate) use input_fit::explain_input_misuse;
pub use input_fit::find_input_misfits;
