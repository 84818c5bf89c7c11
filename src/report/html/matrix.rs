//! The matrix of submissions by test cases, by group. Equal neighbouring columns are folded into one. Its switches, folds
//! and orders are styles: pages have no script.

use super::page::result_mark;
use crate::report::units::{format_bytes, format_duration, format_points};
use crate::report::views::verification::{Verification, measured_time_text, submission_folder, submission_name};
use maud::{Markup, html};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{CellJudged, SubmissionAssessed, TimeLimitAdvice};
use rebut_packages::verdict::{Expectation, Verdict};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A column about a submission as a whole: title and text.
type TotalColumn = (&'static str, fn(&SubmissionAssessed) -> String);

/// The number by which a row is sorted, the largest first, and the text among equal numbers.
type RowValue<'a> = &'a dyn Fn(usize, Option<&SubmissionAssessed>) -> (u64, String);

/// A verification, and how it is shown.
struct MatrixView<'a> {
    verification: &'a Verification,
    /// The names of folders of test cases, with the columns of each.
    groups: Vec<(&'a str, Vec<FoldedColumn>)>,
    /// The columns between the verdict and the test cases.
    totals: Vec<TotalColumn>,
    id: &'a str,
    shows_times: bool,
}

/// Neighbouring test cases of a group on which each submission has the same verdict.
struct FoldedColumn {
    first: usize,
    len: usize,
    is_rejecting: bool,
}

/// An order in which rows can be shown.
struct RowOrder {
    /// Its name in the styles.
    key: &'static str,
    title: &'static str,
    /// The place of each row; equal rows share one, and stay in the order of the package.
    ranks: Vec<usize>,
}

/// Returns the folder of a test case, and its name in that.
fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Returns the letter of a verdict; accepted is a dot, so that everything else stands out.
fn verdict_letter(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "\u{b7}",
        Verdict::JudgeError => "J",
        other => &other.code()[..1],
    }
}

/// Returns the class of a verdict in the styles: its letter, or `A`.
fn verdict_class(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Accepted { "A" } else { verdict_letter(verdict) }
}

/// Renders the matrix.
pub(super) fn render_matrix(verification: &Verification, id: &str, shows_times: bool) -> Markup {
    let mut totals: Vec<TotalColumn> = Vec::new();
    if shows_times {
        totals.push(("Slowest", |one| one.slowest.as_ref().map(measured_time_text).unwrap_or_default()));
        totals.push(("Memory", |one| format_bytes(one.memory_peak_bytes)));
    }
    if verification.started.has_points {
        totals.push(("Points", |one| one.marks.as_ref().map(|marks| format_points(&marks.total)).unwrap_or_default()));
    }
    let view = MatrixView { verification, groups: fold_columns(verification), totals, id, shows_times };
    let orders = view.row_orders();
    html! {
        h3 { "Verdicts" }
        div.matrix {
            (view.render_switches(&orders))
            (view.render_legend())
            div.scroll tabindex="0" role="group" aria-label="Verdicts of the submissions on the test cases" {
                // A sorted table is a grid, which would hide from some browsers that it is a table.
                table.verdicts role="table" style=(format!("--columns:{}", view.column_count())) {
                    (view.render_head())
                    (view.render_rows(&orders))
                }
            }
        }
    }
}

/// Returns the columns of the matrix, by group.
fn fold_columns(verification: &Verification) -> Vec<(&str, Vec<FoldedColumn>)> {
    let verdict = |row: &Vec<Option<CellJudged>>, column: usize| row[column].as_ref().map(|cell| cell.verdict);
    let mut groups: Vec<(&str, Vec<FoldedColumn>)> = Vec::new();
    for (column, name) in verification.started.test_cases.iter().enumerate() {
        let folder = split_name(name).0;
        if groups.last().is_none_or(|(name, _)| *name != folder) {
            groups.push((folder, Vec::new()));
        }
        let Some((_, columns)) = groups.last_mut() else { continue };
        let same = |last: &&mut FoldedColumn| {
            verification.cells.iter().all(|row| verdict(row, last.first) == verdict(row, column))
        };
        if let Some(last) = columns.last_mut().filter(same) {
            last.len += 1;
            continue;
        }
        let rejects = |row| verdict(row, column).is_some_and(Verdict::is_rejection);
        let is_rejecting = verification.cells.iter().any(rejects);
        columns.push(FoldedColumn { first: column, len: 1, is_rejecting });
    }
    groups
}

