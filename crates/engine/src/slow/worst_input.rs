//! The input on which a submission does the most work, decided by counts alone: no run at full size, and no time. So a
//! test set that contains it does not depend on the machine.

use super::meter::PatternGrowth;
use super::pattern::SlowPattern;
use super::population::RatedPattern;
use super::search::SlowSearch;
use rebut_diagnostics::Result;

/// Number of generations of varied patterns.
const GENERATIONS: usize = 4;

/// A pattern on which the submission does less than this many times the work of the accepted solution says nothing about
/// the submission.
const MIN_TIMES_ACCEPTED: f64 = 1.5;

/// Maximum number of patterns of which an input of full size is tried.
const MAX_TRIED_PATTERNS: usize = 8;

/// An input of full size, with the pattern on which a submission does the most work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstInput {
    /// The input.
    pub bytes: Vec<u8>,
    /// The shapes and sizes, which are equal if two patterns differ only in their random choices.
    pub kind: String,
}

impl SlowSearch<'_> {
    /// Finds the pattern on which the submission is predicted to do the most work at full size, compared with an accepted
    /// solution, and makes its input. Returns `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn make_worst_input(&self) -> Result<Option<WorstInput>> {
        let mut rounds = self.begin_rounds();
        rounds.measure_generations(GENERATIONS)?;
        let mut ranked: Vec<(f64, &SlowPattern)> =
            rounds.population.members.iter().filter_map(|member| self.predict_excess(member)).collect();
        // Equal ones stay in order, so that the result is the same on every machine.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, pattern) in ranked.into_iter().take(MAX_TRIED_PATTERNS) {
            let Some(sizes) = &rounds.sizes[pattern.axis] else { continue };
            let Some(input) = self.space.make_input(pattern, sizes.full)? else { continue };
            let kind = self.space.recipe_keys(&SlowPattern { seed: 0, ..pattern.clone() }, sizes.full);
            return Ok(Some(WorstInput { bytes: input.bytes, kind }));
        }
        Ok(None)
    }

    /// Returns the predicted work of a pattern, if it is much more than that of the accepted solution.
    fn predict_excess<'m>(&self, member: &'m RatedPattern) -> Option<(f64, &'m SlowPattern)> {
        let PatternGrowth { total, accepted, .. } = member.growth?;
        let is_fair = match accepted {
            Some(accepted) => total >= MIN_TIMES_ACCEPTED * accepted,
            None => self.plan.accepted.is_none(),
        };
        is_fair.then_some((total, &member.pattern))
    }
}
