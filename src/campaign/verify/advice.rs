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
    let wanted_ms = limit_ms as f64 * plan.timing.time_limit_to_tle;
    if let Some(fastest) = fastest.as_ref().filter(|f| !f.was_stopped && (f.cpu_time_ms as f64) < wanted_ms) {
        advice.push(format!(
            "`{}` needs only {} ms where it is slowest, on `{}`: with {} times the limit it would be too slow on a faster \
             machine, too",
            fastest.submission, fastest.cpu_time_ms, fastest.test_case, plan.timing.time_limit_to_tle
        ));
    }
    TimeLimit { cpu_time_limit_ms: limit_ms, is_stated: plan.timing.is_stated, slowest, fastest, advice, elapsed_ms: 0 }
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
