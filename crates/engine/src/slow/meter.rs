//! Counts the work of a submission, and of an accepted solution, on the inputs of patterns.

use super::pattern::{PatternSpace, SlowPattern};
use crate::growth::{MeasuredWork, WorkLimit, WorkMeter};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_toolchain::WorkUnit;

/// Work up to which an input is used to compare patterns: a few milliseconds.
const SCREENING_LIMIT: WorkLimit = WorkLimit { branches: 400_000, cpu_time_us: 60_000 };

/// Maximum size of an input to compare patterns. A linear program is cheap at a much larger one, but where it is
/// quadratic, each run would take seconds there.
const MAX_SCREENING_SIZE: i128 = 8192;

/// Processor time limit of such a run in milliseconds. A pattern that takes longer on a small input is followed anyway.
pub(super) const PATTERN_RUN_LIMIT_MS: u64 = 400;

/// Maximum number of neighbouring sizes that are tried where there is no input of a size.
const MAX_SKIPPED_SIZES: usize = 3;

/// Processor time of a branch, in milliseconds, as far as it must be guessed.
const MS_PER_BRANCH: f64 = 1.0e-6;

/// The sizes at which the patterns of an axis are measured.
#[derive(Clone, Debug)]
pub(super) struct AxisSizes {
    /// Three sizes, each about twice the one before.
    pub(super) measured: [i128; 3],
    /// The largest size for which there is an input.
    pub(super) full: i128,
    /// The work on ordinary inputs at the measured sizes.
    pub(super) ordinary: [MeasuredWork; 3],
}

impl AxisSizes {
    /// Predicts the work at full size from that at the measured sizes. Differences are compared, since a constant part
    /// hides the growth of small inputs.
    pub(super) fn predict_work(&self, work: [f64; 3], repetitions: i128) -> f64 {
        const MIN_EXPONENT: f64 = 0.5;
        const MAX_EXPONENT: f64 = 4.0;
        let [small, middle, large] = work;
        let [s, m, l] = self.measured.map(|size| size as f64);
        let slope = |from: f64, to: f64, less: f64, more: f64| ((to - from) / (more - less).max(1.0)).max(1e-9);
        let (first, second) = (slope(small, middle, s, m), slope(middle, large, m, l));
        let doublings = libm::log2(((l + m) / (m + s).max(1.0)).max(1.1));
        let exponent = (1.0 + libm::log2(second / first) / doublings).clamp(MIN_EXPONENT, MAX_EXPONENT);
        // The slope between two sizes is that of the power in their middle.
        let of_power = first * s / (exponent * libm::pow(f64::midpoint(s, m) / s, exponent - 1.0));
        let constant = (small - of_power).clamp(0.0, small);
        let at_full = constant + (large - constant) * libm::pow(self.full as f64 / l.max(1.0), exponent);
        at_full * repetitions as f64
    }
}

/// Counts the work on inputs of patterns.
pub(super) struct PatternMeter<'a> {
    pub(super) space: &'a PatternSpace<'a>,
    pub(super) submission: WorkMeter<'a>,
    /// A solution that is fast enough, for comparison.
    pub(super) accepted: Option<WorkMeter<'a>>,
    pub(super) jobs: usize,
}

/// The growth of the work of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternGrowth {
    /// Predicted work at full size.
    pub(super) total: f64,
    /// The same of the most frequently executed branch.
    pub(super) hottest: f64,
    /// The same of the accepted solution; absent without one, or where it takes too long itself.
    pub(super) accepted: Option<f64>,
    /// Predicted processor time in milliseconds.
    pub(super) ms: f64,
}

