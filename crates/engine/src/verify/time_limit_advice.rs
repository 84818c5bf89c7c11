//! Compares the time limit with the measured times.

use super::{SubmissionAssessment, VerifyPlan};
use crate::event::{LanguageLimit, MeasuredTime, TimeLimitAdvice};
use rebut_packages::TimeBound;
use rebut_packages::verdict::Verdict;
use rebut_toolchain::Language;
use std::collections::BTreeMap;
use std::path::Path;

/// Derived limits are multiples of this: whole seconds.
const LIMIT_STEP_MS: u64 = 1000;

/// Returns the smallest limit of whole seconds that is at least `factor` times the slowest time, in milliseconds.
pub(super) fn limit_from_slowest(slowest_us: u64, factor: f64) -> u64 {
    let wanted_ms = (slowest_us as f64 * factor / 1000.0).ceil() as u64;
    wanted_ms.div_ceil(LIMIT_STEP_MS).max(1) * LIMIT_STEP_MS
}

/// Returns the slowest run of the submissions that must stay within the limit, and the limit in milliseconds that it
/// requires.
pub fn fit_time_limit(plan: &VerifyPlan<'_>, rows: &[SubmissionAssessment]) -> Option<(MeasuredTime, u64)> {
    let slowest = measure_bounding_times(plan, rows, TimeBound::Lower).max_by_key(|m| m.cpu_time_ms)?;
    let limit = limit_from_slowest(slowest.cpu_time_ms * 1000, plan.timing.ac_to_time_limit);
    Some((slowest, limit))
}

/// Returns the time limit with the slowest submission that must stay within it, the fastest that must exceed it, and
/// advice if it is too close to either.
pub fn advise_time_limit(plan: &VerifyPlan<'_>, rows: &[SubmissionAssessment], limit_ms: u64) -> TimeLimitAdvice {
    let fitting = fit_time_limit(plan, rows);
    let fastest = measure_bounding_times(plan, rows, TimeBound::Upper).min_by_key(|m| m.cpu_time_ms);
    let mut advice = Vec::new();
    if let Some((slowest, wanted)) = &fitting
        && (limit_ms as f64) < slowest.cpu_time_ms as f64 * plan.timing.ac_to_time_limit
    {
        let MeasuredTime { submission, test_case, cpu_time_ms, was_stopped } = slowest;
        let factor = plan.timing.ac_to_time_limit;
        advice.push(match was_stopped {
            true => format!(
                "`{submission}` was stopped on `{test_case}`: its time, and the limit that it requires, are not known"
            ),
            false => format!(
                "`{submission}` takes {cpu_time_ms} ms on `{test_case}`: {factor} times that requires a limit of {} s",
                wanted / 1000
            ),
        });
    }
    advice.extend(
        fastest.as_ref().and_then(|fastest| advise_on_fastest_slow(fastest, limit_ms, plan.timing.time_limit_to_tle)),
    );
    TimeLimitAdvice {
        cpu_time_limit_ms: limit_ms,
        is_stated: plan.timing.is_stated,
        ac_to_time_limit: plan.timing.ac_to_time_limit,
        time_limit_to_tle: plan.timing.time_limit_to_tle,
        slowest: fitting.map(|(slowest, _)| slowest),
        fastest,
        languages: measure_languages(plan, rows),
        advice,
        elapsed_ms: 0,
    }
}

/// Returns the limit that the submissions of each language require, the shortest first; nothing if they are all in one language.
fn measure_languages(plan: &VerifyPlan<'_>, rows: &[SubmissionAssessment]) -> Vec<LanguageLimit> {
    let mut slowest: BTreeMap<&'static str, u64> = BTreeMap::new();
    for measured in measure_bounding_times(plan, rows, TimeBound::Lower).filter(|measured| !measured.was_stopped) {
        if let Some(language) = Language::from_path(Path::new(&measured.submission)) {
            let time = slowest.entry(language.name).or_default();
            *time = measured.cpu_time_ms.max(*time);
        }
    }
    let limit = |(language, cpu_time_ms)| LanguageLimit {
        language,
        cpu_time_ms,
        required_limit_ms: limit_from_slowest(cpu_time_ms * 1000, plan.timing.ac_to_time_limit),
    };
    let mut limits: Vec<LanguageLimit> = slowest.into_iter().map(limit).collect();
    if limits.len() < 2 {
        return Vec::new();
    }
    limits.sort_by_key(|limit| limit.cpu_time_ms);
    limits
}

/// Returns advice if a submission that should be too slow does not exceed the limit by the factor.
fn advise_on_fastest_slow(fastest: &MeasuredTime, limit_ms: u64, factor: f64) -> Option<String> {
    let wanted_ms = limit_ms as f64 * factor;
    if fastest.was_stopped || fastest.cpu_time_ms as f64 >= wanted_ms {
        return None;
    }
    let MeasuredTime { submission, cpu_time_ms, test_case, .. } = fastest;
    let takes = format!("`{submission}` takes at most {cpu_time_ms} ms (on `{test_case}`)");
    Some(if *cpu_time_ms <= limit_ms {
        format!("{takes}, but should be too slow: add a test case on which it takes {wanted_ms:.0} ms or more")
    } else {
        format!("{takes}: that is less than {factor} times the limit, so a faster machine may accept it")
    })
}

/// Returns the slowest test case of each submission that bounds the limit on the given side. Runs that fail for other
/// reasons say nothing about time. Submissions that are idle until they are stopped are excluded, since they would be
/// under any limit.
fn measure_bounding_times<'a>(
    plan: &'a VerifyPlan<'_>,
    rows: &'a [SubmissionAssessment],
    side: TimeBound,
) -> impl Iterator<Item = MeasuredTime> + 'a {
    let rows = plan.submissions.iter().zip(rows).filter(move |(c, _)| c.expected.times == Some(side));
    let rows = rows.filter(|(_, assessment)| assessment.row.known_cells().all(|(_, cell)| !cell.was_idle));
    rows.filter_map(|(submission, assessment)| {
        let timed =
            assessment.row.known_cells().filter(|(_, c)| matches!(c.verdict, Verdict::Accepted | Verdict::TimeLimit));
        let (case, cell) = timed.max_by_key(|(case, cell)| (cell.cpu_time_us, std::cmp::Reverse(*case)))?;
        Some(MeasuredTime {
            submission: submission.name.clone(),
            test_case: plan.cases[case].name.clone(),
            cpu_time_ms: cell.cpu_time_us.div_ceil(1000),
            was_stopped: cell.was_stopped,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barely_slow_and_fast_submissions_get_own_advice() {
        let measured = |cpu_time_ms, was_stopped| MeasuredTime {
            submission: "time_limit_exceeded/naive.cpp".to_owned(),
            test_case: "secret/3".to_owned(),
            cpu_time_ms,
            was_stopped,
        };
        let advice_for =
            |cpu_time_ms, was_stopped| advise_on_fastest_slow(&measured(cpu_time_ms, was_stopped), 1000, 1.5);
        let takes = |ms: u32| format!("`time_limit_exceeded/naive.cpp` takes at most {ms} ms (on `secret/3`)");
        assert_eq!(
            advice_for(71, false),
            Some(takes(71) + ", but should be too slow: add a test case on which it takes 1500 ms or more")
        );
        assert_eq!(
            advice_for(1400, false),
            Some(takes(1400) + ": that is less than 1.5 times the limit, so a faster machine may accept it")
        );
        assert_eq!((advice_for(1500, false), advice_for(1200, true)), (None, None));
    }
}
