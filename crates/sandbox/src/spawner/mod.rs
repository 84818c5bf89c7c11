//! Spawners: small processes that start programs for rebut and supervise them.
//!
//! Starting programs from a separate process has three reasons:
//!
//! * *Nothing escapes.* A spawner is the subreaper of everything it starts. A process that a program starts, even a
//!   daemonized one, is reparented to the spawner when its parent dies, and a run is over when the spawner has no
//!   children left. In one process with threads, compilers and concurrent runs, such orphans could not be attributed to
//!   a run.
//! * *Killing rebut ends everything.* A spawner always waits for messages from rebut. When the connection is cut,
//!   however suddenly, it kills the current run, removes rebut's temporary folders and exits.
//! * *The memory peak is the program's own.* The kernel starts counting at the memory of the process that starts
//!   another. A spawner is small.
//!
//! A spawner handles one request at a time in one thread, so there is one for each concurrent run; they are pooled. A
//! spawner is the program `rebut` itself, executed with a first argument that no user types. Only the program `rebut`
//! knows its own path for sure (see [`HostEnvironment::with_spawner`](super::HostEnvironment::with_spawner)). Without
//! it, and on systems other than Linux, programs are started directly, and supervision covers only their process group.
//!
//! `socket` carries messages and descriptors, `protocol` encodes the messages, `serve` is the spawner's side and `pool`
//! is rebut's. [Fork servers](super::fork_server) run under a spawner as well, and their forked copies are its
//! children.

#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod protocol;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod socket;

#[cfg(target_os = "linux")]
use pool::SpawnerPool;
#[cfg(target_os = "linux")]
pub use serve::serve_if_spawner;

use super::CancelToken;
use super::isolation::work_folder::WorkFolder;
use super::isolation::{KernelFeatureLimits, KernelSupport};
use super::run_files::{ReceivedRunFiles, RunFileList};
use super::supervise::{
    CancelSource, KillScope, RunRequest, SupervisionConfig, SupervisionReport, start_with_retries, supervise_run,
};
use super::sys::{AsFd, BorrowedFd, OwnedFd, ProcessStart, RunError, RunStage};
use rebut_diagnostics::Result;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Starts programs through spawners, or directly.
#[derive(Debug)]
pub struct ProcessLauncher {
    #[cfg(target_os = "linux")]
    pool: Option<SpawnerPool>,
}

/// The result of a run request: a report, or the step that failed.
pub(super) type SupervisionResult = std::result::Result<SupervisionReport, RunError>;

/// A result, and the output and the messages of a run in place. Those of other runs are in their streams.
pub(super) type SpawnerResponse = (SupervisionResult, Option<[Vec<u8>; 2]>);

/// One of a program's standard streams.
#[derive(Debug)]
pub(super) enum StreamHandle<'a> {
    /// A file that stays open here.
    Borrowed(BorrowedFd<'a>),
    /// The end of a pipe. It is closed here once the program has it; otherwise the process at the other end would never
    /// see that the program has closed it. So it can be passed on only once.
    Owned(OwnedFd),
}

impl AsFd for StreamHandle<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            StreamHandle::Borrowed(stream) => *stream,
            StreamHandle::Owned(stream) => stream.as_fd(),
        }
    }
}

impl ProcessLauncher {
    /// Uses this program as spawner, which removes the folder if rebut dies; without a program, starts programs
    /// directly.
    #[cfg(target_os = "linux")]
    pub fn new(program: Option<PathBuf>, folder: &Path, limits: KernelFeatureLimits) -> Self {
        ProcessLauncher { pool: program.map(|program| SpawnerPool::new(program, folder.to_owned(), limits)) }
    }

