//! A submission that speaks with a program of the jury.

use super::Sitting;
use super::program::{JuryProgram, Said};
use crate::campaign::bench::Trial;
use crate::diagnostic::Result;
use crate::judge::{FailureKind, judge_outcome};
use crate::run::{Decision, Interaction, Limits, Outcome, Party, Program, Side, interact};
use crate::score::Given;
use crate::verdict::Verdict;
use rebut_checkers::{Judgement, Mismatch};

/// One conversation, judged, and what the jury's program left behind.
///
/// # Errors
/// If a program cannot be run at all, or the work was interrupted.
pub(super) fn converse(
    jury: &JuryProgram,
    submission: &Program,
    sitting: &Sitting<'_>,
    feedback: &[(String, Vec<u8>)],
) -> Result<(Trial, Said)> {
    let luggage = jury.luggage(sitting.input, sitting.answer, feedback)?;
    let arguments = jury.arguments();
    let limits = patient(&jury.limits, sitting.limits);
    let interactor = Side { program: &jury.program, args: &arguments, limits: &limits, luggage: Some(&luggage) };
    let other = Side { program: submission, args: sitting.arguments, limits: sitting.limits, luggage: None };
    let interaction = interact(&interactor, &other, &|outcome| jury.refuses(outcome), sitting.cancel)?;
    let decision = interaction.decision();
    let output = transcript(&interaction);
    let said = jury.heard(interaction.interactor);
    let outcome = Outcome { output, ..interaction.submission };
    Ok((trial(decision, outcome, &said.judgement), said))
}

/// What the interactor may use. Both are waited for as long as both may take, so where each waits for the other its
/// minute would be the submission's.
fn patient(jury: &Limits, submission: &Limits) -> Limits {
    const MORE_MS: u64 = 2000;
    let wall_time_limit_ms = submission.cpu_time_limit_ms.saturating_add(MORE_MS).min(jury.wall_time_limit_ms);
    Limits { wall_time_limit_ms, ..jury.clone() }
}

fn trial(decision: Decision, outcome: Outcome, judgement: &Judgement) -> Trial {
    let early =
        Mismatch { message: "it ended while the interactor still spoke to it".to_owned(), ..Mismatch::default() };
    let (verdict, mismatch, checker_failure) = match (decision, judgement) {
        (Decision::Submission, _) => (judge_outcome(&outcome).unwrap_or(Verdict::RuntimeError), None, None),
        (Decision::Early, _) => (Verdict::WrongAnswer, Some(early), None),
        (Decision::Interactor | Decision::Failed, Judgement::Failed(why)) => {
            (Verdict::JudgeError, None, Some(why.clone()))
        }
        (Decision::Failed, _) => (Verdict::JudgeError, None, Some("the interactor failed".to_owned())),
        (Decision::Interactor, Judgement::Accepted) => (Verdict::Accepted, None, None),
        (Decision::Interactor, Judgement::Wrong(mismatch)) => (Verdict::WrongAnswer, Some(mismatch.clone()), None),
    };
    let kind = FailureKind::new(verdict, &outcome);
    Trial { verdict, kind, outcome, mismatch, checker_failure, given: Given::default() }
}

/// The conversation as text. Before each line stand the seconds since the programs were started, and `<` if the submission reads
/// it, or `>` if it writes it.
fn transcript(interaction: &Interaction) -> Vec<u8> {
    let transcript = &interaction.transcript;
    let mut text = Vec::new();
    for (i, line) in transcript.lines().enumerate() {
        if i == transcript.beginning.len() {
            text.extend_from_slice(format!("... {} lines left out\n", transcript.left_out).as_bytes());
        }
        let mark = if line.from == Party::Interactor { '<' } else { '>' };
        text.extend_from_slice(format!("{:7.3} {mark} ", line.at_us as f64 / 1e6).as_bytes());
        text.extend_from_slice(&line.text);
        if line.left_out_bytes > 0 {
            text.extend_from_slice(format!(" ... {} bytes left out", line.left_out_bytes).as_bytes());
        }
        text.push(b'\n');
    }
    text
}
