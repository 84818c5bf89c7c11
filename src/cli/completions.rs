//! Completions of a shell: `rebut completions` prints the script that registers them, and that script runs rebut for
//! each completion, with the variable `REBUT_COMPLETE` set to the name of the shell.

use super::args::{CompletionsArgs, ManArgs};
use super::clap_definition;
use super::discover::PACKAGE_FILE;
use super::exit_status::ExitStatus;
use super::session::{Session, print_early_error};
use crate::diagnostic_index::diagnostic_entries;
use clap::{Arg, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use clap_complete::env::Shells;
use rebut_checkers::CHECKERS;
use rebut_diagnostics::{Error, Result};
use rebut_generators::all_shapes;
use rebut_packages::{FINDING_FILE, Package};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that requests a completion instead of a command.
const VARIABLE: &str = "REBUT_COMPLETE";

/// Answers a shell that requests a completion. Returns `None` if the command line is one to be run.
pub(super) fn answer_shell() -> Option<ExitStatus> {
    let folder = std::env::current_dir().ok();
    let environment = CompleteEnv::with_factory(|| with_candidates(clap_definition())).var(VARIABLE);
    match environment.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(true) => Some(ExitStatus::Success),
        Ok(false) => None,
        Err(problem) => Some(print_early_error(&Error::usage_error(problem.to_string()))),
    }
}

pub(super) fn run_completions(args: &CompletionsArgs, session: &mut Session) -> Result<ExitStatus> {
    let mut script = Vec::new();
    let name = args.shell.to_string();
    if let Some(shell) = Shells::builtins().completer(&name) {
        shell
            .write_registration(VARIABLE, "rebut", "rebut", &program_path(), &mut script)
            .map_err(|cause| Error::io_error("write", Path::new("-"), &cause))?;
    }
    session.write_stdout(&script)?;
    Ok(ExitStatus::Success)
}

/// Returns the program that the script runs: `rebut`, or an absolute path if it was not found by its name alone.
fn program_path() -> String {
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    if called.components().count() < 2 {
        return "rebut".to_owned();
    }
    std::path::absolute(&called).unwrap_or(called).to_string_lossy().into_owned()
}

// Candidates of completions beyond commands, options and files: submissions, test inputs, packages, shapes and other
// names.

/// Returns a command that completes the values of its arguments, and those of its subcommands.
pub(super) fn with_candidates(command: Command) -> Command {
    command.mut_args(complete_argument).mut_subcommands(with_candidates)
}

/// Adds the candidates of an argument according to its name.
fn complete_argument(argument: Arg) -> Arg {
    let complete = match argument.get_id().as_str() {
        "submission" | "submissions" => complete_submissions,
        "problem" | "problems" => complete_packages,
        "file" | "files" => complete_test_inputs,
        "finding" => complete_findings,
        "shape" => complete_shapes,
        "checker" => complete_checkers,
        "code" => complete_codes,
        _ => return argument,
    };
    argument.add(ArgValueCompleter::new(complete))
}

/// Returns the submissions of the package by their names, and files.
fn complete_submissions(current: &OsStr) -> Vec<CompletionCandidate> {
    let package = named_package(&typed_words());
    let names = package.iter().flat_map(|package| &package.submissions).filter_map(|submission| {
        let folder = submission.name.split_once('/').map_or("", |(folder, _)| folder);
        Some(candidate(submission.path.file_name()?.to_str()?, folder))
    });
    with_paths(starting_with(names, current), &PathCompleter::any(), current)
}

/// Returns the inputs of the package by their paths, and files.
fn complete_test_inputs(current: &OsStr) -> Vec<CompletionCandidate> {
    let package = named_package(&typed_words());
    let inputs = package.iter().flat_map(|package| &package.test_cases).map(|case| {
        let path = case.input.strip_prefix(".").unwrap_or(&case.input);
        CompletionCandidate::new(path).help(Some("test input".into()))
    });
    // Thousands of tests are no help before anything is typed.
    let inputs = if current.is_empty() { Vec::new() } else { starting_with(inputs, current) };
    with_paths(inputs, &PathCompleter::any(), current)
}

