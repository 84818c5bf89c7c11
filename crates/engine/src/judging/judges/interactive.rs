//! Judges a submission by a conversation with an interactor.

use super::JudgeRequest;
use super::judge_program::{JudgeProgram, JudgeResponse};
use crate::judge::judge_outcome;
use crate::judging::run_result::RunResult;
use rebut_checkers::{Judgement, Mismatch};
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{
    Interaction, InteractionDecision, InteractionParty, InteractionSide, Program, RunLimits, RunOutcome,
    run_interaction,
};

/// Runs a submission with the interactor. Returns the result, and the response of the interactor with the files that it
/// wrote.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub(super) fn judge_interaction(
    judge: &JudgeProgram,
    submission: &Program,
    request: &JudgeRequest<'_>,
    feedback: &[(String, Vec<u8>)],
) -> Result<(RunResult, JudgeResponse)> {
    let run_files = judge.collect_run_files(request.input, request.answer, feedback)?;
    let arguments = judge.program_arguments();
    let limits = interactor_limits(&judge.limits, request.limits);
    let interactor =
        InteractionSide { program: &judge.program, args: &arguments, limits: &limits, files: Some(&run_files) };
    let JudgeRequest { arguments: args, limits: own_limits, files, .. } = *request;
    let other = InteractionSide { program: submission, args, limits: own_limits, files };
    let interaction = run_interaction(&interactor, &other, &|outcome| judge.is_refusal(outcome), request.cancel)?;
    let mut decision = interaction.decision();
    let output = render_transcript(&interaction);
    let conversation = Some(interaction.transcript.length);
    let response = judge.interpret_run(interaction.interactor);
    // An accepted conversation does not excuse a crash that has nothing to do with the end of the interactor.
    if response.judgement == Judgement::Accepted
        && interaction.ended_by_itself
        && !interaction.submission.exit.is_success()
    {
        decision = InteractionDecision::Submission;
    }
    let outcome = RunOutcome { output, ..interaction.submission };
    let result = RunResult { conversation, ..interaction_result(decision, outcome, &response.judgement) };
    Ok((result, response))
}

/// Returns the limits of the interactor. Each program is waited for until both limits on elapsed time have passed, so
/// the generous limit of the interactor is shortened: otherwise a deadlock would last that long.
fn interactor_limits(interactor: &RunLimits, submission: &RunLimits) -> RunLimits {
    const INTERACTOR_SLACK_MS: u64 = 2000;
    let wall_time_limit_ms =
        submission.cpu_time_limit_ms.saturating_add(INTERACTOR_SLACK_MS).min(interactor.wall_time_limit_ms);
    RunLimits { wall_time_limit_ms, ..interactor.clone() }
}

fn interaction_result(decision: InteractionDecision, outcome: RunOutcome, judgement: &Judgement) -> RunResult {
    let early = Mismatch {
        message: "it exited while the interactor was still writing to it".to_owned(),
        ..Mismatch::default()
    };
    let (verdict, mismatch, checker_failure) = match (decision, judgement) {
        (InteractionDecision::Submission, _) => (judge_outcome(&outcome).unwrap_or(Verdict::RuntimeError), None, None),
        (InteractionDecision::SubmissionLeftEarly, _) => (Verdict::WrongAnswer, Some(early), None),
        (InteractionDecision::Interactor | InteractionDecision::InteractorFailed, Judgement::Failed(why)) => {
            (Verdict::JudgeError, None, Some(why.clone()))
        }
        (InteractionDecision::InteractorFailed, _) => {
            (Verdict::JudgeError, None, Some("the interactor failed".to_owned()))
        }
        (InteractionDecision::Interactor, Judgement::Accepted) => (Verdict::Accepted, None, None),
        (InteractionDecision::Interactor, Judgement::Wrong(mismatch)) => {
            (Verdict::WrongAnswer, Some(mismatch.clone()), None)
        }
    };
    RunResult { mismatch, checker_failure, ..RunResult::new(verdict, outcome) }
}

/// Formats the conversation as text. Each line begins with the seconds since the programs were started, and `<` if the
/// submission reads the line or `>` if it writes it.
fn render_transcript(interaction: &Interaction) -> Vec<u8> {
    let transcript = &interaction.transcript;
    let mut text = Vec::new();
    for (i, line) in transcript.kept_lines().enumerate() {
        if i == transcript.beginning.len() {
            text.extend_from_slice(format!("... {} lines left out\n", transcript.omitted_lines).as_bytes());
        }
        let mark = if line.from == InteractionParty::Interactor { '<' } else { '>' };
        text.extend_from_slice(format!("{:7.3} {mark} ", line.at_us as f64 / 1e6).as_bytes());
        text.extend_from_slice(&line.text);
        if line.omitted_bytes > 0 {
            text.extend_from_slice(format!(" ... {} bytes left out", line.omitted_bytes).as_bytes());
        }
        text.push(b'\n');
    }
    text
}
