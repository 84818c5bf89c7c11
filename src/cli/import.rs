//! `rebut import`: a package of another system becomes one of ours.

use super::args::Import;
use super::desk::Desk;
use super::exit::Status;
use crate::campaign::{Event, Sink, Warning};
use crate::corpus::{Bundle, read_file};
use crate::diagnostic::{Result, numbered};
use crate::exchange::{self, Imported};
use std::path::{Path, PathBuf};

/// So many folders above a problem are looked into for the headers that all problems share.
const MOST_ABOVE: usize = 4;

pub(super) fn run(args: &Import, desk: &mut Desk) -> Result<Status> {
    desk.begin("Importing", args.source.display().to_string());
    let wrong = |flaw: exchange::Flaw| flaw.into_error(&args.source);
    let source = if args.source.is_dir() {
        Bundle::read(&args.source)?
    } else {
        exchange::unpack(&read_file(&args.source)?).map_err(wrong)?
    };
    let common = match common(&args.source).filter(|_| exchange::wants_common(&source)) {
        Some(folder) => Bundle::read(&folder)?,
        None => Bundle::default(),
    };
    let id = args.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let made = exchange::import(&source, &common, &id).map_err(wrong)?;
    desk.check_interrupted()?;
    made.files.write(&args.folder)?;
    for note in &made.notes {
        desk.take(&Event::Warning(Warning { message: note.clone(), help: None }));
    }
    desk.text(&told(&made, &args.folder))?;
    Ok(Status::Fine)
}

/// The folder of headers that a repository of problems has, above one of them.
fn common(problem: &Path) -> Option<PathBuf> {
    let problem = std::path::absolute(problem).ok()?;
    let above = problem.ancestors().skip(1).take(MOST_ABOVE);
    above.map(|folder| folder.join("common")).find(|folder| folder.join("testlib.h").is_file())
}

fn told(made: &Imported, folder: &Path) -> String {
    let (tests, submissions) = (numbered(made.tests, "test case"), numbered(made.submissions, "submission"));
    let next = if made.needs_build { "build" } else { "verify" };
    let folder = folder.display();
    format!("imported {}: {tests}, {submissions}\nnext: rebut {next} {folder}\n", made.title)
}
