//! Looks for a smaller failing input among random ones.

use super::candidate_runs::CandidateRuns;
use super::minimization_task::MinimizationResult;
use crate::event::EventSink;
use crate::inputs::{GeneratorProgram, InputSource, split_into_cases};
use crate::judging::{JudgeSetup, RunEngine};
use crate::parallel::run_in_parallel;
use crate::predicate::pack_and_print;
use crate::tuning::{
    DRAWS_PER_CANDIDATE, LARGE_GROWTHS, LEAST_REDRAWN_ELEMENTS, MAX_RANDOM_DRAWS, MAX_REDRAWN_INPUTS,
    MAX_SAMPLED_CASES, MIN_LARGE_ELEMENTS, MIN_RANDOM_DRAWS, MIN_REDRAWN_ELEMENTS, SAMPLED_INPUTS, SAMPLED_TOGETHER,
    SMALL_GROWTHS,
};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::shrink::{Oracle, ShrinkStopped, search_below};
use rebut_format::validate::find_violation;
use rebut_format::value::{Measure, Value};
use rebut_packages::verdict::Verdict;
use std::ops::Range;

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
    let phase = runs.task.shrink_end.map(|end| setup.cancel.begin_phase_until(end));
    let mut on_improvement = runs.report_improvements(sink);
    let print = |value: &Value| print_value(plan.format, value);
    let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(plan.format, values, last);
    let predicate = runs.build_predicate(&setup, &print);
    let mut oracle = runs.build_oracle(predicate, Some(&pack), &result.best, &mut on_improvement);
    let draws = (DRAWS_PER_CANDIDATE * result.tried).clamp(MIN_RANDOM_DRAWS, MAX_RANDOM_DRAWS) as u64;
    let sampler = SmallInputSampler::new(runs, plan.format);
    // Each round draws other inputs.
    let first = (result.steps * MAX_RANDOM_DRAWS) as u64;
    let mut draw_others = |numbers: Range<u64>| sampler.draw_values(first + numbers.start..first + numbers.end, &value);
    let below = search_below(plan, value.clone(), draws, &mut draw_others, &mut oracle);
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

/// Replaces the first failing input by the smallest failing one among its cases and small inputs of the generators of
/// the format, or, if that has none and the input is large, smaller ones of its kind and shape. These take one run each,
/// and some tens of their cases a run of the programs, while a large input takes hundreds of runs to shrink. The draws of
/// the first input are dropped from the result if one with fewer elements replaces it.
pub(super) fn sample_smaller_inputs(
    runs: &CandidateRuns<'_, '_>,
    setup: &JudgeSetup,
    sink: &mut dyn EventSink,
) -> MinimizationResult {
    let mut result = MinimizationResult::from_first_failure(runs.task, 0);
    let (Some(plan), Some(first)) = (runs.inputs.generation_plan(), &runs.task.value) else { return result };
    let format = plan.format;
    let sampler = SmallInputSampler::new(runs, format);
    // Small inputs are not slow.
    let is_slow = runs.task.kind.is_some() && runs.task.first.run_result.verdict == Verdict::TimeLimit;
    let mut cases = split_into_cases(format, first);
    let is_redrawn = runs.task.origin.is_some() && first.element_count() >= MIN_REDRAWN_ELEMENTS;
    let has_sampler = !sampler.generators.is_empty() || is_redrawn;
    if is_slow || !has_sampler || cases.len() > MAX_SAMPLED_CASES {
        return result;
    }
    let mut on_improvement = runs.report_improvements(sink);
    let print = |value: &Value| print_value(format, value);
    let pack = |values: &[Value], last: Option<&[u8]>| pack_and_print(format, values, last);
    let predicate = runs.build_predicate(setup, &print);
    let mut oracle = runs.build_oracle(predicate, Some(&pack), &runs.task.first, &mut on_improvement);
    let cancel = &setup.cancel;
    let _part = runs.task.shrink_end.map(|end| cancel.begin_phase_until(cancel.part_until(end, 4)));
    let mut best = first.clone();
    let mut next = 0;
    while next < SAMPLED_INPUTS {
        // The cases of the input itself come before others.
        let mut values = std::mem::take(&mut cases);
        let is_drawn = values.is_empty();
        if is_drawn {
            values = sampler.draw_values(next..next + SAMPLED_TOGETHER, &best);
            next += SAMPLED_TOGETHER;
        }
        let measure = Measure::of_value(format, &best);
        values.retain(|value| Measure::of_value(format, value) < measure && find_violation(format, value).is_none());
        values.sort_by_cached_key(|value| Measure::of_value(format, value));
        match oracle.first_failing(&values) {
            Ok(Some(at)) => {
                (best, result.steps) = (values.swap_remove(at), result.steps + 1);
                let has_fewer = best.element_count() < first.element_count();
                result.drawn = result.drawn.filter(|_| !(is_drawn && has_fewer));
            }
            Ok(None) => {}
            Err(ShrinkStopped) => break,
        }
    }
    (result.size, result.tried, result.best) = (best.element_count(), oracle.tried, oracle.best);
    result
}

