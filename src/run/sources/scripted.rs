//! Folders that say themselves how they are built and run: an executable `build`, and a `run` that is there before it or
//! after it.
//!
//! `build` is executed in a copy, which is then kept as a build like any other. Both are the tools of whoever made the
//! problem, and nobody can tell what they need, so they have no walls.

use super::Tree;
use crate::diagnostic::{Error, Result};
use crate::run::build::{Made, TOOL_LIMITS};
use crate::run::fingerprint::Fingerprint;
use crate::run::rejection::Failure;
use crate::run::supervise::Stop;
use crate::run::toolchain::is_executable;
use crate::run::{Builder, Cancel, CompileError};
use std::fs;
use std::path::{Path, PathBuf};

const BUILD: &str = "build";
const RUN: &str = "run";

/// Whether a folder says itself how it is built and run.
pub(in crate::run) fn has_scripts(folder: &Path) -> bool {
    [BUILD, RUN].iter().any(|name| is_executable(&folder.join(name)))
}

/// Makes a program of such a folder, which the user knows by that name.
///
/// # Errors
///
/// See [`Builder::compile`].
pub(in crate::run) fn make(
    builder: &Builder,
    folder: &Path,
    tree: &Tree,
    shown: &Path,
    cancel: &Cancel,
) -> std::result::Result<Made, CompileError> {
    let mut fingerprint = Fingerprint::new();
    fingerprint.add(b"scripts");
    for (name, text) in &tree.files {
        fingerprint.add_word(name.as_os_str());
        fingerprint.add(&[u8::from(is_executable(&folder.join(name)))]);
        fingerprint.add(text);
    }
    let name = fingerprint.finish();
    let script = folder.join(BUILD);
    let command = is_executable(&script).then(|| shown.join(BUILD).display().to_string());
    let found = builder.cache().find(&name).filter(|folder| is_executable(&folder.join(RUN)));
    let (built, compile_time_us) = match &found {
        Some(built) => (built.clone(), 0),
        None => {
            builder.cache().discard(&name);
            let stage = builder.cache().stage()?;
            copy(folder, tree, stage.path())?;
            let time_us =
                command.as_deref().map(|command| build(builder, stage.path(), command, cancel)).transpose()?;
            require_run(stage.path(), shown)?;
            (builder.cache().keep(stage, &name)?, time_us.unwrap_or(0))
        }
    };
    let recipe = builder.recipe(vec![built.join(RUN).into()], false);
    let made = Made::ready(recipe);
    Ok(Made { command, compile_time_us, from_cache: found.is_some(), identity: Some(name), ..made })
}

/// Copies the files, and whether they are executable.
fn copy(folder: &Path, tree: &Tree, to: &Path) -> Result<()> {
    for (name, text) in &tree.files {
        let place: PathBuf = to.join(name);
        let written = fs::create_dir_all(place.parent().unwrap_or(to))
            .and_then(|()| fs::write(&place, text))
            .and_then(|()| fs::set_permissions(&place, fs::metadata(folder.join(name))?.permissions()));
        written.map_err(|cause| Error::io("write", &place, &cause))?;
    }
    Ok(())
}

/// Executes `build` where it is. Returns the time that it took in microseconds.
fn build(builder: &Builder, stage: &Path, command: &str, cancel: &Cancel) -> std::result::Result<u64, CompileError> {
    let temporary = tempfile::tempdir_in(builder.folder());
    let temporary = temporary.map_err(|cause| Error::io("make a folder in", builder.folder(), &cause))?;
    let ended = builder.run_tool(vec![stage.join(BUILD).into()], stage, temporary.path(), cancel)?;
    if ended.exit.is_success() && ended.stop == Stop::Ended {
        return Ok(ended.wall_time_us);
    }
    let refused = |_: &str| Vec::new();
    Err(Failure { ended: &ended, command, folder: stage, limits: &TOOL_LIMITS, refused: &refused }.into_error()?)
}

fn require_run(stage: &Path, shown: &Path) -> Result<()> {
    if is_executable(&stage.join(RUN)) {
        return Ok(());
    }
    let build = shown.join(BUILD);
    Err(Error::usage(format!("`{}` made no executable file `{RUN}`", build.display())).with_help(format!(
        "`{BUILD}` is executed in a copy of its folder, and is to leave the program there as `{RUN}`"
    )))
}
