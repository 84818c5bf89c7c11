//! Runs a submission on a test case and judges it.
//!
//! For most problems, a built-in checker compares the output with the answer. Others have a judge program, which
//! judges outputs, converses with the submission, or requests several passes. A finder judges several programs by an
//! expression about their runs. [`Judge`] is one of these.

mod finder;
mod interactive;
mod judge_program;
mod multi_pass;
mod working_files;

pub use finder::{Finder, FinderExpression};
pub use judge_program::JudgeProgram;
pub use working_files::JudgeMode;

use super::run_engine::RunEngine;
use super::run_result::{RunResult, judge_finished_run};
use crate::event::JudgeKind;
use rebut_checkers::{Checker, ExitCodeConvention, Judgement};
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{CancelToken, Program, RunFiles, RunJob, RunLimits, RunOutcome};
use std::ffi::OsString;
use std::sync::Arc;

/// The judge of a test case, with its arguments.
#[derive(Clone)]
pub enum Judge {
    /// A built-in checker that compares the output with the answer.
    Checker(Checker),
    /// A judge program.
    Program(Arc<JudgeProgram>),
    /// An expression about several programs. The submission itself is not run.
    Finder(Arc<Finder>),
}

/// A run to judge.
#[derive(Clone, Copy)]
pub struct JudgeRequest<'a> {
    /// The input.
    pub input: &'a [u8],
    /// The correct answer.
    pub answer: &'a [u8],
    /// Arguments of the submission.
    pub arguments: &'a [OsString],
    /// Files in the working folder of the submission.
    pub files: Option<&'a RunFiles>,
    /// Limits on the submission.
    pub limits: &'a RunLimits,
    /// How the submission is started, unless it talks to the judge, and the judge.
    pub engine: RunEngine,
    /// The outcome of the submission if it was run already.
    pub ran: Option<&'a RunOutcome>,
    /// Cancels the run.
    pub cancel: &'a CancelToken,
}

impl<'a> JudgeRequest<'a> {
    /// Returns the request to run a submission without arguments and files, each program in a new process.
    pub fn new(input: &'a [u8], answer: &'a [u8], limits: &'a RunLimits, cancel: &'a CancelToken) -> JudgeRequest<'a> {
        let engine = RunEngine::Exec;
        JudgeRequest { input, answer, arguments: &[], files: None, limits, engine, ran: None, cancel }
    }

    /// Runs a submission that does not talk to the judge.
    fn run_submission(&self, submission: &Program) -> Result<RunOutcome> {
        if let Some(ran) = self.ran {
            return Ok(ran.clone());
        }
        let JudgeRequest { input, arguments: args, files, limits, .. } = *self;
        self.engine.run_program(submission, &RunJob { input, args, limits, files }, self.cancel)
    }
}

impl Judge {
    /// Returns the name shown in messages: that of the checker with its options, or that of the program.
    pub fn checker_name(&self) -> String {
        match self {
            Judge::Checker(checker) => checker.name(),
            Judge::Program(program) => program.checker_name(),
            Judge::Finder(finder) => finder.judge.checker_name(),
        }
    }

    /// Returns the kind of judge.
    pub fn judge_kind(&self) -> JudgeKind {
        match self {
            Judge::Checker(_) => JudgeKind::Comparison,
            Judge::Program(_) if self.holds_conversation() => JudgeKind::Conversation,
            Judge::Program(_) => JudgeKind::Program,
            Judge::Finder(_) => JudgeKind::Expression,
        }
    }

    /// Returns true if it converses with submissions.
    pub fn holds_conversation(&self) -> bool {
        match self {
            Judge::Checker(_) => false,
            Judge::Program(program) => program.mode == JudgeMode::Interactor,
            Judge::Finder(finder) => finder.judge.holds_conversation(),
        }
    }

    /// Returns true if a reference cannot print the answer, because the judge converses with submissions or makes the
    /// inputs of further passes.
    pub fn needs_no_answer(&self) -> bool {
        match self {
            Judge::Checker(_) => false,
            Judge::Program(program) => self.holds_conversation() || program.max_passes > 1,
            Judge::Finder(finder) => finder.judge.needs_no_answer(),
        }
    }

