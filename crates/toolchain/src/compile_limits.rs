//! Resource limits of compilers.

use rebut_sandbox::{MIB, RunLimits};

/// The limits of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Processor time of all its processes. The wall time is five times as long: on a busy machine a large header takes
    /// minutes, while the driver merely waits for the actual compiler.
    pub cpu_time_ms: u64,
    /// Memory of all its processes together.
    pub memory_bytes: u64,
    /// Maximum number of bytes that it writes: results and temporary files together, and messages.
    pub output_bytes: u64,
}

/// A minute of processor time, 2 GiB of memory, 256 MiB of files: far more than any submission needs.
impl Default for CompileLimits {
    fn default() -> Self {
        CompileLimits { cpu_time_ms: 60_000, memory_bytes: 2048 * MIB, output_bytes: 256 * MIB }
    }
}

impl CompileLimits {
    /// Returns the limits of the compiler's run.
    pub(crate) fn to_run_limits(&self) -> RunLimits {
        RunLimits {
            cpu_time_limit_ms: self.cpu_time_ms,
            cpu_time_slack_ms: 0,
            wall_time_limit_ms: self.cpu_time_ms.saturating_mul(5),
            memory_limit_bytes: self.memory_bytes,
            output_limit_bytes: self.output_bytes,
        }
    }
}
