//! The client's side: a pool of spawners, started on demand and reused.

use super::protocol::{CANCEL_MESSAGE, decode_responses, encode_message};
use super::serve::SPAWNER_ARGUMENT;
use super::socket::SpawnerSocket;
use super::{SpawnerResponse, StreamHandle, SupervisionResult};
use crate::isolation::{KernelFeatureLimits, KernelSupport};
use crate::processors::pinned_processor;
use crate::supervise::{MemoryPeak, RunRequest, StopReason, SupervisionReport};
use crate::{CancelToken, system_error};
use rebut_diagnostics::Result;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which cancellation is checked.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum time for a response after the last limit of its request. A spawner needs that long only when the kernel
/// cannot kill a process; otherwise the spawner itself has been stopped.
const RESPONSE_GRACE: Duration = Duration::from_secs(90);

/// Maximum time for a spawner to exit after its connection was cut.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Spawners, as many as were ever needed at the same time.
#[derive(Debug)]
pub(super) struct SpawnerPool {
    program: PathBuf,
    folder: PathBuf,
    idle: Mutex<Vec<SpawnerHandle>>,
    /// The kernel's sandbox features, detected when the first spawner is started and passed to all.
    kernel: Mutex<Option<KernelSupport>>,
    kernel_limits: KernelFeatureLimits,
}

impl SpawnerPool {
    /// Creates a pool of this program's processes, which remove the folder if rebut dies.
    pub(super) fn new(program: PathBuf, folder: PathBuf, kernel_limits: KernelFeatureLimits) -> Self {
        SpawnerPool { program, folder, idle: Mutex::default(), kernel: Mutex::default(), kernel_limits }
    }

