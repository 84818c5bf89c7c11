//! Shrinking of inputs without a format, as lines and tokens.
//!
//! Their structure is unknown; if the problem has a validator, it rejects invalid candidates. Lines are deleted
//! first, then tokens, then numbers move towards zero. One guess keeps counts in step: a number that equals the
//! previous number of lines or tokens is lowered by the number of deleted ones.

use super::ddmin::ddmin_elements;
use super::oracle::{Oracle, ShrinkStopped};
use super::pass_statistics::{AcceptedCounts, PassCounters};
use super::search::{ShrinkResult, text_fingerprint};
use super::speculation::MeasuredSearch;
use crate::tuning::{MAX_BATCH_BYTES, MAX_LOWERED_COUNTS};
use std::collections::HashSet;
use std::time::Duration;

/// Shrinks the bytes of a failing input. Inputs are ordered by length, then by the bytes themselves.
pub fn shrink_text(input: Vec<u8>, oracle: &mut dyn Oracle<Vec<u8>>) -> ShrinkResult<Vec<u8>> {
    let (counters, accepted) = (PassCounters::default(), AcceptedCounts::default());
    let mut search = TextSearch { best: input, oracle, seen: HashSet::new(), counters, accepted };
    let done = search
        .repeat_rounds(|search| TEXT_PASSES.into_iter().try_for_each(|(name, run)| search.run_measured(name, run)));
    ShrinkResult::from_counters(search.best, done.is_ok(), search.counters, &search.accepted)
}

/// A pass over texts, with its name.
type TextPass = (&'static str, fn(&mut TextSearch<'_>) -> Result<(), ShrinkStopped>);

/// The passes in their order.
const TEXT_PASSES: [TextPass; 3] = [
    ("delete lines", |search| search.delete_lines()),
    ("delete tokens", |search| search.delete_tokens()),
    ("lower numbers", |search| search.lower_numbers()),
];

struct TextSearch<'o> {
    best: Vec<u8>,
    oracle: &'o mut dyn Oracle<Vec<u8>>,
    /// Fingerprints of the texts that were tried.
    seen: HashSet<u128>,
    counters: PassCounters,
    accepted: AcceptedCounts,
}

impl MeasuredSearch for TextSearch<'_> {
    fn elapsed_time(&self) -> Duration {
        self.oracle.elapsed_time()
    }

    fn counters(&mut self) -> &mut PassCounters {
        &mut self.counters
    }

    fn step_count(&self) -> usize {
        self.accepted.total()
    }
}

