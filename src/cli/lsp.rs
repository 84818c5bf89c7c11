//! `rebut lsp`: the language server on the standard streams.

use super::args::LspArgs;
use super::exit_status::ExitStatus;
use rebut_diagnostics::{Error, Result};
use rebut_lsp::{SessionEnd, serve_stream};
use std::io::ErrorKind;
use std::path::Path;

/// Serves an editor until it ends the session or closes the stream.
pub(super) fn run_lsp(_: &LspArgs) -> Result<ExitStatus> {
    let end = serve_stream(std::io::stdin().lock(), &mut std::io::stdout().lock());
    let end = match end {
        // The editor is gone.
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => SessionEnd::Closed,
        end => end.map_err(|cause| Error::io_error("serve", Path::new("-"), &cause))?,
    };
    match end {
        SessionEnd::Clean | SessionEnd::Closed => Ok(ExitStatus::Success),
        // The protocol demands this status.
        SessionEnd::Abrupt => Ok(ExitStatus::Found),
    }
}