/// Returns folders; packages come first.
fn complete_packages(current: &OsStr) -> Vec<CompletionCandidate> {
    let folders = PathCompleter::dir().complete(current).into_iter();
    let ranked = folders.map(|folder| {
        let is_package = Path::new(folder.get_value()).join(PACKAGE_FILE).is_file();
        folder.display_order(Some(usize::from(!is_package)))
    });
    ranked.collect()
}

/// Returns the folders of findings.
fn complete_findings(current: &OsStr) -> Vec<CompletionCandidate> {
    let found = finding_folders(Path::new("findings"));
    let findings = found.into_iter().map(CompletionCandidate::new);
    with_paths(starting_with(findings, current), &PathCompleter::dir(), current)
}

/// Returns the folders with a finding in a folder and its subfolders.
fn finding_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
        .into_iter()
        .flat_map(|inner| if inner.join(FINDING_FILE).is_file() { vec![inner] } else { finding_folders(&inner) })
        .collect()
}

/// Returns the names of shapes.
fn complete_shapes(current: &OsStr) -> Vec<CompletionCandidate> {
    // Families share some names.
    let mut named = BTreeSet::new();
    let shapes = all_shapes().filter(|shape| named.insert(shape.name));
    starting_with(shapes.map(|shape| candidate(shape.name, shape.doc)), current)
}

/// Returns the names of checkers, and files.
fn complete_checkers(current: &OsStr) -> Vec<CompletionCandidate> {
    let names = CHECKERS.iter().map(|checker| candidate(checker.name, checker.summary));
    with_paths(starting_with(names, current), &PathCompleter::any(), current)
}

/// Returns the codes of diagnostics.
fn complete_codes(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(diagnostic_entries().into_iter().map(|entry| candidate(entry.code, entry.group)), current)
}

fn candidate(name: &str, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(name).help((!help.is_empty()).then(|| help.to_owned().into()))
}

fn starting_with(candidates: impl Iterator<Item = CompletionCandidate>, current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    candidates.filter(|candidate| candidate.get_value().to_string_lossy().starts_with(&*current)).collect()
}

/// Appends the paths that were not named already.
fn with_paths(
    mut candidates: Vec<CompletionCandidate>,
    paths: &PathCompleter,
    current: &OsStr,
) -> Vec<CompletionCandidate> {
    let named: Vec<OsString> = candidates.iter().map(|candidate| candidate.get_value().to_owned()).collect();
    candidates
        .extend(paths.complete(current).into_iter().filter(|path| !named.iter().any(|name| name == path.get_value())));
    candidates
}

/// Returns the words of the command line that is completed: those behind `--`, by the protocol of the scripts.
fn typed_words() -> Vec<OsString> {
    std::env::args_os().skip_while(|word| word != "--").skip(1).collect()
}

/// Returns the package that the words name: by `--problem`, by an argument, or by the working folder.
fn named_package(words: &[OsString]) -> Option<Package> {
    let options = words.windows(2).filter(|pair| pair[0] == "--problem" || pair[0] == "-p").map(|pair| &pair[1]);
    let joined = words.iter().filter_map(|word| Some(OsString::from(word.to_str()?.strip_prefix("--problem=")?)));
    let folders = options.cloned().chain(joined).chain(words.iter().cloned()).map(PathBuf::from);
    let mut packages = folders.chain([PathBuf::from(".")]).filter(|folder| folder.join(PACKAGE_FILE).is_file());
    Package::load(&packages.next()?).ok()
}

pub(super) fn run_man(args: &ManArgs, session: &mut Session) -> Result<ExitStatus> {
    let failed = |cause: std::io::Error| Error::io_error("write", &args.folder, &cause);
    fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(clap_definition(), &args.folder).map_err(failed)?;
    let pages = format!("{}: the manual pages, to be read by `man -l {0}/rebut.1`\n", args.folder.display());
    session.write_stdout(pages.as_bytes())?;
    Ok(ExitStatus::Success)
}
