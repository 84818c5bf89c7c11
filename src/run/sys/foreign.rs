//! Processes on systems other than Unix, through the standard library.
//!
//! There are plain limits only: the wall clock. Nobody tells processor time and memory of a process that has ended, so the
//! time that it took counts as its processor time, and what it started itself is not found.

use super::handle::stdio;
use super::{BorrowedFd, Image, RunError, Stage, Start, Usage, Waited};
use std::ffi::CStr;
use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

/// Nothing is in the way of waiting for children here.
pub fn expect_children() {}

/// A process that has not been waited for. Dropping it kills it.
#[derive(Debug)]
pub(in crate::run) struct Child {
    process: std::sync::Mutex<std::process::Child>,
    started: Instant,
}

impl Child {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// The machine refuses another process, or the program cannot be executed.
    pub(in crate::run) fn start(what: &Start<'_>) -> Result<Child, RunError> {
        let mut command = command(what.image);
        let [input, output, error] = what.streams;
        command.stdin(stdio(input)?).stdout(stdio(output)?).stderr(stdio(error)?);
        let process = command.spawn().map_err(|cause| RunError { stage: Stage::Execute, cause })?;
        Ok(Child { process: process.into(), started: Instant::now() })
    }

    /// Nothing here is known by its number.
    pub(in crate::run) fn id(&self) -> i32 {
        0
    }

    /// Waits until it has ended, or for the given time.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn wait(
        &self,
        timeout: Duration,
        _line: Option<BorrowedFd<'_>>,
        _gate: Option<BorrowedFd<'_>>,
    ) -> io::Result<Waited> {
        let deadline = Instant::now() + timeout;
        loop {
            if self.process().try_wait()?.is_some() {
                return Ok(Waited::Ended);
            }
            if Instant::now() >= deadline {
                return Ok(Waited::InVain);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills it.
    pub(in crate::run) fn kill_group(&self) {
        // One that has ended cannot be killed, and that is what we want.
        let _ = self.process().kill();
    }

    /// Waits for its end, however long that takes.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn reap(self) -> io::Result<Usage> {
        let status = self.process().wait()?;
        let cpu_time_us = self.started.elapsed().as_micros() as u64;
        Ok(Usage { status: status.code().unwrap_or(-1), cpu_time_us, memory_peak_bytes: 0 })
    }

    /// Not known here.
    pub(in crate::run) fn cpu_time_us(&self) -> Option<u64> {
        None
    }

    fn process(&self) -> std::sync::MutexGuard<'_, std::process::Child> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.process.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// What was no text is lost, which only the names of files of other systems are.
fn text(string: &CStr) -> String {
    string.to_string_lossy().into_owned()
}

fn command(image: &Image) -> Command {
    let mut command = Command::new(text(&image.path));
    command.args(image.argv.iter().skip(1).map(|argument| text(argument)));
    command.env_clear().current_dir(text(&image.directory));
    // Without this variable not even the system's own libraries are found.
    command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    for variable in image.environment.iter() {
        if let Some((name, value)) = text(variable).split_once('=') {
            command.env(name, value);
        }
    }
    command
}
