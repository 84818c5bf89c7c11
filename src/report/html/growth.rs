//! How the cost of submissions grows: a table, and the work over the size.

use super::chart::{Chart, ChartSeries, SeriesKind, render_chart};
use crate::report::growth_comparison::{GrowthComparison, compare_growths};
use crate::report::growth_table::format_work;
use crate::report::slowness;
use maud::{Markup, html};
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{GrowthMeasured, GrowthReport, SlowCause, WorkMargins};

/// Renders the growth of each submission, and why submissions are too slow.
pub(super) fn render_growths(reports: &[GrowthReport], causes: &[SlowCause], margins: Option<&WorkMargins>) -> Markup {
    html! {
        @if !reports.is_empty() || !causes.is_empty() || margins.is_some() { h3 { "Growth" } }
        @if !causes.is_empty() {
            ul.plain {
                @for cause in causes { li { code { (cause.submission) } " is " (slowness::slow_cause_text(cause)) } }
            }
        }
        @if let Some(margins) = margins {
            ul.plain { @for fact in slowness::work_margin_facts(margins) { li { (fact) } } }
        }
        @if let Some(comparison) = compare_growths(reports) { (render_comparison(&comparison)) }
        @for report in reports { (render_growth(report)) }
    }
}

/// Renders the growth of several submissions side by side.
fn render_comparison(comparison: &GrowthComparison) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label="Submissions side by side" {
            table {
                thead {
                    tr {
                        th scope="col" { "Size" } th scope="col" { "At most" }
                        @for name in &comparison.submissions { th scope="col" { code { (name) } } }
                    }
                }
                tbody {
                    @for line in &comparison.lines {
                        tr {
                            th scope="row" { code { (line.axis) } }
                            td.number { (line.most) }
                            @for growth in &line.growths { td { (growth) } }
                        }
                    }
                }
            }
        }
    }
}

fn render_growth(report: &GrowthReport) -> Markup {
    html! {
        h4 { code { (report.submission) } }
        @if report.rows.is_empty() { p { "No input of any size was made, or each run was too slow." } }
        @else {
            div.scroll tabindex="0" role="group" aria-label={ "Growth of " (report.submission) } {
                table {
                    thead {
                        tr {
                            th scope="col" { "Size" } th scope="col" { "Inputs" } th scope="col" { "Growth" }
                            th scope="col" { "Exponent" } th scope="col" { "At most" } th scope="col" { "Work there" }
                        }
                    }
                    tbody { @for row in &report.rows { (render_row(row)) } }
                }
            }
            @if let Some(worst) = report.rows.first() { (render_plot(report, worst)) }
        }
    }
}

fn render_row(row: &GrowthMeasured) -> Markup {
    let (low, high) = row.exponents;
    html! {
        tr {
            th scope="row" { code { (row.axis) } }
            td { (shape_name(row)) }
            td { (row.law.as_deref().unwrap_or("too few sizes")) }
            td.number { (format!("{low:.1} to {high:.1}")) }
            td.number { (group_thousands(row.max_size.into())) }
            td.number { @if !row.is_measured { "about " } (format_work(row.predicted_work)) }
        }
    }
}

fn shape_name(row: &GrowthMeasured) -> &str {
    if row.shape.is_empty() { "ordinary" } else { &row.shape }
}

/// Renders the work on the worst inputs and on ordinary ones, each with its law up to the largest size.
fn render_plot(report: &GrowthReport, worst: &GrowthMeasured) -> Markup {
    let ordinary =
        report.rows.iter().find(|row| row.axis == worst.axis && row.shape.is_empty() && !std::ptr::eq(*row, worst));
    let series =
        [Some(worst), ordinary].into_iter().flatten().flat_map(|row| [Some(measured_work(row)), fitted_law(row)]);
    let (title, x_label) = (format!("Work of {} over {}", report.submission, worst.axis), worst.axis.as_str());
    let y_label = if worst.unit == "branches" { "executed branches" } else { "processor time (us)" };
    let series = series.flatten().collect();
    render_chart(&Chart { title: &title, x_label, y_label, are_logarithmic: [true, true], series })
}

fn measured_work(row: &GrowthMeasured) -> ChartSeries {
    let points = row.samples.iter().map(|sample| (sample.size as f64, sample.work as f64)).collect();
    ChartSeries { name: format!("{} inputs", shape_name(row)), points, kind: SeriesKind::Marks }
}

fn fitted_law(row: &GrowthMeasured) -> Option<ChartSeries> {
    let points = row.fitted.iter().map(|fitted| (fitted.size as f64, fitted.work)).collect();
    Some(ChartSeries { name: format!("{}, fitted to them", row.law.as_ref()?), points, kind: SeriesKind::Dashed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::{FittedWork, GrowthSample};

    fn row(shape: &str, law: Option<&str>) -> GrowthMeasured {
        let sample = |size| GrowthSample { size, work: size * size, hottest: size, cpu_time_us: size };
        let fitted = |size| FittedWork { size, work: (size * size) as f64 };
        GrowthMeasured {
            submission: "a.cpp".to_owned(),
            axis: "n".to_owned(),
            shape: shape.to_owned(),
            unit: "branches",
            law: law.map(str::to_owned),
            error: 0.0,
            exponents: (2.0, 2.0),
            samples: [10, 100, 1000].map(sample).into(),
            fitted: law.iter().flat_map(|_| [10, 100, 1000, 10_000].map(fitted)).collect(),
            max_size: 10_000,
            predicted_work: 1e8,
            predicted_ms: 100.0,
            is_measured: false,
            time_limit_ms: 1000,
        }
    }

    fn plot(rows: Vec<GrowthMeasured>) -> String {
        let report = GrowthReport { submission: "a.cpp".to_owned(), rows };
        render_plot(&report, &report.rows[0]).into_string()
    }

    #[test]
    fn the_law_is_drawn_through_the_measurements_to_the_largest_size() {
        let both = plot(vec![row("numbers/sorted", Some("n^2")), row("", Some("n log n"))]);
        // A path in the chart, and one in the legend, for each law.
        assert_eq!(both.matches("class=\"dashed\"").count(), 4, "{both}");
        assert!(both.contains("numbers/sorted inputs") && both.contains("n log n, fitted to them"), "{both}");
        let without_law = plot(vec![row("", None)]);
        assert!(!without_law.contains("dashed") && without_law.contains("ordinary inputs"), "{without_law}");
    }
}
