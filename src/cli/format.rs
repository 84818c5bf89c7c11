//! `rebut format`: what follows from a format as a text.

use super::args::{FormatCommand, FormatDescribe, FormatFmt, InputArgs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::Problem;
use super::validate;
use crate::corpus::{read_file, write_file};
use crate::describe::{Markup, describe as description};
use crate::diagnostic::{Error, Result, Source};
use crate::format::formatted;
use std::path::Path;

pub(super) fn run(command: &FormatCommand, desk: &mut Desk) -> Result<Status> {
    match command {
        FormatCommand::Describe(args) => describe(args, desk),
        FormatCommand::Fmt(args) => fmt(args, desk),
    }
}

/// The statement's Input and Constraints sections.
fn describe(args: &FormatDescribe, desk: &mut Desk) -> Result<Status> {
    let from = args.target.as_deref().map(validate::target).unwrap_or_default();
    let given = InputArgs { input: args.input.clone(), narrowing: args.narrowing.clone(), ..from };
    let problem = Problem::load(&given, None, desk)?;
    let Some(format) = &problem.format else {
        return Err(Error::usage("the problem has no `input.format` to describe"));
    };
    let markup = if args.latex { Markup::Latex } else { Markup::Markdown };
    desk.data(description(format, markup).as_bytes())?;
    Ok(Status::Fine)
}

/// Formats in their normal form. A file that cannot be read as a format does not keep the others from theirs.
fn fmt(args: &FormatFmt, desk: &mut Desk) -> Result<Status> {
    let mut status = Status::Fine;
    for path in &args.files {
        let source = Source::new(path.display().to_string(), read_file(path)?);
        let text = match formatted(&source) {
            Ok(text) => text,
            Err(problems) => {
                desk.show(&problems, &source);
                status = Status::Usage;
                continue;
            }
        };
        let same = text.as_bytes() == source.text;
        if args.check {
            if !same {
                desk.data(format!("{}\n", source.name).as_bytes())?;
                status = status.max(Status::Found);
            }
        } else if args.stdout || path == Path::new("-") {
            desk.data(text.as_bytes())?;
        } else if !same {
            write_file(path, text.as_bytes())?;
        }
    }
    Ok(status)
}
