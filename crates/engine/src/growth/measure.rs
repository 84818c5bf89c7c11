//! Runs a submission on inputs of growing sizes and shapes, and decides whether one that is too slow is so by its growth or
//! only by a constant factor.

use super::axes::{NumberChoice, SizeAxis, narrow_format};
use super::fit::GrowthLaw;
use super::ladder::{Ladder, MeasuredWork, WorkLimit, WorkMeter};
use crate::event::{FittedWork, GrowthMeasured, GrowthReport, GrowthSample, SlowCause, SlowCauseKind};
use crate::tuning::{
    GROWTH_RUN_LIMIT_MS, MAX_GROWTH_ELEMENTS, MAX_GROWTH_TIME_US, MAX_MISSING_SIZES, MAX_SCREENING_TIME_US,
    MAX_SCREENING_WORK, MAX_WORK, MEASURED_SHAPES, MIN_SHAPE_PERCENT,
};
use rebut_diagnostics::Result;
use rebut_format::generate::{GenerationPlan, GenerationSettings, ScratchBuffers, generate_printed};
use rebut_format::language::Format;
use rebut_generators::{Choices, all_shapes};
use rebut_sandbox::CancelToken;
use rebut_toolchain::{CountedProgram, WorkUnit};
use std::collections::BTreeSet;

/// The shape of ordinary inputs: every value equally likely.
const ORDINARY_SHAPE: &str = "uniform";

/// Work up to which a size is used to compare shapes.
const SCREENING_LIMIT: WorkLimit = WorkLimit { branches: MAX_SCREENING_WORK, cpu_time_us: MAX_SCREENING_TIME_US };

/// Work after which no larger size is measured.
const LADDER_LIMIT: WorkLimit = WorkLimit { branches: MAX_WORK, cpu_time_us: MAX_GROWTH_TIME_US };

/// Exponents that differ by less are those of the same growth: a logarithm changes them by about a tenth.
const MIN_EXPONENT_DIFFERENCE: f64 = 0.25;

/// A submission whose work can be counted.
pub struct GrowthSubmission {
    /// Its name in reports.
    pub name: String,
    /// The program.
    pub program: CountedProgram,
}

/// The inputs to measure on, and the limits.
pub struct GrowthPlan<'a> {
    /// The format of the inputs.
    pub format: &'a Format,
    /// Seed of the inputs.
    pub seed: u64,
    /// Restricts the inputs to one shape; otherwise those that cost the most are found.
    pub shape: Option<String>,
    /// The processor time limit of the problem, in milliseconds.
    pub time_limit_ms: u64,
    /// Memory limit of runs, in bytes.
    pub memory_limit_bytes: u64,
    /// Cancels running programs.
    pub cancel: CancelToken,
}

/// Measures how the work of a submission grows, and returns the worst growth first. `note` is called with what is
/// measured next.
///
/// # Errors
/// Returns an error if the program cannot be started, or if the work was cancelled.
pub fn measure_growth(
    plan: &GrowthPlan<'_>,
    submission: &GrowthSubmission,
    note: &mut dyn FnMut(&str),
) -> Result<GrowthReport> {
    let mut rows = Vec::new();
    for axis in SizeAxis::for_format(plan.format) {
        note(&axis.label);
        let measurement = AxisMeasurement { plan, submission, axis: &axis };
        rows.extend(measurement.measure_shapes()?);
    }
    rows.sort_by(|a, b| b.predicted_work.total_cmp(&a.predicted_work));
    Ok(GrowthReport { submission: submission.name.clone(), rows })
}

struct AxisMeasurement<'a> {
    plan: &'a GrowthPlan<'a>,
    submission: &'a GrowthSubmission,
    axis: &'a SizeAxis,
}

