//! The first of many inputs that fails, found in files that hold many of them.
//!
//! A file of several hundred cases costs about as much as one of a single case, so this reaches further than anything
//! else. What it finds is run alone before it counts. What it does not find is *no* proof: a failure can depend on the
//! number of cases in a file and on the position of a case, so a file that passes says nothing certain of its cases.

use super::accepted::accepted;
use super::evidence::Progress;
use super::pack::{most_together, pack};
use super::parallel::run_in_parallel;
use super::probe::{Failure, Question, Seen};
use crate::diagnostic::Result;
use crate::format::Format;
use crate::print::print;
use crate::value::Value;
use crate::verdict::Verdict;
use std::ops::Range;

/// Searches files of many inputs.
pub(super) struct PackedSearch<'a, 'i> {
    /// Runs the files.
    pub(super) question: Question<'a, 'i, Value>,
    /// Runs single inputs, each in a new process.
    pub(super) exact: Question<'a, 'i, Value>,
    pub(super) format: &'a Format,
    pub(super) jobs: usize,
}

/// The result of a packed search through some inputs, in their order.
pub(super) enum PackedResult {
    /// The first inputs, up to and without this position, were in files that passed or failed in another way.
    Passed(Progress),
    /// The input after those of `before` fails alone; those passed in files.
    Fails { before: Progress, failure: Box<Failure> },
    /// A file failed though none of its cases fails alone: the cases are not independent.
    Dependent,
}

/// The result of running several inputs in one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileResult {
    Passes,
    Fails,
    /// They do not fit into one file, or are too slow together.
    Undecided,
}

/// What makes a file fail.
enum Cause {
    /// The input at this position fails alone.
    Fails(usize, Box<Failure>),
    /// One of its inputs fails alone in another way, or the reference is too slow on it.
    Otherwise,
    /// It fails, though none of its inputs does alone.
    Unknown,
    /// It does not fail.
    Nothing,
}

impl PackedSearch<'_, '_> {
    /// Returns the first of some inputs that fails alone, of those whose files fail. Stops early when `is_over`.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or the work was cancelled.
    pub(super) fn find_first_failing(
        &self,
        values: &[Value],
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<PackedResult> {
        let file = |range: Range<usize>| Some(print(self.format, &pack(self.format, &values[range])?));
        let positions = accepted(self.question.inputs, values.len(), self.jobs, &file)?;
        let taken = |inputs: usize| positions.get(inputs).copied().unwrap_or(values.len());
        let mut progress = Progress::default();
        let files: Vec<&[usize]> = positions.chunks(most_together(self.format)).collect();
        for group in files.chunks(self.jobs.max(1)) {
            if progress.inputs > 0 && is_over() {
                return Ok(PackedResult::Passed(progress));
            }
            let contents: Vec<Vec<Value>> =
                group.iter().map(|file| file.iter().map(|at| values[*at].clone()).collect()).collect();
            let results = run_in_parallel(self.jobs, group.len(), |i| self.run_file(&contents[i]), &mut |_| ())?;
            for (cases, result) in contents.iter().zip(results) {
                let before = progress.inputs as usize;
                match self.explain(cases, result, &mut progress)? {
                    Cause::Fails(at, failure) => {
                        progress.count_inputs(at as u64);
                        progress.taken = taken(before + at);
                        return Ok(PackedResult::Fails { before: progress, failure });
                    }
                    Cause::Unknown => return Ok(PackedResult::Dependent),
                    Cause::Nothing | Cause::Otherwise => {}
                }
                progress.count_inputs(cases.len() as u64);
                progress.taken = taken(before + cases.len());
            }
        }
        progress.taken = values.len();
        Ok(PackedResult::Passed(progress))
    }

    /// Runs inputs in one file.
    fn run_file(&self, values: &[Value]) -> Result<FileResult> {
        if values.len() < 2 {
            // A single input is run by whoever asks what is wrong with it.
            return Ok(FileResult::Undecided);
        }
        let Some(pack) = pack(self.format, values) else { return Ok(FileResult::Undecided) };
        Ok(match self.question.any_failure(&print(self.format, &pack))? {
            Seen::Passes => FileResult::Passes,
            // A limit that all cases together exceed says nothing of one of them.
            Seen::Fails(failure) if is_limit(failure.trial.verdict) => FileResult::Undecided,
            Seen::Fails(_) | Seen::FailsOtherwise => FileResult::Fails,
            Seen::Refused | Seen::Unanswered => FileResult::Undecided,
        })
    }

    /// Returns what makes a file of these inputs fail, by halves down to single inputs.
    fn explain(&self, values: &[Value], result: FileResult, progress: &mut Progress) -> Result<Cause> {
        if result == FileResult::Passes {
            return Ok(Cause::Nothing);
        }
        if let [only] = values {
            return self.run_alone(only, progress);
        }
        let mut cause = if result == FileResult::Fails { Cause::Unknown } else { Cause::Nothing };
        let (left, right) = values.split_at(values.len() / 2);
        for (half, before) in [(left, 0), (right, left.len())] {
            let result = self.run_file(half)?;
            match self.explain(half, result, progress)? {
                Cause::Fails(at, failure) => return Ok(Cause::Fails(before + at, failure)),
                Cause::Unknown => return Ok(Cause::Unknown),
                Cause::Otherwise => cause = Cause::Otherwise,
                Cause::Nothing => {}
            }
        }
        Ok(cause)
    }

    fn run_alone(&self, value: &Value, progress: &mut Progress) -> Result<Cause> {
        Ok(match self.exact.look(value)? {
            Seen::Fails(failure) => Cause::Fails(0, failure),
            Seen::FailsOtherwise => {
                progress.failing_otherwise += 1;
                Cause::Otherwise
            }
            Seen::Unanswered => {
                progress.unanswered += 1;
                Cause::Otherwise
            }
            Seen::Passes | Seen::Refused => Cause::Nothing,
        })
    }
}

fn is_limit(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit)
}
