//! A run that counts its work.

use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, RunLimits, RunOutcome};
use rebut_toolchain::{CountedProgram, WorkCount};

/// Runs a program on an input within a limit of processor time in milliseconds, and counts its work.
///
/// # Errors
/// Returns an error if the program cannot be started, or if the work was cancelled.
pub(crate) fn run_counted(
    program: &CountedProgram,
    input: &[u8],
    cpu_time_limit_ms: u64,
    memory_limit_bytes: u64,
    cancel: &CancelToken,
) -> Result<(RunOutcome, WorkCount)> {
    let limits =
        RunLimits { memory_limit_bytes, cpu_time_slack_ms: 0, ..RunLimits::with_cpu_time_ms(cpu_time_limit_ms) };
    program.run(input, &limits, cancel)
}
