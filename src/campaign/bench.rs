//! One input, one reference, one submission: what comes of it.

use super::event::JudgedBy;
use super::referee::{Referee, Sitting};
use crate::diagnostic::{Error, Result};
use crate::judge::{FailureKind, judge, judge_outcome};
use crate::run::{Cancel, Exit, Held, Job, LimitHit, Limits, Luggage, Outcome, Program};
use crate::score::Given;
use crate::verdict::Verdict;
use rebut_checkers::{Judgement, Mismatch};
use std::ffi::OsString;

/// How programs are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// A process of its own for each run: the engine of record.
    #[default]
    Exec,
    /// The fastest that there is for each program. What it finds is confirmed by [`Engine::Exec`].
    Quick,
}

/// The jury's side of every comparison.
#[derive(Clone)]
pub struct Bench {
    /// How programs are run.
    pub engine: Engine,
    /// Whose outputs are the answers.
    pub reference: Program,
    /// Who judges outputs.
    pub referee: Referee,
    /// Limits on submissions.
    pub limits: Limits,
    /// Limits on the reference and on validators: generous, since a brute force is allowed to be slow.
    pub jury_limits: Limits,
    /// Stops whatever runs.
    pub cancel: Cancel,
}

/// What the reference says of an input.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Its output.
    Known(Vec<u8>),
    /// It needs longer than the jury's limits: nothing can be said about this input.
    TooSlow,
    /// It crashed, or broke another limit: a failure of the jury's own side.
    Failed(Outcome),
}

/// A submission's run on an input.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What it got.
    pub verdict: Verdict,
    /// What must stay the same while the input shrinks.
    pub kind: FailureKind,
    /// How the process ended, with its output.
    pub outcome: Outcome,
    /// Where and how the output departs from the answer.
    pub mismatch: Option<Mismatch>,
    /// Why the checker could not judge.
    pub checker_failure: Option<String>,
    /// What the jury's program said of the points.
    pub given: Given,
}

impl Bench {
    /// The answer to an input.
    ///
    /// # Errors
    /// If the program cannot be run at all, or was interrupted.
    pub fn answer(&self, input: &[u8]) -> Result<Answer> {
        Ok(self.answer_timed(input)?.0)
    }

    /// The same, and the processor time that it took, in microseconds.
    ///
    /// # Errors
    /// As [`answer`](Bench::answer).
    pub fn answer_timed(&self, input: &[u8]) -> Result<(Answer, u64)> {
        if self.referee.kind() == JudgedBy::Conversation {
            // The interactor knows what is right: there is no answer that a reference could print.
            return Ok((Answer::Known(Vec::new()), 0));
        }
        Ok(answered(self.run(&self.reference, input, &self.jury_limits)?))
    }

    /// The answers to the first of several inputs, and the processor time that each took, in microseconds. Where one by one
    /// is the better way there are fewer, or none.
    ///
    /// # Errors
    /// As [`answer`](Bench::answer).
    pub(super) fn answers(&self, inputs: &[&Held]) -> Result<Vec<(Answer, u64)>> {
        let outcomes = self.reference.run_several(inputs, &self.jury_limits, &self.cancel)?;
        Ok(outcomes.into_iter().map(answered).collect())
    }

    /// What a submission does on the first of several inputs, as few as with [`answers`](Bench::answers).
    ///
    /// # Errors
    /// As [`trial`](Bench::trial).
    pub(super) fn outcomes(&self, submission: &Program, inputs: &[&Held]) -> Result<Vec<Outcome>> {
        submission.run_several(inputs, &self.limits, &self.cancel)
    }

    /// Runs a submission and judges what it did.
    ///
    /// # Errors
    /// If the program cannot be run at all, or was interrupted.
    pub fn trial(&self, submission: &Program, input: &[u8], answer: &[u8]) -> Result<Trial> {
        self.trial_noting(submission, None, (input, answer), &mut || ())
    }

