//! What the workers of a search tell, added up.

use super::event::{Failed, Progress, Shares};
use crate::verdict::Verdict;
use std::collections::HashSet;
use std::time::Instant;

/// What one worker has to tell about one input.
#[derive(Default)]
pub(super) struct Report {
    pub(super) shape: String,
    pub(super) verdicts: Vec<Verdict>,
    /// How many test cases were answered.
    pub(super) cases: usize,
    /// How often which answer was given, where they are short: answers that are always the same test nothing.
    pub(super) answers: Vec<(String, u64)>,
    /// Processor time of the programs, microseconds.
    pub(super) cpu_time_us: u64,
    /// How many parts of it were too slow for the reference.
    pub(super) too_slow: u64,
    /// Nanoseconds for generating, the reference, the submissions, checking.
    pub(super) spent: [u64; 4],
    pub(super) failed: Vec<Failed>,
    /// Submissions that failed in a copy of a warm process, but not in a process of their own; and on which input.
    pub(super) unconfirmed: Vec<(usize, u64)>,
}

/// So many different answers are told apart.
const MOST_ANSWERS: usize = 8;

/// Counts the answers of a profile: each line where there is one for each case, else all of it as one.
pub(super) fn count_labels(answer: &[u8], cases: usize, counts: &mut Vec<(String, u64)>) {
    if cases > 1 && count_lines(answer, cases, counts) {
        return;
    }
    let lines = || Lines { rest: answer }.map(|(_, line)| line);
    let Some(first) = lines().next() else { return count_label("other", counts) };
    count_label(if lines().all(|line| line == first) { label(first) } else { "mixed" }, counts);
}

