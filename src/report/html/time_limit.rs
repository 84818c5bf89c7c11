//! How the time limit compares with the measured times.

use super::chart::{Chart, ChartSeries, SeriesKind, render_chart};
use super::matrix::Verification;
use super::page::render_message;
use crate::report::units::format_duration;
use maud::{Markup, html};
use rebut_engine::event::MeasuredTime;

/// Renders the limit, the slowest submission that must stay within it, the fastest that must exceed it, and advice.
pub(super) fn render_time_limit(verification: &Verification) -> Markup {
    let Some(limit) = verification.limit.as_ref().filter(|_| !verification.started.submissions.is_empty()) else {
        return html! {};
    };
    let limit_ms = limit.cpu_time_limit_ms.max(1) as f64;
    let measured = |time: &MeasuredTime| {
        let sign = if time.was_stopped { "more than " } else { "" };
        let ratio = time.cpu_time_ms as f64 / limit_ms;
        html! {
            code { (time.submission) } " takes " (sign) (format_duration(time.cpu_time_ms)) " on " code { (time.test_case) }
            ", " (format!("{ratio:.2}")) " times the limit"
        }
    };
    html! {
        h3 { "Time limit" }
        dl.facts {
            dt { "Limit" }
            dd {
                (format_duration(limit.cpu_time_limit_ms)) " of processor time, "
                (if limit.is_stated { "as the package states" } else { "derived from the slowest accepted submission" })
            }
            @if let Some(slowest) = &limit.slowest { dt { "Slowest within it" } dd { (measured(slowest)) } }
            @if let Some(fastest) = &limit.fastest { dt { "Fastest too slow" } dd { (measured(fastest)) } }
            @for advice in &limit.advice { dt { "Advice" } dd { (render_message(advice)) } }
        }
        (render_run_times(verification, limit_ms))
    }
}

/// Renders the time of the slowest accepted submission on each test case, below the limit.
fn render_run_times(verification: &Verification, limit_ms: f64) -> Markup {
    let accepted: Vec<usize> = (0..verification.cells.len())
        .filter(|row| verification.assessed[*row].as_ref().is_some_and(|assessed| assessed.expected.is_accepted()))
        .collect();
    let slowest = |column: usize| {
        let cells = accepted.iter().filter_map(|row| verification.cells[*row][column].as_ref());
        Some(((column + 1) as f64, cells.map(|cell| cell.cpu_time_ms).max()? as f64))
    };
    let count = verification.started.test_cases.len();
    let points: Vec<(f64, f64)> = (0..count).filter_map(slowest).collect();
    if points.len() < 2 {
        return html! {};
    }
    let limit = vec![(1.0, limit_ms), (count as f64, limit_ms)];
    render_chart(&Chart {
        title: "Slowest accepted submission on each test case",
        x_label: "test case",
        y_label: "processor time (ms)",
        are_logarithmic: [false, false],
        series: vec![
            ChartSeries { name: "slowest accepted submission".to_owned(), points, kind: SeriesKind::Marks },
            ChartSeries { name: "time limit".to_owned(), points: limit, kind: SeriesKind::Dashed },
        ],
    })
}
