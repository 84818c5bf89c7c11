//! The smallest test case that rejects a submission.

use super::first_failure::find_failure_on;
use super::{SubmissionAssessment, VerdictCell, VerifiedCase, VerifiedSubmission, VerifyPlan};
use crate::event::{Finding, FindingFailure, FindingMinimization, FindingRun};
use rebut_diagnostics::Result;
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;

/// Returns the failure of a submission on the test case with the smallest input that rejects it. The submission is run
/// again for its output, unless it exceeds a limit. Returns `None` if no test case rejects it, or if it does not fail
/// again.
///
/// # Errors
/// Same as [`verify_submissions`](super::verify_submissions).
pub fn find_counterexample(
    plan: &VerifyPlan<'_>,
    submission: &VerifiedSubmission,
    assessment: &SubmissionAssessment,
    cpu_time_limit_ms: u64,
) -> Result<Option<Finding>> {
    let Ok(program) = &submission.program else { return Ok(None) };
    let rejections = assessment.row.known_cells().filter(|(_, cell)| cell.verdict.is_rejection());
    let with_input = rejections.filter(|(number, _)| plan.cases[*number].examiner.is_none());
    let input_size = |number: usize| std::fs::metadata(&plan.cases[number].input).map_or(u64::MAX, |data| data.len());
    let Some((number, cell)) = with_input.min_by_key(|(number, _)| (input_size(*number), *number)) else {
        return Ok(None);
    };
    let case = &plan.cases[number];
    match cell.verdict {
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => {
            Ok(Some(describe_cell(submission, case, cell)?))
        }
        _ => find_failure_on(plan, (submission, program), case, cpu_time_limit_ms),
    }
}

/// Returns the failure of a cell, without the output.
fn describe_cell(submission: &VerifiedSubmission, case: &VerifiedCase, cell: &VerdictCell) -> Result<Finding> {
    let failure =
        FindingFailure { message: cell.message.clone(), ..FindingFailure::new(&submission.name, cell.verdict) };
    let mut found = Finding::from_failure(failure);
    found.origin.test_case = Some(case.name.clone());
    found.run = FindingRun {
        input: read_file(&case.input)?,
        checker: case.judge.checker_name(),
        judged_by: case.judge.judge_kind(),
        cpu_time_ms: cell.cpu_time_us / 1000,
        memory_peak_bytes: cell.memory_peak_bytes,
        ..FindingRun::default()
    };
    found.minimization = FindingMinimization::of_size(found.run.input.len(), "bytes");
    Ok(found)
}
