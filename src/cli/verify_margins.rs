//! `rebut verify --growth`: compares the time limit with counted work, which does not depend on the machine.

use super::compile_programs::compile_counted;
use super::problem_setup::ProblemContext;
use super::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::event::{ActivityEvent, Event, EventSink};
use rebut_engine::verify::{SubmissionAssessment, VerifiedSubmission, VerifyPlan, VerifyResult};
use rebut_engine::{MarginPlan, MarginSubmission, TimedCase, measure_margins};
use rebut_packages::TimeBound;
use rebut_packages::verdict::Verdict;

/// Counts the work of the submissions on both sides of the time limit, on the test cases that take them the longest,
/// and emits how far the limit is from it.
///
/// # Errors
/// Returns an error if an input cannot be read, if a program cannot be started, or if the work was cancelled.
pub(super) fn emit_margins(
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    session: &mut Session,
) -> Result<()> {
    let bounding = plan.submissions.iter().zip(&verified.rows).filter_map(|(s, row)| Some((s, row, s.expected.times?)));
    let bounding: Vec<_> = bounding.collect();
    if !bounding.iter().any(|(_, _, bound)| *bound == TimeBound::Upper) {
        return Ok(());
    }
    let mut submissions = Vec::new();
    for (submission, row, bound) in bounding {
        submissions.extend(count_submission(problem, plan, submission, row, bound, session)?);
    }
    session.note_activity(&ActivityEvent::new("Counting", "the work on the slowest test cases"));
    let margins = measure_margins(&MarginPlan {
        submissions,
        cpu_time_limit_ms: verified.cpu_time_limit_ms,
        ac_to_time_limit: plan.timing.ac_to_time_limit,
        time_limit_to_tle: plan.timing.time_limit_to_tle,
        memory_limit_bytes: plan.limits.memory_limit_bytes,
        jobs: session.jobs,
        cancel: session.cancel.clone(),
    })?;
    if let Some(margins) = margins {
        session.take_event(&Event::WorkMargins(margins));
    }
    Ok(())
}

/// Returns a submission with counters and the times that were measured for it, without runs that failed for reasons
/// other than time. Returns `None` if it cannot be compiled.
fn count_submission(
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    submission: &VerifiedSubmission,
    row: &SubmissionAssessment,
    bound: TimeBound,
    session: &mut Session,
) -> Result<Option<MarginSubmission>> {
    let package = problem.require_package()?;
    let Some(source) = package.submissions.iter().find(|known| known.name == submission.name) else { return Ok(None) };
    let program = compile_counted(&source.path, &submission.name, problem.package.as_ref(), session)?;
    let timed = row.row.known_cells().filter(|(_, c)| matches!(c.verdict, Verdict::Accepted | Verdict::TimeLimit));
    let cases = timed.map(|(case, cell)| TimedCase {
        name: plan.cases[case].name.clone(),
        input: plan.cases[case].input.clone(),
        cpu_time_us: cell.cpu_time_us,
    });
    let cases = cases.collect();
    Ok(program.map(|program| MarginSubmission { name: submission.name.clone(), program, bound, cases }))
}
