//! Runs answer validators on answers.

use super::{JudgeOpinion, ValidatorQuery, get_or_query};
use crate::inputs::AnswerValidator;
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use std::ffi::OsString;
use std::sync::Arc;

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
