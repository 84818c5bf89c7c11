//! Fork servers: programs that are loaded and initialised once, and then copied for each run.
//!
//! A copy costs a fifth of a fresh start or less, and a thirtieth where an interpreter has to start. It is made by
//! `fork` inside the program itself, just before its `main`, by a few lines that are linked into it (`linked.c`), or by
//! a script that stands before a Python program (`warm.py`). They run as they would otherwise when nobody asks them to
//! serve. Each copy is a child of the spawner, not of the server, so it is limited, watched and ended like any program.
//!
//! A server is as hostile as its program: constructors run in it. So it stands behind the walls of a run from its first
//! instruction. Its seccomp filter is that of a run, but that it *notifies* the spawner of a `clone` that would make a copy:
//! the kernel holds the call until the spawner wants one ([`Gate`](super::supervise::Gate)). The copies inherit the filter.
//! Where the kernel has no such notifications there are no fork servers. A server is stopped while no copy of it runs, so it
//! cannot touch what other programs are judged by; and one that has threads or processes of its own, or is not ready in
//! time, is replaced by a process for each run, for a reason that the user is shown.
//!
//! Where several runs follow one another, their copies share the streams that came with the first; a spawner sees by the list
//! of its children which process is the copy. A server's memory has no random places: so it lies close together, and there is
//! less to copy of the kernel's tables.
//!
//! All copies share what a fresh start would draw anew: the places of memory, the seeds of hashes. So this is an engine
//! for searching, and what it finds is confirmed by a fresh start.

mod prepare;
#[cfg(target_os = "linux")]
mod servers;

#[cfg(target_os = "linux")]
pub(super) use servers::{Senses, Servers};

/// Whether a compiler's text speaks of what is linked in, which is then in the way.
pub(super) fn is_blamed(text: &str) -> bool {
    ["__wrap_main", "__real_main", "fork_server.o"].iter().any(|name| text.contains(name))
}

/// The variable that tells a program to serve, and the descriptor on which it is asked; and one that keeps the C library from
/// having the kernel write to a server's memory whenever it goes on, which each time costs a copy of that memory. Programs do
/// not see them.
#[cfg(target_os = "linux")]
const VARIABLES: [&std::ffi::CStr; 2] = [c"REBUT_FORK_SERVER=3", c"GLIBC_TUNABLES=glibc.pthread.rseq=0"];

/// What is linked into programs, in C: it wraps `main`.
const LINKED: &str = include_str!("linked.c");

/// What stands before Python programs.
const WARM: &str = include_str!("warm.py");
