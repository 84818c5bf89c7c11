//! `rebut show`: draws an input according to its format, or by the visualizer of its package.

use super::args::{InputArgs, ShowArgs, ValidateArgs};
use super::exit_status::ExitStatus;
use super::finding_tools::compile_visualizers;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use crate::report::svg_document;
use rebut_diagnostics::{DiagnosticText, Error, Result, SourceText};
use rebut_engine::InputValidator;
use rebut_engine::event::{Event, EventSink, FileValidated, FindingImage};
use rebut_format::language::Format;
use rebut_format::picture::{Figure, figure_lines, figures_of_input};
use rebut_format::read::{self, read_input};
use rebut_format::validate;
use rebut_packages::{read_file, write_atomically};
use rebut_sandbox::RunLimits;
use std::path::{Path, PathBuf};

pub(super) fn run_show(args: &ShowArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&problem_setup::input_args_from_path(&args.target), None, session)?;
    let bytes = read_file(&args.file)?;
    if let Some(why) = explain_refusal(problem.format.as_ref(), &[], &args.file, bytes.clone(), session)? {
        return Err(
            Error::usage_error(format!("`{}` is not a valid input", args.file.display())).with_note(why.to_string())
        );
    }
    if let Some(path) = &args.svg
        && let Some(image) = draw_by_package(&problem, &args.file, &bytes, session)?
    {
        write_image(path, &image, session)?;
        return Ok(ExitStatus::Success);
    }
    let format = problem.require_format("draw inputs of")?;
    let figures: Vec<Figure> =
        read_input(format, &bytes).map(|value| figures_of_input(format, &value)).unwrap_or_default();
    if figures.is_empty() {
        return Err(Error::usage_error(format!("nothing in `{}` can be drawn", args.file.display())).with_help(
            "drawn are small boards, tables, arrays, texts, trees and graphs, points, intervals and segments",
        ));
    }
    match &args.svg {
        Some(path) if path == Path::new("-") => session.write_stdout(svg_document(&figures).as_bytes())?,
        Some(path) => write_atomically(path, svg_document(&figures).as_bytes())?,
        None => {
            let pictures: Vec<String> = figures.iter().map(|figure| figure_lines(figure).join("\n") + "\n").collect();
            session.write_stdout_text(&pictures.join("\n"))?;
        }
    }
    Ok(ExitStatus::Success)
}

/// Returns the picture of an input by the visualizer of the package. The answer is the file beside the input, if there is
/// one. Returns `None` without a visualizer.
///
/// # Errors
/// Returns an error if the visualizer draws nothing.
fn draw_by_package(
    problem: &ProblemContext,
    file: &Path,
    input: &[u8],
    session: &mut Session,
) -> Result<Option<FindingImage>> {
    let Some(package) = problem.package.as_ref().filter(|package| package.input_visualizer.is_some()) else {
        return Ok(None);
    };
    let visualizers = compile_visualizers(Some(package), session);
    if visualizers.input.is_none() {
        return Ok(None);
    }
    let answer = file.with_extension("ans");
    let answer = if answer.is_file() { read_file(&answer)? } else { Vec::new() };
    let same_file = |path: &Path| path.canonicalize().ok().zip(file.canonicalize().ok()).is_some_and(|(a, b)| a == b);
    let case = package.test_cases.iter().find(|case| same_file(&case.input));
    let arguments = case.map(|case| case.visualizer_arguments.input.clone()).unwrap_or_default();
    match visualizers.draw_input(input, &answer, &arguments, &session.cancel)?.pop() {
        Some(image) => Ok(Some(image)),
        None => Err(Error::usage_error(format!(
            "the visualizer of `{}` draws nothing for `{}`",
            package.id,
            file.display()
        ))
        .with_help("it writes `testcase.svg`, `testcase.png` or `testcase.jpg` into its working folder")),
    }
}

/// Writes a picture to a file, or to the standard output.
///
/// # Errors
/// Returns an error if the name of the file says that it is another kind of picture.
fn write_image(path: &Path, image: &FindingImage, session: &mut Session) -> Result<()> {
    let extension = image.kind.file_extension();
    if path == Path::new("-") {
        return session.write_stdout(&image.bytes);
    }
    if path.extension().is_some_and(|other| other != extension) {
        return Err(Error::usage_error(format!("the visualizer of the package draws `{extension}` files"))
            .with_help(format!("`--svg {}` is such a file", path.with_extension(extension).display())));
    }
    write_atomically(path, &image.bytes)
}

// `rebut validate`: checks files against a format and its validators.

pub(super) fn run_validate(args: &ValidateArgs, session: &mut Session) -> Result<ExitStatus> {
    let (inputs, files) = split_target_and_files(args);
    if files.is_empty() {
        return Err(Error::usage_error("no file to validate was given").with_help("use `-` for the standard input"));
    }
    let problem = ProblemContext::load_problem(&inputs, None, session)?;
    let validators = problem.compile_validators(&inputs, session)?;
    let mut status = ExitStatus::Success;
    for file in files {
        session.begin_activity("Validating", file.display().to_string());
        let bytes = read_file(&file)?;
        let message = explain_refusal(problem.format.as_ref(), &validators, &file, bytes, session)?;
        if message.is_some() {
            status = ExitStatus::Found;
        }
        session.take_event(&Event::Validated(FileValidated { file, valid: message.is_none(), message }));
    }
    Ok(status)
}

/// Splits the positional arguments: the first is the format file or problem folder, unless the format is given as text.
fn split_target_and_files(args: &ValidateArgs) -> (InputArgs, Vec<PathBuf>) {
    let narrowing = args.narrowing.clone();
    if args.input.is_some() {
        let files = std::iter::once(args.target.clone()).chain(args.files.clone()).collect();
        return (InputArgs { input: args.input.clone(), narrowing, ..InputArgs::default() }, files);
    }
    (InputArgs { narrowing, ..problem_setup::input_args_from_path(&args.target) }, args.files.clone())
}

/// Returns why a file is not a valid input, with the location, or `None` if it is valid.
pub(super) fn explain_refusal(
    format: Option<&Format>,
    validators: &[InputValidator],
    file: &Path,
    bytes: Vec<u8>,
    session: &Session,
) -> Result<Option<DiagnosticText>> {
    let source = SourceText::new(file.display().to_string(), bytes);
    if let Some(format) = format {
        let problem = match read::read_input(format, &source.text) {
            Err(problem) => Some(problem),
            Ok(value) => {
                validate::find_violation(format, &value).map(|v| validate::explain_violation(format, &value, &v))
            }
        };
        // If the check was interrupted, its result is meaningless.
        session.check_interrupted()?;
        if let Some(problem) = problem {
            return Ok(Some(problem.to_styled_text(&source)));
        }
    }
    for validator in validators {
        if let Some(why) = validator.check_input(&source.text, &RunLimits::with_cpu_time_ms(10_000), &session.cancel)? {
            let name = validator.program.display_name();
            return Ok(Some(format!("{}: refused by the validator `{name}`\n{why}\n", source.name).into()));
        }
    }
    Ok(None)
}
