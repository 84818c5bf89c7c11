//! The fork servers of a spawner.
//!
//! A server runs code of the program: constructors, and their effects. So nothing relies on the server's behavior. Its
//! filter lets it fork only when its [`ForkServerGate`] grants a copy, and it is stopped whenever no copy of it runs: a
//! server neither computes nor writes while another program is judged. A server that has threads or child processes, or
//! is not ready in time, is killed, and the reason is returned.

use super::SERVER_VARIABLES;
use super::in_place::{InPlaceCopy, InPlaceMemory, InPlaceRuns};
use crate::isolation::unsandboxed_server_filter;
use crate::supervise::{self, ChildList, ForkServerGate, ReadinessTimer, descriptor_count, has_children, thread_count};
use crate::sys::{
    BorrowedFd, ChildProcess, ChildWaiter, ExecImage, ForkServerStart, ProcessStart, ResourceLimits, RunError,
    RunStage, SeccompListener, Wake,
};
use crate::system_error::is_disconnected;
use crate::tuning::{
    COPY_TIMEOUT, FIRST_LASTING_POLL_PAUSE, FIRST_POLL_PAUSE, MAX_MACHINES, MAX_POLL_PAUSE, MAX_SERVER_WAIT,
    MAX_SERVERS, READY_TIMEOUT, READY_TIMEOUT_SHARE, REQUESTS_PER_COUNT, SERVER_POLL_INTERVAL,
};
use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, Shutdown, SocketFlags, SocketType, recvmsg, sendmsg, shutdown, socketpair,
};
use std::ffi::CString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The sources of events from processes that the spawner did not start itself.
#[derive(Clone, Copy)]
pub(crate) struct SpawnerEvents<'a> {
    /// Wakes when a child has ended.
    pub(crate) child_waiter: &'a ChildWaiter,
    pub(crate) children: &'a ChildList,
    /// Becomes readable when the copy is no longer wanted.
    pub(crate) cancel_socket: BorrowedFd<'a>,
}

/// Fork servers, the most recently used one last.
#[derive(Debug, Default)]
pub(crate) struct ForkServerPool {
    servers: Vec<ForkServerProcess>,
    /// Processes that run a program in place without a server, the most recently used one last.
    machines: Vec<(ExecImage, ResourceLimits, InPlaceCopy)>,
}

#[derive(Debug)]
struct ForkServerProcess {
    image: ExecImage,
    resources: ResourceLimits,
    /// True if the program is sandboxed, and so cannot have children.
    is_sandboxed: bool,
    socket: OwnedFd,
    gate: ForkServerGate,
    state: ForkServerState,
    /// Number of open descriptors when it was ready for its first copy.
    descriptor_count: Option<usize>,
    /// Number of requests for which it forked copies.
    request_count: u64,
    started: Instant,
    /// Total time that its spawner has waited for it, without the short time of each request.
    total_wait: Duration,
    /// The copy that runs the program in place, if there is one.
    in_place: Option<InPlaceCopy>,
    process: ChildProcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForkServerState {
    /// It is starting.
    Starting,
    /// It has the streams of the current request, and forks copies when granted.
    Serving,
    /// It is stopped, and still has the streams of an earlier request.
    Stopped,
}

impl ForkServerPool {
    /// Returns the process IDs of the servers, and of their copies that run programs in place.
    pub(crate) fn server_pids(&self) -> Vec<i32> {
        let lasting = |server: &ForkServerProcess| server.in_place.as_ref().map(InPlaceCopy::pid);
        let servers = self.servers.iter().flat_map(|server| [server.process.pid()].into_iter().chain(lasting(server)));
        servers.chain(self.machines.iter().map(|(_, _, copy)| copy.pid())).collect()
    }

    /// Returns the gate of the most recently used server.
    pub(crate) fn last_gate(&self) -> Option<&ForkServerGate> {
        self.servers.last().map(|server| &server.gate)
    }

