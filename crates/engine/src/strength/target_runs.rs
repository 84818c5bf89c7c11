//! Runs the programs that a selection has to kill on the candidates.
//!
//! How a program fares on the candidates depends on no other program, so results are cached by program: a selection that
//! differs from an earlier one by a submission runs that one only. Which candidates a program was run on later, since
//! they were selected, depends on the others. So those results are cached apart, and are used for these runs only: what
//! is selected does not depend on what is cached.

use super::mutation::{MutationPlan, RunnableMutant, digest_tests, prepare_mutants};
use crate::event::{ActivityEvent, Event, EventSink};
use crate::judging::{JudgeRequest, RunEngine};
use crate::parallel::run_in_parallel;
use crate::tuning::{MAX_CANDIDATE_TIMEOUTS, MIN_MUTANT_TIME_MS, MUTANT_TIME_FACTOR};
use crate::verify::VerifiedCase;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_packages::{ResultCache, digest_parts, read_file};
use rebut_sandbox::Program;
use std::sync::Arc;

/// Part of every cache key, since another version can judge differently.
const CACHE_KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " candidates 3");

/// A wrong submission.
#[derive(Clone, Debug)]
pub struct WrongSubmission {
    /// The program.
    pub program: Program,
    /// Identity of its build. Without one, its results are not cached.
    pub identity: Option<String>,
}

/// A wrong program and what is known of the tests that kill it.
pub(super) struct Target {
    program: Program,
    /// How it is started.
    engine: RunEngine,
    /// Limits on processor time on each test, in milliseconds.
    limits_ms: Arc<Vec<u64>>,
    /// Key of its results in the cache, if they can be cached.
    key: Option<String>,
    results: TargetResults,
}

/// How a program fared on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CandidateResult {
    Passed,
    Killed,
    /// It ran out of time, which kills nothing.
    TimedOut,
}

impl CandidateResult {
    fn from_verdict(verdict: Verdict) -> CandidateResult {
        match verdict {
            Verdict::TimeLimit => CandidateResult::TimedOut,
            verdict if verdict.is_rejection() => CandidateResult::Killed,
            _ => CandidateResult::Passed,
        }
    }
}

/// The results of a program on the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TargetResults {
    /// The result on each; `None` if the program was not run on it.
    cells: Vec<Option<CandidateResult>>,
}

impl TargetResults {
    /// Returns no results on so many candidates.
    fn new(tests: usize) -> TargetResults {
        TargetResults { cells: vec![None; tests] }
    }

    fn count_results(&self, result: CandidateResult) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(result)).count()
    }

    /// Returns the results as a text with a character for each candidate.
    fn to_cached(&self) -> String {
        let letter = |cell: &Option<CandidateResult>| match cell {
            Some(CandidateResult::Killed) => '1',
            Some(CandidateResult::Passed) => '0',
            Some(CandidateResult::TimedOut) => 't',
            None => '-',
        };
        self.cells.iter().map(letter).collect()
    }

    /// Reads such a text. Returns `None` if it is not about so many candidates.
    fn from_cached(text: &str, tests: usize) -> Option<TargetResults> {
        let cell = |letter: char| match letter {
            '1' => Some(CandidateResult::Killed),
            '0' => Some(CandidateResult::Passed),
            't' => Some(CandidateResult::TimedOut),
            _ => None,
        };
        let cells: Vec<Option<CandidateResult>> = text.chars().map(cell).collect();
        (cells.len() == tests).then_some(TargetResults { cells })
    }
}

impl Target {
    /// Returns the tests that are known to kill it.
    pub(super) fn kills(&self) -> Vec<usize> {
        let is_killed = |test: &usize| self.results.cells[*test] == Some(CandidateResult::Killed);
        (0..self.results.cells.len()).filter(is_killed).collect()
    }

    /// Returns the number of tests that are known to kill it.
    pub(super) fn kill_count(&self) -> usize {
        self.results.count_results(CandidateResult::Killed)
    }

