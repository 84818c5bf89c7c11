//! `rebut verify --growth`: compares the time limit with counted work, which does not depend on the machine.

use super::problem_setup::ProblemContext;
use super::session::Session;
use super::verify_growth::CountedSubmissions;
use rebut_diagnostics::Result;
use rebut_engine::event::{ActivityEvent, Event, EventSink};
use rebut_engine::verify::{SubmissionAssessment, VerifyPlan, VerifyResult};
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
    counted: &mut CountedSubmissions,
    session: &mut Session,
) -> Result<()> {
    let bounding = plan.submissions.iter().zip(&verified.rows).filter_map(|(s, row)| Some((s, row, s.expected.times?)));
    let bounding: Vec<_> = bounding.collect();
    if !bounding.iter().any(|(_, _, bound)| *bound == TimeBound::Upper) {
        return Ok(());
    }
    let package = problem.require_package()?;
    let mut submissions = Vec::new();
    for (submission, row, bound) in bounding {
        let Some(source) = package.submissions.iter().find(|known| known.name == submission.name) else { continue };
        let Some(program) = counted.find_or_compile(problem, source, session)? else { continue };
        submissions.push(MarginSubmission {
            name: submission.name.clone(),
            program,
            bound,
            cases: timed_cases(plan, row),
        });
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

/// Returns the test cases with the times that were measured on them, without runs that failed for reasons other than time.
fn timed_cases(plan: &VerifyPlan<'_>, row: &SubmissionAssessment) -> Vec<TimedCase> {
    let timed = row.row.known_cells().filter(|(_, c)| matches!(c.verdict, Verdict::Accepted | Verdict::TimeLimit));
    let cases = timed.map(|(case, cell)| TimedCase {
        name: plan.cases[case].name.clone(),
        input: plan.cases[case].input.clone(),
        cpu_time_us: cell.cpu_time_us,
    });
    cases.collect()
}
