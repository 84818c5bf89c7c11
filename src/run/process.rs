//! One process from its start to its end.

use super::memory_file::MemoryFile;
use super::refusal;
use super::sys::{Child, Image, Resources, Stage, Start, StartError, Usage, own_memory_peak_bytes};
use super::watch::{Stop, Watch};
use super::{Cancel, Exit, Limits};
use crate::diagnostic::{Error, Result};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How often a program file that somebody still holds open for writing is tried again. Another thread that
/// starts a process just after a compiler was started holds such copies for an instant.
const BUSY_RETRIES: u32 = 50;

/// How a process ended, with what it wrote.
pub(super) struct Ended {
    /// Why we stopped watching.
    pub(super) stop: Stop,
    /// How it ended.
    pub(super) exit: Exit,
    /// Processor time, microseconds.
    pub(super) cpu_time_us: u64,
    /// Time on the wall clock, microseconds.
    pub(super) wall_time_us: u64,
    /// The memory peak.
    pub(super) memory: MemoryPeak,
    /// What it wrote to its output.
    pub(super) stdout: MemoryFile,
    /// What it wrote to its error stream.
    pub(super) stderr: MemoryFile,
}

/// A memory peak, and whether it is the program's own.
///
/// The kernel counts into a process the memory of the one that started it, until the program is executed. What
/// lies above our own peak is therefore the program's; what does not may be ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryPeak {
    /// The program's own.
    Known(u64),
    /// No more than this.
    AtMost(u64),
}

/// Runs one process to its end. When this returns, it and its process group are gone or being killed.
///
/// # Errors
///
/// The machine refuses, or the program file cannot be executed (`Operating`); the run was cancelled
/// (`Interrupted`).
pub(super) fn run(
    image: &Image,
    input: &[u8],
    resources: Resources,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Ended> {
    let stdin = MemoryFile::sealed(input)?;
    let (stdout, stderr) = (MemoryFile::empty()?, MemoryFile::empty()?);
    let streams = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    let started = Instant::now();
    let child = start(&Start { image, streams, resources })?;
    let mut watch = Watch::new(&child, limits, cancel, started);
    let stop = watch.wait()?;
    let seen = watch.memory_seen_bytes;
    // The process has not been reaped, so its group's number is still its own, and whoever is left in the
    // group dies with it.
    child.kill_group();
    let usage = child.reap().map_err(|cause| refusal::of_io("failed to wait for a program", &cause))?;
    let wall_time_us = started.elapsed().as_micros() as u64;
    if stop == Stop::Cancelled {
        return Err(Error::interrupted());
    }
    let memory = memory_peak(&usage, seen);
    Ok(Ended { stop, exit: exit(&usage), cpu_time_us: usage.cpu_time_us, wall_time_us, memory, stdout, stderr })
}

fn start(what: &Start<'_>) -> Result<Child> {
    for _ in 0..BUSY_RETRIES {
        match Child::start(what) {
            Err(error) if is_busy(&error) => std::thread::sleep(Duration::from_millis(2)),
            result => return result.map_err(|error| describe(what.image, &error)),
        }
    }
    Child::start(what).map_err(|error| describe(what.image, &error))
}

fn is_busy(error: &StartError) -> bool {
    error.cause.raw_os_error() == Some(rustix::io::Errno::TXTBSY.raw_os_error())
}

fn describe(image: &Image, error: &StartError) -> Error {
    let path = image.path.to_string_lossy();
    match error.stage {
        Stage::Fork => refusal::of_io(&format!("failed to start a process for `{path}`"), &error.cause),
        Stage::Prepare => refusal::of_io(&format!("failed to prepare a process for `{path}`"), &error.cause),
        Stage::Execute => explain_execute(&path, error),
    }
}

fn explain_execute(path: &str, error: &StartError) -> Error {
    let refused = refusal::of_io(&format!("failed to execute `{path}`"), &error.cause);
    match error.cause.kind() {
        std::io::ErrorKind::NotFound if std::path::Path::new(path).exists() => {
            refused.with_help("the file is there: the interpreter after its `#!`, or its loader, is not")
        }
        std::io::ErrorKind::PermissionDenied => refused.with_help(format!("make it executable: `chmod +x {path}`")),
        _ if error.cause.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            refused.with_help("it is neither a program for this machine nor a script that begins with `#!`")
        }
        _ => refused,
    }
}

fn exit(usage: &Usage) -> Exit {
    let status = ExitStatus::from_raw(usage.status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}

fn memory_peak(usage: &Usage, seen_bytes: u64) -> MemoryPeak {
    if usage.memory_peak_bytes > own_memory_peak_bytes() {
        MemoryPeak::Known(usage.memory_peak_bytes)
    } else if seen_bytes > 0 {
        MemoryPeak::Known(seen_bytes)
    } else {
        MemoryPeak::AtMost(usage.memory_peak_bytes)
    }
}
