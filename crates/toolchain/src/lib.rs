//! Languages and their compilers: turns a source file, a folder, an executable or a command into a
//! [`Program`](rebut_sandbox::Program), and keeps what was compiled.
//!
//! ```no_run
//! use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
//! use rebut_toolchain::{BuildVariant, ProgramBuilder};
//! use std::path::Path;
//!
//! let cancel = CancelToken::new();
//! let builder = ProgramBuilder::new(HostEnvironment::from_process()?)?;
//! let compiled = builder.compile(Path::new("sol.cpp"), BuildVariant::Judged, &cancel)?;
//! let outcome = compiled.program.run(b"1 2\n", &[], &RunLimits::default(), &cancel)?;
//! assert!(outcome.is_success());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, reason = "it reads sources, and keeps compiled programs in a cache")]

mod batch;
mod build;
mod built_program;
mod cache;
mod command_line;
mod compile;
mod compile_limits;
mod compiled;
mod compiler_failure;
mod compiler_sandbox;
mod find_tool;
mod fingerprint;
mod fork_server;
mod java;
mod language;
mod named_files;
mod precompiled_header;
mod recorded_reads;
mod sanitizer_report;
mod sources;
mod tool_identity;
mod toolchain;
mod toolchain_report;
mod tuning;
mod work_count;

pub use build::{ProgramBuilder, read_program_files};
pub use command_line::split_words;
pub use compile_limits::CompileLimits;
pub use compiled::{BuildVariant, CompileError, CompiledProgram};
pub use compiler_failure::error_lines;
pub use language::{LANGUAGES, Language, LanguageStandard, LanguageTool, SourceOptions};
pub use sanitizer_report::{SanitizerReport, SanitizerResult, find_fault, run_with_sanitizers};
pub use tool_identity::ToolIdentity;
pub use toolchain_report::ToolchainReport;
pub use work_count::{CountedProgram, WorkCount, WorkUnit};
