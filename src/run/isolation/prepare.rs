//! Walls, prepared once and put up for each run.

use super::calls::{OWN_PID, Part, compiler_filter, filter};
use super::files::rules;
use super::{Walls, probe};
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
    /// What of it fork servers get.
    pub(in crate::run) early: Option<Vec<sock_filter>>,
    /// What their copies put up themselves, as the kernel reads it.
    pub(in crate::run) late: Vec<u8>,
    /// The instructions of the filter that are to compare with the program's own number.
    pub(in crate::run) own_pid_at: Vec<usize>,
}

/// A filter as the kernel reads it.
fn spelt(filter: &[sock_filter]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for one in filter {
        bytes.extend(one.code.to_ne_bytes());
        bytes.extend([one.jt, one.jf]);
        bytes.extend(one.k.to_ne_bytes());
    }
    bytes
}

/// Prepares walls for programs that work in this folder, with filters or without any.
///
/// # Errors
///
/// The machine refuses.
pub(in crate::run) fn prepare(walls: &Walls, folder: &CStr, has_filters: bool) -> io::Result<Prepared> {
    let rules = rules(walls, folder, probe::landlock_version().unwrap_or(0))?;
    let part = |part: Part| filter(walls.has_processes, part).filter(|_| has_filters);
    let whole = if walls.compiler.is_some() { compiler_filter() } else { filter(walls.has_processes, Part::Whole) };
    let filter = whole.filter(|_| has_filters);
    let instructions = filter.iter().flatten().enumerate();
    let own_pid_at = instructions.filter(|(_, instruction)| instruction.k == OWN_PID).map(|(at, _)| at).collect();
    Ok(Prepared {
        rules,
        own_pid_at,
        early: part(Part::Early),
        late: spelt(&part(Part::Late).unwrap_or_default()),
        filter,
    })
}
