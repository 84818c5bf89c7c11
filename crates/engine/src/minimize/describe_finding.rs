//! Describes failures as findings.

use super::candidate_runs::CandidateRuns;
use super::confirmation::find_state_leak;
use super::minimization_task::{FailingInput, MinimizationResult, MinimizationTask, input_size, size_unit};
use crate::event::{
    Finding, FindingChoices, FindingConversation, FindingMinimization, FindingOrigin, ShrinkPassSummary,
};
use crate::input_reading::explain_input_misuse;
use crate::inputs::find_windows_directive;
use crate::judging::{JudgeSetup, collect_failure_hints, finding_of_run, state_memory_limit};
use crate::predicate::{FailureTarget, ObservedFailure};
use crate::tuning::CONFIRMATION_RUNS;
use rebut_diagnostics::to_millis;
use rebut_format::shrink::PassStatistics;
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, read_file};
use std::path::Path;
use std::time::Duration;

/// A minimized failure after its confirmation.
pub(super) struct MinimizedFailure {
    pub(super) result: MinimizationResult,
    pub(super) certificate: Option<Certificate>,
    /// The length of the conversation, if other inputs were run to find a shorter one.
    pub(super) conversation: Option<FindingConversation>,
    /// Numbers of failures and runs, if the failure is flaky.
    pub(super) flaky: Option<(u32, u32)>,
    /// Duration of confirming and shrinking.
    pub(super) shrink_time: Duration,
}

/// Returns the finding of a failing input before anything else was run.
pub(super) fn describe_failing_input(
    judge_setup: &JudgeSetup,
    seed: Option<u64>,
    name: &str,
    failing: &FailingInput,
) -> Finding {
    let FailingInput { input, answer, run_result, .. } = failing.clone();
    let judge = &judge_setup.judge;
    let hints = collect_failure_hints(judge, &run_result, &answer);
    let size = input_size(&input, failing.value.as_ref());
    let mut finding = finding_of_run(name, input, answer, run_result, judge.checker_name());
    finding.failure.hints = hints;
    state_memory_limit(&mut finding, &judge_setup.limits);
    finding.run.judged_by = judge.judge_kind();
    let FailingInput { case, shape, elapsed_ms, .. } = failing;
    let (case, shape, elapsed_ms) = (*case, shape.clone(), *elapsed_ms);
    finding.origin = FindingOrigin { case, shape, elapsed_ms, seed, ..finding.origin };
    finding.minimization = FindingMinimization::of_size(size, size_unit(failing.value.as_ref()));
    finding.minimization.is_complete = false;
    finding
}

/// Returns the finding against a reference that gave `answer` to an input in another run.
pub(super) fn describe_unstable_reference(
    judge_setup: &JudgeSetup,
    seed: Option<u64>,
    failing: &FailingInput,
    answer: Vec<u8>,
) -> Finding {
    let message = "the reference answers the same input differently from run to run";
    let name = judge_setup.reference.display_name();
    let mut finding = describe_judge_error(judge_setup, seed, name, failing, message);
    finding.failure.flaky = Some((1, CONFIRMATION_RUNS));
    finding.run.output = answer;
    finding
}

/// Returns the finding against a judge program, or against the reference, `name`.
pub(super) fn describe_judge_error(
    judge_setup: &JudgeSetup,
    seed: Option<u64>,
    name: &str,
    failing: &FailingInput,
    message: &str,
) -> Finding {
    let mut finding = describe_failing_input(judge_setup, seed, name, failing);
    finding.failure.verdict = Verdict::JudgeError;
    finding.failure.message = message.to_owned();
    finding.failure.hints = Vec::new();
    finding.run.line = None;
    finding
}

/// Returns the finding of a minimized failure.
pub(super) fn describe_finding(
    runs: &CandidateRuns<'_, '_>,
    seed: Option<u64>,
    failing: FailingInput,
    minimized: MinimizedFailure,
) -> Finding {
    let MinimizedFailure { result, certificate, conversation, flaky, shrink_time } = minimized;
    let choices = describe_choices(runs, &result);
    let original = failing.input.clone();
    let ObservedFailure { input, answer, run_result } = result.best;
    let mut finding = describe_failing_input(
        runs.judge_setup,
        seed,
        runs.task.name,
        &FailingInput { input, answer, run_result, ..failing },
    );
    finding.failure.flaky = flaky;
    finding.origin.original = original;
    finding.origin.choices = choices;
    finding.run.conversation = conversation.or(finding.run.conversation);
    finding.minimization = FindingMinimization {
        size_before: input_size(&runs.task.first.input, runs.task.value.as_ref()),
        size_after: result.size,
        size_unit: size_unit(runs.task.value.as_ref()),
        steps: result.steps,
        tried: result.tried,
        time_ms: to_millis(shrink_time),
        passes: result.passes.iter().map(summarize_pass).collect(),
        path: Vec::new(),
        is_complete: result.complete,
    };
    finding.proof.certificate = certificate;
    finding
}

/// Returns the choices for which the generator prints the input of a finding, or what that was shrunk from. `None` if
/// it does not print that in a process of its own.
fn describe_choices(runs: &CandidateRuns<'_, '_>, result: &MinimizationResult) -> Option<FindingChoices> {
    let (draws, drawn) = (runs.task.draws.as_ref()?, result.drawn.as_ref()?);
    drawn.draws.as_ref()?;
    let request = drawn.to_request();
    let (limits, cancel) = (&runs.inputs.limits, &runs.judge_setup.cancel);
    draws.generator.prints_text(&request, &drawn.text, limits, cancel).then(|| FindingChoices {
        generator: draws.generator.display_name().to_owned(),
        prints_input: drawn.text == result.best.input,
        request: request.to_line(false),
    })
}

fn summarize_pass(pass: &PassStatistics) -> ShrinkPassSummary {
    let PassStatistics { name, calls, tried, accepted, time } = *pass;
    let time_ms = to_millis(time);
    ShrinkPassSummary { name: name.to_owned(), calls, tried, accepted, time_ms }
}

// Explains a finding: hints on its cause, and on how it was minimized.

/// Adds to a finding what explains it.
pub(super) fn explain_finding(runs: &CandidateRuns<'_, '_>, finding: &mut Finding) {
    let guess = runs.inputs.is_guessed.then(|| Finding::GUESSED_FORMAT_HINT.to_owned());
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
    if runs.judge_setup.judge.holds_conversation() || runs.judge_setup.cancel.is_cancelled() {
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
    runs.task.target.submission().into_iter().chain([&runs.judge_setup.reference]).find_map(|program| {
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
            format!(
                "each of these {cases} cases passes alone: state leaks between them, or input is left unread\n{}",
                finding.failure.message
            )
        }
        None => finding.failure.message.clone(),
    }
}
