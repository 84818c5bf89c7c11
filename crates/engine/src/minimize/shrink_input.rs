//! Shrinks a failing input: by small inputs of the generators, by the draws of its generator, by its format, or by its
//! lines and tokens.

use super::candidate_runs::CandidateRuns;
use super::minimization_result::MinimizationResult;
use super::random_search::sample_smaller_inputs;
use crate::event::{ActivityEvent, Event, EventSink};
use crate::inputs::GeneratorDraws;
use crate::judging::{JudgeSetup, RunEngine};
use crate::parallel::run_in_parallel;
use crate::predicate::pack_and_print;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::{DrawnInput, shrink_draws, shrink_text, shrink_value};
use rebut_format::validate::find_violation;
use rebut_format::value::Value;
use rebut_generators::DrawRequest;

/// Shrinks with the fast engine, and again with the exact one if the result does not fail there.
pub(super) fn shrink_and_confirm(
    runs: &CandidateRuns<'_, '_>,
    engine: RunEngine,
    sink: &mut dyn EventSink,
) -> MinimizationResult {
    if engine == RunEngine::Exec {
        return shrink_input(runs, runs.judge_setup, sink);
    }
    let quick = runs.quick_judge_setup(engine);
    let result = shrink_input(runs, &quick, sink);
    match runs.observe_exactly(&result.best.input) {
        Some(best) => MinimizationResult { best, ..result },
        _ if runs.judge_setup.cancel.is_cancelled() => result,
        _ => shrink_input(runs, runs.judge_setup, sink),
    }
}

fn shrink_input(runs: &CandidateRuns<'_, '_>, setup: &JudgeSetup, sink: &mut dyn EventSink) -> MinimizationResult {
    sink.take_event(&Event::Activity(ActivityEvent {
        noun: "tried",
        ..ActivityEvent::new("Shrinking", runs.task.name)
    }));
    let _phase = runs.task.shrink_end.map(|end| setup.cancel.begin_phase_until(end));
    let mut drawn = sample_smaller_inputs(runs, setup, sink);
    if drawn.drawn.is_some() {
        let sampled = std::mem::replace(&mut drawn, shrink_by_draws(runs, setup, sink));
        drawn.tried += sampled.tried;
        if sampled.size < drawn.size {
            drawn = MinimizationResult { tried: drawn.tried, ..sampled };
        }
    }
    if runs.has_no_validity_check() && !runs.task.shrinks_unvalidated {
        return drawn;
    }
    let mut result = shrink_by_structure(runs, setup, &drawn, sink);
    result.add_earlier_result(drawn);
    result
}

/// Shrinks the draws of the generator that made the first input, if it takes them from rebut.
fn shrink_by_draws(runs: &CandidateRuns<'_, '_>, setup: &JudgeSetup, sink: &mut dyn EventSink) -> MinimizationResult {
    let Some(GeneratorDraws { generator, input: Some(start) }) = &runs.task.draws else {
        return MinimizationResult::from_first_failure(runs.task, 0);
    };
    // Returns a valid input with its size.
    let measure = |input: DrawnInput| {
        let Some(format) = runs.inputs.input_format() else { return Some(input) };
        let value = read_input(format, &input.text).ok().filter(|value| find_violation(format, value).is_none())?;
        Some(DrawnInput { size: value.element_count(), ..input })
    };
    let Some(start) = measure(start.clone()) else { return MinimizationResult::from_first_failure(runs.task, 0) };
    let (limits, cancel) = (&runs.inputs.limits, &setup.cancel);
    let run = |request: &DrawRequest| {
        let made = generator.run_with_draws(request, limits, cancel).ok().flatten();
        made.and_then(measure)
    };
    let mut run_generator = |requests: &[DrawRequest]| {
        let made = run_in_parallel(runs.jobs, requests.len(), |at| Ok(run(&requests[at])), &mut |_| ());
        made.unwrap_or_else(|_| vec![None; requests.len()])
    };
    let mut on_improvement = runs.report_improvements(sink);
    let print = |text: &Vec<u8>| text.clone();
    let predicate = runs.build_predicate(setup, &print);
    let mut oracle = runs.build_oracle(predicate, None, &runs.task.first, &mut on_improvement);
    // The rest of the time is for the passes on values.
    let part = runs.task.shrink_end.filter(|_| !runs.has_no_validity_check());
    let _part = part.map(|end| setup.cancel.begin_phase_until(setup.cancel.part_until(end, 2)));
    let shrunk = shrink_draws(start, &mut run_generator, &mut oracle);
    let drawn = Some(shrunk.value.clone());
    MinimizationResult { drawn, ..MinimizationResult::from_shrink_result(&shrunk, shrunk.value.size, oracle) }
}

/// Shrinks an input by its format, or else by its lines and tokens.
fn shrink_by_structure(
    runs: &CandidateRuns<'_, '_>,
    setup: &JudgeSetup,
    from: &MinimizationResult,
    sink: &mut dyn EventSink,
) -> MinimizationResult {
    let first = &from.best;
    let plan = runs.inputs.generation_plan();
    let is_redrawn = first.input != runs.task.first.input;
    let redrawn = plan.filter(|_| is_redrawn).and_then(|plan| read_input(plan.format, &first.input).ok());
    let value = redrawn.as_ref().or(runs.task.value.as_ref());
    let mut on_improvement = runs.report_improvements(sink);
    match (plan, value) {
        (Some(plan), Some(value)) => {
            let print = |v: &Value| print_value(plan.format, v);
            let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(plan.format, values, last);
            let predicate = runs.build_predicate(setup, &print);
            let mut oracle = runs.build_oracle(predicate, Some(&pack), first, &mut on_improvement);
            let mut shrunk = shrink_value(plan, value.clone(), &mut oracle);
            // Candidates that passed as cases of one file were not run as separate inputs.
            if shrunk.is_complete && oracle.batching.disable_batching() {
                let packed = shrunk;
                shrunk = shrink_value(plan, packed.value.clone(), &mut oracle);
                shrunk.add_earlier_search(&packed);
            }
            MinimizationResult::from_shrink_result(&shrunk, shrunk.value.element_count(), oracle)
        }
        _ => {
            let print = |v: &Vec<u8>| v.clone();
            let predicate = runs.build_predicate(setup, &print);
            let mut oracle = runs.build_oracle(predicate, None, first, &mut on_improvement);
            let shrunk = shrink_text(first.input.clone(), &mut oracle);
            MinimizationResult::from_shrink_result(&shrunk, shrunk.value.len(), oracle)
        }
    }
}
