//! Compares the results of a submission with its expectation.

use super::submission_row::SubmissionRow;
use super::{CaseExpectation, VerifiedCase, VerifiedSubmission, VerifyPlan};
use crate::tuning::MAX_GRADER_TIME_MS;
use rebut_diagnostics::{Error, Result};
use rebut_packages::score::{CaseOutcome, ExpectedScore, GroupScore, Scoring, SubmissionScore};
use rebut_packages::verdict::{Expectation, ExpectationScope, UnmetExpectation, Verdict};
use rebut_sandbox::{ProcessExit, RunLimits};
use std::ffi::OsString;

/// The results of a submission, and whether they meet its expectation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubmissionAssessment {
    /// The results.
    pub row: SubmissionRow,
    /// Overall verdict: that of the first test case that is not accepted, or that of the graders.
    pub verdict: Option<Verdict>,
    /// Index of the first test case that is not accepted.
    pub first_rejection: Option<usize>,
    /// Why the expectation is not met, if it is not.
    pub unmet: Option<String>,
    /// Index of the first sample that is not accepted, if that is no failure because the graders accept the submission
    /// all the same.
    pub ignored_sample: Option<usize>,
    /// The score, if the package is scored.
    pub marks: Option<SubmissionScore>,
    /// Whether computing the score failed.
    pub is_ungraded: bool,
}

/// Assesses the results of a submission.
pub fn assess_submission(
    submission: &VerifiedSubmission,
    row: SubmissionRow,
    graded: GradeResult,
    cases: &[VerifiedCase],
) -> SubmissionAssessment {
    if let Err(rejected) = &submission.program {
        let unmet = (!submission.expected.expectation.permitted.contains(Verdict::CompileError))
            .then(|| format!("does not compile: `{}` failed", rejected.command));
        return SubmissionAssessment {
            row,
            verdict: Some(Verdict::CompileError),
            unmet,
            ..SubmissionAssessment::default()
        };
    }
    let first_rejection = row.known_cells().find(|(_, cell)| cell.verdict != Verdict::Accepted).map(|(case, _)| case);
    let verdict_on = |case: usize| row.cells[case].as_ref().map(|cell| cell.verdict);
    let graded_verdict = graded.graded_verdict();
    let verdict = graded_verdict.or_else(|| first_rejection.map_or(Some(Verdict::Accepted), verdict_on));
    let expected = &submission.expected;
    let ignores_samples = expected.expectation.is_accepted() && graded_verdict == Some(Verdict::Accepted);
    let is_ignored = |case: &usize| ignores_samples && cases[*case].is_sample();
    let counted: Vec<usize> = (0..cases.len()).filter(|case| !is_ignored(case)).collect();
    let by_verdict = match (expected.expectation.subject, graded_verdict) {
        (ExpectationScope::Whole, Some(verdict)) => explain_unmet_verdict(&expected.expectation, verdict),
        _ => explain_unmet_cases(&row, &expected.expectation, &counted, "", cases),
    };
    let (failure, marks, is_full) = match graded {
        GradeResult::Graded { marks, is_full, .. } => (None, Some(marks), is_full),
        GradeResult::Failed(why) => (Some(format!("cannot compute the score: {why}")), None, false),
        GradeResult::Ungraded => (None, None, false),
    };
    let is_ungraded = failure.is_some();
    let by_score = || {
        let marks = marks.as_ref()?;
        expected.score.and_then(|wanted| explain_unmet_score(&marks.total, wanted, ""))
    };
    let by_full_marks = || {
        // A stated score is expected even if it is the maximum.
        let is_wrong = expected.expectation.is_rejected() && expected.score.is_none();
        marks.as_ref().filter(|_| is_wrong && is_full).map(|marks| {
            let points = marks.total.score.map(format_points).unwrap_or_default();
            format!("{points}, the maximum, where {} was expected", expected.expectation.required.describe_any())
        })
    };
    let by_rules = || expected.rules.iter().find_map(|rule| explain_unmet_rule(&row, rule, marks.as_ref(), cases));
    let unmet = failure.or(by_verdict).or_else(by_score).or_else(by_full_marks).or_else(by_rules);
    let ignored_sample = first_rejection.filter(|case| unmet.is_none() && is_ignored(case));
    SubmissionAssessment { row, verdict, first_rejection, unmet, ignored_sample, marks, is_ungraded }
}

