//! How the cost of submissions grows with sizes, what makes inputs slow, and how the time limit compares with the work.

use crate::report::page::{Block, Chart, ChartSeries, Column, Page, SeriesKind, Table};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::{format_duration, format_ratio, format_work};
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{
    CountedWork, FindingSlowness, GrowthMeasured, GrowthReport, SlowCause, SlowCauseKind, WorkMargins,
};

/// Maximum mean relative error of a law that is not marked as rough.
const MAX_ERROR: f64 = 0.1;

/// Returns how the cost of a submission grows: a table, the worst growth first, and a plot of the worst.
pub(crate) fn growth_page(report: &GrowthReport) -> Page<'_> {
    let mut page = Page::default();
    let Some(worst) = report.rows.first() else {
        let text = format!("{}: no input of any size was made, or each run was too slow", report.submission);
        page.add_line(StyledLine::from_styled(TextStyle::Warning, text));
        return page;
    };
    let (unit, y_label) = match worst.unit {
        "branches" => ("executed branches", "executed branches"),
        _ => ("processor time in microseconds", "processor time (us)"),
    };
    let title = StyledLine::from_styled(TextStyle::Bold, &report.submission).add_plain(format!("  work in {unit}"));
    page.push(Block::Title(title));
    page.push(Block::Table(growth_table(report)));
    page.push(Block::Gap);
    page.push(Block::Chart(growth_chart(report, worst, y_label)));
    page
}

fn growth_table(report: &GrowthReport) -> Table {
    let columns = [
        Column::of_texts("size"),
        Column::of_texts("growth"),
        Column { is_detail: true, ..Column::of_texts("exponent") },
        Column { gap: 4, ..Column::of_numbers("at most") },
        Column::of_numbers("work"),
        Column::of_numbers("time"),
        Column::of_texts("inputs"),
    ];
    Table::new(format!("Growth of {}", report.submission), columns, report.rows.iter().map(growth_row)).with_indent(2)
}

/// Returns the cells of a row: what grows, the law, the largest size, the work and time there, and the inputs.
fn growth_row(row: &GrowthMeasured) -> Vec<StyledLine> {
    let is_slow = row.predicted_ms > row.time_limit_ms as f64;
    let style = if is_slow { TextStyle::Failure } else { TextStyle::Plain };
    let sign = if row.is_measured { "" } else { "~" };
    let (low, high) = row.exponents;
    let cells = [
        row.axis.clone(),
        law_text(row),
        format!("{low:.1} to {high:.1}"),
        group_thousands(row.max_size.into()),
        format!("{sign}{}", format_work(row.predicted_work)),
        format!("{sign}{}", format_predicted_time(row.predicted_ms)),
    ];
    let limit = if is_slow { format!(", over {}", format_duration(row.time_limit_ms)) } else { String::new() };
    let inputs = StyledLine::from_plain(shape_name(row)).add_styled(TextStyle::Failure, limit);
    cells.map(|text| StyledLine::from_styled(style, text)).into_iter().chain([inputs]).collect()
}

fn shape_name(row: &GrowthMeasured) -> &str {
    if row.shape.is_empty() { "ordinary" } else { &row.shape }
}

fn law_text(row: &GrowthMeasured) -> String {
    match &row.law {
        Some(law) if row.error > MAX_ERROR => format!("about {law}"),
        Some(law) => law.clone(),
        None => "too few sizes".to_owned(),
    }
}

/// Formats a predicted time, of which centuries are as good as years.
fn format_predicted_time(ms: f64) -> String {
    const DAY_MS: f64 = 86_400_000.0;
    match ms {
        ms if ms < DAY_MS => format_duration(ms as u64),
        ms if ms < 1000.0 * DAY_MS => format!("{:.0} days", ms / DAY_MS),
        _ => "years".to_owned(),
    }
}

