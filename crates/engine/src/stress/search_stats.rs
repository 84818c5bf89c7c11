//! Statistics of a search: the workers' reports and their sums.

use super::block_result::{
    BlockResult, BlockStretch, BlockTimes, InputCounts, MAX_ANSWER_LABELS, OTHER_ANSWERS, UnconfirmedFailure,
};
use super::failure_frontier::FailureFrontier;
use super::reported_failures::{FailureKey, select_reported};
use super::stress_plan::SearchHit;
use crate::event::{LongestConversation, SearchProgress, TimeShares};
use crate::judge::FailureKind;
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A worker's report on one input.
#[derive(Clone, Default)]
pub(crate) struct InputReport {
    /// Index of the input, from 0.
    pub(crate) index: u64,
    /// Whether there is an input: the validators did not refuse it.
    pub(crate) was_made: bool,
    /// Whether the validators refused it and that is counted.
    pub(crate) is_refused: bool,
    pub(crate) shape: String,
    /// The runs, each with the index of the submission.
    pub(crate) verdicts: Vec<(usize, Verdict)>,
    /// Number of test cases that were answered.
    pub(crate) cases: usize,
    /// Counts of short answers. If all answers are the same, the inputs test nothing.
    pub(crate) answers: Vec<(String, u64)>,
    /// The longest conversation with the interactor.
    pub(crate) longest: Option<LongestConversation>,
    /// Processor time of the programs, in microseconds.
    pub(crate) cpu_time_us: u64,
    /// Number of parts of the input that were too slow for the reference.
    pub(crate) too_slow: u64,
    /// Nanoseconds spent on generating, the reference, the submissions, checking.
    pub(crate) spent_ns: [u64; 4],
    pub(crate) failures: Vec<SearchFailure>,
    /// Failures that did not occur again in a new process.
    pub(crate) unconfirmed: Vec<UnconfirmedFailure>,
}

/// A failure on an input.
#[derive(Clone)]
pub(crate) struct SearchFailure {
    /// Index of the submission, or `None` for the reference.
    pub(crate) submission: Option<usize>,
    pub(crate) kind: FailureKind,
    /// Milliseconds since the search started.
    pub(crate) elapsed_ms: u64,
}

impl InputReport {
    /// Clears the report for another input. Its allocations are kept.
    pub(super) fn begin_input(&mut self, index: u64) {
        let InputReport { mut shape, mut verdicts, mut answers, mut failures, mut unconfirmed, .. } =
            std::mem::take(self);
        shape.clear();
        verdicts.clear();
        answers.clear();
        failures.clear();
        unconfirmed.clear();
        *self = InputReport { index, shape, verdicts, answers, failures, unconfirmed, ..InputReport::default() };
    }

    /// Returns true if the input is counted as tried: the reference was not too slow on all of it.
    pub(crate) fn is_tried(&self) -> bool {
        self.was_made && (self.too_slow == 0 || self.cases > 0)
    }
}

/// Counts the answers of an input: each line if there is one per case, or else the whole answer as one.
pub(crate) fn count_answer_labels(answer: &[u8], cases: usize, counts: &mut Vec<(String, u64)>) {
    if cases > 1 && count_line_labels(answer, cases, counts) {
        return;
    }
    let lines = || AnswerLines { rest: answer }.map(|(_, line)| line);
    let Some(first) = lines().next() else { return increment_label(OTHER_ANSWERS, counts) };
    increment_label(if lines().all(|line| line == first) { answer_label(first) } else { "mixed" }, counts);
}

