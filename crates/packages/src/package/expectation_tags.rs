//! `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT` in the sources of a submission: the results that DOMjudge expects.

use super::model::{PackageSubmission, TimeBound};
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::{PackageEntry, PackageTree};
use super::submission_folders::{CRASH_VERDICTS, WRONG_VERDICTS};
use crate::score::ExpectedScore;
use crate::verdict::{Expectation, Verdict, VerdictSet};
use rebut_diagnostics::Result;

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
