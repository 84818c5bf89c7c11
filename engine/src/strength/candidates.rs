//! Chooses a test set from many candidates: the smallest that kills each wrong program several times.
//!
//! The wrong programs are wrong submissions and mutants. A program that most candidates kill tells nothing about any of
//! them, so it is run only until it has died often enough. The programs that demand a particular test are those that few
//! candidates kill, and these are run on each. The selection is made for them first; then the others are run on the
//! selected tests, and tests are added for those that still live.
//!
//! Runs that exceed a time limit kill nothing here, since another machine could decide otherwise. What has to be large
//! is a test of its own.

use super::mutation::{MutationPlan, RunnableMutant, prepare_mutants};
use super::test_cover::{cover_programs, order_by_kills};
use crate::event::{ActivityEvent, CandidateNovelty, CandidateSelection, Event, EventSink};
use crate::judging::JudgeRequest;
use crate::parallel::run_in_parallel;
use crate::tuning::{MAX_CANDIDATE_TIMEOUTS, MIN_MUTANT_TIME_MS, MUTANT_TIME_FACTOR, SURPLUS_KILLS};
use crate::verify::VerifiedCase;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_packages::{digest_parts, read_file};
use rebut_sandbox::{Program, RunLimits};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The candidates, the programs that the selection has to kill, and how many tests it may have.
pub struct SelectionPlan<'a> {
    /// The candidates as the test cases of a package, and the accepted submissions to mutate.
    pub mutation: &'a MutationPlan<'a>,
    /// Wrong submissions.
    pub wrong: Vec<Program>,
    /// The tests that are part of every selection: samples and those made by hand.
    pub kept: Vec<usize>,
    /// Number of tests that kill each program, if so many candidates do.
    pub depth: usize,
    /// Maximum number of tests. Where more would be needed, programs are killed fewer times.
    pub max_tests: usize,
}

/// The tests that were selected.
pub struct SelectedTests {
    /// Indices of the tests: the kept ones, then the others in the order in which they kill the most.
    pub chosen: Vec<usize>,
    /// The selection in figures.
    pub selection: CandidateSelection,
}

/// A wrong program and what is known of the tests that kill it.
struct Target {
    program: Program,
    arguments: RunnableArgument,
    /// Limits on processor time on each test, in milliseconds.
    limits_ms: Arc<Vec<u64>>,
    /// Whether each test kills it; `None` if it was not run.
    cells: Vec<Option<bool>>,
    timeouts: usize,
}

/// The argument that chooses a mutant.
type RunnableArgument = Option<std::ffi::OsString>;

impl Target {
    fn kills(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|test| self.cells[*test] == Some(true)).collect()
    }

    fn kill_count(&self) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(true)).count()
    }
}

/// Selects tests.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub fn select_tests(plan: &SelectionPlan<'_>, sink: &mut dyn EventSink) -> Result<SelectedTests> {
    let mut targets = collect_targets(plan, sink)?;
    let enough = plan.depth + SURPLUS_KILLS;
    run_until_killed(plan, &mut targets, enough, sink)?;
    let programs = targets.len();
    targets.retain(|target| target.timeouts < MAX_CANDIDATE_TIMEOUTS);
    let timed_out = programs - targets.len();
    let rare: Vec<Vec<usize>> =
        targets.iter().filter(|target| target.kill_count() < enough).map(Target::kills).collect();
    let tests = plan.mutation.package.cases.len();
    let (depth, first) = deepest_cover(&rare, tests, plan);
    run_missing(plan, &mut targets, &first.chosen)?;
    let kills: Vec<Vec<usize>> = targets.iter().map(Target::kills).collect();
    let chosen = complete_selection(plan, &kills, first.chosen, depth);
    let chosen_kills = |tests: &Vec<usize>| tests.iter().filter(|test| chosen.contains(test)).count();
    let selection = CandidateSelection {
        candidates: tests,
        tests: chosen.len(),
        depth: reached_depth(&kills, &chosen, plan.depth),
        lower_bound: first.lower_bound.max(largest_demand(&kills, depth)),
        programs,
        timed_out,
        killed: kills.iter().filter(|tests| chosen_kills(tests) > 0).count(),
        killable: kills.iter().filter(|tests| !tests.is_empty()).count(),
        novelty: measure_novelty(&rare, &shuffle_drawn(plan)),
    };
    Ok(SelectedTests { chosen, selection })
}

