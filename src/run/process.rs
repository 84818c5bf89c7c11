//! One program on one input, with its streams.

use super::luggage::{Brought, Luggage};
use super::memory_file::MemoryFile;
use super::refusal;
use super::spawner::{Spawners, Stream};
use super::supervise::{MemoryPeak, Order, Report, Stop};
use super::sys::{BorrowedFd, Image, OwnedFd, RunError, Stage};
use super::{Cancel, Exit};
use crate::diagnostic::{Error, Result};

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
    pub(super) stdout: Written,
    /// What it wrote to its error stream.
    pub(super) stderr: Written,
    /// What it brought back.
    pub(super) brought: Brought,
}

/// What a program wrote.
pub(super) enum Written {
    /// All that is in a file.
    File(MemoryFile),
    /// These bytes.
    Bytes(Vec<u8>),
}

impl Written {
    /// Its first bytes, at most `limit`, and how much it is.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(super) fn head(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        match self {
            Written::File(file) => file.head_of_all(limit),
            Written::Bytes(bytes) => {
                let kept = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
                Ok((bytes[..kept].to_vec(), bytes.len() as u64))
            }
        }
    }

    /// Its last bytes, at most `limit`, and how much it is.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(super) fn tail(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        match self {
            Written::File(file) => {
                // Nothing writes any more, so its length is asked for once.
                let length = file.len();
                let kept = length.min(limit);
                Ok((file.read(length - kept, kept)?, length))
            }
            Written::Bytes(bytes) => {
                let kept = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
                Ok((bytes[bytes.len() - kept..].to_vec(), bytes.len() as u64))
            }
        }
    }
}

/// What a program is given beside its arguments.
pub(super) struct Given<'a> {
    /// Where it reads and writes.
    pub(super) streams: Streams<'a>,
    /// What it takes along; the order has the list of it.
    pub(super) luggage: Option<&'a Luggage>,
}

/// Where a program reads and writes.
pub(super) enum Streams<'a> {
    /// It reads these bytes, and what it writes is kept.
    Input(&'a [u8]),
    /// It reads from one pipe and writes to another.
    Pipes([OwnedFd; 2]),
}

/// Runs a program to its end. When this returns nothing is left of it, as far as that can be seen from where it
/// was started.
///
/// # Errors
///
/// The machine refuses, or the program file cannot be executed (`Operating`); the run was cancelled
/// (`Interrupted`).
pub(super) fn run(spawners: &Spawners, order: &Order, given: Given<'_>, cancel: &Cancel) -> Result<Ended> {
    attempt(spawners, order, given, cancel)?.map_err(|error| describe(&order.image, &error))
}

/// The same; but what stands in the program's own way is told apart from what stands in ours.
///
/// # Errors
///
/// The machine refuses a spawner or memory (`Operating`); the run was cancelled (`Interrupted`).
pub(super) fn attempt(
    spawners: &Spawners,
    order: &Order,
    given: Given<'_>,
    cancel: &Cancel,
) -> Result<std::result::Result<Ended, RunError>> {
    let (stdout, stderr) = (MemoryFile::empty()?, MemoryFile::empty()?);
    let held;
    let [input, output] = match given.streams {
        Streams::Input(bytes) => {
            held = MemoryFile::sealed(bytes)?;
            [Stream::Lent(held.as_fd()), Stream::Lent(stdout.as_fd())]
        }
        Streams::Pipes(pipes) => pipes.map(Stream::Given),
    };
    let hold = given.luggage.map(|_| MemoryFile::empty()).transpose()?;
    let files = given.luggage.into_iter().flat_map(Luggage::files);
    let baggage: Vec<BorrowedFd<'_>> = hold.iter().map(MemoryFile::as_fd).chain(files).collect();
    let answer = spawners.run(order, [input, output, Stream::Lent(stderr.as_fd())], &baggage, cancel)?;
    let report = match answer {
        Ok(report) => report,
        Err(error) => return Ok(Err(error)),
    };
    let mut ended = ended(report, Written::File(stdout), Written::File(stderr), cancel)?;
    ended.brought = hold.as_ref().map(Brought::unload).transpose()?.unwrap_or_default();
    Ok(Ok(ended))
}