/// Draws small inputs from the generators of the format that take their choices from rebut, as the others do not know of
/// growth, or from the format itself.
struct SmallInputSampler<'s, 'i> {
    runs: &'s CandidateRuns<'s, 'i>,
    format: &'s Format,
    generators: Vec<&'s GeneratorProgram>,
}

impl<'s, 'i> SmallInputSampler<'s, 'i> {
    fn new(runs: &'s CandidateRuns<'s, 'i>, format: &'s Format) -> Self {
        SmallInputSampler { runs, format, generators: runs.inputs.drawing_generators().collect() }
    }

    /// Returns what the generators print for some numbers: each case alone, and the whole inputs as well if the best one
    /// has several cases. A generator that fails adds nothing.
    fn draw_values(&self, numbers: Range<u64>, best: &Value) -> Vec<Value> {
        if self.generators.is_empty() {
            return self.redraw_smaller(numbers, best.element_count());
        }
        let InputSource { limits, cancel, .. } = self.runs.inputs;
        let is_one_case = split_into_cases(self.format, best).is_empty();
        let is_large =
            best.element_count() >= MIN_LARGE_ELEMENTS && !(numbers.start / SAMPLED_TOGETHER).is_multiple_of(2);
        let growths = if is_large { LARGE_GROWTHS } else { SMALL_GROWTHS };
        let draw = |at: usize| {
            let number = numbers.start as usize + at;
            let growth = growths[number % growths.len()];
            let generator = self.generators[number / growths.len() % self.generators.len()];
            let outcome = generator.run_with_seed((number as u64, growth), limits, cancel)?;
            let Ok(whole) = read_input(self.format, &outcome.output) else { return Ok(Vec::new()) };
            let mut values = split_into_cases(self.format, &whole);
            if values.is_empty() || !is_one_case {
                values.push(whole);
            }
            Ok(values)
        };
        let count = (numbers.end - numbers.start) as usize;
        let drawn = run_in_parallel(self.runs.jobs, count, draw, &mut |_| ());
        drawn.unwrap_or_default().into_iter().flatten().collect()
    }

    /// Returns inputs of the kind and shape of the first one with 16, 32, 64, ... elements, fewer than
    /// the given number, if that is large: a shape often fails at all sizes.
    fn redraw_smaller(&self, numbers: Range<u64>, elements: usize) -> Vec<Value> {
        let Some((origin, shape)) = &self.runs.task.origin else { return Vec::new() };
        if elements < MIN_REDRAWN_ELEMENTS || numbers.start >= MAX_REDRAWN_INPUTS {
            return Vec::new();
        }
        let sizes = u64::from(elements.ilog2() - LEAST_REDRAWN_ELEMENTS.ilog2());
        let size = |number| LEAST_REDRAWN_ELEMENTS << (number % sizes);
        numbers.filter_map(|number| self.runs.inputs.redraw_input(*origin, shape, size(number), number)).collect()
    }
}
