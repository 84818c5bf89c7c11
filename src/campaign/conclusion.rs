//! What a search shows: a finding, nothing in enough inputs, or too little to say anything.

use super::event::{Progress, Reason};
use crate::diagnostic::counted;
use serde::Serialize;

/// The result of a search, of shrinking or of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// A submission fails, and does so again.
    Found,
    /// Something failed once, and not when it was run again.
    Flaky,
    /// No failure in enough test cases.
    NothingFound,
    /// No failure, but too little was tried to say anything.
    Inconclusive,
    /// The reference, a checker or a validator failed.
    JudgeError,
    /// The user asked to stop.
    Interrupted,
}

/// Number of test cases that a search has to try. If one input in ten shows a failure, so many inputs drawn at random miss it
/// in 4 of 100 searches (0.9^30); with fewer, nothing found says next to nothing.
pub const CASES_MIN: u64 = 30;

/// A search that skips more than so many inputs for each that it tries has tried only what is left over.
const SKIPPED_UP_TO: u64 = 9;

/// Why a search that found nothing shows nothing; None if it tried enough. Where every input was tried, however few there
/// are, that is enough, and where the user asked for a number of inputs, half of that.
pub fn too_little(progress: &Progress, reason: Reason, case_budget: Option<u64>) -> Option<String> {
    let tried = progress.test_cases.max(progress.cases);
    let wanted = case_budget.map_or(CASES_MIN, |budget| budget.div_ceil(2).min(CASES_MIN)).max(1);
    if reason == Reason::Exhausted && tried > 0 {
        return None;
    }
    let inputs = progress.cases.saturating_add(progress.skipped);
    if tried < wanted {
        let amount = match tried {
            0 => "no test case was tried".to_owned(),
            1 => "only 1 test case was tried".to_owned(),
            few => format!("only {few} test cases were tried"),
        };
        return Some(match (progress.skipped, progress.refused) {
            (0, 0) => amount,
            (0, refused) => format!("{amount}: the validators refuse {} inputs", number(refused)),
            (skipped, _) => {
                format!("{amount}: the reference needs too long on {} of {} inputs", number(skipped), number(inputs))
            }
        });
    }
    (progress.skipped > SKIPPED_UP_TO.saturating_mul(progress.cases))
        .then(|| format!("the reference needs too long on {} of {} inputs", number(progress.skipped), number(inputs)))
}

fn number(count: u64) -> String {
    counted(u128::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(cases: u64, skipped: u64) -> Progress {
        Progress { cases, test_cases: cases, skipped, ..Progress::default() }
    }

    #[test]
    fn few_cases_say_nothing() {
        let why = |cases, skipped| too_little(&tried(cases, skipped), Reason::Time, None);
        assert_eq!(why(7, 0).as_deref(), Some("only 7 test cases were tried"));
        let slow = "only 7 test cases were tried: the reference needs too long on 40 of 47 inputs";
        assert_eq!(why(7, 40).as_deref(), Some(slow));
        assert_eq!((why(30, 0), why(30, 270)), (None, None));
        assert_eq!(why(30, 271).as_deref(), Some("the reference needs too long on 271 of 301 inputs"));
        assert_eq!(why(0, 0).as_deref(), Some("no test case was tried"));
    }

    #[test]
    fn a_file_of_many_cases_counts_as_all_of_them() {
        let packed = Progress { cases: 1, test_cases: 1000, ..Progress::default() };
        assert_eq!(too_little(&packed, Reason::Time, None), None);
    }

    #[test]
    fn what_was_asked_for_is_enough() {
        let why = |cases, skipped| too_little(&tried(cases, skipped), Reason::Cases, Some(5));
        assert_eq!((why(5, 0), why(3, 2)), (None, None));
        assert!(why(2, 3).is_some());
    }

    #[test]
    fn every_input_is_enough() {
        assert_eq!(too_little(&tried(3, 0), Reason::Exhausted, None), None);
        assert!(too_little(&tried(0, 0), Reason::Exhausted, None).is_some());
        let refused = Progress { refused: 12, ..tried(0, 0) };
        let why = too_little(&refused, Reason::Cases, None);
        assert_eq!(why.as_deref(), Some("no test case was tried: the validators refuse 12 inputs"));
    }
}
