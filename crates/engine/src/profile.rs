//! Statistics of a sample of inputs: the distribution of the answers, and the coverage goals reached.
//!
//! If nine of ten answers are equal, a submission that always prints that answer passes nine of ten tests. To detect
//! this, [`profile_inputs`] generates inputs, with a single case each if the format allows it, and counts the answers
//! of the reference in total and for each shape.

use super::inputs::InputSource;
use super::judging::{JudgeSetup, ReferenceAnswer};
use super::parallel::run_in_parallel;
use crate::event::{AnswerCount, GoalReached, InputProfile, ShapeProfile};
use rebut_diagnostics::{Result, shorten_text};
use rebut_format::coverage::Coverage;
use rebut_format::value::Value;
use std::collections::BTreeMap;

/// An input of the sample.
struct ProfileSample {
    shape: String,
    value: Option<Value>,
    /// The answer; `None` if the reference was too slow or failed.
    answer: Option<Vec<u8>>,
}

/// Generates `count` inputs, runs the reference on them, and returns the statistics. The result does not depend on the
/// number of jobs.
///
/// # Errors
/// Returns an error if inputs cannot be generated, or if the reference cannot be started.
pub fn profile_inputs(
    inputs: &InputSource<'_>,
    setup: Option<&JudgeSetup>,
    seed: u64,
    count: u64,
    jobs: usize,
) -> Result<InputProfile> {
    let draw = |index: usize| {
        let index = index as u64;
        let growth = u32::try_from(index * 100 / count.max(1)).unwrap_or(100);
        sample_input(inputs, setup, (seed, index), growth)
    };
    let samples = run_in_parallel(jobs, usize::try_from(count).unwrap_or(usize::MAX), draw, &mut |_| ())?;
    let mut profile = InputProfile { seed, ..InputProfile::default() };
    let mut coverage = inputs.input_format().map(Coverage::new);
    let mut answers: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut shapes: BTreeMap<String, BTreeMap<Vec<u8>, u64>> = BTreeMap::new();
    for sample in samples.into_iter().flatten() {
        profile.inputs += 1;
        if let (Some(coverage), Some(value)) = (&mut coverage, &sample.value) {
            coverage.count_input(value);
        }
        let shape_answers = shapes.entry(sample.shape).or_default();
        match sample.answer {
            Some(answer) => {
                *shape_answers.entry(answer.clone()).or_default() += 1;
                *answers.entry(answer).or_default() += 1;
            }
            None if setup.is_some() => profile.unanswered += 1,
            None => {}
        }
    }
    if setup.is_some() {
        profile.different = answers.len() as u64;
        profile.entropy_bits = shannon_entropy_bits(&answers);
        profile.most_common = most_common_answers(&answers, MAX_COMMON_ANSWERS);
    }
    profile.shapes = shapes.into_iter().map(|(name, answers)| profile_shape(name, &answers)).collect();
    profile.goals = coverage.iter().flat_map(Coverage::goals).map(GoalReached::from_goal).collect();
    Ok(profile)
}

/// Number of answers in the list of the most common ones.
pub(super) const MAX_COMMON_ANSWERS: usize = 5;

/// Number of bytes of an answer that are compared.
const MAX_ANSWER_BYTES: usize = 4096;

/// Generates an input and runs the reference on it. Returns `None` if the validators refuse the input.
fn sample_input(
    inputs: &InputSource<'_>,
    setup: Option<&JudgeSetup>,
    (seed, index): (u64, u64),
    growth: u32,
) -> Result<Option<ProfileSample>> {
    let Some(input) = inputs.make_input_of_growth(seed, index, growth)? else { return Ok(None) };
    let answer = match setup.map(|setup| setup.run_reference(&input.bytes)).transpose()? {
        Some(ReferenceAnswer::Known(mut answer)) => {
            answer.truncate(MAX_ANSWER_BYTES);
            Some(answer.trim_ascii_end().to_vec())
        }
        _ => None,
    };
    Ok(Some(ProfileSample { shape: input.shape, value: input.value, answer }))
}

/// Returns the Shannon entropy of a distribution in bits.
pub(super) fn shannon_entropy_bits(counts: &BTreeMap<Vec<u8>, u64>) -> f64 {
    let total = counts.values().sum::<u64>() as f64;
    counts.values().map(|count| *count as f64 / total).map(|share| -share * libm::log2(share)).sum::<f64>().max(0.0)
        + 0.0
}

/// Returns the most frequent answers, the most frequent first.
pub(super) fn most_common_answers(counts: &BTreeMap<Vec<u8>, u64>, most: usize) -> Vec<AnswerCount> {
    let mut all: Vec<(&Vec<u8>, u64)> = counts.iter().map(|(answer, count)| (answer, *count)).collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let to_count = |(answer, inputs): (&Vec<u8>, u64)| AnswerCount { answer: shorten_text(answer, 40), inputs };
    all.into_iter().take(most).map(to_count).collect()
}

fn profile_shape(name: String, answers: &BTreeMap<Vec<u8>, u64>) -> ShapeProfile {
    ShapeProfile {
        name,
        answers: answers.values().sum(),
        different: answers.len() as u64,
        entropy_bits: shannon_entropy_bits(answers),
        most_common: most_common_answers(answers, 1).into_iter().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_a_fair_coin() {
        let counts = |pairs: &[(&str, u64)]| pairs.iter().map(|(a, n)| (a.as_bytes().to_vec(), *n)).collect();
        assert!((shannon_entropy_bits(&counts(&[("YES", 50), ("NO", 50)])) - 1.0).abs() < 1e-9);
        assert!(shannon_entropy_bits(&counts(&[("YES", 50)])).abs() < 1e-9);
        assert!(shannon_entropy_bits(&counts(&[])).abs() < 1e-9);
    }
}
