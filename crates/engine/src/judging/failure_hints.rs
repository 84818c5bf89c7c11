//! Collects hints about a failure: likely causes, and checkers that would accept the output.

use super::judges::Judge;
use super::run_result::RunResult;
use rebut_packages::verdict::Verdict;

/// Returns the checker's hints, and the usual causes of this kind of failure.
pub fn collect_failure_hints(judge: &Judge, run_result: &RunResult, answer: &[u8]) -> Vec<String> {
    let mut hints = run_result.mismatch.as_ref().map_or(Vec::new(), |mismatch| mismatch.hints.clone());
    match judge {
        Judge::Checker(checker) if run_result.verdict == Verdict::WrongAnswer => {
            hints.extend(checker.suggest_checker(answer, &run_result.outcome.output).map(|other| other.to_string()));
        }
        judge if judge.holds_conversation() && run_result.outcome.is_idle() => hints.push(
            "it waits for input, and the interactor may be waiting as well: is its output flushed, as with `endl` or \
             `flush=True`, and does it read everything that it is sent?"
                .to_owned(),
        ),
        _ => {}
    }
    hints
}
