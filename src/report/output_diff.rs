//! Renders the difference between the expected and the actual output.

use super::listing::{count_lines, render_listing};
use super::page::{Column, OutputDiff, Table};
use super::styled_line::{StyledLine, TextStyle, join_columns};
use super::{DiffStyle, ReportOptions};
use rebut_checkers::{Checker, Diff, DiffMode, DiffOptions, DiffRow, DiffRowKind, DiffSegment, diff_outputs};
use rebut_diagnostics::{count_with_noun, group_thousands};
use std::time::{Duration, Instant};

/// Maximum number of rows of a table in a document, and of columns of a line in it.
const MAX_TABLE_ROWS: usize = 40;

const MAX_TABLE_COLUMNS: usize = 300;

/// Maximum number of rows shown without `--all`.
const MAX_ROWS: usize = 12;

/// Number of equal rows shown around a row that differs.
const CONTEXT_ROWS: usize = 1;

/// Maximum time spent on a better alignment. Outputs of a usual size take far less.
const MAX_ALIGNMENT_TIME: Duration = Duration::from_secs(1);

/// Width of a gutter without its number.
const GUTTER_MARKS: usize = 5;

/// Separator of the columns.
const SEPARATOR: &str = " | ";

/// Renders rows of expected and actual lines, and the number of rows that differ.
pub(crate) fn render_output_diff(outputs: &OutputDiff<'_>, options: &ReportOptions) -> Vec<StyledLine> {
    let view = TerminalDiff::new(outputs, options);
    if view.diff.rows.is_empty() {
        let half = ReportOptions { width: options.width / 2, ..options.clone() };
        let [left, right] = outputs.listings().map(|listing| render_listing(&listing, &half));
        return join_columns(left, right, 2, options.width);
    }
    let mut lines = match view.side_by_side_widths() {
        Some(widths) => view.render_side_by_side(widths),
        None => view.render_inline(),
    };
    lines.push(StyledLine::from_label(2, TextStyle::Dim, &diff_summary(&view.diff, options), ""));
    lines
}

/// Returns the rows of expected and actual lines as a table of documents, and the number of rows that differ; `None` if
/// the checker knows no rows.
pub(crate) fn diff_table(outputs: &OutputDiff<'_>) -> Option<(Table, String)> {
    // Without a deadline, the same texts always give the same rows.
    let limits = DiffOptions { max_rows: MAX_TABLE_ROWS, width: MAX_TABLE_COLUMNS, ..DiffOptions::default() };
    let diff = compute_diff(outputs, &limits);
    let row = |row: &DiffRow| {
        let sign = if row.kind == DiffRowKind::Same { "" } else { " \u{2260}" };
        let number = StyledLine::from_plain(row.number.to_string()).add_styled(TextStyle::Failure, sign);
        let [expected, got] = styled_sides(row).map(Option::unwrap_or_default);
        vec![number, expected, got]
    };
    let [left, right] = outputs.titles;
    let columns = ["Line", left, right].map(Column::of_texts);
    let table = Table::new("Difference of the outputs", columns, diff.rows.iter().map(row));
    (!diff.rows.is_empty())
        .then(|| (table, diff_summary(&diff, &ReportOptions { all_rows: true, ..ReportOptions::default() })))
}

/// Rows of lines on a terminal, with a gutter at the left that has line numbers and markers.
struct TerminalDiff {
    diff: Diff,
    titles: [&'static str; 2],
    style: DiffStyle,
    /// The width right of the gutter.
    available: usize,
    /// Number of digits of the last line number.
    digits: usize,
}

impl TerminalDiff {
    fn new(outputs: &OutputDiff<'_>, options: &ReportOptions) -> TerminalDiff {
        let last = count_lines(outputs.answer).max(count_lines(outputs.output));
        let digits = last.to_string().len().max(2);
        let available = options.width.saturating_sub(digits + GUTTER_MARKS);
        let line = match options.diff_style {
            DiffStyle::SideBySide => available.saturating_sub(SEPARATOR.len()) / 2,
            _ => available,
        };
        let limits = DiffOptions {
            max_rows: if options.all_rows { usize::MAX } else { MAX_ROWS },
            context: CONTEXT_ROWS,
            ignore_case: false,
            // A cut line has an ellipsis at each end.
            width: line.saturating_sub(2).max(1),
            deadline: Instant::now().checked_add(MAX_ALIGNMENT_TIME),
        };
        let diff = compute_diff(outputs, &limits);
        TerminalDiff { diff, titles: outputs.titles, style: options.diff_style, available, digits }
    }

