//! What a finding's folder says about itself.

use super::amounts::{bytes, duration};
use super::heading;
use super::layout::start_of;
use super::listing::{count_lines, split};
use super::visible::prose;
use crate::campaign::{Found, JudgedBy};
use crate::diagnostic::{counted, numbered};
use crate::verdict::Verdict;
use std::fmt::Write as _;
use std::path::Path;

/// How much of a text is quoted; the file beside has all of it.
const LINES_MAX: usize = 20;
/// How much of a line is quoted.
const COLUMNS_MAX: usize = 100;

/// The text of the `README.md` of a finding that is saved in `folder`.
///
/// It is read by somebody who was not there: in a bug report, in a repository, a year later. So it repeats what the
/// other files hold, as far as that is short, and ends with what to do.
pub fn finding_readme(found: &Found, folder: &Path) -> String {
    let mut text = format!("# {}: {}\n\n", inline(&found.submission), found.verdict.words());
    if !found.message.trim().is_empty() {
        text.push_str(&fenced(found.message.as_bytes()));
    }
    for fact in facts(found) {
        let _ = writeln!(text, "- {fact}");
    }
    for (title, file, content) in quotes(found) {
        let _ = write!(text, "\n## {title}\n\n{}", quoted(file, content));
    }
    text.push_str(&replay(found, folder));
    text.push_str(FILES);
    text
}

/// What each file is, for those who only see the folder.
const FILES: &str = "
## Files

- `input.txt`: the smallest input on which it was seen to fail
- `original.txt`: the input that failed first
- `answer.txt`: the reference's answer to `input.txt`
- `output.txt`: the submission's output for it
- `stderr.txt`: the end of its standard error, if there was any
- `finding.json`: all that replaying needs to know
";

fn facts(found: &Found) -> Vec<String> {
    let mut facts = vec![format!("verdict: {} ({})", found.verdict.words(), found.verdict.code())];
    facts.extend(origin(found));
    facts.extend(heading::shrinking(found).map(|(_, note)| note));
    facts.extend(heading::certificate(found).map(|(_, note)| note));
    facts.extend(heading::chance(found).map(|(_, note)| note));
    facts.extend(found.sanitizer.as_ref().map(|note| {
        let place = note.place.as_ref().map(|(file, line)| format!(" at {file}:{line}")).unwrap_or_default();
        inline(&format!("sanitizer: {}{place}", note.kind))
    }));
    facts.extend(found.hints.iter().map(|hint| inline(hint)));
    facts.push(format!("checker: {}", inline(&found.checker)));
    if matches!(found.verdict, Verdict::TimeLimit | Verdict::MemoryLimit) {
        facts.push(format!("time {}, memory {}", duration(found.cpu_time_ms), bytes(found.memory_peak_bytes)));
    }
    facts
}

/// How it was found.
fn origin(found: &Found) -> Option<String> {
    let case = found.case?;
    let seed = found.seed.map(|seed| format!(" of the search with seed {seed:x}")).unwrap_or_default();
    let shape = found.shape.as_ref().map(|shape| format!(", shape {}", inline(shape))).unwrap_or_default();
    let case = counted(u128::from(case));
    Some(format!("found as case {case}{seed}{shape}, after {}", duration(found.elapsed_ms)))
}

/// The texts worth quoting for this verdict: title, file, content.
fn quotes(found: &Found) -> Vec<(&'static str, &'static str, &[u8])> {
    let mut quotes = vec![("Input", "input.txt", found.input.as_slice())];
    match found.verdict {
        _ if found.judged_by == JudgedBy::Conversation => {
            quotes.push((
                "Conversation: seconds, `<` the submission reads, `>` it writes",
                "output.txt",
                &found.output,
            ));
        }
        Verdict::CompileError => quotes.clear(),
        Verdict::WrongAnswer | Verdict::PresentationError => {
            quotes.push(("Expected", "answer.txt", &found.answer));
            quotes.push(("Got", "output.txt", &found.output));
        }
        _ => {}
    }
    if !found.stderr.trim_ascii().is_empty() {
        quotes.push(("Standard error", "stderr.txt", &found.stderr));
    }
    quotes
}

fn quoted(file: &str, content: &[u8]) -> String {
    let lines = count_lines(content);
    match lines {
        0 => format!("`{file}` is empty.\n"),
        1..=LINES_MAX => fenced(content).trim_end().to_owned() + "\n",
        _ => format!("{}{} in `{file}`.\n", fenced(content), numbered(lines - LINES_MAX, "more line")),
    }
}

/// A code block whose fence is longer than any in the text.
fn fenced(content: &[u8]) -> String {
    let shown: Vec<String> = split(content).take(LINES_MAX).map(|line| start_of(line, COLUMNS_MAX).0).collect();
    let longest = shown.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n\n", shown.join("\n"))
}

/// Text within a line of Markdown: on one line, and harmless to it.
fn inline(text: &str) -> String {
    let mut shown = String::new();
    for letter in prose(&text.replace(['\n', '\r'], " ")).chars() {
        if "\\`*_[]<>#|".contains(letter) {
            shown.push('\\');
        }
        shown.push(letter);
    }
    shown
}

fn replay(found: &Found, folder: &Path) -> String {
    let command = found.replay.clone().unwrap_or_else(|| format!("rebut replay {}", folder.display()));
    format!("\n## Replay\n\n{}", fenced(command.as_bytes()).trim_end().to_owned() + "\n")
}
