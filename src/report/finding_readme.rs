//! The `README.md` in a finding's folder.

use super::escape::escape_message;
use super::finding_heading;
use super::listing::{count_lines, split_lines};
use super::slowness;
use super::text_layout::truncate_to_width;
use super::units::{format_bytes, format_duration};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{Finding, JudgeKind, SavedFinding};
use rebut_packages::verdict::Verdict;
use std::fmt::Write as _;
use std::path::Path;

/// Maximum number of lines quoted of a file; the folder has the whole file.
const MAX_LINES: usize = 20;
/// Maximum width of a quoted line, in columns.
const MAX_COLUMNS: usize = 100;

/// Returns the text of the `README.md` of a finding that is saved in `folder`.
///
/// It is read in a bug report or a repository, perhaps a year after the search. So it quotes the other files as far as
/// they are short, and gives the command that replays the finding.
pub fn finding_readme(found: &Finding, folder: &Path) -> String {
    let mut text =
        format!("# {}: {}\n\n", escape_markdown(&found.failure.submission), found.failure.verdict.description());
    if !found.failure.message.trim().is_empty() {
        text.push_str(&fenced_block(found.failure.message.as_bytes()));
    }
    for fact in collect_facts(found) {
        let _ = writeln!(text, "- {fact}");
    }
    for (title, file, content) in quoted_files(found) {
        let _ = write!(text, "\n## {title}\n\n{}", quote_file(file, content));
    }
    if let Some(slowness) = &found.slowness {
        let _ = write!(text, "\n## Test of a recipe\n\n{}", fenced_block(slowness.recipe.as_bytes()));
    }
    text.push_str(&replay_section(&found.saved, folder));
    text.push_str(FILES_SECTION);
    if found.origin.choices.is_some() {
        text.push_str("- `choices.txt`: the choices of the generator, as it reads them from its standard input\n");
    }
    text
}

/// Descriptions of the files in the folder.
const FILES_SECTION: &str = "
## Files

- `finding.html`: this page for a browser, with pictures
- `input.txt`: the smallest failing input found
- `original.txt`: the input that failed first
- `answer.txt`: the reference's answer to `input.txt`
- `output.txt`: the submission's output for it
- `stderr.txt`: the end of its standard error, if any
- `finding.json`: everything needed to replay the failure
";

fn collect_facts(found: &Finding) -> Vec<String> {
    let mut facts =
        vec![format!("verdict: {} ({})", found.failure.verdict.description(), found.failure.verdict.code())];
    facts.extend(origin_fact(found));
    facts.extend(finding_heading::shrinking_note(found).map(|(_, note)| note));
    facts.extend(finding_heading::certificate_note(found).map(|(_, note)| note));
    facts.extend(finding_heading::conversation_note(found).map(|(_, note)| note));
    facts.extend(finding_heading::flakiness_note(&found.failure).map(|(_, note)| note));
    facts.extend(finding_heading::choices_note(found).map(|(_, note)| note));
    facts.extend(found.slowness.iter().flat_map(slowness::slowness_facts));
    facts.extend(found.failure.sanitizer.as_ref().map(|note| {
        let place = note.place.as_ref().map(|(file, line)| format!(" at {file}:{line}")).unwrap_or_default();
        escape_markdown(&format!("sanitizer: {}{place}", note.kind))
    }));
    facts.extend(found.failure.hints.iter().map(|hint| escape_markdown(hint)));
    facts.push(format!("checker: {}", escape_markdown(&found.run.checker)));
    if matches!(found.failure.verdict, Verdict::TimeLimit | Verdict::MemoryLimit) {
        facts.push(format!(
            "time {}, memory {}",
            format_duration(found.run.cpu_time_ms),
            format_bytes(found.run.memory_peak_bytes)
        ));
    }
    facts
}

/// Describes how the failure was found.
fn origin_fact(found: &Finding) -> Option<String> {
    let number = group_thousands(u128::from(found.origin.case?));
    let seed = found.origin.seed.map(|seed| format!(" of the search with seed {seed:x}")).unwrap_or_default();
    let shape =
        found.origin.shape.as_ref().map(|shape| format!(", shape {}", escape_markdown(shape))).unwrap_or_default();
    Some(format!("found as input {number}{seed}{shape}, after {}", format_duration(found.origin.elapsed_ms)))
}

