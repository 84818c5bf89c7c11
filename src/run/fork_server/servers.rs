//! The fork servers of a spawner.

use super::VARIABLES;
use crate::run::supervise::{self, OwnChildren};
use crate::run::sys::{Bell, BorrowedFd, Child, Heard, Image, Resources, RunError, Stage, Start};
use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr, write};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    sendmsg, socketpair,
};
use rustix::pipe::{PipeFlags, pipe_with};
use std::ffi::CString;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More are not kept: the one that was asked the longest ago goes first.
const MOST: usize = 8;

/// How long a server may take to begin to serve, and to make a copy: an interpreter starts, and a busy machine waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// The same where nobody wants the copy any more.
const HURRY: Duration = Duration::from_secs(1);

/// Most copies have ended so soon, and are never looked at while they live.
const MOMENT: Duration = Duration::from_millis(20);

/// How a spawner learns of what it did not start itself.
#[derive(Clone, Copy)]
pub(in crate::run) struct Senses<'a> {
    /// It rings when a child has ended.
    pub(in crate::run) bell: &'a Bell,
    /// Who is a child.
    pub(in crate::run) children: &'a OwnChildren,
    /// Where somebody may speak who wants no copy any more.
    pub(in crate::run) master: BorrowedFd<'a>,
}

/// How many copies are wanted that have the same streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Wanted {
    /// This one.
    One,
    /// This one, and perhaps others until [`Servers::let_go`].
    Several,
}

/// Fork servers that run, the one asked last behind the others.
#[derive(Debug, Default)]
pub(in crate::run) struct Servers {
    running: Vec<Server>,
}

#[derive(Debug)]
struct Server {
    image: Image,
    resources: Resources,
    line: OwnedFd,
    /// Where more copies are asked for that have the streams of the last.
    more: Option<OwnedFd>,
    process: Child,
}

impl Servers {
    /// The numbers of their processes.
    pub(in crate::run) fn ids(&self) -> Vec<i32> {
        self.running.iter().map(|server| server.process.id()).collect()
    }

    /// A copy of the server of a program, instead of a start of it; most have ended when this returns, which it does early
    /// if somebody speaks on the line to the master. A server that fails is ended.
    ///
    /// # Errors
    ///
    /// `Copy`: it cannot be started, or it does not serve.
    pub(in crate::run) fn copy(
        &mut self,
        what: &Start<'_>,
        wanted: Wanted,
        senses: Senses<'_>,
    ) -> Result<Child, RunError> {
        let same = |server: &Server| server.image == *what.image && server.resources == what.resources;
        let mut server = match self.running.iter().position(same) {
            Some(at) => self.running.remove(at),
            None => Server::start(what)?,
        };
        let copied = match server.more {
            Some(_) => server.copy_again(&self.ids(), senses),
            None => server.copy(what, wanted, senses),
        };
        let child = copied.map_err(|cause| RunError { stage: Stage::Copy, cause })?;
        if self.running.len() >= MOST {
            self.running.remove(0);
        }
        self.running.push(server);
        Ok(child)
    }

    /// Has all servers let go of the streams of their last copies.
    pub(in crate::run) fn let_go(&mut self) {
        self.running.iter_mut().for_each(|server| server.more = None);
    }
}

