//! Renders a page as lines of a terminal.

use super::escape::escape_message;
use super::page::{Block, Chart, Column, List, Medium, Note, Page, SeriesKind, Table};
use super::styled_line::{StyledLine, TextStyle, flow_pieces, join_columns, wrap_uncut};
use super::units::format_work;
use super::{ReportOptions, listing, output_diff};
use rebut_diagnostics::{DiagnosticStyle, DiagnosticText};

/// Renders a page.
pub(crate) fn render_page(page: &Page<'_>, options: &ReportOptions) -> Vec<StyledLine> {
    page.blocks.iter().flat_map(|block| render_block(block, options)).collect()
}

fn render_block(block: &Block<'_>, options: &ReportOptions) -> Vec<StyledLine> {
    match block {
        Block::Title(line) | Block::Line(line) => vec![line.clone()],
        Block::Gap => vec![StyledLine::new()],
        Block::Note(note) => render_note(note, options.width),
        Block::Flow(head, facts, gap) => flow_pieces(head.clone(), facts.iter().cloned(), *gap, options.width),
        Block::List(list) => render_list(list, options),
        Block::Table(table) => render_table(table, options.width),
        Block::Listing(listing) => listing::render_listing(listing, options),
        Block::Diagnostic(text) => diagnostic_lines(text, options.width),
        Block::Diff(diff) => output_diff::render_output_diff(diff, options),
        Block::Chart(chart) => render_plot(chart),
        Block::Pair(left, right, gap) => {
            let (left, right) = (render_page(left, options), render_page(right, options));
            if right.is_empty() { left } else { join_columns(left, right, *gap, options.width) }
        }
        Block::Parts(parts) => {
            let parts = parts.iter().map(|part| render_page(part, options)).filter(|lines| !lines.is_empty());
            parts.collect::<Vec<_>>().join(&StyledLine::new())
        }
        Block::Only(Medium::Terminal, page) => render_page(page, options),
        Block::Only(..)
        | Block::Heading(..)
        | Block::Source(_)
        | Block::Figure(_)
        | Block::Image(_)
        | Block::Fold(..) => Vec::new(),
    }
}

fn render_note(note: &Note, width: usize) -> Vec<StyledLine> {
    if !note.is_cut {
        return wrap_uncut(note.head.clone(), &escape_message(&note.text), width);
    }
    let words = note.text.split_whitespace().map(|word| StyledLine::from_styled(note.style, word));
    flow_pieces(note.head.clone(), words, 1, width)
}

/// Renders a sentence for each text of a list, and the number of those that are not shown.
fn render_list(list: &List, options: &ReportOptions) -> Vec<StyledLine> {
    let shown = if options.all_rows { list.items.len() } else { list.items.len().min(list.limit) };
    let sentence = |head: StyledLine, text: &str| wrap_uncut(head, &escape_message(text), options.width);
    let mut lines: Vec<StyledLine> =
        list.items[..shown].iter().flat_map(|text| sentence(list.head.clone(), text)).collect();
    if let rest @ 1.. = list.items.len() - shown {
        let blank = StyledLine::from_styled(TextStyle::Dim, " ".repeat(list.head.width()));
        lines.extend(sentence(blank, &format!("and {rest} more (`--all` lists them)")));
    }
    lines
}

/// Renders a table, in several parts if its columns may be split.
fn render_table(table: &Table, width: usize) -> Vec<StyledLine> {
    let titles: Vec<&StyledLine> = table.columns.iter().map(|column| &column.title).collect();
    let has_titles = titles.iter().any(|title| !title.is_empty());
    let cells = table.rows.iter().map(|row| row.iter().collect());
    let rows: Vec<Vec<&StyledLine>> = has_titles.then_some(titles).into_iter().chain(cells).collect();
    let column_width = |(at, column): (usize, &Column)| {
        let widest = rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
        widest.max(column.min_width)
    };
    let widths: Vec<usize> = table.columns.iter().enumerate().map(column_width).collect();
    let mut left: Vec<usize> = (1..table.columns.len()).filter(|at| !table.columns[*at].is_detail).collect();
    let mut lines = Vec::new();
    while !left.is_empty() {
        let mut taken = table.indent + widths[0];
        let fits = |at: &&usize| {
            taken += table.columns[**at].gap + widths[**at];
            !table.is_split || taken <= width
        };
        // At least one column is shown, even on a narrow screen.
        let count = left.iter().take_while(fits).count().max(1);
        let shown: Vec<usize> = [0].into_iter().chain(left.drain(..count)).collect();
        lines.extend(table.is_split.then(StyledLine::new));
        lines.extend(rows.iter().map(|row| table_row(table, row, &shown, &widths)));
    }
    lines
}

/// Renders these columns of a row.
fn table_row(table: &Table, row: &[&StyledLine], columns: &[usize], widths: &[usize]) -> StyledLine {
    let start = StyledLine::from_plain(" ".repeat(table.indent));
    columns.iter().fold(start, |line, &at| {
        let column = &table.columns[at];
        let gap = if at == 0 { 0 } else { column.gap };
        let padding = widths[at].saturating_sub(row[at].width());
        let (before, after) = if column.is_number { (gap + padding, 0) } else { (gap, padding) };
        line.add_plain(" ".repeat(before)).append_line(row[at].clone()).add_plain(" ".repeat(after))
    })
}

