//! `rebut strength`: reports how strong the test set of a package is.

pub(in crate::cli) mod mutant_compiler;
mod survivors;

use super::args::StrengthArgs;
use super::compile_programs::mutated_language;
use super::exit_status::ExitStatus;
use super::finding_tools;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::shards::choose_journal;
use super::shards::manifest::{MUTANTS_PART, MUTATED_PART, describe_table};
use super::verify::probes::{self, StoredOpinions};
use super::verify::{self, ChosenSubmissions, ProgressOnlySink};
use crate::report::render_mutation_report;
use mutant_compiler::MutantCompiler;
use rebut_diagnostics::{Error, Result, count_with_noun, list_and};
use rebut_engine::event::{EndReason, Event, EventSink, SubmissionMutants, TestSetStrength};
use rebut_engine::verify::{TableJournal, VerifyPlan, VerifyResult, verify_submissions};
use rebut_engine::{
    JournalUse, MutantBlocks, MutatedSubmission, MutationPlan, SharedJournal, StrengthPlan, input_bounds,
    measure_strength, run_mutants,
};
use rebut_packages::{Package, ResultCache, digest_parts, read_file, write_atomically};
use rebut_toolchain::BuildVariant;
use std::collections::BTreeMap;
use std::path::Path;
use survivors::SurvivorSearch;

/// Reports how strong the test set of a package is, from runs that are made here, or from journals.
///
/// # Errors
/// Returns an error if programs cannot be run, or if journals are not those of this command.
pub(super) fn run_strength(args: &StrengthArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    let journal = choose_journal(&args.shards, session)?;
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let package = problem.require_package()?;
    verify::emit_package_notes(package, session);
    let submissions = package.submissions.iter().collect::<Vec<_>>();
    let (count, cases) = (submissions.len(), package.test_cases.len() + package.static_cases.len());
    let (count, cases) = (count_with_noun(count, "submission"), count_with_noun(cases, "test case"));
    session.announce_activity("Verifying", format!("{}: {count} on {cases}", package.id));
    let chosen = ChosenSubmissions { submissions, are_named: false };
    let status = verify::with_compiled_plan(package, &chosen, &args.how, session, |plan, store, session| {
        let measurement = Measurement { args, problem: &problem, store };
        match &journal {
            None => measurement.report_conclusion(&plan, None, session),
            Some(journal) => measurement.share_work(&plan, journal, session),
        }
    })?;
    Ok(session.emit_summary(status.findings, status.exit))
}

/// How a measurement ended.
#[derive(Clone, Copy, Debug)]
struct MeasurementEnd {
    /// Number of wrong programs that pass all tests.
    findings: usize,
    exit: ExitStatus,
}

/// A measurement of a test set.
#[derive(Clone, Copy)]
struct Measurement<'m> {
    args: &'m StrengthArgs,
    problem: &'m ProblemContext,
    store: Option<&'m ResultCache>,
}

/// The mutants in the blocks of journals.
#[derive(Clone, Copy)]
struct KnownMutants<'m> {
    /// The journals, behind the blocks of the table.
    journal: &'m SharedJournal,
    block_mutants: u64,
    /// Names of the mutated submissions.
    mutated: &'m str,
}

