//! Inputs without a format: lines and tokens.
//!
//! Nothing is known of their form; a validator, if there is one, says what is still an input. Lines go first, then tokens,
//! then numbers move towards zero. The one thing kept in step is a guess: a number that equals how many lines or tokens
//! there were is lowered by as many as are left out.

use super::search::{BATCH_BYTES, Oracle, Shrunk, Stopped, fingerprint};
use super::sweep::sweep;
use std::collections::HashSet;

/// Shrinks the bytes of a failing input. The order is by length, then by the bytes themselves.
pub fn shrink_text(input: Vec<u8>, oracle: &mut dyn Oracle<Vec<u8>>) -> Shrunk<Vec<u8>> {
    let mut search = TextSearch { best: input, oracle, seen: HashSet::new(), steps: 0, tried: 0 };
    let complete = search.fixpoint().is_ok();
    Shrunk { value: search.best, steps: search.steps, tried: search.tried, complete }
}

struct TextSearch<'o> {
    best: Vec<u8>,
    oracle: &'o mut dyn Oracle<Vec<u8>>,
    /// Fingerprints of the texts that were asked about.
    seen: HashSet<u128>,
    steps: usize,
    tried: usize,
}

impl TextSearch<'_> {
    fn fixpoint(&mut self) -> Result<(), Stopped> {
        loop {
            let before = self.steps;
            self.pieces(b'\n')?;
            self.tokens()?;
            self.numbers()?;
            if self.steps == before {
                return Ok(());
            }
        }
    }

    /// Tries the candidates that moves lead to, in order of preference, and takes the first that fails; whether there was
    /// one. `make` builds one from the best so far, when its turn comes.
    fn attempt_each<M>(
        &mut self,
        moves: impl IntoIterator<Item = M>,
        make: impl Fn(&[u8], M) -> Vec<u8>,
    ) -> Result<bool, Stopped> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for step in moves {
            self.check_time()?;
            let candidate = make(&self.best, step);
            let is_smaller = (candidate.len(), &candidate) < (self.best.len(), &self.best);
            if is_smaller && self.seen.insert(fingerprint(&candidate)) {
                bytes += candidate.len();
                batch.push(candidate);
            }
            if bytes >= BATCH_BYTES {
                if self.take_first_failing(&mut batch)? {
                    return Ok(true);
                }
                bytes = 0;
            }
        }
        self.take_first_failing(&mut batch)
    }

    fn check_time(&self) -> Result<(), Stopped> {
        if self.oracle.is_over() { Err(Stopped) } else { Ok(()) }
    }

    /// Takes the first of a batch that fails, if one does; the batch is empty then.
    fn take_first_failing(&mut self, batch: &mut Vec<Vec<u8>>) -> Result<bool, Stopped> {
        if batch.is_empty() {
            return Ok(false);
        }
        let found = self.oracle.first_failing(batch)?.filter(|i| *i < batch.len());
        self.tried += found.map_or(batch.len(), |i| i + 1);
        for unasked in found.into_iter().flat_map(|found| &batch[found + 1..]) {
            self.seen.remove(&fingerprint(unasked));
        }
        let taken = found.map(|found| batch.swap_remove(found));
        batch.clear();
        self.steps += usize::from(taken.is_some());
        Ok(taken.map(|taken| self.best = taken).is_some())
    }

    /// Leaves out lines; each keeps its newline.
    fn pieces(&mut self, separator: u8) -> Result<(), Stopped> {
        let count = self.best.split_inclusive(|b| *b == separator).count();
        sweep(count, &mut |gone| {
            let left: Vec<u8> = self
                .best
                .split_inclusive(|b| *b == separator)
                .enumerate()
                .filter(|(i, _)| gone.binary_search(i).is_err())
                .flat_map(|(_, line)| line.to_vec())
                .collect();
            let count = self.best.split_inclusive(|b| *b == separator).count();
            self.attempt_with_counts(left, &[count, count - 1], gone.len())
        })?;
        Ok(())
    }

    /// Tries a candidate; and, since what was left out is often counted somewhere, the same with a number lowered that
    /// was one of the counts before.
    fn attempt_with_counts(&mut self, left: Vec<u8>, counts: &[usize], gone: usize) -> Result<bool, Stopped> {
        /// So many numbers that may be the count are tried.
        const MOST: usize = 3;
        let is_count = |number: i128| counts.iter().any(|c| *c as i128 == number);
        let found = numbers(&left).into_iter().filter(|(_, _, number)| is_count(*number) && *number >= gone as i128);
        let lowered = found.take(MOST).map(Some).chain([None]);
        self.attempt_each(lowered, |_, lowered| match lowered {
            Some((start, end, number)) => {
                [&left[..start], (number - gone as i128).to_string().as_bytes(), &left[end..]].concat()
            }
            None => left.clone(),
        })
    }

    /// Leaves out tokens of each line, with the space before or after them.
    fn tokens(&mut self) -> Result<(), Stopped> {
        let mut line = 0;
        while let Some(text) = self.best.split_inclusive(|b| *b == b'\n').nth(line).map(<[u8]>::to_vec) {
            self.check_time()?;
            let tokens = text.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty()).count();
            sweep(if tokens > 1 { tokens } else { 0 }, &mut |gone| {
                let candidate = self.with_line(line, |text| {
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

    fn with_line(&self, line: usize, change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        self.best
            .split_inclusive(|b| *b == b'\n')
            .enumerate()
            .flat_map(|(i, text)| if i == line { change(text) } else { text.to_vec() })
            .collect()
    }

    /// Moves each number towards zero, by the nearest few and by halving.
    fn numbers(&mut self) -> Result<(), Stopped> {
        let mut nth = 0;
        while let Some((start, end, number)) = numbers(&self.best).into_iter().nth(nth) {
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

/// Where the numbers of a text stand, and what they are.
fn numbers(text: &[u8]) -> Vec<(usize, usize, i128)> {
    let mut at = 0;
    let tokens = text.split(u8::is_ascii_whitespace).filter_map(|token| {
        let start = at;
        at += token.len() + 1;
        let number = std::str::from_utf8(token).ok()?.parse::<i128>().ok()?;
        Some((start, start + token.len(), number))
    });
    tokens.collect()
}