impl MatrixView<'_> {
    fn columns(&self) -> impl Iterator<Item = &FoldedColumn> {
        self.groups.iter().flat_map(|(_, columns)| columns)
    }

    fn column_count(&self) -> usize {
        2 + self.totals.len() + self.columns().count()
    }

    fn render_switches(&self, orders: &[RowOrder]) -> Markup {
        let id = self.id;
        html! {
            @if self.verification.started.submissions.len() > 1 {
                label.order {
                    "Order: "
                    select {
                        option { "as in the package" }
                        @for order in orders { option class={ "by-" (order.key) } { (order.title) } }
                    }
                }
                label.switch {
                    input type="checkbox" class="unmet-only"; " Only what is not as expected"
                }
            }
            label.switch {
                input type="checkbox" class="rejecting-only"; " Only test cases that reject something"
            }
            @if self.shows_times {
                @for (class, word) in [("by-verdict", "Verdicts"), ("by-time", "Time"), ("by-memory", "Memory")] {
                    label.switch {
                        input type="radio" name={ (id) "-shade" } class=(class) checked[class == "by-verdict"];
                        " " (word)
                    }
                }
            }
        }
    }

    /// Renders the meaning of letters and shades.
    fn render_legend(&self) -> Markup {
        let Verification { cells, assessed, limit, .. } = self.verification;
        let verdicts: BTreeSet<Verdict> = cells.iter().flatten().flatten().map(|cell| cell.verdict).collect();
        let of_rows: BTreeSet<Verdict> = assessed.iter().flatten().map(|one| one.verdict).collect();
        let occurs = |verdict: &Verdict| verdicts.contains(verdict) || of_rows.contains(verdict);
        html! {
            p.legend {
                @for verdict in Verdict::ALL.into_iter().filter(occurs) {
                    span { span class={ "cell " (verdict_class(verdict)) } { (verdict_letter(verdict)) } " " (verdict) } " "
                }
                @if self.columns().any(|column| column.len > 1) {
                    span { "neighbouring test cases with equal verdicts share a column" }
                }
            }
            @if let Some(limit) = limit.as_ref().filter(|_| self.shows_times) {
                (shade_legend("time-legend", 't', &time_shades(limit)))
                (shade_legend("memory-legend", 'm', &MEMORY_SHADES.map(str::to_owned)))
            }
        }
    }

    fn render_head(&self) -> Markup {
        let names = &self.verification.started.test_cases;
        let titles = ["Submission", "Verdict"].into_iter().chain(self.totals.iter().map(|(title, _)| *title));
        html! {
            // On narrow pages, the verdicts on the test cases matter more than times.
            colgroup {
                col span="2";
                @for (title, _) in &self.totals { col class=[(*title != "Points").then_some("measured")]; }
            }
            @for (_, columns) in &self.groups {
                colgroup { @for column in columns { col class=[(!column.is_rejecting).then_some("idle")]; } }
            }
            thead role="rowgroup" {
                tr role="row" {
                    @for title in titles { th scope="col" role="columnheader" rowspan="2" { (title) } }
                    @for (name, columns) in &self.groups {
                        @let cases: usize = columns.iter().map(|column| column.len).sum();
                        @let rejecting = columns.iter().filter(|column| column.is_rejecting).count();
                        th scope="colgroup" role="columnheader" class=(if rejecting == 0 { "group i" } else { "group" })
                            colspan=(columns.len()) style=(format!("--all:{};--some:{}", columns.len(), rejecting.max(1)))
                            title=(count_with_noun(cases, "test case")) {
                            span { (name) }
                        }
                    }
                }
                tr role="row" {
                    @for column in self.columns() {
                        @let (first, last) = (&names[column.first], &names[column.first + column.len - 1]);
                        @let all = if column.len == 1 { first.clone() } else { format!("{first} to {last}: {} test cases", column.len) };
                        th scope="col" role="columnheader" class=(if column.is_rejecting { "case" } else { "case i" }) title=(all) {
                            span { (split_name(first).1) @if column.len > 1 { " +" (column.len - 1) } }
                        }
                    }
                }
            }
        }
    }

    fn render_rows(&self, orders: &[RowOrder]) -> Markup {
        let folders: Vec<&str> =
            self.verification.started.submissions.iter().map(|name| submission_folder(name)).collect();
        html! {
            tbody role="rowgroup" {
                @for row in 0..folders.len() {
                    @if (row == 0 || folders[row] != folders[row - 1]) && !folders[row].is_empty() {
                        tr.folder { th scope="rowgroup" { (folders[row]) } td colspan=(self.column_count() - 1) {} }
                    }
                    @let ranks: Vec<String> = orders.iter().map(|order| format!("--{}:{}", order.key, order.ranks[row])).collect();
                    (self.render_row(row, &ranks.join(";")))
                }
            }
        }
    }

    fn render_row(&self, row: usize, ranks: &str) -> Markup {
        let name = &self.verification.started.submissions[row];
        let assessed = self.verification.assessed[row].as_ref();
        let is_met = assessed.is_none_or(|assessed| assessed.met);
        let (folder, short) = (submission_folder(name), submission_name(name));
        html! {
            tr role="row" class=(if is_met { "met" } else { "unmet" }) style=(ranks) {
                th scope="row" role="rowheader" {
                    // Sorted rows are not below the name of their folder.
                    a href=(format!("#{}-s{}", self.id, row + 1)) title=(name) {
                        @if !folder.is_empty() { span { (folder) "/" } } (short)
                    }
                }
                td.v { @if let Some(assessed) = assessed { (render_verdict(assessed)) } }
                @for (_, total) in &self.totals { td.number { (assessed.map(total).unwrap_or_default()) } }
                @for column in self.columns() { (self.render_cell(row, column)) }
            }
        }
    }

    fn render_cell(&self, row: usize, column: &FoldedColumn) -> Markup {
        let Verification { cells, limit, started, .. } = self.verification;
        let cells = || cells[row][column.first..column.first + column.len].iter().flatten();
        let verdict = cells().next().map(|cell| cell.verdict);
        // Most cells are accepted and fast, so these have no class; an idle column has nothing else.
        let rejected = verdict.filter(|verdict| *verdict != Verdict::Accepted).map(verdict_letter);
        let mut classes = vec![rejected.unwrap_or(if column.is_rejecting { "" } else { "i" }).to_owned()];
        if self.shows_times && verdict.is_some() {
            let time = time_level(cells().map(|cell| cell.cpu_time_ms).max().unwrap_or(0), limit.as_ref());
            let memory = cells().map(|cell| cell.memory_peak_bytes).max().unwrap_or(0);
            classes.push(format!("t{time}"));
            classes.push(format!("m{}", memory_level(memory, started.memory_limit_bytes)));
        }
        classes.retain(|class| !matches!(class.as_str(), "" | "t0" | "m0"));
        html! {
            td class=[(!classes.is_empty()).then(|| classes.join(" "))] { (verdict.map(verdict_letter).unwrap_or_default()) }
        }
    }

    /// Returns the orders in which the rows can be shown.
    fn row_orders(&self) -> Vec<RowOrder> {
        let Verification { started, assessed, .. } = self.verification;
        let mut orders = Vec::new();
        let mut add = |key, title, value: RowValue<'_>| {
            let keys = assessed.iter().enumerate().map(|(row, one)| value(row, one.as_ref()));
            let keys: Vec<_> = keys.map(|(number, text)| (Reverse(number), text)).collect();
            orders.push(RowOrder { key, title, ranks: rank_rows(&keys) });
        };
        let number = |number: u64| (number, String::new());
        add("unmet", "not as expected first", &|_, one| number(one.is_some_and(|one| !one.met).into()));
        add("verdict", "verdict", &|_, one| (0, one.map(|one| one.verdict.code().to_owned()).unwrap_or_default()));
        let kills = |row| self.verification.rejecting_cells(row).count() as u64;
        add("kills", "most test cases that reject", &|row, _| number(kills(row)));
        if self.shows_times {
            let time = |one: &SubmissionAssessed| one.slowest.as_ref().map_or(0, |slowest| slowest.cpu_time_ms);
            add("slow", "slowest first", &|_, one| number(one.map_or(0, time)));
            add("large", "most memory first", &|_, one| number(one.map_or(0, |one| one.memory_peak_bytes)));
        }
        if started.has_points {
            let points = |one: &SubmissionAssessed| one.marks.as_ref().and_then(|marks| marks.total.score);
            // Points have at most a few decimals.
            let millionths = |points: f64| (points.max(0.0) * 1e6) as u64;
            add("points", "most points first", &|_, one| number(one.and_then(points).map_or(0, millionths)));
        }
        add("name", "name", &|row, _| (0, submission_name(&started.submissions[row]).to_lowercase()));
        orders
    }
}