/// Counts each line, if there are `cases` of them, and returns whether that is so. Most answers have few distinct
/// lines.
fn count_line_labels(answer: &[u8], cases: usize, counts: &mut Vec<(String, u64)>) -> bool {
    let mut counted = counts.clone();
    let (mut known, mut times, mut places) = ([0; MAX_ANSWER_LABELS], [0; MAX_ANSWER_LABELS], Vec::new());
    let mut number = 0;
    for (key, line) in (AnswerLines { rest: answer }).take(cases + 1) {
        number += 1;
        // The answers are unpredictable, so every known one is compared without branching.
        let mut is_known = false;
        for (known, times) in known.iter().zip(&mut times).take(places.len()) {
            let is_equal = key.is_some_and(|key| *known == key);
            *times += u64::from(is_equal);
            is_known |= is_equal;
        }
        if is_known {
            continue;
        }
        let place = label_index(answer_label(line), &mut counted);
        counted[place].1 += 1;
        if let (Some(key), true) = (key, places.len() < MAX_ANSWER_LABELS) {
            known[places.len()] = key;
            places.push(place);
        }
    }
    if number == cases {
        places.iter().zip(times).for_each(|(place, times)| counted[*place].1 += times);
        *counts = counted;
    }
    number == cases
}

/// The non-empty lines of an answer. Each short line comes with a non-zero number that is unique to its content, so
/// that it can be found and compared as one machine word.
struct AnswerLines<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for AnswerLines<'a> {
    type Item = (Option<u64>, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        const ONES: u64 = u64::from_le_bytes([1; WORD_BYTES]);
        const NEWLINES: u64 = u64::from_le_bytes([b'\n'; WORD_BYTES]);
        while !self.rest.is_empty() {
            let word = self.next_word();
            // The lowest byte with its highest bit set is the first newline (SWAR zero-byte search).
            let ends = word ^ NEWLINES;
            let ends = ends.wrapping_sub(ONES) & !ends & (ONES << 7);
            let (key, length) = if ends == 0 {
                (None, self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len()))
            } else {
                let bits = ends.trailing_zeros() - 7;
                (Some(word & !(u64::MAX << bits) | u64::from(bits / 8) << 56), bits as usize / 8)
            };
            let (line, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest.get(1..).unwrap_or_default();
            if length > 0 {
                return Some((key, line));
            }
        }
        None
    }
}

impl AnswerLines<'_> {
    /// Returns the next bytes as a word, padded with newlines.
    #[inline]
    fn next_word(&self) -> u64 {
        let word = self.rest.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [b'\n'; WORD_BYTES];
            word.iter_mut().zip(self.rest).for_each(|(to, byte)| *to = *byte);
            word
        });
        u64::from_le_bytes(word)
    }
}

/// Lines with fewer bytes than this are short: one byte is needed for the length.
const WORD_BYTES: usize = 8;

/// Returns the label of a line: the line itself if it is short, and `other` otherwise.
fn answer_label(line: &[u8]) -> &str {
    const MAX_LABEL_BYTES: usize = 12;
    std::str::from_utf8(line).map(str::trim).ok().filter(|text| text.len() <= MAX_LABEL_BYTES).unwrap_or(OTHER_ANSWERS)
}

fn increment_label(label: &str, counts: &mut Vec<(String, u64)>) {
    let at = label_index(label, counts);
    counts[at].1 += 1;
}

/// Returns the index of a label's count, or that of `other` if there are too many labels.
fn label_index(label: &str, counts: &mut Vec<(String, u64)>) -> usize {
    match counts.iter().position(|(known, _)| known == label) {
        Some(at) => at,
        None if counts.len() < MAX_ANSWER_LABELS || label == OTHER_ANSWERS => {
            counts.push((label.to_owned(), 0));
            counts.len() - 1
        }
        None => label_index(OTHER_ANSWERS, counts),
    }
}

/// Sums over inputs: what they contain, the verdicts on them, and the time they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchSums {
    pub(super) counts: InputCounts,
    verdicts: BTreeMap<&'static str, u64>,
    programs_cpu_time_us: u64,
    spent_ns: [u64; 4],
}

impl SearchSums {
    /// Adds a block, in the order in which the workers finish.
    pub(super) fn add_block(&mut self, block: &BlockResult, times: &BlockTimes) {
        for BlockStretch { inputs, verdicts, .. } in &block.stretches {
            self.counts.add_counts(inputs);
            verdicts.iter().for_each(|verdicts| self.add_verdicts(verdicts));
        }
        self.add_times(times);
    }

