//! Fork servers: programs that are loaded and initialized once, and then forked for each run.
//!
//! A forked copy costs at most a fifth of a fresh start, and a thirtieth where an interpreter has to start. It is made
//! by `fork` inside the program itself, just before its `main`, by a few lines of C that are linked into it
//! (`linked.c`), or by a script that runs before a Python program (`warm.py`). Without a request to serve, the program
//! runs normally. Each copy is a child of the spawner, not of the server, so it is limited, supervised and killed like
//! any other program.
//!
//! A server is as hostile as its program, whose constructors run in it. So it is sandboxed from its first instruction.
//! Its seccomp filter is that of a run, except that it *notifies* the spawner of a `clone` that would fork a copy: the
//! kernel holds the call until the spawner wants a copy ([`ForkServerGate`](super::supervise::ForkServerGate)). The
//! copies inherit the filter. Kernels without such notifications have no fork servers. A server is stopped while none
//! of its copies runs, so it cannot tamper with files that other programs are judged by. A server that has threads or
//! child processes, or is not ready in time, is replaced by one process for each run, and the user is shown the reason.
//!
//! The spawner learns from the list of its children which process is the copy. A server's address space is not randomized: its mappings lie close
//! together, so that fewer page tables are copied.
//!
//! All copies share what a fresh start would randomize: addresses and hash seeds. So fork servers are used for
//! searching, and findings are confirmed by fresh starts.

#[cfg(target_os = "linux")]
mod in_place;
#[cfg(target_os = "linux")]
mod servers;

#[cfg(target_os = "linux")]
pub(super) use servers::{ForkServerPool, SpawnerEvents};

/// Maximum number of inputs of a batch that is run in place.
pub(super) const MAX_IN_PLACE_RUNS: usize = 256;

/// Maximum total size of the inputs of such a batch. Larger ones gain little: they take longer to read than a copy to be
/// made.
pub(super) const MAX_IN_PLACE_BYTES: usize = 512 << 10;

/// Environment variables of a server, which programs do not see. The first makes it serve, and contains the descriptor
/// for requests. The second keeps glibc from registering restartable sequences: the kernel would write to the server's
/// memory whenever it continues, and copy a page each time.
#[cfg(target_os = "linux")]
const SERVER_VARIABLES: [&std::ffi::CStr; 2] = [c"REBUT_FORK_SERVER=3", c"GLIBC_TUNABLES=glibc.pthread.rseq=0"];
