//! Reaps processes that have ended.

use super::ProcessUsage;
use std::io;

/// The result of trying to reap any child.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only a spawner has children that it did not start"))]
pub(crate) enum ReapResult {
    /// A child that had ended and is now reaped.
    Ended(ProcessUsage),
    /// There are children, and all of them are alive.
    AllAlive,
    /// There are no children: for a subreaper, no descendants of any kind.
    NoChildren,
}

/// Restores the default action of `SIGCHLD`. If the parent ignored it, that is inherited, and children could not be
/// waited for. Must be called before children are started.
pub fn reset_sigchld() {
    // SAFETY: the default action is not a function, so none can be called at a wrong moment.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Returns the limit of the stack of the first thread in bytes, or `None` if there is none.
pub fn stack_limit_bytes() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Stack).current
}

/// Waits for one child, without a timeout.
pub(super) fn reap_child(pid: i32) -> io::Result<ProcessUsage> {
    wait4(pid, 0).map(|(_, usage)| usage)
}

/// Reaps any child that has ended, without waiting.
///
/// # Errors
///
/// Returns an error if the system call fails, which would be a bug.
#[cfg(target_os = "linux")]
pub(crate) fn reap_any() -> io::Result<ReapResult> {
    match wait4(-1, libc::WNOHANG | libc::__WALL) {
        Ok((0, _)) => Ok(ReapResult::AllAlive),
        Ok((_, usage)) => Ok(ReapResult::Ended(usage)),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(ReapResult::NoChildren),
        Err(error) => Err(error),
    }
}

/// Reaps a child if it has ended, without waiting. Returns `None` if it is alive, or not a child of this process any
/// more.
///
/// # Errors
///
/// Returns an error if the system call fails, which would be a bug.
#[cfg(target_os = "linux")]
pub(crate) fn reap_if_ended(pid: i32) -> io::Result<Option<ProcessUsage>> {
    match wait4(pid, libc::WNOHANG | libc::__WALL) {
        Ok((0, _)) => Ok(None),
        Ok((_, usage)) => Ok(Some(usage)),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the ID of the reaped process, or 0 if none had ended, and its resource usage.
fn wait4(pid: i32, options: i32) -> io::Result<(i32, ProcessUsage)> {
    loop {
        let mut status = 0;
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: both pointers are valid for writing; zeros are a valid `rusage`.
        let (pid, usage) = unsafe {
            let pid = libc::wait4(pid, &raw mut status, options, usage.as_mut_ptr());
            (pid, usage.assume_init())
        };
        if pid >= 0 {
            return Ok((pid, ProcessUsage::new(status, &usage)));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
