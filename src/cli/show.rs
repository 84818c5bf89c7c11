//! `rebut show`: draws an input according to its format, or by the visualizer of its package.

use super::args::ShowArgs;
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::validate::explain_refusal;
use super::visualizers::compile_visualizers;
use crate::report::svg_document;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::FindingImage;
use rebut_format::picture::{Figure, figure_lines, figures_of_input};
use rebut_format::read::read_input;
use rebut_packages::{read_file, write_atomically};
use std::path::Path;

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
