//! What `rebut stress` works on where the command line does not name it: found by name beside the submission.
//!
//! Whatever is missing or could be meant in two ways is asked for before anything is compiled.

use super::args::Stress;
use crate::diagnostic::{Error, Result, list_and, list_or};
use crate::run::{LANGUAGES, Language};
use std::path::{Path, PathBuf};

/// How submissions are called, without extensions.
const SUBMISSIONS: [&str; 2] = ["sol", "solution"];
/// How solutions are called that answers are taken from, the likeliest first.
const REFERENCES: [&str; 6] = ["reference", "brute", "bruteforce", "brute_force", "naive", "slow"];
/// How programs are called that print inputs.
const GENERATORS: [&str; 2] = ["gen", "generator"];
/// The file by which a problem package is known.
const PACKAGE: &str = "problem.yaml";
/// A format to begin with.
const EXAMPLE: &str = "'n; a[n] where 1<=n<=8; -9<=a<=9'";

/// Returns the command with what was found for it: the submissions, the package or the generator.
///
/// # Errors
/// Returns an error if there is no submission, if one of several may be meant as the reference, or if something is missing that
/// no file beside the submission has.
pub(super) fn complete(args: &Stress) -> Result<Stress> {
    let mut args = args.clone();
    if args.submissions.is_empty() && args.inputs.problem.is_none() {
        let here = Path::new("");
        if Path::new(PACKAGE).is_file() && args.inputs.is_open() {
            args.inputs.problem = Some(PathBuf::from("."));
        } else {
            args.submissions = find_sources(here, &SUBMISSIONS);
        }
    }
    if args.inputs.problem.is_some() {
        return Ok(args);
    }
    let Some(first) = args.submissions.first().cloned() else { return Err(no_submission()) };
    let has_format = folder_of(&first).join("input.format").is_file();
    if args.inputs.is_open() && !has_format && Path::new(PACKAGE).is_file() {
        args.inputs.problem = Some(PathBuf::from("."));
        return Ok(args);
    }
    if args.inputs.is_open() && !has_format {
        let generators = find_sources(folder_of(&first), &GENERATORS);
        args.inputs.generator = generators.first().map(|path| quote(path));
    }
    let references = find_references(&first);
    let needs_reference = args.judging.reference.is_none() && args.judging.interactor.is_none();
    if needs_reference {
        require_clear_reference(&args.submissions, &references)?;
    }
    let has_inputs = !args.inputs.is_open() || has_format;
    require_inputs_and_reference(&first, has_inputs, !needs_reference || !references.is_empty())?;
    Ok(args)
}

/// Files beside a submission that are called like references.
pub(super) fn find_references(submission: &Path) -> Vec<PathBuf> {
    let mut found = find_sources(folder_of(submission), &REFERENCES);
    found.retain(|path| path != submission);
    found
}

/// A path as the first word of a command.
fn quote(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{path}'") }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The sources of a folder that have one of these names, in the order of the names and then of the languages.
fn find_sources(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let extensions = || LANGUAGES.iter().flat_map(|language| language.extensions);
    let paths = names.iter().flat_map(|name| extensions().map(move |end| folder.join(format!("{name}.{end}"))));
    paths.filter(|path| path.is_file()).collect()
}

/// Fails if two programs are to be tested, and one of them may be the one that is right.
fn require_clear_reference(submissions: &[PathBuf], references: &[PathBuf]) -> Result<()> {
    let is_reference = |path: &&PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        REFERENCES.contains(&stem) && Language::of(path).is_some()
    };
    let named = submissions.iter().find(is_reference);
    let likely = match (submissions, named, references) {
        ([] | [_], ..) => return Ok(()),
        // It is not among those that were named.
        (_, None, [_, ..]) => return Ok(()),
        (_, Some(named), _) => named,
        ([.., last], None, []) => last,
    };
    let others: Vec<String> =
        submissions.iter().filter(|path| *path != likely).map(|path| path.display().to_string()).collect();
    let (likely, all) = (likely.display(), submissions.iter().map(|path| format!("`{}`", path.display())));
    let question = match named {
        Some(_) => format!("is `{likely}` the solution that answers are taken from, or is it to be tested?"),
        None => format!("which one is right: {}?", list_or(&all.clone().collect::<Vec<_>>())),
    };
    let tested = format!("{} {likely}", others.join(" "));
    Err(Error::usage(question).with_help(format!(
        "to take answers from `{likely}`: `rebut stress {} --reference {likely}`; to test {}: `rebut stress {tested} --reference \
         FILE`",
        others.join(" "),
        list_and(&all.collect::<Vec<_>>()),
    )))
}

/// Fails if the search lacks something, with all that it lacks and one line that gives it.
fn require_inputs_and_reference(submission: &Path, has_inputs: bool, has_reference: bool) -> Result<()> {
    const FORMAT: &str = "nothing says what an input looks like";
    const REFERENCE: &str = "there is no reference to take answers from";
    let shown = submission.display();
    let (message, help) = match (has_inputs, has_reference) {
        (true, true) => return Ok(()),
        (true, false) => (
            REFERENCE.to_owned(),
            format!(
                "name a solution that is right, however slow: `rebut stress {shown} --reference brute.cpp`, or put it beside the \
                 submission as `brute.cpp`; for an interactive problem name the `--interactor`"
            ),
        ),
        (false, true) => (
            FORMAT.to_owned(),
            format!(
                "describe it in one line, as in `--input {EXAMPLE}`, or in a file `input.format` beside the submission or with \
                 `--format`; or give a program that makes inputs with `--generator`, or as `gen.*` beside the submission"
            ),
        ),
        (false, false) => (
            format!("{FORMAT}, and {REFERENCE}"),
            format!("in one line: `rebut stress {shown} --reference brute.cpp --input {EXAMPLE}`"),
        ),
    };
    Err(Error::usage(message).with_help(help))
}

fn no_submission() -> Error {
    Error::usage("no SUBMISSION was named, and there is no `sol.*` and no `problem.yaml` here").with_help(format!(
        "name the program to be tested, one that is right, and what an input looks like: `rebut stress sol.cpp --reference \
         brute.cpp --input {EXAMPLE}`"
    ))
}
