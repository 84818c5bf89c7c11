//! Walls, prepared once and put up for each run.

use super::calls::{OWN_PID, Part, filter};
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
    /// And what their copies put up themselves.
    late: Option<Vec<sock_filter>>,
    /// The instructions of the filter that are to compare with the program's own number.
    pub(in crate::run) own_pid_at: Vec<usize>,
}

impl Prepared {
    /// The filter of a copy as the kernel reads it, and how many instructions it has.
    pub(in crate::run) fn late_filter_bytes(&self) -> (u64, Vec<u8>) {
        let filter = self.late.as_deref().unwrap_or_default();
        let spelt = filter.iter().flat_map(|one| {
            let [code, k] = [&one.code.to_ne_bytes()[..], &one.k.to_ne_bytes()].map(<[u8]>::to_vec);
            [code, vec![one.jt, one.jf], k].concat()
        });
        (filter.len() as u64, spelt.collect())
    }
}

/// Prepares walls for programs that work in this folder, with filters or without any.
///
/// # Errors
///
/// The machine refuses.
pub(in crate::run) fn prepare(walls: &Walls, folder: &CStr, has_filters: bool) -> io::Result<Prepared> {
    let rules = rules(walls, folder, probe::landlock_version().unwrap_or(0))?;
    let part = |part: Part| filter(walls.has_processes, part).filter(|_| has_filters);
    let filter = part(Part::Whole);
    let instructions = filter.iter().flatten().enumerate();
    let own_pid_at = instructions.filter(|(_, instruction)| instruction.k == OWN_PID).map(|(at, _)| at).collect();
    Ok(Prepared { rules, own_pid_at, early: part(Part::Early), late: part(Part::Late), filter })
}
