//! Compares a time limit with counted work.
//!
//! A measured time depends on the machine and its load; the number of executed branches does not. So submissions are
//! compared by their counts on the same inputs, and one measured time only converts counts to milliseconds.

use super::ladder::WorkMeter;
use crate::event::{CountedWork, SlowWork, WorkMargins};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::{Error, Result};
use rebut_packages::TimeBound;
use rebut_sandbox::CancelToken;
use rebut_toolchain::{CountedProgram, WorkUnit};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Number of test cases of each submission that are counted: those that take it the longest.
const MAX_CASES_PER_SUBMISSION: usize = 3;

/// A submission that must be too slow is stopped after this many times the time limit.
const STOP_FACTOR: u64 = 3;

/// Minimum processor time of a run that measures how long a branch takes, in microseconds. Shorter ones are mostly start.
const MIN_CALIBRATION_US: u64 = 5_000;

/// The submissions to compare with the limit, and how.
#[derive(Debug)]
pub struct MarginPlan {
    /// The submissions on both sides of the limit, in the order of the report.
    pub submissions: Vec<MarginSubmission>,
    /// The limit on processor time, in milliseconds.
    pub cpu_time_limit_ms: u64,
    /// Minimum ratio of the limit to the time of each submission that must stay within it.
    pub ac_to_time_limit: f64,
    /// Minimum ratio of the time of each submission that must be too slow to the limit.
    pub time_limit_to_tle: f64,
    /// The memory limit, in bytes.
    pub memory_limit_bytes: u64,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Cancels the work.
    pub cancel: CancelToken,
}

/// A submission on one side of the limit.
#[derive(Debug)]
pub struct MarginSubmission {
    /// Path relative to `submissions/`.
    pub name: String,
    /// The program with counters.
    pub program: CountedProgram,
    /// Its side of the limit.
    pub bound: TimeBound,
    /// The test cases on which it was run.
    pub cases: Vec<TimedCase>,
}

/// A test case with the time that was measured on it.
#[derive(Clone, Debug)]
pub struct TimedCase {
    /// The name of the test case.
    pub name: String,
    /// The file with the input.
    pub input: PathBuf,
    /// Processor time, in microseconds.
    pub cpu_time_us: u64,
}

/// A run to count.
struct PlannedRun<'p> {
    submission: &'p MarginSubmission,
    case: &'p TimedCase,
}

/// Counts the work of the submissions on the test cases that take them the longest, and compares it with the limit.
/// Returns `None` if no submission that must stay within the limit can be counted.
///
/// # Errors
/// Returns an error if an input cannot be read, if a program cannot be started, or if the work was cancelled.
pub fn measure_margins(plan: &MarginPlan) -> Result<Option<WorkMargins>> {
    let runs = plan_runs(plan);
    let counted = run_in_parallel(plan.jobs, runs.len(), |index| count_run(plan, &runs[index]), &mut |_| ())?;
    let of_side = |side| runs.iter().zip(&counted).filter(move |(run, _)| run.submission.bound == side);
    let accepted: Vec<_> = of_side(TimeBound::Lower).filter_map(|(run, work)| Some((run, work.as_ref()?))).collect();
    let Some((costliest_run, costliest)) = accepted.iter().rev().max_by_key(|(_, work)| work.work) else {
        return Ok(None);
    };
    let mut most_accepted = BTreeMap::new();
    for (_, work) in &accepted {
        let most = most_accepted.entry(work.test_case.as_str()).or_insert(0);
        *most = work.work.max(*most);
    }
    let slow_runs: Vec<&CountedWork> = of_side(TimeBound::Upper).filter_map(|(_, work)| work.as_ref()).collect();
    let counted_names: BTreeSet<&str> = counted.iter().flatten().map(|work| work.submission.as_str()).collect();
    let is_uncounted = |submission: &&MarginSubmission| !counted_names.contains(submission.name.as_str());
    let margins = WorkMargins {
        costliest: (*costliest).clone(),
        slow: worst_of_each(&slow_runs, &most_accepted),
        cpu_time_limit_ms: plan.cpu_time_limit_ms,
        us_per_million: None,
        limit_to_costliest: None,
        least_slow_to_limit: None,
        limits_ms: None,
        uncounted: plan.submissions.iter().filter(is_uncounted).map(|submission| submission.name.clone()).collect(),
    };
    Ok(Some(calibrate(margins, &slow_runs, costliest_run.case.cpu_time_us, plan)))
}

