//! Runs a submission on inputs of growing sizes and shapes.

use super::axes::{NumberChoice, SizeAxis, narrow_format};
use super::counted_run::run_counted;
use super::fit::{GrowthLaw, GrowthPoint};
use crate::event::{FittedWork, GrowthMeasured, GrowthReport, GrowthSample};
use crate::tuning::{
    GROWTH_RUN_LIMIT_MS, MAX_GROWTH_ELEMENTS, MAX_GROWTH_TIME_US, MAX_MISSING_SIZES, MAX_SCREENING_TIME_US,
    MAX_SCREENING_WORK, MAX_WORK, MEASURED_SHAPES, MIN_SHAPE_PERCENT,
};
use rebut_diagnostics::Result;
use rebut_format::generate::{GenerationPlan, GenerationSettings, ScratchBuffers, generate_printed};
use rebut_format::language::Format;
use rebut_generators::{Choices, all_shapes};
use rebut_sandbox::CancelToken;
use rebut_toolchain::{CountedProgram, WorkCount, WorkUnit};
use std::collections::BTreeSet;

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

/// A run and whether it ended by itself.
struct CountedRun {
    sample: GrowthSample,
    unit: WorkUnit,
    is_stopped: bool,
}

impl AxisMeasurement<'_> {
    /// Measures ordinary inputs and those of the shapes that cost the most, or those of the only shape that is wanted.
    fn measure_shapes(&self) -> Result<Vec<GrowthMeasured>> {
        if self.plan.shape.is_some() {
            let runs = self.run_sizes(self.plan.shape.as_deref())?;
            return Ok(self.to_row(self.plan.shape.as_deref(), runs).into_iter().collect());
        }
        let ordinary = self.run_sizes(Some(ORDINARY_SHAPE))?;
        let is_cheap = |run: &&CountedRun| match run.unit {
            WorkUnit::Branches => run.sample.work <= MAX_SCREENING_WORK,
            WorkUnit::CpuTime => run.sample.work <= MAX_SCREENING_TIME_US,
        };
        let screened = ordinary.iter().rfind(is_cheap).map(|run| (run.sample.size, run.sample.work));
        let mut rows = Vec::new();
        for shape in screened.map_or(Ok(Vec::new()), |(size, work)| self.costly_shapes(size, work))? {
            let runs = self.run_sizes(Some(&shape))?;
            rows.extend(self.to_row(Some(&shape), runs));
        }
        rows.sort_by(|a, b| b.predicted_work.total_cmp(&a.predicted_work));
        rows.truncate(1);
        rows.extend(self.to_row(None, ordinary));
        Ok(rows)
    }

    /// Returns the shapes with the inputs of that size that cost the most, if they cost more than ordinary ones.
    fn costly_shapes(&self, size: u64, ordinary_work: u64) -> Result<Vec<String>> {
        let Some(format) = self.narrow_format(size.into()) else { return Ok(Vec::new()) };
        let mut seen: BTreeSet<Vec<u8>> = self.make_input(&format, None).into_iter().collect();
        let mut found: Vec<(u64, String)> = Vec::new();
        for shape in all_shapes() {
            let name = format!("{}/{}", shape.family.name(), shape.name);
            // A shape that the format has no place for leaves the input as it is.
            let Some(input) = self.make_input(&format, Some(&name)).filter(|input| seen.insert(input.clone())) else {
                continue;
            };
            let run = self.run_input(&input, size)?;
            if run.is_stopped || run.sample.work.saturating_mul(100) > ordinary_work.saturating_mul(MIN_SHAPE_PERCENT) {
                found.push((run.sample.work, name));
            }
        }
        found.sort_by(|a, b| b.cmp(a));
        Ok(found.into_iter().take(MEASURED_SHAPES).map(|(_, name)| name).collect())
    }

    /// Runs the submission on inputs of growing sizes until one costs too much.
    fn run_sizes(&self, shape: Option<&str>) -> Result<Vec<CountedRun>> {
        let mut runs: Vec<CountedRun> = Vec::new();
        let mut missing = 0;
        for size in self.axis.sizes() {
            let input = self.narrow_format(size).and_then(|format| self.make_input(&format, shape));
            let Some(input) = input else {
                missing += 1;
                if !runs.is_empty() && missing >= MAX_MISSING_SIZES {
                    break;
                }
                continue;
            };
            missing = 0;
            let run = self.run_input(&input, u64::try_from(size).unwrap_or(u64::MAX))?;
            let limit = if run.unit == WorkUnit::Branches { MAX_WORK } else { MAX_GROWTH_TIME_US };
            let is_last = run.is_stopped || run.sample.work > limit;
            if !run.is_stopped {
                runs.push(run);
            }
            if is_last {
                break;
            }
        }
        Ok(runs)
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

    fn run_input(&self, input: &[u8], size: u64) -> Result<CountedRun> {
        let (outcome, work) = run_counted(
            &self.submission.program,
            input,
            GROWTH_RUN_LIMIT_MS,
            self.plan.memory_limit_bytes,
            &self.plan.cancel,
        )?;
        let WorkCount { unit, total, hottest } = work;
        let sample = GrowthSample { size, work: total, hottest, cpu_time_us: outcome.cpu_time_us };
        Ok(CountedRun { sample, unit, is_stopped: outcome.limit.is_some() })
    }

    /// Returns the row of a report for the runs, or `None` if there are none.
    fn to_row(&self, shape: Option<&str>, runs: Vec<CountedRun>) -> Option<GrowthMeasured> {
        let unit = runs.first()?.unit;
        let samples: Vec<GrowthSample> = runs.into_iter().map(|run| run.sample).collect();
        let points: Vec<GrowthPoint> =
            samples.iter().map(|sample| GrowthPoint { size: sample.size as f64, work: sample.work as f64 }).collect();
        let law = GrowthLaw::fit_law(&points);
        let last = samples.last()?;
        let max_size = u64::try_from(self.axis.range.hi).unwrap_or(u64::MAX);
        let is_measured = last.size >= max_size;
        let predicted_work = match &law {
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
            shape: shape.unwrap_or_default().to_owned(),
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

/// The shape of ordinary inputs: every value equally likely.
const ORDINARY_SHAPE: &str = "uniform";
