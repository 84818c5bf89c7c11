//! Renders the difference between the expected and the actual output.

use super::listing::{count_lines, render_listing};
use super::page::{Column, OutputDiff, Table};
use super::styled_line::{StyledLine, TextStyle};
use super::text_layout::join_columns;
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
/// Separator of the columns.
const SEPARATOR: &str = " | ";

/// Renders rows of expected and actual lines, and the number of rows that differ.
pub(crate) fn render_output_diff(outputs: &OutputDiff<'_>, options: &ReportOptions) -> Vec<StyledLine> {
    let titles = outputs.titles;
    let gutter = DiffGutter::for_outputs(outputs);
    let diff = compute_diff(outputs, &gutter, options);
    if diff.rows.is_empty() {
        let half = ReportOptions { width: options.width / 2, ..options.clone() };
        let [left, right] = outputs.listings().map(|listing| render_listing(&listing, &half));
        return join_columns(left, right, 2, options.width);
    }
    let mut lines = match side_by_side_widths(&diff, titles, &gutter, options) {
        Some(widths) => render_side_by_side(&diff, titles, widths, &gutter),
        None => render_inline(&diff, titles, &gutter),
    };
    lines.push(StyledLine::from_label(2, TextStyle::Dim, &diff_summary(&diff, options), ""));
    lines
}

/// Returns the rows of expected and actual lines as a table of documents, and the number of rows that differ; `None` if
/// the checker knows no rows.
pub(crate) fn diff_table(outputs: &OutputDiff<'_>) -> Option<(Table, String)> {
    // Without a deadline, the same texts always give the same rows.
    let limits = DiffOptions { max_rows: MAX_TABLE_ROWS, width: MAX_TABLE_COLUMNS, ..DiffOptions::default() };
    let checker = Checker::parse(outputs.checker).unwrap_or_default();
    let diff = diff_outputs(outputs.answer, outputs.output, &checker, &limits);
    let row = |row: &DiffRow| {
        let sign = if row.kind == DiffRowKind::Same { "" } else { " \u{2260}" };
        let number = StyledLine::from_plain(row.number.to_string()).add_styled(TextStyle::Failure, sign);
        let [expected, got] = styled_sides(row).map(Option::unwrap_or_default);
        vec![number, expected, got]
    };
    let [left, right] = outputs.titles;
    let table = Table {
        title: "Difference of the outputs".to_owned(),
        columns: ["Line", left, right].map(Column::of_texts).into(),
        rows: diff.rows.iter().map(row).collect(),
        ..Table::default()
    };
    (!diff.rows.is_empty())
        .then(|| (table, diff_summary(&diff, &ReportOptions { all_rows: true, ..ReportOptions::default() })))
}

/// The gutter at the left, with line numbers and markers.
struct DiffGutter {
    digits: usize,
}

impl DiffGutter {
    fn for_outputs(outputs: &OutputDiff<'_>) -> Self {
        let last = count_lines(outputs.answer).max(count_lines(outputs.output));
        DiffGutter { digits: last.to_string().len().max(2) }
    }

    fn width(&self) -> usize {
        self.blank_gutter().width()
    }

    fn numbered_gutter(&self, number: usize, mark: char) -> StyledLine {
        let style = if mark == '.' || mark == ' ' { TextStyle::Dim } else { TextStyle::Failure };
        let number = format!("  {number:>digits$} ", digits = self.digits);
        StyledLine::from_styled(TextStyle::Dim, number).add_styled(style, mark.to_string()).add_plain(" ")
    }

    fn blank_gutter(&self) -> StyledLine {
        StyledLine::from_plain(" ".repeat(self.digits + 5))
    }
}

fn compute_diff(outputs: &OutputDiff<'_>, gutter: &DiffGutter, options: &ReportOptions) -> Diff {
    // The name of a checker program is unknown here: its outputs are compared by the default checker.
    let checker = Checker::parse(outputs.checker).unwrap_or_default();
    let available = options.width.saturating_sub(gutter.width());
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
    diff_outputs(outputs.answer, outputs.output, &checker, &limits)
}

