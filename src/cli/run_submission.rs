//! `rebut run`: runs one submission on all test cases of a package, and shows its first failure in full.

use super::args::RunArgs;
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::verify;
use rebut_diagnostics::Result;
use rebut_engine::event::{CommandSummary, EndReason, Event, EventSink};
use rebut_engine::verify::find_first_failure;
use rebut_packages::verdict::Expectation;
use rebut_packages::{Package, PackageSubmission, TimeBound};
use std::path::Path;

pub(super) fn run_run(args: &RunArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_html(&args.page);
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let package = problem.require_package()?;
    let submission = resolve_submission(package, &args.submission, session)?;
    session.begin_page_section(&package.id);
    verify::emit_package_notes(package, session);
    let show = verify::VerifyOutput::Full;
    let chosen = verify::ChosenSubmissions { submissions: vec![&submission], are_named: true };
    let (verified, failure) =
        verify::verify_and_then(package, &chosen, &args.how, show, session, |plan, verified, _, _| {
            let Some((submission, row)) = plan.submissions.iter().zip(&verified.rows).next() else { return Ok(None) };
            find_first_failure(plan, submission, row, verified.cpu_time_limit_ms)
        })?;
    let status = verify::verify_status(&verified);
    if let Some(mut found) = failure {
        problem_setup::name_memory_limit(
            &mut found,
            args.how.memory_limit,
            args.how.memory_limit_origin,
            Some(package),
        );
        session.take_event(&Event::Found(Box::new(found)));
    }
    let (findings, exit_status) = (usize::from(status != ExitStatus::Success), status.exit_code());
    session.take_event(&Event::Summary(CommandSummary {
        reason: EndReason::Done,
        findings,
        exit_status,
        ..CommandSummary::default()
    }));
    Ok(status)
}

/// Resolves the submission, inside the package or not. The package's expectation is ignored: here the question is
/// whether it is correct.
fn resolve_submission(package: &Package, name: &Path, session: &Session) -> Result<PackageSubmission> {
    let path = problem_setup::find_submission_path(name, Some(package), session)?;
    let known = package.submissions.iter().find(|known| known.path == path);
    let (language, entry_point) = known.map(|k| (k.language.clone(), k.entry_point.clone())).unwrap_or_default();
    Ok(PackageSubmission {
        name: known.map_or_else(|| name.display().to_string(), |known| known.name.clone()),
        path,
        expectation: Expectation::ACCEPTED,
        rules: Vec::new(),
        time_bound: Some(TimeBound::Lower),
        expected_score: None,
        language,
        entry_point,
    })
}
