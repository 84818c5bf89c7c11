//! The input that comes closest to a constraint that none was found for.

use super::{Plan, Settings, generate};
use crate::diagnostic::Span;
use crate::format::{Constraint, Format};
use crate::validate::{Violation, violation_of};
use crate::value::Value;
use rebut_generators::Choices;

/// Number of inputs that are looked at.
const INPUTS: u64 = 100;

/// Steps that drawing them may take: a second or so.
const STEPS: u64 = 20_000_000;

/// An input that breaks one constraint, and keeps to all others.
#[derive(Clone, Debug)]
pub struct Closest {
    /// The input.
    pub value: Value,
    /// Where it breaks the constraint.
    pub violation: Violation,
}

/// Draws inputs that keep to everything but the constraint at a place of the format's text. Returns the one whose sides differ
/// least, and of several the smallest. Returns None if none was found.
pub fn find_closest(format: &Format, constraint: Span) -> Option<Closest> {
    let is_other = |other: &&Constraint| other.span != constraint;
    let others = format.constraints.iter().filter(is_other).cloned().collect();
    let loose = Format { constraints: others, stop: format.stop.with_steps(STEPS), ..format.clone() };
    let plan = Plan::new(&loose);
    let asked: Vec<usize> =
        (0..format.constraints.len()).filter(|at| format.constraints[*at].span == constraint).collect();
    let draw = |number: u64| {
        let growth = u32::try_from(number * 100 / INPUTS).unwrap_or(100);
        let settings =
            Settings { growth, most_elements: 1000, most_cases: 10, patience: 100_000, ..Settings::default() };
        let value = generate(&plan, &mut Choices::fresh(0, number), &settings).ok()?.value;
        let violation = asked.iter().find_map(|at| violation_of(format, &value, *at))?;
        Some(Closest { value, violation })
    };
    let distance = |found: &Closest| (found.violation.distance.unwrap_or(u128::MAX), found.value.elements());
    (0..INPUTS).take_while(|_| !loose.stop.is_stopped()).filter_map(draw).min_by_key(distance)
}
