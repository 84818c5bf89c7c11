//! How the cost of submissions grows: a table, and the work over the size.

use super::chart::{Chart, ChartSeries, SeriesKind, render_chart};
use crate::report::slowness;
use maud::{Markup, html};
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{GrowthMeasured, GrowthReport, SlowCause};

/// Renders the growth of each submission, and why submissions are too slow.
pub(super) fn render_growths(reports: &[GrowthReport], causes: &[SlowCause]) -> Markup {
    html! {
        @if !reports.is_empty() || !causes.is_empty() { h3 { "Growth" } }
        @if !causes.is_empty() {
            ul.plain {
                @for cause in causes { li { code { (cause.submission) } " is " (slowness::slow_cause_text(cause)) } }
            }
        }
        @for report in reports { (render_growth(report)) }
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

/// `12,345`, or `4.31e9`.
fn format_work(work: f64) -> String {
    if work < 1e6 { group_thousands(work as u128) } else { format!("{work:.2e}") }
}

/// Renders the work on the worst inputs and on ordinary ones, and the prediction for the largest size.
fn render_plot(report: &GrowthReport, worst: &GrowthMeasured) -> Markup {
    let points = |row: &GrowthMeasured| -> Vec<(f64, f64)> {
        row.samples.iter().map(|sample| (sample.size as f64, sample.work as f64)).collect()
    };
    let series = |row: &GrowthMeasured| {
        let law = row.law.as_ref().map(|law| format!(", as {law}")).unwrap_or_default();
        ChartSeries { name: shape_name(row).to_owned() + &law, points: points(row), kind: SeriesKind::Line }
    };
    let ordinary =
        report.rows.iter().find(|row| row.axis == worst.axis && row.shape.is_empty() && !std::ptr::eq(*row, worst));
    let mut shown = vec![series(worst)];
    shown.extend(ordinary.map(series));
    if let (false, Some(last)) = (worst.is_measured, points(worst).last()) {
        let end = (worst.max_size as f64, worst.predicted_work);
        let (name, kind) = ("prediction for the largest size".to_owned(), SeriesKind::Prediction);
        shown.push(ChartSeries { name, points: vec![*last, end], kind });
    }
    let (title, x_label) = (format!("Work of {} over {}", report.submission, worst.axis), worst.axis.as_str());
    let y_label = if worst.unit == "branches" { "executed branches" } else { "processor time (us)" };
    render_chart(&Chart { title: &title, x_label, y_label, are_logarithmic: [true, true], series: shown })
}
