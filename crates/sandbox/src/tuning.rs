//! The constants that tune runs and builds: how often processes are looked at, how long they are waited for, how much
//! is read, copied and kept. Each says its unit and why it has its value. None changes what a
//! limit of a run means.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "some of them are only used on Linux"))]

use std::time::Duration;

// Watching processes

/// Interval between looks at a running process. A program that takes a millisecond is waited for and never looked at.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waiting for a processor no longer counts once this many times the wall time limit has passed.
pub(crate) const MAX_WALL_TIME_FACTOR: u32 = 4;

/// Number of times that proportional memory is summed before a sum over the limit is believed: if one of the processes
/// exits meanwhile, the sum is too large.
#[cfg(target_os = "linux")]
pub(crate) const MAX_MEMORY_SUMS: usize = 4;

/// A program is stopped when the files in its folder take this many times the bytes that it is allowed to leave there.
/// The files at its end decide; this only keeps it from filling the disk.
pub(crate) const MAX_DISK_USE_FACTOR: u64 = 4;

/// Maximum time for killed processes to end. They end at once, unless they wait for a device inside the kernel.
pub(crate) const KILL_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum number of system calls that are answered before limits are checked again: a program that makes them
/// endlessly must reach its limits.
pub(crate) const MAX_SYSTEM_CALL_ANSWERS: usize = 64;

/// Maximum number of retries if the executable is still open for writing. When a thread forks just after a compiler was
/// started, the new process holds such descriptors for an instant.
pub(crate) const MAX_BUSY_RETRIES: u32 = 50;

/// How long runs that were started in a phase may continue after its budget is used up: most runs end within it, so
/// that their work is not lost.
pub(crate) const PHASE_GRACE: Duration = Duration::from_secs(1);

/// A phase that waits for processor time takes at most this many times as long as its budget.
pub(crate) const MAX_PHASE_STRETCH: u64 = 3;

/// How much longer the interactor's wall time is than the submission's, in milliseconds: if each waits for the other,
/// the submission is stopped first.
pub(crate) const INTERACTOR_EXTRA_MS: u64 = 1000;

/// How often the end of an input is reconsidered that is kept from a program until the program waits for more.
pub(crate) const END_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Number of such looks in a row at which a program sleeps for unknown reasons, or cannot be found, until it is taken to
/// wait for input.
pub(crate) const ASLEEP_LOOKS: u32 = 200;

/// How long a submission that has closed its output is waited for. One that has ended was reported long before, even
/// on a busy machine; any other still runs.
pub(crate) const END_REPORT_TIME: Duration = Duration::from_secs(1);

/// Maximum number of bytes read from the sender before the receiver has them: as little as possible beyond the capacity
/// of two pipes.
pub(crate) const RELAY_CHUNK_BYTES: usize = 4096;

// Fork servers

/// Maximum number of servers; the least recently used one is evicted. Each keeps the memory of a started program.
pub(crate) const MAX_SERVERS: usize = 8;

/// The same for virtual machines that run a program in place, which are larger.
pub(crate) const MAX_MACHINES: usize = 2;

/// How long a server may keep its spawner waiting, not counting the time it waits for a processor. An interpreter
/// starts in a twentieth of it.
pub(crate) const READY_TIMEOUT: Duration = Duration::from_secs(2);

/// The timeout grows with a server's lifetime, by one part in this many.
pub(crate) const READY_TIMEOUT_SHARE: u32 = 10;

/// Maximum time of a single wait for a server, including time it waits for a processor.
pub(crate) const MAX_SERVER_WAIT: Duration = Duration::from_secs(8);

/// Maximum time for a granted copy to appear. It appears at once, unless the machine is busy.
pub(crate) const COPY_TIMEOUT: Duration = Duration::from_secs(20);

/// Descriptors of a server are counted once in this many requests: counting takes as long as half a run.
pub(crate) const REQUESTS_PER_COUNT: u64 = 16;

/// Poll interval for a server that is not ready, as for a running process.
pub(crate) const SERVER_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Most copies have ended after this time, and are never inspected while alive.
pub(crate) const MAX_POLL_PAUSE: Duration = Duration::from_millis(20);

/// Time until it is first checked whether a copy waits for an answer; the interval doubles each time. A check costs a
/// tenth of a run, and runs take long on a busy machine; only a copy that signals itself, as by `abort`, has to wait
/// for it.
pub(crate) const FIRST_POLL_PAUSE: Duration = Duration::from_millis(2);

/// The same for a copy that does not end by itself.
pub(crate) const FIRST_LASTING_POLL_PAUSE: Duration = Duration::from_micros(100);

/// After this processor time no further run of a batch is started: the client waits for results.
pub(crate) const MAX_BATCH_TIME: Duration = Duration::from_millis(20);

/// The same for time that passes. It is larger: on a machine with much to do, a program waits longer for a processor than
/// its runs take.
pub(crate) const MAX_BATCH_WAIT: Duration = Duration::from_millis(200);

// Runs in place

/// Maximum processor time of a run in place. One that takes longer gains nothing from it, and is run by a copy.
pub(crate) const MAX_IN_PLACE_TIME: Duration = Duration::from_millis(100);

/// Maximum time in which no run in place ends, including time that the program waits for a processor.
pub(crate) const MAX_IN_PLACE_WAIT: Duration = Duration::from_secs(3);

/// One in this many runs in place is repeated by a copy, to see that it makes no difference; and more of the first ones:
/// the 1st, 2nd, 4th, 8th and so on. Fewer are where only a new process can repeat them.
pub(crate) const IN_PLACE_CHECK_INTERVAL: u64 = 256;

/// Number of runs in place that do not count after which there are no more, if they are more than a quarter.
pub(crate) const MAX_UNCLEAN_RUNS: u64 = 32;

// Run files

/// Maximum number of attached files and folders: each file takes a descriptor in the request.
pub(crate) const MAX_RUN_FILES: usize = 120;

/// Maximum length of the name of an attached file. Longer ones are mistakes: file systems allow 255 bytes.
pub(crate) const MAX_RUN_FILE_NAME_BYTES: usize = 200;

/// Maximum depth of nested folders that are collected: no program needs more, and each level opens a folder.
pub(crate) const MAX_COLLECTED_DEPTH: usize = 16;

/// Number of bytes of an attached file that are copied at a time, to copy most files by one call.
pub(crate) const COPY_CHUNK_BYTES: usize = 256 << 10;

/// Maximum number of names in the folder of a run that are counted; a folder with more has too many.
pub(crate) const MAX_COUNTED_NAMES: usize = 1024;

// Memory

/// Maximum size of a stream that a stopped fork server keeps of its last run: larger contents are freed at once.
pub(crate) const MAX_KEPT_STREAM_BYTES: u64 = 1 << 20;

/// Outputs shorter than this are read, and measured, by a single system call: most are shorter than a page.
pub(crate) const SHORT_STREAM_BYTES: usize = 4096;