    /// The same where it may have run already; and says when it has ended, where that is known before the judgement is.
    ///
    /// # Errors
    /// As [`trial`](Bench::trial).
    pub(super) fn trial_noting(
        &self,
        submission: &Program,
        ran: Option<Outcome>,
        (input, answer): (&[u8], &[u8]),
        ended: &mut dyn FnMut(),
    ) -> Result<Trial> {
        if let Referee::Checker(checker) = &self.referee {
            let outcome = ran.map_or_else(|| self.run(submission, input, &self.limits), Ok)?;
            ended();
            return Ok(judged(outcome, |outcome| checker.check(input, answer, &outcome.output)));
        }
        let sitting = Sitting { input, answer, arguments: &[], limits: &self.limits, cancel: &self.cancel };
        self.referee.trial(submission, &sitting)
    }

    /// What is to be said of an output, whoever printed it.
    ///
    /// # Errors
    /// If a program of the jury cannot be run at all, or was interrupted.
    pub fn judgement(&self, input: &[u8], answer: &[u8], output: &[u8]) -> Result<Judgement> {
        self.referee.judgement(input, answer, output, &self.cancel)
    }

    /// One run of a program, by the engine.
    ///
    /// # Errors
    /// As [`answer`](Bench::answer).
    fn run(&self, program: &Program, input: &[u8], limits: &Limits) -> Result<Outcome> {
        match self.engine {
            Engine::Exec => program.run(input, &[], limits, &self.cancel),
            Engine::Quick => program.run_quickly(input, &[], limits, &self.cancel),
        }
    }

    /// The same jury with another engine.
    pub fn with(&self, engine: Engine) -> Bench {
        Bench { engine, ..self.clone() }
    }

    /// The same where a submission is too slow only beyond what its time varies by.
    pub fn with_slack(self) -> Bench {
        Bench { limits: self.limits.stretched(), ..self }
    }

    /// A failed run of the reference as a trial of its own.
    pub fn reference_failure(outcome: Outcome) -> Trial {
        let cause = judge_outcome(&outcome).unwrap_or(Verdict::RuntimeError);
        let kind = FailureKind::new(cause, &outcome);
        let (verdict, given) = (Verdict::JudgeError, Given::default());
        Trial { verdict, kind, outcome, mismatch: None, checker_failure: None, given }
    }
}

/// What a run of the reference says, and the processor time that it took.
fn answered(outcome: Outcome) -> (Answer, u64) {
    let cpu_time_us = outcome.cpu_time_us;
    let answer = match outcome.limit {
        Some(LimitHit::CpuTime | LimitHit::WallTime) => Answer::TooSlow,
        None if outcome.is_success() => Answer::Known(outcome.output),
        _ => Answer::Failed(outcome),
    };
    (answer, cpu_time_us)
}

/// The trial that a finished run amounts to, if `check` judges an output that is worth it.
pub(super) fn judged(outcome: Outcome, check: impl FnOnce(&Outcome) -> Judgement) -> Trial {
    let (verdict, judgement) = judge(&outcome, || check(&outcome));
    let (mismatch, checker_failure) = match judgement {
        Some(Judgement::Wrong(mismatch)) => (Some(mismatch), None),
        Some(Judgement::Failed(why)) => (None, Some(why)),
        Some(Judgement::Accepted) | None => (None, None),
    };
    let kind = FailureKind::new(verdict, &outcome);
    Trial { verdict, kind, outcome, mismatch, checker_failure, given: Given::default() }
}

/// How a validator says what it thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Exit status 42 accepts, 43 refuses, anything else is a failure of the validator.
    Icpc,
    /// As `Icpc`; and 0 accepts and 1 to 3 refuse, as testlib's validators and plain scripts do.
    Plain,
}

/// A program that judges inputs.
#[derive(Clone)]
pub struct Validator {
    /// The program.
    pub program: Program,
    /// How it says what it thinks.
    pub convention: Convention,
    /// What decides how it behaves; none if nobody knows.
    pub identity: Option<String>,
}

impl Validator {
    /// Whether it accepts an input; if not, what it wrote about it.
    ///
    /// # Errors
    /// If it cannot be run, crashes, exceeds its limits, or exits with a status that means nothing.
    pub fn refuses(&self, input: &[u8], limits: &Limits, cancel: &Cancel) -> Result<Option<String>> {
        self.refuses_with(input, &[], limits, cancel)
    }

