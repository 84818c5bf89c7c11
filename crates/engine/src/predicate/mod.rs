//! Whether an input still fails in the required way: alone, among many candidates, and in packed files.

mod batched_predicate;
mod failure_oracle;
mod failure_predicate;
mod packed_search;
mod proof_level;

pub(super) use batched_predicate::{BatchedPredicate, PackCandidates, pack_and_print};
pub(super) use failure_oracle::FailureOracle;
pub(super) use failure_predicate::{FailurePredicate, FailureTarget, FailureTest, ObservedFailure, PredicateOutcome};
pub(super) use packed_search::{PackedResult, PackedSearch};
pub(super) use proof_level::{ProofLevel, ProofProgress, ProofSummary, proof_kinds, proof_time_divisor};