    /// Starts programs directly: there are no spawners on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn new(_program: Option<PathBuf>, _folder: &Path, _limits: KernelFeatureLimits) -> Self {
        ProcessLauncher {}
    }

    /// Returns the sandbox features of the kernel, detected once; none without spawners.
    pub fn kernel_support(&self) -> KernelSupport {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.kernel_support();
        }
        KernelSupport::default()
    }

    /// Checks that fork servers are supported.
    ///
    /// # Errors
    ///
    /// Returns the reason if they are not.
    pub fn check_fork_support(&self) -> std::result::Result<(), &'static str> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.kernel_support().can_hold_fork_servers();
        }
        Err("they need a spawner to start them, and there is none here")
    }

    /// Runs a request on a spawner, or directly. A request with attached files comes with the descriptors of their
    /// archive and of the files.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a spawner cannot be started or does not answer.
    pub(super) fn run_request(
        &self,
        request: &RunRequest,
        streams: [StreamHandle<'_>; 3],
        attached: &[BorrowedFd<'_>],
        cancel: &CancelToken,
    ) -> Result<SupervisionResult> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.run_request(request, streams, attached, cancel);
        }
        match &request.file_list {
            None => Ok(run_directly(request, streams, None, cancel)),
            Some(list) => Ok(run_with_files(request, streams, list, attached, cancel)),
        }
    }

    /// Runs a program in place on several inputs. Returns the responses of the first of them; without spawners, there are
    /// none.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if a spawner cannot be started.
    pub(super) fn run_in_place(
        &self,
        request: &RunRequest,
        inputs: &[&[u8]],
        cancel: &CancelToken,
    ) -> Result<Vec<SpawnerResponse>> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.run_in_place(request, inputs, cancel);
        }
        let _ = (request, inputs, cancel);
        Ok(Vec::new())
    }
}

/// Runs a request with attached files without a spawner.
fn run_with_files(
    request: &RunRequest,
    streams: [StreamHandle<'_>; 3],
    list: &RunFileList,
    attached: &[BorrowedFd<'_>],
    cancel: &CancelToken,
) -> SupervisionResult {
    let failed = |stage| move |cause| RunError { stage, cause };
    let run_files = ReceivedRunFiles::new(list, attached).map_err(failed(RunStage::Prepare))?;
    let outer = tempfile::tempdir().map_err(failed(RunStage::Prepare))?;
    let path = CString::new(outer.path().join("run").as_os_str().as_encoded_bytes());
    let folder = WorkFolder::create(path.map_err(|cause| failed(RunStage::Prepare)(cause.into()))?);
    let folder = folder.map_err(failed(RunStage::Prepare))?;
    let mut request = request.clone();
    run_files.unpack_into(&folder, &mut request.image.argv).map_err(failed(RunStage::Prepare))?;
    let packed_bytes = folder.size_bytes();
    let result = run_directly(&request, streams, Some((&folder, packed_bytes)), cancel);
    run_files.collect_from(&folder, request.limits.output_limit_bytes).map_err(failed(RunStage::End))?;
    folder.remove_contents().map_err(failed(RunStage::End))?;
    result
}

/// Runs a request without a spawner.
fn run_directly(
    request: &RunRequest,
    streams: [StreamHandle<'_>; 3],
    folder: Option<(&WorkFolder, u64)>,
    cancel: &CancelToken,
) -> SupervisionResult {
    if request.uses_fork_server {
        let cause = std::io::ErrorKind::Unsupported.into();
        return Err(RunError { stage: RunStage::Copy, cause });
    }
    let started = Instant::now();
    let child = start_with_retries(&ProcessStart {
        image: &request.image,
        streams: streams.each_ref().map(AsFd::as_fd),
        resources: request.resources,
        #[cfg(target_os = "linux")]
        server: None,
        #[cfg(target_os = "linux")]
        sandbox: None,
    })?;
    drop(streams);
    let config = SupervisionConfig {
        limits: &request.limits,
        cancel_source: CancelSource::Token(cancel),
        kill_scope: KillScope::Group,
        folders: [folder.map(|(folder, _)| folder), None],
        initial_bytes: folder.map_or(0, |(_, packed_bytes)| packed_bytes),
        #[cfg(target_os = "linux")]
        gate: None,
    };
    supervise_run(child, started, &config)
}

/// Always false: there are no spawners on this system.
#[cfg(not(target_os = "linux"))]
pub fn serve_if_spawner(_words: &[std::ffi::OsString]) -> bool {
    false
}
