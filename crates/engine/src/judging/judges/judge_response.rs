//! Interprets the exit code and the feedback files of a judge program.

use super::working_files::{FEEDBACK_FOLDER, JudgeMode, MAX_SCORE_BYTES, SCORE_FILE};
use crate::judge::describe_outcome;
use rebut_checkers::{ExitCodeConvention, Judgement, Mismatch};
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ProcessExit, RunOutcome};
use std::path::Path;

/// The response of a judge program to a run.
pub(super) struct JudgeResponse {
    /// The judgement of the output.
    pub(super) judgement: Judgement,
    /// Its feedback files, with their names in the feedback folder.
    pub(super) feedback: Vec<(String, Vec<u8>)>,
}

impl JudgeResponse {
    /// Returns the score that it gave, if its judgement determined the verdict.
    pub(super) fn feedback_score(&self, verdict: Verdict) -> FeedbackScore {
        let has_decided = matches!(
            (&self.judgement, verdict),
            (Judgement::Accepted, Verdict::Accepted) | (Judgement::Wrong(_), Verdict::WrongAnswer)
        );
        let text = |name: &str| {
            let (_, bytes) = self.feedback.iter().find(|(file, _)| has_decided && file == name)?;
            Some(String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SCORE_BYTES)]).into_owned())
        };
        FeedbackScore { score: text(SCORE_FILE), multiplier: text("score_multiplier.txt") }
    }
}

/// Feedback file with the message for the judges, in the ICPC package format.
const MESSAGE_FILE: &str = "judgemessage.txt";

/// Maximum length of a message in bytes.
const MAX_MESSAGE_BYTES: usize = 4096;

/// Returns the judgement for the exit of a program that judges in this way. One that crashed or exceeded a limit failed.
pub(super) fn interpret_exit(mode: JudgeMode, convention: ExitCodeConvention, outcome: &RunOutcome) -> Judgement {
    let message = judge_message(outcome);
    let judge = match mode {
        JudgeMode::Validator => "checker",
        JudgeMode::Interactor => "interactor",
    };
    match (outcome.limit, outcome.exit) {
        (None, ProcessExit::Code(code)) => convention.judge_exit_code(judge, code, &message),
        _ => Judgement::Failed(format!("it {}", describe_outcome(outcome))),
    }
}

/// Interprets the message of a program that gives points by its exit code, as testlib does: `points 0.5 some words`.
/// 0 points mean a wrong answer. Returns `None` for other exit codes.
pub(super) fn interpret_points(convention: ExitCodeConvention, outcome: &RunOutcome) -> Option<JudgeResponse> {
    match (outcome.limit, outcome.exit) {
        (None, ProcessExit::Code(code)) if convention.gives_points(code) => {}
        _ => return None,
    }
    let message = judge_message(outcome);
    let mut words = message.split_whitespace().skip_while(|word| *word == "points");
    let given = words.next().unwrap_or_default().to_owned();
    let (judgement, feedback) = match given.parse::<f64>() {
        Ok(0.0) => (Judgement::Wrong(Mismatch { message, ..Mismatch::default() }), Vec::new()),
        Ok(points) if points > 0.0 && points.is_finite() => {
            (Judgement::Accepted, vec![(SCORE_FILE.to_owned(), given.into_bytes())])
        }
        _ => (Judgement::Failed(format!("the checker gives points, but not as a number: `{message}`")), Vec::new()),
    };
    Some(JudgeResponse { judgement, feedback })
}

/// Returns its message: the feedback file, or else stderr or stdout.
fn judge_message(outcome: &RunOutcome) -> String {
    let file = outcome.files.get(&Path::new(FEEDBACK_FOLDER).join(MESSAGE_FILE)).map(Vec::as_slice);
    let texts = [file.unwrap_or_default(), &outcome.stderr, &outcome.output];
    let texts = texts.map(|text| String::from_utf8_lossy(&text[..text.len().min(MAX_MESSAGE_BYTES)]).trim().to_owned());
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
