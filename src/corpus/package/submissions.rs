//! Everything in `submissions/`, and what is expected of it.

use super::folders;
use super::log::{Log, shown};
use super::model::{Dialect, Submission};
use super::programs;
use super::rules;
use super::settings::Settings;
use super::tags;
use super::tree::{Item, Tree};
use crate::diagnostic::Result;
use crate::score::{Scale, Wanted};
use crate::verdict::{Expectation, Verdicts};

/// What the file that speaks of submissions is called.
pub(super) const FILE: &str = "submissions/submissions.yaml";

/// The largest file of a submission, in bytes: it is compiled, run from memory and hashed.
const LARGEST_SOURCE: u64 = 64 << 20;

/// Reads them, sorted by name.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read(tree: &Tree, settings: &Settings, scale: Option<&Scale>, log: &mut Log) -> Result<Vec<Submission>> {
    let mut found = Vec::new();
    // A package with that file is meant as the file's dialect means folders, whatever it calls itself.
    let dialect = if tree.file(FILE).is_some() { Dialect::V2025 } else { settings.dialect };
    for folder in tree.children("submissions").iter().filter(|item| item.is_folder) {
        if folder.path == FILE {
            log.mistaken(FILE, true);
        }
        let programs = programs::programs(tree, &folder.path);
        let meaning = folders::meaning(&folder.name, dialect);
        programs::note_empty(tree, &folder.path, "submission", log);
        for item in &programs {
            if programs::is_switched_off(item) {
                log.note(&item.path, "is left out: by its ending it is switched off");
                continue;
            }
            check_size(tree, item, log);
            let (expectation, times) = meaning.unwrap_or((unsaid(), None));
            let mut submission = Submission {
                name: format!("{}/{}", folder.name, item.name),
                path: tree.path(&item.path),
                expectation,
                rules: Vec::new(),
                times,
                score: None,
                language: None,
                entry_point: None,
            };
            if folder.name == "partially_accepted" {
                submission.score = scale.and_then(Scale::best).map(Wanted::NotBest);
            }
            let is_said = tags::read(tree, item, &mut submission, log)?;
            if meaning.is_none() && !is_said && tree.file(FILE).is_none() {
                log.note(
                    &item.path,
                    &format!(
                        "nothing says what is expected of it: `{}` is no folder that rebut knows",
                        shown(&folder.name)
                    ),
                );
            }
            found.push(submission);
        }
    }
    for item in tree.children("submissions").iter().filter(|item| !item.is_folder && item.path != FILE) {
        if programs::is_program(tree, item) {
            log.note(&item.path, "is not read: submissions lie in folders that say what is expected of them");
        }
    }
    rules::read(tree, settings, &mut found, log)?;
    if !found.iter().any(|s| s.expectation.is_accepted()) && !found.is_empty() {
        log.note("submissions", "none of them has to be accepted");
    }
    Ok(found)
}

/// Compilers are not shown what no contest takes.
fn check_size(tree: &Tree, item: &Item, log: &mut Log) {
    let files = if item.is_folder { tree.files_below(&item.path) } else { vec![item] };
    for file in files.into_iter().filter(|file| file.bytes > LARGEST_SOURCE) {
        log.error(file.path.as_str(), format!("{} bytes are too many for a submission", file.bytes));
    }
}

/// Where nothing is said, anything may happen.
fn unsaid() -> Expectation {
    Expectation { required: Verdicts::NONE, ..Expectation::whole(Verdicts::ANY) }
}
