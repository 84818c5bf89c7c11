//! Completions of a shell: `rebut completions` prints the script that registers them, and that script runs rebut for
//! each completion, with the variable `REBUT_COMPLETE` set to the name of the shell.

use super::args::CompletionsArgs;
use super::clap_definition;
use super::completion_candidates::with_candidates;
use super::exit_status::ExitStatus;
use super::session::{Session, print_early_error};
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;
use rebut_diagnostics::{Error, Result};
use std::path::{Path, PathBuf};

/// The variable that requests a completion instead of a command.
const VARIABLE: &str = "REBUT_COMPLETE";

/// Answers a shell that requests a completion. Returns `None` if the command line is one to be run.
pub(super) fn answer_shell() -> Option<ExitStatus> {
    let folder = std::env::current_dir().ok();
    let environment = CompleteEnv::with_factory(|| with_candidates(clap_definition())).var(VARIABLE);
    match environment.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(true) => Some(ExitStatus::Success),
        Ok(false) => None,
        Err(problem) => Some(print_early_error(&Error::usage_error(problem.to_string()))),
    }
}

pub(super) fn run_completions(args: &CompletionsArgs, session: &mut Session) -> Result<ExitStatus> {
    let mut script = Vec::new();
    let name = args.shell.to_string();
    if let Some(shell) = Shells::builtins().completer(&name) {
        shell
            .write_registration(VARIABLE, "rebut", "rebut", &program_path(), &mut script)
            .map_err(|cause| Error::io_error("write", Path::new("-"), &cause))?;
    }
    session.write_stdout(&script)?;
    Ok(ExitStatus::Success)
}

/// Returns the program that the script runs: `rebut`, or an absolute path if it was not found by its name alone.
fn program_path() -> String {
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    if called.components().count() < 2 {
        return "rebut".to_owned();
    }
    std::path::absolute(&called).unwrap_or(called).to_string_lossy().into_owned()
}
