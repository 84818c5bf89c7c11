//! `rebut build`: selects the tests among the candidates of a recipe.

use super::super::compile_programs::{self, compile_all, mutated_language, source_digest};
use super::super::problem_setup::ProblemContext;
use super::super::session::Session;
use super::super::strength::mutant_compiler::MutantCompiler;
use super::super::verify;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{CandidateSelection, EventSink, ProgramRole};
use rebut_engine::verify::{NoCellCache, TimeLimitFactors, VerifiedCase, VerifyPlan};
use rebut_engine::{
    JudgeSetup, MutatedSubmission, MutationPlan, SelectionPlan, TestCandidate, WrongSubmission, input_bounds,
    select_tests,
};
use rebut_mutants::SourceLanguage;
use rebut_packages::recipe::SelectionSettings;
use rebut_packages::verdict::Verdict;
use rebut_packages::{Package, PackageSubmission, ResultCache, digest_parts, read_file, write_file};
use rebut_toolchain::{BuildVariant, CompileError};
use std::path::PathBuf;

/// Part of the key of a selection, since another version can select other tests.
const KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " selection 2");

/// Maximum number of mutants that the selection has to kill.
const MAX_MUTANTS: usize = 300;

/// Selects tests by the wrong submissions of a package and the mutants of its accepted ones.
pub(super) struct CandidateSelector {
    settings: SelectionSettings,
    wrong: Vec<WrongSubmission>,
    submissions: Vec<MutatedSubmission>,
    compiler: MutantCompiler,
    judge_setup: JudgeSetup,
    problem: String,
    folder: PathBuf,
    jobs: usize,
    /// Results of earlier selections.
    cache: ResultCache,
    /// Digest of everything but the candidates that the selection depends on.
    key: String,
}

impl CandidateSelector {
    /// Creates a selector. Wrong submissions that are only too slow are left out, since what kills them depends on the
    /// machine.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the work was cancelled.
    pub(super) fn new(
        settings: SelectionSettings,
        problem: &ProblemContext,
        judge_setup: JudgeSetup,
        session: &mut Session,
    ) -> Result<CandidateSelector> {
        let package = problem.require_package()?;
        let is_wrong = |submission: &&PackageSubmission| {
            let permitted = submission.expectation.required;
            submission.expectation.is_rejected() && permitted.iter().any(|verdict| verdict != Verdict::TimeLimit)
        };
        let wrong: Vec<&PackageSubmission> = package.submissions.iter().filter(is_wrong).collect();
        let bounds = problem.format.as_ref().map(input_bounds).unwrap_or_default();
        let submissions = chosen_submissions(package, &bounds)?;
        let mut parts = vec![KEY_VERSION.as_bytes().to_vec(), format!("{settings:?}").into_bytes()];
        parts.push(judge_setup.judge.cache_identity().unwrap_or_default().into_bytes());
        parts.extend(submissions.iter().map(|submission| submission.source.clone().into_bytes()));
        for submission in &wrong {
            parts.push(submission.name.clone().into_bytes());
            parts.push(source_digest(&submission.path)?.into_bytes());
        }
        Ok(CandidateSelector {
            settings,
            wrong: compile_wrong(package, &wrong, session)?,
            submissions,
            compiler: MutantCompiler::new(Some(package), session)?,
            judge_setup,
            problem: package.id.clone(),
            folder: package.folder.clone(),
            jobs: session.jobs,
            cache: verify::open_result_store(package, session),
            key: digest_parts(&parts),
        })
    }

