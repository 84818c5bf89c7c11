//! A bell that rings when a child of this process has ended, whichever it is.
//!
//! It rings before anybody knows the child's number: who has a copy of a warm process made need not wait for the word
//! which one it is, and later for its end, but once.

use super::Waited;
use super::child::wait_readable;
use std::io;
use std::mem::MaybeUninit;
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

    /// Waits until a child has ended, or until there is something to read from `line`, or for the given time. It may ring for
    /// one that ended earlier or was only stopped, and once for several.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn wait(&self, timeout: Duration, line: BorrowedFd<'_>) -> io::Result<Waited> {
        let waited = wait_readable(&self.0, Some(line), timeout)?;
        if waited == Waited::Ended {
            // Nobody else reads it, so there is a note.
            let _ = rustix::io::read(&self.0, &mut [0; NOTE_BYTES]);
        }
        Ok(waited)
    }
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
        assert_eq!(bell.wait(Duration::ZERO, reader.as_fd())?, Waited::InVain);
        // The kernel gives the signal to a thread that has not blocked it, if there is one: so this one asks for itself.
        // SAFETY: a plain system call.
        unsafe { libc::pthread_kill(libc::pthread_self(), libc::SIGCHLD) };
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, Waited::Ended);
        assert_eq!(bell.wait(Duration::ZERO, reader.as_fd())?, Waited::InVain, "it was heard");
        drop(writer);
        assert_eq!(bell.wait(Duration::from_secs(10), reader.as_fd())?, Waited::Called);
        Ok(())
    }
}
