//! How often a constraint holds by itself: inputs are made as if it were not there, and judged with it.

use super::{Effort, with_steps};
use crate::diagnostic::{Span, counted};
use crate::format::{Class, Format};
use crate::generate::{Plan, Settings, generate};
use crate::validate::violation;
use rebut_generators::Choices;

/// Number of steps that drawing one number of an input counts for.
const STEPS_PER_NUMBER: u64 = 8;

/// Returns `holds by itself in 197 of 200 inputs`; or of fewer, with the reason, where the steps do not suffice for all.
pub(super) fn acceptance(format: &Format, statement: Span, effort: Effort) -> String {
    let judged = with_steps(format, effort.steps);
    let mut without = judged.clone();
    without.constraints.retain(|c| {
        let inside = statement.start <= c.span.start && c.span.end <= statement.end;
        !inside || c.class != Class::Residual
    });
    let plan = Plan::new(&without);
    let (mut made, mut held) = (0, 0);
    for stream in 0..effort.samples {
        let growth = u32::try_from(stream * 100 / effort.samples.max(1)).unwrap_or(100);
        let settings = Settings { growth, most_elements: 300, most_cases: 10, ..Settings::default() };
        let input = generate(&plan, &mut Choices::fresh(effort.seed, stream), &settings);
        let holds = input.as_ref().is_ok_and(|input| violation(&judged, &input.value).is_none());
        // What was not looked at to its end is not counted, neither as made nor as held.
        if judged.stop.is_stopped() {
            return cut_short(made, held, effort);
        }
        let Ok(input) = input else { continue };
        made += 1;
        held += u64::from(holds);
        judged.stop.spend(STEPS_PER_NUMBER.saturating_mul(input.value.nodes() as u64));
    }
    format!("holds by itself in {held} of {made} inputs")
}

/// The result of a measurement that used up its steps.
fn cut_short(made: u64, held: u64, effort: Effort) -> String {
    let (steps, samples) = (counted(effort.steps.into()), effort.samples);
    match made {
        0 => format!("not measured: {steps} steps did not suffice to make one input and to check it"),
        _ => format!("holds by itself in {held} of {made} inputs ({samples} were meant: each takes long to check)"),
    }
}
