//! Probes validators and checkers: they must refuse broken inputs and outputs, accept harmless variants, and never
//! fail.
//!
//! [`collect_input_opinions`] and [`collect_output_opinions`] run the programs; the probes themselves are plain bytes:
//!
//! ```
//! use rebut_engine::probes::{damage_input, junk_outputs};
//!
//! let damaged = damage_input(b"2\n5 3\n");
//! let (_, description, bytes) = damaged.iter().find(|(name, _, _)| *name == "extra-space").expect("a known name");
//! assert_eq!(*description, "there are two spaces where one belongs");
//! assert_eq!(bytes, b"2\n5  3\n");
//! assert!(junk_outputs(b"8\n").iter().any(|(name, _, _)| *name == "nan"));
//! ```

mod input_probes;
mod output_probes;
mod small_outputs;

use crate::event::ValidatorExposure;
pub use input_probes::{InputProbe, collect_input_opinions, damage_input, stated_line};
pub use output_probes::{
    ANSWER_PROBE_NAME, AnswerProbe, OutputProbe, collect_answer_opinions, collect_output_opinions, harmless_variants,
    huge_number_output, junk_outputs, mutated_outputs,
};
use rebut_diagnostics::{ErrorKind, Result};
use rebut_sandbox::{CancelToken, RunLimits};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use small_outputs::{SmallOutputQuery, SmallOutputTrial, is_integer, show_tokens, try_small_outputs};

/// The opinion of a validator or checker, as it is cached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeOpinion {
    /// It accepts.
    Accepted,
    /// It refuses, with the reason.
    Refused(String),
    /// It failed, with a description of the failure.
    Failed(String),
}

impl JudgeOpinion {
    /// Converts the result of a validator. A failure of the program is an opinion; a failure of the system is an error.
    pub(super) fn from_answer(answer: Result<Option<String>>) -> Result<JudgeOpinion> {
        match answer {
            Ok(None) => Ok(JudgeOpinion::Accepted),
            Ok(Some(why)) => Ok(JudgeOpinion::Refused(why)),
            Err(error) if error.kind() == ErrorKind::Judge => Ok(JudgeOpinion::Failed(error.message().to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// A cache of opinions. The parts of a key identify the program, its arguments and limits, and the files that it reads.
pub trait OpinionCache: Sync {
    /// Returns what is cached.
    fn get_opinion(&self, parts: &[&[u8]]) -> Option<Value>;

    /// Stores an opinion.
    fn store_opinion(&self, parts: &[&[u8]], opinion: Value);
}

/// The validators to run, and how to run them.
pub struct ValidatorQuery<'a, V> {
    /// The validators.
    pub validators: &'a [V],
    /// Limits on the validators.
    pub limits: RunLimits,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Cache of opinions.
    pub cache: &'a dyn OpinionCache,
    /// Cancels the work.
    pub cancel: CancelToken,
}

/// Returns the cached opinion, or calls `query` and caches the result. `parts` is the key, or `None` to bypass the cache.
pub(super) fn get_or_query<T: Serialize + DeserializeOwned>(
    cache: &dyn OpinionCache,
    parts: Option<&[&[u8]]>,
    query: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let Some(parts) = parts else { return query() };
    if let Some(known) = cache.get_opinion(parts).and_then(|known| serde_json::from_value(known).ok()) {
        return Ok(known);
    }
    let opinion = query()?;
    if let Ok(value) = serde_json::to_value(&opinion) {
        cache.store_opinion(parts, value);
    }
    Ok(opinion)
}

/// Returns the tokens of a text, each with the place where it starts.
fn tokens_with_starts(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let is_space = |at: usize| text[at].is_ascii_whitespace();
    let starts = (0..text.len()).filter(move |at| !is_space(*at) && (*at == 0 || is_space(at - 1)));
    starts.map(|start| (start, text[start..].split(u8::is_ascii_whitespace).next().unwrap_or_default()))
}

// Merges wrong opinions with the same cause.

/// Merges exposures with the same cause into the first of them, with the names of the others. Each pair is the cause
/// and the exposure.
pub fn merge_exposures(opinions: Vec<(String, ValidatorExposure)>) -> Vec<ValidatorExposure> {
    let mut found: Vec<(String, ValidatorExposure)> = Vec::new();
    for (cause, exposed) in opinions {
        let cause = match &exposed.failure {
            Some(failure) => strip_digits(failure),
            None if exposed.is_refused => strip_digits(&cause),
            None => cause,
        };
        let is_same = |(known, first): &&mut (String, ValidatorExposure)| {
            *known == cause
                && first.validator == exposed.validator
                && (first.is_refused, first.is_lenient) == (exposed.is_refused, exposed.is_lenient)
                && first.failure.is_some() == exposed.failure.is_some()
        };
        match found.iter_mut().find(is_same) {
            Some((_, first)) => first.others.push(exposed.name),
            None => found.push((cause, exposed)),
        }
    }
    found.into_iter().map(|(_, exposed)| exposed).collect()
}

/// Removes digits from a message, so that errors in line 3 and in line 17 have the same cause.
fn strip_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposure_with(validator: &str, name: &str, is_lenient: bool, failure: Option<&str>) -> ValidatorExposure {
        let failure = failure.map(str::to_owned);
        ValidatorExposure { failure, is_lenient, ..ValidatorExposure::new(validator, name, "") }
    }

    #[test]
    fn one_cause_is_reported_once() {
        let all = [
            ("white space", exposure_with("v", "crlf", true, None)),
            ("n <= 8", exposure_with("v", "n-above", false, None)),
            ("white space", exposure_with("v", "tab", true, None)),
            ("white space", exposure_with("w", "tab", true, None)),
            ("nan", exposure_with("v", "a", false, Some("exited with status 1 in line 3"))),
            ("nul", exposure_with("v", "b", false, Some("exited with status 1 in line 17"))),
        ];
        let found = merge_exposures(all.into_iter().map(|(cause, exposed)| (cause.to_owned(), exposed)).collect());
        let names: Vec<String> = found.iter().map(ValidatorExposure::listed_names).collect();
        assert_eq!(names, ["`crlf` and 1 more (`tab`)", "`n-above`", "`tab`", "`a` and 1 more (`b`)"]);
    }
}
