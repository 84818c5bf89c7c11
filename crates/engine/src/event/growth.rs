//! How the cost of submissions grows.

use serde::Serialize;

/// How the work of a submission grows along one axis, on inputs of one shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthMeasured {
    /// The submission.
    pub submission: String,
    /// The name of the size that grows, or of several with the same value, such as `n = m`.
    pub axis: String,
    /// The shape of the inputs, as in `--shape`; empty for ordinary random inputs.
    pub shape: String,
    /// `branches` or `cpu-time-us`: the unit of the work.
    pub unit: &'static str,
    /// The law, such as `n log n`; absent if there were too few sizes.
    pub law: Option<String>,
    /// Mean relative error of the law.
    pub error: f64,
    /// Smallest and largest exponent of the growth in the upper half of the sizes.
    pub exponents: (f64, f64),
    /// The measurements, the smallest size first.
    pub samples: Vec<GrowthSample>,
    /// The work by the law at the measured sizes and at the largest one; empty without a law.
    pub fitted: Vec<FittedWork>,
    /// The largest size that the format allows.
    pub max_size: u64,
    /// Predicted work at that size.
    pub predicted_work: f64,
    /// Predicted processor time at that size, in milliseconds.
    pub predicted_ms: f64,
    /// True if that size was measured, so that nothing is extrapolated.
    pub is_measured: bool,
    /// The processor time limit, in milliseconds.
    pub time_limit_ms: u64,
}

/// The work on one input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthSample {
    /// The size.
    pub size: u64,
    /// The work.
    pub work: u64,
    /// Executions of the most frequently executed branch.
    pub hottest: u64,
    /// Processor time in microseconds.
    pub cpu_time_us: u64,
}

/// The work by a law of growth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FittedWork {
    /// The size.
    pub size: u64,
    /// The work, in the unit of the measurements.
    pub work: f64,
}

/// How the costs of a submission grow: the worst first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GrowthReport {
    /// The submission.
    pub submission: String,
    /// Each axis, with the shape that costs the most and with ordinary inputs.
    pub rows: Vec<GrowthMeasured>,
}

/// Why a submission is too slow, by comparison with an accepted one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SlowCause {
    /// The submission that is too slow.
    pub submission: String,
    /// The accepted submission that it is compared with.
    pub accepted: String,
    /// The cause.
    pub kind: SlowCauseKind,
    /// The size along which it is predicted to be the furthest behind.
    pub axis: String,
    /// The law of growth along it, on the inputs that cost the most.
    pub law: Option<String>,
    /// The same of the accepted submission.
    pub accepted_law: Option<String>,
    /// The largest size that the format allows.
    pub max_size: u64,
    /// The predicted work there, as a multiple of that of the accepted submission.
    pub times_accepted: f64,
}

/// A reason to be too slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SlowCauseKind {
    /// The cost grows faster.
    Growth,
    /// The cost grows alike, and is larger by a factor.
    ConstantFactor,
}

/// The time limit compared with counted work, which does not depend on the machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkMargins {
    /// The run with the most work of a submission that must stay within the limit.
    pub costliest: CountedWork,
    /// Of each submission that must exceed the limit, the run that is the furthest above the others on the same input,
    /// in the order of the submissions.
    pub slow: Vec<SlowWork>,
    /// The limit on processor time, in milliseconds.
    pub cpu_time_limit_ms: u64,
    /// Processor time of a million branches in the costliest run, in microseconds; absent if that run is too short to
    /// tell.
    pub us_per_million: Option<f64>,
    /// The limit as a multiple of the time of the costliest run.
    pub limit_to_costliest: Option<f64>,
    /// The least work of the slow submissions, in the worst of their runs, as a multiple of the limit.
    pub least_slow_to_limit: Option<f64>,
    /// The smallest and the largest limit, in milliseconds, that keep the factors which the package requires on both
    /// sides. The first is larger if there is no such limit. The second is absent if no run of the slow submissions
    /// was counted to its end.
    pub limits_ms: Option<(u64, Option<u64>)>,
    /// Submissions in languages for which work is not counted.
    pub uncounted: Vec<String>,
}

/// The work of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CountedWork {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Number of executed branches.
    pub work: u64,
    /// Whether the run was stopped, so that it would have taken more.
    pub was_stopped: bool,
}

/// The work of a submission that must exceed the time limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SlowWork {
    /// The run.
    pub run: CountedWork,
    /// Its work as a multiple of the most that a submission within the limit needs on the same input.
    pub times_accepted: f64,
}