    /// Returns true if it ran out of time so often that it was given up.
    pub(super) fn is_given_up(&self) -> bool {
        self.results.count_results(CandidateResult::TimedOut) >= MAX_CANDIDATE_TIMEOUTS
    }

    fn run_test(&self, plan: &MutationPlan<'_>, test: usize, files: &(Vec<u8>, Vec<u8>)) -> Result<Verdict> {
        let package = plan.package;
        let case = &package.cases[test];
        let (limits, (input, answer), run_files) =
            (package.limits_with(self.limits_ms[test]), files, case.run_files()?);
        let request = JudgeRequest::new(input, answer, &limits, &package.cancel);
        let files = run_files.as_ref();
        let request = JudgeRequest { arguments: &case.arguments, files, engine: self.engine, ..request };
        Ok(case.judge.run_and_confirm(&self.program, &request)?.verdict)
    }
}

/// Compiles the mutants, and returns all wrong programs, unrun.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub(super) fn collect_targets(
    plan: &MutationPlan<'_>,
    wrong: &[WrongSubmission],
    sink: &mut dyn EventSink,
) -> Result<Vec<Target>> {
    let tests = plan.package.cases.len();
    let new = |program: Program, engine: RunEngine, limits_ms: &Arc<Vec<u64>>| Target {
        program,
        engine,
        limits_ms: Arc::clone(limits_ms),
        key: None,
        results: TargetResults::new(tests),
    };
    let about = digest_tests(plan.package)?.map(|tests| format!("{tests} {:?}", plan.package.limits));
    let key = |identity: Option<String>, variant: Option<usize>| {
        let (identity, about) = identity.zip(about.as_ref())?;
        Some(digest_parts(&[CACHE_KEY_VERSION, &identity, &format!("{variant:?}"), about]))
    };
    let mut targets = Vec::new();
    for prepared in prepare_mutants(plan, sink)? {
        let limit = |time_us: &u64| time_us.saturating_mul(MUTANT_TIME_FACTOR) / 1000 + MIN_MUTANT_TIME_MS;
        let limits_ms = Arc::new(prepared.times_us.iter().map(limit).collect());
        for RunnableMutant { program, identity, variant, engine } in prepared.mutants {
            targets.push(Target { key: key(identity, variant), ..new(program, engine, &limits_ms) });
        }
    }
    let limits_ms = Arc::new(vec![plan.package.limits.cpu_time_limit_ms; tests]);
    for WrongSubmission { program, identity } in wrong {
        let target = new(program.clone(), RunEngine::Exec, &limits_ms);
        targets.push(Target { key: key(identity.clone(), None), ..target });
    }
    Ok(targets)
}

/// Runs each program on the candidates in their order, until so many kill it, or recalls how it fared in an earlier
/// selection.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub(super) fn run_until_killed(
    plan: &MutationPlan<'_>,
    targets: &mut [Target],
    enough: usize,
    sink: &mut dyn EventSink,
) -> Result<()> {
    let cases = &plan.package.cases;
    let is_new = recall_results(plan.cache, targets, enough);
    let mut activity = ActivityEvent {
        of: Some(cases.len() as u64),
        noun: "candidates",
        ..ActivityEvent::new("Running", "wrong programs")
    };
    for (test, case) in cases.iter().enumerate() {
        activity.done = test as u64;
        sink.take_event(&Event::Activity(activity.clone()));
        let is_open = |number: &usize| {
            is_new[*number] && targets[*number].kill_count() < enough && !targets[*number].is_given_up()
        };
        let open: Vec<usize> = (0..targets.len()).filter(is_open).collect();
        run_test(plan, targets, open, (test, case))?;
    }
    for (target, _) in targets.iter().zip(is_new).filter(|(_, is_new)| *is_new) {
        if let (Some(cache), Some(key)) = (plan.cache, &target.key) {
            cache.insert(&with_enough(key, enough), target.results.to_cached().into());
        }
    }
    Ok(())
}

