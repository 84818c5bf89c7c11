//! `rebut completions`: prints the script with which a shell completes commands, options and files.

use super::args::CompletionsArgs;
use super::clap_definition;
use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::Result;

pub(super) fn run_completions(args: &CompletionsArgs, session: &mut Session) -> Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut clap_definition(), "rebut", &mut script);
    session.write_stdout(&script)?;
    Ok(ExitStatus::Success)
}
