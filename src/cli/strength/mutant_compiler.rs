//! Compiles changed sources: mutants, and copies that record what they compute.

use super::super::compile_programs::package_source_options;
use super::super::session::Session;
use rebut_diagnostics::{Error, Result};
use rebut_engine::MutatedSubmission;
use rebut_packages::{Package, digest_parts, write_atomically};
use rebut_sandbox::CancelToken;
use rebut_toolchain::{BuildVariant, CompileError, CompiledProgram, ProgramBuilder, SourceOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Age at which the sources of a run that was killed are removed.
const MAX_ABANDONED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Compiles changed sources, which are in a folder of the cache, which is removed at the end.
pub(in crate::cli) struct MutantCompiler {
    builder: Arc<ProgramBuilder>,
    options: SourceOptions,
    /// The folder of the submissions.
    submissions: PathBuf,
    folder: TempDir,
    cancel: CancelToken,
}

/// A mutant and its source.
pub(in crate::cli) struct CompiledMutant {
    /// The program.
    pub(in crate::cli) compiled: CompiledProgram,
    /// Path of its source.
    pub(in crate::cli) path: PathBuf,
}

impl MutantCompiler {
    /// Creates a compiler for the submissions of a package, or for sources without one.
    ///
    /// # Errors
    /// Returns an error if the folder for their sources cannot be created.
    pub(in crate::cli) fn new(package: Option<&Package>, session: &Session) -> Result<MutantCompiler> {
        let root = session.builder.cache_folder().join("mutants");
        fs::create_dir_all(&root).map_err(|cause| Error::io_error("make the folder", &root, &cause))?;
        remove_abandoned_folders(&root, SystemTime::now());
        let folder = TempDir::new_in(&root).map_err(|cause| Error::io_error("make a folder in", &root, &cause))?;
        Ok(MutantCompiler {
            builder: Arc::clone(&session.builder),
            options: package_source_options(package),
            submissions: package.map(|package| package.folder.join("submissions")).unwrap_or_default(),
            folder,
            cancel: session.cancel.clone(),
        })
    }

    /// Compiles a changed source of a submission.
    ///
    /// # Errors
    /// Returns an error if the compiler rejects the source, or if it cannot be written or compiled.
    pub(in crate::cli) fn compile_mutant(
        &self,
        submission: &MutatedSubmission,
        source: &str,
        variant: BuildVariant,
    ) -> std::result::Result<CompiledMutant, CompileError> {
        self.compile_changed(&self.submissions.join(&submission.name), source, variant)
    }

    /// Compiles a changed text of the source at a path.
    ///
    /// # Errors
    /// Same as [`compile_mutant`](MutantCompiler::compile_mutant).
    pub(in crate::cli) fn compile_changed(
        &self,
        original: &Path,
        source: &str,
        variant: BuildVariant,
    ) -> std::result::Result<CompiledMutant, CompileError> {
        // Under the name of the original, since compilers can print it.
        let path = self.folder.path().join(digest_parts(&[source])).join(original.file_name().unwrap_or_default());
        write_atomically(&path, source.as_bytes())?;
        let mut options = self.options.clone();
        options.includes.extend(original.parent().map(Path::to_owned));
        let compiled = self.builder.compile_with_options(&path, &options, variant, &self.cancel)?;
        Ok(CompiledMutant { compiled, path })
    }

    /// Returns a hash of what the compiler made of a program; equal for equal programs.
    pub(in crate::cli) fn hash_program(&self, compiled: &CompiledProgram) -> Option<String> {
        self.builder.hash_compiled_files(compiled)
    }

    /// Cancels compilations and runs.
    pub(in crate::cli) fn cancel(&self) -> &CancelToken {
        &self.cancel
    }
}

/// Removes the folders that runs left because they were killed.
fn remove_abandoned_folders(root: &Path, now: SystemTime) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let modified = entry.metadata().ok().and_then(|about| about.modified().ok());
        let age = modified.and_then(|modified| now.duration_since(modified).ok());
        if age.is_some_and(|age| age > MAX_ABANDONED_AGE) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_runs_are_removed_after_a_day() -> Result<()> {
        let root = tempfile::tempdir().map_err(|cause| Error::io_error("make", Path::new("."), &cause))?;
        let folder = root.path().join("left");
        fs::create_dir(&folder).map_err(|cause| Error::io_error("make", &folder, &cause))?;
        remove_abandoned_folders(root.path(), SystemTime::now());
        assert!(folder.is_dir(), "it may be in use");
        remove_abandoned_folders(root.path(), SystemTime::now() + MAX_ABANDONED_AGE + Duration::from_secs(60));
        assert!(!folder.exists());
        Ok(())
    }
}
