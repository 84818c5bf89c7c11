//! Renders the error output of a program that crashed or did not compile.

use super::ReportOptions;
use super::escape::escape_message;
use super::listing::{count_lines, split_lines};
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_words;
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::SanitizerFinding;

/// Maximum number of lines shown of a program's standard error: the last ones, which explain most crashes.
const MAX_STDERR_LINES: usize = 12;
/// Maximum number of lines shown of a compiler's output.
const MAX_COMPILER_LINES: usize = 24;
/// Maximum width of a compiler's line, in columns.
const MAX_QUOTED_COLUMNS: usize = 1000;

/// Renders the end of a program's standard error; empty if it wrote nothing there.
pub(crate) fn render_stderr(text: &[u8], options: &ReportOptions) -> Vec<StyledLine> {
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return Vec::new();
    }
    let total = count_lines(text);
    let shown = if options.all_rows { total } else { total.min(MAX_STDERR_LINES) };
    let title = match total - shown {
        0 => "standard error".to_owned(),
        _ => format!("standard error, last {shown} of {} lines", group_thousands(total as u128)),
    };
    let mut lines = vec![StyledLine::from_plain("  ").add_styled(TextStyle::Dim, title)];
    lines.extend(split_lines(text).skip(total - shown).map(|line| quote_line(line, options.width)));
    lines
}

/// Renders the start of a compiler's output: later messages are often consequences of the first.
pub(crate) fn render_compiler_output(text: &[u8], options: &ReportOptions) -> Vec<StyledLine> {
    let text = text.trim_ascii_end();
    let total = count_lines(text);
    let shown = if options.all_rows { total } else { total.min(MAX_COMPILER_LINES) };
    let mut lines: Vec<StyledLine> =
        split_lines(text).take(shown).map(|line| quote_line(line, MAX_QUOTED_COLUMNS).into_uncut()).collect();
    if total > shown {
        let more = count_with_noun(total - shown, "more line");
        lines.push(StyledLine::from_plain("   ").add_styled(TextStyle::Dim, format!("{more} (--all shows them)")));
    }
    lines
}

/// Renders a line that another program wrote, truncated to `width` columns.
fn quote_line(line: &[u8], width: usize) -> StyledLine {
    // A character takes at most four bytes, so this prefix of an endless line fills the screen.
    let prefix = &line[..line.len().min(width.saturating_mul(4))];
    let text = escape_message(&String::from_utf8_lossy(prefix));
    StyledLine::from_plain("   ").add_styled(TextStyle::Dim, "| ").add_plain(text).cut_to_width(width)
}

/// Renders a sanitizer's report: the kind of error, its location, the source line and the message.
pub(crate) fn render_sanitizer_note(note: &SanitizerFinding, options: &ReportOptions) -> Vec<StyledLine> {
    let mut head = StyledLine::from_plain("  ")
        .add_styled(TextStyle::Dim, "sanitizer")
        .add_plain("  ")
        .add_styled(TextStyle::Failure, &note.kind);
    if let Some(function) = &note.function {
        head = head.add_plain(format!(" in {function}"));
    }
    if let Some((file, line)) = &note.place {
        head = head.add_plain(" at ").add_styled(TextStyle::Bold, format!("{file}:{line}"));
    }
    let mut lines = vec![head.into_uncut()];
    if let (Some((_, number)), Some(source)) = (&note.place, &note.source_line) {
        let number = format!("  {number:>4} | ");
        lines.push(StyledLine::new().add_styled(TextStyle::Dim, number).add_plain(escape_message(source.trim_end())));
    }
    if !note.message.is_empty() && !note.kind.contains(&note.message) {
        lines.extend(wrap_words(StyledLine::from_plain("  "), &escape_message(&note.message), options.width));
    }
    lines
}
