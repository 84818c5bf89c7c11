//! What a program may use.

/// One mebibyte.
pub(crate) const MIB: u64 = 1 << 20;

/// The limits of one run. None of them is infinite: whatever a program does, its run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processor time, user and system together. What decides a time limit verdict: a program that ends by itself
    /// within the slack behind it is run again, and the shortest time counts.
    pub cpu_time_limit_ms: u64,
    /// How much longer a program may run on, a quarter where nothing else is said: the time that it takes varies from run
    /// to run, and what ends so near its limit is not decided by one run.
    pub cpu_time_slack_ms: u64,
    /// Time on the wall clock. Stops programs that sleep or wait; time spent ready to run, but without a
    /// processor, is given back, so a busy machine does not use it up.
    pub wall_time_limit_ms: u64,
    /// Memory, stack included: a stack may grow until the whole of it is used.
    pub memory_limit_bytes: u64,
    /// The most that may be written to the output, and the most that may be written to the error stream.
    pub output_limit_bytes: u64,
}

impl Limits {
    /// The default limits with another processor time, and the wall time that goes with it: twice that and
    /// a second more, so that it is reached only by programs that do not compute.
    pub fn with_cpu_time_ms(cpu_time_limit_ms: u64) -> Self {
        Limits {
            cpu_time_limit_ms,
            cpu_time_slack_ms: cpu_time_limit_ms / 4,
            wall_time_limit_ms: cpu_time_limit_ms.saturating_mul(2).saturating_add(1000),
            memory_limit_bytes: 1024 * MIB,
            output_limit_bytes: 64 * MIB,
        }
    }
}

impl Limits {
    /// The processor time of usual limits under which a program is stopped about there.
    pub fn stopped_at_ms(end_ms: u64) -> u64 {
        end_ms.saturating_mul(4).div_ceil(5)
    }

    /// The same with the slack as a part of the processor time.
    pub fn stretched(&self) -> Self {
        let cpu_time_limit_ms = self.cpu_time_limit_ms.saturating_add(self.cpu_time_slack_ms);
        Limits { cpu_time_limit_ms, cpu_time_slack_ms: 0, ..self.clone() }
    }
}

/// The limits of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time of all its processes. On the wall clock it has five times as much: on a busy machine a large header
    /// takes minutes, and the driver that waits for the real compiler cannot tell why.
    pub cpu_time_ms: u64,
    /// Memory of all its processes at a time.
    pub memory_bytes: u64,
    /// The most that it may write: results and temporary files together, and messages.
    pub output_bytes: u64,
}

/// A minute of processor time, 2 GiB of memory, 256 MiB of files: far more than any submission needs.
impl Default for CompileLimits {
    fn default() -> Self {
        CompileLimits { cpu_time_ms: 60_000, memory_bytes: 2048 * MIB, output_bytes: 256 * MIB }
    }
}

impl CompileLimits {
    /// The limits of its run.
    pub(super) fn of_run(&self) -> Limits {
        Limits {
            cpu_time_limit_ms: self.cpu_time_ms,
            cpu_time_slack_ms: 0,
            wall_time_limit_ms: self.cpu_time_ms.saturating_mul(5),
            memory_limit_bytes: self.memory_bytes,
            output_limit_bytes: self.output_bytes,
        }
    }
}

/// Two seconds of processor time, five on the wall, 1 GiB of memory, 64 MiB of output: usual for a contest,
/// and far more than a stress run's small inputs need.
impl Default for Limits {
    fn default() -> Self {
        Limits::with_cpu_time_ms(2000)
    }
}
