//! The ways in which inputs are run for a statement about all of them, and the one on which the statement rests.

use super::bench::Engine;
use crate::corpus::ProofKind;

/// Returns the ways in which inputs are run, the weakest and fastest first.
pub(super) fn kinds(is_packed: bool, engine: Engine) -> Vec<ProofKind> {
    let packed = is_packed.then_some(ProofKind::Packed);
    let copies = (engine == Engine::Quick).then_some(ProofKind::Copies);
    packed.into_iter().chain(copies).chain([ProofKind::Processes]).collect()
}

/// Returns the part of the remaining time that a way may take, as a divisor.
pub(super) fn time_divisor(kind: ProofKind) -> u32 {
    match kind {
        ProofKind::Packed => 3,
        ProofKind::Copies => 2,
        ProofKind::Processes => 1,
    }
}

/// How far inputs were run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Number of inputs from the first on, refused ones included.
    pub(super) taken: usize,
    /// How many of these the validators accept, so that programs were run on them.
    pub(super) inputs: u64,
    /// How many of these come before the first without an answer.
    pub(super) in_a_row: u64,
    /// On how many of them nothing is known: the reference gave no answer, or the checker failed.
    pub(super) unanswered: u64,
    /// How many of them fail, but not in the way that is sought.
    pub(super) failing_otherwise: u64,
}

impl Progress {
    /// Counts inputs on which programs were run.
    pub(super) fn count_inputs(&mut self, inputs: u64) {
        self.inputs += inputs;
        if self.unanswered == 0 {
            self.in_a_row += inputs;
        }
    }

    /// Adds the inputs that come after these.
    pub(super) fn add(&mut self, next: Progress) {
        if self.unanswered == 0 {
            self.in_a_row += next.in_a_row;
        }
        self.taken += next.taken;
        self.inputs += next.inputs;
        self.unanswered += next.unanswered;
        self.failing_otherwise += next.failing_otherwise;
    }
}

/// How far inputs were run in one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) kind: ProofKind,
    pub(super) progress: Progress,
    /// Number of elements of the last input that was run.
    pub(super) elements: usize,
    /// Whether these were all inputs.
    pub(super) complete: bool,
}

/// What several ways come to.
pub(super) struct Evidence {
    /// The way on which a statement rests: the strongest that is complete, or else the one that reached furthest.
    pub(super) shown: Level,
    /// How many of its inputs, from the first on, were run alone, in copies or in new processes.
    pub(super) run_alone: u64,
    /// How many of its inputs, from the first on, were run alone in new processes.
    pub(super) run_in_processes: u64,
}

impl Evidence {
    /// Returns what some levels come to. Returns None if there are none.
    pub(super) fn of(levels: &[Level]) -> Option<Evidence> {
        let rank =
            |level: &&Level| (level.complete, if level.complete { 0 } else { level.progress.inputs }, level.kind);
        let shown = *levels.iter().max_by_key(rank)?;
        let reached = |weakest: ProofKind| {
            let strong = levels.iter().filter(|level| level.kind >= weakest);
            strong.map(|level| level.progress.in_a_row).max().unwrap_or(0).min(shown.progress.inputs)
        };
        let (run_alone, run_in_processes) = (reached(ProofKind::Copies), reached(ProofKind::Processes));
        Some(Evidence { shown, run_alone, run_in_processes })
    }
}