/// Returns the place of each key in their order; equal keys share one.
fn rank_rows<K: Ord>(keys: &[K]) -> Vec<usize> {
    let sorted: BTreeSet<&K> = keys.iter().collect();
    let places: BTreeMap<&K, usize> = sorted.into_iter().zip(0..).collect();
    keys.iter().map(|key| places[key]).collect()
}

/// Renders the verdict on a submission, and whether it is as expected.
pub(super) fn render_verdict(assessed: &SubmissionAssessed) -> Markup {
    let code = assessed.verdict.code();
    match assessed.met {
        true if assessed.has_expectation => return result_mark(true, code),
        true => return html! { (code) ", none expected" },
        false => {}
    }
    let Expectation { required, permitted, .. } = assessed.expected;
    let verdicts = if required.is_empty() { permitted } else { required };
    // If it is not the verdict that is wrong, it is the points or the test cases.
    match verdicts.contains(assessed.verdict) {
        true => result_mark(false, &format!("{code}, not as expected")),
        false => result_mark(false, &format!("{code}, not {}", verdicts.describe_any())),
    }
}

/// Renders the meaning of shades.
fn shade_legend(class: &str, letter: char, texts: &[String]) -> Markup {
    html! {
        p class={ "legend " (class) } {
            @for (level, text) in texts.iter().enumerate() {
                span { span class={ "cell " (letter) (level) } {} " " (text) } " "
            }
        }
    }
}

