//! The system calls that no safe library offers: starting a process, waiting for it with its resource usage, and what
//! becomes of freed memory.
//!
//! This is the only place with `unsafe` code. Everything above it speaks of [`Start`] and [`Child`]. On Linux
//! a child is made by `clone` in the manner of `vfork`, which costs the same however large this process is;
//! other systems go through the standard library, with fewer limits. Only Linux has been tested.

#[cfg(target_os = "linux")]
mod bell;
#[cfg(unix)]
mod child;
#[cfg(target_os = "linux")]
mod clone;
#[cfg(not(unix))]
mod foreign;
mod freed;
mod handle;
#[cfg(target_os = "linux")]
mod notification;
#[cfg(all(unix, not(target_os = "linux")))]
mod portable;
#[cfg(target_os = "linux")]
mod probe;
mod usage;
#[cfg(unix)]
mod wait;

#[cfg(target_os = "linux")]
use clone::start;
#[cfg(all(unix, not(target_os = "linux")))]
use portable::start;

#[cfg(target_os = "linux")]
pub(super) use bell::{Bell, Heard};
#[cfg(unix)]
pub(super) use child::Child;
#[cfg(not(unix))]
pub(super) use foreign::Child;
#[cfg(not(unix))]
pub use foreign::expect_children;
pub use freed::{keep_freed_memory, use_large_pages};
pub(super) use handle::{AsFd, BorrowedFd, OwnedFd, read_at, write_all_at};
#[cfg(target_os = "linux")]
pub(super) use notification::{Listener, Notification};
#[cfg(target_os = "linux")]
pub(super) use probe::{has_filters, has_notifications, landlock_version};
pub(super) use usage::{Usage, own_memory_peak_bytes};
#[cfg(unix)]
pub use wait::expect_children;
#[cfg(target_os = "linux")]
pub(super) use wait::{Reaped, reap_any, reap_if_ended};

use std::ffi::CString;
use std::io;
use std::sync::Arc;

/// What is executed: a program, its arguments, and what surrounds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// Path of the file to execute; nothing is searched for.
    pub(super) path: CString,
    /// The arguments, the program's own name first.
    pub(super) argv: Vec<CString>,
    /// `NAME=value`, all of the environment.
    pub(super) environment: Arc<Vec<CString>>,
    /// Where it is started.
    pub(super) directory: CString,
}

/// What the kernel enforces. Wishes beyond the limits of this process are cut down to those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resources {
    /// Address space; `None` leaves it as it is. Linux only: elsewhere it is not enforced, or breaks programs.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "see above"))]
    pub(super) address_space_bytes: Option<u64>,
    /// Stack of the first thread; `None` lets it grow until the address space ends.
    pub(super) stack_bytes: Option<u64>,
    /// The largest file that may be written.
    pub(super) file_size_bytes: u64,
    /// Processor time, a backstop.
    pub(super) cpu_time_s: u64,
    /// How many files may be open at a time; `None` leaves it as it is.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no walls"))]
    pub(super) open_files: Option<u64>,
}

/// One process to be started.
#[derive(Debug)]
pub(super) struct Start<'a> {
    /// What is executed.
    pub(super) image: &'a Image,
    /// Standard input, output and error.
    pub(super) streams: [BorrowedFd<'a>; 3],
    /// What the kernel enforces.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no such limits"))]
    pub(super) resources: Resources,
    /// What makes it a fork server, if it is to be one.
    #[cfg(target_os = "linux")]
    pub(super) server: Option<ServerStart<'a>>,
    /// The walls around it.
    #[cfg(target_os = "linux")]
    pub(super) walls: Option<&'a super::isolation::Prepared>,
}

/// What a fork server gets beside what any process gets.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerStart<'a> {
    /// A descriptor that the program finds as number 3; all others are closed. Before the program is executed, the
    /// [`Listener`] of its filter is sent over it.
    pub(super) line: BorrowedFd<'a>,
    /// Its seccomp filter, in place of that of a single run.
    pub(super) filter: &'a [libc::sock_filter],
}

/// What waiting for a process led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// It has ended.
    Ended,
    /// There is something to read from the line.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no lines"))]
    Called,
    /// A system call waits for an answer.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no notifications here"))]
    Notified,
    /// The time is over.
    InVain,
}

/// What could not be done when a program was to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Making a process.
    Fork,
    /// Giving it its session, streams, directory and limits.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the standard library does not tell this apart"))]
    Prepare,
    /// Executing the program in it.
    Execute,
    /// Having a copy made of a warm process.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no fork servers here"))]
    Copy,
    /// Waiting for its end.
    Wait,
    /// Ending all that came of it.
    End,
}

/// Why a program could not be run.
#[derive(Debug)]
pub(super) struct RunError {
    /// What could not be done.
    pub(super) stage: Stage,
    /// Why.
    pub(super) cause: io::Error,
}