    /// Returns the name of the checker, or the file name of the program.
    pub fn display_title(&self) -> String {
        match self {
            Judge::Checker(checker) => checker.name(),
            Judge::Program(program) => program.file_title(),
            Judge::Finder(finder) => finder.judge.display_title(),
        }
    }

    /// Describes how a judge program is called, which authors of a program that refuses everything may not know.
    pub(crate) fn describe_convention(&self) -> Option<String> {
        let Judge::Program(program) = self else { return None };
        let convention = match program.convention {
            ExitCodeConvention::Kattis => {
                "it takes the files of the input and the answer as arguments, and the output as its standard input"
            }
            ExitCodeConvention::Testlib => "it takes the files of the input, the output and the answer as arguments",
        };
        Some(convention.to_owned())
    }

    /// Returns the judge program, or `None` for a built-in checker.
    pub fn judge_program(&self) -> Option<&Program> {
        match self {
            Judge::Checker(_) | Judge::Finder(_) => None,
            Judge::Program(program) => Some(&program.program),
        }
    }

    /// Returns a string that identifies how it judges, for cache keys. Returns `None` if its behavior is unknown.
    pub fn cache_identity(&self) -> Option<String> {
        match self {
            Judge::Checker(checker) => Some(checker.name()),
            Judge::Program(program) => program.cache_identity(),
            Judge::Finder(_) => None,
        }
    }

    /// Judges an output, regardless of the program that printed it. An interactor accepts every output, and of several
    /// passes only the first is judged.
    ///
    /// # Errors
    /// Returns an error if the judge program cannot be started, or if the work was cancelled.
    pub fn judge_output(&self, input: &[u8], answer: &[u8], output: &[u8], cancel: &CancelToken) -> Result<Judgement> {
        Ok(self.judge_with_score(input, answer, output, (RunEngine::Exec, cancel))?.0)
    }

    /// Judges an output in this way. Also returns whether the judge program gave a score.
    ///
    /// # Errors
    /// See [`judge_output`](Judge::judge_output).
    pub(crate) fn judge_with_score(
        &self,
        input: &[u8],
        answer: &[u8],
        output: &[u8],
        how: (RunEngine, &CancelToken),
    ) -> Result<(Judgement, bool)> {
        match self {
            Judge::Checker(checker) => Ok((checker.check(input, answer, output), false)),
            Judge::Program(program) if !self.holds_conversation() => {
                let response = program.check_output(input, answer, output, &[], how)?;
                let gives_score = response.feedback_score(Verdict::Accepted).score.is_some();
                Ok((response.judgement, gives_score))
            }
            Judge::Program(_) | Judge::Finder(_) => Ok((Judgement::Accepted, false)),
        }
    }

    /// Runs a submission with the fastest engine, and judges it. If it is rejected there, it is run again in a new process,
    /// and that result is returned.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(crate) fn run_and_confirm(&self, submission: &Program, request: &JudgeRequest<'_>) -> Result<RunResult> {
        let ran = self.run_and_judge(submission, request)?;
        if request.engine == RunEngine::Exec || !ran.verdict.is_rejection() {
            return Ok(ran);
        }
        self.run_and_judge(submission, &JudgeRequest { engine: RunEngine::Exec, ran: None, ..*request })
    }

    /// Runs a submission and judges it.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn run_and_judge(&self, submission: &Program, request: &JudgeRequest<'_>) -> Result<RunResult> {
        let JudgeRequest { input, answer, .. } = *request;
        match self {
            Judge::Checker(checker) => {
                let outcome = request.run_submission(submission)?;
                Ok(judge_finished_run(outcome, |outcome| checker.check(input, answer, &outcome.output)))
            }
            Judge::Program(program) => multi_pass::run_all_passes(program, submission, request),
            Judge::Finder(finder) => finder.judge_input(submission, request),
        }
    }
}
