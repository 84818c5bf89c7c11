//! Simplifies a slow input, and explains it.
//!
//! Size is the point of such an input, so it is kept, and the pattern is simplified: each shape is replaced by the
//! ordinary one, if the submission fails nevertheless. Then the smallest size on which it fails is found by the law of
//! growth, with a few real runs.

use super::meter::PatternMeter;
use super::pattern::SlowPattern;
use super::search::{SlowHit, SlowSearch};
use crate::event::{ActivityEvent, Event, EventSink, FindingSlowness};
use crate::growth::{Ladder, NumberChoice, WorkLimit};
use crate::judge::judge_outcome;
use rebut_diagnostics::{ErrorKind, Result};
use std::time::Duration;

/// Work after which no larger size is measured. Processor time is limited by the runs themselves.
const LADDER_LIMIT: WorkLimit = WorkLimit { branches: 40_000_000, cpu_time_us: u64::MAX };

/// Number of ordinary inputs that a slow one is compared with.
const COMPARED_INPUTS: u64 = 8;

/// Maximum number of real runs to find the smallest size.
const MAX_SIZE_RUNS: usize = 6;

/// The smallest size is exact enough if a size that is smaller by this factor does not fail.
const SIZE_PRECISION: f64 = 1.1;

/// A law with a larger mean relative error is not reported.
const MAX_LAW_ERROR: f64 = 0.15;

/// A simpler pattern is tried only if it costs this share of the work of the present one on a small input.
const MIN_WORK_SHARE: f64 = 0.3;

