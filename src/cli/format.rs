//! `rebut format`: what can be done with a format itself.

use super::args::{FormatCommand, FromCtd};
use super::desk::Desk;
use super::exit::Status;
use crate::corpus::read_file;
use crate::ctd;
use crate::diagnostic::{Error, Result, Source};

pub(super) fn run(command: &FormatCommand, desk: &mut Desk) -> Result<Status> {
    match command {
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
