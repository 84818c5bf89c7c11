//! A program that was built, before it is run.

use super::{CompiledProgram, Language};
use rebut_diagnostics::Result;
use rebut_sandbox::{LaunchSpec, ProcessRunner, Program};
use std::path::PathBuf;

/// A launch specification and the origin of the program.
pub(super) struct BuiltProgram {
    pub(super) launch_spec: LaunchSpec,
    pub(super) language: Option<&'static Language>,
    pub(super) command: Option<String>,
    pub(super) compile_time_us: u64,
    pub(super) from_cache: bool,
    /// The older language standard that it was compiled with, if the default one failed.
    pub(super) older_standard: Option<String>,
    /// The fingerprint of all inputs of the build, where it is known.
    pub(super) identity: Option<String>,
    /// The folder of what was compiled.
    pub(super) folder: Option<PathBuf>,
}

impl BuiltProgram {
    pub(super) fn from_spec(launch_spec: LaunchSpec) -> Self {
        BuiltProgram {
            launch_spec,
            language: None,
            command: None,
            compile_time_us: 0,
            from_cache: false,
            older_standard: None,
            identity: None,
            folder: None,
        }
    }

    pub(super) fn into_compiled(self, name: String) -> Result<CompiledProgram> {
        let BuiltProgram {
            launch_spec,
            language,
            command,
            compile_time_us,
            from_cache,
            older_standard,
            identity,
            folder,
        } = self;
        let program = Program::new(name, ProcessRunner::new(launch_spec)?);
        Ok(CompiledProgram {
            program,
            language,
            command,
            compile_time_us,
            is_from_cache: from_cache,
            older_standard,
            build_identity: identity,
            build_folder: folder,
        })
    }
}
