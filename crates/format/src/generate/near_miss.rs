//! Search for the input that comes closest to a constraint which generation cannot meet.

use super::{GenerationPlan, GenerationSettings, generate_value};
use crate::language::{Constraint, Format};
use crate::validate::{Violation, violation_of_constraint};
use crate::value::Value;
use rebut_diagnostics::Span;
use rebut_generators::Choices;

/// Number of inputs that are drawn.
const MAX_INPUTS: u64 = 100;

/// Maximum number of steps spent on drawing them: about a second.
const MAX_STEPS: u64 = 20_000_000;

/// An input that breaks one constraint, and satisfies all others.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The input.
    pub value: Value,
    /// Where it breaks the constraint.
    pub violation: Violation,
}

/// Draws inputs that satisfy everything but the constraint at one of several locations of the format file. Returns
/// the one that comes closest to satisfying the first location for which there is any, and the smallest of equals,
/// or `None` if every draw failed.
pub fn find_near_miss(format: &Format, constraints: &[Span]) -> Option<NearMiss> {
    let strict = Format { stop_token: format.stop_token.with_steps(MAX_STEPS), ..format.clone() };
    constraints.iter().find_map(|constraint| find_near_miss_of(&strict, *constraint))
}

/// Searches for an input that breaks only the constraint at one location, within the steps of the format's token.
fn find_near_miss_of(strict: &Format, constraint: Span) -> Option<NearMiss> {
    let is_other = |other: &&Constraint| other.span != constraint;
    let others = strict.constraints.iter().filter(is_other).cloned().collect();
    let loose = Format { constraints: others, ..strict.clone() };
    let plan = GenerationPlan::new(&loose);
    let indices: Vec<usize> =
        (0..strict.constraints.len()).filter(|at| strict.constraints[*at].span == constraint).collect();
    let draw = |number: u64| {
        let growth = u32::try_from(number * 100 / MAX_INPUTS).unwrap_or(100);
        let settings = GenerationSettings {
            growth,
            max_elements: 1000,
            max_cases: 10,
            max_wasted_draws: 100_000,
            ..GenerationSettings::default()
        };
        let value = generate_value(&plan, &mut Choices::from_seed(0, number), &settings).ok()?.value;
        let violation = indices.iter().find_map(|at| violation_of_constraint(strict, &value, *at))?;
        // A check that was stopped early proves no violation.
        (!strict.stop_token.is_stopped()).then_some(NearMiss { value, violation })
    };
    let distance = |found: &NearMiss| (found.violation.distance.unwrap_or(u128::MAX), found.value.element_count());
    (0..MAX_INPUTS).take_while(|_| !loose.stop_token.is_stopped()).filter_map(draw).min_by_key(distance)
}
