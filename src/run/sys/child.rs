//! A process that was started: waiting, killing, reaping.

use super::{RunError, Start, Usage, Waited, start};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// A process that leads its own group and has not been reaped.
///
/// While that is so its number cannot be given to another process, which is what makes killing by number
/// safe. Dropping it kills and reaps it.
#[derive(Debug)]
pub(in crate::run) struct Child {
    pid: Pid,
    pidfd: Option<OwnedFd>,
    /// Whether it is known to have ended.
    has_ended: bool,
    /// Whether it is known to have left nobody behind.
    #[cfg(target_os = "linux")]
    is_last: bool,
    reaped: bool,
}

impl Child {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// The machine refuses another process, or the program cannot be executed.
    pub(in crate::run) fn start(what: &Start<'_>) -> Result<Child, RunError> {
        start(what)
    }

    /// Takes charge of a process of ours; `pidfd` becomes readable when it ends.
    pub(super) fn new(pid: Pid, pidfd: Option<OwnedFd>) -> Self {
        Child {
            pid,
            pidfd,
            has_ended: false,
            #[cfg(target_os = "linux")]
            is_last: false,
            reaped: false,
        }
    }

    /// Takes charge of a process that somebody else made a child of ours; it may have ended.
    ///
    /// # Errors
    ///
    /// There is no such process, or the machine is out of descriptors.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn adopt(pid: i32) -> io::Result<Child> {
        let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
        let mut child = Child::new(pid, None);
        child.has_ended = child.is_over()?;
        if !child.has_ended {
            child.pidfd = Some(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?);
        }
        Ok(child)
    }

    /// Takes charge of a process that somebody else made a child of ours, and that has ended and left nobody behind.
    ///
    /// # Errors
    ///
    /// This is no number of a process.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn adopt_last(pid: i32) -> io::Result<Child> {
        let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
        let mut child = Child::new(pid, None);
        (child.has_ended, child.is_last) = (true, true);
        Ok(child)
    }

    /// Whether it is known to have ended and to have left nobody behind.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Its number.
    pub(in crate::run) fn id(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Waits until it has ended, with all its threads; or until there is something to read from `line`, or something to
    /// answer at `listener`; or for the given time.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn wait(
        &self,
        timeout: Duration,
        line: Option<BorrowedFd<'_>>,
        listener: Option<BorrowedFd<'_>>,
    ) -> io::Result<Waited> {
        match &self.pidfd {
            _ if self.has_ended => Ok(Waited::Ended),
            Some(pidfd) => wait_readable(pidfd, line, listener, timeout),
            None => self.wait_by_asking(timeout),
        }
    }

    /// For systems without process descriptors: asks every millisecond.
    fn wait_by_asking(&self, timeout: Duration) -> io::Result<Waited> {
        let deadline = Instant::now() + timeout;
        loop {
            if self.is_over()? {
                return Ok(Waited::Ended);
            }
            if Instant::now() >= deadline {
                return Ok(Waited::InVain);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether it has ended, with all its threads.
    ///
    /// # Errors
    ///
    /// The system call failed, which would be a fault of ours.
    pub(in crate::run) fn is_over(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.is_some())
    }

    /// Kills it and everything that is still in its process group, which a copy of a fork server may have failed to make.
    pub(in crate::run) fn kill_group(&self) {
        // A group in which nobody is left to kill is what we want, so there is no error to report.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = kill_process(self.pid, Signal::KILL);
    }

    /// Stops it with all its threads; returns when it has stopped, or ended.
    ///
    /// # Errors
    ///
    /// Returns an error if it is no longer there to be stopped, which would be a fault of ours.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn stop(&self) -> io::Result<()> {
        kill_process(self.pid, Signal::STOP)?;
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.pid), options))?;
        Ok(())
    }

    /// Lets it go on after [`stop`](Child::stop).
    ///
    /// # Errors
    ///
    /// Returns an error if it is no longer there, which would be a fault of ours.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn go_on(&self) -> io::Result<()> {
        Ok(kill_process(self.pid, Signal::CONT)?)
    }

    /// Waits for its end, however long that takes, and gives its number back.
    ///
    /// # Errors
    ///
    /// Somebody else reaped it, which would be a fault of ours.
    pub(in crate::run) fn reap(mut self) -> io::Result<Usage> {
        self.reap_now()
    }

    fn reap_now(&mut self) -> io::Result<Usage> {
        self.reaped = true;
        super::wait::reap(self.pid.as_raw_nonzero().get())
    }

    /// The processor time of all its threads up to now.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn cpu_time_us(&self) -> Option<u64> {
        let mut clock = 0;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both pointers are valid for writing, and `clock` is read only after it was written.
        let known = unsafe {
            libc::clock_getcpuclockid(self.id(), &raw mut clock) == 0 && libc::clock_gettime(clock, &raw mut time) == 0
        };
        known.then(|| time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000)
    }

    /// The processor time of all its threads up to now: not known here, the kernel's own limit must do.
    #[cfg(not(target_os = "linux"))]
    pub(in crate::run) fn cpu_time_us(&self) -> Option<u64> {
        None
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill_group();
            let _ = self.reap_now();
        }
    }
}

fn wait_readable(
    pidfd: &OwnedFd,
    line: Option<BorrowedFd<'_>>,
    listener: Option<BorrowedFd<'_>>,
    timeout: Duration,
) -> io::Result<Waited> {
    let timeout = rustix::event::Timespec {
        tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // What is not there is the process once more, which is looked at first.
    let mut polled = [Some(pidfd.as_fd()), line, listener].map(|descriptor| {
        let descriptor = descriptor.unwrap_or_else(|| pidfd.as_fd());
        PollFd::from_borrowed_fd(descriptor, PollFlags::IN)
    });
    match poll(&mut polled, Some(&timeout)) {
        Ok(_) if !polled[0].revents().is_empty() => Ok(Waited::Ended),
        Ok(0) => Ok(Waited::InVain),
        Ok(_) if !polled[1].revents().is_empty() => Ok(Waited::Called),
        Ok(_) => Ok(Waited::Notified),
        // A signal for us: the caller looks around and comes back.
        Err(rustix::io::Errno::INTR) => Ok(Waited::InVain),
        Err(error) => Err(error.into()),
    }
}
