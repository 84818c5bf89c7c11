//! Chooses the submissions that `rebut stress` searches against: the named ones, or those of a package that reveal
//! missing test cases.

use super::args::{JudgeArgs, StressArgs, VerifyArgs};
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::verify::{self, VerifyOutput};
use rebut_diagnostics::{Result, count_with_noun, list_and};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_packages::verdict::{Verdict, VerdictSet};
use rebut_packages::{Package, PackageSubmission};
use std::path::{Path, PathBuf};

/// Returns the named submissions, or else those of the package worth searching against. These are the accepted ones
/// except for the reference and its copies (if two disagree, at least one is wrong), and the rejected ones that survive
/// all test cases - or all rejected ones if the smallest counterexample of each is wanted. Submissions that need only be
/// too slow are excluded, since small inputs cannot show that. If there are none, a warning gives the reason.
///
/// # Errors
///
/// Returns an error if there is no package, or if the test cases cannot be run.
pub(super) fn choose_stress_targets(
    args: &StressArgs,
    judging: &JudgeArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<Vec<PathBuf>> {
    if !args.submissions.is_empty() {
        return Ok(args.submissions.clone());
    }
    let package = problem.require_package()?;
    let named = judging
        .reference
        .as_deref()
        .map(|name| problem_setup::find_submission_path(name, Some(package), session))
        .transpose()?;
    let reference = named.or_else(|| package.reference_candidates().into_iter().next());
    let source = reference.as_deref().and_then(|path| rebut_packages::read_file(path).ok());
    let is_copy = |path: &Path| source.is_some() && rebut_packages::read_file(path).ok() == source;
    let accepted = package.accepted_submissions().filter(|s| Some(&s.path) != reference.as_ref() && !is_copy(&s.path));
    let accepted: Vec<PathBuf> = accepted.map(|s| s.path.clone()).collect();
    let survivors = if args.exhaustive { expected_failures(package) } else { find_survivors(package, session)? };
    let names: Vec<String> = survivors.iter().map(|s| format!("`{}`", s.name)).collect();
    if !names.is_empty() && !args.exhaustive {
        let message = format!("no test case kills {}", list_and(&names));
        session.take_event(&Event::Warning(WarningEvent { message, help: None }));
    }
    let targets: Vec<PathBuf> = accepted.into_iter().chain(survivors.iter().map(|s| s.path.clone())).collect();
    if targets.is_empty() {
        session.take_event(&Event::Warning(explain_no_targets(package)));
    }
    Ok(targets)
}

/// Returns a warning that explains why no submission of a package is worth searching against.
fn explain_no_targets(package: &Package) -> WarningEvent {
    let why = match expected_failures(package).is_empty() {
        true => "it has no wrong submission, and no second accepted one",
        false => "its test cases kill all wrong submissions, and it has no second accepted one",
    };
    WarningEvent {
        message: format!("`{}` has nothing to search for: {why}", package.folder.display()),
        help: Some("another accepted submission, by another method, is compared with the reference".to_owned()),
    }
}

/// Returns the submissions that must fail for a reason other than time.
fn expected_failures(package: &Package) -> Vec<&PackageSubmission> {
    let slow = VerdictSet::from_verdicts(&[Verdict::TimeLimit]);
    let can_be_shown = |s: &&PackageSubmission| s.expectation.required.iter().any(|verdict| !slow.contains(verdict));
    package.submissions.iter().filter(|s| s.expectation.is_rejected()).filter(can_be_shown).collect()
}

/// Returns those that survive all test cases.
fn find_survivors<'p>(package: &'p Package, session: &mut Session) -> Result<Vec<&'p PackageSubmission>> {
    let wrong = expected_failures(package);
    let has_test_cases = !package.test_cases.is_empty() && package.test_cases.iter().all(|case| case.answer.is_some());
    if wrong.is_empty() || !has_test_cases {
        return Ok(wrong);
    }
    let (submissions, cases) = (wrong.len(), package.test_cases.len());
    let (submissions, cases) = (count_with_noun(submissions, "wrong submission"), count_with_noun(cases, "test case"));
    session.announce_activity("Verifying", format!("{}: {submissions} on {cases}, to find survivors", package.id));
    let how = VerifyArgs::default();
    let chosen = verify::ChosenSubmissions { submissions: wrong.clone(), are_named: false };
    let (_, survivors) = verify::verify_and_then(
        package,
        &chosen,
        &how,
        VerifyOutput::ProgressOnly,
        session,
        |plan, verified, _, _| {
            let rows = plan.submissions.iter().zip(&verified.rows);
            let accepted = rows.filter(|(_, row)| row.verdict == Some(Verdict::Accepted));
            Ok(accepted.map(|(submission, _)| submission.name.clone()).collect::<Vec<String>>())
        },
    )?;
    Ok(wrong.into_iter().filter(|submission| survivors.contains(&submission.name)).collect())
}
