//! A text with line numbers.

use super::Options;
use super::layout::start_of;
use super::line::Line;
use super::tone::Tone;
use crate::diagnostic::numbered;

/// How many lines of a text are shown, if not all are asked for.
const LINES_MAX: usize = 30;
/// So many lines too many are shown all the same: the note would take as much room.
const LINES_SPARE: usize = 2;
/// No line shows more than so many columns, even where lines are that wide: nobody reads on.
const COLUMNS_MAX: usize = 400;

/// The lines of a text, numbered; long texts and long lines are cut, and `whole` says where they are in full.
pub(crate) fn listing(title: &str, text: &[u8], whole: Option<&str>, options: &Options) -> Vec<Line> {
    let total = count_lines(text);
    let shown = if options.all_rows || total <= LINES_MAX + LINES_SPARE { total } else { LINES_MAX };
    let gutter = shown.to_string().len().max(2);
    let width = options.width.saturating_sub(gutter + 5).min(COLUMNS_MAX);
    let mut cuts = 0;
    let mut lines = vec![Line::plain("  ").tone(Tone::Dim, title)];
    for (i, line) in split(text).take(shown).enumerate() {
        let (start, is_whole) = start_of(line, width);
        cuts += usize::from(!is_whole);
        let number = format!("  {:>gutter$} | ", i + 1);
        lines.push(with_blanks(Line::new().tone(Tone::Dim, number), &start));
    }
    let note = note(total - shown, cuts, text, whole);
    lines.extend(note.map(|note| Line::plain("  ").tone(Tone::Dim, note)));
    lines
}

/// What the listing does not show.
fn note(more: usize, cuts: usize, text: &[u8], whole: Option<&str>) -> Option<String> {
    let mut notes = Vec::new();
    if more > 0 {
        notes.push(numbered(more, "more line"));
    }
    if cuts > 0 {
        notes.push(format!("{} cut", numbered(cuts, "line")));
    }
    let is_cut = !notes.is_empty();
    if text.last().is_some_and(|last| *last != b'\n') {
        notes.push("no newline at the end".to_owned());
    }
    let place = whole.filter(|_| is_cut).map(|whole| format!("; all of it: {whole}")).unwrap_or_default();
    match (text.is_empty(), notes.is_empty()) {
        (true, _) => Some("(empty)".to_owned()),
        (false, true) => None,
        (false, false) => Some(format!("{}{place}", notes.join(", "))),
    }
}

/// Spaces at the end of a line cannot be seen, and often matter: they are shown as dots.
fn with_blanks(line: Line, text: &str) -> Line {
    let end = text.trim_end_matches(' ').len();
    line.add(&text[..end]).tone(Tone::Doubtful, "·".repeat(text.len() - end))
}

/// The lines; what follows the last newline is one if there is anything.
pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// How many lines a text has.
pub(crate) fn count_lines(text: &[u8]) -> usize {
    let newlines = text.iter().filter(|byte| **byte == b'\n').count();
    newlines + usize::from(text.last().is_some_and(|last| *last != b'\n'))
}
