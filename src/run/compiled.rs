//! What compiling results in.

use super::{Language, Program};
use crate::diagnostic::Error;
use std::fmt;

/// What a source is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// To be judged: optimised, as contests do it.
    Judged,
    /// To find the faulty line: with sanitizers and library debug mode. C and C++ only.
    Sanitized,
}

/// A program, and how it came about.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Its language, if it was made from a source.
    pub language: Option<&'static Language>,
    /// The command that compiled it, as it could be typed; `None` if there was nothing to compile.
    pub command: Option<String>,
    /// How long compiling took on the wall clock; 0 if it came from the cache.
    pub compile_time_us: u64,
    /// Whether it had been compiled before.
    pub from_cache: bool,
    /// The older standard of the language that it was compiled by, because its compiler refuses it under the usual one; None if
    /// that was not needed.
    pub older_standard: Option<String>,
    /// What decides how it behaves: all sources, the compiler and its options, as one word that says nothing on another
    /// machine. None for a command, which may be anything.
    pub identity: Option<String>,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// The compiler does not accept the source: a verdict, not a failure of ours.
    Rejected {
        /// The command, as it could be typed.
        command: String,
        /// The beginning of what the compiler said, at most 32 KiB.
        text: String,
    },
    /// The compiler is missing, the file cannot be read, the disk is full, the work was cancelled.
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
