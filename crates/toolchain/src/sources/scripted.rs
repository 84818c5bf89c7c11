//! Builds folders with their own scripts: an executable `build`, and a `run` that exists already or is created by
//! `build`.
//!
//! `build` is executed in a copy of the folder, which is then stored like any other build. Both are tools of the
//! problem's author with unknown needs, so they are not sandboxed.

use super::SourceTree;
use crate::CompileError;
use crate::built_program::BuiltProgram;
use crate::compiler_failure::CompilerFailure;
use crate::fingerprint::Fingerprint;
use crate::toolchain::{TOOL_LIMITS, Toolchain};
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::{CancelToken, StopReason, is_executable};
use std::fs;
use std::path::{Path, PathBuf};

const BUILD_SCRIPT: &str = "build";

const RUN_SCRIPT: &str = "run";

pub(crate) fn has_scripts(folder: &Path) -> bool {
    [BUILD_SCRIPT, RUN_SCRIPT].iter().any(|name| is_executable(&folder.join(name)))
}

/// Builds the program of such a folder; `shown` is the user's name for it.
///
/// # Errors
///
/// See [`ProgramBuilder::compile`](crate::ProgramBuilder::compile).
pub(crate) fn build_scripted(
    toolchain: &Toolchain,
    folder: &Path,
    tree: &SourceTree,
    shown: &Path,
    cancel: &CancelToken,
) -> std::result::Result<BuiltProgram, CompileError> {
    let mut fingerprint = Fingerprint::new();
    fingerprint.add_part(b"scripts");
    for (name, text) in &tree.files {
        fingerprint.add_word(name.as_os_str());
        fingerprint.add_part(&[u8::from(is_executable(&folder.join(name)))]);
        fingerprint.add_part(text);
    }
    let name = fingerprint.finish();
    let script = folder.join(BUILD_SCRIPT);
    let command = is_executable(&script).then(|| shown.join(BUILD_SCRIPT).display().to_string());
    let found = toolchain.program_cache().find_build(&name).filter(|folder| is_executable(&folder.join(RUN_SCRIPT)));
    let (built, compile_time_us) = match &found {
        Some(built) => (built.clone(), 0),
        None => {
            toolchain.program_cache().remove_build(&name);
            let stage = toolchain.program_cache().create_staging()?;
            copy_tree(folder, tree, stage.path())?;
            let time_us = command
                .as_deref()
                .map(|command| run_build_script(toolchain, stage.path(), command, cancel))
                .transpose()?;
            require_run_script(stage.path(), shown)?;
            (toolchain.program_cache().store_build(stage, &name)?, time_us.unwrap_or(0))
        }
    };
    let launch_spec = toolchain.launch_spec(vec![built.join(RUN_SCRIPT).into()], false);
    let program = BuiltProgram::from_spec(launch_spec);
    Ok(BuiltProgram { command, compile_time_us, from_cache: found.is_some(), identity: Some(name), ..program })
}

/// Copies the files with their permissions.
fn copy_tree(folder: &Path, tree: &SourceTree, to: &Path) -> Result<()> {
    for (name, text) in &tree.files {
        let place: PathBuf = to.join(name);
        let written = fs::create_dir_all(place.parent().unwrap_or(to))
            .and_then(|()| fs::write(&place, text))
            .and_then(|()| fs::set_permissions(&place, fs::metadata(folder.join(name))?.permissions()));
        written.map_err(|cause| Error::io_error("write", &place, &cause))?;
    }
    Ok(())
}

/// Executes `build` in its folder. Returns the elapsed time in microseconds.
fn run_build_script(
    toolchain: &Toolchain,
    stage: &Path,
    command: &str,
    cancel: &CancelToken,
) -> std::result::Result<u64, CompileError> {
    let temporary = tempfile::tempdir_in(toolchain.temporary_folder());
    let temporary =
        temporary.map_err(|cause| Error::io_error("make a folder in", toolchain.temporary_folder(), &cause))?;
    let ended = toolchain.run_tool(vec![stage.join(BUILD_SCRIPT).into()], stage, temporary.path(), cancel)?;
    if ended.exit.is_success() && ended.stop == StopReason::Ended {
        return Ok(ended.wall_time_us);
    }
    let refused = |_: &str| Vec::new();
    Err(CompilerFailure { process: &ended, command, folder: stage, limits: &TOOL_LIMITS, find_refused_paths: &refused }
        .into_error()?)
}

fn require_run_script(stage: &Path, shown: &Path) -> Result<()> {
    if is_executable(&stage.join(RUN_SCRIPT)) {
        return Ok(());
    }
    let build = shown.join(BUILD_SCRIPT);
    Err(Error::usage_error(format!("`{}` did not create an executable file `{RUN_SCRIPT}`", build.display()))
        .with_help(format!(
            "`{BUILD_SCRIPT}` is executed in a copy of its folder, and must create the program there as `{RUN_SCRIPT}`"
        )))
}
