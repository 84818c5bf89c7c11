//! Runs one program on one input, with its streams.

use super::memory_file::MemoryFile;
use super::run_files::{CollectedFiles, RunFiles};
use super::spawner::{ProcessLauncher, StreamHandle};
use super::supervise::{MemoryPeak, RunRequest, StopReason, SupervisionReport};
use super::sys::{BorrowedFd, ExecImage, OwnedFd, RunError, RunStage};
use super::{CancelToken, ProcessExit, system_error};
use rebut_diagnostics::{Error, Result};
use std::ffi::OsString;
use std::process::{Child, Command, ExitStatus};

/// A process that has ended, and its output.
pub struct EndedProcess {
    /// Why supervision stopped.
    pub stop: StopReason,
    /// How it ended.
    pub exit: ProcessExit,
    /// Processor time in microseconds.
    pub cpu_time_us: u64,
    /// Elapsed time in microseconds.
    pub wall_time_us: u64,
    pub(super) memory: MemoryPeak,
    pub(super) stdout: CapturedStream,
    pub(super) stderr: CapturedStream,
    pub(super) collected: CollectedFiles,
}

impl EndedProcess {
    /// Returns the first bytes of its output and of its messages, at most `limit` of each.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be read.
    pub fn read_heads(&self, limit: u64) -> Result<(Vec<u8>, Vec<u8>)> {
        Ok((self.stdout.read_head(limit)?.0, self.stderr.read_head(limit)?.0))
    }
}

/// The contents of a program's output stream.
pub(super) enum CapturedStream {
    /// The contents of this file.
    File(MemoryFile),
    /// These bytes.
    Bytes(Vec<u8>),
}

impl CapturedStream {
    /// Returns its first bytes, at most `limit`, and its length.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub(super) fn read_head(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        match self {
            CapturedStream::File(file) => file.read_head_and_len(limit),
            CapturedStream::Bytes(bytes) => {
                let kept = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
                Ok((bytes[..kept].to_vec(), bytes.len() as u64))
            }
        }
    }

    /// Returns its last bytes, at most `limit`, and its length.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub(super) fn read_tail(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        match self {
            CapturedStream::File(file) => {
                // No process writes any more, so the length is fixed.
                let length = file.len();
                let kept = length.min(limit);
                Ok((file.read_range(length - kept, kept)?, length))
            }
            CapturedStream::Bytes(bytes) => {
                let kept = usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len());
                Ok((bytes[bytes.len() - kept..].to_vec(), bytes.len() as u64))
            }
        }
    }
}

/// The streams and files of a run.
pub(super) struct ProcessIo<'a> {
    pub(super) streams: StandardStreams<'a>,
    /// The attached files; the request lists their names.
    pub(super) files: Option<&'a RunFiles>,
}

