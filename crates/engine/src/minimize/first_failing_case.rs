//! Looks for the first failing case in a file of enumerated cases.

use super::candidate_runs::CandidateRuns;
use super::minimization_result::MinimizationResult;
use crate::inputs::split_into_cases;
use crate::judging::RunEngine;
use crate::predicate::{FailurePredicate, FailureTarget, PackedResult, PackedSearch};
use rebut_format::print::print_value;
use rebut_format::value::Value;

/// Returns the first case that fails alone in a file of enumerated cases. It is smaller than anything that
/// shrinking could find in the file. Returns `None` if no case fails alone.
pub(super) fn find_first_failing_case(runs: &CandidateRuns<'_, '_>, engine: RunEngine) -> Option<MinimizationResult> {
    let (value, plan) = (runs.task.value.as_ref()?, runs.inputs.generation_plan()?);
    if runs.task.tries > 1 || matches!(runs.task.target, FailureTarget::Reference) {
        return None;
    }
    let cases = match split_into_cases(plan.format, value) {
        cases if cases.is_empty() => vec![value.clone()],
        cases => cases,
    };
    let print = |value: &Value| print_value(plan.format, value);
    let setup = runs.quick_judge_setup(engine);
    let quick = FailurePredicate { kind: None, tries: 1, ..runs.build_predicate(&setup, &print) };
    let exact = FailurePredicate { judge_setup: runs.judge_setup, ..quick.clone() };
    let search = PackedSearch { quick, exact, format: plan.format, jobs: runs.jobs };
    let _phase = runs.task.shrink_end.map(|end| setup.cancel.begin_phase_until(end));
    let is_over = || setup.cancel.should_stop();
    let PackedResult::Fails { before, failure } = search.find_first_failing(&cases, &is_over).ok()? else {
        return None;
    };
    let steps = usize::from(failure.input != runs.task.first.input);
    let (size, tried) = (cases[before.taken].element_count(), before.taken + 1);
    Some(MinimizationResult { best: *failure, size, steps, tried, complete: true, passes: Vec::new(), drawn: None })
}
