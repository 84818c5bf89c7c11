//! From cells to what became of an expectation.

use super::{Case, Cell, Contestant, ExpectedThere};
use crate::verdict::{Expectation, Unmet, Verdict};

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
    /// The verdict on the whole: that of the first test case that is not accepted.
    pub verdict: Option<Verdict>,
    /// The number of that test case; none if there is none.
    pub first_rejection: Option<usize>,
    /// Why it is not as expected; none if it is.
    pub unmet: Option<String>,
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
pub fn assess(contestant: &Contestant, row: Row, cases: &[Case]) -> Assessment {
    if let Err(rejected) = &contestant.program {
        let unmet = (!contestant.expected.expectation.permitted.contains(Verdict::CompileError))
            .then(|| format!("does not compile: `{}` failed", rejected.command));
        return Assessment { row, verdict: Some(Verdict::CompileError), first_rejection: None, unmet };
    }
    let first_rejection = row.known().find(|(_, cell)| cell.verdict != Verdict::Accepted).map(|(case, _)| case);
    let of = |case: usize| row.cells[case].as_ref().map(|cell| cell.verdict);
    let verdict = first_rejection.map_or(Some(Verdict::Accepted), of);
    let expected = &contestant.expected;
    let all: Vec<usize> = (0..cases.len()).collect();
    let unmet = unmet(&row, &expected.expectation, &all, "", cases)
        .or_else(|| expected.rules.iter().find_map(|rule| rule_unmet(&row, rule, cases)));
    Assessment { row, verdict, first_rejection, unmet }
}

/// Why a rule about some test cases is not kept.
fn rule_unmet(row: &Row, rule: &ExpectedThere, cases: &[Case]) -> Option<String> {
    let place = format!(" on `{}`", rule.name);
    let by_verdict = rule.expectation.and_then(|expected| unmet(row, &expected, &rule.cases, &place, cases));
    by_verdict.or_else(|| {
        let wanted = rule.message.as_deref()?;
        let says = |case: &usize| row.cells[*case].as_ref().is_some_and(|cell| cell.message.contains(wanted));
        (!rule.cases.iter().any(says)).then(|| format!("no message{place} says `{wanted}`"))
    })
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
