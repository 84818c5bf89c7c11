//! Small valid inputs, from which invalid ones are made.

use crate::format::Format;
use crate::generate::{Extreme, Failure, Plan, Settings, generate};
use crate::value::Measure;
use crate::value::Value;
use rebut_generators::Choices;

/// So many inputs are drawn.
const DRAWN: u64 = 24;

/// Larger ones are left out, unless there are no others.
const MOST_SMALL: usize = 400;

/// About so many draws may be in vain before an input is given up.
const PATIENCE: u64 = 20_000;

/// Different valid inputs, the smallest first.
pub(super) struct Pool {
    pub(super) values: Vec<Value>,
}

impl Pool {
    /// The pool of a format.
    ///
    /// # Errors
    /// If not one valid input can be made.
    pub(super) fn new(format: &Format, seed: u64) -> Result<Pool, Failure> {
        let plan = Plan::new(format);
        let mut values = Vec::new();
        let mut failure = None;
        for stream in 0..DRAWN {
            match generate(&plan, &mut Choices::fresh(seed, stream), &settings(stream)) {
                Ok(made) => values.push(made.value),
                Err(problem) => failure = Some(problem),
            }
        }
        let mut measured: Vec<(Measure, Value)> =
            values.into_iter().map(|value| (Measure::of(format, &value), value)).collect();
        measured.sort_by(|a, b| a.0.cmp(&b.0));
        measured.dedup_by(|b, a| a.1 == b.1);
        let small = measured.iter().filter(|(measure, _)| measure.elements <= MOST_SMALL).count();
        measured.truncate(small.max(1));
        let values: Vec<Value> = measured.into_iter().map(|(_, value)| value).collect();
        match failure {
            Some(failure) if values.is_empty() => Err(failure),
            _ => Ok(Pool { values }),
        }
    }
}

/// The first is the smallest that there is; the others are tiny, but not without anything in them.
pub(super) fn settings(stream: u64) -> Settings {
    let extreme = (stream == 0).then_some(Extreme::Min);
    let growth = u32::try_from(stream % 6 * 8).unwrap_or(0);
    Settings { growth, most_elements: 200, most_cases: 3, extreme, patience: PATIENCE, ..Settings::default() }
}
