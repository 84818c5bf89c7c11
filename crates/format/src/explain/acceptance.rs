//! Acceptance rates: inputs are generated without a constraint and checked with it.

use super::{ExplainOptions, with_step_budget};
use crate::generate::{GenerationPlan, GenerationSettings, generate_value};
use crate::language::{Class, Format};
use crate::validate::find_violation;
use rebut_diagnostics::{Span, group_thousands};
use rebut_generators::Choices;

/// Number of steps counted for drawing one number.
const STEPS_PER_NUMBER: u64 = 8;

/// Returns `holds by itself in 197 of 200 inputs`; with fewer inputs and the reason if the steps run out.
pub(super) fn measure_acceptance(format: &Format, statement: Span, effort: ExplainOptions) -> String {
    let checked_format = with_step_budget(format, effort.steps);
    let mut without = checked_format.clone();
    without.constraints.retain(|c| {
        let inside = statement.start <= c.span.start && c.span.end <= statement.end;
        !inside || c.class != Class::Residual
    });
    let plan = GenerationPlan::new(&without);
    let (mut generated, mut held) = (0, 0);
    for stream in 0..effort.samples {
        let growth = u32::try_from(stream * 100 / effort.samples.max(1)).unwrap_or(100);
        let settings = GenerationSettings { growth, max_elements: 300, max_cases: 10, ..GenerationSettings::default() };
        let mut choices = Choices::from_seed(effort.seed, stream);
        let input = generate_value(&plan, &mut choices, &settings);
        let holds = input.as_ref().is_ok_and(|input| find_violation(&checked_format, &input.value).is_none());
        // The last input was not checked completely, so it does not count.
        if checked_format.stop_token.is_stopped() {
            return interrupted_acceptance(generated, held, effort);
        }
        let drawn = choices.draw_count().max(input.as_ref().map_or(0, |input| input.value.node_count() as u64));
        checked_format.stop_token.spend_steps(STEPS_PER_NUMBER.saturating_mul(drawn));
        if input.is_ok() {
            generated += 1;
            held += u64::from(holds);
        }
    }
    format!("holds by itself in {held} of {generated} inputs")
}

/// Returns the result of a measurement that used up its steps.
fn interrupted_acceptance(generated: u64, held: u64, effort: ExplainOptions) -> String {
    let (steps, samples) = (group_thousands(effort.steps.into()), effort.samples);
    match generated {
        0 => format!("not measured: {steps} steps were not enough to generate and check one input"),
        _ => {
            format!(
                "holds by itself in {held} of {generated} inputs ({samples} were planned, but each takes long to check)"
            )
        }
    }
}
