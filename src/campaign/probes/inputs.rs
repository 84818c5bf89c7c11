//! Inputs that validators are tried on.

use super::{Asking, Opinion, known_or};
use crate::campaign::Validator;
use crate::campaign::parallel::run_in_parallel;
use crate::diagnostic::Result;
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
    /// What a validator that accepts it overlooks: a constraint, white space. One that has others overlook it, too.
    pub cause: String,
    /// Whether that is a leniency, and no mistake.
    pub is_lenient: bool,
    /// Arguments of each validator.
    pub arguments: Vec<Vec<OsString>>,
}

/// What each validator says of each input: a list for each input, in the order of the validators.
///
/// # Errors
/// If one cannot be run at all, or the work was interrupted.
pub fn opinions(trial: &Asking<'_, Validator>, probes: &[InputProbe]) -> Result<Vec<Vec<Opinion>>> {
    let ask = |number: usize| {
        let probe = &probes[number];
        let each = trial.validators.iter().enumerate();
        each.map(|(number, validator)| {
            let none = Vec::new();
            one(trial, validator, &probe.bytes, probe.arguments.get(number).unwrap_or(&none))
        })
        .collect()
    };
    run_in_parallel(trial.jobs, probes.len(), ask, &mut |_| ())
}

fn one(trial: &Asking<'_, Validator>, validator: &Validator, input: &[u8], arguments: &[OsString]) -> Result<Opinion> {
    let words = format!("{:?} {:?} {:?}", validator.convention, arguments, trial.limits);
    let parts = validator.identity.as_ref().map(|identity| [identity.as_bytes(), words.as_bytes(), input]);
    let parts = parts.as_ref().map(|parts| &parts[..]);
    known_or(trial.memory, parts, || {
        Opinion::of(validator.refuses_with(input, arguments, &trial.limits, &trial.cancel))
    })
}
