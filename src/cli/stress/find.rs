//! `--find`: searches for an input on which an expression about several submissions holds.

use crate::cli::args::StressArgs;
use crate::cli::compile_programs::display_file_name;
use crate::cli::problem_setup::{ProblemContext, find_submissions};
use crate::cli::session::Session;
use rebut_diagnostics::{Diagnostic, Error, Result, SourceText};
use rebut_engine::{CompiledSubmission, FinderExpression, Judge, JudgeSetup};
use rebut_packages::FinderRecord;
use rebut_sandbox::{CancelToken, Program, RunJob, RunOutcome};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An expression and the programs that it mentions.
pub(in crate::cli) struct FinderSearch {
    text: String,
    expression: FinderExpression,
    /// The sources of the programs.
    pub(in crate::cli) sources: Vec<PathBuf>,
}

impl FinderSearch {
    /// Parses the expression of a search, if it has one. It can mention the submissions of the command line, or else those
    /// of the package; those that it mentions become those of the search.
    pub(super) fn from_args(
        args: &mut StressArgs,
        problem: &ProblemContext,
        session: &Session,
    ) -> Result<Option<FinderSearch>> {
        let Some(text) = &args.find else { return Ok(None) };
        let package = problem.package.as_ref();
        let sources = match args.submissions.is_empty() {
            true => package.iter().flat_map(|package| &package.submissions).map(|own| own.path.clone()).collect(),
            false => find_submissions(&args.submissions, package, session)?,
        };
        let finder = FinderSearch::parse(text, sources).map_err(|problem| error_in_expression(text, problem))?;
        args.submissions.clone_from(&finder.sources);
        Ok(Some(finder))
    }

    /// Parses an expression that was recorded with a finding.
    pub(in crate::cli) fn from_record(record: &FinderRecord) -> Result<FinderSearch> {
        FinderSearch::parse(&record.expression, record.programs.clone())
            .map_err(|problem| error_in_expression(&record.expression, problem))
    }

    /// Parses an expression that can mention these sources.
    ///
    /// # Errors
    /// Returns the first error, with its place in the text.
    pub(in crate::cli) fn parse(
        text: &str,
        mut sources: Vec<PathBuf>,
    ) -> std::result::Result<FinderSearch, Diagnostic> {
        let names: Vec<Vec<String>> = sources.iter().map(|path| names_of_source(path)).collect();
        let expression = FinderExpression::parse(text, &names)?;
        sources = expression.program_numbers().iter().map(|number| sources[*number].clone()).collect();
        Ok(FinderSearch { text: text.to_owned(), expression, sources })
    }

    /// Same as [`into_search`](Self::into_search), after compiling the sources.
    ///
    /// # Errors
    /// Returns an error if one does not compile.
    pub(in crate::cli) fn compile_search(
        self,
        setup: JudgeSetup,
        mut compile: impl FnMut(&Path) -> Result<Program>,
    ) -> Result<(CompiledSubmission, JudgeSetup)> {
        let programs = self.sources.iter().map(|source| Ok((display_file_name(source), compile(source)?)));
        let programs = programs.collect::<Result<_>>()?;
        Ok(self.into_search(programs, setup))
    }

    /// Returns a search against one submission, which is named after the expression and rejected where that holds.
    /// `programs` are the compiled sources, in their order.
    fn into_search(self, programs: Vec<(String, Program)>, setup: JudgeSetup) -> (CompiledSubmission, JudgeSetup) {
        let finder = self.expression.into_finder(programs, setup.judge.clone());
        // The judge runs the programs.
        let program = Program::new(self.text.as_str(), |_: &RunJob<'_>, _: &CancelToken| Ok(RunOutcome::not_run()));
        let source = self.sources.into_iter().next().unwrap_or_default();
        let submission = CompiledSubmission { name: self.text, source, program };
        (submission, JudgeSetup { judge: Judge::Finder(Arc::new(finder)), ..setup })
    }
}

fn error_in_expression(text: &str, problem: Diagnostic) -> Error {
    Error::from_diagnostics(SourceText::new("--find", text), vec![problem])
}

/// Replaces the submissions of a search by the expression, if there is one.
///
/// # Errors
/// Returns an error if a program that it mentions did not compile, as was reported.
pub(super) fn apply_finder(
    finder: Option<FinderSearch>,
    submissions: Vec<CompiledSubmission>,
    setup: JudgeSetup,
) -> Result<(Vec<CompiledSubmission>, JudgeSetup)> {
    let Some(finder) = finder else { return Ok((submissions, setup)) };
    if submissions.len() < finder.sources.len() {
        return Err(Error::usage_error("`--find` needs programs that compile"));
    }
    let programs = submissions.into_iter().map(|submission| (submission.name, submission.program));
    let (submission, setup) = finder.into_search(programs.collect(), setup);
    Ok((vec![submission], setup))
}

/// Returns what replays a search, to be recorded with its findings.
pub(super) fn finder_record(text: &str, sources: &[PathBuf]) -> FinderRecord {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    FinderRecord { expression: text.to_owned(), programs: sources.iter().map(absolute).collect() }
}

/// Returns the names of a source in expressions: its file name, with and without its extension, and the path from the
/// folder of its expectation.
fn names_of_source(path: &Path) -> Vec<String> {
    let name = display_file_name(path);
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    let folder = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy());
    let within = folder.map(|folder| format!("{folder}/{name}"));
    let mut names: Vec<String> = [name, stem].into_iter().chain(within).chain([path.display().to_string()]).collect();
    names.dedup();
    names
}
