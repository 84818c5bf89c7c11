//! `rebut import`: converts a package of another system.

use super::args::ImportArgs;
use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::{Result, count_with_noun};
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_packages::interop::{self, ImportedPackage};
use rebut_packages::{Bundle, read_file};
use std::path::{Path, PathBuf};

/// Number of parent folders searched for headers shared by all problems of a repository.
const MAX_PARENT_FOLDERS: usize = 4;

pub(super) fn run_import(args: &ImportArgs, session: &mut Session) -> Result<ExitStatus> {
    session.begin_activity("Importing", args.source.display().to_string());
    let wrong = |flaw: interop::InteropError| flaw.into_error(&args.source);
    let source = if args.source.is_dir() {
        Bundle::read_folder(&args.source)?
    } else {
        interop::unpack_archive(&read_file(&args.source)?).map_err(wrong)?
    };
    let common = match find_common_folder(&args.source).filter(|_| interop::needs_common_headers(&source)) {
        Some(folder) => Bundle::read_folder(&folder)?,
        None => Bundle::default(),
    };
    let id = args.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let imported = interop::import_package(&source, &common, &id).map_err(wrong)?;
    session.check_interrupted()?;
    imported.contents.files.write_folder(&args.folder)?;
    for note in &imported.contents.notes {
        session.take_event(&Event::Warning(WarningEvent { message: note.clone(), help: None }));
    }
    session.write_stdout_text(&import_summary(&imported, &args.folder))?;
    Ok(ExitStatus::Success)
}

/// Returns the shared header folder of the repository that contains a problem.
fn find_common_folder(problem: &Path) -> Option<PathBuf> {
    let problem = std::path::absolute(problem).ok()?;
    let above = problem.ancestors().skip(1).take(MAX_PARENT_FOLDERS);
    above.map(|folder| folder.join("common")).find(|folder| folder.join("testlib.h").is_file())
}

fn import_summary(imported: &ImportedPackage, folder: &Path) -> String {
    let (tests, submissions) =
        (count_with_noun(imported.tests, "test case"), count_with_noun(imported.submissions, "submission"));
    let next = if imported.needs_build { "build" } else { "verify" };
    let folder = folder.display();
    format!("imported {}: {tests}, {submissions}\nnext: rebut {next} {folder}\n", imported.title)
}
