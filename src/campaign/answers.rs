//! Those who judge answers: programs, and formats made of scripts.

use super::bench::Validator;
use super::parallel::run_in_parallel;
use super::probes::{Asking, Opinion, known_or};
use crate::diagnostic::Result;
use crate::format::Format;
use crate::invalid;
use crate::run::{Cancel, Limits};
use std::ffi::OsString;
use std::sync::Arc;

/// Who says whether an answer is as it has to be.
#[derive(Clone)]
pub enum AnswerValidator {
    /// A program: it reads the answer, and is told where the input is.
    Program(Validator),
    /// A format, which knows nothing of the input.
    Format {
        /// What it is called.
        name: String,
        /// The format.
        format: Box<Format>,
    },
}

/// An answer that is to be judged.
pub struct AnswerProbe {
    /// What it is called.
    pub name: String,
    /// Input and answer.
    pub case: Arc<(Vec<u8>, Vec<u8>)>,
    /// Whether it has to be accepted, or refused by one.
    pub is_valid: bool,
    /// Arguments of each validator.
    pub arguments: Vec<Vec<OsString>>,
}

impl AnswerValidator {
    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            AnswerValidator::Program(validator) => validator.program.file_name(),
            AnswerValidator::Format { name, .. } => name.clone(),
        }
    }

    /// Whether it accepts an answer; if not, what it says about it.
    ///
    /// # Errors
    /// If it cannot be run, crashes, exceeds its limits, or exits with a status that means nothing.
    pub fn refuses(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Option<String>> {
        match self {
            AnswerValidator::Program(validator) => validator.refuses_answer((input, answer), arguments, limits, cancel),
            AnswerValidator::Format { format, .. } => {
                Ok(invalid::refusal(format, answer).map(|problem| problem.message))
            }
        }
    }
}

/// What each validator says of each answer: a list for each answer, in the order of the validators.
///
/// # Errors
/// If one cannot be run at all, or the work was interrupted.
pub fn answer_opinions(trial: &Asking<'_, AnswerValidator>, probes: &[AnswerProbe]) -> Result<Vec<Vec<Opinion>>> {
    let ask = |number: usize| {
        let probe = &probes[number];
        let each = trial.validators.iter().zip(&probe.arguments);
        each.map(|(validator, arguments)| one(trial, validator, probe, arguments)).collect()
    };
    run_in_parallel(trial.jobs, probes.len(), ask, &mut |_| ())
}

fn one(
    trial: &Asking<'_, AnswerValidator>,
    validator: &AnswerValidator,
    probe: &AnswerProbe,
    arguments: &[OsString],
) -> Result<Opinion> {
    let identity = match validator {
        AnswerValidator::Program(validator) => validator.identity.as_deref(),
        // As quickly looked at as looked up.
        AnswerValidator::Format { .. } => None,
    };
    let words = format!("answer {arguments:?} {:?}", trial.limits);
    let (input, answer) = (&probe.case.0[..], &probe.case.1[..]);
    let parts = identity.map(|identity| [identity.as_bytes(), words.as_bytes(), input, answer]);
    known_or(trial.memory, parts.as_ref().map(|parts| &parts[..]), || {
        Opinion::of(validator.refuses((input, answer), arguments, &trial.limits, &trial.cancel))
    })
}
