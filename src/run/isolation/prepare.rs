//! Walls, prepared once and put up for each run.

use super::Walls;
use super::calls::{Holder, OWN_PID, compiler_filter, copies_filter, filter};
use super::files::rules;
use super::probe::{Filters, Kernel};
use libc::sock_filter;
use std::ffi::CStr;
use std::io;
use std::os::fd::OwnedFd;

/// Walls that are ready: whatever the kernel offers of them.
#[derive(Debug)]
pub(in crate::run) struct Prepared {
    /// The Landlock rules.
    pub(in crate::run) rules: Option<OwnedFd>,
    /// The seccomp filter.
    pub(in crate::run) filter: Option<Vec<sock_filter>>,
    /// The seccomp filter of a fork server.
    pub(in crate::run) server_filter: Option<Vec<sock_filter>>,
    /// The instructions of the filter that are to compare with the program's own number.
    pub(in crate::run) own_pid_at: Vec<usize>,
}

/// Prepares walls for programs that work in this folder, of what this kernel offers.
///
/// # Errors
///
/// The machine refuses.
pub(in crate::run) fn prepare(walls: &Walls, folder: &CStr, kernel: Kernel) -> io::Result<Prepared> {
    let rules = rules(walls, folder, kernel.landlock_version)?;
    let part = |holder: Holder| filter(walls.has_processes, holder).filter(|_| kernel.filters == Filters::Active);
    let filter = match walls.compiler {
        Some(_) => compiler_filter().filter(|_| kernel.filters == Filters::Active),
        None => part(Holder::Process),
    };
    let instructions = filter.iter().flatten().enumerate();
    let own_pid_at = instructions.filter(|(_, instruction)| instruction.k == OWN_PID).map(|(at, _)| at).collect();
    Ok(Prepared { rules, own_pid_at, server_filter: part(Holder::Server), filter })
}

/// The seccomp filter of a fork server that has no walls.
pub(in crate::run) fn server_filter_without_walls() -> Option<Vec<sock_filter>> {
    copies_filter()
}
