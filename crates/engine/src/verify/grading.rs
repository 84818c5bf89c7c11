//! Computes the score of a submission from its results on all test cases.

use super::{SubmissionRow, VerifyPlan};
use crate::tuning::MAX_GRADER_TIME_MS;
use rebut_diagnostics::{Error, Result};
use rebut_packages::score::{CaseOutcome, Scoring, SubmissionScore};
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ProcessExit, RunLimits};
use std::ffi::OsString;

/// The result of scoring a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum GradeResult {
    /// The package is not scored, or a result that the score depends on is unknown.
    Ungraded,
    /// The submission was scored.
    Graded {
        /// The score.
        marks: SubmissionScore,
        /// Whether graders determine the overall verdict.
        has_verdict: bool,
        /// Whether this is the maximum score.
        is_full: bool,
    },
    /// The grader or the judge failed.
    Failed(String),
}

impl GradeResult {
    /// Returns the overall verdict if graders determine it.
    pub(super) fn graded_verdict(&self) -> Option<Verdict> {
        match self {
            GradeResult::Graded { marks, has_verdict: true, .. } => Some(marks.total.verdict),
            _ => None,
        }
    }
}

/// Computes the score of a submission.
///
/// # Errors
/// Returns an error if the grader cannot be started, or if the work was cancelled.
pub(super) fn grade_submission(plan: &VerifyPlan<'_>, row: &SubmissionRow) -> Result<GradeResult> {
    let Some(scale) = &plan.scale else { return Ok(GradeResult::Ungraded) };
    let outcomes: Option<Vec<CaseOutcome<'_>>> = row
        .cells
        .iter()
        .zip(&plan.cases)
        .map(|(cell, case)| {
            let cell = cell.as_ref().filter(|cell| cell.verdict != Verdict::JudgeError)?;
            Some(CaseOutcome { name: &case.name, verdict: cell.verdict, feedback: &cell.given })
        })
        .collect();
    let Some(outcomes) = outcomes else { return Ok(GradeResult::Ungraded) };
    let mut stopped = None;
    let mut grade = |flags: &[String], lines: &str| {
        run_grader(plan, flags, lines).unwrap_or_else(|error| {
            let text = error.message().to_owned();
            stopped = Some(error);
            Err(text)
        })
    };
    let result = scale.score_submission(&outcomes, &mut grade);
    if let Some(error) = stopped {
        return Err(error);
    }
    Ok(match result {
        Ok(marks) => {
            let full = scale.full_score(plan.cases.len());
            let is_full = marks.total.score.zip(full).is_some_and(|(score, full)| scale.is_full_score(score, full));
            GradeResult::Graded { marks, has_verdict: matches!(scale, Scoring::Graders(_)), is_full }
        }
        Err(why) => GradeResult::Failed(why),
    })
}

/// Runs the grader and returns its output, or a description of its failure.
fn run_grader(plan: &VerifyPlan<'_>, flags: &[String], lines: &str) -> Result<std::result::Result<String, String>> {
    let Some(grader) = &plan.grader else {
        return Err(Error::judge_error("a group uses a custom grader, but the package has none"));
    };
    let arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let limits = RunLimits::with_cpu_time_ms(MAX_GRADER_TIME_MS);
    let outcome = grader.run(lines.as_bytes(), &arguments, &limits, &plan.cancel)?;
    if outcome.limit.is_some() || outcome.exit != ProcessExit::Code(0) {
        let words = crate::judge::describe_outcome(&outcome);
        return Ok(Err(format!("the grader `{}` {words}", grader.display_name())));
    }
    Ok(Ok(String::from_utf8_lossy(&outcome.output).into_owned()))
}
