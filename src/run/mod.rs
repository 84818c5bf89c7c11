//! Compiles and runs programs: layer 3, and the only room that starts processes.
//!
//! A [`Builder`] turns a source file, an executable or a command into a [`Program`]; a program is run on the
//! bytes of an input under [`Limits`], and the result is an [`Outcome`]. An outcome says how a process ended.
//! Whether its output is right is a checker's question, and what both mean together is `judge`'s.
//!
//! How a program is run is hidden behind [`Runner`]: a process for each run, or copies of one that waits. For both:
//!
//! * Input, output and error stream are files in memory, the input sealed. There are no pipes, so there is no
//!   order of reading and writing that blocks, and a process left behind cannot hold anybody up.
//! * The kernel stops what writes too much. It is the backstop for processor time, which is looked at every
//!   20 ms, together with memory, the wall clock and [`Cancel`]: those of a program and of all that it started.
//! * Programs are started by spawners, which see to it that nothing is left of a run when it is over, and
//!   that nothing runs on if rebut itself is killed.
//! * Whatever the machine refuses (a process, a descriptor, disk space) is an
//!   [`Error`](crate::diagnostic::Error), and never held against the program.

mod build;
mod cache;
mod cancel;
mod classify;
mod compile;
mod compiled;
mod compiler_sandbox;
mod exec;
mod fingerprint;
mod fork_server;
mod header;
mod included;
mod interact;
mod inventory;
mod isolation;
mod java;
mod language;
mod limits;
mod luggage;
mod memory_file;
mod outcome;
mod process;
mod processors;
mod program;
mod refusal;
mod rejection;
mod sanitize;
mod sanitizer_report;
mod several;
mod signal;
mod sources;
mod spawner;
mod standard;
mod supervise;
#[allow(
    unsafe_code,
    reason = "no safe library starts a process with limits at the cost of vfork, reaps with usage, or sets what the allocator keeps"
)]
mod sys;
mod toolchain;
mod words;

pub use build::Builder;
pub use cancel::{Cancel, Phase};
pub use compiled::{CompileError, Compiled, Variant};
pub use interact::{Decision, Interaction, Line, Party, Side, Transcript, interact};
pub use inventory::Equipment;
pub use isolation::{KernelLimits, Layer};
pub use language::{LANGUAGES, Language, Tool};
pub use limits::{CompileLimits, Limits};
pub use luggage::Luggage;
pub use outcome::{Exit, LimitHit, Outcome};
pub use processors::Processors;
pub use program::{Job, Program, Runner};
pub use sanitize::{Examination, examine};
pub use sanitizer_report::SanitizerReport;
pub use signal::{signal_name, signal_words};
pub use spawner::serve_if_asked;
pub use standard::{SourceOptions, Standard};
pub use sys::{expect_children, keep_freed_memory, use_large_pages};
pub use toolchain::Environment;
pub(crate) use words::split as split_words;
