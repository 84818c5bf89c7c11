//! Resource limits of runs and compilers.

/// One mebibyte.
pub const MIB: u64 = 1 << 20;

/// The limits of one run. None of them is infinite, so every run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// Processor time, user and system together. It decides a time limit verdict: a program that ends by itself within
    /// the slack after the limit is run again, and the shortest time counts.
    pub cpu_time_limit_ms: u64,
    /// How much longer a program can run on, by default a quarter of the limit. Times vary from run to run, so a
    /// program that ends near its limit is not judged by one run.
    pub cpu_time_slack_ms: u64,
    /// Elapsed time. Stops programs that sleep or wait. Time spent waiting for a processor does not count, so that a
    /// busy machine does not use it up.
    pub wall_time_limit_ms: u64,
    /// Memory, including the stack, which can grow until it takes all of it.
    pub memory_limit_bytes: u64,
    /// Maximum number of bytes written to the output, and to the error stream.
    pub output_limit_bytes: u64,
}

impl RunLimits {
    /// Returns the default limits with another processor time. The wall time is twice that and a second more, so that
    /// only programs that hardly compute reach it.
    pub fn with_cpu_time_ms(cpu_time_limit_ms: u64) -> Self {
        RunLimits {
            cpu_time_limit_ms,
            cpu_time_slack_ms: cpu_time_limit_ms / 4,
            wall_time_limit_ms: cpu_time_limit_ms.saturating_mul(2).saturating_add(1000),
            memory_limit_bytes: 1024 * MIB,
            output_limit_bytes: 64 * MIB,
        }
    }
}

impl RunLimits {
    /// Returns the processor time limit with which a program is stopped after about `end_ms`, including the default
    /// slack.
    pub fn cpu_limit_for_stop_ms(end_ms: u64) -> u64 {
        end_ms.saturating_mul(4).div_ceil(5)
    }

    /// Returns the limits with the slack added to the processor time.
    pub fn including_slack(&self) -> Self {
        let cpu_time_limit_ms = self.cpu_time_limit_ms.saturating_add(self.cpu_time_slack_ms);
        RunLimits { cpu_time_limit_ms, cpu_time_slack_ms: 0, ..self.clone() }
    }
}

/// Two seconds of processor time, five of wall time, 1 GiB of memory, 64 MiB of output: usual for a contest, and far
/// more than the small inputs of a stress test need.
impl Default for RunLimits {
    fn default() -> Self {
        RunLimits::with_cpu_time_ms(2000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_runs_follow_from_the_processor_time() {
        let limits = RunLimits::with_cpu_time_ms(2000);
        assert_eq!((limits.cpu_time_slack_ms, limits.wall_time_limit_ms), (500, 5000));
        let whole = limits.including_slack();
        assert_eq!((whole.cpu_time_limit_ms, whole.cpu_time_slack_ms), (2500, 0));
        assert_eq!(RunLimits::with_cpu_time_ms(u64::MAX).wall_time_limit_ms, u64::MAX);
    }

    #[test]
    fn a_program_is_stopped_after_the_wanted_time() {
        for end_ms in [0, 1, 100, 999, 12_345] {
            let limit = RunLimits::cpu_limit_for_stop_ms(end_ms);
            let stop = RunLimits::with_cpu_time_ms(limit).including_slack().cpu_time_limit_ms;
            assert!((end_ms..=end_ms + 1).contains(&stop), "{end_ms}: {stop}");
        }
    }
}
