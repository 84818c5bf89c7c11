//! Classifies failures of the operating system, and describes them to the user.

use rebut_diagnostics::Error;
use std::io;

/// Returns the error `<what>: <cause>`, with help for the causes that have a remedy.
pub(super) fn describe_io_error(what: &str, cause: &io::Error) -> Error {
    let error = Error::operating_error(format!("{what}: {}", error_text(cause)));
    match error_help(cause) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// Returns true if sending or receiving failed because the other end of the connection is closed.
#[cfg(target_os = "linux")]
pub(super) fn is_disconnected(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

/// Returns the cause in lowercase, without its number.
pub(super) fn error_text(cause: &io::Error) -> String {
    let text = cause.to_string().to_lowercase();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

fn error_help(cause: &io::Error) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let is = |errno: Errno| cause.raw_os_error() == Some(errno.raw_os_error());
        if is(Errno::MFILE) || is(Errno::NFILE) {
            return Some("too many files are open: raise the limit with `ulimit -n`, or use fewer `--jobs`");
        }
        if is(Errno::AGAIN) {
            return Some("the limit on processes is reached: raise it with `ulimit -u`, or use fewer `--jobs`");
        }
    }
    let is_full = matches!(cause.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull);
    is_full.then_some("the system is out of memory or disk space: free some, or use fewer `--jobs`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn io_error_has_a_remedy() {
        let error = describe_io_error("failed to start `sol.cpp`", &Errno::MFILE.into());
        assert_eq!(error.message(), "failed to start `sol.cpp`: too many open files");
        assert!(error.help().is_some_and(|help| help.contains("ulimit -n")));
    }
}
