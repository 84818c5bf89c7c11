//! The selection of tests from candidates.

use serde::Serialize;

/// The selection of tests from candidates, in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CandidateSelection {
    /// Number of candidates, including the tests that are kept in any case.
    pub candidates: usize,
    /// Number of tests that were selected.
    pub tests: usize,
    /// Number of these that the programs demand. The others are those that differ the most from all before.
    pub needed: usize,
    /// Number of demanded tests that kill each program, if so many candidates do. 0 if a killable program survives.
    pub depth: usize,
    /// Number of tests that every selection of this depth has at least; for depth 0, that of depth 1.
    pub lower_bound: usize,
    /// Number of wrong submissions and mutants.
    pub programs: usize,
    /// Number of these that are left out, since they time out on candidates.
    pub timed_out: usize,
    /// Number of these that a selected test kills.
    pub killed: usize,
    /// Number of these that a candidate kills.
    pub killable: usize,
    /// How often candidates killed what none before them did.
    pub novelty: CandidateNovelty,
}

/// How often a candidate has a new signature: the set of the programs that it kills, of those that few candidates kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CandidateNovelty {
    /// Number of candidates that were drawn.
    pub inputs: u64,
    /// Number of different signatures.
    pub signatures: u64,
    /// Number of signatures that one candidate has.
    pub seen_once: u64,
    /// Number of signatures that two candidates have.
    pub seen_twice: u64,
    /// Number of candidates after the last new signature.
    pub since_new: u64,
}

impl CandidateNovelty {
    /// Returns an upper bound on the probability that the next candidate has a new signature, at 95 % confidence: no one of
    /// the last ones had. `None` if the last one was new.
    pub fn bound_by_silence(&self) -> Option<f64> {
        (self.since_new > 0).then(|| (3.0 / self.since_new as f64).min(1.0))
    }

    /// Returns the estimate of Good and Turing of the same probability, and half of the width of its interval at 95 %
    /// (Esty 1983). `None` if nothing was drawn.
    pub fn estimate(&self) -> Option<(f64, f64)> {
        if self.inputs == 0 {
            return None;
        }
        let n = self.inputs as f64;
        let (once, twice) = (self.seen_once as f64 / n, self.seen_twice as f64 / n);
        let variance = (once * (1.0 - once) + 2.0 * twice) / n;
        Some((once, 1.96 * variance.max(0.0).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_from_the_counts() {
        let novelty = CandidateNovelty { inputs: 100, signatures: 9, seen_once: 4, seen_twice: 2, since_new: 30 };
        assert_eq!(novelty.bound_by_silence(), Some(0.1));
        let (estimate, half_width) = novelty.estimate().unwrap_or_default();
        assert!((estimate - 0.04).abs() < 1e-12 && (half_width - 1.96 * 0.0784_f64.sqrt() / 10.0).abs() < 1e-12);
        assert_eq!(CandidateNovelty::default().estimate(), None);
        assert_eq!(CandidateNovelty { inputs: 5, ..CandidateNovelty::default() }.bound_by_silence(), None);
    }
}
