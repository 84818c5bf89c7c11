//! Shrinks a failing input: by small inputs of the generators, by the draws of its generator, by its format, or by its
//! lines and tokens.

use super::candidate_runs::CandidateRuns;
use super::minimization_task::MinimizationResult;
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

// The sizes of an input on its way to the smallest one.

/// Maximum number of places on a path; of a longer one, some are left out.
const MAX_PLACES: usize = 200;

/// Passes events on, and records the sizes that those about shrinking name.
pub(super) struct ShrinkPathRecorder<'s> {
    sink: &'s mut dyn EventSink,
    steps: usize,
    path: Vec<(usize, usize)>,
}

impl EventSink for ShrinkPathRecorder<'_> {
    fn take_event(&mut self, event: &Event) {
        if let Event::Shrinking(progress) = event {
            if self.path.is_empty() {
                self.path.push((0, progress.size_before));
            }
            self.add_size(progress.size);
        }
        self.sink.take_event(event);
    }
}

impl<'s> ShrinkPathRecorder<'s> {
    pub(super) fn new(sink: &'s mut dyn EventSink) -> ShrinkPathRecorder<'s> {
        ShrinkPathRecorder { sink, steps: 0, path: Vec::new() }
    }

    fn add_size(&mut self, size: usize) {
        self.steps += 1;
        // A pass that begins anew, since the earlier result did not fail again, undoes the steps before it.
        while self.path.last().is_some_and(|(_, last)| *last < size) {
            self.path.pop();
        }
        if self.path.last().is_none_or(|(_, last)| *last > size) {
            self.path.push((self.steps, size));
        }
    }

    /// Returns the number of steps and the size after each step that made the input smaller, from the first size on.
    pub(super) fn into_path(self) -> Vec<(usize, usize)> {
        let (count, every) = (self.path.len(), self.path.len().div_ceil(MAX_PLACES).max(1));
        let is_shown = |(place, _): &(usize, (usize, usize))| place % every == 0 || place + 1 == count;
        self.path.into_iter().enumerate().filter(is_shown).map(|(_, step)| step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::ShrinkProgress;

    /// A sink that ignores all events.
    struct Nothing;

    impl EventSink for Nothing {
        fn take_event(&mut self, _: &Event) {}
    }

    fn path(size_before: usize, sizes: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
        let mut nothing = Nothing;
        let mut recorder = ShrinkPathRecorder::new(&mut nothing);
        for size in sizes {
            let submission = "a.cpp".to_owned();
            recorder.take_event(&Event::Shrinking(ShrinkProgress { submission, size_before, size, tried: 1 }));
        }
        recorder.into_path()
    }

    #[test]
    fn path_has_the_steps_that_made_the_input_smaller() {
        assert_eq!(path(9, []), []);
        assert_eq!(path(9, [9, 7, 7, 4]), [(0, 9), (2, 7), (4, 4)]);
        assert_eq!(path(9, [5, 3, 7, 6]), [(0, 9), (3, 7), (4, 6)], "the first two did not fail again");
    }

    #[test]
    fn long_paths_keep_their_ends() {
        let long = path(5_000, (0..5_000).rev());
        assert!(long.len() <= MAX_PLACES + 1, "{}", long.len());
        assert_eq!((long.first(), long.last()), (Some(&(0, 5_000)), Some(&(5_000, 0))));
    }
}
