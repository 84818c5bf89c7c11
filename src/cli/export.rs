//! `rebut export`: a package of ours as other judges read it.

use super::args::{Export, ExportAs};
use super::desk::Desk;
use super::exit::Status;
use super::setup::Problem;
use crate::campaign::{Event, Sink, Warning};
use crate::corpus::{Bundle, Package, write_whole};
use crate::diagnostic::{Error, Result, numbered};
use crate::exchange::{self, Kind};

pub(super) fn run(args: &Export, desk: &mut Desk) -> Result<Status> {
    let problem = Problem::of_package(&args.problem, desk)?;
    let mut package = problem.package()?.clone();
    let mut files = Bundle::read(&package.folder)?;
    gather(&mut package, &mut files)?;
    let kind = match args.dialect {
        ExportAs::Legacy => Kind::Legacy,
        ExportAs::V2025 => Kind::V2025,
        ExportAs::Domjudge => Kind::Domjudge,
    };
    let wrong = |flaw: exchange::Flaw| flaw.into_error(&args.problem);
    desk.begin("Exporting", &package.id);
    let source = exchange::ExportSource { package: &package, files: &files, format: problem.format.as_ref() };
    let made = exchange::export(&source, kind).map_err(wrong)?;
    desk.check_interrupted()?;
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
    desk.text(&format!("exported {}: {files} in {}", package.id, args.out.display()))?;
    Ok(Status::Fine)
}

/// Where programs lie that are other ones than in the package: with its constants in them, or with further files.
const COPIES: &str = ".copies";

/// Puts such programs among the files of the package, for only these are exported.
fn gather(package: &mut Package, files: &mut Bundle) -> Result<()> {
    let root = package.folder.clone();
    for path in package.programs_mut().filter(|path| !path.starts_with(&root)) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let place = format!("{COPIES}/{}", folder.file_name().unwrap_or_default().display());
        if files.below(&place).next().is_none() {
            for (below, bytes) in Bundle::read(folder)?.iter() {
                let inserted = files.insert(&format!("{place}/{below}"), bytes.to_owned());
                inserted.map_err(|words| Error::usage(format!("`{}`: {words}", folder.display())))?;
            }
        }
        *path = root.join(&place).join(name);
    }
    Ok(())
}
