//! What the folders below `submissions/` mean.
//!
//! In the newer dialects each test case counts. In the legacy ones a submission has one verdict, that of the first test
//! case that it is not accepted on: so Kattis and DOMjudge judge, and so their packages are meant.

use super::model::{Bound, Dialect};
use crate::verdict::{Expectation, Subject, Verdict, Verdicts};

/// An output that is wrong, in any way.
pub(super) const WRONG: Verdicts =
    Verdicts::of(&[Verdict::WrongAnswer, Verdict::PresentationError, Verdict::OutputLimit]);

/// An end before its time: judges of packages know no verdicts of their own for memory and output.
pub(super) const CRASHED: Verdicts = Verdicts::of(&[Verdict::RuntimeError, Verdict::MemoryLimit, Verdict::OutputLimit]);

const ACCEPTED: Verdicts = Verdicts::of(&[Verdict::Accepted]);
const SLOW: Verdicts = Verdicts::of(&[Verdict::TimeLimit]);

/// What a folder means: what is expected, and how its submissions' times bound the time limit; none of a folder that
/// nobody knows.
pub(super) fn meaning(folder: &str, dialect: Dialect) -> Option<(Expectation, Option<Bound>)> {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => legacy(folder),
        // While it was a draft, packages kept folders of the legacy dialects.
        Dialect::Draft2023 => newer(folder).or_else(|| legacy(folder)),
        Dialect::V2025 => newer(folder),
    }
}

fn newer(folder: &str) -> Option<(Expectation, Option<Bound>)> {
    let each =
        |others: Verdicts| Expectation { permitted: ACCEPTED.or(others), required: others, subject: Subject::EachCase };
    let all = WRONG.or(SLOW).or(CRASHED);
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(Bound::Lower)),
        "rejected" => (each(all), None),
        "wrong_answer" => (each(WRONG), Some(Bound::Lower)),
        "time_limit_exceeded" => (each(SLOW), Some(Bound::Upper)),
        "run_time_error" => (each(CRASHED), Some(Bound::Lower)),
        "brute_force" => (each(SLOW.or(CRASHED)), None),
        _ => return None,
    })
}

fn legacy(folder: &str) -> Option<(Expectation, Option<Bound>)> {
    let whole = Expectation::whole;
    let anything = Expectation { required: Verdicts::NONE, ..whole(Verdicts::ANY) };
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(Bound::Lower)),
        "wrong_answer" | "presentation_error" => (whole(WRONG), None),
        "no_output" => (whole(WRONG), None),
        "time_limit_exceeded" | "timelimit" => (whole(SLOW), Some(Bound::Upper)),
        "run_time_error" | "runtime_error" | "run_error" => (whole(CRASHED), None),
        "memory_limit_exceeded" => (whole(CRASHED), None),
        "output_limit" | "output_limit_exceeded" => (whole(CRASHED.or(WRONG)), None),
        "compiler_error" | "compile_error" => (whole(Verdicts::of(&[Verdict::CompileError])), None),
        "rejected" => (whole(WRONG.or(SLOW).or(CRASHED)), None),
        "brute_force" => (whole(SLOW.or(CRASHED)), None),
        "slow_accepted" => (whole(ACCEPTED.or(SLOW)), None),
        // Its score tells it apart, and that only where scores are given.
        "partially_accepted" | "mixed" | "mixed-verdicts" | "multiple" | "check_manually" => (anything, None),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_folder_says_less_in_a_legacy_package() {
        use Verdict::{Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};
        let expectation = |folder, dialect| meaning(folder, dialect).map(|(expectation, _)| expectation);
        let is_met = |folder, dialect, verdicts: &[Verdict]| {
            expectation(folder, dialect).is_some_and(|e| e.unmet(verdicts).is_none())
        };
        for (folder, verdicts, legacy, newer) in [
            ("accepted", vec![AC, AC], true, true),
            ("wrong_answer", vec![AC, WA, TLE], true, false),
            ("wrong_answer", vec![AC, AC], false, false),
            ("time_limit_exceeded", vec![AC, TLE, WA], true, false),
            ("time_limit_exceeded", vec![WA, TLE], false, false),
            ("run_time_error", vec![AC, RTE], true, true),
            ("brute_force", vec![AC, RTE, TLE], true, true),
            ("rejected", vec![AC, WA], true, true),
        ] {
            assert_eq!(is_met(folder, Dialect::Legacy, &verdicts), legacy, "{folder} {verdicts:?}");
            assert_eq!(is_met(folder, Dialect::V2025, &verdicts), newer, "{folder} {verdicts:?}");
        }
        assert_eq!(expectation("slow_accepted", Dialect::V2025), None);
    }
}
