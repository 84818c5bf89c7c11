//! Several submissions side by side: how the cost of each grows with each size.

use super::growth_table::{format_predicted_time, law_text};
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::TABLE_GAP;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{GrowthMeasured, GrowthReport};

/// A table with a line for each size, and two columns about sizes before those of the submissions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GrowthComparison {
    /// The names of the submissions.
    pub(crate) submissions: Vec<String>,
    /// The lines.
    pub(crate) lines: Vec<ComparedSize>,
}

/// A size, and the growth with it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ComparedSize {
    /// The name of what grows.
    pub(crate) axis: String,
    /// The largest size.
    pub(crate) most: String,
    /// Of each submission the law on its worst inputs, and the time at the largest size; empty if it was not measured.
    pub(crate) growths: Vec<String>,
}

/// Compares the growth of submissions. Returns `None` if there are not several.
pub(crate) fn compare_growths(reports: &[GrowthReport]) -> Option<GrowthComparison> {
    let [first, _, ..] = reports else { return None };
    let mut axes: Vec<&GrowthMeasured> = Vec::new();
    for row in first.rows.iter().chain(reports[1..].iter().flat_map(|report| &report.rows)) {
        if axes.iter().all(|known| known.axis != row.axis) {
            axes.push(row);
        }
    }
    let to_line = |axis: &GrowthMeasured| ComparedSize {
        axis: axis.axis.clone(),
        most: group_thousands(axis.max_size.into()),
        growths: reports.iter().map(|report| growth_text(report, &axis.axis)).collect(),
    };
    Some(GrowthComparison {
        submissions: reports.iter().map(|report| report.submission.clone()).collect(),
        lines: axes.into_iter().map(to_line).collect(),
    })
}

/// Describes the worst growth with a size: `n^2, ~20.0 s`.
fn growth_text(report: &GrowthReport, axis: &str) -> String {
    // The rows begin with the one that costs the most.
    let Some(row) = report.rows.iter().find(|row| row.axis == axis) else { return String::new() };
    let sign = if row.is_measured { "" } else { "~" };
    format!("{}, {sign}{}", law_text(row), format_predicted_time(row.predicted_ms))
}

/// Renders the table.
pub(crate) fn render_comparison(comparison: &GrowthComparison, width: usize) -> Vec<StyledLine> {
    let head: Vec<&str> =
        ["size", "at most"].into_iter().chain(comparison.submissions.iter().map(String::as_str)).collect();
    let to_cells = |line: &'_ ComparedSize| -> Vec<String> {
        [line.axis.clone(), line.most.clone()].into_iter().chain(line.growths.iter().cloned()).collect()
    };
    let lines: Vec<Vec<String>> = comparison.lines.iter().map(to_cells).collect();
    let widths: Vec<usize> = head
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let longest = lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
            longest.max(name.chars().count()) + TABLE_GAP
        })
        .collect();
    let to_text = |cells: &[&str]| {
        let padded: String = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("  {}", padded.trim_end())
    };
    let mut rendered = vec![
        StyledLine::new().add_styled(TextStyle::Bold, "side by side"),
        StyledLine::new().add_styled(TextStyle::Dim, to_text(&head)),
    ];
    rendered.extend(
        lines
            .iter()
            .map(|cells| StyledLine::from_plain(to_text(&cells.iter().map(String::as_str).collect::<Vec<_>>()))),
    );
    rendered.into_iter().map(|line| line.cut_to_width(width)).collect()
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn report(name: &str, rows: &[(&str, &str, f64)]) -> GrowthReport {
        let to_row = |(axis, law, ms): &(&str, &str, f64)| GrowthMeasured {
            submission: name.to_owned(),
            axis: (*axis).to_owned(),
            shape: String::new(),
            unit: "branches",
            law: Some((*law).to_owned()),
            error: 0.0,
            exponents: (1.0, 1.0),
            samples: Vec::new(),
            fitted: Vec::new(),
            max_size: 200_000,
            predicted_work: 1e6,
            predicted_ms: *ms,
            is_measured: *ms < 100.0,
            time_limit_ms: 1000,
        };
        GrowthReport { submission: name.to_owned(), rows: rows.iter().map(to_row).collect() }
    }

    #[test]
    fn submissions_are_compared_by_their_worst_growth_with_each_size() {
        let fast = report("fast.cpp", &[("n", "n log n", 20.0), ("n", "n", 5.0)]);
        let slow = report("slow.cpp", &[("q", "n", 900.0), ("n", "n^2", 20_000.0)]);
        assert_eq!(compare_growths(std::slice::from_ref(&fast)), None);
        let comparison = compare_growths(&[fast, slow]).expect("a comparison");
        let shown: Vec<String> =
            render_comparison(&comparison, 80).iter().map(|line| line.render_ansi(false)).collect();
        assert_eq!(
            shown,
            [
                "side by side",
                "  size  at most  fast.cpp        slow.cpp",
                "  n     200,000  n log n, 20 ms  n^2, ~20.0 s",
                "  q     200,000                  n, ~0.9 s",
            ]
        );
    }
}
