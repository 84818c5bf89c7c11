//! Tells pages of `rebut verify` and `rebut build` how strong the test set is: by the verdict table, and by the mutants
//! that `rebut strength` ran on the same tests before.

use super::args::DEFAULT_KILL_DEPTH;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::verify_probes::StoredOpinions;
use super::visualizers;
use rebut_diagnostics::Result;
use rebut_engine::event::{Event, EventSink, SubmissionMutants};
use rebut_engine::verify::{VerifyPlan, VerifyResult};
use rebut_engine::{StrengthPlan, digest_tests, measure_strength};
use rebut_packages::{Package, ResultCache, digest_parts, read_file};

/// Part of every cache key, since another version can have other mutants.
const CACHE_KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " remembered mutants 2");

/// Emits how strong the test set is, if a report shows it and if the verdict table is complete.
///
/// # Errors
/// Returns an error if a file cannot be read, if a checker cannot be started, or if the work was cancelled.
pub(super) fn emit_appraisal(
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    store: Option<&ResultCache>,
    session: &mut Session,
) -> Result<()> {
    if !session.shows_counterexamples() || plan.stop_when_decided {
        return Ok(());
    }
    let strength = measure_strength(&StrengthPlan {
        package: plan,
        verified,
        format: problem.format.as_ref(),
        depth: usize::from(DEFAULT_KILL_DEPTH),
        min_percent: None,
        mutation: recall_mutants(problem.require_package()?, plan, store)?,
        opinions: &StoredOpinions(store),
    })?;
    let strength = visualizers::draw_killing_inputs(problem.require_package()?, strength, session)?;
    session.take_event(&Event::Appraised(Box::new(strength)));
    Ok(())
}

/// Stores the mutants of all submissions. Pages that are written later show them.
///
/// # Errors
/// Returns an error if a test cannot be read.
pub(super) fn remember_mutants(
    plan: &VerifyPlan<'_>,
    mutation: &[SubmissionMutants],
    store: Option<&ResultCache>,
) -> Result<()> {
    if let (Some(store), Some(key), Ok(value)) = (store, mutants_key(plan)?, serde_json::to_value(mutation)) {
        store.insert(&key, value);
    }
    Ok(())
}

/// Returns the mutants that were stored for the same tests, limits and submissions, or none.
fn recall_mutants(
    package: &Package,
    plan: &VerifyPlan<'_>,
    store: Option<&ResultCache>,
) -> Result<Vec<SubmissionMutants>> {
    let Some(store) = store else { return Ok(Vec::new()) };
    let stored = mutants_key(plan)?.and_then(|key| store.get(&key));
    let stored = stored.and_then(|value| serde_json::from_value(value).ok());
    let mut mutation: Vec<SubmissionMutants> = stored.unwrap_or_default();
    for mutants in &mut mutation {
        let submission = package.submissions.iter().find(|submission| submission.name == mutants.submission);
        if let Some(submission) = submission {
            mutants.source = String::from_utf8_lossy(&read_file(&submission.path)?).into_owned();
        }
    }
    Ok(mutation)
}

/// Returns the key of the mutants of a package, or `None` if a program has no identity.
fn mutants_key(plan: &VerifyPlan<'_>) -> Result<Option<String>> {
    let accepted = plan.submissions.iter().filter(|submission| submission.expected.expectation.is_accepted());
    let identities: Option<Vec<String>> =
        accepted.map(|submission| Some(format!("{} {}", submission.name, submission.identity.as_deref()?))).collect();
    let (Some(identities), Some(tests)) = (identities, digest_tests(plan)?) else { return Ok(None) };
    Ok(Some(digest_parts(&[CACHE_KEY_VERSION.to_owned(), format!("{:?}", plan.limits), tests, identities.join("\n")])))
}
