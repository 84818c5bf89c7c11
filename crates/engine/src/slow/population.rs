//! The patterns that are kept: those that are the best for any of several goals.

use super::meter::PatternGrowth;
use super::pattern::SlowPattern;
use crate::growth::MeasuredWork;

/// A pattern and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RatedPattern {
    pub(super) pattern: SlowPattern,
    /// The work at the largest measured size.
    pub(super) work: MeasuredWork,
    /// That work, and its hottest branch, as multiples of those of ordinary inputs of the same size.
    pub(super) ratio: f64,
    pub(super) hottest_ratio: f64,
    /// How it grows, if that was measured.
    pub(super) growth: Option<PatternGrowth>,
}

/// A goal: the larger the number, the better.
type Goal = fn(&RatedPattern) -> f64;

/// Totals have local maxima, so that several goals are followed at once.
const SCREENING_GOALS: [Goal; 2] = [|rated| rated.ratio, |rated| rated.hottest_ratio];

const GROWTH_GOALS: [Goal; 4] = [
    |rated| rated.growth.map_or(0.0, |growth| growth.total),
    |rated| rated.growth.map_or(0.0, |growth| growth.total / growth.accepted.unwrap_or(f64::INFINITY).max(1.0)),
    |rated| rated.growth.map_or(0.0, |growth| growth.hottest),
    |rated| rated.ratio,
];

/// The best patterns so far.
#[derive(Debug, Default)]
pub(super) struct Population {
    pub(super) members: Vec<RatedPattern>,
}

impl Population {
    /// Returns the indices of up to `count` members, the best of each goal in turn. Members of which the growth is known are
    /// preferred by their growth.
    pub(super) fn select_best(&self, count: usize, is_wanted: impl Fn(&RatedPattern) -> bool) -> Vec<usize> {
        let wanted: Vec<usize> = (0..self.members.len()).filter(|index| is_wanted(&self.members[*index])).collect();
        let has_growth = wanted.iter().all(|index| self.members[*index].growth.is_some());
        let goals: &[Goal] = if has_growth { &GROWTH_GOALS } else { &SCREENING_GOALS };
        let orders: Vec<Vec<usize>> = goals
            .iter()
            .map(|goal| {
                let mut order = wanted.clone();
                // Equal ones stay in order, so that the result is the same on every machine.
                order.sort_by(|a, b| goal(&self.members[*b]).total_cmp(&goal(&self.members[*a])));
                order
            })
            .collect();
        let mut chosen = Vec::new();
        for place in 0..wanted.len() {
            for order in &orders {
                if chosen.len() < count && !chosen.contains(&order[place]) {
                    chosen.push(order[place]);
                }
            }
        }
        chosen
    }

    /// Returns true if the pattern is a member.
    pub(super) fn contains(&self, pattern: &SlowPattern) -> bool {
        self.members.iter().any(|member| member.pattern == *pattern)
    }

    /// Keeps the best members only.
    pub(super) fn keep_best(&mut self, count: usize) {
        let mut kept = self.select_best(count, |_| true);
        kept.sort_unstable();
        self.members = kept.into_iter().map(|index| self.members[index].clone()).collect();
    }
}
