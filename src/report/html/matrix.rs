//! The matrix of submissions by test cases, by group. Equal neighbouring columns are folded into one.

use super::page::result_mark;
use crate::report::units::{format_bytes, format_duration, format_points};
use crate::report::verdict_matrix::{measured_time_text, submission_folder, submission_name};
use maud::{Markup, html};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    CellJudged, Event, SubmissionAssessed, TimeLimitAdvice, UnfinishedTable, VerificationStarted,
};
use rebut_packages::verdict::{Expectation, Verdict};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The verification of a package.
#[derive(Debug)]
pub(super) struct Verification {
    pub(super) started: VerificationStarted,
    /// A row for each submission, with a cell for each test case.
    pub(super) cells: Vec<Vec<Option<CellJudged>>>,
    /// The assessment of each submission, if it has finished.
    pub(super) assessed: Vec<Option<SubmissionAssessed>>,
    pub(super) limit: Option<TimeLimitAdvice>,
    pub(super) unfinished: Option<UnfinishedTable>,
    row_by_submission: BTreeMap<String, usize>,
    column_by_test_case: BTreeMap<String, usize>,
}

impl Verification {
    /// Returns a verification without results.
    pub(super) fn new(started: &VerificationStarted) -> Verification {
        let (rows, columns) = (started.submissions.len(), started.test_cases.len());
        Verification {
            started: started.clone(),
            cells: vec![vec![None; columns]; rows],
            assessed: vec![None; rows],
            limit: None,
            unfinished: None,
            row_by_submission: started.submissions.iter().cloned().zip(0..).collect(),
            column_by_test_case: started.test_cases.iter().cloned().zip(0..).collect(),
        }
    }

    /// Adds a result.
    pub(super) fn take_event(&mut self, event: &Event) {
        match event {
            Event::Judged(judged) => {
                let row = self.row_by_submission.get(&judged.submission);
                let column = self.column_by_test_case.get(&judged.test_case);
                if let (Some(&row), Some(&column)) = (row, column) {
                    self.cells[row][column] = Some(judged.clone());
                }
            }
            Event::Assessed(assessed) => {
                if let Some(&row) = self.row_by_submission.get(&assessed.submission) {
                    self.assessed[row] = Some(assessed.clone());
                }
            }
            Event::TimeLimit(limit) => self.limit = Some(limit.clone()),
            Event::Unfinished(unfinished) => self.unfinished = Some(unfinished.clone()),
            _ => {}
        }
    }

    /// Returns the number of submissions that do not meet their expectation.
    pub(super) fn unmet_count(&self) -> usize {
        self.assessed.iter().flatten().filter(|assessed| !assessed.met).count()
    }

    /// `14 submissions as expected`, or `2 of 14 submissions not as expected`.
    pub(super) fn result_text(&self) -> String {
        let total = count_with_noun(self.started.submissions.len(), "submission");
        match (self.unmet_count(), &self.unfinished) {
            (_, Some(table)) => {
                let word = if table.missing.is_some() { "incomplete" } else { "interrupted" };
                format!(
                    "{word}: {} of {} known",
                    group_thousands(table.known as u128),
                    count_with_noun(table.of, "run")
                )
            }
            (0, None) => format!("{total} as expected"),
            (1, None) if self.started.submissions.len() == 1 => "the submission is not as expected".to_owned(),
            (unmet, None) => format!("{unmet} of {total} not as expected"),
        }
    }

    /// Returns the test cases that reject a submission.
    pub(super) fn rejecting_cells(&self, row: usize) -> impl Iterator<Item = &CellJudged> {
        self.cells[row].iter().flatten().filter(|cell| cell.verdict.is_rejection())
    }
}

/// Neighbouring test cases of a group on which each submission has the same verdict.
struct FoldedColumn {
    first: usize,
    len: usize,
    is_rejecting: bool,
}

/// Neighbouring test cases in a folder.
struct ColumnGroup<'a> {
    name: &'a str,
    columns: Vec<FoldedColumn>,
}

