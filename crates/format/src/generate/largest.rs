//! Inputs of nearly the largest sizes, where the constraints forbid the very largest.
//!
//! All sizes are scaled by one factor, and the largest factor with a valid input is found by bisection: in most formats
//! a smaller input has fewer constraints to satisfy.

use super::instance::InstanceGenerator;
use super::size_factor::WHOLE;
use super::{GeneratedValue, GenerationPlan, GenerationSettings, check_value};
use crate::language::{BlockId, FieldId, FieldKind};
use crate::value::Value;
use rebut_generators::{Choices, Swarm};

/// Number of attempts with a factor, before it counts as too large.
const TRIES_PER_FACTOR: usize = 3;

/// A size of a whole input that is below the maximum of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeBelowMax {
    /// Name of the field.
    pub field: String,
    /// Its value.
    pub value: i128,
    /// The largest value that no constraint rules out by itself.
    pub max: i128,
}

/// Returns the sizes of an input, if none of them is at the maximum of its range. Sizes inside of blocks do not count,
/// since they share limits with each other.
pub fn sizes_below_max(plan: &GenerationPlan<'_>, value: &Value) -> Vec<SizeBelowMax> {
    let format = plan.format;
    let fields = format.fields.iter().enumerate().filter(|(number, field)| {
        let is_number = field.kind == FieldKind::Number && field.dimensions.is_empty();
        field.block == BlockId(0) && is_number && plan.is_size(FieldId(*number))
    });
    let sizes: Vec<SizeBelowMax> = fields
        .filter_map(|(_, field)| {
            let value = value.root_slots().get(field.slot)?.as_int()?;
            Some(SizeBelowMax { field: field.name.clone(), value, max: field.range.hi })
        })
        .collect();
    if sizes.iter().any(|size| size.value >= size.max) { Vec::new() } else { sizes }
}

/// Draws inputs with smaller and smaller sizes until one is valid, and then larger ones, up to a factor of one
/// thousandth. Returns the last valid one; `None` if there is none or too many draws were wasted.
pub(super) fn draw_largest_valid(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    swarm: &mut Swarm,
    wasted: &mut u64,
) -> Option<GeneratedValue> {
    let (mut best, mut valid, mut invalid) = (None, 0, WHOLE);
    while invalid - valid > 1 {
        let factor = i128::midpoint(valid, invalid);
        let mut tries = 0..TRIES_PER_FACTOR;
        match tries.find_map(|_| draw_scaled(plan, choices, settings, swarm, factor, wasted)) {
            Some(found) => (best, valid) = (Some(found), factor),
            None => invalid = factor,
        }
        if *wasted > settings.max_wasted_draws || plan.format.stop_token.is_stopped() {
            break;
        }
    }
    best
}

/// Draws an input with all sizes at this factor of the largest.
fn draw_scaled(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    swarm: &mut Swarm,
    factor: i128,
    wasted: &mut u64,
) -> Option<GeneratedValue> {
    let mut generator = InstanceGenerator::new(plan, choices, settings, swarm);
    generator.size_factor = factor;
    (generator.wasted_draws, generator.spent_draws) = (*wasted, *wasted);
    let slots = generator.draw_instance(BlockId(0), None, &[], settings.size_budget(plan.format));
    *wasted = generator.wasted_draws;
    let value = check_value(plan.format, Value::Block(slots.ok()?), generator.proved_block).ok()?;
    Some(GeneratedValue { value, shape: generator.shape_name() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::Format;
    use crate::generate::{Extreme, generate_value};

    fn largest(format: &str) -> (String, Vec<SizeBelowMax>) {
        let format = Format::from_text(format).unwrap();
        let plan = GenerationPlan::new(&format);
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(1, 0), &settings).unwrap().value;
        let text = String::from_utf8(crate::print::print_value(&format, &value)).unwrap();
        (text.lines().next().unwrap().to_owned(), sizes_below_max(&plan, &value))
    }

    #[test]
    fn sizes_that_formulas_limit_are_reached() {
        let doubling = "n; a[n] where 1<=n<=50; 1<=a<=20; forall i in 1..n-1: a[i+1] >= 2*a[i]";
        let (first, below) = largest(doubling);
        // The numbers of five can hardly be chosen otherwise than 1, 2, 4, 8 and 16.
        let value = first.parse().unwrap();
        assert!((4..=5).contains(&value), "{first}");
        assert_eq!(below, [SizeBelowMax { field: "n".to_owned(), value, max: 50 }]);
    }

    #[test]
    fn sizes_at_their_maximum_are_not_reported() {
        assert_eq!(largest("n; a[n] where 1<=n<=50; 1<=a<=9"), ("50".to_owned(), Vec::new()));
        // One of two sizes that limit each other is at its end.
        assert_eq!(largest("n m; a[n]; b[m] where 1<=n,m<=50; n+m<=60; 1<=a,b<=9").1, Vec::new());
    }
}
