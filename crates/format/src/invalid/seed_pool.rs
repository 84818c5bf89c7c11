//! Small valid inputs that invalid ones are derived from.

use crate::generate::{Extreme, GenerationError, GenerationPlan, GenerationSettings, generate_value};
use crate::language::Format;
use crate::tuning::{MAX_FAILED_DRAWS, MAX_SEED_ELEMENTS, MAX_SEEDS};
use crate::value::Measure;
use crate::value::Value;
use rebut_generators::Choices;

/// Distinct valid inputs, smallest first.
pub(super) struct SeedPool {
    pub(super) seeds: Vec<Value>,
}

impl SeedPool {
    /// Draws the pool of a format.
    ///
    /// # Errors
    ///
    /// Returns an error if no valid input can be generated.
    pub(super) fn new(format: &Format, seed: u64) -> Result<SeedPool, GenerationError> {
        let plan = GenerationPlan::new(format);
        let mut values = Vec::new();
        let mut failure = None;
        for stream in 0..MAX_SEEDS {
            match generate_value(&plan, &mut Choices::from_seed(seed, stream), &seed_settings(stream)) {
                Ok(generated) => values.push(generated.value),
                Err(problem) => failure = Some(problem),
            }
        }
        let mut measured: Vec<(Measure, Value)> =
            values.into_iter().map(|value| (Measure::of_value(format, &value), value)).collect();
        measured.sort_by(|a, b| a.0.cmp(&b.0));
        measured.dedup_by(|b, a| a.1 == b.1);
        let small = measured.iter().filter(|(measure, _)| measure.elements <= MAX_SEED_ELEMENTS).count();
        measured.truncate(small.max(1));
        let values: Vec<Value> = measured.into_iter().map(|(_, value)| value).collect();
        match failure {
            Some(failure) if values.is_empty() => Err(failure),
            _ => Ok(SeedPool { seeds: values }),
        }
    }
}

/// Returns the settings of a draw: the first is the smallest possible input, the others are tiny but not empty.
pub(super) fn seed_settings(stream: u64) -> GenerationSettings {
    let extreme = (stream == 0).then_some(Extreme::Min);
    let growth = u32::try_from(stream % 6 * 8).unwrap_or(0);
    GenerationSettings {
        growth,
        max_elements: 200,
        max_cases: 3,
        extreme,
        max_wasted_draws: MAX_FAILED_DRAWS,
        ..GenerationSettings::default()
    }
}
