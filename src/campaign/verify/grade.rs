//! The points of a submission, from what it did on all test cases.

use super::{Row, VerifyPlan};
use crate::diagnostic::{Error, Result};
use crate::run::{Exit, Limits};
use crate::score::{Marks, Outcome, Scale};
use crate::verdict::Verdict;
use std::ffi::OsString;

/// What a grader may use, in milliseconds of processor time: it adds up some lines.
const GRADER_TIME_MS: u64 = 10_000;

/// What the points of a submission came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Graded {
    /// There are none, or not all that decides them is known.
    Unmarked,
    /// They are these.
    Marked {
        /// The points.
        marks: Marks,
        /// Whether graders say what the verdict on the whole is.
        has_verdict: bool,
        /// Whether no submission can get more.
        is_full: bool,
    },
    /// The jury's side failed.
    Failed(String),
}

impl Graded {
    /// The verdict on the whole, where graders give one.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        match self {
            Graded::Marked { marks, has_verdict: true, .. } => Some(marks.total.verdict),
            _ => None,
        }
    }
}

/// The points of a submission.
///
/// # Errors
/// If the jury's grader cannot be run at all, or the work was interrupted.
pub(super) fn graded(plan: &VerifyPlan<'_>, row: &Row) -> Result<Graded> {
    let Some(scale) = &plan.scale else { return Ok(Graded::Unmarked) };
    let outcomes: Option<Vec<Outcome<'_>>> = row
        .cells
        .iter()
        .zip(&plan.cases)
        .map(|(cell, case)| {
            let cell = cell.as_ref().filter(|cell| cell.verdict != Verdict::JudgeError)?;
            Some(Outcome { name: &case.name, verdict: cell.verdict, given: &cell.given })
        })
        .collect();
    let Some(outcomes) = outcomes else { return Ok(Graded::Unmarked) };
    let mut stopped = None;
    let mut ask = |flags: &[String], lines: &str| {
        asked(plan, flags, lines).unwrap_or_else(|error| {
            let text = error.message().to_owned();
            stopped = Some(error);
            Err(text)
        })
    };
    let result = scale.marks(&outcomes, &mut ask);
    if let Some(error) = stopped {
        return Err(error);
    }
    Ok(match result {
        Ok(marks) => {
            let full = scale.full_marks(plan.cases.len());
            let is_full = marks.total.score.zip(full).is_some_and(|(score, full)| scale.is_full(score, full));
            Graded::Marked { marks, has_verdict: matches!(scale, Scale::Graded(_)), is_full }
        }
        Err(why) => Graded::Failed(why),
    })
}

/// What the jury's grader prints; or in words, why it is none.
fn asked(plan: &VerifyPlan<'_>, flags: &[String], lines: &str) -> Result<std::result::Result<String, String>> {
    let Some(grader) = &plan.grader else {
        return Err(Error::judge("a group has a grader of its own, and there is none"));
    };
    let arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let limits = Limits::with_cpu_time_ms(GRADER_TIME_MS);
    let outcome = grader.run(lines.as_bytes(), &arguments, &limits, &plan.cancel)?;
    if outcome.limit.is_some() || outcome.exit != Exit::Code(0) {
        let words = crate::campaign::bench::outcome_words(&outcome);
        return Ok(Err(format!("the grader `{}` {words}", grader.display_name())));
    }
    Ok(Ok(String::from_utf8_lossy(&outcome.output).into_owned()))
}
