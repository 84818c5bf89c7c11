//! Tests many candidates of shrinking in one file.
//!
//! If the format has cases, running a file of many candidates takes hardly longer than running one of them. If the file
//! passes, all of them pass; otherwise it is bisected until a candidate fails alone, and only that counts. This is
//! sound only if cases do not affect each other. Batching is therefore not used for failures that need several cases,
//! and the first file that passes is run again with the current best candidate appended, which must make it fail.

use super::failure_predicate::{FailurePredicate, ObservedFailure, PredicateOutcome};
use crate::inputs::{can_pack_cases, filter_accepted, pack_cases};
use crate::tuning::{MAX_BATCHED_CANDIDATES, MAX_CONTRADICTIONS};
use rebut_diagnostics::Result;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::{Value, instances_in_holder};
use rebut_packages::verdict::Verdict;

/// Packs candidates into one file, followed by another input if one is given. Returns `None` if the result is not a
/// valid file or if one of them has several cases.
pub(crate) type PackCandidates<'a, C> = &'a (dyn Fn(&[C], Option<&[u8]>) -> Option<Vec<u8>> + Sync);

/// Decides whether candidates are batched, based on the outcomes of earlier batches.
pub(crate) struct BatchedPredicate<'a, C> {
    pack: Option<PackCandidates<'a, C>>,
    /// Whether the current best candidate has a single case.
    is_single: bool,
    /// Whether a failing case was observed to fail after other cases.
    is_batching_proved: bool,
    /// Number of files that failed although none of their cases fails alone.
    contradictions: u32,
    /// Number of candidates that failed alone, but not in the required way.
    other_failures: u32,
}

/// The outcome of a file of candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BatchOutcome {
    /// None of them fails.
    Pass,
    /// Some of them fail.
    Fail,
    /// They cannot be in one file.
    Unknown,
}

type BatchedFailure = Option<(usize, Box<ObservedFailure>)>;

impl<'a, C: Sync> BatchedPredicate<'a, C> {
    /// Creates a batched predicate. Batching is disabled for failures that it could hide: a program that exceeds a
    /// limit does not reach the later cases, and if a failure is flaky, a file that passes proves nothing.
    pub(crate) fn new(
        pack: Option<PackCandidates<'a, C>>,
        predicate: &FailurePredicate<'_, '_, C>,
        first: &ObservedFailure,
    ) -> Self {
        let is_limit =
            matches!(first.run_result.verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit);
        let is_possible = predicate.test.tries == 1 && !is_limit && predicate.test.target.submission().is_some();
        let pack = pack.filter(|_| is_possible);
        let mut batched = BatchedPredicate {
            pack,
            is_single: false,
            is_batching_proved: false,
            contradictions: 0,
            other_failures: 0,
        };
        batched.update_best(&first.input);
        batched
    }

    /// Records a new best candidate.
    pub(crate) fn update_best(&mut self, best: &[u8]) {
        self.is_single = self.pack.is_some_and(|pack| pack(&[], Some(best)).is_some());
    }

    /// Makes every candidate run alone from now on. Returns true if some were batched before.
    pub(crate) fn disable_batching(&mut self) -> bool {
        self.pack = None;
        self.is_batching_proved
    }

    /// Returns the number of candidates to test at a time, or `None` if batching is disabled.
    pub(crate) fn batch_width(&self) -> Option<usize> {
        (self.is_single && self.pack.is_some() && self.contradictions < MAX_CONTRADICTIONS)
            .then_some(MAX_BATCHED_CANDIDATES)
    }

