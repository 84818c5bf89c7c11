//! The result of a block of inputs with consecutive indices, as plain data.
//!
//! A [`BlockResult`] depends on the plan of the search and on the indices alone, so it is the same on every machine, as
//! long as no program is flaky. Times are apart from it, in [`BlockTimes`].

use crate::event::LongestConversation;
use crate::judge::FailureKind;
use rebut_packages::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The result of the inputs of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockResult {
    /// The inputs, in order. A stretch ends where a program fails for the first time in this block.
    pub stretches: Vec<BlockStretch>,
    /// The failures, in the order of the inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<BlockFailure>,
    /// For each submission, the first failure that did not occur again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<UnconfirmedFailure>,
    /// Whether the enumeration of an exhaustive search has no input after this block.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_last: bool,
}

impl BlockResult {
    /// Checks that these can be results of inputs with these indices, of so many submissions: blocks come from other
    /// machines.
    ///
    /// # Errors
    /// Returns what cannot be true.
    pub fn check_possible(&self, times: &BlockTimes, submissions: usize, indices: Range<u64>) -> Result<(), String> {
        let mut begin = indices.start;
        for BlockStretch { end, inputs, verdicts, .. } in &self.stretches {
            if *end <= begin || *end > indices.end {
                return Err(format!("inputs up to {end} after {begin}, in a block of {indices:?}"));
            }
            if inputs.cases.saturating_add(inputs.refused) > end - begin || verdicts.len() != submissions {
                return Err(format!("{} inputs of {}, and {} submissions", inputs.cases, end - begin, verdicts.len()));
            }
            begin = *end;
        }
        let failures = self.failures.iter().map(|failure| (failure.submission, failure.index));
        let unconfirmed = self.unconfirmed.iter().map(|one| (Some(one.submission), one.index));
        for (submission, index) in failures.chain(unconfirmed) {
            if submission.is_some_and(|submission| submission >= submissions) {
                return Err(format!("submission {} of {submissions} fails", submission.unwrap_or(0).saturating_add(1)));
            }
            if !(indices.start..begin).contains(&index) {
                return Err(format!("input {index} fails, which is not among {}..{begin}", indices.start));
            }
        }
        if times.failures_ms.len() != self.failures.len() {
            return Err(format!("{} times of {} failures", times.failures_ms.len(), self.failures.len()));
        }
        Ok(())
    }
}

/// Consecutive inputs that the same submissions were run on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockStretch {
    /// Index after the last input.
    pub end: u64,
    /// The inputs.
    pub inputs: InputCounts,
    /// Number of elements of the last input, if the search is exhaustive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<usize>,
    /// Number of runs of each submission by verdict code.
    pub verdicts: Vec<BTreeMap<Verdict, u64>>,
}

/// Counts of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCounts {
    /// Number of inputs tried.
    pub cases: u64,
    /// Number of test cases in them.
    pub test_cases: u64,
    /// Number of parts of inputs on which the reference was too slow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: u64,
    /// Number of inputs that the validators refused.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: u64,
    /// Number of inputs by shape.
    pub shapes: BTreeMap<String, u64>,
    /// Number of test cases by answer.
    pub answers: BTreeMap<String, u64>,
    /// The longest conversation with an interactor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<LongestConversation>,
}

/// A failure of a submission, or of the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockFailure {
    /// Index of the submission, or none for the reference.
    pub submission: Option<usize>,
    /// Index of the input, from 0.
    pub index: u64,
    /// The kind of failure.
    pub kind: FailureKind,
    /// Shape of the input.
    pub shape: String,
    /// Digest of the text of the input. Empty if the result is not kept.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The input, if the index does not make it: it is a part of what that generates, since the rest is too slow for the
    /// reference, or an input of an enumeration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

/// A failure that did not occur again in a new process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnconfirmedFailure {
    /// Index of the submission.
    pub submission: usize,
    /// Index of the input, from 0.
    pub index: u64,
    /// Whether it occurred under the fork server, which may explain it.
    pub in_fork: bool,
}

/// The times of a block, which differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockTimes {
    /// Duration in milliseconds.
    pub elapsed_ms: u64,
    /// Processor time of the programs, in microseconds.
    pub programs_cpu_time_us: u64,
    /// Nanoseconds spent on generating, the reference, the submissions, checking.
    pub spent_ns: [u64; 4],
    /// Time of each failure, in milliseconds since the block began.
    pub failures_ms: Vec<u64>,
}

/// Maximum number of distinct answers that are counted.
pub(super) const MAX_ANSWER_LABELS: usize = 8;