impl SlowSearch<'_> {
    /// Simplifies a failing input and explains why it is slow. Ends when the budget is used up.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn simplify_hit(
        &self,
        mut hit: SlowHit,
        budget: Duration,
        sink: &mut dyn EventSink,
    ) -> Result<(SlowHit, FindingSlowness)> {
        sink.take_event(&Event::Activity(ActivityEvent::new("Simplifying", self.plan.name)));
        let cancel = &self.plan.judge_setup.cancel;
        let phase = cancel.begin_phase(budget);
        self.ignore_end_of_time(self.simplify_pattern(&mut hit))?;
        // Without the time for it, the growth is still measured: that takes a second or two.
        drop(phase);
        let growth = self.measure_ladder(&hit.pattern)?;
        let phase = cancel.begin_phase(budget);
        let mut smallest = None;
        self.ignore_end_of_time(self.find_smallest_size(&hit, &growth, &mut smallest))?;
        drop(phase);
        let slowness = self.describe_slowness(&hit, &growth, smallest)?;
        Ok((hit, slowness))
    }

    fn ignore_end_of_time(&self, result: Result<()>) -> Result<()> {
        match result {
            Err(error)
                if error.kind() == ErrorKind::Interrupted && !self.plan.judge_setup.cancel.is_cancel_requested() =>
            {
                Ok(())
            }
            result => result,
        }
    }

    /// Replaces each part of the pattern by the simplest one with which the submission fails in the same way.
    fn simplify_pattern(&self, hit: &mut SlowHit) -> Result<()> {
        let meter = self.meter();
        let compared = self.compared_size(&meter, &hit.pattern)?;
        for family in 0..hit.pattern.shapes.len() {
            // Shapes are listed from simple ones to worst cases of algorithms.
            for shape in 0..hit.pattern.shapes[family] {
                let mut simpler = hit.pattern.clone();
                simpler.shapes[family] = shape;
                if self.replace_pattern(&meter, hit, simpler, compared)? {
                    break;
                }
            }
        }
        let without_numbers = SlowPattern { numbers: NumberChoice::Small, ..hit.pattern.clone() };
        self.replace_pattern(&meter, hit, without_numbers, compared)?;
        let without_constant = SlowPattern { constant: None, ..hit.pattern.clone() };
        self.replace_pattern(&meter, hit, without_constant, compared)?;
        Ok(())
    }

    /// Replaces the pattern by a simpler one if the submission fails in the same way with it. Returns whether it does.
    fn replace_pattern(
        &self,
        meter: &PatternMeter<'_>,
        hit: &mut SlowHit,
        simpler: SlowPattern,
        compared: i128,
    ) -> Result<bool> {
        if simpler == hit.pattern || !self.may_fail(meter, hit, &simpler, compared)? {
            return Ok(false);
        }
        let Some((input, run_result)) = self.run_at(&simpler, hit.size)? else { return Ok(false) };
        let fails = run_result.verdict == hit.run_result.verdict;
        if fails {
            *hit = SlowHit { input, run_result, pattern: simpler, ..hit.clone() };
        }
        Ok(fails)
    }

    /// Returns true if a simpler pattern is expensive enough on a small input to be tried at full size.
    fn may_fail(&self, meter: &PatternMeter<'_>, hit: &SlowHit, simpler: &SlowPattern, size: i128) -> Result<bool> {
        if self.plan.judge_setup.cancel.should_stop() {
            return Ok(false);
        }
        let (Some(before), Some(after)) =
            (meter.measure_input(&hit.pattern, size)?, meter.measure_input(simpler, size)?)
        else {
            return Ok(true);
        };
        Ok(after.total as f64 >= MIN_WORK_SHARE * before.total as f64)
    }

    fn compared_size(&self, meter: &PatternMeter<'_>, pattern: &SlowPattern) -> Result<i128> {
        let sizes = meter.choose_sizes(pattern.axis, self.plan.seed)?;
        Ok(sizes.map_or(self.space.axes[pattern.axis].range.hi, |sizes| sizes.measured[2]))
    }

    /// Measures a pattern at all sizes up to one that costs too much.
    fn measure_ladder(&self, pattern: &SlowPattern) -> Result<Ladder> {
        let sizes = self.space.axes[pattern.axis].sizes();
        let meter = self.meter();
        Ladder::climb_sizes(&sizes, LADDER_LIMIT, usize::MAX, |size| meter.measure_input(pattern, size))
    }

    /// Finds the smallest size on which the submission fails, and keeps what is known when it ends.
    fn find_smallest_size(&self, hit: &SlowHit, growth: &Ladder, smallest: &mut Option<i128>) -> Result<()> {
        let limit_ms = self.plan.judge_setup.limits.cpu_time_limit_ms as f64;
        let (mut passing, mut failing) = (self.space.axes[hit.pattern.axis].range.lo.max(1), hit.size);
        let mut passing_ms = None;
        for _ in 0..MAX_SIZE_RUNS {
            if failing as f64 <= SIZE_PRECISION * passing as f64 || self.plan.judge_setup.cancel.should_stop() {
                break;
            }
            let middle = libm::sqrt(passing as f64 * failing as f64);
            let guess = passing_ms.and_then(|ms: f64| growth.size_of_time(passing, ms, limit_ms)).unwrap_or(middle);
            // A little more than the law says, so that the limit is exceeded.
            let (least, most) = (passing + 1, (failing - 1).max(passing + 1));
            let size = ((1.03 * guess) as i128).clamp(least, most);
            let Some((_, run_result)) = self.run_at(&hit.pattern, size)? else { break };
            if judge_outcome(&run_result.outcome).is_some() {
                failing = size;
                *smallest = Some(size);
            } else {
                passing = size;
                // A shorter time is mostly that of the start of the program.
                passing_ms = Some(run_result.outcome.cpu_time_us as f64 / 1000.0).filter(|ms| *ms > limit_ms / 50.0);
            }
        }
        Ok(())
    }

    fn describe_slowness(&self, hit: &SlowHit, growth: &Ladder, smallest: Option<i128>) -> Result<FindingSlowness> {
        let meter = self.meter();
        let ordinary = self.space.ordinary_pattern(hit.pattern.axis, self.plan.seed);
        let (compared_size, work) = growth.steps.last().map_or((hit.size, 0), |(size, work)| (*size, work.total));
        let mut most_ordinary = 1;
        for seed in 0..COMPARED_INPUTS {
            let other = SlowPattern { seed: self.plan.seed.wrapping_add(seed), ..ordinary.clone() };
            most_ordinary = meter.measure_input(&other, compared_size)?.map_or(0, |work| work.total).max(most_ordinary);
        }
        let reference = meter.measure_accepted_at(&hit.pattern, compared_size)?;
        let to_size = |size: i128| u64::try_from(size).unwrap_or(u64::MAX);
        let law_name = |growth: &Ladder| {
            growth.law.as_ref().filter(|law| law.error <= MAX_LAW_ERROR).map(|law| law.class.to_string())
        };
        Ok(FindingSlowness {
            axis: self.space.axes[hit.pattern.axis].label.clone(),
            size: to_size(hit.size),
            smallest_size: smallest.map(to_size),
            law: law_name(growth),
            ordinary_law: law_name(&self.measure_ladder(&ordinary)?),
            compared_size: to_size(compared_size),
            times_ordinary: work as f64 / most_ordinary as f64,
            times_reference: reference.map(|reference| work as f64 / reference.max(1.0)),
            recipe: self.space.recipe_keys(&hit.pattern, hit.size),
        })
    }
}

impl Ladder {
    /// Returns the size at which a run takes `wanted_ms`, if one of `size` takes `ms`.
    fn size_of_time(&self, size: i128, ms: f64, wanted_ms: f64) -> Option<f64> {
        let law = self.law.as_ref()?;
        let wanted = law.work_at(size as f64) * wanted_ms / ms;
        let (mut low, mut high) = (size as f64, size as f64 * 2.0);
        while law.work_at(high) < wanted && high < 1e12 {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if law.work_at(middle) < wanted { low = middle } else { high = middle }
        }
        Some(high)
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::growth::{GrowthLaw, GrowthPoint};

    #[test]
    fn size_of_a_time_follows_the_law() {
        let points: Vec<GrowthPoint> = (8..20)
            .map(|i| GrowthPoint { size: libm::exp2(f64::from(i)), work: 1000.0 + libm::pow(4.0, f64::from(i)) })
            .collect();
        let growth = Ladder { steps: Vec::new(), law: GrowthLaw::fit_law(&points) };
        let size = growth.size_of_time(10_000, 100.0, 900.0).expect("a size");
        assert!((29_000.0..31_000.0).contains(&size), "{size}");
    }
}
