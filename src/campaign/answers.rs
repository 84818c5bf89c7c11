//! Answer validators: programs, and formats converted from checktestdata scripts.

use super::judge_setup::InputValidator;
use super::parallel::run_in_parallel;
use super::probes::{JudgeOpinion, ValidatorQuery, get_or_query};
use rebut_diagnostics::Result;
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_sandbox::{CancelToken, RunLimits};
use std::ffi::OsString;
use std::sync::Arc;

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

/// An answer to be validated.
pub struct AnswerProbe {
    /// Name in reports.
    pub name: String,
    /// Input and answer.
    pub case: Arc<(Vec<u8>, Vec<u8>)>,
    /// Whether it must be accepted by all validators, or refused by one.
    pub is_valid: bool,
    /// Arguments of each validator.
    pub arguments: Vec<Vec<OsString>>,
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

/// Returns the opinion of each validator on each answer: a list per answer, in the order of the validators.
///
/// # Errors
/// Returns an error if a validator cannot be started, or if the work was cancelled.
pub fn collect_answer_opinions(
    query: &ValidatorQuery<'_, AnswerValidator>,
    probes: &[AnswerProbe],
) -> Result<Vec<Vec<JudgeOpinion>>> {
    let ask = |number: usize| {
        let probe = &probes[number];
        let each = query.validators.iter().zip(&probe.arguments);
        each.map(|(validator, arguments)| query_validator(query, validator, probe, arguments)).collect()
    };
    run_in_parallel(query.jobs, probes.len(), ask, &mut |_| ())
}

fn query_validator(
    query: &ValidatorQuery<'_, AnswerValidator>,
    validator: &AnswerValidator,
    probe: &AnswerProbe,
    arguments: &[OsString],
) -> Result<JudgeOpinion> {
    let identity = match validator {
        AnswerValidator::Program(validator) => validator.identity.as_deref(),
        // Formats are as fast as the cache.
        AnswerValidator::Format { .. } => None,
    };
    let options = format!("answer {arguments:?} {:?}", query.limits);
    let (input, answer) = (&probe.case.0[..], &probe.case.1[..]);
    let parts = identity.map(|identity| [identity.as_bytes(), options.as_bytes(), input, answer]);
    get_or_query(query.cache, parts.as_ref().map(|parts| &parts[..]), || {
        JudgeOpinion::from_answer(validator.check_answer((input, answer), arguments, &query.limits, &query.cancel))
    })
}
