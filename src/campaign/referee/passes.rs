//! A submission that a program of the jury judges, in one pass or in several.

use super::Sitting;
use super::interactive::converse;
use super::program::{JuryProgram, Manner, Said};
use crate::campaign::bench::{Trial, judged};
use crate::diagnostic::Result;
use crate::judge::FailureKind;
use crate::run::Program;
use crate::verdict::Verdict;
use rebut_checkers::Judgement;

/// The file by which the jury asks for another pass: the input of it.
const NEXT_PASS: &str = "nextpass.in";

/// Runs a submission until the jury's program has said its last word.
///
/// # Errors
/// If a program cannot be run at all, or the work was interrupted.
pub(super) fn trial(jury: &JuryProgram, submission: &Program, sitting: &Sitting<'_>) -> Result<Trial> {
    let mut input = sitting.input.to_vec();
    let mut feedback = Vec::new();
    let mut slowest = 0;
    let mut pass = 1;
    loop {
        let this = Sitting { input: &input, ..*sitting };
        let (mut trial, said) = one(jury, submission, &this, &feedback)?;
        slowest = trial.outcome.cpu_time_us.max(slowest);
        trial.outcome.cpu_time_us = slowest;
        trial.given = said.as_ref().map(|said| said.given(trial.verdict)).unwrap_or_default();
        let is_refused = said.as_ref().is_some_and(|said| matches!(said.judgement, Judgement::Wrong(_)));
        let next = said.filter(|_| jury.most_passes > 1).and_then(|said| next(said.feedback, &mut feedback));
        let next = match (next, trial.verdict) {
            (Some(next), Verdict::Accepted) => next,
            (Some(_), Verdict::WrongAnswer) if is_refused => {
                return Ok(failed(trial, "it asks for another pass of what it refuses"));
            }
            _ => return Ok(trial),
        };
        if pass == jury.most_passes {
            return Ok(failed(trial, &format!("it asks for more than {pass} passes")));
        }
        pass += 1;
        input = next;
    }
}

/// One pass; what the jury's program said is missing where it was not asked.
fn one(
    jury: &JuryProgram,
    submission: &Program,
    sitting: &Sitting<'_>,
    feedback: &[(String, Vec<u8>)],
) -> Result<(Trial, Option<Said>)> {
    if jury.manner == Manner::Interacts {
        let (trial, said) = converse(jury, submission, sitting, feedback)?;
        return Ok((trial, Some(said)));
    }
    let Sitting { input, answer, arguments, limits, cancel } = *sitting;
    let outcome = submission.run(input, arguments, limits, cancel)?;
    if !outcome.is_success() {
        return Ok((judged(outcome, |_| Judgement::Accepted), None));
    }
    let said = jury.check(input, answer, &outcome.output, feedback, cancel)?;
    let judgement = said.judgement.clone();
    Ok((judged(outcome, |_| judgement), Some(said)))
}

/// The input of the next pass, taken out of what the jury's program left; the rest is there again in that pass.
fn next(left: Vec<(String, Vec<u8>)>, feedback: &mut Vec<(String, Vec<u8>)>) -> Option<Vec<u8>> {
    let (next, rest) = left.into_iter().partition(|(name, _)| name == NEXT_PASS);
    *feedback = rest;
    let next: Vec<(String, Vec<u8>)> = next;
    next.into_iter().next().map(|(_, bytes)| bytes)
}

/// The same run, of which the jury's side has to say that it failed itself.
fn failed(trial: Trial, why: &str) -> Trial {
    let verdict = Verdict::JudgeError;
    let kind = FailureKind::new(verdict, &trial.outcome);
    Trial { verdict, kind, mismatch: None, checker_failure: Some(why.to_owned()), ..trial }
}
