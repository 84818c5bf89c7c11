//! Random inputs that are smaller than a failing one.
//!
//! Shrinking moves from one failing input to the next, and stops where each smaller neighbour passes. A failing input that
//! is smaller still can have nothing in common with it. So random inputs with fewer elements, or with as many and simpler
//! ones, are tried as well, and each that fails is shrunk in turn. They come from the format, and from generators that
//! know more than it does: which boards can be reached, or what the problem is about.

use super::oracle::{Oracle, ShrinkStopped};
use super::passes::PASSES;
use super::run_to_fixpoint;
use super::search::{ShrinkResult, ShrinkSearch};
use super::speculation::MeasuredSearch;
use crate::generate::{GenerationPlan, GenerationSettings, NumberRanges, generate_value};
use crate::tuning::{DRAWS_BESIDE_OTHERS, DRAWS_PER_QUERY, MAX_WASTED_DRAWS};
use crate::value::{Measure, Value};
use rebut_generators::Choices;
use std::ops::Range;

/// Seed of the draws: shrinking the same input gives the same result.
const SEED: u64 = 0x5E17;

/// Draws the inputs with these numbers by other means than the format.
pub type DrawOthers<'d> = dyn FnMut(Range<u64>) -> Vec<Value> + 'd;

/// Draws up to `max_draws` random inputs that are smaller than a failing value, which should be at the end of its
/// shrinking, and as many others, and shrinks those that fail.
///
/// The result fails as well: it is the last input that the oracle confirmed, or the given value. It is complete if all
/// draws were tried.
pub fn search_below(
    plan: &GenerationPlan<'_>,
    value: Value,
    max_draws: u64,
    draw_others: &mut DrawOthers<'_>,
    oracle: &mut dyn Oracle<Value>,
) -> ShrinkResult<Value> {
    let mut search = ShrinkSearch::new(plan, value, oracle);
    let complete = run_below(&mut search, max_draws, draw_others).is_ok();
    search.into_result(complete)
}

fn run_below(
    search: &mut ShrinkSearch<'_, '_>,
    max_draws: u64,
    draw_others: &mut DrawOthers<'_>,
) -> Result<(), ShrinkStopped> {
    let mut first = 0;
    while first < max_draws {
        let before = search.step_count();
        let end = (first + DRAWS_PER_QUERY).min(max_draws);
        search.run_measured("draw smaller inputs", |search| {
            let mut others = draw_others(first..end);
            // A generator mostly knows better than the format which inputs are worth a run.
            let step = if others.is_empty() { 1 } else { DRAWS_BESIDE_OTHERS };
            // The smallest that fails leaves the least to the passes.
            others.sort_by_cached_key(|value| Measure::of_value(search.plan.format, value));
            search.attempt_any(others)?;
            search.attempt_each((first..end).step_by(step), |search, number| draw_near_size(search, number)).map(|_| ())
        })?;
        if search.step_count() > before {
            run_to_fixpoint(search, PASSES)?;
        }
        first = end;
    }
    Ok(())
}

/// Draws an input of about the size of the best one or less, of a kind that depends on the number of the draw.
fn draw_near_size(search: &ShrinkSearch<'_, '_>, number: u64) -> Option<Value> {
    let numbers = match number % 4 {
        0 => NumberRanges::Near(2),
        1 => NumberRanges::Near(6),
        2 => NumberRanges::Growing,
        _ => NumberRanges::Extreme,
    };
    let settings = GenerationSettings {
        growth: [100, 80, 60, 40][(number / 4 % 4) as usize],
        max_elements: search.best_value().element_count(),
        max_cases: 1,
        numbers,
        max_wasted_draws: MAX_WASTED_DRAWS,
        ..GenerationSettings::default()
    };
    generate_value(search.plan, &mut Choices::from_seed(SEED, number), &settings).ok().map(|drawn| drawn.value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::language::Format;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

    fn sum(numbers: &[i128]) -> i128 {
        numbers.iter().sum()
    }

    /// Fails on four numbers around 50 whose sum is even, and on two equal numbers below 10, which no sequence of smaller
    /// failures connects.
    fn fails(value: &Value) -> bool {
        let Value::Ints(numbers) = &value.root_slots()[1] else { return false };
        match numbers.as_slice() {
            [one, other] => one == other && *one < 10,
            [_, _, _, _] => numbers.iter().all(|number| (45..=55).contains(number)) && sum(numbers) % 2 == 0,
            _ => false,
        }
    }

    #[test]
    fn failures_without_a_path_are_found_below() {
        let source = SourceText::new("format", "n; a[n] where 1 <= n <= 9; 0 <= a <= 99");
        let (format, _) = Format::parse(&source).unwrap();
        let plan = GenerationPlan::new(&format);
        let start = read_input(&format, b"4\n45 45 45 45\n").unwrap();
        let shrunk = crate::shrink::shrink_value(&plan, start.clone(), &mut fails);
        assert_eq!(shrunk.value, start, "the test needs an input at which shrinking ends");
        let below = search_below(&plan, start.clone(), 2000, &mut |_| Vec::new(), &mut fails);
        assert_eq!((below.value, below.is_complete), (read_input(&format, b"2\n0 0\n").unwrap(), true));
        let none = search_below(&plan, start.clone(), 0, &mut |_| Vec::new(), &mut fails);
        assert_eq!((none.value, none.tried), (start, 0));
    }

    #[test]
    fn other_draws_are_tried_as_well() {
        let source = SourceText::new("format", "n; a[n] where 1 <= n <= 9; 0 <= a <= 10^18");
        let (format, _) = Format::parse(&source).unwrap();
        let [start, larger, small, smaller] = ["2\n5 7\n", "2\n6 8\n", "1\n123456789012\n", "1\n123456789011\n"]
            .map(|text| read_input(&format, text.as_bytes()).unwrap());
        let known = [start.clone(), larger.clone(), small.clone(), smaller.clone()];
        let mut draw_others = |_| vec![larger.clone(), small.clone(), smaller.clone()];
        let mut fails = |value: &Value| known.contains(value);
        let below = search_below(&GenerationPlan::new(&format), start, 32, &mut draw_others, &mut fails);
        assert_eq!((below.value, below.steps), (smaller.clone(), 1));
    }

    #[test]
    fn draws_end_when_the_oracle_stops() {
        struct Stopped;
        impl Oracle<Value> for Stopped {
            fn first_failing(&mut self, _: &[Value]) -> Result<Option<usize>, ShrinkStopped> {
                Err(ShrinkStopped)
            }
        }
        let source = SourceText::new("format", "n; a[n] where 1 <= n <= 9; 0 <= a <= 99");
        let (format, _) = Format::parse(&source).unwrap();
        let start = read_input(&format, b"2\n45 46\n").unwrap();
        let below = search_below(&GenerationPlan::new(&format), start.clone(), 100, &mut |_| Vec::new(), &mut Stopped);
        assert_eq!((below.value, below.is_complete), (start, false));
    }
}
