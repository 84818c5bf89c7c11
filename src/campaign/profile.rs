//! What a sample of inputs is worth: how much the answers tell apart, and what the inputs reach.
//!
//! Where nine of ten answers are the same word, a submission that prints that word passes nine of ten tests. So inputs are
//! made, one case a file where the format allows, and the reference's answers are counted, in all and by the shape that
//! made the input.

use super::bench::{Answer, Bench};
use super::event::{AnswerCount, Profile, Reached, ShapeProfile};
use super::inputs::Inputs;
use super::parallel::run_in_parallel;
use crate::coverage::{Coverage, Goal, GoalKind};
use crate::diagnostic::Result;
use crate::value::Value;
use std::collections::BTreeMap;

/// A sample of one input.
struct Sample {
    shape: String,
    value: Option<Value>,
    /// The answer; none if the reference was too slow or failed.
    answer: Option<Vec<u8>>,
}

/// Makes so many inputs, has the reference answer them, and tells what came of it. The same for any number of jobs.
///
/// # Errors
/// If inputs cannot be made, or the reference cannot be run.
pub fn profile(inputs: &Inputs<'_>, bench: Option<&Bench>, seed: u64, count: u64, jobs: usize) -> Result<Profile> {
    let samples = sample(inputs, bench, seed, count, jobs)?;
    let mut profile = Profile { seed, ..Profile::default() };
    let mut coverage = inputs.format().map(Coverage::new);
    let mut answers: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut shapes: BTreeMap<String, BTreeMap<Vec<u8>, u64>> = BTreeMap::new();
    for (_, sample) in samples {
        profile.inputs += 1;
        if let (Some(coverage), Some(value)) = (&mut coverage, &sample.value) {
            coverage.take(value);
        }
        let of_shape = shapes.entry(sample.shape).or_default();
        match sample.answer {
            Some(answer) => {
                *of_shape.entry(answer.clone()).or_default() += 1;
                *answers.entry(answer).or_default() += 1;
            }
            None if bench.is_some() => profile.unanswered += 1,
            None => {}
        }
    }
    if bench.is_some() {
        profile.different = answers.len() as u64;
        profile.entropy_bits = entropy(&answers);
        profile.most_common = most_common(&answers, MOST_ANSWERS);
    }
    profile.shapes = shapes.into_iter().map(|(name, answers)| of_shape(name, &answers)).collect();
    profile.goals = coverage.iter().flat_map(Coverage::goals).map(reached).collect();
    Ok(profile)
}

/// So many answers are named.
const MOST_ANSWERS: usize = 5;

/// Answers are counted by their first bytes: what differs only later is as good as different.
const LONGEST_ANSWER: usize = 4096;

fn sample(
    inputs: &Inputs<'_>,
    bench: Option<&Bench>,
    seed: u64,
    count: u64,
    jobs: usize,
) -> Result<Vec<(u64, Sample)>> {
    let draw = |index: usize| {
        let index = index as u64;
        Ok(one(inputs, bench, seed, index, count)?.map(|sample| (index, sample)))
    };
    let pieces = usize::try_from(count).unwrap_or(usize::MAX);
    let samples = run_in_parallel(jobs, pieces, draw, &mut |_| ())?;
    Ok(samples.into_iter().flatten().collect())
}

/// One input and its answer; none if the validators refuse the input.
fn one(inputs: &Inputs<'_>, bench: Option<&Bench>, seed: u64, index: u64, count: u64) -> Result<Option<Sample>> {
    let growth = u32::try_from(index * 100 / count.max(1)).unwrap_or(100);
    let Some(made) = inputs.make_of_growth(seed, index, growth)? else { return Ok(None) };
    let answer = match bench.map(|bench| bench.answer(&made.bytes)).transpose()? {
        Some(Answer::Known(mut answer)) => {
            answer.truncate(LONGEST_ANSWER);
            Some(answer.trim_ascii_end().to_vec())
        }
        _ => None,
    };
    Ok(Some(Sample { shape: made.shape, value: made.value, answer }))
}

/// Shannon's entropy of a distribution, in bits.
fn entropy(counts: &BTreeMap<Vec<u8>, u64>) -> f64 {
    let total = counts.values().sum::<u64>() as f64;
    counts.values().map(|count| *count as f64 / total).map(|share| -share * libm::log2(share)).sum::<f64>().max(0.0)
        + 0.0
}

fn most_common(counts: &BTreeMap<Vec<u8>, u64>, most: usize) -> Vec<AnswerCount> {
    let mut all: Vec<(&Vec<u8>, u64)> = counts.iter().map(|(answer, count)| (answer, *count)).collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named = |(answer, inputs): (&Vec<u8>, u64)| AnswerCount { answer: shown(answer), inputs };
    all.into_iter().take(most).map(named).collect()
}

/// An answer as a report names it: its beginning.
fn shown(answer: &[u8]) -> String {
    crate::diagnostic::shorten(answer, 40)
}

fn of_shape(name: String, answers: &BTreeMap<Vec<u8>, u64>) -> ShapeProfile {
    ShapeProfile {
        name,
        answers: answers.values().sum(),
        different: answers.len() as u64,
        entropy_bits: entropy(answers),
        most_common: most_common(answers, 1).into_iter().next(),
    }
}

/// A goal as events tell it.
pub(super) fn reached(goal: &Goal) -> Reached {
    let kind = match goal.kind {
        GoalKind::Bound => "bound",
        GoalKind::NearMiss => "near-miss",
        GoalKind::Form => "form",
        GoalKind::Structure => "structure",
    };
    Reached { kind: kind.to_owned(), of: goal.of.clone(), what: goal.what.clone(), inputs: goal.inputs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_a_fair_coin() {
        let counts = |pairs: &[(&str, u64)]| pairs.iter().map(|(a, n)| (a.as_bytes().to_vec(), *n)).collect();
        assert!((entropy(&counts(&[("YES", 50), ("NO", 50)])) - 1.0).abs() < 1e-9);
        assert!(entropy(&counts(&[("YES", 50)])).abs() < 1e-9);
        assert!(entropy(&counts(&[])).abs() < 1e-9);
    }
}
