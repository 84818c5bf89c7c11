//! `rebut strength`: reports how strong the test set of a package is.

use super::appraisal;
use super::args::StrengthArgs;
use super::exit_status::ExitStatus;
use super::mutant_compiler::MutantCompiler;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::strength_survivors::SurvivorSearch;
use super::verify::{self, ChosenSubmissions, VerifyOutput};
use super::verify_probes::StoredOpinions;
use super::visualizers;
use crate::report::render_mutation_report;
use rebut_diagnostics::{Result, count_with_noun, list_and};
use rebut_engine::event::{
    CampaignSummary, EndReason, Event, EventSink, SubmissionMutants, TestSetStrength, WarningEvent,
};
use rebut_engine::verify::{VerifyPlan, VerifyResult};
use rebut_engine::{MutatedSubmission, MutationPlan, StrengthPlan, input_bounds, measure_strength, run_mutants};
use rebut_mutants::SourceLanguage;
use rebut_packages::{Package, ResultCache, digest_parts, read_file, write_atomically};
use rebut_sandbox::{BuildVariant, Language};
use std::collections::BTreeMap;
use std::path::Path;

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
            if args.mutants > 0 {
                appraisal::remember_mutants(plan, &mutation, store)?;
            }
            let strength = measure_strength(&StrengthPlan {
                package: plan,
                verified,
                format: problem.format.as_ref(),
                depth: usize::from(args.depth),
                min_percent: args.min,
                mutation,
                opinions: &StoredOpinions(store),
            })?;
            visualizers::draw_killing_inputs(package, strength, session)
        })?;
    if let Some(path) = &args.mutation_report {
        write_mutation_report(path, &strength, package)?;
    }
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

/// Writes the mutants as a mutation testing report.
fn write_mutation_report(path: &Path, strength: &TestSetStrength, package: &Package) -> Result<()> {
    let mut sources = BTreeMap::new();
    for submission in strength.mutation.iter().map(|one| &one.submission) {
        let file = package.submissions.iter().find(|one| one.name == *submission).map(|one| &one.path);
        if let Some(source) = file.map(|file| read_file(file)).transpose()? {
            sources.insert(submission.clone(), String::from_utf8_lossy(&source).into_owned());
        }
    }
    write_atomically(path, format!("{:#}\n", render_mutation_report(strength, &sources)).as_bytes())
}

/// Runs mutants of the accepted submissions, and searches for inputs that kill the survivors.
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
    let bounds = problem.format.as_ref().map(input_bounds).unwrap_or_default();
    let (mut submissions, mut paths) = (Vec::new(), Vec::new());
    for (submission, _) in right {
        let path = package.submissions.iter().find(|one| one.name == submission.name).map(|one| &one.path);
        let Some(path) = path.filter(|path| path.is_file()) else { continue };
        let Some(language) = mutated_language(path) else { continue };
        let Ok(source) = String::from_utf8(read_file(path)?) else { continue };
        let (name, identity) = (submission.name.clone(), submission.identity.clone());
        submissions.push(MutatedSubmission { name, source, language, identity, bounds: bounds.clone() });
        paths.push(path);
    }
    let compiler = MutantCompiler::new(package, session)?;
    let program_of = |submission: &MutatedSubmission, source: &str| {
        Ok(compiler.compile_mutant(submission, source, BuildVariant::Judged)?.compiled)
    };
    let mutation = MutationPlan { package: plan, submissions, max_mutants: args.mutants, compile: &program_of, cache };
    let mut results = run_mutants(&mutation, session)?;
    for ((submission, path), results) in mutation.submissions.iter().zip(paths).zip(&mut results) {
        let (compiler, cases, saves) = (&compiler, &plan.cases, args.save);
        let search = SurvivorSearch { problem, submission, path, compiler, cases, saves };
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
    const VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " survivors 4");
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

/// Returns the language of a source, if its programs can be mutated.
pub(super) fn mutated_language(path: &Path) -> Option<SourceLanguage> {
    SourceLanguage::from_name(Language::from_path(path)?.name)
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
