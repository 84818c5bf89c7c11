//! `rebut strength`: reports how strong the test set of a package is.

use super::args::StrengthArgs;
use super::compile_programs::package_source_options;
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::strength_survivors::SurvivorSearch;
use super::verify::{self, ChosenSubmissions, VerifyOutput};
use super::verify_probes::StoredOpinions;
use crate::campaign::verify::{VerifyPlan, VerifyResult};
use crate::campaign::{MutatedSubmission, MutationPlan, StrengthPlan, measure_strength, run_mutants};
use crate::event::{CampaignSummary, EndReason, Event, EventSink, SubmissionMutants, WarningEvent};
use rebut_diagnostics::{Result, count_with_noun, list_and};
use rebut_packages::{ResultCache, digest_parts, read_file, write_atomically};
use rebut_sandbox::{BuildVariant, Language};
use std::path::{Path, PathBuf};

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
            let mutation = mutate_submissions(args, &problem, plan, verified, store, session)?;
            measure_strength(&StrengthPlan {
                package: plan,
                verified,
                format: problem.format.as_ref(),
                depth: usize::from(args.depth),
                min_percent: args.min,
                mutation,
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

/// Runs mutants of the accepted submissions in C++, and searches for inputs that kill the survivors.
fn mutate_submissions(
    args: &StrengthArgs,
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    cache: Option<&ResultCache>,
    session: &mut Session,
) -> Result<Vec<SubmissionMutants>> {
    let package = problem.require_package()?;
    if args.mutants == 0 {
        return Ok(Vec::new());
    }
    let rows = plan.submissions.iter().zip(&verified.rows);
    let right = rows.filter(|(submission, row)| submission.expected.expectation.is_accepted() && row.unmet.is_none());
    let (mut submissions, mut paths) = (Vec::new(), Vec::new());
    for (submission, _) in right {
        let path = package.submissions.iter().find(|one| one.name == submission.name).map(|one| &one.path);
        let Some(path) = path.filter(|path| path.is_file() && is_mutated(path)) else { continue };
        let Ok(source) = String::from_utf8(read_file(path)?) else { continue };
        let (name, identity) = (submission.name.clone(), submission.identity.clone());
        submissions.push(MutatedSubmission { name, source, identity });
        paths.push(path);
    }
    let (builder, cancel) = (std::sync::Arc::clone(&session.builder), session.cancel.clone());
    let compile = |submission: &MutatedSubmission, source: &str| {
        let path = write_mutant(submission, source, builder.cache_folder())?;
        let mut options = package_source_options(Some(package));
        let original = package.folder.join("submissions").join(&submission.name);
        options.includes.extend(original.parent().map(Path::to_owned));
        let compiled = builder.compile_with_options(&path, &options, BuildVariant::Judged, &cancel)?;
        Ok((compiled.program, path))
    };
    let program_of = |submission: &MutatedSubmission, source: &str| Ok(compile(submission, source)?.0);
    let mutation = MutationPlan { package: plan, submissions, max_mutants: args.mutants, compile: &program_of, cache };
    let mut results = run_mutants(&mutation, session)?;
    for ((submission, path), results) in mutation.submissions.iter().zip(paths).zip(&mut results) {
        let search = SurvivorSearch { problem, submission, path, compile: &compile, saves: args.save };
        recall_survivors(&search, results, cache, session)?;
        results.source.clone_from(&submission.source);
    }
    Ok(results)
}

/// Classifies the survivors of a submission, or recalls the result of an earlier search, unless inputs are to be saved.
fn recall_survivors(
    search: &SurvivorSearch<'_>,
    results: &mut SubmissionMutants,
    cache: Option<&ResultCache>,
    session: &mut Session,
) -> Result<()> {
    const VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " survivors 1");
    let format = search.problem.format.as_ref().map_or(&[][..], |format| &format.source.text);
    let found = serde_json::to_vec(&results.mutants).unwrap_or_default();
    let identity = search.submission.identity.as_deref().unwrap_or_default();
    let key = digest_parts(&[VERSION.as_bytes(), identity.as_bytes(), &found, format]);
    let cache = cache.filter(|_| search.submission.identity.is_some());
    let known = cache.filter(|_| !search.saves).and_then(|cache| cache.get(&key));
    if let Some(mutants) = known.and_then(|value| serde_json::from_value(value).ok()) {
        results.mutants = mutants;
        return Ok(());
    }
    search.classify_survivors(results, session)?;
    if let (Some(cache), Ok(value)) = (cache, serde_json::to_value(&results.mutants)) {
        cache.insert(&key, value);
    }
    Ok(())
}

/// Returns true if the mutants of a source are run.
fn is_mutated(path: &Path) -> bool {
    Language::from_path(path).is_some_and(|language| language.name == "C++")
}

/// Writes the source of a mutant, under the name of the submission since compilers can print it.
fn write_mutant(submission: &MutatedSubmission, source: &str, cache_folder: &Path) -> Result<PathBuf> {
    let name = Path::new(&submission.name).file_name().unwrap_or_default();
    let path = cache_folder.join("mutants").join(digest_parts(&[source])).join(name);
    write_atomically(&path, source.as_bytes())?;
    Ok(path)
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
