//! A bell that rings when a child of this process has ended, whichever it is.
//!
//! It rings before anybody knows the child's number: who has a copy of a warm process made need not wait for the word
//! which one it is, and later for its end, but once. It is a signal that is waited for, and so is the word that there is
//! something to read from a line: one system call for both.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::null;
use std::time::{Duration, Instant};

/// The kernel's names for whom a descriptor's signals are meant, which not every C library has.
const F_SETOWN_EX: libc::c_int = 15;
const F_OWNER_TID: libc::c_int = 0;

/// Why a bell is no longer waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Heard {
    /// It rang for the end of this child, and perhaps of others; 0 if it may have rung for anything.
    Rang(i32),
    /// There is something to read from the line.
    Called,
    /// The time is over.
    Nothing,
}

/// The bell of a process that has one thread.
pub(in crate::run) struct Bell(libc::sigset_t);

impl Bell {
    /// A bell, which hears what is said on a line, too. From now on the signals that tell of both are kept from this thread;
    /// what it starts with [`Child::start`](super::Child::start) has no such mask.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(in crate::run) fn new(line: BorrowedFd<'_>) -> io::Result<Bell> {
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
            checked(libc::fcntl(line.as_raw_fd(), F_SETOWN_EX, owner.as_ptr()))?;
            let flags = checked(libc::fcntl(line.as_raw_fd(), libc::F_GETFL))?;
            checked(libc::fcntl(line.as_raw_fd(), libc::F_SETFL, flags | libc::O_ASYNC))?;
            Ok(Bell(both))
        }
    }

    /// Waits until a child has ended, or until there is something to read from the line, or for the given time. It may ring
    /// for one that ended earlier or was only stopped, and once for several.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn wait(&self, timeout: Duration, line: BorrowedFd<'_>) -> io::Result<Heard> {
        let mut left = timeout;
        let mut since = None;
        loop {
            match self.signal(left)? {
                (libc::SIGCHLD, pid) => return Ok(Heard::Rang(pid)),
                (libc::SIGIO, _) if is_readable(line)? => return Ok(Heard::Called),
                // What was said has been heard long ago.
                (libc::SIGIO, _) => {
                    let since = since.get_or_insert_with(Instant::now);
                    left = timeout.saturating_sub(since.elapsed());
                }
                _ => return Ok(Heard::Nothing),
            }
        }
    }

    /// The next signal, 0 if there is none in time; and whose end it tells of, if it certainly does: anybody can send one.
    fn signal(&self, timeout: Duration) -> io::Result<(libc::c_int, i32)> {
        let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
        let timeout = libc::timespec { tv_sec: timeout.as_secs() as _, tv_nsec: timeout.subsec_nanos().into() };
        // SAFETY: all pointers are valid, and zeros are a valid `siginfo_t`, whose number of a process is there to be read.
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
        // Only the kernel sends these.
        let is_end = matches!(code, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED);
        Ok((signal, if is_end { pid } else { 0 }))
    }
}

fn is_readable(line: BorrowedFd<'_>) -> io::Result<bool> {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    Ok(poll(&mut [PollFd::new(&line, PollFlags::IN)], Some(&now))? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::AsFd;

    /// The mask is this thread's own, and the line's signals are, so no other test is concerned.
    #[test]
    fn it_rings_for_a_signal_and_for_the_line() -> io::Result<()> {
        let (reader, mut writer) = std::os::unix::net::UnixStream::pair()?;
        let bell = Bell::new(reader.as_fd())?;
        assert_eq!(bell.wait(Duration::ZERO, reader.as_fd())?, Heard::Nothing);
        // The kernel gives the signal to a thread that has not blocked it, if there is one: so this one asks for itself.
        // SAFETY: a plain system call.
        unsafe { libc::pthread_kill(libc::pthread_self(), libc::SIGCHLD) };
        let heard = bell.wait(Duration::from_secs(10), reader.as_fd())?;
        assert_eq!(heard, Heard::Rang(0), "nobody has ended");
        assert_eq!(bell.wait(Duration::ZERO, reader.as_fd())?, Heard::Nothing, "it was heard");
        writer.write_all(b"a")?;
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, Heard::Called);
        writer.write_all(b"b")?;
        (&reader).read_exact(&mut [0; 2])?;
        assert_eq!(bell.wait(Duration::from_millis(1), reader.as_fd())?, Heard::Nothing, "it was read");
        drop(writer);
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, Heard::Called);
        Ok(())
    }
}