const MEMORY_SHADES: [&str; 4] = ["below an eighth of the limit", "below a quarter", "below a half", "more"];

/// Returns the upper bounds of the shades of time but the last: how far it is from the limit, with the margin on both
/// sides.
fn time_bounds(limit: &TimeLimitAdvice) -> [f64; 5] {
    let limit_ms = limit.cpu_time_limit_ms as f64;
    let safe = limit_ms / limit.ac_to_time_limit;
    [safe / 4.0, safe / 2.0, safe, limit_ms, limit_ms * limit.time_limit_to_tle]
}

fn time_shades(limit: &TimeLimitAdvice) -> [String; 6] {
    let [quarter, half, safe, limit, slow] = time_bounds(limit).map(|bound| format_duration(bound as u64));
    [
        format!("below {quarter}"),
        format!("below {half}"),
        format!("below {safe}"),
        format!("within the limit of {limit}, but close"),
        format!("above it, but below {slow}"),
        "longer".to_owned(),
    ]
}

/// Returns the shade of a time.
fn time_level(cpu_time_ms: u64, limit: Option<&TimeLimitAdvice>) -> usize {
    limit.map_or(0, |limit| time_bounds(limit).iter().filter(|bound| cpu_time_ms as f64 > **bound).count())
}

/// Returns the shade of an amount of memory.
fn memory_level(bytes: u64, limit_bytes: u64) -> usize {
    [8, 4, 2].iter().filter(|part| bytes > limit_bytes / **part).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_share_a_place() {
        let most = |values: &[u64]| rank_rows(&values.iter().map(|value| Reverse(*value)).collect::<Vec<_>>());
        assert_eq!(most(&[3, 9, 3, 0]), [1, 0, 1, 2]);
        assert_eq!(rank_rows(&["WA", "AC", "WA"]), [1, 0, 1]);
    }

    #[test]
    fn shades_grow_with_the_distance_to_the_limit() {
        let limit = TimeLimitAdvice {
            cpu_time_limit_ms: 1_000,
            is_stated: true,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            slowest: None,
            fastest: None,
            languages: Vec::new(),
            advice: Vec::new(),
            elapsed_ms: 0,
        };
        let levels = [0, 125, 126, 251, 501, 1_001, 1_501].map(|time| time_level(time, Some(&limit)));
        assert_eq!(levels, [0, 0, 1, 2, 3, 4, 5]);
        assert_eq!(time_level(9_999, None), 0);
        assert_eq!([100, 101, 201, 401].map(|bytes| memory_level(bytes, 800)), [0, 1, 2, 3]);
    }

    #[test]
    fn test_cases_are_split_at_the_last_folder() {
        assert_eq!((split_name("secret/a/1"), split_name("1")), (("secret/a", "1"), ("", "1")));
    }

    #[test]
    fn classes_of_verdicts_are_letters() {
        for verdict in Verdict::ALL {
            assert!(verdict_class(verdict).bytes().all(|byte| byte.is_ascii_uppercase()), "{verdict}");
        }
    }
}
