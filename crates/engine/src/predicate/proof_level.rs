//! Levels of proof: the ways in which inputs are run, and the strongest one on which a statement about them rests.

use super::failure_predicate::{ObservedFailure, PredicateOutcome};
use crate::judging::{JudgeSetup, RunEngine};
use rebut_packages::ProofKind;
use serde::{Deserialize, Serialize};

/// Returns the kinds of proof to try, the weakest and fastest first. Conversations are never held with copies.
pub(crate) fn proof_kinds(is_packed: bool, setup: &JudgeSetup) -> Vec<ProofKind> {
    let packed = is_packed.then_some(ProofKind::Packed);
    let copies = (setup.engine == RunEngine::Quick && !setup.judge.holds_conversation()).then_some(ProofKind::Copies);
    packed.into_iter().chain(copies).chain([ProofKind::Processes]).collect()
}

/// Returns the divisor of the remaining time that gives the share of a level.
pub(crate) fn proof_time_divisor(kind: ProofKind) -> u32 {
    match kind {
        ProofKind::Packed => 3,
        ProofKind::Copies => 2,
        ProofKind::Processes => 1,
    }
}

/// How far inputs were run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProofProgress {
    /// Number of inputs from the first on, including refused ones.
    pub(crate) taken: usize,
    /// Number of these that the validators accept, so that programs were run on them.
    pub(crate) inputs: u64,
    /// Number of these before the first unresolved one.
    pub(crate) contiguous_inputs: u64,
    /// Number of unresolved inputs: the reference gave no answer, or the checker failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) unanswered: u64,
    /// Number of inputs that fail, but not in the required way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) failing_otherwise: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ProofProgress {
    /// Counts inputs on which programs were run.
    pub(crate) fn count_inputs(&mut self, inputs: u64) {
        self.inputs += inputs;
        if self.unanswered == 0 {
            self.contiguous_inputs += inputs;
        }
    }

    /// Counts the next input with the outcome of its runs, unless it fails: then returns its failure.
    pub(crate) fn count_outcome(&mut self, outcome: PredicateOutcome) -> Option<Box<ObservedFailure>> {
        match outcome {
            PredicateOutcome::Refused => {}
            PredicateOutcome::Passes => self.count_inputs(1),
            PredicateOutcome::Unresolved => self.unanswered += 1,
            PredicateOutcome::FailsOtherwise => {
                self.count_inputs(1);
                self.failing_otherwise += 1;
            }
            PredicateOutcome::Fails(failure) => return Some(failure),
        }
        self.taken += 1;
        None
    }

    /// Adds the progress of the inputs that follow.
    pub(crate) fn append_progress(&mut self, next: ProofProgress) {
        if self.unanswered == 0 {
            self.contiguous_inputs += next.contiguous_inputs;
        }
        self.taken += next.taken;
        self.inputs += next.inputs;
        self.unanswered += next.unanswered;
        self.failing_otherwise += next.failing_otherwise;
    }
}

/// How far inputs were run at one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofLevel {
    pub(crate) kind: ProofKind,
    pub(crate) progress: ProofProgress,
    /// Number of elements of the last input that was run.
    pub(crate) elements: usize,
    /// Whether all inputs were run.
    pub(crate) complete: bool,
}

/// The summary of several levels.
pub(crate) struct ProofSummary {
    /// The level on which a statement rests: the strongest complete one, or else the one that reached furthest.
    pub(crate) strongest: ProofLevel,
    /// Number of its inputs, from the first on, that were run alone, in forks or in new processes.
    pub(crate) run_alone: u64,
    /// Number of its inputs, from the first on, that were run alone in new processes.
    pub(crate) run_in_processes: u64,
}

impl ProofSummary {
    /// Summarizes levels. Returns `None` if `levels` is empty.
    pub(crate) fn from_levels(levels: &[ProofLevel]) -> Option<ProofSummary> {
        let rank =
            |level: &&ProofLevel| (level.complete, if level.complete { 0 } else { level.progress.inputs }, level.kind);
        let strongest = *levels.iter().max_by_key(rank)?;
        let contiguous_at = |weakest: ProofKind| {
            let inputs =
                levels.iter().filter(|level| level.kind >= weakest).map(|level| level.progress.contiguous_inputs);
            inputs.max().unwrap_or(0).min(strongest.progress.inputs)
        };
        let (run_alone, run_in_processes) = (contiguous_at(ProofKind::Copies), contiguous_at(ProofKind::Processes));
        Some(ProofSummary { strongest, run_alone, run_in_processes })
    }
}
