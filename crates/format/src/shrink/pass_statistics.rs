//! Counters of the passes of a search.

use std::time::Duration;

/// The work of one pass in a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassStatistics {
    /// The name of the pass, a verb and its object: `merge elements`.
    pub name: &'static str,
    /// Number of times that the pass was begun. A pass that continued on a wrong assumption begins again.
    pub calls: usize,
    /// Number of its candidates that the oracle was queried about.
    pub tried: usize,
    /// Number of its candidates that failed and became the best value.
    pub accepted: usize,
    /// Time between its beginnings and ends by the clock of the oracle, which includes the queries that were made then.
    pub time: Duration,
}

/// The counters of all passes of a search, in the order in which they were first begun.
#[derive(Debug, Default)]
pub(super) struct PassCounters {
    passes: Vec<PassStatistics>,
    current: PassIndex,
}

/// The index of a pass in its [`PassCounters`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PassIndex(usize);

/// Number of accepted candidates of each pass. It belongs to the best value, since a rollback takes candidates back.
#[derive(Clone, Debug, Default)]
pub(super) struct AcceptedCounts(Vec<usize>);

impl AcceptedCounts {
    pub(super) fn count_accepted(&mut self, pass: PassIndex) {
        if self.0.len() <= pass.0 {
            self.0.resize(pass.0 + 1, 0);
        }
        self.0[pass.0] += 1;
    }

    /// Returns the number of candidates of all passes.
    pub(super) fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

impl PassCounters {
    /// Counts the beginning of a pass, which is the current one from now on.
    pub(super) fn begin_pass(&mut self, name: &'static str) {
        let known = self.passes.iter().position(|pass| pass.name == name);
        let at = known.unwrap_or_else(|| {
            self.passes.push(PassStatistics { name, calls: 0, tried: 0, accepted: 0, time: Duration::ZERO });
            self.passes.len() - 1
        });
        self.current = PassIndex(at);
        self.passes[at].calls += 1;
    }

    pub(super) fn current_pass(&self) -> PassIndex {
        self.current
    }

    pub(super) fn count_tried(&mut self, pass: PassIndex, candidates: usize) {
        self.passes[pass.0].tried += candidates;
    }

    /// Adds to the time of the current pass.
    pub(super) fn add_time(&mut self, time: Duration) {
        self.passes[self.current.0].time += time;
    }

    /// Returns the number of candidates of all passes.
    pub(super) fn total_tried(&self) -> usize {
        self.passes.iter().map(|pass| pass.tried).sum()
    }

    /// Returns the statistics, with the accepted candidates of the best value.
    pub(super) fn into_statistics(mut self, accepted: &AcceptedCounts) -> Vec<PassStatistics> {
        assert!(accepted.0.len() <= self.passes.len(), "only passes that were begun have accepted candidates");
        for (pass, count) in self.passes.iter_mut().zip(&accepted.0) {
            pass.accepted = *count;
        }
        self.passes
    }
}

/// Adds the statistics of one search to those of another, such as the one that it continued.
pub fn add_statistics(passes: &mut Vec<PassStatistics>, earlier: &[PassStatistics]) {
    for before in earlier {
        match passes.iter_mut().find(|pass| pass.name == before.name) {
            Some(pass) => {
                pass.calls += before.calls;
                pass.tried += before.tried;
                pass.accepted += before.accepted;
                pass.time += before.time;
            }
            None => passes.push(before.clone()),
        }
    }
}