/// Returns the work on the worst inputs and on ordinary ones, each with its law up to the largest size.
fn growth_chart(report: &GrowthReport, worst: &GrowthMeasured, y_label: &str) -> Chart {
    let is_ordinary =
        |row: &&GrowthMeasured| row.axis == worst.axis && row.shape.is_empty() && !std::ptr::eq(*row, worst);
    let rows = [Some(worst), report.rows.iter().find(is_ordinary)];
    let series = rows.into_iter().flatten().flat_map(|row| [Some(measured_work(row)), fitted_law(row)]);
    Chart {
        title: format!("Work of {} over {}", report.submission, worst.axis),
        x_label: worst.axis.clone(),
        y_label: y_label.to_owned(),
        x_names: Vec::new(),
        are_logarithmic: [true, true],
        series: series.flatten().collect(),
    }
}

fn measured_work(row: &GrowthMeasured) -> ChartSeries {
    let points = row.samples.iter().map(|sample| (sample.size as f64, sample.work as f64)).collect();
    ChartSeries { name: format!("{} inputs", shape_name(row)), points, kind: SeriesKind::Marks }
}

fn fitted_law(row: &GrowthMeasured) -> Option<ChartSeries> {
    let points = row.fitted.iter().map(|fitted| (fitted.size as f64, fitted.work)).collect();
    Some(ChartSeries { name: format!("{}, fitted to them", row.law.as_ref()?), points, kind: SeriesKind::Dashed })
}

/// Returns several submissions side by side: for each size its growth with each of them.
pub(crate) fn growth_comparison<'a>(reports: &[&GrowthReport]) -> Page<'a> {
    let mut page = Page::default();
    if reports.len() < 2 {
        return page;
    }
    let mut axes: Vec<&GrowthMeasured> = Vec::new();
    for row in reports.iter().flat_map(|report| &report.rows) {
        if axes.iter().all(|known| known.axis != row.axis) {
            axes.push(row);
        }
    }
    let names = reports.iter().map(|report| Column::of_texts(&report.submission));
    let row = |axis: &&GrowthMeasured| {
        let growths = reports.iter().map(|report| StyledLine::from(growth_text(report, &axis.axis)));
        let start = [StyledLine::from(axis.axis.as_str()), group_thousands(axis.max_size.into()).into()];
        start.into_iter().chain(growths).collect()
    };
    page.push(Block::Title(StyledLine::from_styled(TextStyle::Bold, "side by side")));
    let columns: Vec<Column> = ["size", "at most"].map(Column::of_texts).into_iter().chain(names).collect();
    page.push(Block::Table(Table::new("Submissions side by side", columns, axes.iter().map(row)).with_indent(2)));
    page
}

/// Describes the worst growth with a size: `n^2, ~20.0 s`; empty if it was not measured.
fn growth_text(report: &GrowthReport, axis: &str) -> String {
    // The rows begin with the one that costs the most.
    let Some(row) = report.rows.iter().find(|row| row.axis == axis) else { return String::new() };
    let sign = if row.is_measured { "" } else { "~" };
    format!("{}, {sign}{}", law_text(row), format_predicted_time(row.predicted_ms))
}

/// Returns why a submission of a package is too slow.
pub(crate) fn slow_cause_page(cause: &SlowCause) -> Page<'_> {
    let mut page = Page::default();
    page.add_cut_note(StyledLine::from_label(0, TextStyle::Bold, &cause.submission, "  "), slow_cause_text(cause));
    page
}

/// Returns how far the time limit is from the counted work of the submissions.
pub(crate) fn work_margins_page(margins: &WorkMargins) -> Page<'_> {
    let mut page = Page::default();
    for fact in work_margin_facts(margins) {
        page.add_cut_note(StyledLine::from_label(0, TextStyle::Bold, "work", "  "), fact);
    }
    page
}

/// Describes the growth of the work on such inputs, how it compares with others, and from which size on it is too much.
pub(crate) fn slowness_facts(slowness: &FindingSlowness) -> Vec<String> {
    let FindingSlowness { axis, law, ordinary_law, times_ordinary, times_reference, .. } = slowness;
    let number = |number: u64| group_thousands(number.into());
    let law = law.as_ref().map(|law| {
        let ordinary = ordinary_law.as_ref().map(|law| format!("; on random inputs as {law}")).unwrap_or_default();
        format!("the work grows as {law} in {axis}{ordinary}")
    });
    let reference = times_reference
        .map(|times| format!(", and {} times that of the reference on the same input", format_ratio(times)))
        .unwrap_or_default();
    let compared = format!(
        "at {axis} = {} it is {} times that of random inputs of this size{reference}",
        number(slowness.compared_size),
        format_ratio(*times_ordinary)
    );
    let smallest =
        slowness.smallest_size.map(|smallest| format!("it fails from about {axis} = {} on", number(smallest)));
    law.into_iter().chain([compared]).chain(smallest).collect()
}

