//! A bell that rings when a child of this process has ended, whichever it is.
//!
//! It rings before anybody knows the child's number: who has a copy of a warm process made need not wait for the word
//! which one it is, and later for its end, but once.

use super::Waited;
use super::child::wait_readable;
use std::io;
use std::mem::{MaybeUninit, offset_of};
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::null;
use std::time::Duration;

/// The length of what the kernel writes for each signal.
const NOTE_BYTES: usize = size_of::<libc::signalfd_siginfo>();

/// The bell of a process that has one thread.
#[derive(Debug)]
pub(in crate::run) struct Bell(OwnedFd);

impl Bell {
    /// A bell. From now on the signal that tells of ended children is kept from this thread; what it starts with
    /// [`Child::start`](super::Child::start) has no such mask.
    ///
    /// # Errors
    ///
    /// The machine is out of descriptors.
    pub(in crate::run) fn new() -> io::Result<Bell> {
        // SAFETY: zeros are a valid set, which outlives both calls; the new descriptor is nobody else's.
        unsafe {
            let mut ended: libc::sigset_t = MaybeUninit::zeroed().assume_init();
            libc::sigaddset(&raw mut ended, libc::SIGCHLD);
            let descriptor = libc::signalfd(-1, &raw const ended, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
            if descriptor < 0 {
                return Err(io::Error::last_os_error());
            }
            let bell = Bell(OwnedFd::from_raw_fd(descriptor));
            match libc::pthread_sigmask(libc::SIG_BLOCK, &raw const ended, null::<libc::sigset_t>().cast_mut()) {
                0 => Ok(bell),
                code => Err(io::Error::from_raw_os_error(code)),
            }
        }
    }

    /// Waits until a child has ended, or until there is something to read from `line`, or for the given time. Says who has
    /// ended; that may be one that ended earlier, and several that end at the same time are heard once.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn wait(&self, timeout: Duration, line: BorrowedFd<'_>) -> io::Result<Option<i32>> {
        let mut note = [0; NOTE_BYTES];
        if wait_readable(&self.0, Some(line), timeout)? != Waited::Ended {
            return Ok(None);
        }
        // Nobody else reads it, so there is a note.
        let _ = rustix::io::read(&self.0, &mut note);
        Ok(ended(&note))
    }
}

/// Who has ended, as the kernel notes it; none if it was only stopped.
fn ended(note: &[u8; NOTE_BYTES]) -> Option<i32> {
    let number = |at: usize| note.get(at..at + 4)?.try_into().ok().map(i32::from_ne_bytes);
    let code = number(offset_of!(libc::signalfd_siginfo, ssi_code))?;
    let pid = number(offset_of!(libc::signalfd_siginfo, ssi_pid))?;
    matches!(code, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED).then_some(pid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    /// The mask is this thread's own, so no other test is concerned.
    #[test]
    fn it_rings_for_a_signal_and_for_the_line() -> io::Result<()> {
        let bell = Bell::new()?;
        let (reader, writer) = io::pipe()?;
        assert_eq!(bell.wait(Duration::ZERO, reader.as_fd())?, None);
        // The kernel gives the signal to a thread that has not blocked it, if there is one: so this one asks for itself.
        // SAFETY: a plain system call.
        unsafe { libc::pthread_kill(libc::pthread_self(), libc::SIGCHLD) };
        assert_eq!(wait_readable(&bell.0, Some(reader.as_fd()), Duration::from_secs(10))?, Waited::Ended);
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, None, "nobody has ended");
        assert_eq!(wait_readable(&bell.0, Some(reader.as_fd()), Duration::ZERO)?, Waited::InVain, "it was heard");
        drop(writer);
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, None);
        Ok(())
    }

    #[test]
    fn it_is_told_who_has_ended() {
        let mut note = [0; NOTE_BYTES];
        note[12..16].copy_from_slice(&77_i32.to_ne_bytes());
        for (code, who) in [(libc::CLD_EXITED, Some(77)), (libc::CLD_DUMPED, Some(77)), (libc::CLD_STOPPED, None)] {
            note[8..12].copy_from_slice(&code.to_ne_bytes());
            assert_eq!(ended(&note), who);
        }
    }
}
