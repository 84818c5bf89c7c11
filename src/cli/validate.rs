//! `rebut validate`: checks files against a format and its validators.

use super::args::{InputArgs, ValidateArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use rebut_diagnostics::{DiagnosticText, Error, Result, SourceText};
use rebut_engine::InputValidator;
use rebut_engine::event::{Event, EventSink, FileValidated};
use rebut_format::language::Format;
use rebut_format::{read, validate};
use rebut_packages::read_file;
use rebut_sandbox::RunLimits;
use std::path::{Path, PathBuf};

pub(super) fn run_validate(args: &ValidateArgs, session: &mut Session) -> Result<ExitStatus> {
    let (inputs, files) = split_target_and_files(args);
    if files.is_empty() {
        return Err(Error::usage_error("no file to validate was given").with_help("use `-` for the standard input"));
    }
    let problem = ProblemContext::load_problem(&inputs, None, session)?;
    let validators = problem_setup::compile_validators(&inputs, &problem, session)?;
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
