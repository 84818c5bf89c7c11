//! Compiles and runs programs within limits. The only crate that starts processes.
//!
//! A [`ProgramBuilder`] turns a source file, an executable or a command into a [`Program`]. A program is run on an
//! input under [`RunLimits`], and the result is a [`RunOutcome`]: how the process ended, what it wrote and what it
//! used. Whether its output is right is not its concern.
//!
//! ```no_run
//! use rebut_sandbox::{BuildVariant, CancelToken, HostEnvironment, ProgramBuilder, RunLimits};
//! use std::path::Path;
//!
//! let cancel = CancelToken::new();
//! let builder = ProgramBuilder::new(HostEnvironment::from_process()?)?;
//! let compiled = builder.compile(Path::new("sol.cpp"), BuildVariant::Judged, &cancel)?;
//! let outcome = compiled.program.run(b"1 2\n", &[], &RunLimits::default(), &cancel)?;
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

mod batch;
mod build;
mod built_program;
mod cache;
mod cancel;
mod classify;
mod command_line;
mod compile;
mod compiled;
mod compiler_failure;
mod compiler_sandbox;
mod fingerprint;
mod fork_server;
mod host_environment;
mod interact;
mod java;
mod language;
mod limits;
mod memory_file;
mod named_files;
mod outcome;
mod precompiled_header;
mod process;
mod process_runner;
mod processors;
mod program;
mod program_variant;
mod recorded_reads;
mod run_files;
mod sandbox;
mod sanitizer_report;
mod sources;
mod spawner;
mod supervise;
#[allow(
    unsafe_code,
    reason = "no safe library starts a process with limits at the cost of vfork, reaps with usage, or sets what the allocator keeps"
)]
mod sys;
mod system_error;
mod tool_identity;
mod toolchain;
mod toolchain_report;
mod tuning;
mod work_count;

pub use build::{ProgramBuilder, read_program_files};
pub use cancel::{CancelToken, PhaseEnd, PhaseGuard};
pub use command_line::split_words;
pub use compiled::{BuildVariant, CompileError, CompiledProgram};
pub use host_environment::HostEnvironment;
pub use interact::{
    ConversationLength, Interaction, InteractionDecision, InteractionParty, InteractionSide, Transcript,
    TranscriptLine, run_interaction,
};
pub use language::{LANGUAGES, Language, LanguageStandard, LanguageTool, SourceOptions};
pub use limits::{CompileLimits, RunLimits};
pub use outcome::{LimitHit, ProcessExit, RunOutcome, signal_description, signal_name};
pub use process::OwnProcess;
pub use processors::ProcessorSet;
pub use program::{Program, RunJob, Runner};
pub use program_variant::ProgramVariant;
pub use run_files::RunFiles;
pub use sandbox::{KernelFeatureLimits, SandboxLayer};
pub use sanitizer_report::{SanitizerReport, SanitizerResult, find_fault, run_with_sanitizers};
pub use spawner::serve_if_spawner;
pub use sys::{keep_freed_memory, reset_sigchld, stack_limit_bytes, use_large_pages};
pub use tool_identity::ToolIdentity;
pub use toolchain_report::ToolchainReport;
pub use work_count::{CountedProgram, WorkCount, WorkUnit};
