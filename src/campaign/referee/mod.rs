//! Who has a submission run on a test case, and says whether it is right.

use super::bench::{Trial, judged};
use crate::diagnostic::Result;
use crate::run::{Cancel, Limits, Program};
use rebut_checkers::Checker;
use std::ffi::OsString;

/// What judges the runs on a test case, arguments included.
#[derive(Clone)]
pub enum Referee {
    /// A comparison of the output with the answer, in process.
    Checker(Checker),
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
    /// What messages and keys call it: the checker's name with its options.
    pub fn name(&self) -> String {
        match self {
            Referee::Checker(checker) => checker.name(),
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
        }
    }
}
