//! How programs are started.

use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, Program, RunJob, RunOutcome};

/// How programs are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunEngine {
    /// A new process for each run: the exact engine.
    #[default]
    Exec,
    /// The fastest engine available for each program. Failures are confirmed with [`RunEngine::Exec`].
    Quick,
}

impl RunEngine {
    /// Runs a program once.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub(crate) fn run_program(self, program: &Program, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        match self {
            RunEngine::Exec => program.run_job(job, cancel),
            RunEngine::Quick => program.run_job_fast(job, cancel),
        }
    }
}