    pub(super) fn add_verdicts(&mut self, verdicts: &BTreeMap<Verdict, u64>) {
        for (verdict, count) in verdicts {
            *self.verdicts.entry(verdict.code()).or_default() += count;
        }
    }

    pub(super) fn add_times(&mut self, times: &BlockTimes) {
        self.programs_cpu_time_us += times.programs_cpu_time_us;
        for (sum, part) in self.spent_ns.iter_mut().zip(times.spent_ns) {
            *sum += part;
        }
    }

    /// Returns the progress of a search with these sums.
    pub(super) fn to_progress(&self, elapsed_ms: u64) -> SearchProgress {
        let InputCounts { cases, test_cases, skipped, refused, shapes, answers, longest } = self.counts.clone();
        SearchProgress {
            elapsed_ms,
            cases,
            test_cases,
            verdicts: self.verdicts.clone(),
            shapes,
            answers,
            skipped,
            refused,
            unfinished_ms: 0,
            shares: time_shares(self.spent_ns),
            programs_cpu_time_us: self.programs_cpu_time_us,
            longest_conversation: longest,
        }
    }
}

/// Returns the shares of the times that were spent on generating, the reference, the submissions, checking.
pub(crate) fn time_shares(spent_ns: [u64; 4]) -> TimeShares {
    let total = spent_ns.iter().sum::<u64>().max(1);
    let percent = |part: u64| u8::try_from((part.saturating_mul(100) + total / 2) / total).unwrap_or(100);
    let [generate, reference, submission, check] = spent_ns.map(percent);
    TimeShares { generate, submission, reference, check }
}

// The failures that a search has found, of which the first of each kind are kept.

/// The failures of a search, shared by its workers.
pub(super) struct SearchHits {
    /// Whether failures of several kinds are kept for each submission.
    keep_going: bool,
    /// Where each program failed first.
    pub(super) frontier: FailureFrontier,
    hits: Mutex<Vec<SearchHit>>,
}

impl SearchHits {
    /// Creates the empty list for a number of submissions.
    pub(super) fn new(submissions: usize, keep_going: bool) -> Self {
        let frontier = FailureFrontier::new(submissions, keep_going);
        SearchHits { keep_going, frontier, hits: Mutex::new(Vec::new()) }
    }