    /// Returns the position of the first candidate that fails, with its failure.
    pub(crate) fn find_first_failing(
        &mut self,
        predicate: &FailurePredicate<'_, '_, C>,
        candidates: &[C],
        best: &[u8],
        jobs: usize,
    ) -> Result<BatchedFailure>
    where
        C: Clone,
    {
        let Some(pack) = self.pack else { return Ok(None) };
        let accepted =
            filter_accepted(predicate.inputs, candidates.len(), jobs, &|range| pack(&candidates[range], None))?;
        for batch in accepted.chunks(MAX_BATCHED_CANDIDATES) {
            let batched: Vec<C> = batch.iter().map(|at| candidates[*at].clone()).collect();
            if let Some((at, failure)) = self.bisect_batch(predicate, &batched, best, false)? {
                return Ok(Some((batch[at], failure)));
            }
        }
        Ok(None)
    }

    /// Same, for candidates that fit into one file and are all accepted by the validators. `fails` means that at least
    /// one of them is known to fail.
    fn bisect_batch(
        &mut self,
        predicate: &FailurePredicate<'_, '_, C>,
        candidates: &[C],
        best: &[u8],
        fails: bool,
    ) -> Result<BatchedFailure> {
        if let [] | [_] = candidates {
            let outcome = candidates.first().map(|only| predicate.test_valid_candidate(only)).transpose()?;
            return Ok(match outcome {
                Some(PredicateOutcome::Fails(failure)) => Some((0, failure)),
                Some(PredicateOutcome::FailsOtherwise | PredicateOutcome::Unresolved) => {
                    self.other_failures += 1;
                    None
                }
                _ => None,
            });
        }
        let batch_outcome = if fails { BatchOutcome::Fail } else { self.test_batch_file(predicate, candidates, best)? };
        if batch_outcome == BatchOutcome::Pass {
            return Ok(None);
        }
        let other_failures = self.other_failures;
        let (left, right) = candidates.split_at(candidates.len() / 2);
        if let Some(found) = self.bisect_batch(predicate, left, best, false)? {
            return Ok(Some(found));
        }
        let found = self.bisect_batch(predicate, right, best, batch_outcome == BatchOutcome::Fail)?;
        let is_contradicted =
            found.is_none() && batch_outcome == BatchOutcome::Fail && !fails && other_failures == self.other_failures;
        self.contradictions += u32::from(is_contradicted);
        Ok(found.map(|(at, failure)| (at + left.len(), failure)))
    }

    /// Tests candidates in one file, and the first time also whether a failure shows in a file at all.
    fn test_batch_file(
        &mut self,
        predicate: &FailurePredicate<'_, '_, C>,
        candidates: &[C],
        best: &[u8],
    ) -> Result<BatchOutcome> {
        let pack = |best: Option<&[u8]>| self.pack.filter(|_| self.batch_width().is_some())?(candidates, best);
        let Some(file) = pack(None) else { return Ok(BatchOutcome::Unknown) };
        let passes = |file: &[u8]| Ok(matches!(predicate.test_any_failure(file)?, PredicateOutcome::Passes));
        if !passes(&file)? {
            return Ok(BatchOutcome::Fail);
        }
        if !self.is_batching_proved {
            let Some(file) = pack(Some(best)) else { return Ok(BatchOutcome::Unknown) };
            if passes(&file)? {
                self.pack = None;
                return Ok(BatchOutcome::Unknown);
            }
            self.is_batching_proved = true;
        }
        Ok(BatchOutcome::Pass)
    }
}

/// Packs inputs of one case each, and `last` after them, into one file. Returns `None` if the format does not allow
/// that, or if an input does not have exactly one case.
pub(crate) fn pack_and_print(format: &Format, values: &[Value], last: Option<&[u8]>) -> Option<Vec<u8>> {
    let cases = format.cases_block().filter(|_| can_pack_cases(format))?;
    let last = last.map(|input| read_input(format, input).map_err(|_| ())).transpose().ok()?;
    let mut all = values.to_vec();
    all.extend(last);
    let is_single = all.iter().all(|value| instances_in_holder(format, cases, value.root_slots()).len() == 1);
    let packed = pack_cases(format, &all).filter(|_| is_single)?;
    Some(print_value(format, &packed))
}