/// Adds the tests that the programs need that most candidates kill, and, if the selection kills each fewer times than the
/// plan demands, those that kill most of them once more. Orders the tests so that a judge that stops at the first failure
/// stops early.
fn complete_selection(plan: &SelectionPlan<'_>, kills: &[Vec<usize>], first: Vec<usize>, depth: usize) -> Vec<usize> {
    let tests = plan.mutation.package.cases.len();
    let most = plan.max_tests.max(plan.kept.len());
    let anew = cover_programs(kills, tests, depth, &plan.kept).chosen;
    let mut chosen = cover_programs(kills, tests, depth, &first).chosen;
    if anew.len() < chosen.len() {
        chosen = anew;
    }
    chosen.truncate(most);
    chosen = cover_programs(kills, tests, plan.depth, &chosen).chosen;
    chosen.truncate(most);
    let others: Vec<usize> = chosen.into_iter().filter(|test| !plan.kept.contains(test)).collect();
    order_by_kills(kills, &plan.kept, &others)
}

/// Returns the number of tests that a program needs which needs the most.
fn largest_demand(kills: &[Vec<usize>], depth: usize) -> usize {
    kills.iter().map(|tests| tests.len().min(depth)).max().unwrap_or(0)
}

/// Returns how many of the chosen tests kill each program, if so many tests do; at most `depth`.
fn reached_depth(kills: &[Vec<usize>], chosen: &[usize], depth: usize) -> usize {
    let chosen_of = |tests: &Vec<usize>| tests.iter().filter(|test| chosen.contains(test)).count();
    let short = kills.iter().filter(|tests| chosen_of(tests) < tests.len());
    short.map(chosen_of).min().unwrap_or(depth).min(depth)
}

/// Returns the wrong programs, unrun.
fn collect_targets(plan: &SelectionPlan<'_>, sink: &mut dyn EventSink) -> Result<Vec<Target>> {
    let cases = plan.mutation.package.cases.len();
    let new = |program: Program, arguments: RunnableArgument, limits_ms: &Arc<Vec<u64>>| Target {
        program,
        arguments,
        limits_ms: Arc::clone(limits_ms),
        cells: vec![None; cases],
        timeouts: 0,
    };
    let mut targets = Vec::new();
    for prepared in prepare_mutants(plan.mutation, sink)? {
        let limit = |time_us: &u64| time_us.saturating_mul(MUTANT_TIME_FACTOR) / 1000 + MIN_MUTANT_TIME_MS;
        let limits_ms = Arc::new(prepared.times_us.iter().map(limit).collect());
        let mutants = prepared.mutants.into_iter();
        targets.extend(mutants.map(|RunnableMutant { program, argument }| new(program, argument, &limits_ms)));
    }
    let limits_ms = Arc::new(vec![plan.mutation.package.limits.cpu_time_limit_ms; cases]);
    targets.extend(plan.wrong.iter().map(|program| new(program.clone(), None, &limits_ms)));
    Ok(targets)
}

/// Runs each program on the candidates in their order, until so many kill it.
fn run_until_killed(
    plan: &SelectionPlan<'_>,
    targets: &mut [Target],
    enough: usize,
    sink: &mut dyn EventSink,
) -> Result<()> {
    let cases = &plan.mutation.package.cases;
    let mut activity = ActivityEvent {
        of: Some(cases.len() as u64),
        noun: "candidates",
        ..ActivityEvent::new("Running", "wrong programs")
    };
    for (test, case) in cases.iter().enumerate() {
        activity.done = test as u64;
        sink.take_event(&Event::Activity(activity.clone()));
        let is_open = |target: &Target| target.kill_count() < enough && target.timeouts < MAX_CANDIDATE_TIMEOUTS;
        let open: Vec<usize> = (0..targets.len()).filter(|number| is_open(&targets[*number])).collect();
        let files = (read_file(&case.input)?, read_file(&case.answer)?);
        let run = |at: usize| run_target(plan, &targets[open[at]], test, case, &files);
        let verdicts = run_in_parallel(plan.mutation.package.jobs, open.len(), run, &mut |_| ())?;
        for (number, verdict) in open.into_iter().zip(verdicts) {
            record_verdict(&mut targets[number], test, verdict);
        }
    }
    Ok(())
}

/// Runs each program on the selected tests on which it was not run.
fn run_missing(plan: &SelectionPlan<'_>, targets: &mut [Target], chosen: &[usize]) -> Result<()> {
    for test in chosen {
        let case = &plan.mutation.package.cases[*test];
        let files = (read_file(&case.input)?, read_file(&case.answer)?);
        let is_missing = |target: &Target| target.cells[*test].is_none() && target.timeouts < MAX_CANDIDATE_TIMEOUTS;
        let missing: Vec<usize> = (0..targets.len()).filter(|number| is_missing(&targets[*number])).collect();
        let run = |at: usize| run_target(plan, &targets[missing[at]], *test, case, &files);
        let verdicts = run_in_parallel(plan.mutation.package.jobs, missing.len(), run, &mut |_| ())?;
        for (number, verdict) in missing.into_iter().zip(verdicts) {
            record_verdict(&mut targets[number], *test, verdict);
        }
    }
    Ok(())
}

