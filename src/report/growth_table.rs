//! Renders how the cost of a submission grows: a table, the worst growth first, and a plot of the worst.

use super::ReportOptions;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::TABLE_GAP;
use super::units::format_duration;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{GrowthMeasured, GrowthReport, GrowthSample};

/// Number of columns and rows of the plot.
const PLOT_COLUMNS: usize = 48;
const PLOT_ROWS: usize = 8;

/// A law whose mean relative error is larger is marked as rough.
const MAX_ERROR: f64 = 0.1;

/// Renders the table and the plot.
pub(crate) fn render_growth(report: &GrowthReport, options: &ReportOptions) -> Vec<StyledLine> {
    let Some(worst) = report.rows.first() else {
        let text = format!("{}: no input of any size was made, or each run was too slow", report.submission);
        return vec![StyledLine::new().add_styled(TextStyle::Warning, text)];
    };
    let unit = if worst.unit == "branches" { "executed branches" } else { "processor time in microseconds" };
    let mut lines =
        vec![StyledLine::new().add_styled(TextStyle::Bold, &report.submission).add_plain(format!("  work in {unit}"))];
    lines.extend(render_rows(&report.rows));
    lines.push(StyledLine::new());
    let ordinary = report.rows.iter().find(|row| row.axis == worst.axis && row.shape.is_empty());
    lines.extend(render_plot(worst, ordinary.filter(|row| !std::ptr::eq(*row, worst))));
    lines.into_iter().map(|line| line.cut_to_width(options.width)).collect()
}

/// Renders a line for each row, in columns.
fn render_rows(rows: &[GrowthMeasured]) -> Vec<StyledLine> {
    let cells: Vec<[String; 5]> = rows.iter().map(to_cells).collect();
    let head = ["size", "growth", "at most", "work", "time"].map(str::to_owned);
    let width = |column: usize| {
        cells.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0) + TABLE_GAP
    };
    let widths: [usize; 5] = std::array::from_fn(width);
    let to_line = |cells: &[String; 5]| {
        let [axis, law, most, work, time] = cells;
        let [a, b, c, d, e] = widths;
        format!("  {axis:a$}{law:b$}{most:>c$}{work:>d$}{time:>e$}")
    };
    let mut lines = vec![StyledLine::new().add_styled(TextStyle::Dim, to_line(&head) + "  inputs")];
    for (row, cells) in rows.iter().zip(&cells) {
        let is_slow = row.predicted_ms > row.time_limit_ms as f64;
        let style = if is_slow { TextStyle::Failure } else { TextStyle::Plain };
        let shape = if row.shape.is_empty() { "ordinary" } else { &row.shape };
        let line = StyledLine::new().add_styled(style, to_line(cells)).add_plain(format!("  {shape}"));
        lines.push(if is_slow {
            line.add_styled(TextStyle::Failure, format!(", over {}", format_duration(row.time_limit_ms)))
        } else {
            line
        });
    }
    lines
}

/// Returns the cells of a row: what grows, the law, the largest size, and the work and time there.
fn to_cells(row: &GrowthMeasured) -> [String; 5] {
    let sign = if row.is_measured { "" } else { "~" };
    let time = format_predicted_time(row.predicted_ms);
    [
        row.axis.clone(),
        law_text(row),
        group_thousands(row.max_size.into()),
        format!("{sign}{}", format_work(row.predicted_work)),
        format!("{sign}{time}"),
    ]
}

/// Returns the law of a row.
pub(crate) fn law_text(row: &GrowthMeasured) -> String {
    match &row.law {
        Some(law) if row.error > MAX_ERROR => format!("about {law}"),
        Some(law) => law.clone(),
        None => "too few sizes".to_owned(),
    }
}

/// Formats a predicted time, of which centuries are as good as years.
pub(crate) fn format_predicted_time(ms: f64) -> String {
    const DAY_MS: f64 = 86_400_000.0;
    match ms {
        ms if ms < DAY_MS => format_duration(ms as u64),
        ms if ms < 1000.0 * DAY_MS => format!("{:.0} days", ms / DAY_MS),
        _ => "years".to_owned(),
    }
}

/// Formats an amount of work with three digits: `4.31e9`.
pub(crate) fn format_work(work: f64) -> String {
    if work < 1e6 { group_thousands(work as u128) } else { format!("{work:.2e}") }
}

