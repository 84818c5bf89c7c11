//! The spawner's side: a process that handles requests until its connection is cut.

use super::protocol::{CANCEL_MESSAGE, decode_message, decode_request, encode_responses};
use super::socket::SpawnerSocket;
use super::{SpawnerResponse, SupervisionResult};
use crate::fork_server::{ForkServerPool, SpawnerEvents};
use crate::isolation::work_folder::WorkFolder;
use crate::isolation::{KernelSupport, PreparedSandbox, SandboxPolicy, prepare_sandbox};
use crate::run_files::{ReceivedRunFiles, RunFileList};
use crate::supervise::{
    CancelSource, ChildList, KillScope, ProcessTree, RunRequest, SupervisionConfig, kill_all_except,
    start_with_retries, supervise_run,
};
use crate::sys::{ChildWaiter, ProcessStart, RunError, RunStage};
use crate::system_error::is_disconnected;
use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
use std::borrow::Cow;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// The first argument of a spawner's command line, which no user types.
pub(super) const SPAWNER_ARGUMENT: &str = "spawner-of-rebut";

/// Serves as a spawner if the arguments of this process, without its own name, request that, and returns true after
/// serving. A program that is passed to [`HostEnvironment::with_spawner`](crate::HostEnvironment::with_spawner) must
/// call this first.
pub fn serve_if_spawner(arguments: &[OsString]) -> bool {
    let [word, kernel, folder] = arguments else { return false };
    if word != OsStr::new(SPAWNER_ARGUMENT) {
        return false;
    }
    // The second argument names the kernel's features: a spawner does not probe them itself.
    let kernel = kernel.to_str().and_then(KernelSupport::from_word).unwrap_or_default();
    let folder = Path::new(folder);
    // The client notices that the spawner ended; there is nothing else to report.
    if let Ok(mut spawner) = SpawnerServer::new(folder, kernel) {
        let served = spawner.serve_requests();
        // Another spawner of the same client can remove the folder in the meantime, so a failure here says nothing about
        // the client.
        let _ = spawner.end_programs();
        if is_client_gone(&served) {
            remove_client_folder(folder);
        }
    }
    true
}

/// Returns true if serving ended because the client is gone. A spawner that merely failed must leave the folder alone,
/// because others work in it.
fn is_client_gone(served: &io::Result<()>) -> bool {
    served.as_ref().map_or_else(is_disconnected, |()| true)
}