    /// Returns a forked copy of the program's server, in place of a fresh start, and the time of the fork. The copy is of
    /// this variant of the program, or of none if the number is 0. Most copies
    /// have ended when this returns; it returns early if the run is cancelled. A server that fails is killed with its
    /// descendants.
    ///
    /// # Errors
    ///
    /// Returns a `Copy` error if the operating system refuses, with an error number, or if the program cannot be
    /// forked, with the reason.
    pub(crate) fn fork_copy(
        &mut self,
        start: &ProcessStart<'_>,
        variant: u64,
        events: SpawnerEvents<'_>,
    ) -> Result<(ChildProcess, Instant), RunError> {
        self.use_server(start, events, |server, others| {
            server.fork_copy(CopyStart { start, variant, is_in_place: false }, others, events)
        })
    }

    /// Runs a program in place on some inputs, see [`InPlaceCopy::run_batch`].
    ///
    /// # Errors
    ///
    /// Same as [`fork_copy`](ForkServerPool::fork_copy).
    pub(crate) fn run_in_place(
        &mut self,
        start: &ProcessStart<'_>,
        inputs: &[&[u8]],
        events: SpawnerEvents<'_>,
    ) -> Result<Option<InPlaceRuns>, RunError> {
        self.use_server(start, events, |server, others| server.run_in_place(start, inputs, others, events))
    }

    /// Runs a program that needs no server in place on some inputs.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started, or a `Copy` error if the operating system refuses.
    pub(crate) fn run_in_machine(
        &mut self,
        start: &ProcessStart<'_>,
        inputs: &[&[u8]],
        events: SpawnerEvents<'_>,
    ) -> Result<Option<InPlaceRuns>, RunError> {
        let failed = |cause| RunError { stage: RunStage::Copy, cause };
        let same = |(image, resources, _): &(ExecImage, ResourceLimits, InPlaceCopy)| {
            *image == *start.image && *resources == start.resources
        };
        let mut copy = match self.machines.iter().position(same) {
            Some(at) => self.machines.remove(at).2,
            None => {
                let memory = InPlaceMemory::create().map_err(failed)?;
                let resources = ResourceLimits { cpu_time_s: IN_PLACE_CPU_TIME_S, ..start.resources };
                let start = ProcessStart { streams: memory.streams(), resources, ..*start };
                let process = supervise::start_with_retries(&start)?;
                InPlaceCopy::new(memory, process)
            }
        };
        let ran = copy.run_batch(inputs, events.cancel_socket, None).map_err(failed)?;
        if !copy.has_ended() {
            if self.machines.len() >= MAX_MACHINES {
                self.machines.remove(0);
            }
            self.machines.push((start.image.clone(), start.resources, copy));
        }
        Ok(ran)
    }

    /// Uses the server of a program, which is started if there is none. If that fails, the server is killed with its
    /// descendants.
    fn use_server<T>(
        &mut self,
        start: &ProcessStart<'_>,
        events: SpawnerEvents<'_>,
        act: impl FnOnce(&mut ForkServerProcess, &[i32]) -> io::Result<T>,
    ) -> Result<T, RunError> {
        let failed = |cause| RunError { stage: RunStage::Copy, cause };
        let same = |server: &ForkServerProcess| server.image == *start.image && server.resources == start.resources;
        let mut server = match self.servers.iter().position(same) {
            Some(at) => self.servers.remove(at),
            None => ForkServerProcess::start(start)?,
        };
        let others = self.server_pids();
        match act(&mut server, &others) {
            Ok(result) => {
                if self.servers.len() >= MAX_SERVERS {
                    self.servers.remove(0);
                }
                self.servers.push(server);
                Ok(result)
            }
            Err(cause) => {
                drop(server);
                supervise::kill_all_except(&others, events.children).map_err(failed)?;
                Err(failed(cause))
            }
        }
    }