impl Server {
    fn start(what: &Start<'_>) -> Result<Server, RunError> {
        let failed = |cause: io::Error| RunError { stage: Stage::Copy, cause };
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|cause| failed(cause.into()))?;
        let nothing = std::fs::File::options().read(true).write(true).open("/dev/null").map_err(failed)?;
        let mut image = what.image.clone();
        Arc::make_mut(&mut image.environment).extend(VARIABLES.map(CString::from));
        // Its copies are limited one by one.
        let resources = Resources { cpu_time_s: u64::MAX, ..what.resources };
        let streams = [nothing.as_fd(), nothing.as_fd(), nothing.as_fd()];
        let process = supervise::start(&Start {
            image: &image,
            streams,
            resources,
            line: Some(theirs.as_fd()),
            walls: what.walls,
        });
        let process = process.map_err(|error| failed(error.cause))?;
        Ok(Server { image: what.image.clone(), resources: what.resources, line: ours, more: None, process })
    }

    /// A copy with new streams, which the server keeps if more may be wanted.
    fn copy(&mut self, what: &Start<'_>, wanted: Wanted, senses: Senses<'_>) -> io::Result<Child> {
        let [mut ours, mut theirs] = [None, None];
        // How more copies are asked for, there is no reply, but there are lists of children.
        if wanted == Wanted::Several && senses.children.now().is_some() {
            let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
            // Whatever has become of the server: we do not wait for it.
            rustix::io::ioctl_fionbio(&writer, true)?;
            [ours, theirs] = [Some(writer), Some(reader)];
        }
        self.ask(what, theirs.as_ref().map(AsFd::as_fd))?;
        self.more = ours;
        senses.bell.wait(MOMENT, senses.master)?;
        Child::adopt(self.reply()?)
    }

    /// Another copy that has the streams of the last. There are some other children of ours that are no copies.
    ///
    /// Nobody but copies, and those who descend from them, becomes a child of ours, none is left from earlier runs, and the
    /// kernel lists them in the order in which they became children: so the first one that is not known is the copy. (Only
    /// an executable of the user's own, without walls, can have constructors that go on making processes in its server.)
    fn copy_again(&mut self, others: &[i32], senses: Senses<'_>) -> io::Result<Child> {
        let more = self.more.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let own = self.process.id();
        retry_on_intr(|| write(more, &[0]))?;
        let since = Instant::now();
        let mut patience = PATIENCE;
        loop {
            let heard = senses.bell.wait(MOMENT, senses.master)?;
            let children = senses.children.now().ok_or(io::ErrorKind::Unsupported)?;
            let mut unknown = children.into_iter().filter(|pid| *pid != own && !others.contains(pid));
            match (unknown.next(), unknown.next()) {
                (Some(pid), None) if heard == Heard::Rang(pid) => return Child::adopt_last(pid),
                (Some(pid), _) => return Child::adopt(pid),
                (None, _) if self.process.is_over()? => {
                    return Err(io::Error::other("the program does not serve any more"));
                }
                (None, _) if since.elapsed() > patience => return Err(io::ErrorKind::TimedOut.into()),
                // Whoever called does so until it is heard, which is not for us to do. No copy is wanted any more, but one that
                // is being made has to be taken charge of.
                (None, _) if heard == Heard::Called => {
                    patience = patience.min(since.elapsed() + HURRY);
                    std::thread::sleep(Duration::from_millis(1));
                }
                (None, _) => {}
            }
        }
    }

    /// Asks for a copy.
    fn ask(&self, what: &Start<'_>, more: Option<BorrowedFd<'_>>) -> io::Result<()> {
        let filter = what.walls.map_or(&[][..], |walls| &walls.late);
        let instructions = (filter.len() / size_of::<libc::sock_filter>()) as u64;
        let head = [what.resources.cpu_time_s.to_ne_bytes(), instructions.to_ne_bytes()];
        let request = [IoSlice::new(head.as_flattened()), IoSlice::new(filter)];
        let descriptors: Vec<BorrowedFd<'_>> = what.streams.into_iter().chain(more).collect();
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(4))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&descriptors));
        retry_on_intr(|| sendmsg(&self.line, &request, &mut control, SendFlags::NOSIGNAL))?;
        Ok(())
    }

    /// The number of the copy.
    fn reply(&self) -> io::Result<i32> {
        let mut reply = [0; 8];
        let mut receive = || retry_on_intr(|| recv(&self.line, &mut reply, RecvFlags::DONTWAIT));
        let received = match receive() {
            Err(Errno::AGAIN) => {
                let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
                if retry_on_intr(|| poll(&mut [PollFd::new(&self.line, PollFlags::IN)], Some(&patience)))? == 0 {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                receive()
            }
            received => received,
        };
        match received? {
            (_, 8) => i32::try_from(i64::from_ne_bytes(reply)).ok().filter(|pid| *pid > 0),
            _ => None,
        }
        .ok_or_else(|| io::Error::other("the program does not serve"))
    }
}
