//! Wrong opinions of validators and checkers.

use serde::Serialize;

/// A wrong opinion of a validator or checker.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidatorExposure {
    /// Name of the validator or checker.
    pub validator: String,
    /// Name of the input or output.
    pub name: String,
    /// Description of the mistake in the input or output, or why a valid one was refused.
    pub what: String,
    /// How the program failed, if it did.
    pub failure: Option<String>,
    /// Whether it refused something valid, rather than accepting something invalid.
    pub is_refused: bool,
    /// Whether this is only leniency: white space, letter case, the spelling of numbers.
    pub is_lenient: bool,
    /// Names of other inputs with the same cause.
    pub others: Vec<String>,
}

impl ValidatorExposure {
    /// Returns the exposure of a validator that accepted an invalid input.
    pub fn new(validator: impl Into<String>, name: &str, what: impl Into<String>) -> ValidatorExposure {
        ValidatorExposure {
            validator: validator.into(),
            name: name.to_owned(),
            what: what.into(),
            failure: None,
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        }
    }

    /// Returns the name of the input, with the number and the first names of others with the same cause.
    pub fn listed_names(&self) -> String {
        /// Maximum number of other names.
        const SHOWN: usize = 3;
        let mut text = format!("`{}`", self.name);
        if !self.others.is_empty() {
            let shown: Vec<String> = self.others.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if self.others.len() > SHOWN { ", ..." } else { "" };
            text.push_str(&format!(" and {} more ({}{more})", self.others.len(), shown.join(", ")));
        }
        text
    }
}

/// The result of probing the validators and checkers of a package.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProbeSummary {
    /// Number of inputs that the validators checked; 0 without validators.
    pub inputs: usize,
    /// Number of answers that the answer validators checked; 0 without answer validators.
    pub answers: usize,
    /// Number of outputs that the checker judged.
    pub outputs: usize,
    /// Number of wrong opinions; those with the same cause count once.
    pub exposed: usize,
    /// Number of opinions that are only lenient.
    pub lenient: usize,
}