    /// Stops the server that forked copies for the request that has ended, and kills its descendants.
    ///
    /// # Errors
    ///
    /// Returns an error if a process survives being killed.
    pub(crate) fn stop_last_server(&mut self, children: &ChildList) -> io::Result<bool> {
        let Some(server) = self.servers.last_mut().filter(|server| server.state == ForkServerState::Serving) else {
            return Ok(false);
        };
        let is_stopped = server.stop().is_ok();
        if is_stopped && (server.is_sandboxed || !has_children(server.process.pid())) {
            return Ok(true);
        }
        self.servers.pop();
        supervise::kill_all_except(&self.server_pids(), children)?;
        Ok(true)
    }
}

/// The kernel's limit on the processor time of a process that runs a program in place, in seconds: its runs are limited, not
/// the process.
const IN_PLACE_CPU_TIME_S: u64 = u32::MAX as u64;

/// The copy that a server is to make.
#[derive(Clone, Copy)]
struct CopyStart<'a> {
    start: &'a ProcessStart<'a>,
    /// The variant of the program, or 0.
    variant: u64,
    /// True if it is to run the program in place, with these streams as its connection.
    is_in_place: bool,
}

/// Returns true if a request could not be sent because the server has closed its end of the socket.
fn has_server_closed(cause: &io::Error) -> bool {
    is_disconnected(cause) || cause.kind() == io::ErrorKind::ConnectionRefused
}

