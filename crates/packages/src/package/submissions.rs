//! The submissions of a package, and what is expected of them.

use super::dialect::Dialect;
use super::model::{Package, PackageSubmission, TimeBound};
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use super::program_copies::language_code;
use super::programs;
use super::submissions_yaml::{self, CRASH_VERDICTS, SUBMISSIONS_YAML_FILE, WRONG_VERDICTS};
use crate::score::{ExpectedScore, Scoring};
use crate::verdict::{Expectation, Verdict, VerdictSet};
use rebut_checkers::Checker;
use rebut_diagnostics::{Error, Result, suggest_name, suggestion_text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of submissions that are distinguished by their points.
pub(crate) const PARTIAL_FOLDER: &str = "partially_accepted";

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
        let meaning = submissions_yaml::folder_expectation(&folder.name, dialect);
        programs::note_folders_without_source(tree, &folder.path, "submission", log);
        for item in &programs {
            if programs::is_disabled(item) {
                log.add_note(&item.path, "is skipped: its extension disables it");
                continue;
            }
            check_source_sizes(tree, item, log);
            let (expectation, time_bound) = meaning.unwrap_or((unspecified_expectation(), None));
            let (name, path) = (format!("{}/{}", folder.name, item.name), tree.absolute_path(&item.path));
            let mut submission = PackageSubmission::new(name, path, expectation, time_bound);
            if folder.name == PARTIAL_FOLDER {
                submission.expected_score = scoring.and_then(Scoring::best_score).map(ExpectedScore::NotBest);
            }
            let has_tags = read_expectation_tags(tree, item, &mut submission, log)?;
            if meaning.is_some() && has_no_common_verdict(expectation, submission.expectation) {
                let name = shorten_for_message(&folder.name);
                log.add_note(
                    &item.path,
                    &format!("its tag `@EXPECTED_RESULTS@` contradicts the folder `{name}`; the tag counts"),
                );
            }
            let is_unstated = submission.expectation.is_open() && submission.expected_score.is_none() && !has_tags;
            if is_unstated && tree.find_file(SUBMISSIONS_YAML_FILE).is_none() {
                let what = if meaning.is_some() { "states none" } else { "is not a known folder of submissions" };
                let name = shorten_for_message(&folder.name);
                log.add_note(&item.path, &format!("has no expectation: `{name}` {what}"));
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

// Lookup of submissions by the names that users give, and choice of the reference.

impl Package {
    /// Returns the submissions that answers can be taken from, best first. Of the accepted ones these are
    /// `reference`, then `fast`, then the others by the usual speed of their language, and by name.
    pub fn reference_candidates(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.accepted_submissions().map(|s| s.path.clone()).collect();
        paths.sort_by_key(|path| reference_rank(path));
        paths
    }

    /// Returns the source in the package that a submission was copied from to be compiled, which can be the same.
    pub fn own_source(&self, copy: &Path) -> Option<PathBuf> {
        let found = self.submissions.iter().find(|submission| submission.path == copy)?;
        Some(self.folder.join("submissions").join(&found.name))
    }

    /// Returns the entry points that the package states, by the paths of the submissions. A single file has one in Java
    /// only: it can have several classes.
    pub fn entry_points(&self) -> BTreeMap<PathBuf, String> {
        let is_choice = |submission: &&PackageSubmission| {
            let own = self.folder.join("submissions").join(&submission.name);
            own.is_dir() || language_code(&own) == Some("java")
        };
        let choices = self.submissions.iter().filter(is_choice);
        choices.filter_map(|submission| Some((submission.path.clone(), submission.entry_point.clone()?))).collect()
    }

    /// Returns the checker for other arguments: test groups and test cases can have their own.
    ///
    /// # Errors
    ///
    /// Returns an error if the package has a custom output validator or unknown flags.
    pub fn checker_for_arguments(&self, arguments: &[String]) -> Result<Checker> {
        let folder = self.folder.display();
        if self.output_validator.is_custom {
            return Err(Error::usage_error(format!("`{folder}` has a custom output validator"))
                .with_help("choose a checker with `--checker`"));
        }
        super::programs::checker_from_arguments(arguments)
            .map_err(|text| Error::usage_error(format!("`{folder}`: {text}")))
    }
}

/// Ranks a submission as the reference, by its name and language alone; lower is better.
pub fn reference_rank(path: &Path) -> usize {
    /// Language codes, usually faster ones first.
    const LANGUAGES_BY_SPEED: [&[&str]; 4] =
        [&["c", "cpp", "rust", "go"], &["java", "kotlin"], &["javascript"], &["python3"]];
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("reference") => return 0,
        Some("fast") => return 1,
        _ => {}
    }
    let files = if path.is_dir() { crate::list_files(path) } else { vec![path.to_owned()] };
    let code = files.iter().find_map(|file| language_code(file));
    let speed = code.and_then(|code| LANGUAGES_BY_SPEED.iter().position(|codes| codes.contains(&code)));
    2 + speed.unwrap_or(LANGUAGES_BY_SPEED.len())
}

/// Returns the submission that a user means: a path, a name in the package, or an unambiguous prefix of one.
///
/// # Errors
///
/// Returns an error if nothing matches, with a suggestion: the nearest name, or the names that start with the prefix.
pub fn find_submission(name: &Path, package: Option<&Package>) -> Result<PathBuf> {
    let known = package.map_or(&[][..], |p| &p.submissions);
    if name.exists() {
        // The named file may have been copied to substitute constants; the copy is what is run.
        let own = |s: &&PackageSubmission| {
            package.is_some_and(|p| is_same_file(&p.folder.join("submissions").join(&s.name), name))
        };
        return Ok(known.iter().find(own).map_or_else(|| name.to_owned(), |found| found.path.clone()));
    }
    let file_name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let wanted = name.to_string_lossy();
    let matches = |s: &&PackageSubmission| {
        s.path.ends_with(name) || s.path.file_stem().is_some_and(|s| s.to_string_lossy() == wanted)
    };
    if let Some(found) = known.iter().find(matches) {
        return Ok(found.path.clone());
    }
    let names: Vec<String> = known.iter().map(|s| file_name(&s.path)).collect();
    let with_prefix: Vec<usize> =
        (0..names.len()).filter(|at| !wanted.is_empty() && names[*at].starts_with(&*wanted)).collect();
    if let [only] = with_prefix[..] {
        return Ok(known[only].path.clone());
    }
    let error = match std::fs::read_link(name) {
        Ok(target) => format!("`{}` is a link to `{}`, which is not there", name.display(), target.display()),
        Err(_) => format!("there is no file `{}`", name.display()),
    };
    let error = Error::usage_error(error);
    if !with_prefix.is_empty() {
        let shown: Vec<String> =
            with_prefix.iter().take(MAX_SUGGESTIONS).map(|at| format!("`{}`", names[*at])).collect();
        let more = if with_prefix.len() > MAX_SUGGESTIONS { ", ..." } else { "" };
        return Err(error.with_help(format!(
            "{} submissions start with this name: {}{more}",
            with_prefix.len(),
            shown.join(", ")
        )));
    }
    Err(match suggest_submission(name, &names) {
        Some(near) => error.with_help(suggestion_text(&near)),
        None => error,
    })
}

/// Suggests a file for an unknown name: the file of a command such as `python3 a.py`, or the nearest of the known
/// names and the files in the same folder.
fn suggest_submission(name: &Path, known: &[String]) -> Option<String> {
    let wanted = name.to_string_lossy();
    let file = wanted.split_whitespace().last().filter(|word| *word != wanted && Path::new(word).is_file());
    if let Some(file) = file {
        return Some(file.to_owned());
    }
    let folder = name.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let siblings = std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_file());
    let siblings: Vec<String> =
        siblings.map(|entry| name.with_file_name(entry.file_name()).to_string_lossy().into_owned()).collect();
    suggest_name(&wanted, known.iter().chain(&siblings).map(String::as_str)).map(str::to_owned)
}

/// Maximum number of names listed in a message.
const MAX_SUGGESTIONS: usize = 5;

fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

// `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT` in the sources of a submission: the results that DOMjudge expects.

const EXPECTED_RESULTS_TAG: &str = "@EXPECTED_RESULTS@:";

const EXPECTED_SCORE_TAG: &str = "@EXPECTED_SCORE@:";

/// Maximum size of a source that is searched, in bytes.
const MAX_TAGGED_SOURCE_BYTES: u64 = 1 << 20;

/// Applies the tags in the sources of a submission. Returns true if there are any.
///
/// # Errors
///
/// Returns an error if a source cannot be read.
pub(super) fn read_expectation_tags(
    tree: &PackageTree,
    item: &PackageEntry,
    submission: &mut PackageSubmission,
    log: &mut PackageLog,
) -> Result<bool> {
    let files = if item.is_folder { tree.files_below(&item.path) } else { vec![item] };
    let mut seen: Option<&str> = None;
    for file in files.into_iter().filter(|file| file.bytes <= MAX_TAGGED_SOURCE_BYTES) {
        let bytes = crate::read_file(&tree.absolute_path(&file.path))?;
        let text = String::from_utf8_lossy(&bytes);
        for (line, tag, value) in find_tags(&text) {
            let location = format!("{}:{line}", file.path);
            match seen {
                Some(other) if other == tag => {
                    log.add_note(&location, &format!("`{tag}` appears in this submission twice; the first one counts"));
                }
                _ => apply_tag(tag, value, &location, submission, log),
            }
            seen = Some(tag);
        }
    }
    Ok(seen.is_some())
}

/// Returns the tags in a text, each with its line number and the rest of the line.
fn find_tags(text: &str) -> Vec<(usize, &'static str, &str)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let upper = line.to_ascii_uppercase();
        for tag in [EXPECTED_RESULTS_TAG, EXPECTED_SCORE_TAG] {
            if let Some(at) = upper.find(tag) {
                found.push((number, tag, line[at + tag.len()..].trim()));
            }
        }
    }
    found
}