/// The standard streams of a run.
pub(super) enum StandardStreams<'a> {
    /// Reads these bytes, and captures the output.
    Input(&'a [u8]),
    /// Reads this file, and captures the output.
    File(&'a MemoryFile),
    /// Reads from one pipe and writes to another.
    Pipes([OwnedFd; 2]),
}

/// Runs a program to its end. When this returns, no process of it is left, as far as its starter can see.
///
/// # Errors
///
/// Returns `Operating` if the operating system refuses or the program cannot be executed, and `Interrupted` if the run
/// was cancelled.
pub(super) fn run_process(
    spawners: &ProcessLauncher,
    request: &RunRequest,
    io: ProcessIo<'_>,
    cancel: &CancelToken,
) -> Result<EndedProcess> {
    try_run_process(spawners, request, io, cancel)?.map_err(|error| explain_run_error(&request.image, &error))
}

/// Like [`run_process`], but returns errors of starting or supervising the program separately.
///
/// # Errors
///
/// Returns `Operating` if the operating system refuses a spawner or memory, and `Interrupted` if the run was cancelled.
pub(super) fn try_run_process(
    spawners: &ProcessLauncher,
    request: &RunRequest,
    io: ProcessIo<'_>,
    cancel: &CancelToken,
) -> Result<std::result::Result<EndedProcess, RunError>> {
    let (stdout, stderr) = (MemoryFile::create_empty()?, MemoryFile::create_empty()?);
    let input_file;
    let [input, output] = match io.streams {
        StandardStreams::Input(bytes) => {
            input_file = MemoryFile::create_sealed(bytes)?;
            [StreamHandle::Borrowed(input_file.as_fd()), StreamHandle::Borrowed(stdout.as_fd())]
        }
        StandardStreams::File(file) => [StreamHandle::Borrowed(file.as_fd()), StreamHandle::Borrowed(stdout.as_fd())],
        StandardStreams::Pipes(pipes) => pipes.map(StreamHandle::Owned),
    };
    let archive = io.files.map(|_| MemoryFile::create_empty()).transpose()?;
    let files = io.files.into_iter().flat_map(RunFiles::file_descriptors);
    let attached: Vec<BorrowedFd<'_>> = archive.iter().map(MemoryFile::as_fd).chain(files).collect();
    let result =
        spawners.run_request(request, [input, output, StreamHandle::Borrowed(stderr.as_fd())], &attached, cancel)?;
    let report = match result {
        Ok(report) => report,
        Err(error) => return Ok(Err(error)),
    };
    let mut ended = to_ended_process(report, CapturedStream::File(stdout), CapturedStream::File(stderr), cancel)?;
    ended.collected = archive.as_ref().map(CollectedFiles::from_archive).transpose()?.unwrap_or_default();
    Ok(Ok(ended))
}

/// Runs a program in place on several inputs. Returns the results of the first of them; `None` for a run that does not
/// count.
///
/// # Errors
///
/// The inner error is why this program cannot be run in place, or what the operating system refused. For the outer one,
/// see [`try_run_process`].
pub(super) fn try_run_in_place(
    spawners: &ProcessLauncher,
    request: &RunRequest,
    inputs: &[&[u8]],
    cancel: &CancelToken,
) -> Result<std::result::Result<Vec<Option<EndedProcess>>, RunError>> {
    let mut all = Vec::with_capacity(inputs.len());
    for (result, taken) in spawners.run_in_place(request, inputs, cancel)? {
        all.push(match (result, taken) {
            (Ok(report), Some(streams)) => {
                let [output, error] = streams.map(CapturedStream::Bytes);
                Some(to_ended_process(report, output, error, cancel)?)
            }
            (Err(RunError { stage: RunStage::Unclean, .. }), _) => None,
            (Err(error), _) => return Ok(Err(error)),
            (Ok(_), None) => break,
        });
    }
    Ok(Ok(all))
}

fn to_ended_process(
    report: SupervisionReport,
    stdout: CapturedStream,
    stderr: CapturedStream,
    cancel: &CancelToken,
) -> Result<EndedProcess> {
    if report.stop == StopReason::Cancelled && cancel.is_interrupted() {
        return Err(Error::interrupted());
    }
    Ok(EndedProcess {
        stop: report.stop,
        exit: decode_exit_status(report.status),
        cpu_time_us: report.cpu_time_us,
        wall_time_us: report.wall_time_us,
        memory: report.memory,
        stdout,
        stderr,
        collected: CollectedFiles::default(),
    })
}

fn explain_run_error(image: &ExecImage, error: &RunError) -> Error {
    let path = image.path.to_string_lossy();
    match error.stage {
        RunStage::Fork => {
            system_error::describe_io_error(&format!("failed to start a process for `{path}`"), &error.cause)
        }
        RunStage::Prepare => {
            system_error::describe_io_error(&format!("failed to prepare a process for `{path}`"), &error.cause)
        }
        RunStage::Execute => explain_exec_error(&path, error),
        RunStage::Copy | RunStage::InPlace | RunStage::Unclean => {
            system_error::describe_io_error(&format!("failed to fork `{path}`"), &error.cause)
        }
        RunStage::Wait => system_error::describe_io_error(&format!("failed to wait for `{path}`"), &error.cause),
        RunStage::End => {
            system_error::describe_io_error(&format!("failed to kill the processes of `{path}`"), &error.cause)
        }
    }
}

fn explain_exec_error(path: &str, error: &RunError) -> Error {
    let refused = system_error::describe_io_error(&format!("failed to execute `{path}`"), &error.cause);
    match error.cause.kind() {
        std::io::ErrorKind::NotFound if std::path::Path::new(path).exists() => {
            refused.with_help("the file exists, but the interpreter after its `#!`, or its loader, does not")
        }
        std::io::ErrorKind::PermissionDenied => refused.with_help(format!("make it executable: `chmod +x {path}`")),
        _ if is_exec_format_error(&error.cause) => {
            refused.with_help("the file is neither a program for this machine nor a script that begins with `#!`")
        }
        _ => refused,
    }
}

#[cfg(unix)]
fn is_exec_format_error(cause: &std::io::Error) -> bool {
    cause.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
}

/// `ERROR_BAD_EXE_FORMAT`.
#[cfg(not(unix))]
fn is_exec_format_error(cause: &std::io::Error) -> bool {
    cause.raw_os_error() == Some(193)
}

/// There are no signals on this system.
#[cfg(not(unix))]
fn decode_exit_status(status: i32) -> ProcessExit {
    ProcessExit::Code(status)
}

#[cfg(unix)]
fn decode_exit_status(status: i32) -> ProcessExit {
    use std::os::unix::process::ExitStatusExt;
    let status = std::process::ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessExit::Code(code),
        (None, signal) => ProcessExit::Signal(signal.unwrap_or(0)),
    }
}

// Another run of this very program, on the same standard streams.

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