/// Returns the folder of a test case, and its name in that.
fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Returns the columns of the matrix, by group.
fn fold_columns(verification: &Verification) -> Vec<ColumnGroup<'_>> {
    let verdict = |row: &Vec<Option<CellJudged>>, column: usize| row[column].as_ref().map(|cell| cell.verdict);
    let mut groups: Vec<ColumnGroup<'_>> = Vec::new();
    for (column, name) in verification.started.test_cases.iter().enumerate() {
        let folder = split_name(name).0;
        if groups.last().is_none_or(|group| group.name != folder) {
            groups.push(ColumnGroup { name: folder, columns: Vec::new() });
        }
        let Some(group) = groups.last_mut() else { continue };
        let same = |last: &&mut FoldedColumn| {
            verification.cells.iter().all(|row| verdict(row, last.first) == verdict(row, column))
        };
        match group.columns.last_mut().filter(same) {
            Some(last) => last.len += 1,
            None => {
                let rejects = |row| verdict(row, column).is_some_and(Verdict::is_rejection);
                let is_rejecting = verification.cells.iter().any(rejects);
                group.columns.push(FoldedColumn { first: column, len: 1, is_rejecting });
            }
        }
    }
    groups
}

/// Returns the letter of a verdict; accepted is a dot, so that everything else stands out.
pub(super) fn verdict_letter(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "\u{b7}",
        Verdict::JudgeError => "J",
        other => &other.code()[..1],
    }
}

/// Returns the class of a verdict in the styles: its letter, or `A`.
pub(super) fn verdict_class(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Accepted { "A" } else { verdict_letter(verdict) }
}

/// Renders the matrix, with switches that are styles only: pages have no script.
pub(super) fn render_matrix(verification: &Verification, id: &str, shows_times: bool) -> Markup {
    let groups = fold_columns(verification);
    let folded = groups.iter().flat_map(|group| &group.columns).any(|column| column.len > 1);
    let columns: usize = groups.iter().map(|group| group.columns.len()).sum();
    html! {
        h3 { "Verdicts" }
        div.matrix {
            (render_switches(verification, id, shows_times))
            (render_legend(verification, folded, shows_times))
            div.scroll tabindex="0" role="group" aria-label="Verdicts of the submissions on the test cases" {
                // A sorted table is a grid, which would hide from some browsers that it is a table.
                table.verdicts role="table" style=(format!("--columns:{}", leading_columns(verification, shows_times) + columns)) {
                    (render_column_groups(&groups, verification, shows_times))
                    (render_head(&groups, verification, shows_times))
                    (render_rows(&groups, verification, id, shows_times))
                }
            }
        }
    }
}

/// Returns the number of columns before those of the test cases.
fn leading_columns(verification: &Verification, shows_times: bool) -> usize {
    2 + 2 * usize::from(shows_times) + usize::from(verification.started.has_points)
}

fn render_switches(verification: &Verification, id: &str, shows_times: bool) -> Markup {
    let is_long = verification.started.submissions.len() > 1;
    html! {
        @if is_long {
            label.order {
                "Order: "
                select {
                    option { "as in the package" }
                    @for order in row_orders(verification, shows_times) { option class={ "by-" (order.key) } { (order.title) } }
                }
            }
            input type="checkbox" class="unmet-only" id=(format!("{id}-unmet"));
            label for=(format!("{id}-unmet")) { "Only what is not as expected" }
        }
        input type="checkbox" class="rejecting-only" id=(format!("{id}-rejecting"));
        label for=(format!("{id}-rejecting")) { "Only test cases that reject something" }
        @if shows_times {
            @for (class, word) in [("by-verdict", "Verdicts"), ("by-time", "Time"), ("by-memory", "Memory")] {
                input type="radio" name=(format!("{id}-shade")) class=(class) id=(format!("{id}-{class}"))
                    checked[class == "by-verdict"];
                label for=(format!("{id}-{class}")) { (word) }
            }
        }
    }
}

