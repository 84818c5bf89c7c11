//! `rebut export`: converts a package for other judge systems.

use super::args::{ExportArgs, ExportAsArg};
use super::exit_status::ExitStatus;
use super::problem_setup::ProblemContext;
use super::session::Session;
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_packages::interop::{self, ExportFormat};
use rebut_packages::{Bundle, Package, write_atomically};

pub(super) fn run_export(args: &ExportArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let mut package = problem.require_package()?.clone();
    let mut files = Bundle::read_folder(&package.folder)?;
    gather_outside_programs(&mut package, &mut files)?;
    let kind = match args.dialect {
        ExportAsArg::Legacy => ExportFormat::Legacy,
        ExportAsArg::V2025 => ExportFormat::V2025,
        ExportAsArg::Domjudge => ExportFormat::Domjudge,
    };
    let wrong = |flaw: interop::InteropError| flaw.into_error(&args.problem);
    session.begin_activity("Exporting", &package.id);
    let source = interop::ExportSource { package: &package, files: &files, format: problem.format.as_ref() };
    let exported = interop::export_package(&source, kind).map_err(wrong)?;
    session.check_interrupted()?;
    if args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        if args.out.exists() {
            return Err(Error::usage_error(format!("`{}` already exists", args.out.display())));
        }
        write_atomically(&args.out, &interop::pack_archive(&exported.files).map_err(wrong)?)?;
    } else {
        exported.files.write_folder(&args.out)?;
    }
    for note in &exported.notes {
        session.take_event(&Event::Warning(WarningEvent { message: note.clone(), help: None }));
    }
    let files = count_with_noun(exported.files.len(), "file");
    session.write_stdout_text(&format!("exported {}: {files} in {}", package.id, args.out.display()))?;
    Ok(ExitStatus::Success)
}

/// Folder for programs that lie outside the package: copies with constants filled in or with included files.
const COPIES_FOLDER: &str = ".copies";

/// Adds programs outside the package folder to its files, since only these are exported.
fn gather_outside_programs(package: &mut Package, files: &mut Bundle) -> Result<()> {
    let root = package.folder.clone();
    for path in package.programs_mut().filter(|path| !path.starts_with(&root)) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let place = format!("{COPIES_FOLDER}/{}", folder.file_name().unwrap_or_default().display());
        if files.files_below(&place).next().is_none() {
            for (below, bytes) in Bundle::read_folder(folder)?.iter() {
                let inserted = files.insert(&format!("{place}/{below}"), bytes.to_owned());
                inserted.map_err(|words| Error::usage_error(format!("`{}`: {words}", folder.display())))?;
            }
        }
        *path = root.join(&place).join(name);
    }
    Ok(())
}