/// The label of the answers that are not counted by themselves.
pub(super) const OTHER_ANSWERS: &str = "other";

/// Adds the counts of answers. Of many different answers, the first in alphabetical order are kept, so that the sum
/// does not depend on the order of the inputs: an answer that is among the first of all is among the first of each part.
pub(super) fn add_answer_counts<'c>(
    sums: &mut BTreeMap<String, u64>,
    counts: impl IntoIterator<Item = (&'c String, &'c u64)>,
) {
    for (answer, count) in counts {
        add_count(sums, answer, *count);
    }
    while sums.len() > MAX_ANSWER_LABELS {
        let labels = || sums.keys().filter(|label| *label != OTHER_ANSWERS);
        let Some(last) = labels().next_back().filter(|_| labels().count() > MAX_ANSWER_LABELS).cloned() else { return };
        let count = sums.remove(&last).unwrap_or_default();
        *sums.entry(OTHER_ANSWERS.to_owned()).or_default() += count;
    }
}

/// Adds to the count of a label. Most labels are known already.
pub(super) fn add_count(sums: &mut BTreeMap<String, u64>, label: &str, count: u64) {
    match sums.get_mut(label) {
        Some(sum) => *sum += count,
        None => drop(sums.insert(label.to_owned(), count)),
    }
}

impl InputCounts {
    pub(super) fn add_counts(&mut self, other: &InputCounts) {
        self.cases += other.cases;
        self.test_cases += other.test_cases;
        self.skipped += other.skipped;
        self.refused += other.refused;
        other.shapes.iter().for_each(|(shape, count)| add_count(&mut self.shapes, shape, *count));
        add_answer_counts(&mut self.answers, &other.answers);
        self.longest = self.longest.take().max(other.longest.clone());
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_generators::Choices;

    #[test]
    fn impossible_results_are_refused() {
        let stretch = |end| BlockStretch {
            end,
            inputs: InputCounts { cases: 8, ..InputCounts::default() },
            verdicts: vec![BTreeMap::new()],
            ..BlockStretch::default()
        };
        let (index, shape, digest) = (17, String::new(), String::new());
        let failure = BlockFailure {
            submission: Some(0),
            index,
            kind: FailureKind::from_verdict(Verdict::WrongAnswer),
            shape,
            digest,
            part: None,
        };
        let block = BlockResult {
            stretches: vec![stretch(24), stretch(32)],
            failures: vec![failure],
            ..BlockResult::default()
        };
        let times = BlockTimes { failures_ms: vec![3], ..BlockTimes::default() };
        let check = |block: &BlockResult| block.check_possible(&times, 1, 16..32);
        assert_eq!(check(&block), Ok(()));
        assert!(block.check_possible(&BlockTimes::default(), 1, 16..32).is_err());
        let spoil: [fn(&mut BlockResult); 8] = [
            |block| block.failures[0].submission = Some(7),
            |block| block.failures[0].index = 1 << 62,
            |block| block.failures[0].index = 15,
            |block| block.stretches[0].end = 0,
            |block| block.stretches[1].end = 33,
            |block| block.stretches[1].end = 24,
            |block| block.stretches[1].inputs.cases = 9,
            |block| block.stretches[1].verdicts.clear(),
        ];
        for spoil in spoil {
            let mut spoilt = block.clone();
            spoil(&mut spoilt);
            assert!(check(&spoilt).is_err(), "{spoilt:?}");
        }
    }

    #[test]
    fn sum_of_answers_does_not_depend_on_the_order() {
        for seed in 0..200 {
            let mut choices = Choices::from_seed(1, seed);
            let parts: Vec<BTreeMap<String, u64>> = (0..6)
                .map(|_| {
                    let labels = choices.draw_below(9);
                    let mut draw = || (format!("answer {}", choices.draw_below(14)), choices.draw_below(5) + 1);
                    (0..labels).map(|_| draw()).chain([(OTHER_ANSWERS.to_owned(), 2)]).collect()
                })
                .collect();
            let sum = |order: &[usize]| {
                let mut sums = BTreeMap::new();
                order.iter().for_each(|part| add_answer_counts(&mut sums, &parts[*part]));
                sums
            };
            let mut halves = sum(&[0, 1, 2]);
            add_answer_counts(&mut halves, &sum(&[5, 4, 3]));
            assert_eq!(sum(&[0, 1, 2, 3, 4, 5]), halves);
            assert_eq!(sum(&[3, 5, 0, 2, 4, 1]), halves);
            assert!(halves.len() <= MAX_ANSWER_LABELS + 1);
        }
    }
}