impl PatternMeter<'_> {
    /// Measures the submission on an input. Returns `None` if there is no such input.
    pub(super) fn measure_input(&self, pattern: &SlowPattern, size: i128) -> Result<Option<MeasuredWork>> {
        let Some(input) = self.space.make_small_input(pattern, size)? else { return Ok(None) };
        self.submission.count_work(&input.bytes).map(Some)
    }

    /// Measures the submission on the largest measured size of each of several patterns.
    pub(super) fn measure_all(
        &self,
        patterns: &[SlowPattern],
        sizes: &[Option<AxisSizes>],
    ) -> Result<Vec<Option<MeasuredWork>>> {
        let measure = |index: usize| {
            let pattern = &patterns[index];
            let Some(sizes) = &sizes[pattern.axis] else { return Ok(None) };
            self.measure_input(pattern, sizes.measured[2])
        };
        run_in_parallel(self.jobs, patterns.len(), measure, &mut |_| ())
    }

    /// Measures how the work of a pattern grows, given that at the largest measured size.
    pub(super) fn measure_growth(
        &self,
        pattern: &SlowPattern,
        sizes: &AxisSizes,
        largest: MeasuredWork,
    ) -> Result<Option<PatternGrowth>> {
        let [small, middle] = [sizes.measured[0], sizes.measured[1]].map(|size| self.measure_input(pattern, size));
        let (Some(small), Some(middle)) = (small?, middle?) else { return Ok(None) };
        let repetitions = self.space.axes[pattern.axis].repetitions;
        let predict = |part: fn(&MeasuredWork) -> u64| {
            sizes.predict_work([&small, &middle, &largest].map(|work| part(work) as f64), repetitions)
        };
        let total = predict(|work| work.total);
        let hottest = predict(|work| work.hottest);
        let accepted = self.measure_accepted(pattern, sizes)?.map(|work| sizes.predict_work(work, repetitions));
        let ms_per_unit = if largest.unit == WorkUnit::Branches { MS_PER_BRANCH } else { 1e-3 };
        Ok(Some(PatternGrowth { total, hottest, accepted, ms: total * ms_per_unit }))
    }

    fn measure_accepted(&self, pattern: &SlowPattern, sizes: &AxisSizes) -> Result<Option<[f64; 3]>> {
        let mut work = [0.0; 3];
        for (size, work) in sizes.measured.iter().zip(&mut work) {
            let Some(measured) = self.measure_accepted_at(pattern, *size)? else { return Ok(None) };
            *work = measured;
        }
        Ok(Some(work))
    }

    /// Returns the work of the accepted solution, if there is one and it is not too slow for that size either.
    pub(super) fn measure_accepted_at(&self, pattern: &SlowPattern, size: i128) -> Result<Option<f64>> {
        let Some(accepted) = &self.accepted else { return Ok(None) };
        let Some(input) = self.space.make_small_input(pattern, size)? else { return Ok(None) };
        let work = accepted.count_work(&input.bytes)?;
        Ok((!work.is_stopped).then_some(work.total as f64))
    }

    /// Returns the sizes at which the patterns of an axis are measured: as large as ordinary inputs stay cheap. Returns
    /// `None` if there are not enough sizes.
    pub(super) fn choose_sizes(&self, axis: usize, seed: u64) -> Result<Option<AxisSizes>> {
        let ordinary = self.space.ordinary_pattern(axis, seed);
        let sizes = self.space.axes[axis].sizes();
        let is_small = |size: &i128| *size <= MAX_SCREENING_SIZE || !self.space.axes[axis].grows_length();
        let mut largest = None;
        for size in sizes.iter().filter(|size| is_small(size)) {
            let Some(size) = self.find_size_near(&ordinary, *size)? else { continue };
            let Some(work) = self.measure_input(&ordinary, size)? else { continue };
            if largest.is_some() && !work.is_within(SCREENING_LIMIT) {
                break;
            }
            largest = Some(size);
        }
        let (Some(largest), Some(full)) = (largest, self.find_full_size(&ordinary, &sizes)?) else { return Ok(None) };
        let least = self.space.axes[axis].range.lo.max(1);
        let [quarter, half] = [4, 2].map(|part| self.find_size_near(&ordinary, (largest / part).max(least)));
        let (Some(quarter), Some(half)) = (quarter?, half?) else { return Ok(None) };
        let measured = [quarter, half, largest];
        if measured[0] >= measured[1] || measured[1] >= measured[2] {
            return Ok(None);
        }
        let [small, middle, large] = measured.map(|size| self.measure_input(&ordinary, size));
        let (Some(small), Some(middle), Some(large)) = (small?, middle?, large?) else { return Ok(None) };
        Ok(Some(AxisSizes { measured, full, ordinary: [small, middle, large] }))
    }

    /// Returns the largest of the sizes for which there is an ordinary input, or one just below it.
    fn find_full_size(&self, ordinary: &SlowPattern, sizes: &[i128]) -> Result<Option<i128>> {
        for size in sizes.iter().rev() {
            if let Some(size) = self.find_size_near(ordinary, *size)? {
                return Ok(Some(size));
            }
        }
        Ok(None)
    }

    /// Returns the largest size up to this one for which there is an ordinary input: not every size may be possible, such
    /// as an odd length of a bracket sequence.
    fn find_size_near(&self, ordinary: &SlowPattern, size: i128) -> Result<Option<i128>> {
        let least = self.space.axes[ordinary.axis].range.lo.max(1);
        for size in (least..=size).rev().take(MAX_SKIPPED_SIZES) {
            if self.space.make_small_input(ordinary, size)?.is_some() {
                return Ok(Some(size));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(full: i128) -> AxisSizes {
        let nothing =
            MeasuredWork { unit: WorkUnit::Branches, total: 0, hottest: 0, cpu_time_us: 0, is_stopped: false };
        AxisSizes { measured: [1000, 2000, 4000], full, ordinary: [nothing; 3] }
    }

    #[test]
    fn growth_is_predicted_in_spite_of_a_constant_part() {
        let sizes = sizes(200_000);
        let cases: [fn(f64) -> f64; 4] = [
            |n| 5000.0 + 10.0 * n,
            |n| 5000.0 + 3.0 * n * libm::log2(n),
            |n| 50_000.0 + 0.5 * n * n,
            |n| 90_000.0 + 40.0 * n + n * n,
        ];
        for (number, work) in cases.into_iter().enumerate() {
            let predicted = sizes.predict_work(sizes.measured.map(|size| work(size as f64)), 1);
            let ratio = predicted / work(200_000.0);
            assert!((0.5..2.0).contains(&ratio), "{number}: {ratio}");
        }
    }
}