impl AxisMeasurement<'_> {
    /// Measures ordinary inputs and those of the shapes that cost the most, or those of the only shape that is wanted.
    fn measure_shapes(&self) -> Result<Vec<GrowthMeasured>> {
        if let Some(wanted) = &self.plan.shape {
            return Ok(self.to_row(wanted, &self.climb(wanted)?).into_iter().collect());
        }
        let ordinary = self.climb(ORDINARY_SHAPE)?;
        let mut rows = Vec::new();
        if let Some((size, work)) = ordinary.steps.iter().rfind(|(_, work)| work.is_within(SCREENING_LIMIT)) {
            for shape in self.costly_shapes(*size, work.total)? {
                rows.extend(self.to_row(&shape, &self.climb(&shape)?));
            }
        }
        rows.sort_by(|a, b| b.predicted_work.total_cmp(&a.predicted_work));
        rows.truncate(1);
        rows.extend(self.to_row("", &ordinary));
        Ok(rows)
    }

    /// Returns the shapes with the inputs of that size that cost the most, if they cost more than ordinary ones.
    fn costly_shapes(&self, size: i128, ordinary_work: u64) -> Result<Vec<String>> {
        let Some(format) = self.narrow_format(size) else { return Ok(Vec::new()) };
        let mut seen: BTreeSet<Vec<u8>> = self.make_input(&format, None).into_iter().collect();
        let mut found: Vec<(u64, String)> = Vec::new();
        for shape in all_shapes() {
            let name = format!("{}/{}", shape.family.name(), shape.name);
            // A shape that the format has no place for leaves the input as it is.
            let Some(input) = self.make_input(&format, Some(&name)).filter(|input| seen.insert(input.clone())) else {
                continue;
            };
            let work = self.run_input(&input)?;
            if work.is_stopped || work.total.saturating_mul(100) > ordinary_work.saturating_mul(MIN_SHAPE_PERCENT) {
                found.push((work.total, name));
            }
        }
        found.sort_by(|a, b| b.cmp(a));
        Ok(found.into_iter().take(MEASURED_SHAPES).map(|(_, name)| name).collect())
    }

    /// Measures inputs of a shape at growing sizes.
    fn climb(&self, shape: &str) -> Result<Ladder> {
        Ladder::climb_sizes(&self.axis.sizes(), LADDER_LIMIT, MAX_MISSING_SIZES, |size| {
            let input = self.narrow_format(size).and_then(|format| self.make_input(&format, Some(shape)));
            input.map(|input| self.run_input(&input)).transpose()
        })
    }

    fn narrow_format(&self, size: i128) -> Option<Format> {
        narrow_format(self.plan.format, &self.axis.size_constraints(size, NumberChoice::Small))
    }

    fn make_input(&self, format: &Format, shape: Option<&str>) -> Option<Vec<u8>> {
        let settings = GenerationSettings {
            shape: shape.map(str::to_owned),
            max_elements: MAX_GROWTH_ELEMENTS,
            ..GenerationSettings::default()
        };
        let mut choices = Choices::from_seed(self.plan.seed, 0);
        let plan = GenerationPlan::new(format);
        generate_printed(&plan, &mut choices, &settings, &mut ScratchBuffers::default()).ok().map(|input| input.bytes)
    }

    fn run_input(&self, input: &[u8]) -> Result<MeasuredWork> {
        let meter = WorkMeter {
            program: &self.submission.program,
            cpu_time_limit_ms: GROWTH_RUN_LIMIT_MS,
            memory_limit_bytes: self.plan.memory_limit_bytes,
            cancel: &self.plan.cancel,
        };
        meter.count_work(input)
    }

    /// Returns the row of a report, or `None` if nothing was measured. `shape` is empty for ordinary inputs.
    fn to_row(&self, shape: &str, ladder: &Ladder) -> Option<GrowthMeasured> {
        let unit = ladder.steps.first()?.1.unit;
        let to_u64 = |size: i128| u64::try_from(size).unwrap_or(u64::MAX);
        let to_sample = |(size, work): &(i128, MeasuredWork)| GrowthSample {
            size: to_u64(*size),
            work: work.total,
            hottest: work.hottest,
            cpu_time_us: work.cpu_time_us,
        };
        let samples: Vec<GrowthSample> = ladder.steps.iter().map(to_sample).collect();
        let law = &ladder.law;
        let last = samples.last()?;
        let max_size = to_u64(self.axis.range.hi);
        let is_measured = last.size >= max_size;
        let predicted_work = match law {
            Some(law) if !is_measured => law.work_at(max_size as f64),
            _ => last.work as f64,
        };
        let sizes = samples.iter().map(|sample| sample.size).chain((!is_measured).then_some(max_size));
        let fitted_by =
            |law: &GrowthLaw| sizes.map(|size| FittedWork { size, work: law.work_at(size as f64) }).collect();
        Some(GrowthMeasured {
            fitted: law.as_ref().map(fitted_by).unwrap_or_default(),
            submission: self.submission.name.clone(),
            axis: self.axis.label.clone(),
            shape: shape.to_owned(),
            unit: if unit == WorkUnit::Branches { "branches" } else { "cpu-time-us" },
            law: law.as_ref().map(|law| law.class.to_string()),
            error: law.as_ref().map_or(0.0, |law| law.error),
            exponents: law.as_ref().map_or((0.0, 0.0), |law| law.exponents),
            max_size,
            predicted_work,
            predicted_ms: predicted_work * last.cpu_time_us as f64 / (last.work.max(1) as f64 * 1000.0),
            is_measured,
            time_limit_ms: self.plan.time_limit_ms,
            samples,
        })
    }
}