fn apply_tag(tag: &str, value: &str, location: &str, submission: &mut PackageSubmission, log: &mut PackageLog) {
    // Ignore the end of a comment on the same line.
    let value = value.trim_end_matches("*/").trim_end_matches("-->").trim();
    if let (true, Ok(score)) = (tag == EXPECTED_SCORE_TAG, value.parse::<f64>()) {
        submission.expected_score = Some(ExpectedScore::Within(score, score));
        return;
    }
    let mut verdicts = VerdictSet::NONE;
    for word in value.split(',').map(str::trim) {
        match parse_result_name(word) {
            Some(found) => verdicts = verdicts.union(found),
            None => log.add_note(
                location,
                &format!("`{tag}` names an unknown result, which is ignored: `{}`", shorten_for_message(word)),
            ),
        }
    }
    if verdicts.is_empty() {
        return;
    }
    submission.expectation = Expectation::for_whole_set(verdicts);
    if verdicts == VerdictSet::from_verdicts(&[Verdict::Accepted]) {
        submission.expectation = Expectation::ACCEPTED;
        submission.time_bound = Some(TimeBound::Lower);
    } else if verdicts == VerdictSet::from_verdicts(&[Verdict::TimeLimit]) {
        submission.time_bound = Some(TimeBound::Upper);
    } else {
        submission.time_bound = None;
    }
}

