//! The predicate of shrinking: does this input fail in the same way?

use super::ahead::{Ahead, Runs, run_ahead};
use super::bench::{Answer, Bench, Trial};
use super::inputs::{Inputs, Made};
use super::parallel::run_in_parallel;
use super::tally::Clock;
use super::together::Together;
use crate::diagnostic::Result;
use crate::judge::{FailureKind, same_failure};
use crate::run::Program;
use crate::shrink::{Oracle, Stopped};
use crate::verdict::Verdict;
use std::time::Instant;

/// Whose failure is sought.
#[derive(Clone)]
pub(super) enum Target {
    /// A submission's.
    Submission(Program),
    /// The reference's own.
    Reference,
}

/// An input that fails, with all that was seen.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) input: Vec<u8>,
    pub(super) answer: Vec<u8>,
    pub(super) trial: Trial,
}

/// The question that is asked of each candidate; it can be asked from several threads.
#[derive(Clone)]
pub(super) struct Question<'a, 'i, C> {
    pub(super) bench: &'a Bench,
    pub(super) inputs: &'a Inputs<'i>,
    pub(super) target: Target,
    /// The failure must be of this kind; none if any failure will do.
    pub(super) kind: Option<FailureKind>,
    pub(super) print: &'a (dyn Fn(&C) -> Vec<u8> + Sync),
    /// A failure that comes and goes is given so many chances to come.
    pub(super) tries: u32,
}

/// Asks programs about candidates, several at a time.
pub(super) struct Prober<'a, 'i, C> {
    pub(super) question: Question<'a, 'i, C>,
    pub(super) jobs: usize,
    pub(super) together: Together<'a, C>,
    pub(super) deadline: Option<Instant>,
    /// The last candidate that failed: the search's best.
    pub(super) best: Failure,
    /// Told after each improvement.
    pub(super) improved: &'a mut dyn FnMut(&Failure, usize),
    pub(super) tried: usize,
}

/// What was seen of an input.
pub(super) enum Seen {
    /// A validator refuses it.
    Refused,
    /// Nothing fails.
    Passes,
    /// Nothing is known: the reference gave no answer, or the checker failed.
    Unanswered,
    /// It fails, but not in the way that is sought.
    FailsOtherwise,
    /// It fails in the way that is sought.
    Fails(Box<Failure>),
}

impl<C: Sync> Question<'_, '_, C> {
    /// What happens on a candidate.
    fn see(&self, candidate: &C) -> Result<Seen> {
        let input = (self.print)(candidate);
        if self.inputs.refusal(&input)?.is_some() {
            return Ok(Seen::Refused);
        }
        look(self.bench, &self.target, self.kind, &input, self.tries)
    }

    /// What happens on a candidate that the validators accept.
    pub(super) fn look(&self, candidate: &C) -> Result<Seen> {
        look(self.bench, &self.target, self.kind, &(self.print)(candidate), self.tries)
    }

    /// Returns what happens on a candidate, of which it may be known whether the validators accept it.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or the work was cancelled.
    pub(super) fn look_knowing(&self, candidate: &C, is_accepted: Option<bool>) -> Result<Seen> {
        match is_accepted {
            Some(false) => Ok(Seen::Refused),
            Some(true) => self.look(candidate),
            None => self.see(candidate),
        }
    }

