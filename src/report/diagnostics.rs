//! Problems with what the user wrote, and failures of the machine: printed where no campaign runs.

use super::Options;
use crate::diagnostic::{Diagnostic, Error, Source};
use std::io::{self, Write};

/// Prints diagnostics about one text, and how many there are.
///
/// # Errors
/// If `stream` cannot be written.
pub fn print_diagnostics(
    stream: &mut impl Write,
    diagnostics: &[Diagnostic],
    source: &Source,
    options: &Options,
) -> io::Result<()> {
    let _ = (stream, diagnostics, source, options);
    Ok(())
}

/// Prints an operating failure with its note and its help.
///
/// # Errors
/// If `stream` cannot be written.
pub fn print_error(stream: &mut impl Write, error: &Error, options: &Options) -> io::Result<()> {
    let _ = (stream, error, options);
    Ok(())
}
