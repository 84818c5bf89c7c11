//! Processes on systems other than Unix, through the standard library.
//!
//! Only the wall time is limited. The system reports neither processor time nor memory of a process that has ended, so
//! the elapsed time counts as processor time, and descendants are not found.

use super::handle::to_stdio;
use super::{BorrowedFd, ExecImage, ProcessStart, ProcessUsage, RunError, RunStage, WaitResult};
use std::ffi::CStr;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

/// No effect: on this system nothing prevents waiting for children.
pub fn reset_sigchld() {}

/// Not known on this system.
pub fn stack_limit_bytes() -> Option<u64> {
    None
}

/// A process that has not been waited for. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    process: std::sync::Mutex<std::process::Child>,
    started: Instant,
}

impl ChildProcess {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses another process, or if the program cannot be executed.
    pub(crate) fn start(request: &ProcessStart<'_>) -> Result<ChildProcess, RunError> {
        let mut command = build_command(request.image);
        let [input, output, error] = request.streams;
        command.stdin(to_stdio(input)?).stdout(to_stdio(output)?).stderr(to_stdio(error)?);
        let process = command.spawn().map_err(|cause| RunError { stage: RunStage::Execute, cause })?;
        Ok(ChildProcess { process: process.into(), started: Instant::now() })
    }

    /// Always 0: process IDs are not used on this system.
    pub(crate) fn pid(&self) -> i32 {
        0
    }

    /// Waits until the process has ended or the timeout has passed.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, which would be a bug.
    pub(crate) fn wait(
        &self,
        timeout: Duration,
        _line: Option<BorrowedFd<'_>>,
        _gate: Option<BorrowedFd<'_>>,
    ) -> io::Result<WaitResult> {
        let deadline = Instant::now() + timeout;
        loop {
            if self.lock_process().try_wait()?.is_some() {
                return Ok(WaitResult::Ended);
            }
            if Instant::now() >= deadline {
                return Ok(WaitResult::TimedOut);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn kill_group(&self) {
        // There is nothing to report if it has ended already.
        let _ = self.lock_process().kill();
    }

    /// Waits for the process to end, without a timeout.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, which would be a bug.
    pub(crate) fn reap(self) -> io::Result<ProcessUsage> {
        let status = self.lock_process().wait()?;
        let cpu_time_us = self.started.elapsed().as_micros() as u64;
        Ok(ProcessUsage { status: status.code().unwrap_or(-1), cpu_time_us, memory_peak_bytes: 0 })
    }

    /// Not available on this system.
    pub(crate) fn cpu_time_us(&self) -> Option<u64> {
        None
    }

    fn lock_process(&self) -> std::sync::MutexGuard<'_, std::process::Child> {
        // The stored process is complete whenever the lock is free, even after a panic elsewhere.
        self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// Converts a C string, replacing invalid UTF-8, which occurs only in file names of other systems.
fn to_lossy_string(string: &CStr) -> String {
    string.to_string_lossy().into_owned()
}

fn build_command(image: &ExecImage) -> Command {
    let mut command = Command::new(to_lossy_string(&image.path));
    command.args(image.argv.iter().skip(1).map(|argument| to_lossy_string(argument)));
    command.env_clear().current_dir(to_lossy_string(&image.directory));
    // Without this variable not even the system's own libraries are found.
    command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    for variable in image.environment.iter() {
        if let Some((name, value)) = to_lossy_string(variable).split_once('=') {
            command.env(name, value);
        }
    }
    command
}
