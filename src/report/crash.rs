//! What a program left behind when it crashed.

use super::Options;
use super::layout::wrap;
use super::line::Line;
use super::listing::{count_lines, split};
use super::tone::Tone;
use super::visible::prose;
use crate::campaign::SanitizerNote;
use crate::diagnostic::{counted, numbered};

/// How many lines of the error stream are shown: the last ones, which say most.
const STDERR_LINES: usize = 12;
/// How many lines of a compiler's text are shown.
const COMPILER_LINES: usize = 24;
/// The longest line of either, in columns.
const QUOTED_MAX: usize = 1000;

/// The end of what a program wrote to its standard error; nothing if it wrote nothing.
pub(crate) fn stderr(text: &[u8], options: &Options) -> Vec<Line> {
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return Vec::new();
    }
    let total = count_lines(text);
    let shown = if options.all_rows { total } else { total.min(STDERR_LINES) };
    let title = match total - shown {
        0 => "standard error".to_owned(),
        _ => format!("standard error, last {shown} of {} lines", counted(total as u128)),
    };
    let mut lines = vec![Line::plain("  ").tone(Tone::Dim, title)];
    lines.extend(split(text).skip(total - shown).map(|line| quoted(line, options.width)));
    lines
}

/// What a compiler says. Its first message matters most: those after it are often its consequences.
pub(crate) fn compiler(text: &[u8], options: &Options) -> Vec<Line> {
    let text = text.trim_ascii_end();
    let total = count_lines(text);
    let shown = if options.all_rows { total } else { total.min(COMPILER_LINES) };
    let mut lines: Vec<Line> = split(text).take(shown).map(|line| quoted(line, QUOTED_MAX).whole()).collect();
    if total > shown {
        let more = numbered(total - shown, "more line");
        lines.push(Line::plain("   ").tone(Tone::Dim, format!("{more} (--all shows them)")));
    }
    lines
}

/// A line of somebody else's text, its end marked as cut if it is too long.
fn quoted(line: &[u8], width: usize) -> Line {
    // No character takes more than four bytes: of a line without end this much is enough to fill the screen.
    let near = &line[..line.len().min(width.saturating_mul(4))];
    let text = prose(&String::from_utf8_lossy(near));
    Line::plain("   ").tone(Tone::Dim, "| ").add(text).cut(width)
}

/// What a sanitizer says: the kind, the place, the line of the source, and its own sentence.
pub(crate) fn sanitizer(note: &SanitizerNote, options: &Options) -> Vec<Line> {
    let mut head = Line::plain("  ").tone(Tone::Dim, "sanitizer").add("  ").tone(Tone::Bad, &note.kind);
    if let Some(function) = &note.function {
        head = head.add(format!(" in {function}"));
    }
    if let Some((file, line)) = &note.place {
        head = head.add(" at ").tone(Tone::Bold, format!("{file}:{line}"));
    }
    let mut lines = vec![head.whole()];
    if let (Some((_, number)), Some(source)) = (&note.place, &note.source_line) {
        let number = format!("  {number:>4} | ");
        lines.push(Line::new().tone(Tone::Dim, number).add(prose(source.trim_end())));
    }
    if !note.message.is_empty() && !note.kind.contains(&note.message) {
        lines.extend(wrap(Line::plain("  "), &prose(&note.message), options.width));
    }
    lines
}
