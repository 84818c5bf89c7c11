//! `rebut infer --clipboard`: the statement that was copied in a browser, with the formulas of the page where the system
//! keeps them.

use super::super::session::Session;
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::RunLimits;
use rebut_toolchain::SourceOptions;

/// Commands that print the clipboard, those that print HTML first: it has what text loses, such as powers.
const CLIPBOARD_COMMANDS: [&str; 6] = [
    "wl-paste --no-newline --type text/html",
    "xclip -selection clipboard -target text/html -out",
    "wl-paste --no-newline",
    "xclip -selection clipboard -out",
    "xsel --clipboard --output",
    "pbpaste",
];

/// Processor time of a command.
const CLIPBOARD_TIME_MS: u64 = 2_000;

/// Returns the text of the clipboard, as HTML if there is some.
///
/// # Errors
/// Returns an error if no program prints it.
pub(super) fn read_clipboard(session: &Session) -> Result<String> {
    for command in CLIPBOARD_COMMANDS {
        let options = SourceOptions::default();
        let Ok(compiled) = session.builder.compile_command_with_options(command, &options, &session.cancel) else {
            continue;
        };
        let limits = RunLimits::with_cpu_time_ms(CLIPBOARD_TIME_MS);
        let outcome = compiled.program.run(b"", &[], &limits, &session.cancel)?;
        session.check_interrupted()?;
        if outcome.is_success() && !outcome.output.trim_ascii().is_empty() {
            return Ok(String::from_utf8_lossy(&outcome.output).into_owned());
        }
    }
    Err(Error::usage_error("no text was found in the clipboard").with_help(
        "copy a statement, or its Input section and samples; to read it, `wl-paste` (wl-clipboard), `xclip` or `xsel` must be installed",
    ))
}
