//! Inputs without a format: lines and tokens.
//!
//! Nothing is known of their form; a validator, if there is one, says what is still an input. Lines go first, then tokens,
//! then numbers move towards zero. The one thing kept in step is a guess: a number that equals how many lines or tokens
//! there were is lowered by as many as are left out.

use super::search::{Oracle, Shrunk, Stopped};
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
    seen: HashSet<Vec<u8>>,
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

    fn attempt_any(&mut self, candidates: Vec<Vec<u8>>) -> Result<bool, Stopped> {
        let best = (self.best.len(), &self.best);
        let smaller: Vec<Vec<u8>> = candidates.into_iter().filter(|c| (c.len(), c) < best).collect();
        let mut fit: Vec<Vec<u8>> = Vec::new();
        for candidate in smaller {
            if self.seen.insert(candidate.clone()) {
                fit.push(candidate);
            }
        }
        if fit.is_empty() {
            return Ok(false);
        }
        let found = self.oracle.first_failing(&fit)?.filter(|i| *i < fit.len());
        self.tried += found.map_or(fit.len(), |i| i + 1);
        let Some(found) = found else { return Ok(false) };
        for unasked in &fit[found + 1..] {
            self.seen.remove(unasked);
        }
        self.best = fit.swap_remove(found);
        self.steps += 1;
        Ok(true)
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
        let lowered = found.take(MOST).map(|(start, end, number)| {
            [&left[..start], (number - gone as i128).to_string().as_bytes(), &left[end..]].concat()
        });
        let candidates = lowered.chain([left.clone()]).collect();
        self.attempt_any(candidates)
    }

    /// Leaves out tokens of each line, with the space before or after them.
    fn tokens(&mut self) -> Result<(), Stopped> {
        let mut line = 0;
        while let Some(text) = self.best.split_inclusive(|b| *b == b'\n').nth(line).map(<[u8]>::to_vec) {
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
            let candidates = targets
                .map(|target| {
                    let head = self.best[..start].iter();
                    head.chain(target.to_string().as_bytes()).chain(&self.best[end..]).copied().collect()
                })
                .collect();
            if !self.attempt_any(candidates)? {
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
