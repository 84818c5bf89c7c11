//! `rebut export`: a package of ours as other judges read it.

use super::args::{Export, ExportAs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::Problem;
use crate::campaign::{Event, Sink, Warning};
use crate::corpus::{Bundle, write_whole};
use crate::diagnostic::{Error, Result, numbered};
use crate::exchange::{self, Kind};

pub(super) fn run(args: &Export, desk: &mut Desk) -> Result<Status> {
    let problem = Problem::of_package(&args.problem, desk)?;
    let package = problem.package()?;
    let files = Bundle::read(&package.folder)?;
    let kind = match args.dialect {
        ExportAs::Legacy => Kind::Legacy,
        ExportAs::V2025 => Kind::V2025,
        ExportAs::Domjudge => Kind::Domjudge,
    };
    let wrong = |flaw: exchange::Flaw| flaw.into_error(&args.problem);
    let source = exchange::ExportSource { package, files: &files, format: problem.format.as_ref() };
    let made = exchange::export(&source, kind).map_err(wrong)?;
    if args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        if args.out.exists() {
            return Err(Error::usage(format!("`{}` is there already", args.out.display())));
        }
        write_whole(&args.out, &exchange::pack(&made.files).map_err(wrong)?)?;
    } else {
        made.files.write(&args.out)?;
    }
    for note in &made.notes {
        desk.take(&Event::Warning(Warning { message: note.clone(), help: None }));
    }
    let files = numbered(made.files.len(), "file");
    desk.data(format!("exported {}: {files} in {}\n", package.id, args.out.display()).as_bytes())?;
    Ok(Status::Fine)
}