/// `too slow by growth: n^2 against n log n in n; at 100,000 about 90 times the work of fast.cpp`.
fn slow_cause_text(cause: &SlowCause) -> String {
    let SlowCause { accepted, axis, .. } = cause;
    let laws = match (&cause.law, &cause.accepted_law) {
        (Some(law), Some(accepted_law)) => format!("{law} against {accepted_law} in {axis}"),
        _ => format!("in {axis}"),
    };
    let verdict = match cause.kind {
        SlowCauseKind::Growth => "too slow by growth",
        SlowCauseKind::ConstantFactor => "too slow only by a constant factor",
    };
    let (times, size) = (format_ratio(cause.times_accepted), group_thousands(cause.max_size.into()));
    format!("{verdict}: {laws}; at {size} about {times} times the work of {accepted}")
}

/// Describes the work on both sides of the time limit, and which limits keep the required factors.
fn work_margin_facts(margins: &WorkMargins) -> Vec<String> {
    let WorkMargins { costliest, slow, .. } = margins;
    let mut facts = vec![format!("{} needs the most within the limit: {}", costliest.submission, work_text(costliest))];
    facts.extend(slow.iter().map(|slow| {
        let times = format_ratio(slow.times_accepted);
        let (name, work) = (&slow.run.submission, work_text(&slow.run));
        format!("{name} must exceed it: {work}, {times} times those of submissions within it")
    }));
    facts.extend(limit_facts(margins));
    if !margins.uncounted.is_empty() {
        facts.push(format!("not counted, because of the language: {}", margins.uncounted.join(", ")));
    }
    facts
}

/// `at least 12,000,000 branches on secret/3`.
fn work_text(run: &CountedWork) -> String {
    let at_least = if run.was_stopped { "at least " } else { "" };
    format!("{at_least}{} branches on {}", group_thousands(run.work.into()), run.test_case)
}

