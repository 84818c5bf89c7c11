//! Finds the files that `rebut stress` works on if the command line does not name them, by their names next to the
//! submission.
//!
//! Anything missing or ambiguous is reported before anything is compiled.

use super::args::StressArgs;
use rebut_diagnostics::{Error, Result, list_and, list_or};
use rebut_sandbox::{LANGUAGES, Language};
use std::path::{Path, PathBuf};

/// File stems of submissions.
const SUBMISSION_STEMS: [&str; 2] = ["sol", "solution"];
/// File stems of references, in order of preference.
const REFERENCE_STEMS: [&str; 6] = ["reference", "brute", "bruteforce", "brute_force", "naive", "slow"];
/// File stems of generators.
const GENERATOR_STEMS: [&str; 2] = ["gen", "generator"];
/// The file that marks a problem package.
const PACKAGE_FILE: &str = "problem.yaml";
/// The file with the format of a problem, in its package or next to a submission.
pub(super) const FORMAT_FILE: &str = "input.format";
/// Error message if nothing says where inputs come from.
pub(super) const NO_INPUTS: &str = "no input format or generator was given or found";
/// Error message if nothing provides the answers.
pub(super) const NO_REFERENCE: &str = "no reference solution was given or found";
/// Example of a format for error messages.
const EXAMPLE_FORMAT: &str = "'n; a[n] where 1<=n<=8; -9<=a<=9'";

/// Returns the arguments completed with the files that were found: submissions, package or generator.
///
/// # Errors
/// Returns an error if there is no submission, if it is ambiguous which program is the reference, or if something is
/// missing that was not found next to the submission either.
pub(super) fn complete_args(args: &StressArgs) -> Result<StressArgs> {
    let mut args = args.clone();
    if args.submissions.is_empty() && args.inputs.problem.is_none() {
        let here = Path::new("");
        if Path::new(PACKAGE_FILE).is_file() && args.inputs.has_no_source() {
            args.inputs.problem = Some(PathBuf::from("."));
        } else {
            args.submissions = find_sources(here, &SUBMISSION_STEMS);
        }
    }
    if args.inputs.problem.is_some() {
        return Ok(args);
    }
    let Some(first) = args.submissions.first().cloned() else { return Err(no_submission_error()) };
    let has_format = parent_folder(&first).join(FORMAT_FILE).is_file();
    if args.inputs.has_no_source() && !has_format && Path::new(PACKAGE_FILE).is_file() {
        args.inputs.problem = Some(PathBuf::from("."));
        return Ok(args);
    }
    if args.inputs.has_no_source() && !has_format {
        let generators = find_sources(parent_folder(&first), &GENERATOR_STEMS);
        args.inputs.generator = generators.first().map(|path| quote_path(path));
    }
    let references = find_references(&first);
    let needs_reference = args.judging.reference.is_none() && args.judging.interactor.is_none();
    if needs_reference {
        require_clear_reference(&args.submissions, &references)?;
    }
    let has_inputs = !args.inputs.has_no_source() || has_format;
    require_inputs_and_reference(&first, has_inputs, !needs_reference || !references.is_empty())?;
    Ok(args)
}

/// Returns the files next to a submission that are named like references.
pub(super) fn find_references(submission: &Path) -> Vec<PathBuf> {
    let mut found = find_sources(parent_folder(submission), &REFERENCE_STEMS);
    found.retain(|path| path != submission);
    found
}

/// Quotes a path for use as the first word of a command.
fn quote_path(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{path}'") }
}

/// Returns the folder of a file.
fn parent_folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns the sources in a folder with one of these stems, ordered by stem and then by language.
fn find_sources(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let extensions = || LANGUAGES.iter().flat_map(|language| language.extensions);
    let paths = names.iter().flat_map(|name| extensions().map(move |end| folder.join(format!("{name}.{end}"))));
    paths.filter(|path| path.is_file()).collect()
}

/// Returns an error if several programs are to be tested and one of them looks like the reference.
fn require_clear_reference(submissions: &[PathBuf], references: &[PathBuf]) -> Result<()> {
    let is_reference = |path: &&PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        REFERENCE_STEMS.contains(&stem) && Language::from_path(path).is_some()
    };
    let named = submissions.iter().find(is_reference);
    let likely = match (submissions, named, references) {
        ([] | [_], ..) => return Ok(()),
        // The reference is a different file.
        (_, None, [_, ..]) => return Ok(()),
        (_, Some(named), _) => named,
        ([.., last], None, []) => last,
    };
    let others: Vec<String> =
        submissions.iter().filter(|path| *path != likely).map(|path| path.display().to_string()).collect();
    let (likely, all) = (likely.display(), submissions.iter().map(|path| format!("`{}`", path.display())));
    let question = match named {
        Some(_) => format!("is `{likely}` the reference, or a submission to test?"),
        None => format!("which of {} is the reference?", list_or(&all.clone().collect::<Vec<_>>())),
    };
    let tested = format!("{} {likely}", others.join(" "));
    Err(Error::usage_error(question).with_help(format!(
        "to use `{likely}` as the reference: `rebut stress {} --reference {likely}`; to test {}: `rebut stress {tested} --reference \
         FILE`",
        others.join(" "),
        list_and(&all.collect::<Vec<_>>()),
    )))
}

/// Returns an error that names everything the search lacks, with a command line that provides it.
fn require_inputs_and_reference(submission: &Path, has_inputs: bool, has_reference: bool) -> Result<()> {
    let shown = submission.display();
    let (message, help) = match (has_inputs, has_reference) {
        (true, true) => return Ok(()),
        (true, false) => (
            NO_REFERENCE.to_owned(),
            format!(
                "name a correct solution, which may be slow: `rebut stress {shown} --reference brute.cpp`, or put it beside the \
                 submission as `brute.cpp`; for an interactive problem name the `--interactor`"
            ),
        ),
        (false, true) => (
            NO_INPUTS.to_owned(),
            format!(
                "describe it in one line, as in `--input {EXAMPLE_FORMAT}`, or in a file `input.format` beside the submission or with \
                 `--format`; or name a program that prints inputs with `--generator`, or as `gen.*` beside the submission"
            ),
        ),
        (false, false) => (
            format!("{NO_INPUTS}; {NO_REFERENCE}"),
            format!("in one line: `rebut stress {shown} --reference brute.cpp --input {EXAMPLE_FORMAT}`"),
        ),
    };
    Err(Error::usage_error(message).with_help(help))
}

fn no_submission_error() -> Error {
    Error::usage_error("no SUBMISSION was given, and there is no `sol.*` or `problem.yaml` in this folder").with_help(
        format!(
            "name the program to test, a correct one, and the format of inputs: `rebut stress sol.cpp --reference \
         brute.cpp --input {EXAMPLE_FORMAT}`"
        ),
    )
}
