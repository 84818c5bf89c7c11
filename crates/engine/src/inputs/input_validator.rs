//! Programs that validate inputs and answers.

use crate::judge::describe_outcome;
use crate::tuning::MAX_BLAMED_CONSTRAINTS;
use rebut_diagnostics::{Error, Result, Span};
use rebut_format::generate::{GenerationError, NearMiss, find_near_miss};
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_sandbox::{CancelToken, ProcessExit, Program, RunFiles, RunJob, RunLimits, RunOutcome};
use std::ffi::OsString;

/// Exit code convention of a validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidatorConvention {
    /// 42 accepts, 43 refuses, anything else is a failure of the validator.
    Icpc,
    /// Same as `Icpc`, and also 0 accepts and 1 to 3 refuse, as in testlib's validators and plain scripts.
    Plain,
}

/// A program that validates inputs.
#[derive(Clone)]
pub struct InputValidator {
    /// The program.
    pub program: Program,
    /// Its exit code convention.
    pub convention: ValidatorConvention,
    /// Digest that identifies its behavior, if known.
    pub identity: Option<String>,
}

impl InputValidator {
    /// Returns `None` if the validator accepts an input, and otherwise its message.
    ///
    /// # Errors
    /// Returns an error if the validator cannot be started, crashes, exceeds its limits, or exits with an unknown
    /// status.
    pub fn check_input(&self, input: &[u8], limits: &RunLimits, cancel: &CancelToken) -> Result<Option<String>> {
        self.check_job(&RunJob::new(input, limits), cancel).map(|(refusal, _)| refusal)
    }

    /// Same with the arguments and files of a test case, also returning the processor time in microseconds.
    ///
    /// # Errors
    /// Same as [`check_input`](InputValidator::check_input).
    pub fn check_job(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<(Option<String>, u64)> {
        let outcome = self.program.run_job_fast(job, cancel)?;
        Ok((self.interpret_exit(&outcome, "an input")?, outcome.cpu_time_us))
    }

    /// Returns `None` if the validator accepts an answer, which it reads from stdin. Its first argument is the path of
    /// the input.
    ///
    /// # Errors
    /// Same as [`check_input`](InputValidator::check_input).
    pub fn check_answer(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        const INPUT: &str = "input.in";
        let files = RunFiles::new().with_file(INPUT, input)?;
        let words: Vec<OsString> =
            std::iter::once(RunFiles::path_argument(INPUT)).chain(arguments.iter().cloned()).collect();
        let job = RunJob { input: answer, args: &words, limits, files: Some(&files) };
        self.interpret_exit(&self.program.run_job(&job, cancel)?, "an answer")
    }

    /// Interprets the exit status of a finished run.
    fn interpret_exit(&self, outcome: &RunOutcome, subject: &str) -> Result<Option<String>> {
        let message = || {
            let both = [outcome.stderr.as_slice(), outcome.output.as_slice()].concat();
            String::from_utf8_lossy(&both).trim().to_owned()
        };
        match (outcome.limit, outcome.exit, self.convention) {
            (None, ProcessExit::Code(42), _) | (None, ProcessExit::Code(0), ValidatorConvention::Plain) => Ok(None),
            (None, ProcessExit::Code(43), _) | (None, ProcessExit::Code(1..=3), ValidatorConvention::Plain) => {
                Ok(Some(message()))
            }
            _ => Err(Error::judge_error(format!(
                "the validator `{}` {} instead of accepting or refusing {subject}",
                self.program.display_name(),
                describe_outcome(outcome)
            ))
            .with_note(message())
            .with_help("a validator exits with 42 to accept and 43 to refuse")),
        }
    }
}

// Answer validators: programs, and formats converted from checktestdata scripts.

/// Validates answers.
#[derive(Clone)]
pub enum AnswerValidator {
    /// A program that reads the answer and takes the path of the input as an argument.
    Program(InputValidator),
    /// A format, which does not depend on the input.
    Format {
        /// Name in messages.
        name: String,
        /// The format.
        format: Box<Format>,
    },
}

impl AnswerValidator {
    /// Returns the name in messages.
    pub fn display_name(&self) -> String {
        match self {
            AnswerValidator::Program(validator) => validator.program.file_name(),
            AnswerValidator::Format { name, .. } => name.clone(),
        }
    }

    /// Returns `None` if the validator accepts an answer, and otherwise its message.
    ///
    /// # Errors
    /// Returns an error if the validator cannot be started, crashes, exceeds its limits, or exits with an unknown
    /// status.
    pub fn check_answer(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        match self {
            AnswerValidator::Program(validator) => validator.check_answer((input, answer), arguments, limits, cancel),
            AnswerValidator::Format { format, .. } => {
                Ok(invalid::find_refusal(format, answer).map(|problem| problem.message))
            }
        }
    }
}

// Explains why no input of a format can be generated.

/// Returns the error for a format without generatable inputs, with the constraint to blame and the input that comes
/// closest to satisfying it.
pub(super) fn unmet_constraint_error(format: &Format, failure: &GenerationError) -> Error {
    let text = failure.to_diagnostic().render_text(&format.source);
    let (headline, place) = text.split_once('\n').unwrap_or((&text, ""));
    // If the constraint to blame is unknown, try the last ones.
    let last = format.constraints.iter().rev().map(|constraint| constraint.span).take(MAX_BLAMED_CONSTRAINTS);
    let blamed: Vec<Span> = match (failure.too_large, failure.constraint) {
        (Some(_), _) => Vec::new(),
        (None, Some(constraint)) => vec![constraint],
        (None, None) => last.collect(),
    };
    let closest = find_near_miss(format, &blamed);
    let shown = closest.map(|closest| {
        let NearMiss { value, violation } = &closest;
        let broken = format.source_text(format.constraints[violation.constraint].span);
        let shown = shorten_input(&print_value(format, value));
        format!("\nthe closest input found violates only `{broken}` ({}):\n{shown}", violation.sides)
    });
    Error::usage_error(headline.trim_start_matches("error: ")).with_note(format!(
        "{}{}",
        place.trim_end(),
        shown.unwrap_or_default()
    ))
}

/// Returns the beginning of an input, indented as part of a message.
fn shorten_input(input: &[u8]) -> String {
    const MAX_LINES: usize = 8;
    const MAX_COLUMNS: usize = 60;
    let mut lines = input.strip_suffix(b"\n").unwrap_or(input).split(|byte| *byte == b'\n');
    let mut shown: Vec<String> = lines
        .by_ref()
        .take(MAX_LINES)
        .map(|line| format!("  {}", rebut_diagnostics::shorten_text(line, MAX_COLUMNS)))
        .collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("  ... {more} more lines"));
    }
    shown.join("\n")
}
