//! System calls that no safe library offers: starting a process, waiting for it with its resource usage, and
//! controlling what the allocator keeps of freed memory.
//!
//! This is the only module with `unsafe` code. Its interface is [`ProcessStart`] and [`ChildProcess`]. On Linux a child
//! is created by `clone` in the manner of `vfork`, at a cost that does not depend on the size of this process; other
//! systems use the standard library, with fewer limits. Only Linux has been tested.

mod allocator;
#[cfg(unix)]
mod child;
#[cfg(target_os = "linux")]
mod child_waiter;
#[cfg(target_os = "linux")]
mod clone;
#[cfg(not(unix))]
mod foreign;
mod handle;
#[cfg(target_os = "linux")]
mod mount_namespace;
#[cfg(all(unix, not(target_os = "linux")))]
mod portable;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod seccomp_notification;
#[cfg(target_os = "linux")]
mod shared_memory;
mod usage;
#[cfg(unix)]
mod wait;

pub use allocator::{keep_freed_memory, use_large_pages};
#[cfg(unix)]
pub(super) use child::ChildProcess;
#[cfg(target_os = "linux")]
pub(super) use child_waiter::{ChildWaiter, Wake};
#[cfg(not(unix))]
pub(super) use foreign::ChildProcess;
#[cfg(not(unix))]
pub use foreign::{reset_sigchld, stack_limit_bytes};
pub(super) use handle::{AsFd, BorrowedFd, OwnedFd, read_at, write_all_at};
#[cfg(target_os = "linux")]
pub(super) use mount_namespace::MountNamespace;
#[cfg(target_os = "linux")]
pub(super) use probe::{has_mount_namespaces, has_seccomp_filters, has_seccomp_notifications, landlock_version};
#[cfg(target_os = "linux")]
pub(super) use seccomp_notification::{SeccompListener, SeccompNotification};
#[cfg(target_os = "linux")]
pub(super) use shared_memory::SharedMemory;
pub(super) use usage::{ProcessUsage, own_memory_peak_bytes};
#[cfg(target_os = "linux")]
pub(super) use wait::{ReapResult, reap_any, reap_if_ended};
#[cfg(unix)]
pub use wait::{reset_sigchld, stack_limit_bytes};

use std::ffi::CString;
use std::io;
use std::sync::Arc;

/// A program to execute, with its arguments, environment and working directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExecImage {
    /// Path of the file to execute; it is not searched for in `PATH`.
    pub(super) path: CString,
    /// The arguments, the program's own name first.
    pub(super) argv: Vec<CString>,
    /// The whole environment, as `NAME=value`.
    pub(super) environment: Arc<Vec<CString>>,
    pub(super) directory: CString,
}

/// The limits that the kernel enforces. They are capped at the limits of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResourceLimits {
    /// Address space; `None` leaves the limit as it is. Linux only: elsewhere it is not enforced, or breaks programs.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "see above"))]
    pub(super) address_space_bytes: Option<u64>,
    /// Stack of the first thread; `None` lets it grow to the end of the address space.
    pub(super) stack_bytes: Option<u64>,
    /// Maximum size of a written file.
    pub(super) file_size_bytes: u64,
    /// Processor time, as a backstop.
    pub(super) cpu_time_s: u64,
    /// Maximum number of open files; `None` leaves the limit as it is.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the sandbox needs Linux"))]
    pub(super) max_open_files: Option<u64>,
}

#[derive(Debug)]
pub(super) struct ProcessStart<'a> {
    /// The program to execute.
    pub(super) image: &'a ExecImage,
    /// Standard input, output and error.
    pub(super) streams: [BorrowedFd<'a>; 3],
    /// The limits that the kernel enforces.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has such limits"))]
    pub(super) resources: ResourceLimits,
    /// Set to start a fork server.
    #[cfg(target_os = "linux")]
    pub(super) server: Option<ForkServerStart<'a>>,
    #[cfg(target_os = "linux")]
    pub(super) sandbox: Option<&'a super::isolation::PreparedSandbox>,
}

/// The additional properties of a fork server.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(super) struct ForkServerStart<'a> {
    /// The socket that the program gets as descriptor 3; all others are closed. Before the program is executed, the
    /// [`SeccompListener`] of its filter is sent over it.
    pub(super) socket: BorrowedFd<'a>,
    /// Its seccomp filter, in place of that of a single run.
    pub(super) filter: &'a [libc::sock_filter],
}

/// Why waiting for a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitResult {
    /// The process has ended.
    Ended,
    /// The socket is readable.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has spawner sockets"))]
    SocketReadable,
    /// A system call waits for an answer.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has notifications"))]
    Notified,
    /// The timeout has passed.
    TimedOut,
}

/// The step of a run that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunStage {
    /// Creating a process.
    Fork,
    /// Setting up its session, streams, directory and limits.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the standard library does not report this step"))]
    Prepare,
    /// Executing the program in it.
    Execute,
    /// Forking a copy of a fork server.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has fork servers"))]
    Copy,
    /// Running it in place, which is impossible for this program.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has runs in place"))]
    InPlace,
    /// Running it in place on one input; the run does not count.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has runs in place"))]
    Unclean,
    /// Waiting for its end.
    Wait,
    /// Killing its descendants.
    End,
}

/// An error that kept a program from running.
#[derive(Debug)]
pub(super) struct RunError {
    /// The step that failed.
    pub(super) stage: RunStage,
    /// The operating system's error.
    pub(super) cause: io::Error,
}