/// Explains why the verdict of the graders is unexpected.
fn explain_unmet_verdict(expected: &Expectation, verdict: Verdict) -> Option<String> {
    Some(match expected.find_unmet(&[verdict])? {
        UnmetExpectation::NotPermitted(..) => {
            format!("{verdict} overall, where only {} is permitted", expected.permitted.describe_any())
        }
        UnmetExpectation::RequiredMissing => {
            format!("{verdict} overall: {} was expected", expected.required.describe_any())
        }
    })
}

/// Explains why a score is unexpected.
fn explain_unmet_score(mark: &GroupScore, wanted: ExpectedScore, place: &str) -> Option<String> {
    if wanted.is_met(mark.score) {
        return None;
    }
    let got = match mark.score {
        Some(score) => format_points(score),
        None => format!("no points, since the overall verdict is {}", mark.verdict.code()),
    };
    Some(format!("{got}{place}, where {wanted} was expected"))
}

fn format_points(score: f64) -> String {
    if score == 1.0 { "1 point".to_owned() } else { format!("{score} points") }
}

/// Explains why an expectation on some test cases is not met.
fn explain_unmet_rule(
    row: &SubmissionRow,
    rule: &CaseExpectation,
    marks: Option<&SubmissionScore>,
    cases: &[VerifiedCase],
) -> Option<String> {
    let place = format!(" on `{}`", rule.name);
    let by_verdict =
        rule.expectation.and_then(|expected| explain_unmet_cases(row, &expected, &rule.cases, &place, cases));
    by_verdict.or_else(|| explain_unmet_points(rule, marks?)).or_else(|| {
        let wanted = rule.message.as_deref()?;
        let contains_it = |case: &usize| row.cells[*case].as_ref().is_some_and(|cell| cell.message.contains(wanted));
        (!rule.cases.iter().any(contains_it)).then(|| format!("no message{place} contains `{wanted}`"))
    })
}

/// Explains why the scores of the groups of a rule are unexpected.
fn explain_unmet_points(rule: &CaseExpectation, marks: &SubmissionScore) -> Option<String> {
    let wanted = rule.score?;
    let all = || marks.groups.iter().chain([&marks.total]);
    if !all().any(|mark| rule.groups.contains(&mark.group)) {
        return Some(format!("{wanted} points are expected for `{}`, but no group has that name", rule.name));
    }
    let mut meant = all().filter(|mark| rule.groups.contains(&mark.group));
    meant.find_map(|mark| explain_unmet_score(mark, wanted, &format!(" for `{}`", mark.group)))
}

/// Explains why an expectation on the given test cases is not met.
fn explain_unmet_cases(
    row: &SubmissionRow,
    expected: &Expectation,
    numbers: &[usize],
    place: &str,
    cases: &[VerifiedCase],
) -> Option<String> {
    let known: Vec<(usize, Verdict)> =
        numbers.iter().filter_map(|case| Some((*case, row.cells[*case].as_ref()?.verdict))).collect();
    let verdicts: Vec<Verdict> = known.iter().map(|(_, verdict)| *verdict).collect();
    Some(match expected.find_unmet(&verdicts)? {
        UnmetExpectation::NotPermitted(at, verdict) => {
            format!(
                "{verdict} on `{}`, where only {} is permitted{place}",
                cases[known[at].0].name,
                expected.permitted.describe_any()
            )
        }
        UnmetExpectation::RequiredMissing if verdicts.is_empty() => format!("there is no test case{place}"),
        UnmetExpectation::RequiredMissing if verdicts.iter().all(|v| *v == Verdict::Accepted) => {
            format!("no test case kills it{place}; {} was expected", expected.required.describe_any())
        }
        UnmetExpectation::RequiredMissing => {
            format!("{} was expected{place}, but occurs on no test case", expected.required.describe_any())
        }
    })
}

// Computes the score of a submission from its results on all test cases.

/// The result of scoring a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum GradeResult {
    /// The package is not scored, or a result that the score depends on is unknown.
    Ungraded,
    /// The submission was scored.
    Graded {
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
