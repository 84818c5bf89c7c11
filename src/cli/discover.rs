//! Finds the files that `rebut stress` works on if the command line does not name them, by their names next to the
//! submission.
//!
//! Anything missing or ambiguous is reported before anything is compiled.

use super::args::StressArgs;
use super::files_beside::{
    FORMAT_FILE, NO_INPUTS, NO_REFERENCE, REFERENCE_STEMS, SUBMISSION_STEMS, find_references, find_sources,
    parent_folder,
};
use super::infer::choose_by_solution;
use super::infer::samples::{find_samples, infer_from_samples, read_samples, read_statement};
use super::session::Session;
use rebut_diagnostics::{Error, Result, list_and, list_or};
use rebut_engine::event::EventSink;
use rebut_packages::interop::companion::ProblemRecord;
use rebut_toolchain::Language;
use std::path::{Path, PathBuf};

/// File stems of generators.
const GENERATOR_STEMS: [&str; 2] = ["gen", "generator"];
/// The file that marks a problem package.
pub(super) const PACKAGE_FILE: &str = "problem.yaml";
/// Where a limit of `problem.json` is from.
pub(super) const RECORD_ORIGIN: &str = "from `problem.json`";
/// Example of a format for error messages.
const EXAMPLE_FORMAT: &str = "'n; a[n] where 1<=n<=8; -9<=a<=9'";