impl TextSearch<'_> {
    /// Tries the candidates of moves in order of preference and accepts the first that fails. Returns true if
    /// one was accepted. `make` builds a candidate from the best text when it is needed.
    fn attempt_each<M>(
        &mut self,
        moves: impl IntoIterator<Item = M>,
        make: impl Fn(&[u8], M) -> Vec<u8>,
    ) -> Result<bool, ShrinkStopped> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for step in moves {
            self.check_stop()?;
            let candidate = make(&self.best, step);
            let is_smaller = (candidate.len(), &candidate) < (self.best.len(), &self.best);
            if is_smaller && self.seen.insert(text_fingerprint(&candidate)) {
                bytes += candidate.len();
                batch.push(candidate);
            }
            if bytes >= MAX_BATCH_BYTES {
                if self.take_first_failing(&mut batch)? {
                    return Ok(true);
                }
                bytes = 0;
            }
        }
        self.take_first_failing(&mut batch)
    }

    fn check_stop(&self) -> Result<(), ShrinkStopped> {
        if self.oracle.should_stop() { Err(ShrinkStopped) } else { Ok(()) }
    }

    /// Accepts the first candidate of a batch that fails, and empties the batch. Returns true if one did.
    fn take_first_failing(&mut self, batch: &mut Vec<Vec<u8>>) -> Result<bool, ShrinkStopped> {
        if batch.is_empty() {
            return Ok(false);
        }
        let found = self.oracle.first_failing(batch)?.filter(|i| *i < batch.len());
        let pass = self.counters.current_pass();
        self.counters.count_tried(pass, found.map_or(batch.len(), |i| i + 1));
        for unanswered in found.into_iter().flat_map(|found| &batch[found + 1..]) {
            self.seen.remove(&text_fingerprint(unanswered));
        }
        let taken = found.map(|found| batch.swap_remove(found));
        batch.clear();
        let Some(taken) = taken else { return Ok(false) };
        self.accepted.count_accepted(pass);
        self.best = taken;
        Ok(true)
    }

    /// Deletes lines with their newlines.
    fn delete_lines(&mut self) -> Result<(), ShrinkStopped> {
        let count = self.best.split_inclusive(|b| *b == b'\n').count();
        ddmin_elements(count, &mut |gone| {
            let left: Vec<u8> = self
                .best
                .split_inclusive(|b| *b == b'\n')
                .enumerate()
                .filter(|(i, _)| gone.binary_search(i).is_err())
                .flat_map(|(_, line)| line.to_vec())
                .collect();
            let count = self.best.split_inclusive(|b| *b == b'\n').count();
            self.attempt_with_counts(left, &[count, count - 1], gone.len())
        })?;
        Ok(())
    }

    /// Tries a candidate, preceded by variants in which a number that equals one of the previous `counts` is
    /// lowered by the number of deleted parts.
    fn attempt_with_counts(&mut self, left: Vec<u8>, counts: &[usize], gone: usize) -> Result<bool, ShrinkStopped> {
        let is_count = |number: i128| counts.iter().any(|c| *c as i128 == number);
        let found =
            find_numbers(&left).into_iter().filter(|(_, _, number)| is_count(*number) && *number >= gone as i128);
        let lowered = found.take(MAX_LOWERED_COUNTS).map(Some).chain([None]);
        self.attempt_each(lowered, |_, lowered| match lowered {
            Some((start, end, number)) => {
                [&left[..start], (number - gone as i128).to_string().as_bytes(), &left[end..]].concat()
            }
            None => left.clone(),
        })
    }

    /// Deletes tokens of each line, with the whitespace around them.
    fn delete_tokens(&mut self) -> Result<(), ShrinkStopped> {
        let mut line = 0;
        while let Some(text) = self.best.split_inclusive(|b| *b == b'\n').nth(line).map(<[u8]>::to_vec) {
            self.check_stop()?;
            let tokens = text.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()).count();
            ddmin_elements(if tokens > 1 { tokens } else { 0 }, &mut |gone| {
                let candidate = self.replace_line(line, |text| {
                    let kept = text.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()).enumerate();
                    let kept: Vec<&[u8]> =
                        kept.filter(|(i, _)| gone.binary_search(i).is_err()).map(|(_, t)| t).collect();
                    let mut joined = kept.join(&b' ');
                    joined.extend(text.ends_with(b"\n").then_some(b'\n'));
                    joined
                });
                let nth = self.best.split_inclusive(|b| *b == b'\n').nth(line).unwrap_or_default();
                let count = nth.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()).count();
                self.attempt_with_counts(candidate, &[count, count - 1], gone.len())
            })?;
            line += 1;
        }
        Ok(())
    }

    fn replace_line(&self, line: usize, change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        self.best
            .split_inclusive(|b| *b == b'\n')
            .enumerate()
            .flat_map(|(i, text)| if i == line { change(text) } else { text.to_vec() })
            .collect()
    }

    /// Moves each number towards zero: to the nearest few values, and by bisection.
    fn lower_numbers(&mut self) -> Result<(), ShrinkStopped> {
        let mut nth = 0;
        while let Some((start, end, number)) = find_numbers(&self.best).into_iter().nth(nth) {
            let steps = std::iter::successors(Some(number / 2), |n| Some(number - (number - n) / 2).filter(|m| m != n));
            let targets = [0, 1, 2, 3].into_iter().chain(steps.take(40)).chain([number - number.signum()]);
            let replaced =
                |best: &[u8], target: i128| [&best[..start], target.to_string().as_bytes(), &best[end..]].concat();
            if !self.attempt_each(targets, replaced)? {
                nth += 1;
            }
        }
        Ok(())
    }
}

/// Returns the start, the end and the value of each number in a text.
fn find_numbers(text: &[u8]) -> Vec<(usize, usize, i128)> {
    let mut at = 0;
    let tokens = text.split(u8::is_ascii_whitespace).filter_map(|token| {
        let start = at;
        at += token.len() + 1;
        let number = std::str::from_utf8(token).ok()?.parse::<i128>().ok()?;
        Some((start, start + token.len(), number))
    });
    tokens.collect()
}
