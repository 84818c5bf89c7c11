//! The meter of growth, margins and slow inputs: counts the work of a program on one input, or on inputs of growing sizes.

use super::fit::{GrowthLaw, GrowthPoint};
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, RunLimits};
use rebut_toolchain::{CountedProgram, WorkUnit};

/// Runs a program and counts its work.
pub(crate) struct WorkMeter<'a> {
    pub(crate) program: &'a CountedProgram,
    pub(crate) cpu_time_limit_ms: u64,
    pub(crate) memory_limit_bytes: u64,
    pub(crate) cancel: &'a CancelToken,
}

/// The work of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeasuredWork {
    pub(crate) unit: WorkUnit,
    /// The whole work, and that of the most frequently executed branch.
    pub(crate) total: u64,
    pub(crate) hottest: u64,
    pub(crate) cpu_time_us: u64,
    /// Whether the run was stopped by a limit, so that the work is a lower bound.
    pub(crate) is_stopped: bool,
}

/// An amount of work in each unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkLimit {
    pub(crate) branches: u64,
    pub(crate) cpu_time_us: u64,
}

/// The work at growing sizes, and the law that fits.
pub(crate) struct Ladder {
    /// The runs that ended by themselves, the smallest size first.
    pub(crate) steps: Vec<(i128, MeasuredWork)>,
    pub(crate) law: Option<GrowthLaw>,
}

impl WorkMeter<'_> {
    /// Runs the program on an input.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub(crate) fn count_work(&self, input: &[u8]) -> Result<MeasuredWork> {
        let limits = RunLimits {
            memory_limit_bytes: self.memory_limit_bytes,
            cpu_time_slack_ms: 0,
            ..RunLimits::with_cpu_time_ms(self.cpu_time_limit_ms)
        };
        let (outcome, work) = self.program.run(input, &limits, self.cancel)?;
        Ok(MeasuredWork {
            unit: work.unit,
            total: work.total,
            hottest: work.hottest,
            cpu_time_us: outcome.cpu_time_us,
            is_stopped: outcome.limit.is_some(),
        })
    }
}

impl MeasuredWork {
    /// Returns true if the run ended by itself within this much work.
    pub(crate) fn is_within(&self, limit: WorkLimit) -> bool {
        let most = match self.unit {
            WorkUnit::Branches => limit.branches,
            WorkUnit::CpuTime => limit.cpu_time_us,
        };
        !self.is_stopped && self.total <= most
    }
}

impl Ladder {
    /// Measures at each of the ascending sizes up to one that costs more than `limit`. After the first measurement,
    /// `max_missing` sizes in a row without an input end the ladder as well.
    pub(crate) fn climb_sizes(
        sizes: &[i128],
        limit: WorkLimit,
        max_missing: usize,
        measure: impl Fn(i128) -> Result<Option<MeasuredWork>>,
    ) -> Result<Ladder> {
        let mut steps = Vec::new();
        let mut missing = 0;
        for &size in sizes {
            let Some(work) = measure(size)? else {
                missing += 1;
                if !steps.is_empty() && missing >= max_missing {
                    break;
                }
                continue;
            };
            missing = 0;
            if !work.is_stopped {
                steps.push((size, work));
            }
            if !work.is_within(limit) {
                break;
            }
        }
        let to_point =
            |(size, work): &(i128, MeasuredWork)| GrowthPoint { size: *size as f64, work: work.total as f64 };
        let law = GrowthLaw::fit_law(&steps.iter().map(to_point).collect::<Vec<_>>());
        Ok(Ladder { steps, law })
    }
}