    fn blank_gutter(&self) -> StyledLine {
        StyledLine::from_plain(" ".repeat(self.digits + GUTTER_MARKS))
    }

    fn numbered_gutter(&self, number: usize, mark: char) -> StyledLine {
        let style = if mark == '.' || mark == ' ' { TextStyle::Dim } else { TextStyle::Failure };
        let number = format!("  {number:>digits$} ", digits = self.digits);
        StyledLine::from_styled(TextStyle::Dim, number).add_styled(style, mark.to_string()).add_plain(" ")
    }

    /// Returns the widths of both columns, if they are shown side by side.
    fn side_by_side_widths(&self) -> Option<[usize; 2]> {
        let available = self.available.saturating_sub(SEPARATOR.len());
        let rows: Vec<[Option<StyledLine>; 2]> = self.diff.rows.iter().map(styled_sides).collect();
        let widths = [0, 1].map(|side| {
            let widest = rows.iter().filter_map(|row| row[side].as_ref()).map(StyledLine::width).max();
            widest.unwrap_or(0).max(self.titles[side].len())
        });
        match self.style {
            DiffStyle::Inline => None,
            DiffStyle::SideBySide => Some(widths.map(|width| width.min(available / 2))),
            DiffStyle::Auto => (widths[0] + widths[1] <= available).then_some(widths),
        }
    }

    fn render_side_by_side(&self, widths: [usize; 2]) -> Vec<StyledLine> {
        // Keeps the separator of short columns at a steady position.
        let column = widths[0].max(16.min(widths[0] + widths[1]));
        let separated = |gutter: StyledLine, [left, right]: [StyledLine; 2]| {
            let left = left.cut_to_width(widths[0]).pad_to_width(column);
            gutter.append_line(left.add_styled(TextStyle::Dim, SEPARATOR)).append_line(right.cut_to_width(widths[1]))
        };
        let titles = self.titles.map(|title| StyledLine::from_styled(TextStyle::Dim, title));
        let rows = self.diff.rows.iter().map(|row| {
            let mark = match row.kind {
                DiffRowKind::Same => '.',
                DiffRowKind::Changed => '!',
                DiffRowKind::Missing => '-',
                DiffRowKind::Extra => '+',
            };
            separated(self.numbered_gutter(row.number, mark), styled_sides(row).map(Option::unwrap_or_default))
        });
        [separated(self.blank_gutter(), titles)].into_iter().chain(rows).collect()
    }

