//! What was expected beside what came.

use super::layout::beside;
use super::line::Line;
use super::listing::{count_lines, listing};
use super::tone::Tone;
use super::{DiffStyle, Options};
use crate::campaign::Found;
use crate::diagnostic::{counted, numbered};
use crate::verdict::Verdict;
use rebut_checkers::{Checker, Diff, DiffOptions, Mode, Piece, Row, RowKind, diff};
use std::time::{Duration, Instant};

/// How many rows are shown, if not all are asked for.
const ROWS_MAX: usize = 12;
/// How many rows that are the same stand around one that differs.
const CONTEXT: usize = 1;
/// How long a better alignment is looked for. Nobody waits for this on texts of a usual size.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between the columns.
const SEPARATOR: &str = " | ";

/// Rows of expected and found lines, and how many differ.
pub(crate) fn outputs(found: &Found, options: &Options) -> Vec<Line> {
    let titles = match found.verdict {
        Verdict::JudgeError => ["one run", "another run"],
        _ => ["expected", "got"],
    };
    let gutter = Gutter::of(found);
    let diff = compare(found, &gutter, options);
    if diff.rows.is_empty() {
        let [left, right] = [(titles[0], &found.answer), (titles[1], &found.output)];
        let half = Options { width: options.width / 2, ..options.clone() };
        return beside(listing(left.0, left.1, None, &half), listing(right.0, right.1, None, &half), 2, options.width);
    }
    let mut lines = match columns(&diff, titles, &gutter, options) {
        Some(widths) => side_by_side(&diff, titles, widths, &gutter),
        None => inline(&diff, titles, &gutter),
    };
    lines.push(Line::plain("  ").tone(Tone::Dim, total(&diff, options)));
    lines
}

/// The place of line numbers and marks at the left.
struct Gutter {
    digits: usize,
}

impl Gutter {
    fn of(found: &Found) -> Self {
        let last = count_lines(&found.answer).max(count_lines(&found.output));
        Gutter { digits: last.to_string().len().max(2) }
    }

    fn width(&self) -> usize {
        self.blank().width()
    }

    fn numbered(&self, number: usize, mark: char) -> Line {
        let tone = if mark == '.' || mark == ' ' { Tone::Dim } else { Tone::Bad };
        let number = format!("  {number:>digits$} ", digits = self.digits);
        Line::new().tone(Tone::Dim, number).tone(tone, mark.to_string()).add(" ")
    }

    fn blank(&self) -> Line {
        Line::plain(" ".repeat(self.digits + 5))
    }
}

fn compare(found: &Found, gutter: &Gutter, options: &Options) -> Diff {
    // A command's name is no checker's: its lines are compared as those of the usual one.
    let checker = Checker::parse(&found.checker).unwrap_or_default();
    let room = options.width.saturating_sub(gutter.width());
    let line = match options.diff_style {
        DiffStyle::SideBySide => room.saturating_sub(SEPARATOR.len()) / 2,
        _ => room,
    };
    let limits = DiffOptions {
        max_rows: if options.all_rows { usize::MAX } else { ROWS_MAX },
        context: CONTEXT,
        ignore_case: false,
        // A cut line has an ellipsis at each end.
        width: line.saturating_sub(2).max(1),
        deadline: Instant::now().checked_add(PATIENCE),
    };
    diff(&found.answer, &found.output, &checker, &limits)
}

/// The widths of both columns, if they are to stand side by side.
fn columns(diff: &Diff, titles: [&str; 2], gutter: &Gutter, options: &Options) -> Option<[usize; 2]> {
    let room = options.width.saturating_sub(gutter.width() + SEPARATOR.len());
    let widest = |side: fn(&Row) -> &Option<Vec<Piece>>, title: &str| {
        let widths =
            diff.rows.iter().filter_map(|row| side(row).as_ref()).map(|pieces| line(pieces, Tone::Plain).width());
        widths.max().unwrap_or(0).max(title.len())
    };
    let widths = [widest(|row| &row.expected, titles[0]), widest(|row| &row.got, titles[1])];
    match options.diff_style {
        DiffStyle::Inline => None,
        DiffStyle::SideBySide => Some(widths.map(|width| width.min(room / 2))),
        DiffStyle::Auto => (widths[0] + widths[1] <= room).then_some(widths),
    }
}

