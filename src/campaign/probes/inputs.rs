//! Inputs that validators are tried on.

use super::{Opinion, Opinions, ask_all};
use crate::campaign::Validator;
use crate::diagnostic::Result;
use crate::run::{Cancel, Limits};
use std::ffi::OsString;

/// An input that validators are to be asked about.
pub struct InputProbe {
    /// What it is called.
    pub name: String,
    /// What is wrong with it; what it is, if nothing is.
    pub what: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// Whether it has to be accepted by all of them, or refused by one.
    pub is_valid: bool,
    /// Arguments of each validator.
    pub arguments: Vec<Vec<OsString>>,
}

/// Who is asked, and how.
pub struct InputTrial<'a> {
    /// The validators.
    pub validators: &'a [Validator],
    /// What they may use.
    pub limits: Limits,
    /// How many questions there are at a time.
    pub jobs: usize,
    /// What is known from earlier.
    pub memory: &'a dyn Opinions,
    /// Stops the work.
    pub cancel: Cancel,
}

/// What each validator says of each input: a list for each input, in the order of the validators.
///
/// # Errors
/// If one cannot be run at all, or the work was interrupted.
pub fn opinions(trial: &InputTrial<'_>, probes: &[InputProbe]) -> Result<Vec<Vec<Opinion>>> {
    ask_all(probes, trial.jobs, |probe| {
        let each = trial.validators.iter().enumerate();
        each.map(|(number, validator)| {
            let none = Vec::new();
            one(trial, validator, &probe.bytes, probe.arguments.get(number).unwrap_or(&none))
        })
        .collect()
    })
}

fn one(trial: &InputTrial<'_>, validator: &Validator, input: &[u8], arguments: &[OsString]) -> Result<Opinion> {
    let words = format!("{:?} {:?} {:?}", validator.convention, arguments, trial.limits);
    let parts = validator.identity.as_ref().map(|identity| [identity.as_bytes(), words.as_bytes(), input]);
    if let Some(known) = parts.as_ref().and_then(|parts| trial.memory.recall(parts)) {
        return Ok(known);
    }
    let opinion = Opinion::of(validator.refuses_with(input, arguments, &trial.limits, &trial.cancel))?;
    if let Some(parts) = parts {
        trial.memory.remember(&parts, &opinion);
    }
    Ok(opinion)
}
