//! `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT` in a submission's sources: what DOMjudge expects of it.

use super::folders::{CRASHED, WRONG};
use super::log::{Log, shown};
use super::model::{Bound, Submission};
use super::tree::{Item, Tree};
use crate::diagnostic::Result;
use crate::score::Wanted;
use crate::verdict::{Expectation, Verdict, Verdicts};

const RESULTS: &str = "@EXPECTED_RESULTS@:";
const SCORE: &str = "@EXPECTED_SCORE@:";

/// The longest source that is searched, in bytes.
const LONGEST: u64 = 1 << 20;

/// Puts what the sources of a submission say into it; whether they say anything.
///
/// # Errors
/// If one cannot be read.
pub(super) fn read(tree: &Tree, item: &Item, submission: &mut Submission, log: &mut Log) -> Result<bool> {
    let files = if item.is_folder { tree.files_below(&item.path) } else { vec![item] };
    let mut told: Option<&str> = None;
    for file in files.into_iter().filter(|file| file.bytes <= LONGEST) {
        let bytes = crate::corpus::read_file(&tree.path(&file.path))?;
        let text = String::from_utf8_lossy(&bytes);
        for (line, tag, value) in tags(&text) {
            let place = format!("{}:{line}", file.path);
            match told {
                Some(other) if other == tag => {
                    log.note(&place, &format!("`{tag}` stands in this submission twice, and the first counts"));
                }
                _ => take(tag, value, &place, submission, log),
            }
            told = Some(tag);
        }
    }
    Ok(told.is_some())
}

/// Returns the tags of a text, each with the number of its line and what stands behind it there.
fn tags(text: &str) -> Vec<(usize, &'static str, &str)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let upper = line.to_ascii_uppercase();
        for tag in [RESULTS, SCORE] {
            if let Some(at) = upper.find(tag) {
                found.push((number, tag, line[at + tag.len()..].trim()));
            }
        }
    }
    found
}

fn take(tag: &str, value: &str, place: &str, submission: &mut Submission, log: &mut Log) {
    // The end of a comment on the same line is not meant.
    let value = value.trim_end_matches("*/").trim_end_matches("-->").trim();
    if let (true, Ok(score)) = (tag == SCORE, value.parse::<f64>()) {
        submission.score = Some(Wanted::Within(score, score));
        return;
    }
    let mut verdicts = Verdicts::NONE;
    for word in value.split(',').map(str::trim) {
        match verdict(word) {
            Some(found) => verdicts = verdicts.or(found),
            None => {
                log.note(place, &format!("`{tag}` names an unknown result, which is not obeyed: `{}`", shown(word)))
            }
        }
    }
    if verdicts.is_empty() {
        return;
    }
    submission.expectation = Expectation::whole(verdicts);
    if verdicts == Verdicts::of(&[Verdict::Accepted]) {
        submission.expectation = Expectation::ACCEPTED;
        submission.times = Some(Bound::Lower);
    } else if verdicts == Verdicts::of(&[Verdict::TimeLimit]) {
        submission.times = Some(Bound::Upper);
    } else {
        submission.times = None;
    }
}

/// The verdicts that a result stands for, in all the spellings that judges have had.
fn verdict(word: &str) -> Option<Verdicts> {
    let name = word.to_ascii_uppercase().replace(['_', ' '], "-");
    Some(match name.as_str() {
        "CORRECT" | "ACCEPTED" | "AC" => Verdicts::of(&[Verdict::Accepted]),
        "WRONG-ANSWER" | "WA" | "NO-OUTPUT" | "PRESENTATION-ERROR" | "PE" => WRONG,
        "TIMELIMIT" | "TIME-LIMIT" | "TIME-LIMIT-EXCEEDED" | "TLE" => Verdicts::of(&[Verdict::TimeLimit]),
        "RUN-ERROR" | "RUNTIME-ERROR" | "RUN-TIME-ERROR" | "RTE" => CRASHED,
        "MEMORY-LIMIT" | "MEMORY-LIMIT-EXCEEDED" | "MEMLIMIT" | "MLE" => CRASHED,
        "OUTPUT-LIMIT" | "OUTPUT-LIMIT-EXCEEDED" | "OLE" => CRASHED.or(WRONG),
        "COMPILER-ERROR" | "COMPILE-ERROR" | "COMPILATION-ERROR" | "CE" => Verdicts::of(&[Verdict::CompileError]),
        "CHECK-MANUALLY" => Verdicts::ANY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_stand_anywhere_in_a_line() {
        let text = "# @EXPECTED_RESULTS@: CORRECT, timelimit\n/* x @expected_score@: 30 */\nEXPECTED_RESULTS: no\n";
        assert_eq!(tags(text), [(1, RESULTS, "CORRECT, timelimit"), (2, SCORE, "30 */")]);
        assert_eq!(verdict("run_time_error"), Some(CRASHED));
        assert_eq!(verdict("maybe"), None);
    }
}