fn side_by_side(diff: &Diff, titles: [&str; 2], widths: [usize; 2], gutter: &Gutter) -> Vec<Line> {
    // One word or number in a column: the separator stands where the eye expects it.
    let column = widths[0].max(16.min(widths[0] + widths[1]));
    let separated = |left: Line, right: Line| left.pad(column).tone(Tone::Dim, SEPARATOR).join(right);
    let title = |text: &str| Line::new().tone(Tone::Dim, text);
    let mut lines = vec![gutter.blank().join(separated(title(titles[0]), title(titles[1])))];
    for row in &diff.rows {
        let [expected, got] = sides(row).map(Option::unwrap_or_default);
        let cells = separated(expected.cut(widths[0]), got.cut(widths[1]));
        lines.push(gutter.numbered(row.number, mark(row.kind)).join(cells));
    }
    lines
}

fn inline(diff: &Diff, titles: [&str; 2], gutter: &Gutter) -> Vec<Line> {
    let title = format!("- {}   + {}", titles[0], titles[1]);
    let mut lines = vec![Line::plain(" ".repeat(gutter.width() - 2)).tone(Tone::Dim, title)];
    for row in &diff.rows {
        let [expected, got] = sides(row);
        if row.kind == RowKind::Same {
            lines.push(gutter.numbered(row.number, ' ').join(expected.unwrap_or_default()));
            continue;
        }
        lines.extend(expected.map(|line| gutter.numbered(row.number, '-').join(line)));
        lines.extend(got.map(|line| gutter.numbered(row.number, '+').join(line)));
        lines.extend(carets(row).map(|carets| gutter.blank().join(carets)));
    }
    lines
}

/// Marks below what differs in the second of two lines: colours may be off, and long lines all look alike.
fn carets(row: &Row) -> Option<Line> {
    let pieces = row.got.as_ref().filter(|_| row.kind == RowKind::Changed)?;
    let mut carets = Line::new();
    for piece in pieces {
        let width = Line::plain(&piece.text).width();
        let mark = if piece.emphasised { "^" } else { " " };
        carets.push(Tone::Unwanted, &mark.repeat(width));
    }
    // Where all differs, or what differs is what is not there, marks say nothing.
    let is_part = |pieces: &[Piece]| pieces.iter().any(|p| p.emphasised) && pieces.iter().any(|p| !p.emphasised);
    is_part(pieces).then_some(carets)
}

/// Both lines of a row in their colours. A line that stands alone differs as a whole.
fn sides(row: &Row) -> [Option<Line>; 2] {
    let alone = |kind, tone| if row.kind == kind { tone } else { Tone::Plain };
    let side = |pieces: &Option<Vec<Piece>>, base: Tone, emphasis: Tone| {
        pieces.as_ref().map(|pieces| toned(pieces, base, emphasis))
    };
    [
        side(&row.expected, alone(RowKind::Missing, Tone::Wanted), Tone::Wanted),
        side(&row.got, alone(RowKind::Extra, Tone::Unwanted), Tone::Unwanted),
    ]
}

fn line(pieces: &[Piece], tone: Tone) -> Line {
    toned(pieces, tone, tone)
}

fn toned(pieces: &[Piece], base: Tone, emphasis: Tone) -> Line {
    pieces
        .iter()
        .fold(Line::new(), |line, piece| line.tone(if piece.emphasised { emphasis } else { base }, &piece.text))
}

fn mark(kind: RowKind) -> char {
    match kind {
        RowKind::Same => '.',
        RowKind::Changed => '!',
        RowKind::Missing => '-',
        RowKind::Extra => '+',
    }
}

/// `50,260 of 100,000 lines differ; showing the first 12 (--all for more)`.
fn total(diff: &Diff, options: &Options) -> String {
    let shown = diff.rows.iter().filter(|row| row.kind != RowKind::Same).count();
    let verb = if diff.differing == 1 { "differs" } else { "differ" };
    let compared = match diff.mode {
        Mode::Positional | Mode::Aligned => "",
        Mode::Reflowed => ", line breaks ignored",
        Mode::Unordered => ", in any order",
    };
    let rest = match diff.differing.saturating_sub(shown) {
        0 => String::new(),
        _ if options.all_rows => format!("; showing {}", counted(shown as u128)),
        _ => format!("; showing the first {shown} (--all shows more)"),
    };
    format!("{} of {} {verb}{compared}{rest}", counted(diff.differing as u128), numbered(diff.total, "line"))
}
