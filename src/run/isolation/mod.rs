//! Walls around programs that may be broken or hostile, all of them without root.
//!
//! * [`files`]: Landlock. A walled program reads the system and itself, and writes nothing but a working folder of
//!   its own. Where the kernel is new enough it connects nowhere, and signals nobody.
//! * [`calls`]: seccomp. No processes but threads; nothing that looks into, signals or changes anything outside.
//! * [`folder`]: the working folder, emptied after each run.
//! * Always, and not only here: limits of the kernel's own, no new privileges, no descriptors, an environment of
//!   our making, and nothing left behind ([`supervise`](super::supervise)).
//!
//! Walls are prepared once for each kind of program by its spawner, and only put up for each run. Programs made from
//! sources have walls; commands and executables that the user names do not: they are the user's own tools, which may
//! start others and read what lies beside them.
//!
//! Compilers run in the same sandbox with another policy, [`CompilerAccess`]: they start processes, read their toolchain
//! and the sources of one program instead of the whole system, and write into the folder for their results.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg_attr(not(unix), path = "plain_folder.rs")]
pub(super) mod folder;
#[cfg(target_os = "linux")]
mod prepare;
mod probe;
mod readable;

#[cfg(target_os = "linux")]
pub(super) use prepare::{Prepared, prepare, server_filter_without_walls};
pub(super) use probe::{Kernel, compiler_layers, layers};
pub use probe::{KernelLimits, Layer};
pub(super) use readable::{Readable, TOOLCHAIN_FOLDERS, files_beside, spelt_paths};

use std::ffi::CString;

/// What a compiler accesses beside its toolchain and a temporary folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no walls"))]
pub(super) struct CompilerAccess {
    /// Files, and folders with all that is in them, that it reads and never executes.
    pub(super) sources: Vec<CString>,
    /// The folder for its results, whose size is limited.
    pub(super) results: CString,
    /// Folders that are kept from one build to the next, in which it reads and writes.
    pub(super) caches: Vec<CString>,
}

/// The walls of one kind of program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Walls {
    /// Files, and folders with all that is in them, that it reads and executes beside those of the system.
    pub(super) readable: Vec<CString>,
    /// Folders whose names it reads, and not what is in their files.
    pub(super) listable: Vec<CString>,
    /// Whether it starts processes of its own.
    pub(super) has_processes: bool,
    /// Set for a compiler: then this is accessed, and of the system only what toolchains consist of.
    pub(super) compiler: Option<CompilerAccess>,
}
