//! A started process: waiting, killing, reaping.

use super::{ProcessUsage, WaitResult};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// A process that leads its own process group and has not been reaped.
///
/// Until then its process ID cannot be reused, which makes killing by ID safe. Dropping it kills and reaps it.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    pid: Pid,
    pidfd: Option<OwnedFd>,
    /// True if it is known to have ended.
    has_ended: bool,
    /// True if it is known to have left no descendants.
    #[cfg(target_os = "linux")]
    left_no_descendants: bool,
    is_reaped: bool,
}

impl ChildProcess {
    /// Wraps a child of this process. `pidfd` becomes readable when it ends.
    pub(super) fn new(pid: Pid, pidfd: Option<OwnedFd>) -> Self {
        ChildProcess {
            pid,
            pidfd,
            has_ended: false,
            #[cfg(target_os = "linux")]
            left_no_descendants: false,
            is_reaped: false,
        }
    }

    /// Wraps a child that was forked by another process; it can have ended already.
    ///
    /// # Errors
    ///
    /// Returns an error if the process does not exist, or if no descriptor is left.
    #[cfg(target_os = "linux")]
    pub(crate) fn adopt(pid: i32) -> io::Result<ChildProcess> {
        let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
        let mut child = ChildProcess::new(pid, None);
        child.has_ended = child.has_ended()?;
        if !child.has_ended {
            child.pidfd = Some(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?);
        }
        Ok(child)
    }

    /// Wraps a child that was forked by another process, and that has ended without leaving descendants.
    ///
    /// # Errors
    ///
    /// Returns an error if `pid` is not a valid process ID.
    #[cfg(target_os = "linux")]
    pub(crate) fn adopt_ended(pid: i32) -> io::Result<ChildProcess> {
        let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
        let mut child = ChildProcess::new(pid, None);
        (child.has_ended, child.left_no_descendants) = (true, true);
        Ok(child)
    }

    /// Returns true if it is known to have ended without leaving descendants.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_left_no_descendants(&self) -> bool {
        self.left_no_descendants
    }

    /// Returns its process ID.
    pub(crate) fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Waits until the process has ended with all its threads, `socket` is readable, `listener` has a notification, or
    /// the timeout has passed.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, which would be a bug.
    pub(crate) fn wait(
        &self,
        timeout: Duration,
        socket: Option<BorrowedFd<'_>>,
        listener: Option<BorrowedFd<'_>>,
    ) -> io::Result<WaitResult> {
        match &self.pidfd {
            _ if self.has_ended => Ok(WaitResult::Ended),
            Some(pidfd) => wait_readable(pidfd, socket, listener, timeout),
            None => self.wait_by_polling(timeout),
        }
    }

    /// Polls every millisecond, for systems without process descriptors.
    fn wait_by_polling(&self, timeout: Duration) -> io::Result<WaitResult> {
        let deadline = Instant::now() + timeout;
        loop {
            if self.has_ended()? {
                return Ok(WaitResult::Ended);
            }
            if Instant::now() >= deadline {
                return Ok(WaitResult::TimedOut);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns true if the process has ended with all its threads.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call fails, which would be a bug.
    pub(crate) fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.is_some())
    }

    /// Kills the process and the rest of its process group. A copy of a fork server can have failed to create the
    /// group.
    pub(crate) fn kill_group(&self) {
        // There is nothing to report if the group is already gone.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let _ = kill_process(self.pid, Signal::KILL);
    }

    /// Stops the process with all its threads; returns when it has stopped or ended.
    ///
    /// # Errors
    ///
    /// Returns an error if the process is gone, which would be a bug.
    #[cfg(target_os = "linux")]
    pub(crate) fn stop_and_wait(&self) -> io::Result<()> {
        kill_process(self.pid, Signal::STOP)?;
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        rustix::io::retry_on_intr(|| waitid(WaitId::Pid(self.pid), options))?;
        Ok(())
    }

    /// Lets the process continue after [`stop_and_wait`](ChildProcess::stop_and_wait).
    ///
    /// # Errors
    ///
    /// Returns an error if the process is gone, which would be a bug.
    #[cfg(target_os = "linux")]
    pub(crate) fn send_continue(&self) -> io::Result<()> {
        Ok(kill_process(self.pid, Signal::CONT)?)
    }

    /// Waits for the process to end, without a timeout, and reaps it.
    ///
    /// # Errors
    ///
    /// Returns an error if another thread reaped it, which would be a bug.
    pub(crate) fn reap(mut self) -> io::Result<ProcessUsage> {
        self.reap_now()
    }

    fn reap_now(&mut self) -> io::Result<ProcessUsage> {
        self.is_reaped = true;
        super::wait::reap_child(self.pid.as_raw_nonzero().get())
    }

    /// Returns the processor time of all its threads so far.
    #[cfg(target_os = "linux")]
    pub(crate) fn cpu_time_us(&self) -> Option<u64> {
        let mut clock = 0;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both pointers are valid for writing, and `clock` is read only after it was written.
        let known = unsafe {
            libc::clock_getcpuclockid(self.pid(), &raw mut clock) == 0 && libc::clock_gettime(clock, &raw mut time) == 0
        };
        known.then(|| time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000)
    }

    /// Not available on this system; the kernel's own limit must do.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn cpu_time_us(&self) -> Option<u64> {
        None
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.kill_group();
            let _ = self.reap_now();
        }
    }
}

fn wait_readable(
    pidfd: &OwnedFd,
    socket: Option<BorrowedFd<'_>>,
    listener: Option<BorrowedFd<'_>>,
    timeout: Duration,
) -> io::Result<WaitResult> {
    let timeout = rustix::event::Timespec {
        tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // Missing descriptors are replaced by the process's own, which is checked first.
    let mut polled = [Some(pidfd.as_fd()), socket, listener].map(|descriptor| {
        let descriptor = descriptor.unwrap_or_else(|| pidfd.as_fd());
        PollFd::from_borrowed_fd(descriptor, PollFlags::IN)
    });
    match poll(&mut polled, Some(&timeout)) {
        Ok(_) if !polled[0].revents().is_empty() => Ok(WaitResult::Ended),
        Ok(0) => Ok(WaitResult::TimedOut),
        Ok(_) if !polled[1].revents().is_empty() => Ok(WaitResult::SocketReadable),
        Ok(_) => Ok(WaitResult::Notified),
        // Interrupted by a signal: the caller checks its limits and waits again.
        Err(rustix::io::Errno::INTR) => Ok(WaitResult::TimedOut),
        Err(error) => Err(error.into()),
    }
}
