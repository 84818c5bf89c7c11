//! `rebut validate`: files against a format and its validators.

use super::args::{InputArgs, Validate};
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem};
use crate::campaign::{Event, Sink, Validated, Validator};
use crate::corpus::read_file;
use crate::diagnostic::{Error, Result, Source};
use crate::format::Format;
use crate::run::Limits;
use crate::{read, validate};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &Validate, desk: &mut Desk) -> Result<Status> {
    let (inputs, files) = sort_out(args);
    if files.is_empty() {
        return Err(Error::usage("no file to validate is named").with_help("`-` is the standard input"));
    }
    let problem = Problem::load(&inputs, None, desk)?;
    let validators = setup::validators(&inputs, &problem, desk)?;
    let mut status = Status::Fine;
    for file in files {
        desk.begin("Validating", file.display().to_string());
        let bytes = read_file(&file)?;
        let message = refusal(problem.format.as_ref(), &validators, &file, bytes, desk)?;
        if message.is_some() {
            status = Status::Found;
        }
        desk.take(&Event::Validated(Validated { file, valid: message.is_none(), message }));
    }
    Ok(status)
}

/// The first argument is the format's file or the problem's folder, unless the format is given as text.
fn sort_out(args: &Validate) -> (InputArgs, Vec<PathBuf>) {
    let narrowing = args.narrowing.clone();
    if args.input.is_some() {
        let files = std::iter::once(args.target.clone()).chain(args.files.clone()).collect();
        return (InputArgs { input: args.input.clone(), narrowing, ..InputArgs::default() }, files);
    }
    (InputArgs { narrowing, ..setup::target(&args.target) }, args.files.clone())
}

/// Why a file is no valid input, with its place; none if it is one.
pub(super) fn refusal(
    format: Option<&Format>,
    validators: &[Validator],
    file: &Path,
    bytes: Vec<u8>,
    desk: &Desk,
) -> Result<Option<String>> {
    let source = Source::new(file.display().to_string(), bytes);
    if let Some(format) = format {
        let problem = match read::read(format, &source.text) {
            Err(problem) => Some(problem),
            Ok(value) => validate::violation(format, &value).map(|v| validate::explain(format, &value, &v)),
        };
        // What was stopped says nothing of the file.
        desk.check_interrupted()?;
        if let Some(problem) = problem {
            return Ok(Some(problem.render(&source)));
        }
    }
    for validator in validators {
        if let Some(why) = validator.refuses(&source.text, &Limits::with_cpu_time_ms(10_000), &desk.cancel)? {
            let name = validator.program.display_name();
            return Ok(Some(format!("{}: the validator `{name}` refuses it\n{why}\n", source.name)));
        }
    }
    Ok(None)
}
