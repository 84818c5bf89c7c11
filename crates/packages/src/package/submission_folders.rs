//! The expectations of the folders below `submissions/`.
//!
//! In the newer dialects each test case counts. In the legacy ones a submission has a single verdict, that of the
//! first test case that it fails, because Kattis and DOMjudge judge in this way.

use super::dialect::Dialect;
use super::model::TimeBound;
use crate::verdict::{Expectation, ExpectationScope, Verdict, VerdictSet};

/// Any kind of wrong output.
pub(super) const WRONG_VERDICTS: VerdictSet =
    VerdictSet::from_verdicts(&[Verdict::WrongAnswer, Verdict::PresentationError, Verdict::OutputLimit]);

/// Any kind of abnormal end: the verdicts of packages do not distinguish memory and output limits.
pub(super) const CRASH_VERDICTS: VerdictSet =
    VerdictSet::from_verdicts(&[Verdict::RuntimeError, Verdict::MemoryLimit, Verdict::OutputLimit]);

const ACCEPTED_VERDICT: VerdictSet = VerdictSet::from_verdicts(&[Verdict::Accepted]);
const TIME_LIMIT_VERDICT: VerdictSet = VerdictSet::from_verdicts(&[Verdict::TimeLimit]);

/// Returns what a folder expects of its submissions, and how their times bound the time limit. `None` for an unknown
/// folder.
pub(super) fn folder_expectation(folder: &str, dialect: Dialect) -> Option<(Expectation, Option<TimeBound>)> {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => legacy_folder_expectation(folder),
        // While it was a draft, packages kept the folders of the legacy dialects.
        Dialect::Draft2023 => newer_folder_expectation(folder).or_else(|| legacy_folder_expectation(folder)),
        Dialect::V2025 => newer_folder_expectation(folder),
    }
}

fn newer_folder_expectation(folder: &str) -> Option<(Expectation, Option<TimeBound>)> {
    let each = |others: VerdictSet| Expectation {
        permitted: ACCEPTED_VERDICT.union(others),
        required: others,
        subject: ExpectationScope::EachCase,
    };
    let all = WRONG_VERDICTS.union(TIME_LIMIT_VERDICT).union(CRASH_VERDICTS);
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(TimeBound::Lower)),
        "rejected" => (each(all), None),
        "wrong_answer" => (each(WRONG_VERDICTS), Some(TimeBound::Lower)),
        "time_limit_exceeded" => (each(TIME_LIMIT_VERDICT), Some(TimeBound::Upper)),
        "run_time_error" => (each(CRASH_VERDICTS), Some(TimeBound::Lower)),
        "brute_force" => (each(TIME_LIMIT_VERDICT.union(CRASH_VERDICTS)), None),
        _ => return None,
    })
}

fn legacy_folder_expectation(folder: &str) -> Option<(Expectation, Option<TimeBound>)> {
    let whole = Expectation::for_whole_set;
    let anything = Expectation { required: VerdictSet::NONE, ..whole(VerdictSet::ANY) };
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(TimeBound::Lower)),
        "wrong_answer" | "presentation_error" => (whole(WRONG_VERDICTS), None),
        "no_output" => (whole(WRONG_VERDICTS), None),
        "time_limit_exceeded" | "timelimit" => (whole(TIME_LIMIT_VERDICT), Some(TimeBound::Upper)),
        "run_time_error" | "runtime_error" | "run_error" => (whole(CRASH_VERDICTS), None),
        "memory_limit_exceeded" => (whole(CRASH_VERDICTS), None),
        "output_limit" | "output_limit_exceeded" => (whole(CRASH_VERDICTS.union(WRONG_VERDICTS)), None),
        "compiler_error" | "compile_error" => (whole(VerdictSet::from_verdicts(&[Verdict::CompileError])), None),
        "rejected" => (whole(WRONG_VERDICTS.union(TIME_LIMIT_VERDICT).union(CRASH_VERDICTS)), None),
        "brute_force" => (whole(TIME_LIMIT_VERDICT.union(CRASH_VERDICTS)), None),
        "slow_accepted" => (whole(ACCEPTED_VERDICT.union(TIME_LIMIT_VERDICT)), None),
        // Distinguished by the score only, in problems with scores.
        "partially_accepted" | "mixed" | "mixed-verdicts" | "multiple" | "check_manually" => (anything, None),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_folders_expect_less_than_newer_ones() {
        use Verdict::{Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};
        let expectation = |folder, dialect| folder_expectation(folder, dialect).map(|(expectation, _)| expectation);
        let is_met = |folder, dialect, verdicts: &[Verdict]| {
            expectation(folder, dialect).is_some_and(|e| e.find_unmet(verdicts).is_none())
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