impl Measurement<'_> {
    /// Runs the blocks of a shard that its journal lacks, or draws the conclusion from those of all: first those of the
    /// verdict table, then those of mutants. Which submissions are mutated depends on their verdicts, so each machine runs
    /// the accepted submissions on all tests, unless its cache or the shared store has these runs. Survivors are examined by
    /// the machine that draws the conclusion.
    fn share_work(self, plan: &VerifyPlan<'_>, journal: &JournalUse, session: &mut Session) -> Result<MeasurementEnd> {
        verify::require_stated_limit(plan)?;
        let block_mutants = journal.block_length(MUTANTS_PART, self.args.shards.block).unwrap_or(1);
        let found = match journal {
            JournalUse::Run { .. } => Some(find_mutated(plan, session)?),
            JournalUse::Merge(_) => None,
        };
        let recorded = || journal.recorded_part(MUTATED_PART).unwrap_or_default();
        let mutated = found.as_ref().map_or_else(recorded, |found| found.join(", "));
        let blocks = TableJournal::plan_blocks(plan, None);
        let mut conditions = describe_table(self.problem.require_package()?, plan, blocks.block_inputs)?;
        conditions.add_part(MUTANTS_PART, block_mutants);
        conditions.add_part(MUTATED_PART, &mutated);
        conditions.add_format(self.problem);
        let manifest = conditions.into_manifest(journal, &[], session)?;
        let mut table = TableJournal::read(plan, blocks, journal.open(&manifest, &session.cancel)?, session)?;
        let mut mutants = table.journal().after_blocks(blocks.count_blocks());
        if let Some(found) = &found {
            let shared = VerifyPlan { cell_journal: Some(&table), ..plan.clone() };
            let mut end = verify::fill_shard(&shared, &table, session)?;
            if end.reason == EndReason::Done {
                let right: Vec<&str> = found.iter().map(String::as_str).collect();
                end.add_work(self.with_mutation(&shared, &right, session, |mutation, _, _, session| {
                    mutants.run_missing(&MutantBlocks::cut_plan(mutation, block_mutants), session)
                })?);
            }
            if let Some(reason) = mutants.report_shard(end, Vec::new(), session) {
                return Ok(MeasurementEnd { findings: 0, exit: ExitStatus::from_shard(reason) });
            }
            table = TableJournal::read(plan, blocks, journal.open(&manifest, &session.cancel)?, session)?;
        }
        let shared = VerifyPlan { cell_journal: Some(&table), ..plan.clone() };
        let known = KnownMutants { journal: &mutants, block_mutants, mutated: &mutated };
        self.report_conclusion(&shared, Some(known), session)
    }

    /// Fills the table, runs the mutants unless they are known, and reports the strength of the tests.
    ///
    /// # Errors
    /// Returns an error if programs cannot be run, or if blocks are missing.
    fn report_conclusion(
        self,
        plan: &VerifyPlan<'_>,
        known: Option<KnownMutants<'_>>,
        session: &mut Session,
    ) -> Result<MeasurementEnd> {
        let package = self.problem.require_package()?;
        let verified = verify_submissions(plan, &mut ProgressOnlySink::new(session, None))?;
        warn_about_refused(plan, &verified, session);
        let right = right_submissions(plan, &verified);
        let mutation = self.mutate_submissions(plan, &right, known, session)?;
        if self.args.mutants > 0 {
            probes::remember_mutants(plan, &mutation, self.store)?;
        }
        let strength = measure_strength(&StrengthPlan {
            package: plan,
            verified: &verified,
            format: self.problem.format.as_ref(),
            depth: usize::from(self.args.depth),
            min_percent: self.args.min,
            mutation,
            opinions: &StoredOpinions(self.store),
        })?;
        let strength = finding_tools::draw_killing_inputs(package, strength, session)?;
        if let Some(path) = &self.args.mutation_report {
            write_mutation_report(path, &strength, package)?;
        }
        let is_sufficient = strength.score.is_sufficient();
        let findings = strength.score.programs - strength.score.killed;
        session.take_event(&Event::Strength(Box::new(strength)));
        let exit = match (verified.has_judge_error(), is_sufficient) {
            (true, _) => ExitStatus::Judge,
            (false, true) => ExitStatus::Success,
            (false, false) => ExitStatus::Found,
        };
        Ok(MeasurementEnd { findings, exit })
    }

    /// Runs mutants of these submissions, unless they are known, and searches for inputs that kill the survivors.
    fn mutate_submissions(
        self,
        plan: &VerifyPlan<'_>,
        right: &[&str],
        known: Option<KnownMutants<'_>>,
        session: &mut Session,
    ) -> Result<Vec<SubmissionMutants>> {
        if let Some(known) = known.filter(|known| known.mutated != right.join(", ")) {
            return Err(Error::operating_error(format!(
                "other submissions were mutated than the table accepts: {} / {}",
                known.mutated,
                right.join(", ")
            ))
            .with_help("a submission is flaky, or close to the time limit"));
        }
        self.with_mutation(plan, right, session, |mutation, paths, compiler, session| {
            let mut results = match known {
                Some(known) => {
                    MutantBlocks::cut_plan(mutation, known.block_mutants).merge_blocks(known.journal, session)?
                }
                None => run_mutants(mutation, session)?,
            };
            for ((submission, path), results) in mutation.submissions.iter().zip(paths).zip(&mut results) {
                let (cases, saves) = (&plan.cases, self.args.save);
                let search = SurvivorSearch { problem: self.problem, submission, path, compiler, cases, saves };
                recall_survivors(&search, results, self.store, session)?;
                results.source.clone_from(&submission.source);
            }
            Ok(results)
        })
    }

    /// Passes what is needed to run mutants of these submissions to `run`, with the paths of their sources. Without
    /// mutants, nothing is run.
    ///
    /// # Errors
    /// Returns an error if a source cannot be read, or the error of `run`.
    fn with_mutation<T: Default>(
        self,
        plan: &VerifyPlan<'_>,
        right: &[&str],
        session: &mut Session,
        run: impl FnOnce(&MutationPlan<'_>, &[&Path], &MutantCompiler, &mut Session) -> Result<T>,
    ) -> Result<T> {
        if self.args.mutants == 0 {
            return Ok(T::default());
        }
        let package = self.problem.require_package()?;
        let bounds = self.problem.format.as_ref().map(input_bounds).unwrap_or_default();
        let (mut submissions, mut paths) = (Vec::new(), Vec::new());
        for submission in plan.submissions.iter().filter(|submission| right.contains(&submission.name.as_str())) {
            let path = package.submissions.iter().find(|one| one.name == submission.name).map(|one| one.path.as_path());
            let Some(path) = path.filter(|path| path.is_file()) else { continue };
            let Some(language) = mutated_language(path) else { continue };
            let Ok(source) = String::from_utf8(read_file(path)?) else { continue };
            let (name, identity) = (submission.name.clone(), submission.identity.clone());
            let submission = MutatedSubmission { name, source, language, identity, bounds: bounds.clone() };
            if submission.find_mutants().is_cut_short {
                session.warn(format!(
                    "`{}` is nested too deeply, or too long, to find all of its mutants",
                    submission.name
                ));
            }
            submissions.push(submission);
            paths.push(path);
        }
        let compiler = MutantCompiler::new(Some(package), session)?;
        let program_of = |submission: &MutatedSubmission, source: &str| {
            Ok(compiler.compile_mutant(submission, source, BuildVariant::Judged)?.compiled)
        };
        let (max_mutants, cache) = (self.args.mutants, self.store);
        let mutation = MutationPlan { package: plan, submissions, max_mutants, compile: &program_of, cache };
        run(&mutation, &paths, &compiler, session)
    }
}

