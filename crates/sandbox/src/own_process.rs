//! Another run of this very program, on the same standard streams.

use rebut_diagnostics::{Error, Result};
use std::ffi::OsString;
use std::process::{Child, Command, ExitStatus};

/// A run of this program that another run started and waits for. It is trusted: it has no limits and no sandbox.
#[derive(Debug)]
pub struct OwnProcess {
    child: Child,
}

impl OwnProcess {
    /// Starts this program with these arguments, without its name.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn start(arguments: &[OsString]) -> Result<OwnProcess> {
        let failed = |cause: std::io::Error| Error::operating_error(format!("failed to start rebut again: {cause}"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.args(arguments);
        // ^C on a terminal reaches only the caller, which passes it on once: a second signal would end the run before
        // it has reported.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(OwnProcess { child: command.spawn().map_err(failed)? })
    }

    /// Returns the exit code if the run has ended. A run that a signal ended has the code that shells give it.
    ///
    /// # Errors
    /// Returns an error if the system does not tell.
    pub fn poll_exit_code(&mut self) -> Result<Option<i32>> {
        Ok(self.child.try_wait().map_err(|cause| cannot_wait(&cause))?.map(exit_code))
    }

    /// Interrupts the run, waits for its end, and returns the exit code.
    ///
    /// # Errors
    /// Returns an error if the system does not tell.
    pub fn interrupt_and_wait(mut self) -> Result<i32> {
        self.interrupt();
        Ok(exit_code(self.child.wait().map_err(|cause| cannot_wait(&cause))?))
    }

    /// Sends what ^C sends, so that the run reports what it has found.
    #[cfg(unix)]
    fn interrupt(&self) {
        let id = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        // A run that has just ended needs no signal.
        let _ = id.map(|id| rustix::process::kill_process(id, rustix::process::Signal::INT));
    }

    #[cfg(not(unix))]
    fn interrupt(&mut self) {
        // A run that has just ended needs no signal.
        let _ = self.child.kill();
    }
}

fn cannot_wait(cause: &std::io::Error) -> Error {
    Error::operating_error(format!("failed to wait for a run of rebut: {cause}"))
}

#[cfg(unix)]
fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    /// Shells add this to the number of a signal.
    const SIGNAL_BASE: i32 = 128;
    status.code().or(status.signal().map(|signal| SIGNAL_BASE + signal)).unwrap_or(SIGNAL_BASE)
}

#[cfg(not(unix))]
fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(1)
}
