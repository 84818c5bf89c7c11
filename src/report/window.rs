//! The size of the window.

/// How many columns the terminal has that the standard error, or else the standard output, goes to.
#[cfg(unix)]
pub(crate) fn width() -> Option<usize> {
    use rustix::termios::tcgetwinsize;
    let size = tcgetwinsize(std::io::stderr()).or_else(|_| tcgetwinsize(std::io::stdout())).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// Not known on other systems.
#[cfg(not(unix))]
pub(crate) fn width() -> Option<usize> {
    None
}