/// Compares the limit with the work, converted to time.
fn limit_facts(margins: &WorkMargins) -> Vec<String> {
    let (Some(below), Some((smallest, largest))) = (margins.limit_to_costliest, margins.limits_ms) else {
        return vec!["the submissions within the limit are too fast here to say how long a branch takes".to_owned()];
    };
    let limit = format_duration(margins.cpu_time_limit_ms);
    let above = margins.least_slow_to_limit.map(|times| {
        format!(", and the least work of those that must exceed it takes {} times the limit", format_ratio(times))
    });
    let margins_text = format!(
        "the limit of {limit} is {} times the time of {}{}",
        format_ratio(below),
        margins.costliest.submission,
        above.unwrap_or_default()
    );
    let advice = match largest {
        Some(largest) if largest < smallest => {
            "by these counts, no limit keeps the required factors on both sides".to_owned()
        }
        Some(largest) => format!(
            "by these counts, limits from {} to {} keep the required factors on both sides",
            format_duration(smallest),
            format_duration(largest)
        ),
        None => format!("by these counts, limits from {} on keep the required factor", format_duration(smallest)),
    };
    vec![margins_text, advice]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ReportOptions;
    use crate::report::lines::render_page;
    use rebut_engine::event::{FittedWork, GrowthSample, SlowWork};

    fn rendered(page: &Page<'_>) -> Vec<String> {
        render_page(page, &ReportOptions::default()).iter().map(|line| line.render_ansi(false)).collect()
    }

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
            fitted: [FittedWork { size: 16, work: 16.0 }].into(),
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
        let text = rendered(&growth_page(&report));
        assert_eq!(text[0], "a.cpp  work in executed branches");
        assert!(text[2].contains("n^2") && text[2].ends_with("numbers/sorted, over 2.0 s"), "{}", text[2]);
        assert!(text[3].ends_with("ordinary") && text[3].contains("~3.20e6"), "{}", text[3]);
        let plot = &text[5..];
        assert_eq!(plot.len(), 9);
        assert!(plot[0].starts_with("  1.68e7 |") && plot[0].ends_with('*'), "{}", plot[0]);
        assert!(plot.iter().any(|line| line.contains('.')));
        assert!(plot[8].contains("16") && plot[8].ends_with("4,096  n"), "{}", plot[8]);
    }

    #[test]
    fn the_law_is_drawn_with_the_measurements() {
        let rows = vec![row("numbers/sorted", "n^2", |n| n * n), row("", "n log n", |n| n)];
        let report = GrowthReport { submission: "a.cpp".to_owned(), rows };
        let chart = |report: &GrowthReport| {
            growth_chart(report, &report.rows[0], "").series.into_iter().map(|s| s.name).collect::<Vec<_>>()
        };
        let names = ["numbers/sorted inputs", "n^2, fitted to them", "ordinary inputs", "n log n, fitted to them"];
        assert_eq!(chart(&report), names);
        let without_law = GrowthMeasured { law: None, ..row("", "", |n| n) };
        assert_eq!(chart(&GrowthReport { rows: vec![without_law], ..report }), ["ordinary inputs"]);
    }

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
        assert!(growth_comparison(&[&fast]).is_empty());
        let shown = rendered(&growth_comparison(&[&fast, &slow]));
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

    #[test]
    fn margins_state_the_work_and_the_limits_that_keep_the_factors() {
        let run = |submission: &str, work, was_stopped| CountedWork {
            submission: submission.to_owned(),
            test_case: "secret/3".to_owned(),
            work,
            was_stopped,
        };
        let margins = WorkMargins {
            costliest: run("accepted/a.cpp", 1_500_000, false),
            slow: vec![SlowWork { run: run("time_limit_exceeded/b.cpp", 90_000_000, true), times_accepted: 60.4 }],
            cpu_time_limit_ms: 1000,
            us_per_million: Some(1000.0),
            limit_to_costliest: Some(9.5),
            least_slow_to_limit: Some(6.0),
            limits_ms: Some((300, Some(4000))),
            uncounted: vec!["accepted/c.py".to_owned()],
        };
        assert_eq!(
            work_margin_facts(&margins),
            [
                "accepted/a.cpp needs the most within the limit: 1,500,000 branches on secret/3",
                "time_limit_exceeded/b.cpp must exceed it: at least 90,000,000 branches on secret/3, 60 times those of \
                 submissions within it",
                "the limit of 1.0 s is 9.5 times the time of accepted/a.cpp, and the least work of those that must \
                 exceed it takes 6.0 times the limit",
                "by these counts, limits from 0.3 s to 4.0 s keep the required factors on both sides",
                "not counted, because of the language: accepted/c.py",
            ]
        );
        let narrow = WorkMargins { limits_ms: Some((300, Some(200))), uncounted: Vec::new(), ..margins.clone() };
        assert!(work_margin_facts(&narrow).iter().any(|fact| fact.contains("no limit keeps")));
        let fast = WorkMargins { limits_ms: None, limit_to_costliest: None, ..margins };
        assert!(work_margin_facts(&fast).iter().any(|fact| fact.contains("too fast here")));
    }

    #[test]
    fn facts_state_law_ratios_and_smallest_size() {
        let slowness = FindingSlowness {
            axis: "n".to_owned(),
            size: 200_000,
            smallest_size: Some(88_855),
            law: Some("n^2".to_owned()),
            ordinary_law: Some("n log n".to_owned()),
            compared_size: 11_023,
            times_ordinary: 201.3,
            times_reference: Some(3.12),
            recipe: String::new(),
        };
        let facts = slowness_facts(&slowness);
        assert_eq!(
            facts,
            [
                "the work grows as n^2 in n; on random inputs as n log n",
                "at n = 11,023 it is 201 times that of random inputs of this size, and 3.1 times that of the reference on \
                 the same input",
                "it fails from about n = 88,855 on",
            ]
        );
        let unknown = FindingSlowness { law: None, smallest_size: None, times_reference: None, ..slowness };
        assert_eq!(slowness_facts(&unknown), ["at n = 11,023 it is 201 times that of random inputs of this size"]);
    }
}
