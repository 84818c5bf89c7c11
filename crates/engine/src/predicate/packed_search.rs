//! Finds the first failing input in a sequence by packing the inputs into files.
//!
//! Running a file of several hundred cases costs about as much as running one with a single case, so no other method
//! reaches as far in the same time. An input that is found is run alone before it counts. If none is found, that is
//! *not* a proof: a failure can depend on the number of cases in a file and on the position of a case, so a file that
//! passes proves nothing about its cases.

use super::failure_predicate::{FailurePredicate, ObservedFailure, PredicateOutcome};
use super::proof_level::ProofProgress;
use crate::inputs::{filter_accepted, max_inputs_per_file, pack_cases};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::value::Value;
use rebut_packages::verdict::Verdict;
use std::ops::Range;

/// Searches packed files of inputs.
pub(crate) struct PackedSearch<'a, 'i> {
    /// Runs packed files.
    pub(crate) quick: FailurePredicate<'a, 'i, Value>,
    /// Runs single inputs, each in a new process.
    pub(crate) exact: FailurePredicate<'a, 'i, Value>,
    pub(crate) format: &'a Format,
    pub(crate) jobs: usize,
}

/// The result of a packed search through a sequence of inputs.
pub(crate) enum PackedResult {
    /// No input fails in the required way, as far as they were run.
    Passed(ProofProgress),
    /// The input after those of `before` fails alone.
    Fails { before: ProofProgress, failure: Box<ObservedFailure> },
    /// A file failed although none of its cases fails alone: the cases are not independent.
    CasesInteract,
}

/// The result of running several inputs in one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PackedFileResult {
    Passes,
    Fails,
    /// They do not fit into one file, or exceed a limit together.
    Undecided,
}

/// The cause of a file's failure.
enum PackedFileCause {
    /// The input at this position fails alone.
    Fails(usize, Box<ObservedFailure>),
    /// One of its inputs fails alone in another way, or the reference is too slow on it.
    Otherwise,
    /// It fails, although none of its inputs does alone.
    Unknown,
    /// It does not fail.
    Nothing,
}

impl PackedSearch<'_, '_> {
    /// Returns the first input that fails alone, among those in files that fail. Stops early when `is_over`.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(crate) fn find_first_failing(
        &self,
        values: &[Value],
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<PackedResult> {
        let file = |range: Range<usize>| Some(print_value(self.format, &pack_cases(self.format, &values[range])?));
        let positions = filter_accepted(self.quick.inputs, values.len(), self.jobs, &file)?;
        let taken_before = |inputs: usize| positions.get(inputs).copied().unwrap_or(values.len());
        let mut progress = ProofProgress::default();
        let files: Vec<&[usize]> = positions.chunks(max_inputs_per_file(self.format)).collect();
        for group in files.chunks(self.jobs.max(1)) {
            if progress.inputs > 0 && is_over() {
                return Ok(PackedResult::Passed(progress));
            }
            let contents: Vec<Vec<Value>> =
                group.iter().map(|file| file.iter().map(|at| values[*at].clone()).collect()).collect();
            let results = run_in_parallel(self.jobs, group.len(), |i| self.run_packed_file(&contents[i]), &mut |_| ())?;
            for (cases, result) in contents.iter().zip(results) {
                let before = progress.inputs as usize;
                match self.find_failure_cause(cases, result, &mut progress)? {
                    PackedFileCause::Fails(at, failure) => {
                        progress.count_inputs(at as u64);
                        progress.taken = taken_before(before + at);
                        return Ok(PackedResult::Fails { before: progress, failure });
                    }
                    PackedFileCause::Unknown => return Ok(PackedResult::CasesInteract),
                    PackedFileCause::Nothing | PackedFileCause::Otherwise => {}
                }
                progress.count_inputs(cases.len() as u64);
                progress.taken = taken_before(before + cases.len());
            }
        }
        progress.taken = values.len();
        Ok(PackedResult::Passed(progress))
    }

    /// Returns false if a failing input does not fail in the same way as the first, a middle and the last case of a file: then
    /// cases that pass there prove nothing.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(crate) fn fails_at_each_place(&self, failing: &Value, others: &[Value]) -> Result<bool> {
        for place in [0, others.len() / 2, others.len()] {
            let mut cases = others.to_vec();
            cases.insert(place, failing.clone());
            if self.run_packed_file(&cases)? == PackedFileResult::Passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn run_packed_file(&self, values: &[Value]) -> Result<PackedFileResult> {
        if values.len() < 2 {
            // A single input is run by `run_single_input` instead.
            return Ok(PackedFileResult::Undecided);
        }
        let Some(pack) = pack_cases(self.format, values) else { return Ok(PackedFileResult::Undecided) };
        Ok(match self.quick.test_any_failure(&print_value(self.format, &pack))? {
            PredicateOutcome::Passes => PackedFileResult::Passes,
            // If all cases together exceed a limit, a single one may not.
            PredicateOutcome::Fails(failure) if is_limit_verdict(failure.run_result.verdict) => {
                PackedFileResult::Undecided
            }
            PredicateOutcome::Fails(_) | PredicateOutcome::FailsOtherwise => PackedFileResult::Fails,
            PredicateOutcome::Refused | PredicateOutcome::Unresolved => PackedFileResult::Undecided,
        })
    }

    /// Returns the cause of a file's failure, by bisection down to single inputs.
    fn find_failure_cause(
        &self,
        values: &[Value],
        result: PackedFileResult,
        progress: &mut ProofProgress,
    ) -> Result<PackedFileCause> {
        if result == PackedFileResult::Passes {
            return Ok(PackedFileCause::Nothing);
        }
        if let [only] = values {
            return self.run_single_input(only, progress);
        }
        let mut cause =
            if result == PackedFileResult::Fails { PackedFileCause::Unknown } else { PackedFileCause::Nothing };
        let (left, right) = values.split_at(values.len() / 2);
        for (half, before) in [(left, 0), (right, left.len())] {
            let result = self.run_packed_file(half)?;
            match self.find_failure_cause(half, result, progress)? {
                PackedFileCause::Fails(at, failure) => return Ok(PackedFileCause::Fails(before + at, failure)),
                PackedFileCause::Unknown => return Ok(PackedFileCause::Unknown),
                PackedFileCause::Otherwise => cause = PackedFileCause::Otherwise,
                PackedFileCause::Nothing => {}
            }
        }
        Ok(cause)
    }

    fn run_single_input(&self, value: &Value, progress: &mut ProofProgress) -> Result<PackedFileCause> {
        Ok(match self.exact.test_valid_candidate(value)? {
            PredicateOutcome::Fails(failure) => PackedFileCause::Fails(0, failure),
            PredicateOutcome::FailsOtherwise => {
                progress.failing_otherwise += 1;
                PackedFileCause::Otherwise
            }
            PredicateOutcome::Unresolved => {
                progress.unanswered += 1;
                PackedFileCause::Otherwise
            }
            PredicateOutcome::Passes | PredicateOutcome::Refused => PackedFileCause::Nothing,
        })
    }
}

fn is_limit_verdict(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit)
}
