//! Where the inputs of a search come from, and which of them are valid.

mod case_packing;
mod exhaustive_inputs;
mod generated_input;
mod generator_program;
mod input_mixture;
mod input_source;
mod input_validator;
mod operand_guide;
mod source_hints;
#[cfg(test)]
mod tests;
mod validator_filter;

pub(super) use case_packing::{can_pack_cases, max_inputs_per_file, pack_cases, split_into_cases};
pub use exhaustive_inputs::{ExhaustiveInputs, SMALLEST_SHAPE};
pub use generated_input::GeneratedInput;
pub use generator_program::GeneratorProgram;
pub(super) use input_source::GeneratorDraws;
pub use input_source::{InputOrigin, InputSource};
pub use input_validator::{AnswerValidator, InputValidator, ValidatorConvention};
pub use operand_guide::{CompileChanged, OperandGuide};
pub(super) use source_hints::{find_long_type, find_windows_directive};
pub use source_hints::{search_settings, words_in_samples};
pub(super) use validator_filter::filter_accepted;