/// Returns the names of the submissions that have to be accepted, and are.
fn right_submissions<'p>(plan: &'p VerifyPlan<'_>, verified: &VerifyResult) -> Vec<&'p str> {
    let rows = plan.submissions.iter().zip(&verified.rows);
    let right = rows.filter(|(submission, row)| submission.expected.expectation.is_accepted() && row.unmet.is_none());
    right.map(|(submission, _)| submission.name.as_str()).collect()
}

/// Returns the names of the submissions that have to be accepted and are. They are run on all tests.
fn find_mutated(plan: &VerifyPlan<'_>, session: &Session) -> Result<Vec<String>> {
    let accepted = plan.submissions.iter().filter(|submission| submission.expected.expectation.is_accepted());
    let plan = VerifyPlan { submissions: accepted.cloned().collect(), ..plan.clone() };
    let verified = verify_submissions(&plan, &mut ProgressOnlySink::new(session, None))?;
    Ok(right_submissions(&plan, &verified).into_iter().map(str::to_owned).collect())
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

/// Classifies the survivors of a submission, or recalls the result of an earlier search, unless inputs are to be saved.
fn recall_survivors(
    search: &SurvivorSearch<'_>,
    results: &mut SubmissionMutants,
    cache: Option<&ResultCache>,
    session: &mut Session,
) -> Result<()> {
    const VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " survivors 5");
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

/// Warns if a submission that has to be accepted is not, since the tests that refuse it may be wrong.
fn warn_about_refused(plan: &VerifyPlan<'_>, verified: &VerifyResult, session: &mut Session) {
    let rows = plan.submissions.iter().zip(&verified.rows);
    let refused = rows.filter(|(submission, row)| submission.expected.expectation.is_accepted() && row.unmet.is_some());
    let names: Vec<String> = refused.map(|(submission, _)| format!("`{}`", submission.name)).collect();
    if !names.is_empty() {
        let message = format!("not accepted: {}, so an answer of the test set may be wrong", list_and(&names));
        session.warn_with_help(message, &format!("`rebut verify {}` has the details", plan.folder.display()));
    }
}
