//! Waits for `SIGCHLD` and for a readable socket in one system call.
//!
//! `SIGCHLD` arrives before the process ID of the child is known. So after a fork server was asked for a copy, one wait
//! suffices: there is no separate wait for the copy's ID and then for its end. A readable socket is reported by a
//! signal as well (`SIGIO`).

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::null;
use std::time::{Duration, Instant};

/// Constants for the owner of a descriptor's signals, which not every C library defines.
const F_SETOWN_EX: libc::c_int = 15;
const F_OWNER_TID: libc::c_int = 0;

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// This child has ended, and perhaps others; 0 if the signal can have any other cause.
    ChildSignal(i32),
    /// The socket is readable.
    SocketReadable,
    /// The timeout has passed.
    TimedOut,
}

/// The signals that a single-threaded process waits for.
pub(crate) struct ChildWaiter(libc::sigset_t);

impl ChildWaiter {
    /// Creates a waiter for children and for this socket, and blocks the two signals in this thread. Processes started
    /// with [`ChildProcess::start`](super::ChildProcess::start) do not inherit the mask.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn new(socket: BorrowedFd<'_>) -> io::Result<ChildWaiter> {
        let checked = |result: libc::c_int| if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) };
        // SAFETY: zeros are a valid set, which outlives the calls; the owner is a type and the number of a thread.
        unsafe {
            let mut both: libc::sigset_t = MaybeUninit::zeroed().assume_init();
            libc::sigaddset(&raw mut both, libc::SIGCHLD);
            libc::sigaddset(&raw mut both, libc::SIGIO);
            match libc::pthread_sigmask(libc::SIG_BLOCK, &raw const both, null::<libc::sigset_t>().cast_mut()) {
                0 => {}
                code => return Err(io::Error::from_raw_os_error(code)),
            }
            let owner = [F_OWNER_TID, libc::syscall(libc::SYS_gettid) as libc::c_int];
            checked(libc::fcntl(socket.as_raw_fd(), F_SETOWN_EX, owner.as_ptr()))?;
            let flags = checked(libc::fcntl(socket.as_raw_fd(), libc::F_GETFL))?;
            checked(libc::fcntl(socket.as_raw_fd(), libc::F_SETFL, flags | libc::O_ASYNC))?;
            Ok(ChildWaiter(both))
        }
    }

    /// Waits until a child has ended, the socket is readable, or the timeout has passed. A wake can be for a child that
    /// ended earlier or was only stopped, and one wake can stand for several children.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, which would be a bug.
    pub(crate) fn wait(&self, timeout: Duration, socket: BorrowedFd<'_>) -> io::Result<Wake> {
        let mut left = timeout;
        let mut since = None;
        loop {
            match self.next_signal(left)? {
                (libc::SIGCHLD, pid) => return Ok(Wake::ChildSignal(pid)),
                (libc::SIGIO, _) if is_readable(socket)? => return Ok(Wake::SocketReadable),
                // A late signal: the message was read already.
                (libc::SIGIO, _) => {
                    let since = since.get_or_insert_with(Instant::now);
                    left = timeout.saturating_sub(since.elapsed());
                }
                _ => return Ok(Wake::TimedOut),
            }
        }
    }

    /// Returns the next signal, 0 after the timeout, and the child that ended. The child is 0 unless the kernel sent
    /// the signal: any process can send one.
    fn next_signal(&self, timeout: Duration) -> io::Result<(libc::c_int, i32)> {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let timeout = libc::timespec { tv_sec: timeout.as_secs() as _, tv_nsec: timeout.subsec_nanos().into() };
        // SAFETY: all pointers are valid, and zeros are a valid `siginfo_t` with a readable process ID.
        let (signal, code, pid) = unsafe {
            let signal = libc::sigtimedwait(&raw const self.0, info.as_mut_ptr(), &raw const timeout);
            let info = info.assume_init();
            (signal, info.si_code, info.si_pid())
        };
        if signal < 0 {
            let error = io::Error::last_os_error();
            let is_over = matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EINTR));
            return if is_over { Ok((0, 0)) } else { Err(error) };
        }
        // Only the kernel sends these codes.
        let is_end = matches!(code, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED);
        Ok((signal, if is_end { pid } else { 0 }))
    }
}

fn is_readable(socket: BorrowedFd<'_>) -> io::Result<bool> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    Ok(poll(&mut [PollFd::new(&socket, PollFlags::IN)], Some(&now))? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::AsFd;

    /// The signal mask is per thread, and the socket's signals go to this thread, so other tests are not affected.
    #[test]
    fn waiter_wakes_for_child_signal_and_socket() -> io::Result<()> {
        let (reader, mut writer) = std::os::unix::net::UnixStream::pair()?;
        let waiter = ChildWaiter::new(reader.as_fd())?;
        assert_eq!(waiter.wait(Duration::ZERO, reader.as_fd())?, Wake::TimedOut);
        // The kernel delivers a process's signal to any thread that has not blocked it, so this sends one to this very
        // thread. SAFETY: a plain system call.
        unsafe { libc::pthread_kill(libc::pthread_self(), libc::SIGCHLD) };
        let wake = waiter.wait(Duration::from_secs(10), reader.as_fd())?;
        assert_eq!(wake, Wake::ChildSignal(0), "no child has ended");
        assert_eq!(waiter.wait(Duration::ZERO, reader.as_fd())?, Wake::TimedOut, "each signal wakes once");
        writer.write_all(b"a")?;
        assert_eq!(waiter.wait(Duration::from_secs(10), reader.as_fd())?, Wake::SocketReadable);
        writer.write_all(b"b")?;
        (&reader).read_exact(&mut [0; 2])?;
        assert_eq!(waiter.wait(Duration::from_millis(1), reader.as_fd())?, Wake::TimedOut, "the data was read already");
        drop(writer);
        assert_eq!(waiter.wait(Duration::from_secs(10), reader.as_fd())?, Wake::SocketReadable);
        Ok(())
    }
}
