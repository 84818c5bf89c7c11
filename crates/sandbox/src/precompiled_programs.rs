//! Programs that were compiled before they are needed.

use super::{CompileError, CompiledProgram, SourceOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Programs that were compiled ahead of time, by source and options.
#[derive(Debug, Default)]
pub(super) struct PrecompiledPrograms(Mutex<BTreeMap<CompileKey, Result<CompiledProgram, CompileError>>>);

pub(super) type CompileKey = (PathBuf, SourceOptions);

impl PrecompiledPrograms {
    /// Takes the result of compiling a source, once.
    pub(super) fn take_program(
        &self,
        source: &Path,
        options: &SourceOptions,
    ) -> Option<Result<CompiledProgram, CompileError>> {
        self.lock_programs().remove(&to_compile_key(source, options))
    }

    pub(super) fn lock_programs(&self) -> MutexGuard<'_, BTreeMap<CompileKey, Result<CompiledProgram, CompileError>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn to_compile_key(source: &Path, options: &SourceOptions) -> CompileKey {
    (source.to_owned(), options.clone())
}
