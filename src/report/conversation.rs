//! A conversation between a submission and the program that it talks to.

use super::Options;
use super::layout::{start_of, wrap};
use super::line::Line;
use super::listing::{count_lines, split};
use super::tone::Tone;
use crate::campaign::Found;
use crate::diagnostic::numbered;

/// Number of lines that are shown of the beginning, where not all are.
const FIRST_LINES: usize = 8;
/// Number of lines that are shown of the end, which says most about a failure.
const LAST_LINES: usize = 16;

/// The beginning and the end of a conversation, with a legend.
pub(crate) fn render_conversation(found: &Found, options: &Options) -> Vec<Line> {
    let title = Line::plain("  ").tone(Tone::Dim, "conversation").add("  ");
    let name = found.submission.rsplit('/').next().unwrap_or_default();
    let legend = format!("(seconds since the start; < {name} reads, > {name} writes)");
    let mut lines = wrap(title, &legend, options.width);
    let total = count_lines(&found.output);
    if total == 0 {
        lines.push(Line::plain("  ").tone(Tone::Dim, "(not a word)"));
        return lines;
    }
    // A note in place of one line would take as much room.
    let left_out = if options.all_rows { 0 } else { total.saturating_sub(FIRST_LINES + LAST_LINES) };
    let left_out = if left_out > 1 { left_out } else { 0 };
    for (number, line) in split(&found.output).enumerate() {
        if left_out > 0 && number == FIRST_LINES {
            let place =
                found.folder.as_ref().map(|folder| format!("; all of it: {}", folder.join("output.txt").display()));
            let note = format!("... {} between{}", numbered(left_out, "line"), place.unwrap_or_default());
            lines.push(Line::plain("  ").tone(Tone::Dim, note));
        }
        if left_out == 0 || number < FIRST_LINES || number >= FIRST_LINES + left_out {
            lines.push(render_line(line, options));
        }
    }
    lines
}

/// A line of the conversation, what the submission writes in bold.
fn render_line(line: &[u8], options: &Options) -> Line {
    let (text, _) = start_of(line, options.width.saturating_sub(2));
    let writes = text.split_whitespace().nth(1) == Some(">");
    Line::plain("  ").tone(if writes { Tone::Bold } else { Tone::Plain }, text)
}