/// Renders a diagnostic. Sentences are wrapped; lines that quote the source stay as they are.
pub(crate) fn diagnostic_lines(text: &DiagnosticText, width: usize) -> Vec<StyledLine> {
    let to_lines = |parts: &Vec<(DiagnosticStyle, String)>| {
        let mut line = StyledLine::new();
        for (style, text) in parts {
            let style = match (style, text.as_str()) {
                (DiagnosticStyle::Plain, _) => TextStyle::Plain,
                (DiagnosticStyle::Sentence, text) => {
                    return wrap_uncut(line.add_plain(": "), text.trim_start_matches(": "), width);
                }
                (DiagnosticStyle::Gutter, _) => TextStyle::Dim,
                (DiagnosticStyle::Word, "error") | (DiagnosticStyle::Caret, _) => TextStyle::Failure,
                (DiagnosticStyle::Word, "warning") => TextStyle::Warning,
                (DiagnosticStyle::Word, "help") | (DiagnosticStyle::Label, _) => TextStyle::Copyable,
                (DiagnosticStyle::Word, _) => TextStyle::Bold,
            };
            line.push_styled(style, text.trim_end_matches('\r'));
        }
        vec![line.into_uncut()]
    };
    text.lines.iter().flat_map(to_lines).collect()
}

/// Number of columns and rows of a plot.
const PLOT_COLUMNS: usize = 48;

const PLOT_ROWS: usize = 8;

/// Plots the marks of a chart, both axes as logarithms: `*` for the first series, `.` for the second.
fn render_plot(chart: &Chart) -> Vec<StyledLine> {
    let to_logarithms = |(x, y): &(f64, f64)| (libm::log2(x.max(1.0)), libm::log2(y.max(1.0)));
    let marked = chart.series.iter().filter(|series| series.kind == SeriesKind::Marks);
    let series: Vec<Vec<(f64, f64)>> = marked.map(|series| series.points.iter().map(to_logarithms).collect()).collect();
    let all = || series.iter().flatten();
    let low = |value: fn(&(f64, f64)) -> f64| all().map(value).fold(f64::INFINITY, f64::min);
    let high = |value: fn(&(f64, f64)) -> f64| all().map(value).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, bottom, top) = (low(|p| p.0), high(|p| p.0), low(|p| p.1), high(|p| p.1));
    let place = |value: f64, from: f64, to: f64, cells: usize| {
        (((value - from) / (to - from).max(f64::MIN_POSITIVE) * (cells - 1) as f64 + 0.5) as usize).min(cells - 1)
    };
    let mut cells = vec![[b' '; PLOT_COLUMNS]; PLOT_ROWS];
    for (points, mark) in series.iter().zip([b'*', b'.']).rev() {
        for (x, y) in points {
            let row = PLOT_ROWS - 1 - place(*y, bottom, top, PLOT_ROWS);
            cells[row][place(*x, left, right, PLOT_COLUMNS)] = mark;
        }
    }
    let [top, bottom, left, right] = [top, bottom, left, right].map(|power| format_work(libm::exp2(power)));
    let columns = top.len().max(bottom.len());
    let mut lines: Vec<StyledLine> = Vec::new();
    for (row, cells) in cells.iter().enumerate() {
        let label = if row == 0 {
            &*top
        } else if row + 1 == PLOT_ROWS {
            &*bottom
        } else {
            ""
        };
        let cells = String::from_utf8_lossy(cells);
        lines.push(StyledLine::from_plain(format!("  {label:>columns$} |{cells}")));
    }
    let gap = PLOT_COLUMNS.saturating_sub(left.len());
    lines.push(StyledLine::from_plain(format!("  {:columns$}  {left}{right:>gap$}  {}", "", chart.x_label)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_diagnostics::{Diagnostic, SourceText, Span};

    #[test]
    fn sentences_are_wrapped_and_quoted_source_is_not() {
        let source = SourceText::new("a", "1 <= n <= 100000000\n");
        let problem = Diagnostic::error("x", Span::new(0, 1), "one two three").with_caret("not a bound");
        let lines = diagnostic_lines(&problem.with_help("one two").to_styled_text(&source), 14);
        let shown: Vec<String> = lines.iter().map(|line| line.render_ansi(false)).collect();
        let expected = [
            "error: one two",
            "       three",
            " --> a:1:1",
            "1 | 1 <= n <= 100000000",
            "  | ^ not a bound",
            "  = help: one",
            "          two",
            "",
        ];
        assert_eq!(shown, expected);
        let plain = diagnostic_lines(&"error: one two three\r".into(), 14);
        assert_eq!(plain, [StyledLine::from_plain("error: one two three").into_uncut()], "this is not a diagnostic");
    }
}
