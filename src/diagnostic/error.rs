//! Operating failures.

use std::fmt;
use std::path::Path;

/// The result of an operation that the machine, and not the user's text, can make fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an [`Error`] happened, as far as the exit status needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line, a format or a package is wrong: exit status 2.
    Usage,
    /// The reference, a checker or a validator failed: exit status 3.
    Judge,
    /// The machine failed us: a missing compiler, a full disk, an unwritable folder: exit status 4.
    Operating,
    /// The user asked us to stop: exit status 130.
    Interrupted,
}

/// An operating failure: one lowercase sentence that names the path or the program it is about.
///
/// `note` carries text that belongs below the sentence, for example a compiler's own output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    note: Option<String>,
    help: Option<String>,
    is_unsupported: bool,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), note: None, help: None, is_unsupported: false }
    }

    /// The user's command line, format or package is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// The jury's side failed: never blamed on a submission.
    pub fn judge(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Judge, message)
    }

    /// The machine failed.
    pub fn operating(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Operating, message)
    }

    /// Marks that a tool which a program needs is not installed: other programs can be run without it.
    #[must_use]
    pub fn as_unsupported(mut self) -> Self {
        self.is_unsupported = true;
        self
    }

    /// Returns true if a tool that a program needs is not installed.
    pub fn is_unsupported(&self) -> bool {
        self.is_unsupported
    }

    /// `failed to <action> `path`: cause`; `-` is a standard stream.
    pub fn io(action: &str, path: &Path, cause: &std::io::Error) -> Self {
        let what = match (action, path.to_str()) {
            ("read", Some("-")) => "the standard input".to_owned(),
            (_, Some("-")) => "to the standard output".to_owned(),
            _ => format!("`{}`", path.display()),
        };
        Error::operating(format!("failed to {action} {what}: {}", plain(cause)))
    }

    /// A file the user named could not be read: wrong usage when it is not there, else the machine's fault.
    pub fn unreadable(path: &Path, cause: &std::io::Error) -> Self {
        let error = Error::io("read", path, cause);
        match cause.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::IsADirectory => {
                Error { kind: ErrorKind::Usage, ..error }
            }
            _ => error,
        }
    }

    /// The user pressed ^C, or the process was told to end.
    pub fn interrupted() -> Self {
        Error::new(ErrorKind::Interrupted, "interrupted")
    }

    /// Adds text to be shown below the sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Why it happened.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Text that belongs below the sentence.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// What the user can do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(note) = &self.note {
            write!(f, "\n{}", note.trim_end())?;
        }
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The cause in words, without the number that `std` appends.
fn plain(cause: &std::io::Error) -> String {
    let text = cause.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    lower_first(&text[..end])
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_errors_name_the_path_and_the_cause() {
        let cause = std::io::Error::from_raw_os_error(2);
        let error = Error::io("read", Path::new("a.format"), &cause);
        assert_eq!(error.to_string(), "failed to read `a.format`: no such file or directory");
        assert_eq!(Error::unreadable(Path::new("a"), &cause).kind(), ErrorKind::Usage);
    }
}