/// Renders the meaning of letters and shades.
fn render_legend(verification: &Verification, folded: bool, shows_times: bool) -> Markup {
    let occurs = |verdict: &Verdict| {
        let on_a_test_case = verification.cells.iter().flatten().flatten().any(|cell| cell.verdict == *verdict);
        on_a_test_case || verification.assessed.iter().flatten().any(|assessed| assessed.verdict == *verdict)
    };
    html! {
        p.legend {
            @for verdict in Verdict::ALL.into_iter().filter(occurs) {
                span { span class={ "cell " (verdict_class(verdict)) } { (verdict_letter(verdict)) } " " (verdict) } " "
            }
            @if folded { span { "neighbouring test cases with equal verdicts share a column" } }
        }
        @if shows_times { (render_shade_legend(verification)) }
    }
}

fn render_shade_legend(verification: &Verification) -> Markup {
    let Some(limit) = &verification.limit else { return html! {} };
    let safe = limit.cpu_time_limit_ms as f64 / limit.ac_to_time_limit;
    let slow = limit.cpu_time_limit_ms as f64 * limit.time_limit_to_tle;
    let bounds = [
        format!("below {}", format_duration((safe / 4.0) as u64)),
        format!("below {}", format_duration((safe / 2.0) as u64)),
        format!("below {}", format_duration(safe as u64)),
        format!("within the limit of {}, but close", format_duration(limit.cpu_time_limit_ms)),
        format!("above it, but below {}", format_duration(slow as u64)),
        "longer".to_owned(),
    ];
    html! {
        p.legend.time-legend {
            @for (level, text) in bounds.iter().enumerate() { span { span class={ "cell t" (level) } {} " " (text) } " " }
        }
        p.legend.memory-legend {
            @for (level, text) in MEMORY_LEVELS.iter().enumerate() {
                span { span class={ "cell m" (level) } {} " " (text) } " "
            }
        }
    }
}

/// The shades of memory.
const MEMORY_LEVELS: [&str; 4] = ["below an eighth of the limit", "below a quarter", "below a half", "more"];

