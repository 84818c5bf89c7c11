//! `rebut verify --growth`: reports for each submission that is too slow whether its cost grows faster than the cost of
//! an accepted one, or is only larger by a factor.

use super::super::compile_programs::compile_counted;
use super::super::problem_setup::ProblemContext;
use super::super::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::event::{ActivityEvent, Event, EventSink, GrowthReport};
use rebut_engine::verify::{SubmissionAssessment, VerifyPlan, VerifyResult};
use rebut_engine::{
    GrowthPlan, GrowthSubmission, MarginPlan, MarginSubmission, TimedCase, find_slow_cause, measure_growth,
    measure_margins,
};
use rebut_packages::verdict::Verdict;
use rebut_packages::{PackageSubmission, TimeBound};
use rebut_sandbox::RunLimits;
use rebut_toolchain::CountedProgram;
use std::collections::BTreeMap;

/// Seed of the inputs.
const SEED: u64 = 1;

/// The submissions of a package with counters, each compiled when it is first needed.
#[derive(Default)]
pub(super) struct CountedSubmissions {
    /// By name; `None` if the compiler rejects it.
    compiled: BTreeMap<String, Option<CountedProgram>>,
}

impl CountedSubmissions {
    /// Returns a submission with counters, or `None`, after a finding, if the compiler rejects it.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run, or if the work was cancelled.
    pub(super) fn find_or_compile(
        &mut self,
        problem: &ProblemContext,
        submission: &PackageSubmission,
        session: &mut Session,
    ) -> Result<Option<CountedProgram>> {
        if let Some(known) = self.compiled.get(&submission.name) {
            return Ok(known.clone());
        }
        let program = compile_counted(&submission.path, &submission.name, problem.package.as_ref(), session)?;
        self.compiled.insert(submission.name.clone(), program.clone());
        Ok(program)
    }
}

/// Compares the submissions of a package that must be too slow with its fastest accepted one, and emits the cause for
/// each.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub(super) fn explain_slow_submissions(
    problem: &ProblemContext,
    limits: &RunLimits,
    counted: &mut CountedSubmissions,
    session: &mut Session,
) -> Result<()> {
    let package = problem.require_package()?;
    let must_be_slow = |s: &&PackageSubmission| s.expectation.required.contains(Verdict::TimeLimit);
    let slow: Vec<&PackageSubmission> = package.submissions.iter().filter(must_be_slow).collect();
    let Some(accepted) = package.accepted_submissions().next().filter(|_| !slow.is_empty()) else { return Ok(()) };
    let Some(format) = &problem.format else {
        session
            .warn(format!("`{}` has no `input.format`, so that no inputs can be made to measure growth", package.id));
        return Ok(());
    };
    let plan = GrowthPlan {
        format,
        seed: SEED,
        shape: None,
        time_limit_ms: limits.cpu_time_limit_ms,
        memory_limit_bytes: limits.memory_limit_bytes,
        cancel: session.cancel.clone(),
    };
    let Some(accepted) = measure_submission(problem, &plan, accepted, counted, session)? else { return Ok(()) };
    for submission in slow {
        let Some(measured) = measure_submission(problem, &plan, submission, counted, session)? else { continue };
        if let Some(cause) = find_slow_cause(&measured, &accepted) {
            session.take_event(&Event::SlowCause(cause));
        }
    }
    Ok(())
}

fn measure_submission(
    problem: &ProblemContext,
    plan: &GrowthPlan<'_>,
    submission: &PackageSubmission,
    counted: &mut CountedSubmissions,
    session: &mut Session,
) -> Result<Option<GrowthReport>> {
    let Some(program) = counted.find_or_compile(problem, submission, session)? else { return Ok(None) };
    let submission = GrowthSubmission { name: submission.name.clone(), program };
    let report = measure_growth(plan, &submission, &mut |axis| {
        session.note_activity(&ActivityEvent::new("Measuring", format!("{}, growing {axis}", submission.name)));
    })?;
    Ok(Some(report))
}

// `rebut verify --growth`: compares the time limit with counted work, which does not depend on the machine.

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
