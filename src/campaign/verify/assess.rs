//! From cells to what became of an expectation.

use super::grade::Graded;
use super::{Case, Cell, Contestant, ExpectedThere};
use crate::score::{Mark, Marks, Wanted};
use crate::verdict::{Expectation, Subject, Unmet, Verdict};

/// What a submission did on each test case; none where it was not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// In the order of the test cases.
    pub cells: Vec<Option<Cell>>,
}

/// What became of the expectation of a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assessment {
    /// What it did.
    pub row: Row,
    /// The verdict on the whole: that of the first test case that is not accepted, or what graders make of all.
    pub verdict: Option<Verdict>,
    /// The number of that test case; none if there is none.
    pub first_rejection: Option<usize>,
    /// Why it is not as expected; none if it is.
    pub unmet: Option<String>,
    /// Its points, where there are any.
    pub marks: Option<Marks>,
    /// Whether the jury's side failed to give points.
    pub is_ungraded: bool,
}

impl Row {
    /// The cells that there are, with the numbers of their test cases.
    pub fn known(&self) -> impl Iterator<Item = (usize, &Cell)> {
        self.cells.iter().enumerate().filter_map(|(case, cell)| Some((case, cell.as_ref()?)))
    }

    /// The one that took the most processor time; of equals the first.
    pub fn slowest(&self) -> Option<(usize, &Cell)> {
        self.known().reduce(|best, next| if next.1.cpu_time_us > best.1.cpu_time_us { next } else { best })
    }
}

/// What becomes of the expectation of a submission that did this.
pub fn assess(contestant: &Contestant, row: Row, graded: Graded, cases: &[Case]) -> Assessment {
    if let Err(rejected) = &contestant.program {
        let unmet = (!contestant.expected.expectation.permitted.contains(Verdict::CompileError))
            .then(|| format!("does not compile: `{}` failed", rejected.command));
        return Assessment { row, verdict: Some(Verdict::CompileError), unmet, ..Assessment::default() };
    }
    let first_rejection = row.known().find(|(_, cell)| cell.verdict != Verdict::Accepted).map(|(case, _)| case);
    let of = |case: usize| row.cells[case].as_ref().map(|cell| cell.verdict);
    let on_the_whole = graded.verdict();
    let verdict = on_the_whole.or_else(|| first_rejection.map_or(Some(Verdict::Accepted), of));
    let expected = &contestant.expected;
    let all: Vec<usize> = (0..cases.len()).collect();
    let by_verdict = match (expected.expectation.subject, on_the_whole) {
        (Subject::Whole, Some(verdict)) => unmet_on_the_whole(&expected.expectation, verdict),
        _ => unmet(&row, &expected.expectation, &all, "", cases),
    };
    let (failure, marks, is_full) = match graded {
        Graded::Marked { marks, is_full, .. } => (None, Some(marks), is_full),
        Graded::Failed(why) => (Some(format!("no points can be given: {why}")), None, false),
        Graded::Unmarked => (None, None, false),
    };
    let is_ungraded = failure.is_some();
    let by_score = || {
        let marks = marks.as_ref()?;
        expected.score.and_then(|wanted| score_unmet(&marks.total, wanted, ""))
    };
    let by_full_marks = || {
        // A score that is named is expected, whatever it is.
        let is_wrong = expected.expectation.is_rejected() && expected.score.is_none();
        marks.as_ref().filter(|_| is_wrong && is_full).map(|marks| {
            let points = marks.total.score.map(numbered_points).unwrap_or_default();
            format!("{points}, all that there are, where {} was expected", expected.expectation.required)
        })
    };
    let by_rules = || expected.rules.iter().find_map(|rule| rule_unmet(&row, rule, marks.as_ref(), cases));
    let unmet = failure.or(by_verdict).or_else(by_score).or_else(by_full_marks).or_else(by_rules);
    Assessment { row, verdict, first_rejection, unmet, marks, is_ungraded }
}

/// Why what graders make of all is not as expected.
fn unmet_on_the_whole(expected: &Expectation, verdict: Verdict) -> Option<String> {
    Some(match expected.unmet(&[verdict])? {
        Unmet::NotPermitted(..) => format!("{verdict} on the whole, where only {} may be", expected.permitted),
        Unmet::NoneRequired => format!("{verdict} on the whole: {} was expected", expected.required),
    })
}

/// Why a score is not as expected.
fn score_unmet(mark: &Mark, wanted: Wanted, place: &str) -> Option<String> {
    if wanted.is_met(mark.score) {
        return None;
    }
    let got = match mark.score {
        Some(score) => numbered_points(score),
        None => format!("no points, for it is {} on the whole", mark.verdict.code()),
    };
    Some(format!("{got}{place}, where {wanted} was expected"))
}

fn numbered_points(score: f64) -> String {
    if score == 1.0 { "1 point".to_owned() } else { format!("{score} points") }
}

/// Why a rule about some test cases is not kept.
fn rule_unmet(row: &Row, rule: &ExpectedThere, marks: Option<&Marks>, cases: &[Case]) -> Option<String> {
    let place = format!(" on `{}`", rule.name);
    let by_verdict = rule.expectation.and_then(|expected| unmet(row, &expected, &rule.cases, &place, cases));
    by_verdict.or_else(|| points_unmet(rule, marks?)).or_else(|| {
        let wanted = rule.message.as_deref()?;
        let says = |case: &usize| row.cells[*case].as_ref().is_some_and(|cell| cell.message.contains(wanted));
        (!rule.cases.iter().any(says)).then(|| format!("no message{place} says `{wanted}`"))
    })
}

/// Why the groups that a rule is about do not give the points that it expects.
fn points_unmet(rule: &ExpectedThere, marks: &Marks) -> Option<String> {
    let wanted = rule.score?;
    let all = || marks.groups.iter().chain([&marks.total]);
    if !all().any(|mark| rule.groups.contains(&mark.group)) {
        return Some(format!("no group is called `{}`, and {wanted} points are expected of it", rule.name));
    }
    let mut meant = all().filter(|mark| rule.groups.contains(&mark.group));
    meant.find_map(|mark| score_unmet(mark, wanted, &format!(" for `{}`", mark.group)))
}

/// Why an expectation on these test cases is not met.
fn unmet(row: &Row, expected: &Expectation, on: &[usize], place: &str, cases: &[Case]) -> Option<String> {
    let known: Vec<(usize, Verdict)> =
        on.iter().filter_map(|case| Some((*case, row.cells[*case].as_ref()?.verdict))).collect();
    let verdicts: Vec<Verdict> = known.iter().map(|(_, verdict)| *verdict).collect();
    Some(match expected.unmet(&verdicts)? {
        Unmet::NotPermitted(at, verdict) => {
            format!("{verdict} on `{}`, where only {} may be{place}", cases[known[at].0].name, expected.permitted)
        }
        Unmet::NoneRequired if verdicts.is_empty() => format!("there is no test case{place}"),
        Unmet::NoneRequired if verdicts.iter().all(|v| *v == Verdict::Accepted) => {
            format!("no test case kills it{place}: {} was expected", expected.required)
        }
        Unmet::NoneRequired => format!("{} was expected{place}, and no test case shows it", expected.required),
    })
}