    /// Returns what happens on each of the first of some candidates, which one request runs where the engine can do that.
    /// `is_accepted` is what is known of the validators' opinion. After the first candidate it stops when `is_over`.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or the work was cancelled.
    pub(super) fn look_at_batch(
        &self,
        candidates: &[C],
        is_accepted: &dyn Fn(usize) -> Option<bool>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Seen>> {
        let mut batch = Vec::new();
        for (at, candidate) in candidates.iter().enumerate() {
            if at > 0 && is_over() {
                break;
            }
            let input = (self.print)(candidate);
            let accepted = is_accepted(at).map_or_else(|| Ok(self.inputs.refusal(&input)?.is_none()), Ok)?;
            let made = accepted.then(|| Made { bytes: input, value: None, cases: 1, shape: String::new() });
            batch.push(Ahead::new(Ok(made), &Clock::start()));
        }
        let submission = match &self.target {
            Target::Submission(program) => Some(program),
            Target::Reference => None,
        };
        run_ahead(self.bench, batch.iter_mut().collect(), &[submission], is_over);
        let mut seen = Vec::new();
        for ahead in batch {
            let Some(made) = ahead.made? else {
                seen.push(Seen::Refused);
                continue;
            };
            if !seen.is_empty() && ahead.runs.answer.is_none() && is_over() {
                break;
            }
            seen.push(look_once(self.bench, &self.target, self.kind, &made.bytes, ahead.runs)?);
        }
        Ok(seen)
    }

    /// What happens on an input, whatever is sought.
    pub(super) fn any_failure(&self, input: &[u8]) -> Result<Seen> {
        look(self.bench, &self.target, None, input, self.tries)
    }

    /// Returns what happens on each of a group of candidates, which run at the same time.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or the work was cancelled.
    pub(super) fn look_at_group(&self, candidates: &[C]) -> Result<Vec<Seen>> {
        let count = candidates.len();
        run_in_parallel(count, count, |candidate| self.see(&candidates[candidate]), &mut |_| ())
    }
}

/// How an input fails, if it does in the way that is sought, in one of `tries` runs.
pub(super) fn fails(
    bench: &Bench,
    target: &Target,
    kind: Option<FailureKind>,
    input: &[u8],
    tries: u32,
) -> Result<Option<Failure>> {
    Ok(match look(bench, target, kind, input, tries)? {
        Seen::Fails(failure) => Some(*failure),
        _ => None,
    })
}

/// Whether an input was answered and nothing fails on it, in one run.
pub(super) fn passes(bench: &Bench, target: &Target, input: &[u8]) -> bool {
    matches!(look(bench, target, None, input, 1), Ok(Seen::Passes))
}

/// What happens on an input in `tries` runs, or until one fails in the way that is sought.
fn look(bench: &Bench, target: &Target, kind: Option<FailureKind>, input: &[u8], tries: u32) -> Result<Seen> {
    let mut seen = Seen::Passes;
    for _ in 0..tries.max(1) {
        match look_once(bench, target, kind, input, Runs::default())? {
            Seen::Passes | Seen::Refused => {}
            Seen::FailsOtherwise => seen = Seen::FailsOtherwise,
            decided @ (Seen::Unanswered | Seen::Fails(_)) => return Ok(decided),
        }
    }
    Ok(seen)
}

/// What happens on an input in one run, some of which may have been done already.
fn look_once(bench: &Bench, target: &Target, kind: Option<FailureKind>, input: &[u8], runs: Runs) -> Result<Seen> {
    let answer = runs.answer.map_or_else(|| bench.answer(input), |(answer, _)| Ok(answer))?;
    let (answer, trial) = match (answer, target) {
        (Answer::TooSlow, _) => return Ok(Seen::Unanswered),
        (Answer::Failed(outcome), Target::Reference) => (Vec::new(), Bench::reference_failure(outcome)),
        (Answer::Failed(_), Target::Submission(_)) => return Ok(Seen::Unanswered),
        (Answer::Known(_), Target::Reference) => return Ok(Seen::Passes),
        (Answer::Known(answer), Target::Submission(program)) => {
            let ran = runs.outcomes.into_iter().next().flatten();
            let trial = bench.trial_noting(program, ran, (input, &answer), &mut || ())?;
            (answer, trial)
        }
    };
    let wanted = match kind {
        Some(kind) => same_failure(kind, trial.kind),
        None => trial.verdict.is_rejection() || matches!(target, Target::Reference),
    };
    if wanted {
        return Ok(Seen::Fails(Box::new(Failure { input: input.to_vec(), answer, trial })));
    }
    Ok(match trial.verdict {
        Verdict::Accepted => Seen::Passes,
        // The checker failed: nothing is known of the output.
        Verdict::JudgeError => Seen::Unanswered,
        _ => Seen::FailsOtherwise,
    })
}

impl<C: Sync + Clone> Oracle<C> for Prober<'_, '_, C> {
    fn is_over(&self) -> bool {
        self.question.bench.cancel.cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    fn width(&self) -> usize {
        self.together.width().unwrap_or(self.jobs)
    }

    fn first_failing(&mut self, candidates: &[C]) -> std::result::Result<Option<usize>, Stopped> {
        // A program that cannot be run any more ends the search, which keeps its best.
        let found = if candidates.len() > 1 && self.together.width().is_some() {
            if self.is_over() {
                return Err(Stopped);
            }
            self.tried += candidates.len();
            let found = self.together.first_failing(&self.question, candidates, &self.best.input, self.jobs);
            found.map_err(|_| Stopped)?
        } else {
            self.side_by_side(candidates)?
        };
        let Some((at, failure)) = found else { return Ok(None) };
        self.best = *failure;
        self.together.renew(&self.best.input);
        (self.improved)(&self.best, self.tried);
        Ok(Some(at))
    }
}

impl<C: Sync + Clone> Prober<'_, '_, C> {
    /// The first of some candidates that fails, as many at a time as there are workers.
    fn side_by_side(&mut self, candidates: &[C]) -> std::result::Result<Option<(usize, Box<Failure>)>, Stopped> {
        let mut start = 0;
        for group in candidates.chunks(self.jobs.max(1)) {
            if self.is_over() {
                return Err(Stopped);
            }
            self.tried += group.len();
            let seen = self.question.look_at_group(group).map_err(|_| Stopped)?;
            for (i, seen) in seen.into_iter().enumerate() {
                if let Seen::Fails(failure) = seen {
                    return Ok(Some((start + i, failure)));
                }
            }
            start += group.len();
        }
        Ok(None)
    }
}