/// Returns the runs to count. Submissions that must stay within the limit are run on the slowest test cases of all,
/// since the others are compared with them on the same inputs.
fn plan_runs(plan: &MarginPlan) -> Vec<PlannedRun<'_>> {
    let all: BTreeSet<&str> = plan.submissions.iter().flat_map(slowest_cases).collect();
    let mut runs = Vec::new();
    for submission in plan.submissions.iter().filter(|submission| submission.program.has_counters()) {
        let own = slowest_cases(submission);
        let is_wanted = |name: &str| match submission.bound {
            TimeBound::Lower => all.contains(name),
            TimeBound::Upper => own.contains(&name),
        };
        let cases = submission.cases.iter().filter(|case| is_wanted(&case.name));
        runs.extend(cases.map(|case| PlannedRun { submission, case }));
    }
    runs
}

/// Returns the names of the test cases that take a submission the longest.
fn slowest_cases(submission: &MarginSubmission) -> Vec<&str> {
    let mut cases: Vec<&TimedCase> = submission.cases.iter().collect();
    cases.sort_by_key(|case| std::cmp::Reverse(case.cpu_time_us));
    cases.iter().take(MAX_CASES_PER_SUBMISSION).map(|case| case.name.as_str()).collect()
}

/// Counts the work of a run. Returns `None` if its branches are not counted.
fn count_run(plan: &MarginPlan, run: &PlannedRun<'_>) -> Result<Option<CountedWork>> {
    let input = fs::read(&run.case.input).map_err(|cause| Error::unreadable_file(&run.case.input, &cause))?;
    let meter = WorkMeter {
        program: &run.submission.program,
        cpu_time_limit_ms: plan.cpu_time_limit_ms.saturating_mul(STOP_FACTOR),
        memory_limit_bytes: plan.memory_limit_bytes,
        cancel: &plan.cancel,
    };
    let work = meter.count_work(&input)?;
    Ok((work.unit == WorkUnit::Branches).then(|| CountedWork {
        submission: run.submission.name.clone(),
        test_case: run.case.name.clone(),
        work: work.total,
        was_stopped: work.is_stopped,
    }))
}

/// Returns of each slow submission the run that is the furthest above the accepted ones on the same input.
fn worst_of_each(runs: &[&CountedWork], most_accepted: &BTreeMap<&str, u64>) -> Vec<SlowWork> {
    let mut worst: Vec<SlowWork> = Vec::new();
    for &run in runs {
        let Some(accepted) = most_accepted.get(run.test_case.as_str()) else { continue };
        let times_accepted = run.work as f64 / (*accepted).max(1) as f64;
        match worst.iter_mut().find(|known| known.run.submission == run.submission) {
            Some(known) if known.times_accepted >= times_accepted => {}
            Some(known) => *known = SlowWork { run: run.clone(), times_accepted },
            None => worst.push(SlowWork { run: run.clone(), times_accepted }),
        }
    }
    worst
}