fn render_column_groups(groups: &[ColumnGroup<'_>], verification: &Verification, shows_times: bool) -> Markup {
    html! {
        // On narrow pages, the verdicts on the test cases matter more than times.
        colgroup { col span="2"; @if shows_times { col.measured span="2"; } @if verification.started.has_points { col; } }
        @for group in groups {
            colgroup { @for column in &group.columns { col class=[(!column.is_rejecting).then_some("idle")]; } }
        }
    }
}

fn render_head(groups: &[ColumnGroup<'_>], verification: &Verification, shows_times: bool) -> Markup {
    let names = &verification.started.test_cases;
    let mut leading = vec!["Submission", "Verdict"];
    leading.extend(if shows_times { &["Slowest", "Memory"][..] } else { &[] });
    leading.extend(verification.started.has_points.then_some("Points"));
    html! {
        thead role="rowgroup" {
            tr role="row" {
                @for title in leading { th scope="col" role="columnheader" rowspan="2" { (title) } }
                @for group in groups {
                    @let cases: usize = group.columns.iter().map(|column| column.len).sum();
                    @let rejecting = group.columns.iter().filter(|column| column.is_rejecting).count();
                    th scope="colgroup" role="columnheader" class=(if rejecting == 0 { "group i" } else { "group" })
                        colspan=(group.columns.len()) style=(format!("--all:{};--some:{}", group.columns.len(), rejecting.max(1)))
                        title=(count_with_noun(cases, "test case")) {
                        span { (group.name) }
                    }
                }
            }
            tr role="row" {
                @for column in groups.iter().flat_map(|group| &group.columns) {
                    @let (first, last) = (&names[column.first], &names[column.first + column.len - 1]);
                    @let class = if column.is_rejecting { "case" } else { "case i" };
                    @if column.len == 1 {
                        th scope="col" role="columnheader" class=(class) title=(first) { span { (split_name(first).1) } }
                    } @else {
                        th scope="col" role="columnheader" class=(class)
                            title=(format!("{first} to {last}: {} test cases", column.len)) {
                            span { (split_name(first).1) " +" (column.len - 1) }
                        }
                    }
                }
            }
        }
    }
}

fn render_rows(groups: &[ColumnGroup<'_>], verification: &Verification, id: &str, shows_times: bool) -> Markup {
    let names = &verification.started.submissions;
    let folders: Vec<&str> = names.iter().map(|name| submission_folder(name)).collect();
    let columns = groups.iter().map(|group| group.columns.len()).sum::<usize>();
    let columns = columns + leading_columns(verification, shows_times) - 1;
    let orders = row_orders(verification, shows_times);
    html! {
        tbody role="rowgroup" {
            @for row in 0..names.len() {
                @if (row == 0 || folders[row] != folders[row - 1]) && !folders[row].is_empty() {
                    tr.folder { th scope="rowgroup" { (folders[row]) } td colspan=(columns) {} }
                }
                @let ranks: Vec<String> = orders.iter().map(|order| format!("--{}:{}", order.key, order.ranks[row])).collect();
                (render_row(groups, verification, row, (id, &ranks.join(";")), shows_times))
            }
        }
    }
}

/// An order in which rows can be shown.
struct RowOrder {
    /// Its name in the styles.
    key: &'static str,
    title: &'static str,
    /// The place of each row; equal rows share one, and stay in the order of the package.
    ranks: Vec<usize>,
}

/// Returns the orders in which the rows can be shown.
fn row_orders(verification: &Verification, shows_times: bool) -> Vec<RowOrder> {
    let rows = 0..verification.started.submissions.len();
    let assessed = |row: usize| verification.assessed[row].as_ref();
    let order =
        |key: &'static str, title: &'static str, keys: Vec<RowKey>| RowOrder { key, title, ranks: rank_rows(&keys) };
    let most = |value: &dyn Fn(usize) -> u64| rows.clone().map(|row| RowKey::Most(Reverse(value(row)))).collect();
    let text = |value: &dyn Fn(usize) -> String| rows.clone().map(|row| RowKey::Text(value(row))).collect();
    let is_unmet = |row| u64::from(assessed(row).is_some_and(|one| !one.met));
    let verdict = |row| assessed(row).map(|one| one.verdict.code().to_owned()).unwrap_or_default();
    let time = |row| assessed(row).and_then(|one| one.slowest.as_ref()).map_or(0, |slowest| slowest.cpu_time_ms);
    let mut orders = vec![
        order("unmet", "not as expected first", most(&is_unmet)),
        order("verdict", "verdict", text(&verdict)),
        order("kills", "most test cases that reject", most(&|row| verification.rejecting_cells(row).count() as u64)),
    ];
    if shows_times {
        orders.push(order("slow", "slowest first", most(&time)));
        let memory = |row| assessed(row).map_or(0, |one| one.memory_peak_bytes);
        orders.push(order("large", "most memory first", most(&memory)));
    }
    if verification.started.has_points {
        let points = |row| assessed(row).and_then(|one| one.marks.as_ref()?.total.score).unwrap_or(0.0);
        // Points have at most a few decimals.
        orders.push(order("points", "most points first", most(&|row| (points(row).max(0.0) * 1e6) as u64)));
    }
    let name = |row: usize| submission_name(&verification.started.submissions[row]).to_lowercase();
    orders.push(order("name", "name", text(&name)));
    orders
}

/// The key of a row in an order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum RowKey {
    /// The largest first.
    Most(Reverse<u64>),
    Text(String),
}

/// Returns the place of each key in their order; equal keys share one.
fn rank_rows(keys: &[RowKey]) -> Vec<usize> {
    let sorted: BTreeSet<&RowKey> = keys.iter().collect();
    let places: BTreeMap<&RowKey, usize> = sorted.into_iter().zip(0..).collect();
    keys.iter().map(|key| places[key]).collect()
}

fn render_row(
    groups: &[ColumnGroup<'_>],
    verification: &Verification,
    row: usize,
    (id, ranks): (&str, &str),
    shows_times: bool,
) -> Markup {
    let name = &verification.started.submissions[row];
    let assessed = verification.assessed[row].as_ref();
    let is_met = assessed.is_none_or(|assessed| assessed.met);
    let (folder, short) = (submission_folder(name), submission_name(name));
    html! {
        tr role="row" class=(if is_met { "met" } else { "unmet" }) style=(ranks) {
            th scope="row" role="rowheader" {
                // Sorted rows are not below the name of their folder.
                a href=(format!("#{id}-s{}", row + 1)) title=(name) {
                    @if !folder.is_empty() { span { (folder) "/" } } (short)
                }
            }
            td.v { @if let Some(assessed) = assessed { (render_verdict(assessed)) } }
            @if shows_times {
                td.number { (slowest_text(assessed)) }
                td.number { (assessed.map(|assessed| format_bytes(assessed.memory_peak_bytes)).unwrap_or_default()) }
            }
            @if verification.started.has_points {
                td.number { (assessed.and_then(|a| a.marks.as_ref()).map(|m| format_points(&m.total)).unwrap_or_default()) }
            }
            @for column in groups.iter().flat_map(|group| &group.columns) {
                (render_cell(verification, row, column, shows_times))
            }
        }
    }
}

/// Renders the verdict on a submission, and whether it is as expected.
pub(super) fn render_verdict(assessed: &SubmissionAssessed) -> Markup {
    let code = assessed.verdict.code();
    html! {
        @if assessed.met { (result_mark(true, code)) }
        @else { (result_mark(false, &format!("{code}, {}", unmet_text(assessed)))) }
    }
}

/// `not WA, PE or OLE`; `not as expected` if it is not the verdict that is wrong, but the points or the test cases.
fn unmet_text(assessed: &SubmissionAssessed) -> String {
    let Expectation { required, permitted, .. } = assessed.expected;
    let verdicts = if required.is_empty() { permitted } else { required };
    match verdicts.contains(assessed.verdict) {
        true => "not as expected".to_owned(),
        false => format!("not {}", verdicts.describe_any()),
    }
}

fn slowest_text(assessed: Option<&SubmissionAssessed>) -> String {
    assessed.and_then(|assessed| assessed.slowest.as_ref()).map(measured_time_text).unwrap_or_default()
}

fn render_cell(verification: &Verification, row: usize, column: &FoldedColumn, shows_times: bool) -> Markup {
    let cells = || verification.cells[row][column.first..column.first + column.len].iter().flatten();
    let idle = if column.is_rejecting { "" } else { "i" };
    let Some(verdict) = cells().next().map(|cell| cell.verdict) else {
        return html! { td class=[(!idle.is_empty()).then_some(idle)] {} };
    };
    // Most cells are accepted and fast, so these have no class; an idle column has nothing else.
    let class = if verdict == Verdict::Accepted { idle } else { verdict_letter(verdict) };
    if !shows_times {
        return html! { td class=[(!class.is_empty()).then_some(class)] { (verdict_letter(verdict)) } };
    }
    let time = cells().map(|cell| cell.cpu_time_ms).max().unwrap_or(0);
    let memory = cells().map(|cell| cell.memory_peak_bytes).max().unwrap_or(0);
    let shade = |letter: char, level: usize| if level == 0 { String::new() } else { format!(" {letter}{level}") };
    let classes = class.to_owned()
        + &shade('t', time_level(time, verification.limit.as_ref()))
        + &shade('m', memory_level(memory, verification.started.memory_limit_bytes));
    let classes = classes.trim_start();
    html! { td class=[(!classes.is_empty()).then_some(classes)] { (verdict_letter(verdict)) } }
}

/// Returns the shade of a time: how far it is from the limit, with the margin on both sides.
fn time_level(cpu_time_ms: u64, limit: Option<&TimeLimitAdvice>) -> usize {
    let Some(limit) = limit else { return 0 };
    let (time, limit_ms) = (cpu_time_ms as f64, limit.cpu_time_limit_ms as f64);
    let safe = limit_ms / limit.ac_to_time_limit;
    let bounds = [safe / 4.0, safe / 2.0, safe, limit_ms, limit_ms * limit.time_limit_to_tle];
    bounds.iter().filter(|bound| time > **bound).count()
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
        let most =
            |values: &[u64]| rank_rows(&values.iter().map(|value| RowKey::Most(Reverse(*value))).collect::<Vec<_>>());
        assert_eq!(most(&[3, 9, 3, 0]), [1, 0, 1, 2]);
        assert_eq!(rank_rows(&["WA", "AC", "WA"].map(|code| RowKey::Text(code.to_owned()))), [1, 0, 1]);
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