    /// Runs a request on a spawner.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the operating system refuses to start a spawner, or if two in a row died before
    /// they answered.
    pub(super) fn run_request(
        &self,
        request: &RunRequest,
        streams: [StreamHandle<'_>; 3],
        attached: &[BorrowedFd<'_>],
        cancel: &CancelToken,
    ) -> Result<SupervisionResult> {
        let message = encode_message(request, &[]);
        let (deadline, since) = (response_timeout(request, 1), Instant::now());
        let mut streams = Some(streams);
        let mut spawner = self.acquire_spawner()?;
        let send = |spawner: &SpawnerHandle, streams: &Option<[StreamHandle<'_>; 3]>| {
            let streams = streams.iter().flatten().map(AsFd::as_fd);
            spawner.socket.send_message(&message, &streams.chain(attached.iter().copied()).collect::<Vec<_>>())
        };
        let sent = send(&spawner, &streams);
        streams = streams.filter(|streams| streams.iter().all(|stream| matches!(stream, StreamHandle::Borrowed(_))));
        let mut result = sent.and_then(|()| spawner.wait_for_result(cancel, deadline));
        if let (Err(_), Some(used)) = (&result, &streams) {
            // Another process can have killed the spawner, by mistake or on purpose: try once more.
            used.iter().for_each(reset_stream);
            spawner = self.start_spawner()?;
            result = send(&spawner, &streams).and_then(|()| spawner.wait_for_result(cancel, deadline));
        }
        match result {
            Ok(result) => {
                self.lock_idle().push(spawner);
                Ok(result)
            }
            Err(cause) if has_spawner_ended(&cause) && can_kill_spawner(request) => {
                Ok(Ok(killed_report(since.elapsed())))
            }
            Err(cause) => {
                let program = request.image.path.to_string_lossy();
                Err(system_error::describe_io_error(
                    &format!("failed to communicate with the process that runs `{program}`"),
                    &cause,
                ))
            }
        }
    }

    /// Runs a program in place on several inputs. There can be fewer responses than inputs, see
    /// [`ProcessLauncher::run_in_place`](super::ProcessLauncher::run_in_place).
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the operating system refuses to start a spawner.
    pub(super) fn run_in_place(
        &self,
        request: &RunRequest,
        inputs: &[&[u8]],
        cancel: &CancelToken,
    ) -> Result<Vec<SpawnerResponse>> {
        let spawner = self.acquire_spawner()?;
        let sent = spawner.socket.send_message(&encode_message(request, inputs), &[]);
        let responses = sent.and_then(|()| spawner.wait_for_responses(cancel, response_timeout(request, inputs.len())));
        Ok(match responses {
            Ok(responses) => {
                self.lock_idle().push(spawner);
                responses
            }
            // The caller runs them one by one and reports the problem.
            Err(_) => Vec::new(),
        })
    }

    /// Takes an idle spawner or starts one. If this thread is pinned to a processor, the spawner is one pinned to the
    /// same processor.
    fn acquire_spawner(&self) -> Result<SpawnerHandle> {
        let own = pinned_processor();
        let mut idle = self.lock_idle();
        let near = idle.iter().rposition(|spawner| own.is_none() || spawner.processor == own);
        let near = near.map(|at| idle.remove(at));
        drop(idle);
        near.map_or_else(|| self.start_spawner(), Ok)
    }

    fn start_spawner(&self) -> Result<SpawnerHandle> {
        SpawnerHandle::start_process(&self.program, self.kernel_support(), &self.folder)
    }

    /// Returns the sandbox features of the kernel, detected on the first call.
    pub(super) fn kernel_support(&self) -> KernelSupport {
        let mut known = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        *known.get_or_insert_with(|| KernelSupport::detect_support(self.kernel_limits))
    }

    fn lock_idle(&self) -> std::sync::MutexGuard<'_, Vec<SpawnerHandle>> {
        // The stored list is complete whenever the lock is free, even after a panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SpawnerPool {
    fn drop(&mut self) {
        // Cut all connections before waiting, so that the spawners exit in parallel.
        let leaving: Vec<Option<Child>> = self.lock_idle().drain(..).map(SpawnerHandle::disconnect).collect();
        leaving.into_iter().flatten().for_each(wait_for_exit);
    }
}

/// Returns true if a spawner has ended, rather than merely failed to answer.
fn has_spawner_ended(cause: &io::Error) -> bool {
    system_error::is_disconnected(cause) || cause.kind() == io::ErrorKind::UnexpectedEof
}

/// Returns true if the program of a request can kill the process that started it, because no sandbox separates them.
/// False if files are to be collected: which of them exist would be unknown.
fn can_kill_spawner(request: &RunRequest) -> bool {
    request.sandbox.is_none() && request.file_list.is_none()
}

/// Returns the report of a run that killed its spawner and was killed with it.
fn killed_report(after: Duration) -> SupervisionReport {
    SupervisionReport {
        stop: StopReason::Ended,
        status: rustix::process::Signal::KILL.as_raw(),
        cpu_time_us: 0,
        wall_time_us: after.as_micros() as u64,
        memory: MemoryPeak::AtMost(0),
    }
}

/// Returns the maximum time for the response to a request that is run `times` times.
fn response_timeout(request: &RunRequest, times: usize) -> Duration {
    let wall_limit = Duration::from_millis(request.limits.wall_time_limit_ms);
    let runs = crate::tuning::MAX_WALL_TIME_FACTOR.saturating_mul(times as u32);
    wall_limit.saturating_mul(runs).saturating_add(RESPONSE_GRACE)
}

/// Undoes the effects of an interrupted run on a stream, which is then read and written from its start again. An input
/// is sealed and cannot be truncated.
fn reset_stream(stream: &StreamHandle<'_>) {
    let _ = rustix::fs::ftruncate(stream, 0);
    let _ = rustix::fs::seek(stream, rustix::fs::SeekFrom::Start(0));
}

/// Waits for a spawner to exit; it has nothing left to do.
fn wait_for_exit(mut process: Child) {
    let since = Instant::now();
    while process.try_wait().is_ok_and(|status| status.is_none()) {
        if since.elapsed() > EXIT_TIMEOUT {
            let _ = process.kill();
            let _ = process.wait();
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// A spawner process, as seen by its client.
#[derive(Debug)]
struct SpawnerHandle {
    socket: SpawnerSocket,
    /// The processor that it is pinned to, if any.
    processor: Option<usize>,
    process: Option<Child>,
}

impl SpawnerHandle {
    fn start_process(program: &Path, kernel: KernelSupport, folder: &Path) -> Result<SpawnerHandle> {
        let refused = |cause: io::Error| {
            system_error::describe_io_error(
                &format!("failed to start `{}`, which runs programs", program.display()),
                &cause,
            )
        };
        let (ours, theirs) = SpawnerSocket::create_pair().map_err(refused)?;
        let mut command = Command::new(program);
        command
            .args([SPAWNER_ARGUMENT.as_ref(), OsStr::new(&kernel.to_word()), folder.as_os_str()])
            .env_clear()
            .current_dir("/")
            .process_group(0);
        command.stdin(theirs.into_descriptor()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().map_err(refused)?;
        Ok(SpawnerHandle { socket: ours, processor: pinned_processor(), process: Some(process) })
    }

    /// Waits for the only response.
    fn wait_for_result(&self, cancel: &CancelToken, deadline: Duration) -> io::Result<SupervisionResult> {
        let only = self.wait_for_responses(cancel, deadline)?.pop();
        only.map(|(result, _)| result).ok_or_else(|| io::Error::other("it sent no response"))
    }

    /// Waits for the responses, and forwards a cancellation.
    fn wait_for_responses(&self, cancel: &CancelToken, deadline: Duration) -> io::Result<Vec<SpawnerResponse>> {
        let since = Instant::now();
        let mut is_sent = false;
        while !self.socket.is_readable(CANCEL_POLL_INTERVAL)? {
            if cancel.is_cancelled() && !is_sent {
                self.socket.send_message(CANCEL_MESSAGE, &[])?;
                is_sent = true;
            }
            if since.elapsed() > deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        match self.socket.receive_message()? {
            Some((bytes, _)) => decode_responses(&bytes),
            None => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended unexpectedly")),
        }
    }

    /// Cuts the connection and returns the process, without killing it.
    fn disconnect(mut self) -> Option<Child> {
        self.process.take()
    }
}

/// A spawner that is dropped has failed, so it is killed: one that merely loses its connection would remove rebut's
/// folder.
impl Drop for SpawnerHandle {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