    /// The same with arguments: test groups may have their own.
    ///
    /// # Errors
    /// As [`refuses`](Validator::refuses).
    pub fn refuses_with(
        &self,
        input: &[u8],
        arguments: &[OsString],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Option<String>> {
        self.refuses_timed(input, arguments, limits, cancel).map(|(refusal, _)| refusal)
    }

    /// The same, and how much processor time it took, in microseconds.
    pub(super) fn refuses_timed(
        &self,
        input: &[u8],
        arguments: &[OsString],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<(Option<String>, u64)> {
        let outcome = self.program.run_quickly(input, arguments, limits, cancel)?;
        Ok((self.opinion(&outcome, "an input")?, outcome.cpu_time_us))
    }

    /// Whether it accepts an answer, which it reads, while the input is named by its first argument.
    ///
    /// # Errors
    /// As [`refuses`](Validator::refuses).
    pub fn refuses_answer(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Option<String>> {
        const INPUT: &str = "input.in";
        let luggage = Luggage::new().with_file(INPUT, input)?;
        let words: Vec<OsString> = std::iter::once(Luggage::place(INPUT)).chain(arguments.iter().cloned()).collect();
        let job = Job { input: answer, args: &words, limits, luggage: Some(&luggage) };
        self.opinion(&self.program.run_job(&job, cancel)?, "an answer")
    }

    /// What an ended run of it means.
    fn opinion(&self, outcome: &Outcome, of: &str) -> Result<Option<String>> {
        let said = || {
            let both = [outcome.stderr.as_slice(), outcome.output.as_slice()].concat();
            String::from_utf8_lossy(&both).trim().to_owned()
        };
        match (outcome.limit, outcome.exit, self.convention) {
            (None, Exit::Code(42), _) | (None, Exit::Code(0), Convention::Plain) => Ok(None),
            (None, Exit::Code(43), _) | (None, Exit::Code(1..=3), Convention::Plain) => Ok(Some(said())),
            _ => Err(Error::judge(format!(
                "the validator `{}` {} instead of accepting or refusing {of}",
                self.program.display_name(),
                outcome_words(outcome)
            ))
            .with_note(said())
            .with_help("a validator exits with 42 to accept and 43 to refuse")),
        }
    }
}

/// How a process ended, as the end of a sentence: `exited with status 1`.
pub(super) fn outcome_words(outcome: &Outcome) -> String {
    match (outcome.limit, outcome.exit) {
        (Some(LimitHit::CpuTime), _) if outcome.is_close() => format!(
            "used {:.2} s of processor time in the shortest of several runs, just over its limit: too close to be \
             certain, another machine may say otherwise",
            outcome.cpu_time_us as f64 / 1e6
        ),
        (Some(LimitHit::CpuTime), _) => "used more processor time than its limit".to_owned(),
        (Some(LimitHit::WallTime), _) if outcome.is_idle() => {
            "did nothing until its time was over (idle: asleep, or waiting for input that never comes)".to_owned()
        }
        (Some(LimitHit::WallTime), _) => "did not end in time".to_owned(),
        (Some(LimitHit::Memory), _) => "used more memory than its limit".to_owned(),
        (Some(LimitHit::Output), _) => "wrote more than the output limit".to_owned(),
        (None, Exit::Code(code)) => format!("exited with status {code}"),
        (None, Exit::Signal(signal)) => {
            format!("was killed by {} ({})", crate::run::signal_name(signal), crate::run::signal_words(signal))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_close_to_the_limit_is_said_to_be() {
        let words = |exit: Exit, limit: Option<LimitHit>| {
            let (cpu_time_us, wall_time_us, memory_peak_bytes) = (2_100_000, 2_200_000, 0);
            let (output, stderr, files) = Default::default();
            outcome_words(&Outcome { exit, limit, cpu_time_us, wall_time_us, memory_peak_bytes, output, stderr, files })
        };
        assert!(
            words(Exit::Code(0), Some(LimitHit::CpuTime)).starts_with("used 2.10 s of processor time in the shortest")
        );
        assert_eq!(words(Exit::Signal(9), Some(LimitHit::CpuTime)), "used more processor time than its limit");
        assert_eq!(words(Exit::Code(3), None), "exited with status 3");
    }
}
