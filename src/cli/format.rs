//! `rebut format`: what can be done with a format itself.

use super::args::{Explain, FormatCommand, FromCtd, InputArgs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::Problem;
use super::validate;
use crate::corpus::read_file;
use crate::ctd;
use crate::diagnostic::{Error, Result, Source};
use crate::explain::{self, Effort};

pub(super) fn run(command: &FormatCommand, desk: &mut Desk) -> Result<Status> {
    match command {
        FormatCommand::Explain(args) => explain(args, desk),
        FormatCommand::FromCtd(args) => from_ctd(args, desk),
    }
}

/// `rebut format from-ctd`: a checktestdata script as a format. A script of which something is lost is an expectation
/// unmet: what is printed is of use, but whoever calls this in a script of their own has to know.
fn from_ctd(args: &FromCtd, desk: &mut Desk) -> Result<Status> {
    let source = Source::new(args.file.display().to_string(), read_file(&args.file)?);
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
    let from = args.target.as_deref().map(validate::target).unwrap_or_default();
    let given = InputArgs { input: args.input.clone(), narrowing: args.narrowing.clone(), ..from };
    let problem = Problem::load(&given, None, desk)?;
    let Some(format) = &problem.format else {
        return Err(Error::usage("the problem has no `input.format` to explain"));
    };
    desk.data(explain::explain(format, Effort { seed: args.seed, ..Effort::default() }).as_bytes())?;
    Ok(Status::Fine)
}
