//! Decides on the system calls that the filter of a fork server holds.
//!
//! The filter holds each `clone` that would fork a copy, and each system call that is allowed only on the calling
//! process itself, until it is answered here. So no copy exists that its spawner did not want at that moment, even if
//! code of a hostile program runs in the server. The target of a call is compared with the calling process here,
//! because an inherited filter cannot contain that process's ID.

use crate::sys::{SeccompListener, SeccompNotification};
use crate::tuning::MAX_SYSTEM_CALL_ANSWERS;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// The gate of one fork server and its forked copies.
#[derive(Debug)]
pub(crate) struct ForkServerGate {
    listener: SeccompListener,
    /// The ID of the server's process and of its first thread.
    server_pid: i32,
    /// The server's pending request to fork a copy.
    pending_request: Cell<Option<SeccompNotification>>,
}

impl ForkServerGate {
    /// Creates the gate of a server from the listener of its filter.
    pub(crate) fn new(listener: SeccompListener, server: i32) -> ForkServerGate {
        ForkServerGate { listener, server_pid: server, pending_request: Cell::new(None) }
    }

    /// Answers pending notifications without blocking. A fork request of the server is kept for
    /// [`grant_request`](ForkServerGate::grant_request). `copy` returns the process ID of the running copy.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a bug.
    pub(crate) fn answer_notifications(&self, copy: impl Fn() -> Option<i32>) -> io::Result<()> {
        for _ in 0..MAX_SYSTEM_CALL_ANSWERS {
            if !is_readable(&self.listener)? {
                break;
            }
            let Some(notification) = self.listener.receive_notification()? else { continue };
            if notification.syscall_number == libc::SYS_clone && notification.thread_id == self.server_pid {
                self.pending_request.set(Some(notification));
            } else if notification.syscall_number != libc::SYS_clone && self.targets_itself(&notification, copy()) {
                self.listener.allow_call(&notification)?;
            } else {
                self.listener.refuse_call(&notification, libc::ENOSYS)?;
            }
        }
        Ok(())
    }

    /// Returns true if the server waits for permission to fork a copy.
    pub(crate) fn has_pending_request(&self) -> bool {
        self.pending_request.get().is_some()
    }

    /// Lets the server fork one copy. Returns false if it no longer waits for that.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a bug.
    pub(crate) fn grant_request(&self) -> io::Result<bool> {
        self.pending_request.take().map_or(Ok(false), |request| self.listener.allow_call(&request))
    }

    /// Makes the server's pending fork fail: no more copies with its current streams are wanted.
    ///
    /// # Errors
    ///
    /// Returns an error if a system call fails, which would be a bug.
    pub(crate) fn decline_request(&self) -> io::Result<bool> {
        self.pending_request.take().map_or(Ok(false), |request| self.listener.refuse_call(&request, libc::ECANCELED))
    }

    /// Returns true if the target of a system call is the calling process itself.
    fn targets_itself(&self, notification: &SeccompNotification, copy: Option<i32>) -> bool {
        let target = notification.argument as i32;
        let is_server = target == self.server_pid && notification.thread_id == self.server_pid;
        is_server || copy == Some(target) && is_thread_of(target, notification.thread_id)
    }
}

impl AsFd for ForkServerGate {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

fn is_thread_of(process: i32, thread: i32) -> bool {
    process == thread || std::fs::exists(format!("/proc/{process}/task/{thread}")).unwrap_or(false)
}

fn is_readable(listener: &SeccompListener) -> io::Result<bool> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut polled = [PollFd::new(listener, PollFlags::IN)];
    let count = rustix::io::retry_on_intr(|| poll(&mut polled, Some(&now)))?;
    Ok(count > 0 && polled[0].revents().contains(PollFlags::IN))
}
