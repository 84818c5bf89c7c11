//! The predicate of shrinking: does this input fail in the same way?

use super::bench::{Answer, Bench, Trial};
use super::inputs::Inputs;
use super::together::Together;
use crate::diagnostic::Result;
use crate::judge::{FailureKind, same_failure};
use crate::run::Program;
use crate::shrink::{Oracle, Stopped};
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
    /// The reference gave no answer.
    TooSlow,
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

    /// What happens on an input, whatever is sought.
    pub(super) fn any_failure(&self, input: &[u8]) -> Result<Seen> {
        look(self.bench, &self.target, None, input, self.tries)
    }

    /// What happens on each of a group of candidates, run side by side.
    pub(super) fn group(&self, candidates: &[C]) -> Vec<Result<Seen>> {
        if let [one] = candidates {
            return vec![self.see(one)];
        }
        std::thread::scope(|scope| {
            let handles: Vec<_> = candidates.iter().map(|c| scope.spawn(|| self.see(c))).collect();
            handles.into_iter().map(|h| h.join().unwrap_or(Ok(Seen::TooSlow))).collect()
        })
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

/// What happens on an input in `tries` runs, or until one fails in the way that is sought.
fn look(bench: &Bench, target: &Target, kind: Option<FailureKind>, input: &[u8], tries: u32) -> Result<Seen> {
    let mut seen = Seen::Passes;
    for _ in 0..tries.max(1) {
        let (answer, trial) = match (bench.answer(input)?, target) {
            (Answer::TooSlow, _) => return Ok(Seen::TooSlow),
            (Answer::Failed(outcome), Target::Reference) => (Vec::new(), Bench::reference_failure(outcome)),
            (Answer::Known(answer), Target::Submission(program)) => {
                let trial = bench.trial(program, input, &answer)?;
                (answer, trial)
            }
            _ => continue,
        };
        let wanted = match kind {
            Some(kind) => same_failure(kind, trial.kind),
            None => trial.verdict.is_rejection() || matches!(target, Target::Reference),
        };
        if wanted {
            return Ok(Seen::Fails(Box::new(Failure { input: input.to_vec(), answer, trial })));
        }
        if trial.verdict.is_rejection() {
            seen = Seen::FailsOtherwise;
        }
    }
    Ok(seen)
}

impl<C: Sync> Oracle<C> for Prober<'_, '_, C> {
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
            self.together.first_failing(&self.question, candidates, &self.best.input).map_err(|_| Stopped)?
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

impl<C: Sync> Prober<'_, '_, C> {
    /// The first of some candidates that fails, as many at a time as there are workers.
    fn side_by_side(&mut self, candidates: &[C]) -> std::result::Result<Option<(usize, Box<Failure>)>, Stopped> {
        let mut start = 0;
        for group in candidates.chunks(self.jobs.max(1)) {
            if self.is_over() {
                return Err(Stopped);
            }
            self.tried += group.len();
            for (i, result) in self.question.group(group).into_iter().enumerate() {
                if let Seen::Fails(failure) = result.map_err(|_| Stopped)? {
                    return Ok(Some((start + i, failure)));
                }
            }
            start += group.len();
        }
        Ok(None)
    }
}
