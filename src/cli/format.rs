//! `rebut format`: what can be done with a format itself.

use super::args::{Explain, FormatCommand, FormatDescribe, FormatFmt, FromCtd};
use super::desk::Desk;
use super::exit::Status;
use super::setup::Problem;
use crate::corpus::{read_description, write_file};
use crate::ctd;
use crate::describe::{Markup, describe as description};
use crate::diagnostic::{Error, Result, Source};
use crate::explain::{self, Effort};
use crate::format::formatted;
use std::path::Path;

pub(super) fn run(command: &FormatCommand, desk: &mut Desk) -> Result<Status> {
    match command {
        FormatCommand::Describe(args) => describe(args, desk),
        FormatCommand::Explain(args) => explain(args, desk),
        FormatCommand::Fmt(args) => fmt(args, desk),
        FormatCommand::FromCtd(args) => from_ctd(args, desk),
    }
}

/// `rebut format from-ctd`: a checktestdata script as a format. A script of which something is lost is an expectation
/// unmet: what is printed is of use, but whoever calls this in a script of their own has to know.
fn from_ctd(args: &FromCtd, desk: &mut Desk) -> Result<Status> {
    let source = Source::new(args.file.display().to_string(), read_description(&args.file)?);
    match ctd::convert(&source) {
        Ok(found) => {
            if !found.warnings.is_empty() {
                desk.show(&found.warnings, &source);
            }
            desk.data(found.text.as_bytes())?;
            Ok(if found.exact { Status::Fine } else { Status::Found })
        }
        Err(problems) => {
            desk.show(&problems, &source);
            // The diagnostics have said it all.
            Err(Error::usage(""))
        }
    }
}

/// `rebut format explain`: what a format was understood to mean.
fn explain(args: &Explain, desk: &mut Desk) -> Result<Status> {
    let problem = Problem::load(&args.format.given(), None, desk)?;
    let format = problem.format_to("explain")?;
    desk.begin("Measuring", &format.source.name);
    let text = explain::explain(format, Effort { seed: args.seed, ..Effort::default() });
    desk.check_interrupted()?;
    desk.data(text.as_bytes())?;
    Ok(Status::Fine)
}

/// The statement's Input and Constraints sections.
fn describe(args: &FormatDescribe, desk: &mut Desk) -> Result<Status> {
    let problem = Problem::load(&args.format.given(), None, desk)?;
    let format = problem.format_to("describe")?;
    let markup = if args.latex { Markup::Latex } else { Markup::Markdown };
    desk.data(description(format, markup).as_bytes())?;
    Ok(Status::Fine)
}

/// Formats in their normal form. A file that cannot be read as a format does not keep the others from theirs.
fn fmt(args: &FormatFmt, desk: &mut Desk) -> Result<Status> {
    let mut status = Status::Fine;
    for path in &args.files {
        let source = Source::new(path.display().to_string(), read_description(path)?);
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
                desk.text(&source.name)?;
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
