//! Runs programs within limits. The only crate that starts processes.
//!
//! A [`Program`] is run on an input under [`RunLimits`], and the result is a [`RunOutcome`]: how the process ended, what
//! it wrote and what it used. Whether its output is right is not its concern, nor is the language that it is written in:
//! `rebut-toolchain` makes programs from sources.
//!
//! ```no_run
//! use rebut_sandbox::{CancelToken, ForkServerSpec, HostEnvironment, LaunchSpec, ProcessLauncher, ProcessRunner};
//! use rebut_sandbox::{Program, RunLimits};
//! use std::{path::Path, sync::Arc};
//!
//! let folder = Path::new("/tmp");
//! let environment = HostEnvironment::from_process()?;
//! let spec = LaunchSpec {
//!     command: vec!["/usr/bin/sort".into(), "-n".into()],
//!     environment: Vec::new(),
//!     directory: folder.into(),
//!     limits_address_space: true,
//!     stack_limit_bytes: u64::MAX,
//!     sandbox: None,
//!     spawners: Arc::new(ProcessLauncher::new(None, folder, environment.kernel_limits())),
//!     own_files: None,
//!     fork_server: None::<ForkServerSpec>,
//!     copies: None,
//!     kept_folders: Vec::new(),
//! };
//! let program = Program::new("sort", ProcessRunner::new(spec)?);
//! let outcome = program.run(b"2\n1\n", &[], &RunLimits::default(), &CancelToken::new())?;
//! assert!(outcome.is_success());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How a program is run is hidden behind [`Runner`]: by a process for each run, or by forked copies of a server. In
//! both cases:
//!
//! * Input, output and error stream are files in memory, and the input is sealed. Without pipes, no order of reading
//!   and writing can block, and a process that was left behind cannot delay the end of a run.
//! * The kernel limits the size of the output, and is the backstop for processor time. Processor time, memory, wall
//!   time and the [`CancelToken`] are checked every 20 ms, for the program and all its descendants.
//! * Programs are started by spawners, which make sure that no process outlives its run, even if rebut itself is
//!   killed.
//! * Failures of the operating system (to create a process, a descriptor or a file) are an
//!   [`Error`](rebut_diagnostics::Error), and never count against the program.

#![allow(clippy::disallowed_methods, reason = "the only crate that starts processes; it uses clocks and files")]

mod cancel;
mod classify;
mod fork_server;
mod host_environment;
mod interact;
mod isolation;
mod limits;
mod memory_file;
mod outcome;
mod process;
mod process_runner;
mod processors;
mod program;
mod program_variant;
mod run_files;
mod spawner;
mod supervise;
#[allow(
    unsafe_code,
    reason = "no safe library starts a process with limits at the cost of vfork, reaps with usage, or sets what the allocator keeps"
)]
mod sys;
mod system_error;
mod tuning;

pub use cancel::{CancelToken, PhaseEnd, PhaseGuard};
pub use host_environment::{HostEnvironment, is_executable, is_script};
pub use interact::{
    ConversationLength, Interaction, InteractionDecision, InteractionParty, InteractionSide, Transcript,
    TranscriptLine, run_interaction,
};
pub use isolation::{
    CompilerAccess, KernelFeatureLimits, KernelSupport, ReadablePaths, SandboxLayer, SandboxPolicy, TOOLCHAIN_FOLDERS,
    compiler_sandbox_layers, sandbox_layers, to_c_paths,
};
pub use limits::{MIB, RunLimits};
pub use outcome::{LimitHit, ProcessExit, RunOutcome, signal_description, signal_name};
pub use process::{EndedProcess, OwnProcess};
pub use process_runner::{ForkServerSpec, LaunchSpec, ProcessRunner};
pub use processors::ProcessorSet;
pub use program::{Program, RunJob, Runner};
pub use program_variant::ProgramVariant;
pub use run_files::RunFiles;
pub use spawner::{ProcessLauncher, serve_if_spawner};
pub use supervise::StopReason;
pub use sys::{keep_freed_memory, reset_sigchld, stack_limit_bytes, use_large_pages};