/// Plots work over size, both as logarithms: `*` for the worst inputs, `.` for ordinary ones.
fn render_plot(worst: &GrowthMeasured, ordinary: Option<&GrowthMeasured>) -> Vec<StyledLine> {
    let points = |row: &GrowthMeasured| row.samples.iter().map(to_logarithms).collect::<Vec<(f64, f64)>>();
    let (worst_points, ordinary_points) = (points(worst), ordinary.map(points).unwrap_or_default());
    let all = || worst_points.iter().chain(&ordinary_points);
    let low = |value: fn(&(f64, f64)) -> f64| all().map(value).fold(f64::INFINITY, f64::min);
    let high = |value: fn(&(f64, f64)) -> f64| all().map(value).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, bottom, top) = (low(|p| p.0), high(|p| p.0), low(|p| p.1), high(|p| p.1));
    let place = |value: f64, from: f64, to: f64, cells: usize| {
        ((value - from) / (to - from).max(f64::MIN_POSITIVE) * (cells - 1) as f64 + 0.5) as usize
    };
    let mut cells = vec![[b' '; PLOT_COLUMNS]; PLOT_ROWS];
    for (points, mark) in [(&ordinary_points, b'.'), (&worst_points, b'*')] {
        for (size, work) in points {
            let row = PLOT_ROWS - 1 - place(*work, bottom, top, PLOT_ROWS).min(PLOT_ROWS - 1);
            cells[row][place(*size, left, right, PLOT_COLUMNS).min(PLOT_COLUMNS - 1)] = mark;
        }
    }
    let labels = [format_work(libm::exp2(top)), format_work(libm::exp2(bottom))];
    let columns = labels.iter().map(String::len).max().unwrap_or(0);
    let label = |row: usize| match row {
        0 => labels[0].as_str(),
        row if row + 1 == PLOT_ROWS => labels[1].as_str(),
        _ => "",
    };
    let to_line = |(row, cells): (usize, &[u8; PLOT_COLUMNS])| {
        let text = String::from_utf8_lossy(cells);
        StyledLine::from_plain(format!("  {:>columns$} |{}", label(row), text.trim_end()))
    };
    let mut lines: Vec<StyledLine> = cells.iter().enumerate().map(to_line).collect();
    let (first, last) = (format_work(libm::exp2(left)), format_work(libm::exp2(right)));
    let gap = PLOT_COLUMNS.saturating_sub(first.len());
    lines.push(StyledLine::from_plain(format!("  {:columns$}  {first}{last:>gap$}  {}", "", worst.axis)));
    lines
}

fn to_logarithms(sample: &GrowthSample) -> (f64, f64) {
    (libm::log2(sample.size.max(1) as f64), libm::log2(sample.work.max(1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shape: &str, law: &str, work: fn(u64) -> u64) -> GrowthMeasured {
        let sizes = (4..=12).map(|power| 1_u64 << power);
        let sample = |size| GrowthSample { size, work: work(size), hottest: size, cpu_time_us: 1000 };
        GrowthMeasured {
            submission: "a.cpp".to_owned(),
            axis: "n".to_owned(),
            shape: shape.to_owned(),
            unit: "branches",
            law: Some(law.to_owned()),
            error: 0.01,
            exponents: (1.0, 1.0),
            samples: sizes.map(sample).collect(),
            fitted: Vec::new(),
            max_size: 200_000,
            predicted_work: work(200_000) as f64,
            predicted_ms: work(200_000) as f64 / 1e6,
            is_measured: false,
            time_limit_ms: 2000,
        }
    }

    #[test]
    fn worst_growth_is_first_and_plotted_beside_ordinary_inputs() {
        let rows = vec![row("numbers/sorted", "n^2", |n| n * n), row("", "n", |n| 16 * n)];
        let report = GrowthReport { submission: "a.cpp".to_owned(), rows };
        let lines = render_growth(&report, &ReportOptions::default());
        let text: Vec<String> = lines.iter().map(|line| line.render_ansi(false).trim_end().to_owned()).collect();
        assert_eq!(text[0], "a.cpp  work in executed branches");
        assert!(text[2].contains("n^2") && text[2].ends_with("numbers/sorted, over 2.0 s"), "{}", text[2]);
        assert!(text[3].ends_with("ordinary") && text[3].contains("~3.20e6"), "{}", text[3]);
        let plot = &text[5..];
        assert_eq!(plot.len(), PLOT_ROWS + 1);
        assert!(plot[0].starts_with("  1.68e7 |") && plot[0].ends_with('*'), "{}", plot[0]);
        assert!(plot.iter().any(|line| line.contains('.')));
        assert!(plot[PLOT_ROWS].contains("16") && plot[PLOT_ROWS].ends_with("4,096  n"), "{}", plot[PLOT_ROWS]);
    }
}