/// Returns the files to quote for this verdict: title, file name, content.
fn quoted_files(found: &Finding) -> Vec<(&'static str, &'static str, &[u8])> {
    let mut quotes = vec![("Input", "input.txt", found.run.input.as_slice())];
    match found.failure.verdict {
        _ if found.run.judged_by == JudgeKind::Conversation => {
            quotes.push((
                "Conversation: seconds, `<` the submission reads, `>` it writes",
                "output.txt",
                &found.run.output,
            ));
        }
        Verdict::CompileError => quotes.clear(),
        Verdict::WrongAnswer | Verdict::PresentationError => {
            quotes.push(("Expected", "answer.txt", &found.run.answer));
            quotes.push(("Got", "output.txt", &found.run.output));
        }
        _ => {}
    }
    if !found.run.stderr.trim_ascii().is_empty() {
        quotes.push(("Standard error", "stderr.txt", &found.run.stderr));
    }
    quotes
}

fn quote_file(file: &str, content: &[u8]) -> String {
    let lines = count_lines(content);
    match lines {
        0 => format!("`{file}` is empty.\n"),
        1..=MAX_LINES => fenced_block(content).trim_end().to_owned() + "\n",
        _ => format!("{}{} in `{file}`.\n", fenced_block(content), count_with_noun(lines - MAX_LINES, "more line")),
    }
}

/// Returns a code block with a fence that is longer than any run of backticks in the text.
fn fenced_block(content: &[u8]) -> String {
    let shown: Vec<String> =
        split_lines(content).take(MAX_LINES).map(|line| truncate_to_width(line, MAX_COLUMNS).0).collect();
    let longest = shown.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n\n", shown.join("\n"))
}

/// Escapes text for use within a line of Markdown.
fn escape_markdown(text: &str) -> String {
    let mut shown = String::new();
    for c in escape_message(&text.replace(['\n', '\r'], " ")).chars() {
        if "\\`*_[]<>#|".contains(c) {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

fn replay_section(saved: &SavedFinding, folder: &Path) -> String {
    let command = saved.replay.clone().unwrap_or_else(|| format!("rebut replay {}", folder.display()));
    format!("\n## Replay\n\n{}", fenced_block(command.as_bytes()).trim_end().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn fences_are_longer_than_the_backticks_in_the_text() {
        assert_eq!(fenced_block(b"1 2\n"), "```text\n1 2\n```\n\n");
        assert!(fenced_block(b"a ````` b\n").starts_with("``````text\n"));
    }

    #[test]
    fn long_files_are_cut_and_counted() {
        assert_eq!(quote_file("input.txt", b""), "`input.txt` is empty.\n");
        let long = quote_file("input.txt", &b"7\n".repeat(MAX_LINES + 2));
        assert!(long.ends_with("2 more lines in `input.txt`.\n"), "{long}");
        assert_eq!(long.lines().filter(|line| *line == "7").count(), MAX_LINES);
    }

    #[test]
    fn markup_in_messages_is_escaped() {
        assert_eq!(escape_markdown("a*b_c\n[d]"), "a\\*b\\_c \\[d\\]");
    }

    #[test]
    fn quoted_files_depend_on_the_verdict() {
        let names = |verdict| {
            let mut found = Finding::from_failure(rebut_engine::event::FindingFailure::new("a.cpp", verdict));
            found.run.stderr = b"oops\n".to_vec();
            quoted_files(&found).iter().map(|(_, file, _)| *file).collect::<Vec<_>>()
        };
        assert_eq!(names(Verdict::WrongAnswer), ["input.txt", "answer.txt", "output.txt", "stderr.txt"]);
        assert_eq!(names(Verdict::RuntimeError), ["input.txt", "stderr.txt"]);
        assert_eq!(names(Verdict::CompileError), ["stderr.txt"]);
    }
}