/// Returns the widths of both columns, if they are shown side by side.
fn side_by_side_widths(
    diff: &Diff,
    titles: [&str; 2],
    gutter: &DiffGutter,
    options: &ReportOptions,
) -> Option<[usize; 2]> {
    let available = options.width.saturating_sub(gutter.width() + SEPARATOR.len());
    let widest = |side: fn(&DiffRow) -> &Option<Vec<DiffSegment>>, title: &str| {
        let widths = diff
            .rows
            .iter()
            .filter_map(|row| side(row).as_ref())
            .map(|pieces| uniform_line(pieces, TextStyle::Plain).width());
        widths.max().unwrap_or(0).max(title.len())
    };
    let widths = [widest(|row| &row.expected, titles[0]), widest(|row| &row.found, titles[1])];
    match options.diff_style {
        DiffStyle::Inline => None,
        DiffStyle::SideBySide => Some(widths.map(|width| width.min(available / 2))),
        DiffStyle::Auto => (widths[0] + widths[1] <= available).then_some(widths),
    }
}

fn render_side_by_side(diff: &Diff, titles: [&str; 2], widths: [usize; 2], gutter: &DiffGutter) -> Vec<StyledLine> {
    // Keeps the separator of short columns at a steady position.
    let column = widths[0].max(16.min(widths[0] + widths[1]));
    let separated = |left: StyledLine, right: StyledLine| {
        left.pad_to_width(column).add_styled(TextStyle::Dim, SEPARATOR).append_line(right)
    };
    let title = |text: &str| StyledLine::from_styled(TextStyle::Dim, text);
    let mut lines = vec![gutter.blank_gutter().append_line(separated(title(titles[0]), title(titles[1])))];
    for row in &diff.rows {
        let [expected, got] = styled_sides(row).map(Option::unwrap_or_default);
        let cells = separated(expected.cut_to_width(widths[0]), got.cut_to_width(widths[1]));
        lines.push(gutter.numbered_gutter(row.number, row_marker(row.kind)).append_line(cells));
    }
    lines
}

fn render_inline(diff: &Diff, titles: [&str; 2], gutter: &DiffGutter) -> Vec<StyledLine> {
    let title = format!("- {}   + {}", titles[0], titles[1]);
    let mut lines = vec![StyledLine::from_plain(" ".repeat(gutter.width() - 2)).add_styled(TextStyle::Dim, title)];
    for row in &diff.rows {
        let [expected, got] = styled_sides(row);
        if row.kind == DiffRowKind::Same {
            lines.push(gutter.numbered_gutter(row.number, ' ').append_line(expected.unwrap_or_default()));
            continue;
        }
        lines.extend(expected.map(|line| gutter.numbered_gutter(row.number, '-').append_line(line)));
        lines.extend(got.map(|line| gutter.numbered_gutter(row.number, '+').append_line(line)));
        lines.extend(caret_line(row).map(|carets| gutter.blank_gutter().append_line(carets)));
    }
    lines
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

fn uniform_line(pieces: &[DiffSegment], style: TextStyle) -> StyledLine {
    style_pieces(pieces, style, style)
}

fn style_pieces(pieces: &[DiffSegment], base: TextStyle, emphasis: TextStyle) -> StyledLine {
    pieces.iter().fold(StyledLine::new(), |line, piece| {
        line.add_styled(if piece.emphasised { emphasis } else { base }, &piece.text)
    })
}

fn row_marker(kind: DiffRowKind) -> char {
    match kind {
        DiffRowKind::Same => '.',
        DiffRowKind::Changed => '!',
        DiffRowKind::Missing => '-',
        DiffRowKind::Extra => '+',
    }
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
    format!(
        "{} of {} {verb}{compared}{rest}",
        group_thousands(diff.differing as u128),
        count_with_noun(diff.total, "line")
    )
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
        let gutter = |answer: &[u8], output: &[u8]| {
            DiffGutter::for_outputs(&OutputDiff { titles: ["", ""], answer, output, checker: "" })
        };
        let (short, long) = (gutter(b"1\n", b"2\n"), gutter(b"1\n", &b"x\n".repeat(1_000)));
        assert_eq!(short.numbered_gutter(7, '!').render_ansi(false), "   7 !");
        assert_eq!(short.numbered_gutter(7, '!').width(), short.width());
        assert_eq!(long.numbered_gutter(1_000, '.').width(), long.width());
    }

    #[test]
    fn summary_counts_the_rows_that_are_not_shown() {
        let options = ReportOptions::default();
        let outputs = |count: usize| {
            let [answer, output] = [b"1\n", b"2\n"].map(|line| line.repeat(count));
            let outputs = OutputDiff { titles: ["", ""], answer: &answer, output: &output, checker: "" };
            diff_summary(&compute_diff(&outputs, &DiffGutter::for_outputs(&outputs), &options), &options)
        };
        assert_eq!(outputs(1), "1 of 1 line differs");
        assert_eq!(outputs(100), "100 of 100 lines differ; showing the first 12 (--all shows more)");
    }
}