/// Parses the name of a result, in every spelling that judges have used.
fn parse_result_name(word: &str) -> Option<VerdictSet> {
    let name = word.to_ascii_uppercase().replace(['_', ' '], "-");
    Some(match name.as_str() {
        "CORRECT" | "ACCEPTED" | "AC" => VerdictSet::from_verdicts(&[Verdict::Accepted]),
        "WRONG-ANSWER" | "WA" | "NO-OUTPUT" | "PRESENTATION-ERROR" | "PE" => WRONG_VERDICTS,
        "TIMELIMIT" | "TIME-LIMIT" | "TIME-LIMIT-EXCEEDED" | "TLE" => VerdictSet::from_verdicts(&[Verdict::TimeLimit]),
        "RUN-ERROR" | "RUNTIME-ERROR" | "RUN-TIME-ERROR" | "RTE" => CRASH_VERDICTS,
        "MEMORY-LIMIT" | "MEMORY-LIMIT-EXCEEDED" | "MEMLIMIT" | "MLE" => CRASH_VERDICTS,
        "OUTPUT-LIMIT" | "OUTPUT-LIMIT-EXCEEDED" | "OLE" => CRASH_VERDICTS.union(WRONG_VERDICTS),
        "COMPILER-ERROR" | "COMPILE-ERROR" | "COMPILATION-ERROR" | "CE" => {
            VerdictSet::from_verdicts(&[Verdict::CompileError])
        }
        "CHECK-MANUALLY" => VerdictSet::ANY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_misspelt_names_suggest_a_file() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("brute.py");
        std::fs::write(&file, "")?;
        let file = file.display().to_string();
        let meant = |name: String| suggest_submission(Path::new(&name), &["sol.cpp".to_owned()]);
        assert_eq!(meant(format!("python3 {file}")).as_ref(), Some(&file));
        assert_eq!(meant(file.replace("brute", "brut")).as_ref(), Some(&file));
        assert_eq!(meant("sol.pp".to_owned()).as_deref(), Some("sol.cpp"));
        assert_eq!(meant(format!("{}/other/quite", folder.path().display())), None);
        Ok(())
    }

    #[test]
    fn tags_are_found_anywhere_in_a_line() {
        let text = "# @EXPECTED_RESULTS@: CORRECT, timelimit\n/* x @expected_score@: 30 */\nEXPECTED_RESULTS: no\n";
        assert_eq!(
            find_tags(text),
            [(1, EXPECTED_RESULTS_TAG, "CORRECT, timelimit"), (2, EXPECTED_SCORE_TAG, "30 */")]
        );
        assert_eq!(parse_result_name("run_time_error"), Some(CRASH_VERDICTS));
        assert_eq!(parse_result_name("maybe"), None);
    }
}