    fn render_inline(&self) -> Vec<StyledLine> {
        let title = format!("- {}   + {}", self.titles[0], self.titles[1]);
        let mut lines = vec![StyledLine::from_label(self.digits + 3, TextStyle::Dim, &title, "")];
        for row in &self.diff.rows {
            let [expected, got] = styled_sides(row);
            if row.kind == DiffRowKind::Same {
                lines.push(self.numbered_gutter(row.number, ' ').append_line(expected.unwrap_or_default()));
                continue;
            }
            lines.extend(expected.map(|line| self.numbered_gutter(row.number, '-').append_line(line)));
            lines.extend(got.map(|line| self.numbered_gutter(row.number, '+').append_line(line)));
            lines.extend(caret_line(row).map(|carets| self.blank_gutter().append_line(carets)));
        }
        lines
    }
}

fn compute_diff(outputs: &OutputDiff<'_>, limits: &DiffOptions) -> Diff {
    // The name of a checker program is unknown here: its outputs are compared by the default checker.
    let checker = Checker::parse(outputs.checker).unwrap_or_default();
    diff_outputs(outputs.answer, outputs.output, &checker, limits)
}

/// Marks the differing parts of the second of two lines: colours may be off, and long lines look alike.
fn caret_line(row: &DiffRow) -> Option<StyledLine> {
    let pieces = row.found.as_ref().filter(|_| row.kind == DiffRowKind::Changed)?;
    let mut carets = StyledLine::new();
    for piece in pieces {
        let width = StyledLine::from_plain(&piece.text).width();
        let mark = if piece.emphasised { "^" } else { " " };
        carets.push_styled(TextStyle::Unexpected, &mark.repeat(width));
    }
    // Carets do not help if the whole line differs, or only a missing part.
    let is_part = |pieces: &[DiffSegment]| pieces.iter().any(|p| p.emphasised) && pieces.iter().any(|p| !p.emphasised);
    is_part(pieces).then_some(carets)
}

/// Styles both lines of a row. A line without a counterpart differs as a whole.
fn styled_sides(row: &DiffRow) -> [Option<StyledLine>; 2] {
    let alone = |kind, style| if row.kind == kind { style } else { TextStyle::Plain };
    let side = |pieces: &Option<Vec<DiffSegment>>, base: TextStyle, emphasis: TextStyle| {
        pieces.as_ref().map(|pieces| style_pieces(pieces, base, emphasis))
    };
    [
        side(&row.expected, alone(DiffRowKind::Missing, TextStyle::Expected), TextStyle::Expected),
        side(&row.found, alone(DiffRowKind::Extra, TextStyle::Unexpected), TextStyle::Unexpected),
    ]
}

fn style_pieces(pieces: &[DiffSegment], base: TextStyle, emphasis: TextStyle) -> StyledLine {
    pieces.iter().fold(StyledLine::new(), |line, piece| {
        line.add_styled(if piece.emphasised { emphasis } else { base }, &piece.text)
    })
}

/// `50,260 of 100,000 lines differ; showing the first 12 (--all for more)`.
fn diff_summary(diff: &Diff, options: &ReportOptions) -> String {
    let shown = diff.rows.iter().filter(|row| row.kind != DiffRowKind::Same).count();
    let verb = if diff.differing == 1 { "differs" } else { "differ" };
    let compared = match diff.mode {
        DiffMode::Positional | DiffMode::Aligned => "",
        DiffMode::Reflowed => ", line breaks ignored",
        DiffMode::Unordered => ", in any order",
    };
    let rest = match diff.differing.saturating_sub(shown) {
        0 => String::new(),
        _ if options.all_rows => format!("; showing {}", group_thousands(shown as u128)),
        _ => format!("; showing the first {shown} (--all shows more)"),
    };
    let (differing, all) = (group_thousands(diff.differing as u128), count_with_noun(diff.total, "line"));
    format!("{differing} of {all} {verb}{compared}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    fn pieces(parts: &[(&str, bool)]) -> Vec<DiffSegment> {
        parts
            .iter()
            .map(|(text, emphasised)| DiffSegment { text: (*text).to_owned(), emphasised: *emphasised })
            .collect()
    }

    fn changed_row(found: &[(&str, bool)]) -> DiffRow {
        DiffRow {
            number: 1,
            kind: DiffRowKind::Changed,
            expected: Some(pieces(&[("x", true)])),
            found: Some(pieces(found)),
        }
    }

    #[test]
    fn carets_mark_only_parts_of_a_line() {
        let carets = |row: &DiffRow| caret_line(row).map(|line| line.render_ansi(false).trim_end().to_owned());
        assert_eq!(carets(&changed_row(&[("1 ", false), ("20", true), (" 3", false)])).as_deref(), Some("  ^^"));
        assert_eq!(carets(&changed_row(&[("20", true)])), None);
        assert_eq!(carets(&changed_row(&[("1 3", false)])), None);
        let added = DiffRow { kind: DiffRowKind::Extra, ..changed_row(&[("1 ", false), ("20", true)]) };
        assert_eq!(carets(&added), None);
    }

    #[test]
    fn gutter_has_room_for_the_last_number() {
        let options = ReportOptions::default();
        let view = |answer: &[u8], output: &[u8]| {
            TerminalDiff::new(&OutputDiff { titles: ["", ""], answer, output, checker: "" }, &options)
        };
        let (short, long) = (view(b"1\n", b"2\n"), view(b"1\n", &b"x\n".repeat(1_000)));
        assert_eq!(short.numbered_gutter(7, '!').render_ansi(false), "   7 !");
        assert_eq!(short.numbered_gutter(7, '!').width(), short.blank_gutter().width());
        assert_eq!(long.numbered_gutter(1_000, '.').width(), long.blank_gutter().width());
    }

    #[test]
    fn summary_counts_the_rows_that_are_not_shown() {
        let options = ReportOptions::default();
        let outputs = |count: usize| {
            let [answer, output] = [b"1\n", b"2\n"].map(|line| line.repeat(count));
            let outputs = OutputDiff { titles: ["", ""], answer: &answer, output: &output, checker: "" };
            diff_summary(&TerminalDiff::new(&outputs, &options).diff, &options)
        };
        assert_eq!(outputs(1), "1 of 1 line differs");
        assert_eq!(outputs(100), "100 of 100 lines differ; showing the first 12 (--all shows more)");
    }
}