/// Converts the counts to times, if the costliest run took long enough, and compares them with the limit.
fn calibrate(margins: WorkMargins, slow_runs: &[&CountedWork], costliest_us: u64, plan: &MarginPlan) -> WorkMargins {
    if costliest_us < MIN_CALIBRATION_US || margins.costliest.work == 0 {
        return margins;
    }
    let us_per_branch = costliest_us as f64 / margins.costliest.work as f64;
    let costliest_ms = costliest_us as f64 / 1000.0;
    let least_slow = least_slow_run(slow_runs);
    let to_ms = |run: &CountedWork| run.work as f64 * us_per_branch / 1000.0;
    let smallest = (costliest_ms * plan.ac_to_time_limit).ceil() as u64;
    let largest = least_slow.filter(|run| !run.was_stopped).map(|run| (to_ms(run) / plan.time_limit_to_tle) as u64);
    let limit_ms = plan.cpu_time_limit_ms as f64;
    WorkMargins {
        us_per_million: Some(us_per_branch * 1e6),
        limit_to_costliest: Some(limit_ms / costliest_ms),
        least_slow_to_limit: least_slow.map(|run| to_ms(run) / limit_ms),
        limits_ms: Some((smallest, largest)),
        ..margins
    }
}

/// Returns the run with the most work of the slow submission for which that is the least. One that was stopped would
/// have taken more.
fn least_slow_run<'r>(runs: &[&'r CountedWork]) -> Option<&'r CountedWork> {
    let mut most: BTreeMap<&str, &CountedWork> = BTreeMap::new();
    for &run in runs {
        let known = most.entry(run.submission.as_str()).or_insert(run);
        if run.work > known.work {
            *known = run;
        }
    }
    most.into_values().min_by_key(|run| (run.was_stopped, run.work))
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn run(submission: &str, test_case: &str, work: u64, was_stopped: bool) -> CountedWork {
        CountedWork { submission: submission.to_owned(), test_case: test_case.to_owned(), work, was_stopped }
    }

    fn margins(costliest: CountedWork) -> WorkMargins {
        WorkMargins {
            costliest,
            slow: Vec::new(),
            cpu_time_limit_ms: 1000,
            us_per_million: None,
            limit_to_costliest: None,
            least_slow_to_limit: None,
            limits_ms: None,
            uncounted: Vec::new(),
        }
    }

    fn plan() -> MarginPlan {
        MarginPlan {
            submissions: Vec::new(),
            cpu_time_limit_ms: 1000,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            memory_limit_bytes: 1 << 20,
            jobs: 1,
            cancel: CancelToken::new(),
        }
    }

    #[test]
    fn slow_submissions_are_compared_on_the_same_input() {
        let runs = [run("a", "1", 900, true), run("a", "2", 800, false), run("b", "1", 100, false)];
        let accepted = BTreeMap::from([("1", 90), ("2", 20)]);
        let worst = worst_of_each(&runs.iter().collect::<Vec<_>>(), &accepted);
        let shown: Vec<_> =
            worst.iter().map(|slow| (slow.run.test_case.as_str(), (slow.times_accepted * 10.0) as u64)).collect();
        assert_eq!(shown, [("2", 400), ("1", 11)]);
    }

    #[test]
    fn limits_keep_the_factors_on_both_sides() {
        // 50 ms for five million branches: ten microseconds for a thousand.
        let costliest = run("fast", "1", 5_000_000, false);
        let slow = [run("slow", "1", 40_000_000, false), run("slow", "2", 60_000_000, false)];
        let all = calibrate(margins(costliest.clone()), &slow.iter().collect::<Vec<_>>(), 50_000, &plan());
        assert_eq!(all.limits_ms, Some((100, Some(400))));
        assert_eq!((all.limit_to_costliest, all.least_slow_to_limit), (Some(20.0), Some(0.6)));
        let stopped = [run("slow", "1", 300_000_000, true)];
        let all = calibrate(margins(costliest.clone()), &stopped.iter().collect::<Vec<_>>(), 50_000, &plan());
        assert_eq!((all.limits_ms, all.least_slow_to_limit), (Some((100, None)), Some(3.0)));
        let short = calibrate(margins(costliest), &[], 400, &plan());
        assert_eq!((short.us_per_million, short.limits_ms), (None, None));
    }
}
