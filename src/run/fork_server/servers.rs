//! The fork servers of a spawner.
//!
//! A server runs code of the program: constructors, and whatever they leave behind. So nothing is built on what a server
//! does. Its filter lets it make a copy only when its [`Gate`] grants one, and it is stopped whenever no copy of it runs: a
//! server neither computes nor writes while another program is judged. One that has threads or processes of its own, or that
//! is not ready in time, is ended, and the reason returned.

use super::VARIABLES;
use crate::run::isolation::server_filter_without_walls;
use crate::run::supervise::{self, Gate, OwnChildren, Waiting, descriptor_count, has_children, thread_count};
use crate::run::sys::{
    Bell, BorrowedFd, Child, Heard, Image, Listener, Resources, RunError, ServerStart, Stage, Start,
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

/// Maximum number of servers: the one that was used the longest ago goes first.
const MAX_SERVERS: usize = 8;

/// How long a server may keep its spawner waiting, not counting the time in which other processes kept it from running. An
/// interpreter starts in a twentieth of it.
const PATIENCE: Duration = Duration::from_secs(2);

/// As a server lives on, this part of its life is added to the patience with it.
const PATIENCE_SHARE: u32 = 10;

/// The longest time that a server is waited for at once, whatever kept it from running.
const MAX_WAIT: Duration = Duration::from_secs(8);

/// How long a copy that was granted may take to appear.
const COPY_PATIENCE: Duration = Duration::from_secs(20);

/// The descriptors of a server are counted once in so many orders: it takes as long as half a run.
const ORDERS_PER_COUNT: u64 = 16;

/// How often a server that is not ready is looked at.
const TICK: Duration = Duration::from_millis(20);

/// Most copies have ended so soon, and are never looked at while they live.
const MOMENT: Duration = Duration::from_millis(20);

/// After so long it is first looked whether a copy waits for an answer; each later time is twice as long. A look costs as much
/// as a tenth of a run, and on a busy machine a run takes long; only a copy that signals itself, as by `abort`, waits for it.
const FIRST_LOOK: Duration = Duration::from_millis(2);

/// How a spawner learns of what it did not start itself.
#[derive(Clone, Copy)]
pub(in crate::run) struct Senses<'a> {
    /// It rings when a child has ended.
    pub(in crate::run) bell: &'a Bell,
    /// The list of children.
    pub(in crate::run) children: &'a OwnChildren,
    /// Where word comes that the copy is no longer wanted.
    pub(in crate::run) master: BorrowedFd<'a>,
}

/// Fork servers, the one used last behind the others.
#[derive(Debug, Default)]
pub(in crate::run) struct Servers {
    all: Vec<Server>,
}

#[derive(Debug)]
struct Server {
    image: Image,
    resources: Resources,
    /// Whether its programs stand behind walls: then it cannot have children.
    has_walls: bool,
    line: OwnedFd,
    gate: Gate,
    state: State,
    /// How many descriptors it had open when it was ready for its first copy.
    descriptors: Option<usize>,
    /// The number of orders for which it made copies.
    orders: u64,
    /// When it was started.
    since: Instant,
    /// How long it has kept its spawner waiting, the short times left out that each request takes.
    waited: Duration,
    process: Child,
}

/// What a server is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It starts.
    Starting,
    /// It has the streams of this order, and makes copies when it is let.
    Serving,
    /// It is stopped, and still has the streams of an earlier order.
    Stopped,
}

impl Servers {
    /// The numbers of their processes.
    pub(in crate::run) fn ids(&self) -> Vec<i32> {
        self.all.iter().map(|server| server.process.id()).collect()
    }

    /// The gate of the server that was used last.
    pub(in crate::run) fn gate(&self) -> Option<&Gate> {
        self.all.last().map(|server| &server.gate)
    }

    /// Returns a copy of the server of a program, in place of a start of it, and when it began. Most have ended when this
    /// returns, which it does early if the copy is no longer wanted. A server that fails is ended with all that came of it.
    ///
    /// # Errors
    ///
    /// `Copy`: the machine refuses it, which has an error number; or the program cannot be copied, for the reason given.
    pub(in crate::run) fn copy(&mut self, what: &Start<'_>, senses: Senses<'_>) -> Result<(Child, Instant), RunError> {
        let failed = |cause| RunError { stage: Stage::Copy, cause };
        let same = |server: &Server| server.image == *what.image && server.resources == what.resources;
        let mut server = match self.all.iter().position(same) {
            Some(at) => self.all.remove(at),
            None => Server::start(what)?,
        };
        let others = self.ids();
        match server.copy(what, &others, senses) {
            Ok(copied) => {
                if self.all.len() >= MAX_SERVERS {
                    self.all.remove(0);
                }
                self.all.push(server);
                Ok(copied)
            }
            Err(cause) => {
                drop(server);
                supervise::end_everything_but(&others, senses.children).map_err(failed)?;
                Err(failed(cause))
            }
        }
    }

