//! Judges a submission with a judge program, in one pass or several.

use super::JudgeRequest;
use super::interactive::judge_interaction;
use super::judge_program::{JudgeProgram, JudgeResponse};
use super::working_files::JudgeMode;
use crate::judge::FailureKind;
use crate::judging::run_result::{RunResult, judge_finished_run};
use rebut_checkers::Judgement;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ConversationLength, Program};

/// Feedback file that requests another pass; it contains the input.
const NEXT_PASS_FILE: &str = "nextpass.in";

/// Runs a submission until the judge program requests no further pass.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub(super) fn run_all_passes(
    judge: &JudgeProgram,
    submission: &Program,
    request: &JudgeRequest<'_>,
) -> Result<RunResult> {
    let mut input = request.input.to_vec();
    let mut feedback = Vec::new();
    let mut slowest = 0;
    let mut conversation: Option<ConversationLength> = None;
    let mut pass = 1;
    loop {
        let ran = request.ran.filter(|_| pass == 1);
        let pass_request = JudgeRequest { input: &input, ran, ..*request };
        let (mut result, response) = run_pass(judge, submission, &pass_request, &feedback)?;
        slowest = result.outcome.cpu_time_us.max(slowest);
        result.outcome.cpu_time_us = slowest;
        conversation = result.conversation.map(|pass| conversation.unwrap_or_default().followed_by(pass));
        result.conversation = conversation;
        result.feedback_score =
            response.as_ref().map(|response| response.feedback_score(result.verdict)).unwrap_or_default();
        let is_refused = response.as_ref().is_some_and(|response| matches!(response.judgement, Judgement::Wrong(_)));
        let next = response
            .filter(|_| judge.max_passes > 1)
            .and_then(|response| take_next_pass_input(response.feedback, &mut feedback));
        let next = match (next, result.verdict) {
            (Some(next), Verdict::Accepted) => next,
            (Some(_), Verdict::WrongAnswer) if is_refused => {
                return Ok(as_judge_error(result, "it requests another pass although it rejects the output"));
            }
            _ => return Ok(result),
        };
        if pass == judge.max_passes {
            return Ok(as_judge_error(result, &format!("it requests more than {pass} passes")));
        }
        pass += 1;
        input = next;
    }
}

/// Runs one pass. Returns no response if the judge program was not run because the submission failed.
fn run_pass(
    judge: &JudgeProgram,
    submission: &Program,
    request: &JudgeRequest<'_>,
    feedback: &[(String, Vec<u8>)],
) -> Result<(RunResult, Option<JudgeResponse>)> {
    if judge.mode == JudgeMode::Interactor {
        let (result, response) = judge_interaction(judge, submission, request, feedback)?;
        return Ok((result, Some(response)));
    }
    let JudgeRequest { input, answer, engine, cancel, .. } = *request;
    let outcome = request.run_submission(submission)?;
    if !outcome.is_success() {
        return Ok((judge_finished_run(outcome, |_| Judgement::Accepted), None));
    }
    let response = judge.check_output(input, answer, &outcome.output, feedback, (engine, cancel))?;
    let judgement = response.judgement.clone();
    Ok((judge_finished_run(outcome, |_| judgement), Some(response)))
}

/// Removes the input of the next pass from the feedback files; the others are kept for that pass.
fn take_next_pass_input(files: Vec<(String, Vec<u8>)>, feedback: &mut Vec<(String, Vec<u8>)>) -> Option<Vec<u8>> {
    let (next, rest) = files.into_iter().partition(|(name, _)| name == NEXT_PASS_FILE);
    *feedback = rest;
    let next: Vec<(String, Vec<u8>)> = next;
    next.into_iter().next().map(|(_, bytes)| bytes)
}

/// Converts a run result to a judge error.
fn as_judge_error(result: RunResult, why: &str) -> RunResult {
    let verdict = Verdict::JudgeError;
    let kind = FailureKind::new(verdict, &result.outcome);
    RunResult { verdict, kind, mismatch: None, checker_failure: Some(why.to_owned()), ..result }
}
