//! The screen of one finding.

use super::amounts::{bytes, duration};
use super::layout::{beside, start_of, wrap};
use super::line::Line;
use super::tone::Tone;
use super::visible::prose;
use super::{Options, board, compared, conversation, crash, heading, listing};
use crate::campaign::{Found, JudgedBy};
use crate::format::Format;
use crate::verdict::Verdict;

/// How far input and board stand apart.
const GAP: usize = 4;
/// How much of a message is shown.
const MESSAGE_LINES_MAX: usize = 12;
/// How much of each of its lines.
const MESSAGE_COLUMNS_MAX: usize = 600;

/// What is known beyond the finding itself.
pub(crate) struct Context<'a> {
    /// The format of inputs, if there is one.
    pub(crate) format: Option<&'a Format>,
    /// The name of the reference, if there is one.
    pub(crate) reference: Option<&'a str>,
    /// How to show it.
    pub(crate) options: &'a Options,
}

/// All that is shown of a finding: blocks with an empty line between them.
pub(crate) fn screen(found: &Found, context: &Context<'_>) -> Vec<Line> {
    let options = context.options;
    let blocks = [
        heading::heading(found, context.reference, options.width),
        input(found, context.format, options),
        outputs(found, options),
        reason(found, options),
        found.sanitizer.as_ref().map(|note| crash::sanitizer(note, options)).unwrap_or_default(),
        stderr(found, options),
        places(found, options.width),
    ];
    let mut lines = Vec::new();
    for block in blocks.into_iter().filter(|block| !block.is_empty()) {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(block);
    }
    lines
}

/// The input, and the board in it if there is one. What does not compile was given no input.
fn input(found: &Found, format: Option<&Format>, options: &Options) -> Vec<Line> {
    if found.verdict == Verdict::CompileError {
        return Vec::new();
    }
    let whole = found.folder.as_ref().map(|folder| folder.join("input.txt").display().to_string());
    let text = listing::listing("input", &found.input, whole.as_deref(), options);
    match format.and_then(|format| board::board(format, &found.input)) {
        Some(board) => beside(text, board, GAP, options.width),
        None => text,
    }
}

/// The outputs beside each other, where it is their difference that decides.
fn outputs(found: &Found, options: &Options) -> Vec<Line> {
    match (found.judged_by, found.verdict) {
        (_, Verdict::CompileError) => return Vec::new(),
        (JudgedBy::Conversation, _) => return conversation::render_conversation(found, options),
        (JudgedBy::Program, Verdict::WrongAnswer | Verdict::PresentationError) => {
            let answer = listing::listing("an answer", &found.answer, None, options);
            return beside(answer, listing::listing("output", &found.output, None, options), GAP, options.width);
        }
        _ => {}
    }
    match found.verdict {
        Verdict::WrongAnswer | Verdict::PresentationError => compared::outputs(found, options),
        // Two outputs of the jury's side: a reference that does not say the same twice.
        Verdict::JudgeError if !found.output.is_empty() && found.output != found.answer => {
            compared::outputs(found, options)
        }
        _ => Vec::new(),
    }
}

/// The message, what was used where a limit decides, and the hints.
fn reason(found: &Found, options: &Options) -> Vec<Line> {
    let mut lines = Vec::new();
    for paragraph in found.message.lines().filter(|line| !line.trim().is_empty()).take(MESSAGE_LINES_MAX) {
        lines.extend(wrap(Line::plain("  "), &sentence(paragraph), options.width));
    }
    if matches!(found.verdict, Verdict::TimeLimit | Verdict::MemoryLimit) {
        lines.push(usage(found));
    }
    for hint in &found.hints {
        lines.extend(wrap(Line::plain("  ").tone(Tone::Dim, "hint").add(": "), &sentence(hint), options.width));
    }
    lines
}

/// A line of a message as the screen can bear it: it may be the text of a program that judges outputs.
fn sentence(line: &str) -> String {
    start_of(prose(line).as_bytes(), MESSAGE_COLUMNS_MAX).0
}

fn usage(found: &Found) -> Line {
    let (time, memory) = (duration(found.cpu_time_ms), bytes(found.memory_peak_bytes));
    Line::plain("  ").tone(Tone::Dim, "time ").add(time).tone(Tone::Dim, "   memory ").add(memory)
}

/// What the program said itself; about a wrong answer its debug output is of no help.
fn stderr(found: &Found, options: &Options) -> Vec<Line> {
    match found.verdict {
        Verdict::WrongAnswer | Verdict::PresentationError if !options.verbose => Vec::new(),
        Verdict::CompileError => crash::compiler(&found.stderr, options),
        _ => crash::stderr(&found.stderr, options),
    }
}

/// Where it is saved, if it is, and how to see it again. Never cut, because it is there to be copied.
fn places(found: &Found, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(folder) = &found.folder {
        lines.extend(copyable("finding", &folder.join("").display().to_string(), width));
    }
    if let Some(replay) = &found.replay {
        lines.extend(copyable("replay", replay, width));
    }
    lines
}

/// On the line of its label if it fits, else from the first column of the next.
fn copyable(label: &str, text: &str, width: usize) -> Vec<Line> {
    let head = Line::plain("  ").tone(Tone::Dim, format!("{label:<9}"));
    let text = Line::new().tone(Tone::Copy, text).whole();
    if head.width() + text.width() <= width { vec![head.join(text)] } else { vec![head, text] }
}
