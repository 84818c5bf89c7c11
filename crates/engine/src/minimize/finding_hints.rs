//! Explains a finding: hints on its cause, and on how it was minimized.

use super::candidate_runs::CandidateRuns;
use super::minimization_task::MinimizationTask;
use super::state_leak::find_state_leak;
use crate::event::{Finding, JudgeKind};
use crate::input_reading::explain_input_misuse;
use crate::inputs::find_windows_directive;
use crate::judging::JudgeSetup;
use crate::predicate::FailureTarget;
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;
use std::path::Path;

const GUESSED_FORMAT_HINT: &str =
    "the format is a guess from the samples, so this input may be invalid: compare it with the statement";

/// Adds to a finding what explains it.
pub(super) fn explain_finding(runs: &CandidateRuns<'_, '_>, finding: &mut Finding) {
    let guess = runs.inputs.is_guessed.then(|| GUESSED_FORMAT_HINT.to_owned());
    let hints = [
        guess,
        reading_hint(runs, finding),
        source_hint(runs),
        validity_hint(runs),
        unstable_generator_hint(runs.task),
    ];
    finding.failure.hints.extend(hints.into_iter().flatten());
}

/// Looks for state that leaks between cases, and reports it in the message.
pub(super) fn explain_state_leak(runs: &CandidateRuns<'_, '_>, finding: &mut Finding) {
    let CandidateRuns { judge_setup, inputs, task, .. } = *runs;
    finding.failure.leaking_cases = find_state_leak(judge_setup, inputs, &task.target, &finding.run.input);
    finding.failure.message = message_with_state_leak(finding);
}

/// Returns how the failing program, or the reference, misuses its input, if that explains the failure.
fn reading_hint(runs: &CandidateRuns<'_, '_>, finding: &Finding) -> Option<String> {
    if runs.judge_setup.judge.judge_kind() == JudgeKind::Conversation || runs.judge_setup.cancel.is_cancelled() {
        return None;
    }
    let JudgeSetup { reference, limits, judge_limits, cancel, .. } = runs.judge_setup;
    // A failure to diagnose costs only the hint; it must not cost the finding.
    let explain = |program, limits| explain_input_misuse(program, &finding.run.input, limits, cancel).ok().flatten();
    let explain_reference = || explain(reference, judge_limits);
    match &runs.task.target {
        FailureTarget::Reference => explain_reference(),
        FailureTarget::Submission(program) => explain(program, limits).or_else(|| {
            let reason = explain_reference().filter(|_| finding.failure.verdict == Verdict::WrongAnswer)?;
            Some(format!("the reference `{}`: {reason}", reference.display_name()))
        }),
    }
}

/// Returns a hint if the failing program, or the reference, has a directive of Windows in its source.
fn source_hint(runs: &CandidateRuns<'_, '_>) -> Option<String> {
    let target = match &runs.task.target {
        FailureTarget::Submission(program) => Some(program),
        FailureTarget::Reference => None,
    };
    target.into_iter().chain([&runs.judge_setup.reference]).find_map(|program| {
        let name = program.display_name();
        let line = find_windows_directive(&read_file(Path::new(name)).ok()?)?;
        Some(format!("`%I64d` in `{name}` (line {line}) is of Windows, and means something else here: use `%lld`"))
    })
}

/// Returns a hint on how to have inputs checked for validity, if that is impossible at present.
fn validity_hint(runs: &CandidateRuns<'_, '_>) -> Option<String> {
    let state =
        if runs.task.shrinks_unvalidated { "the shrunk input may be invalid" } else { "the input was not shrunk" };
    (runs.has_no_validity_check() && runs.task.draws.is_none()).then(|| {
        format!("{state}, since there is no format or validator to check it; use --input, --format or --validator")
    })
}

/// Returns a hint if the generator does not print the same input again.
fn unstable_generator_hint(task: &MinimizationTask<'_>) -> Option<String> {
    let draws = task.draws.as_ref().filter(|draws| draws.input.is_none())?;
    let name = draws.generator.display_name();
    Some(format!(
        "the choices of `{name}` were not shrunk, since it prints another input for the same ones: take all of them from rebut"
    ))
}

/// Returns the message of a finding, which begins with the state leak if there is one.
fn message_with_state_leak(finding: &Finding) -> String {
    match finding.failure.leaking_cases {
        Some(cases) => {
            format!("state leaks between cases: each of these {cases} passes alone\n{}", finding.failure.message)
        }
        None => finding.failure.message.clone(),
    }
}