fn record_verdict(target: &mut Target, test: usize, verdict: Verdict) {
    let is_timeout = verdict == Verdict::TimeLimit;
    target.timeouts += usize::from(is_timeout);
    target.cells[test] = Some(verdict.is_rejection() && !is_timeout);
}

fn run_target(
    plan: &SelectionPlan<'_>,
    target: &Target,
    test: usize,
    case: &VerifiedCase,
    (input, answer): &(Vec<u8>, Vec<u8>),
) -> Result<Verdict> {
    let package = plan.mutation.package;
    let RunLimits { memory_limit_bytes, output_limit_bytes, .. } = package.limits;
    let limits =
        RunLimits { memory_limit_bytes, output_limit_bytes, ..RunLimits::with_cpu_time_ms(target.limits_ms[test]) };
    let arguments: Vec<_> = case.arguments.iter().chain(&target.arguments).cloned().collect();
    let request = JudgeRequest { input, answer, arguments: &arguments, limits: &limits, cancel: &package.cancel };
    Ok(case.judge.run_and_judge(&target.program, &request)?.verdict)
}

/// A selection, and the number of tests that every selection has at least.
struct BoundedCover {
    chosen: Vec<usize>,
    lower_bound: usize,
}

/// Returns the selection that kills the most times within the maximum number of tests, at least once, and how many times.
fn deepest_cover(kills: &[Vec<usize>], tests: usize, plan: &SelectionPlan<'_>) -> (usize, BoundedCover) {
    let cover = |depth: usize| {
        let cover = cover_programs(kills, tests, depth, &plan.kept);
        (depth, BoundedCover { chosen: cover.chosen, lower_bound: cover.lower_bound })
    };
    let fits = |(_, cover): &(usize, BoundedCover)| cover.chosen.len() <= plan.max_tests;
    let mut best = cover(plan.depth);
    if fits(&best) {
        return best;
    }
    while best.0 > 1 && !fits(&best) {
        best = cover(best.0 - 1);
    }
    best
}

/// Returns the drawn candidates in a random order that depends on their names only. The recipe has one entry after the
/// other, so that the last candidates in its order would be those of one entry.
fn shuffle_drawn(plan: &SelectionPlan<'_>) -> Vec<usize> {
    let cases = &plan.mutation.package.cases;
    let mut drawn: Vec<usize> = (0..cases.len()).filter(|test| !plan.kept.contains(test)).collect();
    drawn.sort_by_cached_key(|test| digest_parts(&[&cases[*test].name]));
    drawn
}

/// Counts the sets of programs that the drawn candidates kill, in this order.
fn measure_novelty(rare: &[Vec<usize>], drawn: &[usize]) -> CandidateNovelty {
    let mut signatures: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    let mut last_new = 0;
    for (number, test) in drawn.iter().enumerate() {
        let signature: Vec<usize> = (0..rare.len()).filter(|program| rare[*program].contains(test)).collect();
        let count = signatures.entry(signature).or_default();
        *count += 1;
        if *count == 1 {
            last_new = number + 1;
        }
    }
    let with_count = |wanted: u64| signatures.values().filter(|count| **count == wanted).count() as u64;
    CandidateNovelty {
        inputs: drawn.len() as u64,
        signatures: signatures.len() as u64,
        seen_once: with_count(1),
        seen_twice: with_count(2),
        since_new: (drawn.len() - last_new) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_signatures_become_rare() {
        // Of six drawn inputs, the first and the fourth kill program 0, the third kills both.
        let rare = [vec![1, 3, 4], vec![3]];
        let novelty = measure_novelty(&rare, &[1, 2, 3, 4, 5, 6]);
        let expected = CandidateNovelty { inputs: 6, signatures: 3, seen_once: 1, seen_twice: 1, since_new: 3 };
        assert_eq!(novelty, expected);
    }
    #[test]
    fn depth_is_that_of_the_program_that_is_killed_the_fewest_times() {
        let kills = [vec![0, 1, 2], vec![2, 3], vec![1], vec![]];
        assert_eq!(reached_depth(&kills, &[1, 2, 3], 5), 2, "one test of the first is missing");
        assert_eq!(reached_depth(&kills, &[0, 1, 2, 3], 5), 5, "nothing kills them more often");
        assert_eq!(reached_depth(&kills, &[0, 2], 5), 0, "the third lives");
    }
}
