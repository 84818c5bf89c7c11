//! What to say when the machine, and not a program, is the reason that something cannot be run.

use crate::diagnostic::Error;
use std::io;

/// `<what>: cause`, with the remedy for the causes that have one.
pub(super) fn of_io(what: &str, cause: &io::Error) -> Error {
    let error = Error::operating(format!("{what}: {}", words(cause)));
    match help(cause) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// The cause in lowercase, without its number.
pub(super) fn words(cause: &io::Error) -> String {
    let text = cause.to_string().to_lowercase();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

fn help(cause: &io::Error) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let is = |errno: Errno| cause.raw_os_error() == Some(errno.raw_os_error());
        if is(Errno::MFILE) || is(Errno::NFILE) {
            return Some("too many files are open: raise the limit with `ulimit -n`, or use fewer `--jobs`");
        }
        if is(Errno::AGAIN) {
            return Some("the machine allows no more processes: see `ulimit -u`, or use fewer `--jobs`");
        }
    }
    let is_full = matches!(cause.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull);
    is_full.then_some("the machine is out of memory or disk space: free some, or use fewer `--jobs`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn a_refusal_says_what_to_do() {
        let error = of_io("failed to start `sol.cpp`", &Errno::MFILE.into());
        assert_eq!(error.message(), "failed to start `sol.cpp`: too many open files");
        assert!(error.help().is_some_and(|help| help.contains("ulimit -n")));
    }
}
