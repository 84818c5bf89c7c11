//! The sandbox around programs that may be broken or hostile. No part of it needs root.
//!
//! * [`landlock`]: files and connections. A sandboxed program reads the system and itself, and writes only to a working
//!   folder of its own. If the kernel is recent enough, it cannot open connections or signal other processes.
//! * [`seccomp`]: system calls. Threads, but no processes; no call that inspects, signals or changes anything outside.
//! * [`work_folder`]: the working folder, emptied after each run.
//! * Every run, sandboxed or not, has the kernel's resource limits, no new privileges, no inherited descriptors, an
//!   environment that rebut chooses, and leaves nothing behind ([`supervise`](super::supervise)).
//!
//! A spawner prepares the sandbox once for each kind of program and only applies it for each run. Programs built from
//! sources are sandboxed. Commands and executables that the user names are not: they are the user's own tools, which
//! often start other programs and read the files next to them.
//!
//! Compilers run in the same sandbox with another policy, [`CompilerAccess`]: they start processes, read their
//! toolchain and the sources of one program instead of the whole system, and write into the folder for their results.

mod kernel_support;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod prepare;
mod probe;
mod readable;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg_attr(not(unix), path = "plain_folder.rs")]
pub(super) mod work_folder;

pub use kernel_support::KernelFeatureLimits;
pub use kernel_support::KernelSupport;
#[cfg(target_os = "linux")]
pub(super) use prepare::{PreparedSandbox, prepare_sandbox, unsandboxed_server_filter};
pub use probe::SandboxLayer;
pub use probe::{compiler_sandbox_layers, sandbox_layers};
pub use readable::{ReadablePaths, TOOLCHAIN_FOLDERS, to_c_paths};

use std::ffi::CString;

/// The paths that a compiler accesses in addition to its toolchain and a temporary folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the sandbox needs Linux"))]
pub struct CompilerAccess {
    /// Files, and folders with their contents, that it reads and never executes.
    pub sources: Vec<CString>,
    /// The folder for its results, which is limited in size.
    pub results: CString,
    /// Folders that it reads and writes and that are kept from one build to the next.
    pub caches: Vec<CString>,
}

/// The sandbox of one kind of program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxPolicy {
    /// Files, and folders with their contents, that it reads and executes in addition to the system's.
    pub readable: Vec<CString>,
    /// Folders that it can list without reading the files in them.
    pub listable: Vec<CString>,
    /// The files at these paths when the policy was made, by device and inode: rules are about files, and a path can get
    /// another one.
    pub inodes: Vec<u64>,
    /// True if it can start processes.
    pub has_processes: bool,
    /// Set for a compiler, which gets this access and, of the system, only [`TOOLCHAIN_FOLDERS`].
    pub compiler: Option<CompilerAccess>,
}
