//! Sample inputs of a format.

use rebut_format::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_generators::Choices;

/// Number of steps, each about as expensive as a comparison, after which no sample is looked for any more.
const MAX_STEPS: u64 = 2_000_000;

/// Size of a sample in percent of the largest.
const GROWTH: u32 = 20;
/// Approximate maximum number of elements of a sample.
const MAX_ELEMENTS: usize = 40;

/// Returns a small input of a format as text. The same seed gives the same input.
///
/// # Errors
/// Returns an error that says why there is none.
pub fn generate_sample(format: &Format, seed: u64) -> Result<String, String> {
    let bounded = Format { stop_token: format.stop_token.with_steps(MAX_STEPS), ..format.clone() };
    let settings = GenerationSettings { growth: GROWTH, max_elements: MAX_ELEMENTS, ..GenerationSettings::default() };
    match generate_value(&GenerationPlan::new(&bounded), &mut Choices::from_seed(seed, 0), &settings) {
        Ok(generated) => Ok(String::from_utf8_lossy(&print_value(format, &generated.value)).into_owned()),
        Err(_) if bounded.stop_token.is_stopped() => Err("the constraints take too long to check".to_owned()),
        Err(GenerationError { message, .. }) => Err(message),
    }
}

/// Maximum number of characters of a sample on one line.
const MAX_TITLE: usize = 60;

/// Returns a sample on one line, shortened.
pub fn sample_on_one_line(sample: &str) -> String {
    let joined = sample.trim_end().replace('\n', " ↵ ");
    match joined.char_indices().nth(MAX_TITLE) {
        Some((end, _)) => format!("{}…", &joined[..end]),
        None => joined,
    }
}