/// Compares the growth of a submission that is too slow with that of an accepted one, along the axis on which it is
/// predicted to be the furthest behind. Returns `None` if no axis was measured for both.
pub fn find_slow_cause(slow: &GrowthReport, accepted: &GrowthReport) -> Option<SlowCause> {
    // The first row of an axis is the one on which the most work is predicted.
    let pairs = slow.rows.iter().filter_map(|row| Some((row, accepted.rows.iter().find(|one| one.axis == row.axis)?)));
    let ratio =
        |(slow, accepted): &(&GrowthMeasured, &GrowthMeasured)| slow.predicted_work / accepted.predicted_work.max(1.0);
    let (slow_row, accepted_row) = pairs.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
    let difference = middle_exponent(slow_row) - middle_exponent(accepted_row);
    let kind =
        if difference >= MIN_EXPONENT_DIFFERENCE { SlowCauseKind::Growth } else { SlowCauseKind::ConstantFactor };
    Some(SlowCause {
        submission: slow.submission.clone(),
        accepted: accepted.submission.clone(),
        kind,
        axis: slow_row.axis.clone(),
        law: slow_row.law.clone(),
        accepted_law: accepted_row.law.clone(),
        max_size: slow_row.max_size,
        times_accepted: ratio(&(slow_row, accepted_row)),
    })
}

fn middle_exponent(row: &GrowthMeasured) -> f64 {
    f64::midpoint(row.exponents.0, row.exponents.1)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn report(name: &str, rows: &[(&str, f64, f64)]) -> GrowthReport {
        let to_row = |(axis, exponent, work): &(&str, f64, f64)| GrowthMeasured {
            submission: name.to_owned(),
            axis: (*axis).to_owned(),
            shape: String::new(),
            unit: "branches",
            law: Some(format!("n^{exponent}")),
            error: 0.0,
            exponents: (exponent - 0.05, exponent + 0.05),
            samples: Vec::new(),
            fitted: Vec::new(),
            max_size: 1000,
            predicted_work: *work,
            predicted_ms: 0.0,
            is_measured: false,
            time_limit_ms: 1000,
        };
        GrowthReport { submission: name.to_owned(), rows: rows.iter().map(to_row).collect() }
    }

    #[test]
    fn growth_and_constant_factors_are_told_apart() {
        let accepted = report("ac", &[("n", 1.1, 1e7), ("m", 1.0, 1e6)]);
        let cause = |rows: &[(&str, f64, f64)]| find_slow_cause(&report("tle", rows), &accepted).expect("a cause");
        let by_growth = cause(&[("n", 2.0, 1e10), ("m", 1.0, 3e6)]);
        assert_eq!((by_growth.kind, by_growth.axis.as_str()), (SlowCauseKind::Growth, "n"));
        let by_constant = cause(&[("m", 1.05, 9e7), ("n", 1.1, 2e7)]);
        assert_eq!((by_constant.kind, by_constant.axis.as_str()), (SlowCauseKind::ConstantFactor, "m"));
        assert_eq!(find_slow_cause(&report("tle", &[("k", 2.0, 1e9)]), &accepted), None);
    }
}