impl ForkServerProcess {
    fn start(start: &ProcessStart<'_>) -> Result<ForkServerProcess, RunError> {
        let failed = |cause: io::Error| RunError { stage: RunStage::Copy, cause };
        let own_filter = match start.sandbox {
            Some(sandbox) => sandbox.server_filter.clone(),
            None => unsandboxed_server_filter(),
        };
        let filter = own_filter.ok_or_else(|| failed(io::ErrorKind::Unsupported.into()))?;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|cause| failed(cause.into()))?;
        let nothing = std::fs::File::options().read(true).write(true).open("/dev/null").map_err(failed)?;
        let mut image = start.image.clone();
        Arc::make_mut(&mut image.environment).extend(SERVER_VARIABLES.map(CString::from));
        // The limit applies to each copy.
        let resources = ResourceLimits { cpu_time_s: u64::MAX, ..start.resources };
        let process = supervise::start_with_retries(&ProcessStart {
            image: &image,
            streams: [nothing.as_fd(), nothing.as_fd(), nothing.as_fd()],
            resources,
            server: Some(ForkServerStart { socket: theirs.as_fd(), filter: &filter }),
            sandbox: start.sandbox,
        });
        let process = process.map_err(|error| failed(error.cause))?;
        let listener = receive_listener(&ours).map_err(failed)?;
        // Nothing else is read from the server, so it must not be able to fill the socket's buffer.
        shutdown(&ours, Shutdown::Read).map_err(|cause| failed(cause.into()))?;
        Ok(ForkServerProcess {
            image: start.image.clone(),
            resources: start.resources,
            is_sandboxed: start.sandbox.is_some(),
            socket: ours,
            gate: ForkServerGate::new(listener, process.pid()),
            state: ForkServerState::Starting,
            descriptor_count: None,
            request_count: 0,
            started: Instant::now(),
            total_wait: Duration::ZERO,
            in_place: None,
            process,
        })
    }

    /// Runs the program in place. The copy that does so stays for the next batch, unless the batch has ended it.
    fn run_in_place(
        &mut self,
        start: &ProcessStart<'_>,
        inputs: &[&[u8]],
        others: &[i32],
        events: SpawnerEvents<'_>,
    ) -> io::Result<Option<InPlaceRuns>> {
        let mut copy = match self.in_place.take() {
            Some(copy) => copy,
            None => self.fork_in_place(start, others, events)?,
        };
        let runs = copy.run_batch(inputs, events.cancel_socket, Some(&self.gate))?;
        self.in_place = Some(copy).filter(|copy| !copy.has_ended());
        Ok(runs)
    }

    /// Forks a copy that runs the program in place, and stops the server.
    fn fork_in_place(
        &mut self,
        start: &ProcessStart<'_>,
        others: &[i32],
        events: SpawnerEvents<'_>,
    ) -> io::Result<InPlaceCopy> {
        let memory = InPlaceMemory::create()?;
        let start = ProcessStart { streams: memory.streams(), ..*start };
        let (process, _) =
            self.fork_copy(CopyStart { start: &start, variant: 0, is_in_place: true }, others, events)?;
        self.stop()?;
        Ok(InPlaceCopy::new(memory, process))
    }

    /// Stops it: its next copies have other streams.
    fn stop(&mut self) -> io::Result<()> {
        self.state = ForkServerState::Stopped;
        self.process.stop_and_wait()
    }

    /// Returns a copy with the streams of its request. `others` are children of this process that are not copies.
    fn fork_copy(
        &mut self,
        copy: CopyStart<'_>,
        others: &[i32],
        events: SpawnerEvents<'_>,
    ) -> io::Result<(ChildProcess, Instant)> {
        let others: Vec<i32> = others.iter().copied().chain(self.in_place.as_ref().map(InPlaceCopy::pid)).collect();
        if self.state != ForkServerState::Serving {
            self.begin_request(copy, &others, events)?;
        }
        while !self.gate.grant_request()? {
            self.wait_for_fork_request(events)?;
        }
        let granted = Instant::now();
        Ok((self.adopt_granted_copy(&others, copy.is_in_place, events)?, granted))
    }

    /// Sends the streams of a new request, and waits until the server is ready to fork the first copy.
    fn begin_request(&mut self, copy: CopyStart<'_>, others: &[i32], events: SpawnerEvents<'_>) -> io::Result<()> {
        match self.send_request(copy) {
            // The server has closed its end of the socket; the wait for its fork request reports what happened to it.
            Err(cause) if has_server_closed(&cause) => {}
            sent => sent?,
        }
        if self.state == ForkServerState::Stopped {
            // The server was about to fork another copy with its old streams: decline that.
            self.process.send_continue()?;
            self.wait_for_fork_request(events)?;
            while !self.gate.decline_request()? {
                self.wait_for_fork_request(events)?;
            }
        }
        self.wait_for_fork_request(events)?;
        self.state = ForkServerState::Serving;
        self.check_forkable(others, events)
    }

    /// Waits until the server asks to fork a copy.
    fn wait_for_fork_request(&mut self, events: SpawnerEvents<'_>) -> io::Result<()> {
        let mut timer = ReadinessTimer::new(self.process.pid());
        let tick = Timespec { tv_sec: 0, tv_nsec: SERVER_POLL_INTERVAL.as_nanos() as _ };
        loop {
            self.gate.answer_notifications(|| None)?;
            if self.gate.has_pending_request() {
                if timer.elapsed() > SERVER_POLL_INTERVAL {
                    self.total_wait += timer.elapsed_on_cpu();
                }
                return Ok(());
            }
            if self.process.has_ended()? {
                return Err(io::Error::other("it exits before it can be forked"));
            }
            let timeout = READY_TIMEOUT + self.started.elapsed() / READY_TIMEOUT_SHARE;
            if timer.elapsed() > MAX_SERVER_WAIT || self.total_wait + timer.elapsed_on_cpu() > timeout {
                return Err(io::Error::other("it takes too long to get ready"));
            }
            let mut polled =
                [PollFd::new(&self.gate, PollFlags::IN), PollFd::new(&events.cancel_socket, PollFlags::IN)];
            retry_on_intr(|| poll(&mut polled, Some(&tick)))?;
            if !polled[1].revents().is_empty() {
                return Err(Errno::CANCELED.into());
            }
        }
    }

    /// Returns an error if the server has threads, which a copy would lack, or child processes, which could be mistaken
    /// for copies if it is not sandboxed.
    fn check_forkable(&mut self, others: &[i32], events: SpawnerEvents<'_>) -> io::Result<()> {
        let refused = |why: &str| Err(io::Error::other(why));
        let own = self.process.pid();
        if thread_count(own) != Some(1) {
            return refused("it starts threads before `main`");
        }
        let is_known = |pid: &i32| *pid == own || others.contains(pid);
        let has_own_children = !self.is_sandboxed && has_children(own);
        if has_own_children || !events.children.current_pids().iter().all(is_known) {
            return refused("it starts processes before `main`");
        }
        if self.is_sandboxed && self.request_count.is_multiple_of(REQUESTS_PER_COUNT) {
            let descriptors = descriptor_count(own);
            if descriptors.is_none() || self.descriptor_count.is_some_and(|first| Some(first) != descriptors) {
                return refused("it keeps files open from run to run");
            }
            self.descriptor_count = descriptors;
        }
        self.request_count += 1;
        Ok(())
    }

    /// Adopts the copy that was granted.
    ///
    /// Only copies and their descendants become children of this process, none of them is left from earlier runs, and
    /// the kernel lists children in the order in which they became children. So the first unknown child is the copy.
    ///
    /// One that `lasts` is adopted at once, any other if it has not ended after a while.
    fn adopt_granted_copy(&self, others: &[i32], lasts: bool, events: SpawnerEvents<'_>) -> io::Result<ChildProcess> {
        let own = self.process.pid();
        let since = Instant::now();
        let (mut pause, mut timeout) = (if lasts { FIRST_LASTING_POLL_PAUSE } else { FIRST_POLL_PAUSE }, COPY_TIMEOUT);
        let unknown = || events.children.current_pids().into_iter().filter(|pid| *pid != own && !others.contains(pid));
        loop {
            let wake = events.child_waiter.wait(pause, events.cancel_socket)?;
            let mut all = unknown();
            match (all.next(), all.next()) {
                // The copy has ended, alone: there is nothing left to wait for.
                (Some(pid), None) if wake == Wake::ChildSignal(pid) => return ChildProcess::adopt_ended(pid),
                (Some(pid), _) if lasts || wake != Wake::TimedOut || since.elapsed() > MAX_POLL_PAUSE => {
                    return ChildProcess::adopt(pid);
                }
                // The copy is running, and can already have a system call that waits for an answer.
                (Some(pid), _) => self.gate.answer_notifications(|| Some(pid))?,
                (None, _) if self.process.has_ended()? => {
                    return Err(io::Error::other("it exits before it can be forked"));
                }
                (None, _) if since.elapsed() > timeout => {
                    return Err(io::Error::other("it does not fork"));
                }
                (None, _) => {
                    self.gate.answer_notifications(|| unknown().next())?;
                    // A signal can interrupt the granted fork, which is then restarted and has to be granted again.
                    // Otherwise the copy exists before the next request.
                    if self.gate.has_pending_request() && unknown().next().is_none() {
                        self.gate.grant_request()?;
                    }
                    // A cancellation stays in the socket, so the next wait would return at once. The copy that is being
                    // forked has to be adopted before giving up.
                    if wake == Wake::SocketReadable {
                        timeout = timeout.min(since.elapsed() + READY_TIMEOUT);
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            }
            pause = (pause * 2).min(MAX_POLL_PAUSE);
        }
    }

    /// Sends a request: the limit, the variant and the kind of its copies, and their streams. The time of a copy that
    /// runs in place is not limited as a whole.
    fn send_request(&self, CopyStart { start, variant, is_in_place }: CopyStart<'_>) -> io::Result<()> {
        let cpu_time_s = if is_in_place { IN_PLACE_CPU_TIME_S } else { start.resources.cpu_time_s };
        let head = [cpu_time_s, variant, u64::from(is_in_place)].map(u64::to_ne_bytes).concat();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&start.streams));
        retry_on_intr(|| sendmsg(&self.socket, &[IoSlice::new(&head)], &mut control, SendFlags::NOSIGNAL))?;
        Ok(())
    }
}

/// Receives the listener that the server's process sent before it executed the program.
fn receive_listener(socket: &OwnedFd) -> io::Result<SeccompListener> {
    let (mut byte, mut space) = ([0], [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))]);
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, flags))?;
    let descriptor = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    descriptor.map(SeccompListener::new).ok_or_else(|| Errno::MFILE.into())
}