    /// Stops the server that made copies for this order, which is over, and ends what descends from it.
    ///
    /// # Errors
    ///
    /// Returns an error if a process outlives its killing.
    pub(in crate::run) fn stop(&mut self, children: &OwnChildren) -> io::Result<()> {
        let Some(server) = self.all.last_mut().filter(|server| server.state == State::Serving) else { return Ok(()) };
        server.state = State::Stopped;
        let is_stopped = server.process.stop().is_ok();
        if is_stopped && (server.has_walls || !has_children(server.process.id())) {
            return Ok(());
        }
        self.all.pop();
        supervise::end_everything_but(&self.ids(), children)
    }
}

/// Returns true if nothing can be sent any more because the other end is closed.
fn is_closed(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

impl Server {
    fn start(what: &Start<'_>) -> Result<Server, RunError> {
        let failed = |cause: io::Error| RunError { stage: Stage::Copy, cause };
        let own_filter = match what.walls {
            Some(walls) => walls.server_filter.clone(),
            None => server_filter_without_walls(),
        };
        let filter = own_filter.ok_or_else(|| failed(io::ErrorKind::Unsupported.into()))?;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|cause| failed(cause.into()))?;
        let nothing = std::fs::File::options().read(true).write(true).open("/dev/null").map_err(failed)?;
        let mut image = what.image.clone();
        Arc::make_mut(&mut image.environment).extend(VARIABLES.map(CString::from));
        // Its copies are limited one by one.
        let resources = Resources { cpu_time_s: u64::MAX, ..what.resources };
        let process = supervise::start(&Start {
            image: &image,
            streams: [nothing.as_fd(), nothing.as_fd(), nothing.as_fd()],
            resources,
            server: Some(ServerStart { line: theirs.as_fd(), filter: &filter }),
            walls: what.walls,
        });
        let process = process.map_err(|error| failed(error.cause))?;
        let listener = receive_listener(&ours).map_err(failed)?;
        // Nothing else that comes from it is read, so it must not be able to leave anything there.
        shutdown(&ours, Shutdown::Read).map_err(|cause| failed(cause.into()))?;
        Ok(Server {
            image: what.image.clone(),
            resources: what.resources,
            has_walls: what.walls.is_some(),
            line: ours,
            gate: Gate::new(listener, process.id()),
            state: State::Starting,
            descriptors: None,
            orders: 0,
            since: Instant::now(),
            waited: Duration::ZERO,
            process,
        })
    }

    /// A copy, with the streams of its order. There are some other children of ours that are no copies.
    fn copy(&mut self, what: &Start<'_>, others: &[i32], senses: Senses<'_>) -> io::Result<(Child, Instant)> {
        if self.state != State::Serving {
            self.begin_order(what, others, senses)?;
        }
        while !self.gate.grant()? {
            self.wait_until_asked(senses)?;
        }
        let granted = Instant::now();
        Ok((self.copy_granted(others, senses)?, granted))
    }

    /// Gives it the streams of a new order, and waits until it is ready to make the first copy with them.
    fn begin_order(&mut self, what: &Start<'_>, others: &[i32], senses: Senses<'_>) -> io::Result<()> {
        match self.send_request(what) {
            // Its end of the line is closed: what became of it shows where it should ask.
            Err(cause) if is_closed(&cause) => {}
            sent => sent?,
        }
        if self.state == State::Stopped {
            // It wanted to make another copy with the streams that it has, or was just about to.
            self.process.go_on()?;
            self.wait_until_asked(senses)?;
            while !self.gate.decline()? {
                self.wait_until_asked(senses)?;
            }
        }
        self.wait_until_asked(senses)?;
        self.state = State::Serving;
        self.check_alone(others, senses)
    }

    /// Waits until it asks for leave to make a copy.
    fn wait_until_asked(&mut self, senses: Senses<'_>) -> io::Result<()> {
        let mut waiting = Waiting::new(self.process.id());
        let tick = Timespec { tv_sec: 0, tv_nsec: TICK.as_nanos() as _ };
        loop {
            self.gate.answer(|| None)?;
            if self.gate.is_asked() {
                if waiting.elapsed() > TICK {
                    self.waited += waiting.elapsed_without_delay();
                }
                return Ok(());
            }
            if self.process.is_over()? {
                return Err(io::Error::other("it ends where it is to be copied"));
            }
            let patience = PATIENCE + self.since.elapsed() / PATIENCE_SHARE;
            if waiting.elapsed() > MAX_WAIT || self.waited + waiting.elapsed_without_delay() > patience {
                return Err(io::Error::other("it is not ready to be copied in time"));
            }
            let mut polled = [PollFd::new(&self.gate, PollFlags::IN), PollFd::new(&senses.master, PollFlags::IN)];
            retry_on_intr(|| poll(&mut polled, Some(&tick)))?;
            if !polled[1].revents().is_empty() {
                return Err(Errno::CANCELED.into());
            }
        }
    }

    /// Refuses to copy a process that has threads, which no copy has, or processes of its own, which could be mistaken for
    /// copies where there are no walls.
    fn check_alone(&mut self, others: &[i32], senses: Senses<'_>) -> io::Result<()> {
        let refused = |why: &str| Err(io::Error::other(why));
        let own = self.process.id();
        if thread_count(own) != Some(1) {
            return refused("it starts threads before `main`");
        }
        let is_known = |pid: &i32| *pid == own || others.contains(pid);
        let has_offspring = !self.has_walls && has_children(own);
        if has_offspring || !senses.children.now().iter().all(is_known) {
            return refused("it starts processes before `main`");
        }
        if self.has_walls && self.orders.is_multiple_of(ORDERS_PER_COUNT) {
            let descriptors = descriptor_count(own);
            if descriptors.is_none() || self.descriptors.is_some_and(|first| Some(first) != descriptors) {
                return refused("it keeps files open from run to run");
            }
            self.descriptors = descriptors;
        }
        self.orders += 1;
        Ok(())
    }

    /// Takes charge of the copy that was granted.
    ///
    /// Nothing but copies, and what descends from them, becomes a child of ours, none is left from earlier runs, and the
    /// kernel lists them in the order in which they became children: so the first one that is not known is the copy.
    fn copy_granted(&self, others: &[i32], senses: Senses<'_>) -> io::Result<Child> {
        let own = self.process.id();
        let since = Instant::now();
        let (mut pause, mut patience) = (FIRST_LOOK, COPY_PATIENCE);
        let unknown = || senses.children.now().into_iter().filter(|pid| *pid != own && !others.contains(pid));
        loop {
            let heard = senses.bell.wait(pause, senses.master)?;
            let mut all = unknown();
            match (all.next(), all.next()) {
                (Some(pid), None) if heard == Heard::Rang(pid) => return Child::adopt_last(pid),
                (Some(pid), _) if heard != Heard::Nothing || since.elapsed() > MOMENT => return Child::adopt(pid),
                (Some(pid), _) => self.gate.answer(|| Some(pid))?,
                (None, _) if self.process.is_over()? => {
                    return Err(io::Error::other("it ends where it is to be copied"));
                }
                (None, _) if since.elapsed() > patience => {
                    return Err(io::Error::other("it makes no copy of itself"));
                }
                (None, _) => {
                    self.gate.answer(|| unknown().next())?;
                    // A signal can interrupt what was granted: it is begun again, and granted again. Otherwise there is a copy
                    // before the next is asked for.
                    if self.gate.is_asked() && unknown().next().is_none() {
                        self.gate.grant()?;
                    }
                    // The word that nothing is wanted any more stays, so it would be heard at once again. The copy that is
                    // being made has to be taken charge of.
                    if heard == Heard::Called {
                        patience = patience.min(since.elapsed() + PATIENCE);
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            }
            pause = (pause * 2).min(MOMENT);
        }
    }

    /// Sends the streams of an order.
    fn send_request(&self, what: &Start<'_>) -> io::Result<()> {
        let head = what.resources.cpu_time_s.to_ne_bytes();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&what.streams));
        retry_on_intr(|| sendmsg(&self.line, &[IoSlice::new(&head)], &mut control, SendFlags::NOSIGNAL))?;
        Ok(())
    }
}

/// Receives the listener that a server's process sent before it executed the program.
fn receive_listener(line: &OwnedFd) -> io::Result<Listener> {
    let (mut byte, mut space) = ([0], [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))]);
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    retry_on_intr(|| recvmsg(line, &mut [IoSliceMut::new(&mut byte)], &mut control, flags))?;
    let descriptor = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    descriptor.map(Listener::new).ok_or_else(|| Errno::MFILE.into())
}
