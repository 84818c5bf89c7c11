//! Looks for a smaller failing input among random ones.

use super::candidate_runs::CandidateRuns;
use super::minimization_result::MinimizationResult;
use crate::event::EventSink;
use crate::judging::RunEngine;
use crate::predicate::pack_and_print;
use crate::tuning::{DRAWS_PER_CANDIDATE, MAX_RANDOM_DRAWS, MIN_RANDOM_DRAWS};
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::search_below;
use rebut_format::value::Value;

/// Replaces the result by the smallest failing input that is found among random smaller ones, for what is left of the
/// time for shrinking. Returns true if there is one. Draws a few times as many inputs as shrinking ran.
pub(super) fn search_random_inputs(
    runs: &CandidateRuns<'_, '_>,
    engine: RunEngine,
    result: &mut MinimizationResult,
    sink: &mut dyn EventSink,
) -> bool {
    let Some(plan) = runs.inputs.generation_plan().filter(|_| runs.task.tries == 1 && result.complete) else {
        return false;
    };
    let Ok(value) = read_input(plan.format, &result.best.input) else { return false };
    let setup = runs.quick_judge_setup(engine);
    let phase = runs.task.remaining_time().map(|remaining| setup.cancel.begin_phase(remaining));
    let mut on_improvement = runs.report_improvements(sink);
    let print = |value: &Value| print_value(plan.format, value);
    let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(plan.format, values, last);
    let predicate = runs.build_predicate(&setup, &print);
    let mut oracle = runs.build_oracle(predicate, Some(&pack), &result.best, &mut on_improvement);
    let draws = (DRAWS_PER_CANDIDATE * result.tried).clamp(MIN_RANDOM_DRAWS, MAX_RANDOM_DRAWS) as u64;
    let below = search_below(plan, value, draws, &mut oracle);
    // The end of the time must not stop the confirmation.
    drop(phase);
    let size = below.value.element_count();
    let found = MinimizationResult::from_shrink_result(&below, size, oracle);
    let is_changed = found.best.input != result.best.input;
    let confirmed = if is_changed { runs.observe_exactly(&found.best.input) } else { None };
    let is_smaller = confirmed.is_some();
    result.add_later_result(found, confirmed);
    is_smaller
}
