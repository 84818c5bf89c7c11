//! The submissions of a package, and what is expected of them.

use super::dialect::Dialect;
use super::expectation_tags;
use super::model::PackageSubmission;
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use super::programs;
use super::submission_folders;
use super::submissions_yaml::{self, SUBMISSIONS_YAML_FILE};
use crate::score::{ExpectedScore, Scoring};
use crate::verdict::{Expectation, VerdictSet};
use rebut_diagnostics::Result;

/// Maximum size of a source, in bytes. Sources are compiled, kept in memory and hashed.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// Reads the submissions, sorted by name.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub(super) fn read_submissions(
    tree: &PackageTree,
    settings: &ProblemYaml,
    scoring: Option<&Scoring>,
    log: &mut PackageLog,
) -> Result<Vec<PackageSubmission>> {
    let mut found = Vec::new();
    // With `submissions.yaml`, folders mean what they mean in the dialect of that file.
    let dialect = if tree.find_file(SUBMISSIONS_YAML_FILE).is_some() { Dialect::V2025 } else { settings.dialect };
    for folder in tree.children("submissions").iter().filter(|item| item.is_folder) {
        if folder.path == SUBMISSIONS_YAML_FILE {
            log.report_wrong_file_type(SUBMISSIONS_YAML_FILE, true);
        }
        let programs = programs::list_programs(tree, &folder.path);
        let meaning = submission_folders::folder_expectation(&folder.name, dialect);
        programs::note_folders_without_source(tree, &folder.path, "submission", log);
        for item in &programs {
            if programs::is_disabled(item) {
                log.add_note(&item.path, "is skipped: its extension disables it");
                continue;
            }
            check_source_sizes(tree, item, log);
            let (expectation, time_bound) = meaning.unwrap_or((unspecified_expectation(), None));
            let mut submission = PackageSubmission {
                name: format!("{}/{}", folder.name, item.name),
                path: tree.absolute_path(&item.path),
                expectation,
                rules: Vec::new(),
                time_bound,
                expected_score: None,
                language: None,
                entry_point: None,
            };
            if folder.name == "partially_accepted" {
                submission.expected_score = scoring.and_then(Scoring::best_score).map(ExpectedScore::NotBest);
            }
            let has_tags = expectation_tags::read_expectation_tags(tree, item, &mut submission, log)?;
            if meaning.is_some() && has_no_common_verdict(expectation, submission.expectation) {
                let name = shorten_for_message(&folder.name);
                log.add_note(
                    &item.path,
                    &format!("its tag `@EXPECTED_RESULTS@` contradicts the folder `{name}`; the tag counts"),
                );
            }
            if meaning.is_none() && !has_tags && tree.find_file(SUBMISSIONS_YAML_FILE).is_none() {
                log.add_note(
                    &item.path,
                    &format!(
                        "has no expectation: `{}` is not a known folder of submissions",
                        shorten_for_message(&folder.name)
                    ),
                );
            }
            found.push(submission);
        }
    }
    for item in tree.children("submissions").iter().filter(|item| !item.is_folder && item.path != SUBMISSIONS_YAML_FILE)
    {
        if programs::is_program(tree, item) {
            log.add_note(&item.path, "is skipped: move it into a folder such as `accepted` or `wrong_answer`");
        }
    }
    submissions_yaml::read_submissions_yaml(tree, settings, &mut found, log)?;
    if !found.iter().any(|s| s.expectation.is_accepted()) && !found.is_empty() {
        log.add_note("submissions", "no submission is expected to be accepted");
    }
    Ok(found)
}

/// Rejects sources larger than any contest accepts before a compiler sees them.
fn check_source_sizes(tree: &PackageTree, item: &PackageEntry, log: &mut PackageLog) {
    let files = if item.is_folder { tree.files_below(&item.path) } else { vec![item] };
    for file in files.into_iter().filter(|file| file.bytes > MAX_SOURCE_BYTES) {
        log.report_error(file.path.as_str(), format!("{} bytes is too large for a submission", file.bytes));
    }
}

/// Returns true if no verdict that a folder is for is one that a tag names.
fn has_no_common_verdict(folder: Expectation, tag: Expectation) -> bool {
    let meant = if folder.is_accepted() { folder.permitted } else { folder.required };
    !meant.is_empty() && meant.intersection(tag.permitted).is_empty()
}

/// Without an expectation, any verdict is permitted.
fn unspecified_expectation() -> Expectation {
    Expectation { required: VerdictSet::NONE, ..Expectation::for_whole_set(VerdictSet::ANY) }
}
