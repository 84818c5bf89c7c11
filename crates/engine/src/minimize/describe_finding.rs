//! Describes failures as findings.

use super::candidate_runs::CandidateRuns;
use super::minimization_result::MinimizationResult;
use super::minimization_task::{FailingInput, input_size, size_unit};
use crate::event::{
    Finding, FindingChoices, FindingConversation, FindingMinimization, FindingOrigin, ShrinkPassSummary,
};
use crate::judging::{JudgeSetup, collect_failure_hints, finding_of_run, state_memory_limit};
use crate::predicate::ObservedFailure;
use crate::tuning::CONFIRMATION_RUNS;
use rebut_format::shrink::PassStatistics;
use rebut_packages::Certificate;
use rebut_packages::verdict::Verdict;
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
    let mut finding = describe_failing_input(judge_setup, seed, judge_setup.reference.display_name(), failing);
    finding.failure.verdict = Verdict::JudgeError;
    finding.failure.message = "the reference answers the same input differently from run to run".to_owned();
    finding.failure.hints = Vec::new();
    finding.failure.flaky = Some((1, CONFIRMATION_RUNS));
    finding.run.output = answer;
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
        time_ms: u64::try_from(shrink_time.as_millis()).unwrap_or(u64::MAX),
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
    let time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    ShrinkPassSummary { name: name.to_owned(), calls, tried, accepted, time_ms }
}
