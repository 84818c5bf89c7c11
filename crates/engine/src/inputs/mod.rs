//! Where the inputs of a search come from, and which of them are valid.

mod answer_validator;
mod case_packing;
mod colliding_texts;
mod exhaustive_inputs;
mod generated_input;
mod generator_program;
mod input_mixture;
mod input_source;
mod input_validator;
mod source_hints;
mod unmet_constraint;
mod validator_filter;

pub use answer_validator::AnswerValidator;
pub use colliding_texts::colliding_texts;
pub use exhaustive_inputs::{ExhaustiveInputs, SMALLEST_SHAPE};
pub use generated_input::GeneratedInput;
pub use generator_program::GeneratorProgram;
pub use input_source::{InputOrigin, InputSource};
pub use input_validator::{InputValidator, ValidatorConvention};
pub use source_hints::{
    constants_as_words, extract_constants, extract_quoted_words, extract_sample_words, find_long_type,
};

pub(super) use case_packing::{can_pack_cases, max_inputs_per_file, pack_cases, split_into_cases};
pub(super) use input_source::GeneratorDraws;
pub(super) use source_hints::find_windows_directive;
pub(super) use validator_filter::filter_accepted;

#[cfg(test)]
mod tests;
