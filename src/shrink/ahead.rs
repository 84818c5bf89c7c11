//! Questions ahead of their answers.
//!
//! A program runs fifty candidates in one file about as fast as one, and two workers run two at a time; but a pass asks
//! one thing after the other, and what it asks next depends on the answer. Most answers are no, and a no changes nothing.
//! So where many have been no already, a pass is told no at once and goes on, until enough candidates are together to be
//! run. If all of them pass, it was told the truth. If one fails, what was said since is taken back: the pass is run
//! again from its beginning, with the answers that are known now, up to that one. So it asks the same questions and
//! takes the same candidates as one that waits for each answer, whatever number of them is run at a time.

use crate::value::{Measure, Value};
use std::collections::HashMap;

/// A pass that has been run, or is being run again.
struct Stretch {
    /// Its place among the passes.
    pass: usize,
    /// The best when it began.
    start: Best,
    /// Its answers so far, in order: what was taken, if anything.
    answers: Vec<Option<Value>>,
}

/// The best so far.
#[derive(Clone)]
pub(super) struct Best {
    pub(super) value: Value,
    pub(super) measure: Measure,
    /// How many times something smaller had been found.
    pub(super) steps: usize,
    /// The values of atoms that fail by a bound.
    pub(super) bounds: Bounds,
}

/// Where an atom is, and the nearest value that fails. It belongs to the best, since a pass that is run again finds out
/// again.
pub(super) type Bounds = HashMap<(Vec<usize>, usize), i128>;

/// A candidate whose answer is not known yet; its pass was told no.
struct Pending {
    candidate: Value,
    /// Its pass, and its question there.
    stretch: usize,
    question: usize,
}

/// What was asked ahead, and what is needed to take it back.
#[derive(Default)]
pub(super) struct Ahead {
    /// The passes since the earliest question without an answer; none while nothing is asked ahead.
    stretches: Vec<Stretch>,
    pending: Vec<Pending>,
    /// How many answers of the last pass have been given again, while it is run again.
    given: usize,
    /// The pass to go back to.
    back: Option<usize>,
    /// How many answers in a row were no.
    vain: usize,
}

/// Inputs of more elements are too dear to make again.
const ELEMENTS_UP_TO: usize = 4096;
/// So much may be made again when a pass is run again: questions times elements.
const WORK_UP_TO: usize = 1 << 21;
/// After so many answers in a row that were no, the next is expected to be no.
const VAIN: usize = 4;

impl Ahead {
    /// A pass begins, or begins again: then the best as it was is given back.
    pub(super) fn begin(&mut self, pass: usize, best: impl FnOnce() -> Best, useful: bool) -> Option<Best> {
        self.given = 0;
        if self.back.take().is_some() {
            return self.stretches.last().map(|s| s.start.clone());
        }
        if self.pending.is_empty() {
            self.stretches.clear();
        }
        let best = best();
        if !self.stretches.is_empty() || useful && best.measure.elements <= ELEMENTS_UP_TO {
            self.stretches.push(Stretch { pass, start: best, answers: Vec::new() });
        }
        None
    }

    /// Whether questions are remembered: only then can they be asked ahead.
    pub(super) fn is_on(&self) -> bool {
        !self.stretches.is_empty()
    }

    /// The answer to the next question, if it was given before: what was taken, if anything.
    pub(super) fn remembered(&mut self) -> Option<Option<Value>> {
        let answer = self.stretches.last()?.answers.get(self.given)?;
        self.given += 1;
        Some(answer.clone())
    }

    /// Remembers a question as answered with no, and its candidates as those to be asked about.
    pub(super) fn ask(&mut self, candidates: Vec<Value>) {
        let stretch = self.stretches.len().saturating_sub(1);
        let Some(last) = self.stretches.last_mut() else { return };
        let question = last.answers.len();
        last.answers.push(None);
        self.given = last.answers.len();
        self.pending.extend(candidates.into_iter().map(|candidate| Pending { candidate, stretch, question }));
    }

    /// Whether it is time for answers, where the oracle takes `width` candidates at a time.
    pub(super) fn is_due(&self, width: usize) -> bool {
        let far =
            self.stretches.iter().map(|s| s.answers.len().saturating_mul(s.start.measure.elements)).sum::<usize>();
        let wanted = if self.vain < VAIN || far > WORK_UP_TO { 1 } else { self.vain.min(width) };
        self.pending.len() >= wanted
    }

    /// The candidates without an answer, in the order of the questions.
    pub(super) fn candidates(&mut self) -> Vec<Value> {
        self.pending.iter_mut().map(|p| std::mem::replace(&mut p.candidate, Value::Int(0))).collect()
    }

    /// All of them pass: it was right to say no.
    pub(super) fn all_pass(&mut self) {
        self.vain += self.pending.len();
        self.pending.clear();
    }

    /// One of them fails. If that is an answer to the last question of a pass that still waits for it, true; else the
    /// passes have to go back to where it was asked.
    pub(super) fn one_fails(&mut self, at: usize, candidate: &Value, waiting: bool) -> bool {
        self.vain = 0;
        let Some(found) = self.pending.drain(..).nth(at) else { return false };
        let is_last = found.stretch + 1 == self.stretches.len();
        self.stretches.truncate(found.stretch + 1);
        let Some(stretch) = self.stretches.last_mut() else { return false };
        let in_time = waiting && is_last && found.question + 1 == stretch.answers.len();
        stretch.answers.truncate(found.question);
        stretch.answers.push(Some(candidate.clone()));
        self.given = stretch.answers.len();
        if !in_time {
            self.back = Some(stretch.pass);
        }
        in_time
    }

    /// The pass to go back to, if something was taken back.
    pub(super) fn back(&self) -> Option<usize> {
        self.back
    }
}