/// Creates the folder in which a spawner runs programs. A spawner that was killed leaves its folder behind, and its
/// process ID can be reused.
fn make_work_folder(parent: &Path) -> io::Result<WorkFolder> {
    let number = rustix::process::getpid().as_raw_nonzero();
    let mut path = parent.join(format!("work-{number}"));
    for attempt in 1_u32.. {
        match WorkFolder::create(CString::new(path.as_os_str().as_bytes())?) {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                path = parent.join(format!("work-{number}-{attempt}"));
            }
            created => return created,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A spawner: its end of the connection, its working folder, the sandboxes that it has prepared, and its fork servers.
struct SpawnerServer {
    socket: SpawnerSocket,
    folder: WorkFolder,
    kernel: KernelSupport,
    prepared_sandboxes: Vec<(SandboxPolicy, Rc<PreparedSandbox>)>,
    servers: ForkServerPool,
    /// The null device, in the place of streams that are not used.
    nothing: File,
    children: ChildList,
    child_waiter: ChildWaiter,
    /// Encoded requests and their decoded form.
    decoded_requests: Vec<(Vec<u8>, Rc<DecodedRequest>)>,
    /// The variant of the program that the copies of the current request are to run.
    variant: u64,
}

/// A request, which runs in the spawner's folder if it is sandboxed, and its prepared sandbox.
struct DecodedRequest {
    request: RunRequest,
    sandbox: Option<Rc<PreparedSandbox>>,
    /// The folder for the results of a compiler.
    results: Option<WorkFolder>,
}

/// Maximum number of cached requests; the oldest is evicted.
const MAX_CACHED_REQUESTS: usize = 8;

impl SpawnerServer {
    fn new(parent: &Path, kernel: KernelSupport) -> io::Result<SpawnerServer> {
        let socket = SpawnerSocket::from_descriptor(rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3)?);
        // Terminal signals must not stop the spawner; the client decides. This fails harmlessly if the process already
        // leads a group.
        let _ = rustix::process::setsid();
        set_child_subreaper(Some(rustix::process::getpid()))?;
        // Other programs of the same user must not inspect it.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        let folder = make_work_folder(parent)?;
        let (children, child_waiter) = (ChildList::new(), ChildWaiter::new(socket.as_fd())?);
        let servers = ForkServerPool::default();
        let (prepared_sandboxes, decoded_requests) = (Vec::new(), Vec::new());
        Ok(SpawnerServer {
            socket,
            folder,
            kernel,
            prepared_sandboxes,
            servers,
            nothing: File::open("/dev/null")?,
            children,
            child_waiter,
            decoded_requests,
            variant: 0,
        })
    }

    /// Handles requests until the client closes the connection.
    fn serve_requests(&mut self) -> io::Result<()> {
        while let Some((bytes, descriptors)) = self.socket.receive_message()? {
            // A cancellation that arrives after its run has ended has no effect.
            if bytes != CANCEL_MESSAGE {
                let responses = self.handle_message(&bytes, descriptors);
                self.socket.send_message(&encode_responses(&responses), &[])?;
            }
        }
        Ok(())
    }

    /// Kills all programs that are still running, and removes their files.
    fn end_programs(&mut self) -> io::Result<()> {
        // Fork servers die with their descendants: nothing of theirs outlives this process.
        let ended = kill_all_except(&[], &self.children);
        self.servers = ForkServerPool::default();
        ended.and(self.folder.remove_contents())
    }

    /// Handles one message. When this returns, no descriptor that came with it is open here: neither the streams nor
    /// the attached files. A fork server is stopped, and keeps its streams until the next copy is requested.
    fn handle_message(&mut self, bytes: &[u8], mut streams: Vec<OwnedFd>) -> Vec<SpawnerResponse> {
        let only = |result| vec![(result, None)];
        let decoded = decode_message(bytes).and_then(|message| Ok((self.decode_cached(message.request)?, message)));
        let (request, message) = match decoded {
            Ok(read) => read,
            Err(cause) => return only(Err(prepare_error(cause))),
        };
        self.variant = message.variant;
        if message.is_in_place {
            return self.run_in_place(&request, &message.inputs);
        }
        let attached = streams.split_off(streams.len().min(3));
        // The kernel drops descriptors that exceed the limit on open files.
        let Ok(streams) = <[OwnedFd; 3]>::try_from(streams) else {
            return only(Err(prepare_error(rustix::io::Errno::MFILE.into())));
        };
        let mut responses = only(match &request.request.file_list {
            Some(list) => self.run_with_files(&request, streams, list, &attached),
            None => self.run_once(&request, streams, None),
        });
        if let Err(cause) = self.stop_last_server() {
            responses = only(Err(RunError { stage: RunStage::End, cause }));
        }
        responses
    }

    /// Stops the fork server that made the last copies, and removes the files that it created itself since its last copy
    /// ended: the next program would find them.
    fn stop_last_server(&mut self) -> io::Result<()> {
        if self.servers.stop_last_server(&self.children)? { self.folder.remove_contents() } else { Ok(()) }
    }

    /// Runs a program in place. Returns the results of the first inputs; one that failed in the stage
    /// [`InPlace`](RunStage::InPlace) is that of the program, and the only one.
    fn run_in_place(&mut self, decoded: &DecodedRequest, inputs: &[&[u8]]) -> Vec<SpawnerResponse> {
        let request = &decoded.request;
        let start = ProcessStart {
            image: &request.image,
            // A copy that runs in place gets others.
            streams: [self.nothing.as_fd(); 3],
            resources: request.resources,
            server: None,
            sandbox: decoded.sandbox.as_deref(),
        };
        let events = SpawnerEvents {
            child_waiter: &self.child_waiter,
            children: &self.children,
            cancel_socket: self.socket.as_fd(),
        };
        let ran = match request.uses_fork_server {
            true => self.servers.run_in_place(&start, inputs, events),
            false => self.servers.run_in_machine(&start, inputs, events),
        };
        let removed = match decoded.sandbox {
            Some(_) => self.folder.remove_contents().map_err(|cause| RunError { stage: RunStage::End, cause }),
            None => Ok(()),
        };
        let failed = |stage| (Err(RunError { stage, cause: io::ErrorKind::Unsupported.into() }), None);
        match (ran, removed) {
            (Ok(Some(runs)), Ok(())) => runs
                .into_iter()
                .map(|run| match run.filter(|run| run.is_far_from(&request.limits)) {
                    Some(run) => (Ok(run.to_report()), Some([run.output, run.error])),
                    None => failed(RunStage::Unclean),
                })
                .collect(),
            (Ok(None), Ok(())) => vec![failed(RunStage::InPlace)],
            (Err(error), _) | (_, Err(error)) => vec![(Err(error), None)],
        }
    }

    fn run_with_files(
        &mut self,
        decoded: &DecodedRequest,
        streams: [OwnedFd; 3],
        list: &RunFileList,
        attached: &[OwnedFd],
    ) -> SupervisionResult {
        let attached: Vec<BorrowedFd<'_>> = attached.iter().map(AsFd::as_fd).collect();
        let run_files = ReceivedRunFiles::new(list, &attached).map_err(prepare_error)?;
        self.run_once(decoded, streams, Some(run_files))
    }

    fn run_once<S: AsFd>(
        &mut self,
        decoded: &DecodedRequest,
        streams: [S; 3],
        run_files: Option<ReceivedRunFiles<'_>>,
    ) -> SupervisionResult {
        let has_folder = decoded.sandbox.is_some() || run_files.is_some();
        let result = self.run_program(decoded, streams, run_files);
        if has_folder {
            self.folder.remove_contents().map_err(|cause| RunError { stage: RunStage::End, cause })?;
        }
        result
    }

    /// Returns a decoded request from the cache, or decodes it. A search repeats the same few requests.
    fn decode_cached(&mut self, bytes: &[u8]) -> io::Result<Rc<DecodedRequest>> {
        if let Some((_, known)) = self.decoded_requests.iter().find(|(known, _)| known == bytes) {
            return Ok(Rc::clone(known));
        }
        let mut request = decode_request(bytes)?;
        let sandbox = request.sandbox.take();
        let compiler = sandbox.as_ref().and_then(|sandbox| sandbox.compiler.as_ref());
        let results = compiler.map(|compiler| WorkFolder::open_existing(compiler.results.clone())).transpose()?;
        let is_kept = results.is_none();
        let sandbox = sandbox.map(|sandbox| self.prepare_policy(&sandbox, &mut request)).transpose()?;
        let decoded = Rc::new(DecodedRequest { request, sandbox, results });
        // Not cached: no two builds write into the same folder.
        if !is_kept {
            return Ok(decoded);
        }
        if self.decoded_requests.len() >= MAX_CACHED_REQUESTS {
            self.decoded_requests.remove(0);
        }
        self.decoded_requests.push((bytes.to_vec(), Rc::clone(&decoded)));
        Ok(decoded)
    }

    fn run_program<S: AsFd>(
        &mut self,
        decoded: &DecodedRequest,
        streams: [S; 3],
        run_files: Option<ReceivedRunFiles<'_>>,
    ) -> SupervisionResult {
        let request = &decoded.request;
        let sandbox = decoded.sandbox.as_deref();
        let (mut image, mut packed_bytes) = (Cow::Borrowed(&request.image), 0);
        if let Some(run_files) = &run_files {
            run_files.unpack_into(&self.folder, &mut image.to_mut().argv).map_err(prepare_error)?;
            packed_bytes = self.folder.size_bytes();
        }
        let lent = streams.each_ref().map(AsFd::as_fd);
        let start = ProcessStart { image: &image, streams: lent, resources: request.resources, server: None, sandbox };
        let (child, started) = if request.uses_fork_server {
            let events = SpawnerEvents {
                child_waiter: &self.child_waiter,
                children: &self.children,
                cancel_socket: self.socket.as_fd(),
            };
            self.servers.fork_copy(&start, self.variant, events)?
        } else {
            let started = Instant::now();
            (start_with_retries(&start)?, started)
        };
        // The process at the other end of a pipe must notice when the program closes it.
        drop(streams);
        let servers = self.servers.server_pids();
        let own = (sandbox.is_some() || run_files.is_some()).then_some(&self.folder);
        let config = SupervisionConfig {
            limits: &request.limits,
            cancel_source: CancelSource::Socket(self.socket.as_fd()),
            kill_scope: KillScope::Tree(ProcessTree { spared: &servers, children: &self.children }),
            folders: [own, decoded.results.as_ref()],
            initial_bytes: packed_bytes,
            gate: self.servers.last_gate().filter(|_| request.uses_fork_server),
        };
        let result = supervise_run(child, started, &config);
        if let Some(run_files) = run_files {
            let limit_bytes = request.limits.output_limit_bytes;
            run_files
                .collect_from(&self.folder, limit_bytes)
                .map_err(|cause| RunError { stage: RunStage::End, cause })?;
        }
        result
    }

    /// Prepares a sandbox, and moves the request into the spawner's folder. A compiler has only its temporary files
    /// there, and works where the sources are.
    fn prepare_policy(&mut self, sandbox: &SandboxPolicy, request: &mut RunRequest) -> io::Result<Rc<PreparedSandbox>> {
        let folder = self.folder.path();
        if sandbox.compiler.is_none() {
            request.image.directory = folder.to_owned();
        }
        for variable in Arc::make_mut(&mut request.image.environment) {
            let name = ["HOME=", "TMPDIR="].into_iter().find(|name| variable.to_bytes().starts_with(name.as_bytes()));
            if let Some(name) = name {
                *variable = CString::new([name.as_bytes(), folder.to_bytes()].concat())?;
            }
        }
        if let Some((_, prepared)) = self.prepared_sandboxes.iter().find(|(known, _)| known == sandbox) {
            return Ok(Rc::clone(prepared));
        }
        let prepared = Rc::new(prepare_sandbox(sandbox, folder, self.kernel)?);
        if sandbox.compiler.is_none() {
            self.prepared_sandboxes.push((sandbox.clone(), Rc::clone(&prepared)));
        }
        Ok(prepared)
    }
}

fn prepare_error(cause: io::Error) -> RunError {
    RunError { stage: RunStage::Prepare, cause }
}

/// Removes the client's folder. A client that exits normally has removed it already.
fn remove_client_folder(folder: &Path) {
    if folder.is_absolute() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spawner_ignores_folder_left_by_an_earlier_pid() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let folders = (0..3).map(|_| make_work_folder(parent.path())).collect::<io::Result<Vec<WorkFolder>>>()?;
        assert_eq!(std::fs::read_dir(parent.path())?.count(), folders.len());
        Ok(())
    }

    #[test]
    fn spawner_removes_folder_only_when_client_is_gone() {
        let failed = |kind: io::ErrorKind| Err(io::Error::from(kind));
        assert!(is_client_gone(&Ok(())) && is_client_gone(&failed(io::ErrorKind::BrokenPipe)));
        assert!(
            !is_client_gone(&failed(io::ErrorKind::AlreadyExists))
                && !is_client_gone(&failed(io::ErrorKind::OutOfMemory))
        );
    }
}
