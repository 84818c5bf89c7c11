//! `rebut show`: draws an input according to its format.

use super::args::ShowArgs;
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::validate::explain_refusal;
use crate::report::svg_document;
use rebut_diagnostics::{Error, Result};
use rebut_format::picture::{Figure, figure_lines, figures_of_input};
use rebut_format::read::read_input;
use rebut_packages::{read_file, write_atomically};
use std::path::Path;

pub(super) fn run_show(args: &ShowArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::load_problem(&problem_setup::input_args_from_path(&args.target), None, session)?;
    let format = problem.require_format("draw inputs of")?;
    let bytes = read_file(&args.file)?;
    if let Some(why) = explain_refusal(Some(format), &[], &args.file, bytes.clone(), session)? {
        return Err(Error::usage_error(format!("`{}` is not a valid input", args.file.display())).with_note(why));
    }
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