/// Recalls the results of programs in earlier selections. Returns for each whether it has to be run.
fn recall_results(cache: Option<&ResultCache>, targets: &mut [Target], enough: usize) -> Vec<bool> {
    let recall = |target: &mut Target| {
        let key = target.key.as_ref().map(|key| with_enough(key, enough));
        match get_cached(cache, key, target.results.cells.len()) {
            Some(results) => {
                target.results = results;
                false
            }
            None => true,
        }
    };
    targets.iter_mut().map(recall).collect()
}

/// Returns cached results on so many candidates.
fn get_cached(cache: Option<&ResultCache>, key: Option<String>, tests: usize) -> Option<TargetResults> {
    let value = cache?.get(&key?)?;
    TargetResults::from_cached(value.as_str()?, tests)
}

/// Returns the key of the results of a program that was run until so many candidates killed it.
fn with_enough(key: &str, enough: usize) -> String {
    digest_parts(&[key, &enough.to_string()])
}

/// Returns the key of all results of a program.
fn for_selected(key: &str) -> String {
    digest_parts(&[key, "selected"])
}

/// Runs each program on the selected tests on which it was not run, or recalls how it fared there in an earlier selection.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub(super) fn run_missing(plan: &MutationPlan<'_>, targets: &mut [Target], chosen: &[usize]) -> Result<()> {
    let recall = |target: &Target| {
        let tests = target.results.cells.len();
        get_cached(plan.cache, target.key.as_deref().map(for_selected), tests).unwrap_or(TargetResults::new(tests))
    };
    let mut known: Vec<TargetResults> = targets.iter().map(recall).collect();
    for test in chosen {
        let mut missing = Vec::new();
        for (number, target) in targets.iter_mut().enumerate() {
            if target.results.cells[*test].is_some() || target.is_given_up() {
                continue;
            }
            target.results.cells[*test] = known[number].cells[*test];
            if target.results.cells[*test].is_none() {
                missing.push(number);
            }
        }
        run_test(plan, targets, missing, (*test, &plan.package.cases[*test]))?;
    }
    for (target, known) in targets.iter().zip(&mut known) {
        let before = known.clone();
        for test in chosen {
            known.cells[*test] = known.cells[*test].or(target.results.cells[*test]);
        }
        if let (Some(cache), Some(key)) = (plan.cache.filter(|_| *known != before), &target.key) {
            cache.insert(&for_selected(key), known.to_cached().into());
        }
    }
    Ok(())
}

/// Runs these programs on a test.
fn run_test(
    plan: &MutationPlan<'_>,
    targets: &mut [Target],
    which: Vec<usize>,
    (test, case): (usize, &VerifiedCase),
) -> Result<()> {
    if which.is_empty() {
        return Ok(());
    }
    let files = (read_file(&case.input)?, read_file(&case.answer)?);
    let run = |at: usize| targets[which[at]].run_test(plan, test, &files);
    let verdicts = run_in_parallel(plan.package.jobs, which.len(), run, &mut |_| ())?;
    for (number, verdict) in which.into_iter().zip(verdicts) {
        targets[number].results.cells[test] = Some(CandidateResult::from_verdict(verdict));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_were_cached() {
        let verdicts = [Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::Accepted];
        let cells = verdicts.map(|verdict| Some(CandidateResult::from_verdict(verdict)));
        let results = TargetResults { cells: [cells.as_slice(), &[None]].concat() };
        assert_eq!(results.to_cached(), "1t0-");
        assert_eq!(TargetResults::from_cached("1t0-", 4), Some(results.clone()));
        assert_eq!(TargetResults::from_cached("1t0-", 5), None, "of other tests");
        let counts = [CandidateResult::Killed, CandidateResult::TimedOut].map(|result| results.count_results(result));
        assert_eq!(counts, [1, 1], "running out of time kills nothing");
    }
}