    /// Returns a digest of everything but the candidates that the selection depends on.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Selects tests, and returns their indices and the selection in figures.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn select_candidates(
        &self,
        candidates: &[TestCandidate<'_>],
        sink: &mut dyn EventSink,
    ) -> Result<(Vec<usize>, CandidateSelection)> {
        let folder =
            tempfile::tempdir().map_err(|cause| Error::io_error("make a folder in", &std::env::temp_dir(), &cause))?;
        let mut cases = Vec::new();
        for (number, candidate) in candidates.iter().enumerate() {
            let [input, answer] = ["in", "ans"].map(|end| folder.path().join(format!("{number}.{end}")));
            write_file(&input, candidate.input)?;
            write_file(&answer, candidate.answer)?;
            cases.push(VerifiedCase {
                name: candidate.name.to_owned(),
                input,
                answer,
                judge: self.judge_setup.judge.clone(),
                examiner: None,
                arguments: Vec::new(),
                files: None,
            });
        }
        let package = VerifyPlan {
            problem: self.problem.clone(),
            folder: self.folder.clone(),
            submissions: Vec::new(),
            cases,
            limits: self.judge_setup.limits.clone(),
            timing: TimeLimitFactors { is_stated: true, ac_to_time_limit: 1.0, time_limit_to_tle: 1.0 },
            scale: None,
            grader: None,
            jobs: self.jobs,
            stop_when_decided: false,
            cell_cache: &NoCellCache,
            cell_journal: None,
            cancel: self.judge_setup.cancel.clone(),
        };
        let compile = |submission: &MutatedSubmission, source: &str| {
            Ok(self.compiler.compile_mutant(submission, source, BuildVariant::Judged)?.compiled)
        };
        let mutation = MutationPlan {
            package: &package,
            submissions: self.submissions.clone(),
            max_mutants: MAX_MUTANTS,
            compile: &compile,
            cache: Some(&self.cache),
        };
        let selected = select_tests(
            &SelectionPlan {
                mutation: &mutation,
                wrong: self.wrong.clone(),
                kept: (0..candidates.len()).filter(|number| candidates[*number].is_kept).collect(),
                depth: self.settings.depth as usize,
                tests: self.settings.tests as usize,
                properties: candidates.iter().map(|candidate| candidate.properties.clone()).collect(),
            },
            sink,
        )?;
        self.cache.save()?;
        Ok((selected.chosen, selected.selection))
    }
}

/// Returns the accepted submissions to mutate: in the fastest languages that there are.
fn chosen_submissions(package: &Package, bounds: &[i128]) -> Result<Vec<MutatedSubmission>> {
    let rank = |language: SourceLanguage| match language {
        SourceLanguage::Cpp | SourceLanguage::Rust => 0,
        SourceLanguage::Java => 1,
        SourceLanguage::Python => 2,
    };
    let mut found = Vec::new();
    for submission in package.accepted_submissions().filter(|submission| submission.path.is_file()) {
        let Some(language) = mutated_language(&submission.path) else { continue };
        let Ok(source) = String::from_utf8(read_file(&submission.path)?) else { continue };
        let (name, bounds) = (submission.name.clone(), bounds.to_vec());
        found.push(MutatedSubmission { name, source, language, identity: None, bounds });
    }
    let best = found.iter().map(|submission| rank(submission.language)).min();
    found.retain(|submission| Some(rank(submission.language)) == best);
    Ok(found)
}

/// Compiles the wrong submissions. Those that do not compile here are left out.
fn compile_wrong(
    package: &Package,
    wrong: &[&PackageSubmission],
    session: &mut Session,
) -> Result<Vec<WrongSubmission>> {
    let sources: Vec<(PathBuf, String)> =
        wrong.iter().map(|submission| (submission.path.clone(), submission.name.clone())).collect();
    let mut programs = Vec::new();
    for (compiled, (_, name)) in
        compile_all(Some(package), &sources, ProgramRole::Submission, session).into_iter().zip(&sources)
    {
        match compiled {
            Ok((program, identity)) => programs.push(WrongSubmission { program, identity }),
            Err(error) if compile_programs::warn_if_unsupported(name, &error, session) => {}
            Err(CompileError::Rejected { .. }) => {}
            Err(CompileError::Failed(error)) => return Err(error),
        }
    }
    Ok(programs)
}
