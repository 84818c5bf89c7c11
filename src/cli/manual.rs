//! `rebut man`: writes the manual pages, one for each command.

use super::args::ManArgs;
use super::clap_definition;
use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::{Error, Result};
use std::fs;

pub(super) fn run_man(args: &ManArgs, session: &mut Session) -> Result<ExitStatus> {
    let failed = |cause: std::io::Error| Error::io_error("write", &args.folder, &cause);
    fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(clap_definition(), &args.folder).map_err(failed)?;
    let pages = format!("{}: the manual pages, to be read by `man -l {0}/rebut.1`\n", args.folder.display());
    session.write_stdout(pages.as_bytes())?;
    Ok(ExitStatus::Success)
}
