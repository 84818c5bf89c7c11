//! System calls that the kernel holds until another process has answered: seccomp user notifications.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// Where system calls arrive that a filter notifies of. When it is closed, they fail with `ENOSYS`.
#[derive(Debug)]
pub(in crate::run) struct Listener(OwnedFd);

/// A system call that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) struct Notification {
    /// What an answer names.
    id: u64,
    /// The number of the thread that made the call.
    pub(in crate::run) thread: i32,
    /// The number of the system call.
    pub(in crate::run) call: i64,
    /// Its first argument. It was passed in a register, so it stays what it is.
    pub(in crate::run) argument: u64,
}

impl Listener {
    /// Returns the listener behind a descriptor that `seccomp` returned.
    pub(in crate::run) fn new(descriptor: OwnedFd) -> Listener {
        Listener(descriptor)
    }

    /// Receives a notification, which must have been announced by `poll`, or this blocks. Returns `None` if it was
    /// withdrawn meanwhile: its thread was interrupted by a signal, or killed.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(in crate::run) fn receive(&self) -> io::Result<Option<Notification>> {
        let mut received = MaybeUninit::<libc::seccomp_notif>::zeroed();
        // SAFETY: the pointer is valid for writing, and zeros are both what the kernel wants to find and a valid value.
        let (result, received) = unsafe {
            let result = libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, received.as_mut_ptr());
            (result, received.assume_init())
        };
        if result < 0 {
            return withdrawn(()).map(|_| None);
        }
        let libc::seccomp_notif { id, pid, data, .. } = received;
        Ok(Some(Notification { id, thread: pid as i32, call: data.nr.into(), argument: data.args[0] }))
    }

    /// Lets a system call proceed. Returns false if it was withdrawn.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(in crate::run) fn proceed(&self, with: &Notification) -> io::Result<bool> {
        self.answer(with, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32)
    }

    /// Has a system call fail with an error number. Returns false if it was withdrawn.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(in crate::run) fn refuse(&self, with: &Notification, error: i32) -> io::Result<bool> {
        self.answer(with, -error, 0)
    }

    fn answer(&self, to: &Notification, error: i32, flags: u32) -> io::Result<bool> {
        let answer = libc::seccomp_notif_resp { id: to.id, val: 0, error, flags };
        // SAFETY: the pointer is valid for reading.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) } {
            ..0 => withdrawn(false),
            _ => Ok(true),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// What a call returns that failed because a notification is gone.
fn withdrawn<T>(value: T) -> io::Result<T> {
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EINTR) => Ok(value),
        _ => Err(error),
    }
}