/// Returns the arguments completed with the files that were found: submissions, package or generator.
///
/// # Errors
/// Returns an error if there is no submission, if it is ambiguous which program is the reference, or if something is
/// missing that was not found next to the submission either.
pub(super) fn complete_args(args: &StressArgs, session: &mut Session) -> Result<StressArgs> {
    let mut args = args.clone();
    take_named_reference(&mut args);
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
    if args.inputs.has_no_source() && !has_format {
        let reference = args.judging.reference.clone().or_else(|| find_references(&first).into_iter().next());
        args.inputs.input = infer_beside(parent_folder(&first), reference.as_deref(), session)?;
        args.inputs.is_guessed = args.inputs.input.is_some();
    }
    let record = ProblemRecord::load(parent_folder(&first)).unwrap_or_default();
    args.judging.time_limit = args.judging.time_limit.or(record.time_limit());
    args.judging.files = args.judging.files.or(record.file_names().map(Vec::from));
    if args.judging.memory_limit.is_none() {
        args.judging.memory_limit = record.memory_limit_mib();
        args.judging.memory_limit_origin = Some(RECORD_ORIGIN);
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

/// Of two programs of which one is named like a reference, makes that the reference.
fn take_named_reference(args: &mut StressArgs) {
    let [first, second] = &args.submissions[..] else { return };
    if args.judging.reference.is_some() || args.judging.interactor.is_some() || args.inputs.problem.is_some() {
        return;
    }
    let reference = match (is_named_reference(first), is_named_reference(second)) {
        (true, false) => args.submissions.remove(0),
        (false, true) => args.submissions.remove(1),
        _ => return,
    };
    // An expression may name it as well.
    let stem = reference.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if args.find.as_deref().is_some_and(|expression| expression.contains(stem)) {
        args.submissions.push(reference.clone());
    }
    args.judging.reference = Some(reference);
}

/// Returns true if a source is named like a reference.
fn is_named_reference(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    REFERENCE_STEMS.contains(&stem) && Language::from_path(path).is_some()
}

/// Returns true if a word in the name of a source is that of a reference: `brute2.py`, `my_brute.cpp`.
fn is_named_like_reference(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_lowercase();
    stem.split(|c: char| !c.is_alphabetic()).any(|word| REFERENCE_STEMS.contains(&word))
        && Language::from_path(path).is_some()
}

/// Infers the format of inputs from the samples beside a submission, and shows what was inferred.
/// Among several that fit, the reference decides, if it is known.
fn infer_beside(folder: &Path, reference: Option<&Path>, session: &mut Session) -> Result<Option<String>> {
    let statement = read_statement(None, folder)?;
    let files = find_samples(folder);
    let (samples, mut names) = read_samples(&files, statement.as_deref())?;
    if samples.is_empty() {
        return Ok(None);
    }
    let mut found = infer_from_samples(&samples, &list_and(&names), statement.as_deref())?;
    if let Some(reference) = reference.filter(|_| !found.questions.is_empty()) {
        choose_by_solution(&mut found, reference, session)?;
    }
    names.extend((statement.is_some() && !files.is_empty()).then(|| "`statement.txt`".to_owned()));
    let names = list_and(&names);
    let help = match found.sampled_rules {
        0 => "its bounds are those of the statement; `rebut infer --out input.format` writes it to a file".to_owned(),
        _ => format!(
            "the ranges are guesses ({}): write those of the statement to `input.format`, as `rebut infer` prints it",
            found.guessed_upper_bounds().unwrap_or_else(|| "lower bounds and relations".to_owned())
        ),
    };
    session.warn_with_help(format!("the format was inferred from {names}: {}", format_on_one_line(&found.text)), &help);
    let questions = found.questions.iter().map(|question| {
        let (best, other) = &question.lines;
        format!("the samples fit `{other}` as well as `{best}`")
    });
    let cut_short = found.is_cut_short.then(|| "other layouts may fit the samples as well".to_owned());
    let questions: Vec<String> = questions.chain(cut_short).collect();
    if !questions.is_empty() {
        let help = "`rebut infer --out input.format` writes all of these formats to a file, to choose from";
        session.warn_with_help(questions.join("; "), help);
    }
    for note in &found.notes {
        session.warn(note.clone());
    }
    Ok(Some(found.text))
}

/// Returns a format on one line, with braces around the bodies of blocks.
pub(super) fn format_on_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut depth = 0;
    for row in text.lines() {
        let indentation = (row.len() - row.trim_start().len()) / 4;
        let body = row.trim();
        let is_body = indentation > depth;
        line.push_str(&" }".repeat(depth.saturating_sub(indentation)));
        line.push_str(match (line.is_empty(), is_body) {
            (true, _) => "",
            (false, true) => " { ",
            (false, false) => "; ",
        });
        depth = indentation;
        line.push_str(body);
    }
    line + &" }".repeat(depth)
}

/// Returns the submission in a folder, by its name.
///
/// # Errors
/// Returns an error if there is none, or if there are several.
pub(super) fn find_submission_beside(folder: &Path) -> Result<PathBuf> {
    match &find_sources(folder, &SUBMISSION_STEMS)[..] {
        [submission] => Ok(submission.clone()),
        [] => Err(Error::usage_error("no SUBMISSION was given, and there is no `sol.*` in this folder")
            .with_help("name the program to test: `rebut test sol.cpp`")),
        several => {
            let names: Vec<String> = several.iter().map(|path| format!("`{}`", path.display())).collect();
            Err(Error::usage_error(format!("which of {} is the submission?", list_or(&names))))
        }
    }
}

/// Quotes a path for use as the first word of a command.
fn quote_path(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{path}'") }
}

/// Returns an error if several programs are to be tested and one of them looks like the reference.
fn require_clear_reference(submissions: &[PathBuf], references: &[PathBuf]) -> Result<()> {
    let named = submissions.iter().find(|path| is_named_like_reference(path));
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::super::args::{CliArgs, CliCommand};
    use super::*;
    use clap::Parser as _;

    fn stress_args(submissions: &[&str]) -> StressArgs {
        match CliArgs::try_parse_from([&["rebut", "stress"], submissions].concat()).unwrap().command {
            CliCommand::Stress(args) => args,
            other => unreachable!("{other:?}"),
        }
    }

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn formats_on_one_line_have_braces_around_blocks() {
        assert_eq!(format_on_one_line("n\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a <= 9\n"), {
            "n; a[n]; where: { 1 <= n <= 9; 0 <= a <= 9 }"
        });
        assert_eq!(format_on_one_line("repeat n:\n    repeat m:\n        x\ny\n"), "repeat n: { repeat m: { x } }; y");
    }

    #[test]
    fn unusual_paths_are_quoted() {
        assert_eq!(quote_path(Path::new("gen/a-1.py")), "gen/a-1.py");
        assert_eq!(quote_path(Path::new("my gen.py")), "'my gen.py'");
    }

    #[test]
    fn one_of_two_programs_is_the_reference_by_its_name() {
        let taken = |names: &[&str]| {
            let mut args = stress_args(names);
            take_named_reference(&mut args);
            (args.submissions, args.judging.reference)
        };
        assert_eq!(taken(&["sol.cpp", "brute.cpp"]), (paths(&["sol.cpp"]), Some(PathBuf::from("brute.cpp"))));
        assert_eq!(taken(&["naive.py", "sol.cpp"]), (paths(&["sol.cpp"]), Some(PathBuf::from("naive.py"))));
        for unclear in [["a.cpp", "b.cpp"], ["brute.cpp", "slow.cpp"], ["sol.cpp", "brute.txt"]] {
            assert_eq!(taken(&unclear), (paths(&unclear), None));
        }
    }

    #[test]
    fn several_programs_need_a_clear_reference() {
        let question = |submissions: &[&str], references: &[&str]| {
            require_clear_reference(&paths(submissions), &paths(references))
                .err()
                .map(|error| error.message().to_owned())
        };
        assert_eq!(question(&["a.cpp"], &[]), None);
        assert_eq!(question(&["a.cpp", "b.cpp"], &["brute.cpp"]), None);
        assert_eq!(
            question(&["a.cpp", "b.cpp"], &[]).as_deref(),
            Some("which of `a.cpp` or `b.cpp` is the reference?")
        );
        let named = question(&["a.cpp", "brute.cpp", "c.cpp"], &[]);
        assert_eq!(named.as_deref(), Some("is `brute.cpp` the reference, or a submission to test?"));
        let alike = question(&["sol2.cpp", "brute2.py"], &["brute.py"]);
        assert_eq!(alike.as_deref(), Some("is `brute2.py` the reference, or a submission to test?"));
    }

    #[test]
    fn error_names_everything_that_is_missing() {
        let message = |inputs, reference| {
            let found = require_inputs_and_reference(Path::new("sol.cpp"), inputs, reference);
            found.err().map(|error| error.message().to_owned())
        };
        assert_eq!(message(true, true), None);
        assert_eq!(message(true, false).as_deref(), Some(NO_REFERENCE));
        assert_eq!(message(false, true).as_deref(), Some(NO_INPUTS));
        assert_eq!(message(false, false), Some(format!("{NO_INPUTS}; {NO_REFERENCE}")));
    }
}
