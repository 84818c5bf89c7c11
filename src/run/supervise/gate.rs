//! What a fork server and its copies ask of the kernel, and what they are allowed.
//!
//! The filter of a server holds each `clone` that would make a copy, and each system call that is allowed to a process on
//! itself alone, until it is answered here. So there is no copy that its spawner did not want at that moment, whatever code
//! of a hostile program runs in the server; and the number of a process is compared with that of the caller, which
//! no filter could know that is inherited.

use crate::run::sys::{Listener, Notification};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// Maximum number of system calls that are answered before limits are looked at again.
const MAX_ANSWERS: usize = 64;

/// The gate of one fork server and of its copies.
#[derive(Debug)]
pub(in crate::run) struct Gate {
    listener: Listener,
    /// The number of the server's process, and of its first thread.
    server: i32,
    /// The server's request to make a copy of itself.
    request: Cell<Option<Notification>>,
}

impl Gate {
    /// Returns the gate of a server whose filter has this listener.
    pub(in crate::run) fn new(listener: Listener, server: i32) -> Gate {
        Gate { listener, server, request: Cell::new(None) }
    }

    /// Answers what waits, without blocking, and keeps a request of the server for [`grant`](Gate::grant). `copy` returns the
    /// number of the copy that runs now.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a fault of ours.
    pub(in crate::run) fn answer(&self, copy: impl Fn() -> Option<i32>) -> io::Result<()> {
        for _ in 0..MAX_ANSWERS {
            if !is_readable(&self.listener)? {
                break;
            }
            let Some(asked) = self.listener.receive()? else { continue };
            if asked.call == libc::SYS_clone && asked.thread == self.server {
                self.request.set(Some(asked));
            } else if asked.call != libc::SYS_clone && self.concerns_itself(&asked, copy()) {
                self.listener.proceed(&asked)?;
            } else {
                self.listener.refuse(&asked, libc::ENOSYS)?;
            }
        }
        Ok(())
    }

    /// Returns true if the server waits for leave to make a copy of itself.
    pub(in crate::run) fn is_asked(&self) -> bool {
        self.request.get().is_some()
    }

    /// Lets the server make one copy of itself. Returns false if it does not wait for that any more.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a fault of ours.
    pub(in crate::run) fn grant(&self) -> io::Result<bool> {
        self.request.take().map_or(Ok(false), |request| self.listener.proceed(&request))
    }

    /// Has the server's request fail: no more copies are wanted that have its present streams.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a fault of ours.
    pub(in crate::run) fn decline(&self) -> io::Result<bool> {
        self.request.take().map_or(Ok(false), |request| self.listener.refuse(&request, libc::ECANCELED))
    }

    /// Returns true if a process asks for something that is to happen to itself.
    fn concerns_itself(&self, asked: &Notification, copy: Option<i32>) -> bool {
        let target = asked.argument as i32;
        let is_server = target == self.server && asked.thread == self.server;
        is_server || copy == Some(target) && is_thread_of(target, asked.thread)
    }
}

impl AsFd for Gate {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

fn is_thread_of(process: i32, thread: i32) -> bool {
    process == thread || std::fs::exists(format!("/proc/{process}/task/{thread}")).unwrap_or(false)
}

fn is_readable(listener: &Listener) -> io::Result<bool> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut polled = [PollFd::new(listener, PollFlags::IN)];
    let count = rustix::io::retry_on_intr(|| poll(&mut polled, Some(&now)))?;
    Ok(count > 0 && polled[0].revents().contains(PollFlags::IN))
}
