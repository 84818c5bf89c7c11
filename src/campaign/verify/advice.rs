//! What the times say about the time limit.

use super::{Assessment, VerifyPlan};
use crate::campaign::event::{Measured, TimeLimit};
use crate::corpus::Bound;
use crate::verdict::Verdict;

/// Limits that are looked for are whole seconds.
const STEP_MS: u64 = 1000;

/// The smallest whole second that leaves that much room above the slowest, in milliseconds.
pub(super) fn limit_from(slowest_us: u64, factor: f64) -> u64 {
    let wanted_ms = (slowest_us as f64 * factor / 1000.0).ceil() as u64;
    wanted_ms.div_ceil(STEP_MS).max(1) * STEP_MS
}

/// The time limit with its evidence: the slowest that must be in time, the fastest that must not.
pub fn advise(plan: &VerifyPlan<'_>, rows: &[Assessment], limit_ms: u64) -> TimeLimit {
    let slowest = measured(plan, rows, Bound::Lower).max_by_key(|m| m.cpu_time_ms);
    let fastest = measured(plan, rows, Bound::Upper).min_by_key(|m| m.cpu_time_ms);
    let mut advice = Vec::new();
    if let Some(slowest) = &slowest {
        let wanted = limit_from(slowest.cpu_time_ms * 1000, plan.timing.ac_to_time_limit);
        if (limit_ms as f64) < slowest.cpu_time_ms as f64 * plan.timing.ac_to_time_limit {
            advice.push(format!(
                "`{}` needs {} ms on `{}`: a limit of {} times that asks for {} s",
                slowest.submission,
                slowest.cpu_time_ms,
                slowest.test_case,
                plan.timing.ac_to_time_limit,
                wanted / 1000
            ));
        }
    }
    advice
        .extend(fastest.as_ref().and_then(|fastest| hardly_too_slow(fastest, limit_ms, plan.timing.time_limit_to_tle)));
    TimeLimit { cpu_time_limit_ms: limit_ms, is_stated: plan.timing.is_stated, slowest, fastest, advice, elapsed_ms: 0 }
}

/// What there is to say of one that should be too slow, and is not by as much as it should be.
fn hardly_too_slow(fastest: &Measured, limit_ms: u64, factor: f64) -> Option<String> {
    let wanted_ms = limit_ms as f64 * factor;
    if fastest.was_stopped || fastest.cpu_time_ms as f64 >= wanted_ms {
        return None;
    }
    let Measured { submission, cpu_time_ms, test_case, .. } = fastest;
    let needs = format!("`{submission}` needs only {cpu_time_ms} ms where it is slowest, on `{test_case}`");
    Some(if *cpu_time_ms <= limit_ms {
        format!("{needs}, and should be too slow: a test case is missing on which it takes {wanted_ms:.0} ms or more")
    } else {
        format!("{needs}: that is less than {factor} times the limit, so on a faster machine it may be in time")
    })
}

/// The slowest test case of each submission on that side of the limit. One that fails otherwise says nothing of time, and
/// who sleeps until he is stopped would do so under any limit.
fn measured<'a>(plan: &'a VerifyPlan<'_>, rows: &'a [Assessment], side: Bound) -> impl Iterator<Item = Measured> + 'a {
    let rows = plan.contestants.iter().zip(rows).filter(move |(c, _)| c.expected.times == Some(side));
    let rows = rows.filter(|(_, assessment)| assessment.row.known().all(|(_, cell)| !cell.was_idle));
    rows.filter_map(|(contestant, assessment)| {
        let timed = assessment.row.known().filter(|(_, c)| matches!(c.verdict, Verdict::Accepted | Verdict::TimeLimit));
        let (case, cell) = timed.max_by_key(|(case, cell)| (cell.cpu_time_us, std::cmp::Reverse(*case)))?;
        Some(Measured {
            submission: contestant.name.clone(),
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
    fn who_should_be_too_slow_and_hardly_is_is_told_apart_from_who_is_in_time() {
        let measured = |cpu_time_ms, was_stopped| Measured {
            submission: "time_limit_exceeded/naive.cpp".to_owned(),
            test_case: "secret/3".to_owned(),
            cpu_time_ms,
            was_stopped,
        };
        let said = |cpu_time_ms, was_stopped| hardly_too_slow(&measured(cpu_time_ms, was_stopped), 1000, 1.5);
        let needs =
            |ms: u32| format!("`time_limit_exceeded/naive.cpp` needs only {ms} ms where it is slowest, on `secret/3`");
        assert_eq!(
            said(71, false),
            Some(needs(71) + ", and should be too slow: a test case is missing on which it takes 1500 ms or more")
        );
        assert_eq!(
            said(1400, false),
            Some(needs(1400) + ": that is less than 1.5 times the limit, so on a faster machine it may be in time")
        );
        assert_eq!((said(1500, false), said(1200, true)), (None, None));
    }
}
