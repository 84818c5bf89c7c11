//! Answer validators: programs, and formats converted from checktestdata scripts.

use super::input_validator::InputValidator;
use rebut_diagnostics::Result;
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_sandbox::{CancelToken, RunLimits};
use std::ffi::OsString;

/// Validates answers.
#[derive(Clone)]
pub enum AnswerValidator {
    /// A program that reads the answer and takes the path of the input as an argument.
    Program(InputValidator),
    /// A format, which does not depend on the input.
    Format {
        /// Name in messages.
        name: String,
        /// The format.
        format: Box<Format>,
    },
}

impl AnswerValidator {
    /// Returns the name in messages.
    pub fn display_name(&self) -> String {
        match self {
            AnswerValidator::Program(validator) => validator.program.file_name(),
            AnswerValidator::Format { name, .. } => name.clone(),
        }
    }

    /// Returns `None` if the validator accepts an answer, and otherwise its message.
    ///
    /// # Errors
    /// Returns an error if the validator cannot be started, crashes, exceeds its limits, or exits with an unknown
    /// status.
    pub fn check_answer(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        match self {
            AnswerValidator::Program(validator) => validator.check_answer((input, answer), arguments, limits, cancel),
            AnswerValidator::Format { format, .. } => {
                Ok(invalid::find_refusal(format, answer).map(|problem| problem.message))
            }
        }
    }
}
