//! System calls that the kernel holds until another process has answered: seccomp user notifications.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// Receives the system calls that a filter notifies of. When it is closed, they fail with `ENOSYS`.
#[derive(Debug)]
pub(crate) struct SeccompListener(OwnedFd);

/// A system call that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeccompNotification {
    /// Identifies the notification in an answer.
    id: u64,
    /// The ID of the calling thread.
    pub(crate) thread_id: i32,
    /// The number of the system call.
    pub(crate) syscall_number: i64,
    /// Its first argument. It was passed in a register, so the caller cannot change it any more.
    pub(crate) argument: u64,
}

impl SeccompListener {
    /// Wraps a descriptor that `seccomp` returned.
    pub(crate) fn new(descriptor: OwnedFd) -> SeccompListener {
        SeccompListener(descriptor)
    }

    /// Receives a notification, and blocks unless `poll` has announced one. Returns `None` if it was withdrawn
    /// meanwhile: its thread was interrupted by a signal, or killed.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(crate) fn receive_notification(&self) -> io::Result<Option<SeccompNotification>> {
        let mut received = MaybeUninit::<libc::seccomp_notif>::zeroed();
        // SAFETY: the pointer is valid for writing, and zeros are both what the kernel expects and a valid value.
        let (result, received) = unsafe {
            let result = libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, received.as_mut_ptr());
            (result, received.assume_init())
        };
        if result < 0 {
            return ignore_withdrawn(()).map(|_| None);
        }
        let libc::seccomp_notif { id, pid, data, .. } = received;
        Ok(Some(SeccompNotification {
            id,
            thread_id: pid as i32,
            syscall_number: data.nr.into(),
            argument: data.args[0],
        }))
    }

    /// Lets a system call proceed. Returns false if it was withdrawn.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(crate) fn allow_call(&self, notification: &SeccompNotification) -> io::Result<bool> {
        self.send_response(notification, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32)
    }

    /// Makes a system call fail with an error number. Returns false if it was withdrawn.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails.
    pub(crate) fn refuse_call(&self, notification: &SeccompNotification, error: i32) -> io::Result<bool> {
        self.send_response(notification, -error, 0)
    }

    fn send_response(&self, to: &SeccompNotification, error: i32, flags: u32) -> io::Result<bool> {
        let answer = libc::seccomp_notif_resp { id: to.id, val: 0, error, flags };
        // SAFETY: the pointer is valid for reading.
        match unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) } {
            ..0 => ignore_withdrawn(false),
            _ => Ok(true),
        }
    }
}

impl AsFd for SeccompListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Returns `value` if the last call failed because the notification was withdrawn.
fn ignore_withdrawn<T>(value: T) -> io::Result<T> {
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::EINTR) => Ok(value),
        _ => Err(error),
    }
}