/// Runs a program on several inputs, one after the other; what came of the first of them, and what stood in the way of the
/// next. It stops where that has taken long, or where there is more to tell than a few lines of output.
///
/// # Errors
///
/// As [`attempt`].
pub(super) fn attempt_several(
    spawners: &Spawners,
    order: &Order,
    inputs: &[&[u8]],
    cancel: &Cancel,
) -> Result<(Vec<Ended>, Option<RunError>)> {
    let [input, stdout, stderr] = [MemoryFile::empty()?, MemoryFile::empty()?, MemoryFile::empty()?];
    let streams = [input.as_fd(), stdout.as_fd(), stderr.as_fd()];
    let told = spawners.run_several(order, inputs, streams, cancel)?;
    let mut left = Some((Written::File(stdout), Written::File(stderr)));
    let mut all = Vec::with_capacity(told.len());
    for (answer, taken) in told {
        let report = match answer {
            Ok(report) => report,
            Err(error) => return Ok((all, Some(error))),
        };
        let taken = taken.map(|output| (Written::Bytes(output), Written::Bytes(Vec::new())));
        let Some((output, error)) = taken.or_else(|| left.take()) else { break };
        all.push(ended(report, output, error, cancel)?);
    }
    Ok((all, None))
}

fn ended(report: Report, stdout: Written, stderr: Written, cancel: &Cancel) -> Result<Ended> {
    if report.stop == Stop::Cancelled && cancel.interrupted() {
        return Err(Error::interrupted());
    }
    Ok(Ended {
        stop: report.stop,
        exit: exit(report.status),
        cpu_time_us: report.cpu_time_us,
        wall_time_us: report.wall_time_us,
        memory: report.memory,
        stdout,
        stderr,
        brought: Brought::default(),
    })
}

fn describe(image: &Image, error: &RunError) -> Error {
    let path = image.path.to_string_lossy();
    match error.stage {
        Stage::Fork => refusal::of_io(&format!("failed to start a process for `{path}`"), &error.cause),
        Stage::Prepare => refusal::of_io(&format!("failed to prepare a process for `{path}`"), &error.cause),
        Stage::Execute => explain_execute(&path, error),
        Stage::Copy => refusal::of_io(&format!("failed to copy a process of `{path}`"), &error.cause),
        Stage::Wait => refusal::of_io(&format!("failed to wait for `{path}`"), &error.cause),
        Stage::End => refusal::of_io(&format!("failed to end all that `{path}` started"), &error.cause),
    }
}

fn explain_execute(path: &str, error: &RunError) -> Error {
    let refused = refusal::of_io(&format!("failed to execute `{path}`"), &error.cause);
    match error.cause.kind() {
        std::io::ErrorKind::NotFound if std::path::Path::new(path).exists() => {
            refused.with_help("the file is there: the interpreter after its `#!`, or its loader, is not")
        }
        std::io::ErrorKind::PermissionDenied => refused.with_help(format!("make it executable: `chmod +x {path}`")),
        _ if is_no_program(&error.cause) => {
            refused.with_help("it is neither a program for this machine nor a script that begins with `#!`")
        }
        _ => refused,
    }
}

#[cfg(unix)]
fn is_no_program(cause: &std::io::Error) -> bool {
    cause.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
}

/// `ERROR_BAD_EXE_FORMAT`.
#[cfg(not(unix))]
fn is_no_program(cause: &std::io::Error) -> bool {
    cause.raw_os_error() == Some(193)
}

/// There are no signals here.
#[cfg(not(unix))]
fn exit(status: i32) -> Exit {
    Exit::Code(status)
}

#[cfg(unix)]
fn exit(status: i32) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    let status = std::process::ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}