    /// Records a failure. Keeps it if it is the first of its kind, or if the one kept has a higher index.
    pub(super) fn record_hit(&self, hit: SearchHit) {
        self.frontier.record_failure(hit.submission, hit.index);
        let mut hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same_kind = |h: &SearchHit| {
            h.submission == hit.submission && (!self.keep_going || h.run_result.kind == hit.run_result.kind)
        };
        match hits.iter().position(is_same_kind) {
            Some(at) if hits[at].index > hit.index => hits[at] = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }

    /// Takes the failures that are reported, in the order of the inputs.
    pub(super) fn take_hits(&self) -> Vec<SearchHit> {
        let hits = std::mem::take(&mut *self.hits.lock().unwrap_or_else(PoisonError::into_inner));
        select_reported(hits, self.keep_going, |hit| FailureKey {
            submission: hit.submission,
            index: hit.index,
            kind: hit.run_result.kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::GeneratedInput;
    use crate::judge::FailureKind;
    use crate::judging::RunResult;
    use rebut_packages::score::FeedbackScore;
    use rebut_packages::verdict::Verdict;
    use rebut_sandbox::{ProcessExit, RunOutcome};
    use std::collections::BTreeMap;

    fn labels_of_answer(answer: &str, cases: usize) -> Vec<(String, u64)> {
        let mut counts = vec![("YES".to_owned(), 1)];
        count_answer_labels(answer.as_bytes(), cases, &mut counts);
        counts
    }

    #[test]
    fn each_line_counts_where_there_is_one_for_each_case() {
        let labels = |pairs: &[(&str, u64)]| pairs.iter().map(|(l, n)| ((*l).to_owned(), *n)).collect::<Vec<_>>();
        assert_eq!(labels_of_answer("NO\n\nYES\nNO\n", 3), labels(&[("YES", 2), ("NO", 2)]));
        let near = labels_of_answer("answers1\nanswers2\nanswers1\nanswers\n", 4);
        assert_eq!(near, labels(&[("YES", 1), ("answers1", 2), ("answers2", 1), ("answers", 1)]));
        assert_eq!(labels_of_answer("NO \nNO\n", 2), labels(&[("YES", 1), ("NO", 2)]), "trailing spaces are ignored");
        assert_eq!(labels_of_answer("NO\nNO\n", 3), labels(&[("YES", 1), ("NO", 1)]), "the whole output is one answer");
        assert_eq!(labels_of_answer("NO\nYES\n", 1), labels(&[("YES", 1), ("mixed", 1)]));
        assert_eq!(labels_of_answer("a very long answer\n7\n", 2), labels(&[("YES", 1), ("other", 1), ("7", 1)]));
        let many: String = (0..20).map(|i| format!("{i}\n")).collect();
        let many = labels_of_answer(&many, 20);
        assert_eq!((many.len(), many.iter().map(|(_, n)| n).sum::<u64>()), (MAX_ANSWER_LABELS + 1, 21));
        assert_eq!(many.last(), Some(&("other".to_owned(), 13)));
    }

    fn hit(submission: Option<usize>, index: u64, verdict: Verdict) -> SearchHit {
        let outcome = RunOutcome {
            exit: ProcessExit::Code(0),
            limit: None,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        };
        let run_result = RunResult {
            verdict,
            kind: FailureKind::from_verdict(verdict),
            outcome,
            mismatch: None,
            checker_failure: None,
            feedback_score: FeedbackScore::default(),
            conversation: None,
        };
        let input = GeneratedInput { bytes: Vec::new(), value: None, cases: 1, shape: String::new() };
        SearchHit { submission, index, input, answer: Vec::new(), run_result, elapsed_ms: 0 }
    }

    fn kept(hits: &SearchHits) -> Vec<(Option<usize>, u64)> {
        hits.take_hits().iter().map(|hit| (hit.submission, hit.index)).collect()
    }

    #[test]
    fn the_first_failure_of_each_submission_is_kept() {
        let hits = SearchHits::new(2, false);
        let frontier = &hits.frontier;
        hits.record_hit(hit(Some(1), 7, Verdict::WrongAnswer));
        hits.record_hit(hit(Some(1), 5, Verdict::RuntimeError));
        hits.record_hit(hit(Some(1), 9, Verdict::TimeLimit));
        assert!(!frontier.has_failed(0) && frontier.has_failed(1));
        assert!(frontier.is_wanted_at(1, 5) && !frontier.is_wanted_at(1, 6) && !frontier.is_settled_at(6));
        hits.record_hit(hit(Some(0), 8, Verdict::WrongAnswer));
        assert!(frontier.is_settled_at(9) && !frontier.is_settled_at(8));
        assert_eq!(kept(&hits), [(Some(1), 5), (Some(0), 8)]);
    }

    #[test]
    fn other_kinds_are_kept_while_a_search_goes_on() {
        let hits = SearchHits::new(1, true);
        for (index, verdict) in [(4, Verdict::WrongAnswer), (2, Verdict::WrongAnswer), (9, Verdict::RuntimeError)] {
            hits.record_hit(hit(Some(0), index, verdict));
        }
        assert!(hits.frontier.is_wanted_at(0, 100) && !hits.frontier.is_settled_at(100));
        assert_eq!(kept(&hits), [(Some(0), 2), (Some(0), 9)]);
    }

    #[test]
    fn nothing_counts_beyond_a_failure_of_the_reference() {
        let hits = SearchHits::new(1, true);
        hits.record_hit(hit(None, 3, Verdict::JudgeError));
        hits.record_hit(hit(Some(0), 4, Verdict::WrongAnswer));
        assert!(hits.frontier.is_settled_at(4) && !hits.frontier.is_settled_at(3));
        assert_eq!(kept(&hits), [(None, 3)]);
    }
}
