//! Who has a submission run on a test case, and says whether it is right.
//!
//! Most problems have an answer that outputs are compared with, in process. Others have a program of the jury: one that
//! is asked about each output, one that speaks with the submission, or one that has the submission run several times.

mod interactive;
mod passes;
mod program;
mod spoken;

pub use program::{JuryProgram, Manner};

use super::bench::{Trial, judged};
use super::event::JudgedBy;
use crate::diagnostic::Result;
use crate::run::{Cancel, Limits, Program};
use rebut_checkers::{Checker, Judgement};
use std::ffi::OsString;
use std::sync::Arc;

/// What judges the runs on a test case, arguments included.
#[derive(Clone)]
pub enum Referee {
    /// A comparison of the output with the answer, in process.
    Checker(Checker),
    /// A program of the jury.
    Program(Arc<JuryProgram>),
}

/// One run to be judged.
#[derive(Clone, Copy)]
pub struct Sitting<'a> {
    /// The input.
    pub input: &'a [u8],
    /// The jury's answer.
    pub answer: &'a [u8],
    /// Arguments of the submission.
    pub arguments: &'a [OsString],
    /// What the submission may use.
    pub limits: &'a Limits,
    /// Stops the run.
    pub cancel: &'a Cancel,
}

impl Referee {
    /// What messages call it: the checker's name with its options, or the program's.
    pub fn name(&self) -> String {
        match self {
            Referee::Checker(checker) => checker.name(),
            Referee::Program(jury) => jury.name(),
        }
    }

    /// Who judges, as reports tell it.
    pub fn kind(&self) -> JudgedBy {
        match self {
            Referee::Checker(_) => JudgedBy::Comparison,
            Referee::Program(jury) if jury.manner == Manner::Interacts => JudgedBy::Conversation,
            Referee::Program(_) => JudgedBy::Program,
        }
    }

    /// Whether it needs no answer that a reference could print: it speaks with submissions, or makes the inputs of
    /// further passes.
    pub fn knows_what_is_right(&self) -> bool {
        match self {
            Referee::Checker(_) => false,
            Referee::Program(jury) => jury.manner == Manner::Interacts || jury.most_passes > 1,
        }
    }

    /// What people call it: the checker's name, or the program's without its place.
    pub fn title(&self) -> String {
        match self {
            Referee::Checker(checker) => checker.name(),
            Referee::Program(jury) => jury.title(),
        }
    }

    /// Returns the program of the jury. Returns None if outputs are compared in process.
    pub fn program(&self) -> Option<&Program> {
        match self {
            Referee::Checker(_) => None,
            Referee::Program(jury) => Some(&jury.program),
        }
    }

    /// What decides how it judges, as a word; none if nobody knows.
    pub fn identity(&self) -> Option<String> {
        match self {
            Referee::Checker(checker) => Some(checker.name()),
            Referee::Program(jury) => jury.identity(),
        }
    }

    /// What is to be said of an output, whoever printed it. Of a conversation there is nothing to be said after it, and of
    /// several passes only what is said of the first.
    ///
    /// # Errors
    /// If a program of the jury cannot be run at all, or the work was interrupted.
    pub fn judgement(&self, input: &[u8], answer: &[u8], output: &[u8], cancel: &Cancel) -> Result<Judgement> {
        match self {
            Referee::Checker(checker) => Ok(checker.check(input, answer, output)),
            Referee::Program(jury) if jury.manner == Manner::Interacts => Ok(Judgement::Accepted),
            Referee::Program(jury) => Ok(jury.check(input, answer, output, &[], cancel)?.judgement),
        }
    }

    /// Runs a submission by the engine of record and judges it.
    ///
    /// # Errors
    /// If a program cannot be run at all, or the work was interrupted.
    pub fn trial(&self, submission: &Program, sitting: &Sitting<'_>) -> Result<Trial> {
        let Sitting { input, answer, arguments, limits, cancel } = *sitting;
        match self {
            Referee::Checker(checker) => {
                let outcome = submission.run(input, arguments, limits, cancel)?;
                Ok(judged(outcome, |outcome| checker.check(input, answer, &outcome.output)))
            }
            Referee::Program(jury) => passes::trial(jury, submission, sitting),
        }
    }
}
