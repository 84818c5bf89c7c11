//! The first failure of a submission with all details.

use super::verdict_cell::examine_submission;
use super::{SubmissionAssessment, VerifiedCase, VerifiedSubmission, VerifyPlan};
use crate::event::{Finding, JudgeKind};
use crate::judging::{JudgeRequest, collect_failure_hints, finding_of_run, state_memory_limit};
use rebut_diagnostics::Result;
use rebut_packages::read_file;
use rebut_sandbox::Program;

/// Returns the first failure of a submission with its input, answer and output. The submission is run again, since a
/// cell of the table does not store them. Returns `None` if it did not fail, or does not fail again.
///
/// # Errors
/// Same as [`verify_submissions`](super::verify_submissions).
pub fn find_first_failure(
    plan: &VerifyPlan<'_>,
    submission: &VerifiedSubmission,
    assessment: &SubmissionAssessment,
    cpu_time_limit_ms: u64,
) -> Result<Option<Finding>> {
    let program = match &submission.program {
        Ok(program) => program,
        Err(rejected) => {
            return Ok(Some(Finding::compile_error(&submission.name, &rejected.command, &rejected.text)));
        }
    };
    let Some(number) = assessment.first_rejection else { return Ok(None) };
    find_failure_on(plan, (submission, program), &plan.cases[number], cpu_time_limit_ms)
}

/// Runs a submission on a test case, and returns its failure with the input, the answer and the output. Returns `None`
/// if it does not fail.
pub(super) fn find_failure_on(
    plan: &VerifyPlan<'_>,
    (submission, program): (&VerifiedSubmission, &Program),
    case: &VerifiedCase,
    cpu_time_limit_ms: u64,
) -> Result<Option<Finding>> {
    if let (Some(examiner), Some(sources)) = (&case.examiner, &submission.sources) {
        let result = examine_submission(examiner, sources, &plan.cancel)?;
        if result.verdict == rebut_packages::verdict::Verdict::Accepted {
            return Ok(None);
        }
        let mut found = finding_of_run(&submission.name, Vec::new(), Vec::new(), result, examiner.file_title());
        found.origin.test_case = Some(case.name.clone());
        found.run.judged_by = JudgeKind::Program;
        return Ok(Some(found));
    }
    let (input, answer) = (read_file(&case.input)?, read_file(&case.answer)?);
    let limits = plan.limits_with(cpu_time_limit_ms);
    let files = case.run_files()?;
    let request = JudgeRequest::new(&input, &answer, &limits, &plan.cancel);
    let request = JudgeRequest { arguments: &case.arguments, files: files.as_ref(), ..request };
    let result = case.judge.run_and_judge(program, &request)?;
    if result.verdict == rebut_packages::verdict::Verdict::Accepted {
        return Ok(None);
    }
    let judged_by = case.judge.judge_kind();
    // Hints about other checkers are dropped: `problem.yaml` chooses the comparison.
    let hints = (judged_by == JudgeKind::Conversation).then(|| collect_failure_hints(&case.judge, &result, &answer));
    let mut found = finding_of_run(&submission.name, input, answer, result, case.judge.checker_name());
    found.failure.hints = hints.unwrap_or(found.failure.hints);
    state_memory_limit(&mut found, &limits);
    found.origin.test_case = Some(case.name.clone());
    found.run.judged_by = judged_by;
    Ok(Some(found))
}
