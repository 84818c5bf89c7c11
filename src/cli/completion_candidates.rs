//! Candidates of completions beyond commands, options and files: submissions, test inputs, packages, shapes and other
//! names.

use super::discover::PACKAGE_FILE;
use crate::diagnostic_index::diagnostic_entries;
use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use rebut_checkers::CHECKERS;
use rebut_generators::all_shapes;
use rebut_packages::{FINDING_FILE, Package};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

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
