//! `rebut strength`: reports how strong the test set of a package is.

use super::args::StrengthArgs;
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::verify::{self, ChosenSubmissions, VerifyOutput};
use super::verify_probes::StoredOpinions;
use crate::campaign::verify::{VerifyPlan, VerifyResult};
use crate::campaign::{StrengthPlan, measure_strength};
use crate::event::{CampaignSummary, EndReason, Event, EventSink, WarningEvent};
use rebut_diagnostics::{Result, count_with_noun, list_and};

pub(super) fn run_strength(args: &StrengthArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let package = problem.require_package()?;
    verify::emit_package_notes(package, session);
    let submissions = package.submissions.iter().collect::<Vec<_>>();
    let (count, cases) = (submissions.len(), package.test_cases.len() + package.static_cases.len());
    let (count, cases) = (count_with_noun(count, "submission"), count_with_noun(cases, "test case"));
    session.announce_activity("Verifying", format!("{}: {count} on {cases}", package.id));
    let chosen = ChosenSubmissions { submissions, are_named: false };
    let output = VerifyOutput::ProgressOnly;
    let (verified, strength) =
        verify::verify_and_then(package, &chosen, &args.how, output, session, |plan, verified, store, session| {
            warn_about_refused(plan, verified, session);
            measure_strength(&StrengthPlan {
                package: plan,
                verified,
                format: problem.format.as_ref(),
                depth: usize::from(args.depth),
                min_percent: args.min,
                opinions: &StoredOpinions(store),
            })
        })?;
    let is_sufficient = strength.score.is_sufficient();
    let findings = strength.score.programs - strength.score.killed;
    session.take_event(&Event::Strength(Box::new(strength)));
    let status = match (verified.has_judge_error(), is_sufficient) {
        (true, _) => ExitStatus::Judge,
        (false, true) => ExitStatus::Success,
        (false, false) => ExitStatus::Found,
    };
    session.take_event(&Event::Summary(CampaignSummary {
        reason: EndReason::Done,
        findings,
        exit_status: status.exit_code(),
        ..CampaignSummary::default()
    }));
    Ok(status)
}

/// Warns if a submission that has to be accepted is not, since the tests that refuse it may be wrong.
fn warn_about_refused(plan: &VerifyPlan<'_>, verified: &VerifyResult, session: &mut Session) {
    let rows = plan.submissions.iter().zip(&verified.rows);
    let refused = rows.filter(|(submission, row)| submission.expected.expectation.is_accepted() && row.unmet.is_some());
    let names: Vec<String> = refused.map(|(submission, _)| format!("`{}`", submission.name)).collect();
    if !names.is_empty() {
        session.take_event(&Event::Warning(WarningEvent {
            message: format!("not accepted: {}, so an answer of the test set may be wrong", list_and(&names)),
            help: Some(format!("`rebut verify {}` has the details", plan.folder.display())),
        }));
    }
}
