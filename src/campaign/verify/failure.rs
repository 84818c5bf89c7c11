//! The first failure of a submission, in full.

use super::super::referee::Sitting;
use super::examine::examined;
use super::{Assessment, Case, Contestant, VerifyPlan};
use crate::campaign::{Found, JudgedBy, failure_hints};
use crate::corpus::read_file;
use crate::diagnostic::Result;

/// The first failure of a submission with its input, answer and output: it is run once more, for a cell of the table
/// does not keep them. None if it failed nowhere, or does not do so again.
///
/// # Errors
/// As [`verify`](super::verify).
pub fn first_failure(
    plan: &VerifyPlan<'_>,
    contestant: &Contestant,
    assessment: &Assessment,
    cpu_time_limit_ms: u64,
) -> Result<Option<Found>> {
    let program = match &contestant.program {
        Ok(program) => program,
        Err(rejected) => {
            return Ok(Some(Found::compile_error(&contestant.name, &rejected.command, &rejected.text)));
        }
    };
    let Some(number) = assessment.first_rejection else { return Ok(None) };
    let case: &Case = &plan.cases[number];
    if let (Some(examiner), Some(sources)) = (&case.examiner, &contestant.sources) {
        let trial = examined(examiner, sources, &plan.cancel)?;
        if trial.verdict == crate::verdict::Verdict::Accepted {
            return Ok(None);
        }
        let found = Found::of_trial(&contestant.name, Vec::new(), Vec::new(), trial, examiner.title());
        return Ok(Some(Found { test_case: Some(case.name.clone()), judged_by: JudgedBy::Program, ..found }));
    }
    let (input, answer) = (read_file(&case.input)?, read_file(&case.answer)?);
    let limits = plan.limits_with(cpu_time_limit_ms);
    let (arguments, cancel) = (&case.arguments, &plan.cancel);
    let sitting = Sitting { input: &input, answer: &answer, arguments, limits: &limits, cancel };
    let trial = case.referee.trial(program, &sitting)?;
    if trial.verdict == crate::verdict::Verdict::Accepted {
        return Ok(None);
    }
    let judged_by = case.referee.kind();
    // Another comparison is for `problem.yaml` to choose.
    let hints = (judged_by == JudgedBy::Conversation).then(|| failure_hints(&case.referee, &trial, &answer));
    let found = Found::of_trial(&contestant.name, input, answer, trial, case.referee.name());
    let hints = hints.unwrap_or_else(|| found.hints.clone());
    Ok(Some(Found { test_case: Some(case.name.clone()), judged_by, hints, ..found }))
}