/// Counts each line, if there are so many; most are one of a few.
fn count_lines(answer: &[u8], cases: usize, counts: &mut Vec<(String, u64)>) -> bool {
    let mut counted = counts.clone();
    let (mut known, mut times, mut places) = ([0; MOST_ANSWERS], [0; MOST_ANSWERS], Vec::new());
    let mut number = 0;
    for (key, line) in (Lines { rest: answer }).take(cases + 1) {
        number += 1;
        // Which of them it is nobody can foresee: each is asked, and no way taken by the answer.
        let mut is_known = false;
        for (known, times) in known.iter().zip(&mut times).take(places.len()) {
            let is_it = key.is_some_and(|key| *known == key);
            *times += u64::from(is_it);
            is_known |= is_it;
        }
        if is_known {
            continue;
        }
        let place = place_of(label(line), &mut counted);
        counted[place].1 += 1;
        if let (Some(key), true) = (key, places.len() < MOST_ANSWERS) {
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

/// The lines of an answer that are not empty. Short ones come with a number that no other line has, and is not 0: as one
/// number they are found at once, and compared at once.
struct Lines<'a> {
    rest: &'a [u8],
}

/// Lines of fewer bytes are short: there is a byte for the length.
const WORD: usize = 8;

impl<'a> Iterator for Lines<'a> {
    type Item = (Option<u64>, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        const ONES: u64 = u64::from_le_bytes([1; WORD]);
        const ENDS: u64 = u64::from_le_bytes([b'\n'; WORD]);
        while !self.rest.is_empty() {
            let word = self.word();
            // The lowest byte whose highest bit is set is the first end of a line.
            let ends = word ^ ENDS;
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

impl Lines<'_> {
    /// The next bytes; ends of lines behind the last.
    #[inline]
    fn word(&self) -> u64 {
        let word = self.rest.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [b'\n'; WORD];
            word.iter_mut().zip(self.rest).for_each(|(to, byte)| *to = *byte);
            word
        });
        u64::from_le_bytes(word)
    }
}

/// A line of an answer, if it is short.
fn label(line: &[u8]) -> &str {
    const LONGEST: usize = 12;
    std::str::from_utf8(line).map(str::trim).ok().filter(|text| text.len() <= LONGEST).unwrap_or("other")
}

fn count_label(label: &str, counts: &mut Vec<(String, u64)>) {
    let at = place_of(label, counts);
    counts[at].1 += 1;
}

/// Where a label is counted: under `other` where there are too many.
fn place_of(label: &str, counts: &mut Vec<(String, u64)>) -> usize {
    match counts.iter().position(|(known, _)| known == label) {
        Some(at) => at,
        None if counts.len() < MOST_ANSWERS || label == "other" => {
            counts.push((label.to_owned(), 0));
            counts.len() - 1
        }
        None => place_of("other", counts),
    }
}

/// Reports added up.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) progress: Progress,
    pub(super) spent: [u64; 4],
    /// The submissions of which it was told that a failure could not be confirmed.
    pub(super) unconfirmed: HashSet<usize>,
}

impl Tally {
    pub(super) fn add(&mut self, report: Report) {
        let progress = &mut self.progress;
        progress.skipped += report.too_slow;
        progress.programs_cpu_time_us += report.cpu_time_us;
        if report.too_slow > 0 && report.cases == 0 {
            return;
        }
        progress.cases += 1;
        progress.test_cases += report.cases as u64;
        for verdict in report.verdicts {
            *progress.verdicts.entry(verdict.code()).or_default() += 1;
        }
        *progress.shapes.entry(report.shape).or_default() += 1;
        for (answer, count) in report.answers {
            let known = progress.answers.contains_key(&answer) || progress.answers.len() < MOST_ANSWERS;
            *progress.answers.entry(if known { answer } else { "other".to_owned() }).or_default() += count;
        }
        for (sum, part) in self.spent.iter_mut().zip(report.spent) {
            *sum += part;
        }
    }

    pub(super) fn progress(&self, elapsed_ms: u64) -> Progress {
        let total = self.spent.iter().sum::<u64>().max(1);
        let percent = |part: u64| u8::try_from((part.saturating_mul(100) + total / 2) / total).unwrap_or(100);
        let [generate, reference, submission, check] = self.spent.map(percent);
        let shares = Shares { generate, submission, reference, check };
        Progress { elapsed_ms, shares, ..self.progress.clone() }
    }
}

/// Time by activity.
pub(super) struct Clock {
    pub(super) last: Instant,
    pub(super) spent: [u64; 4],
}

impl Clock {
    pub(super) fn start() -> Self {
        Clock { last: Instant::now(), spent: [0; 4] }
    }

    pub(super) fn skip(&mut self) {
        self.last = Instant::now();
    }

    pub(super) fn lap(&mut self, activity: usize) {
        let now = Instant::now();
        self.spent[activity] += u64::try_from((now - self.last).as_nanos()).unwrap_or(0);
        self.last = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(answer: &str, cases: usize) -> Vec<(String, u64)> {
        let mut counts = vec![("YES".to_owned(), 1)];
        count_labels(answer.as_bytes(), cases, &mut counts);
        counts
    }

    #[test]
    fn each_line_counts_where_there_is_one_for_each_case() {
        let labels = |pairs: &[(&str, u64)]| pairs.iter().map(|(l, n)| ((*l).to_owned(), *n)).collect::<Vec<_>>();
        assert_eq!(counted("NO\n\nYES\nNO\n", 3), labels(&[("YES", 2), ("NO", 2)]));
        let near = counted("answers1\nanswers2\nanswers1\nanswers\n", 4);
        assert_eq!(near, labels(&[("YES", 1), ("answers1", 2), ("answers2", 1), ("answers", 1)]));
        assert_eq!(counted("NO \nNO\n", 2), labels(&[("YES", 1), ("NO", 2)]), "spaces at the end are no answer");
        assert_eq!(counted("NO\nNO\n", 3), labels(&[("YES", 1), ("NO", 1)]), "all of it is one answer");
        assert_eq!(counted("NO\nYES\n", 1), labels(&[("YES", 1), ("mixed", 1)]));
        assert_eq!(counted("a very long answer\n7\n", 2), labels(&[("YES", 1), ("other", 1), ("7", 1)]));
        let many: String = (0..20).map(|i| format!("{i}\n")).collect();
        let many = counted(&many, 20);
        assert_eq!((many.len(), many.iter().map(|(_, n)| n).sum::<u64>()), (MOST_ANSWERS + 1, 21));
        assert_eq!(many.last(), Some(&("other".to_owned(), 13)));
    }
}
