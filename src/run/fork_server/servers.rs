//! The fork servers of a spawner.

use super::VARIABLE;
use crate::run::supervise;
use crate::run::sys::{Bell, BorrowedFd, Child, Image, Resources, RunError, Stage, Start};
use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    sendmsg, socketpair,
};
use std::ffi::CString;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

/// More are not kept: the one that was asked the longest ago goes first.
const MOST: usize = 8;

/// How long a server may take to begin to serve, and to make a copy: an interpreter starts, and a busy machine waits.
const PATIENCE_S: i64 = 20;

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
    process: Child,
}

impl Servers {
    /// The numbers of their processes.
    pub(in crate::run) fn ids(&self) -> Vec<i32> {
        self.running.iter().map(|server| server.process.id()).collect()
    }

    /// A copy of the server of a program, instead of a start of it; most have ended when this returns, which it does early
    /// if somebody speaks on `master`. A server that fails is ended.
    ///
    /// # Errors
    ///
    /// `Copy`: it cannot be started, or it does not serve.
    pub(in crate::run) fn copy(
        &mut self,
        what: &Start<'_>,
        bell: &Bell,
        master: BorrowedFd<'_>,
    ) -> Result<Child, RunError> {
        let same = |server: &Server| server.image == *what.image && server.resources == what.resources;
        let server = match self.running.iter().position(same) {
            Some(at) => self.running.remove(at),
            None => Server::start(what)?,
        };
        let failed = |cause| RunError { stage: Stage::Copy, cause };
        server.ask(what).map_err(failed)?;
        let child = Child::adopt(|| server.reply(), bell, master).map_err(failed)?;
        if self.running.len() >= MOST {
            self.running.remove(0);
        }
        self.running.push(server);
        Ok(child)
    }
}

impl Server {
    fn start(what: &Start<'_>) -> Result<Server, RunError> {
        let failed = |cause: io::Error| RunError { stage: Stage::Copy, cause };
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|cause| failed(cause.into()))?;
        let nothing = std::fs::File::options().read(true).write(true).open("/dev/null").map_err(failed)?;
        let mut image = what.image.clone();
        Arc::make_mut(&mut image.environment).push(CString::new(VARIABLE).map_err(|cause| failed(cause.into()))?);
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
        Ok(Server { image: what.image.clone(), resources: what.resources, line: ours, process })
    }

    /// Has a copy made.
    fn ask(&self, what: &Start<'_>) -> io::Result<()> {
        let filter = what.walls.map_or(&[][..], |walls| &walls.late);
        let instructions = (filter.len() / size_of::<libc::sock_filter>()) as u64;
        let head = [what.resources.cpu_time_s.to_ne_bytes(), instructions.to_ne_bytes()];
        let request = [IoSlice::new(head.as_flattened()), IoSlice::new(filter)];
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&what.streams));
        retry_on_intr(|| sendmsg(&self.line, &request, &mut control, SendFlags::NOSIGNAL))?;
        Ok(())
    }

    /// The number of the copy.
    fn reply(&self) -> io::Result<i32> {
        let mut reply = [0; 8];
        let mut receive = || retry_on_intr(|| recv(&self.line, &mut reply, RecvFlags::DONTWAIT));
        let received = match receive() {
            Err(Errno::AGAIN) => {
                let patience = Timespec { tv_sec: PATIENCE_S, tv_nsec: 0 };
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
