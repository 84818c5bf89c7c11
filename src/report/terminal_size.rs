//! The size of the terminal.

/// Returns the number of columns of the terminal behind the standard error, or else the standard output.
#[cfg(unix)]
pub(crate) fn terminal_width() -> Option<usize> {
    use rustix::termios::tcgetwinsize;
    let size = tcgetwinsize(std::io::stderr()).or_else(|_| tcgetwinsize(std::io::stdout())).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// Returns `None`: the size is unknown on other systems.
#[cfg(not(unix))]
pub(crate) fn terminal_width() -> Option<usize> {
    None
}
