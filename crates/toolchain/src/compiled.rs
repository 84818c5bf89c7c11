//! The result of compiling.

use super::Language;
use rebut_diagnostics::Error;
use rebut_sandbox::Program;
use std::fmt;
use std::path::PathBuf;

/// The purpose that a source is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuildVariant {
    /// For judging: optimized, as in contests.
    Judged,
    /// For locating a fault: with sanitizers and library debug mode. C and C++ only.
    Sanitized,
    /// For counting the work of runs: optimized, with counters of executed branches. C, C++ and Rust only.
    Counted,
}

/// A program, and how it was compiled.
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    /// The program.
    pub program: Program,
    /// Its language, if it was built from a source.
    pub language: Option<&'static Language>,
    /// The command that compiled it, as a user would type it; `None` if nothing was compiled.
    pub command: Option<String>,
    /// Elapsed time of the compilation; 0 if it came from the cache.
    pub compile_time_us: u64,
    /// True if it came from the cache.
    pub is_from_cache: bool,
    /// The older standard of the language that it was compiled with, because the compiler rejects it under the default
    /// one; `None` if that was not necessary.
    pub older_standard: Option<String>,
    /// A hash of the inputs of the build: everything that was read, the compiler and its options. Only comparable on the same
    /// machine. `None` for a command, which can be anything.
    pub build_identity: Option<String>,
    /// The folder with what the compiler made; `None` if nothing was compiled.
    pub build_folder: Option<PathBuf>,
}

/// Why a program could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// The compiler rejects the source: a verdict, not an error of rebut.
    Rejected {
        /// The command, as a user would type it.
        command: String,
        /// The beginning of the compiler's messages, at most 32 KiB.
        text: String,
    },
    /// The compiler is missing, the file cannot be read, the disk is full, or the work was cancelled.
    Failed(Error),
}

impl From<Error> for CompileError {
    fn from(error: Error) -> Self {
        CompileError::Failed(error)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Rejected { command, text } => write!(f, "`{command}` failed:\n{}", text.trim_end()),
            CompileError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}
