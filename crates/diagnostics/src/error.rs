//! Operating errors.

use crate::source::{Diagnostic, SourceText};
use std::fmt;
use std::path::Path;

/// The result of an operation that can fail for reasons other than the user's text.
pub type Result<T> = std::result::Result<T, Error>;

/// The cause of an [`Error`], which determines the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line, a format or a package is wrong: exit status 2.
    Usage,
    /// The reference, a checker or a validator failed: exit status 3.
    Judge,
    /// The machine failed: a missing compiler, a full disk, an unwritable directory: exit status 4.
    Operating,
    /// The user interrupted the work: exit status 130.
    Interrupted,
}

/// An operating error: one lowercase sentence that names the path or the program concerned.
///
/// `note` holds text to print below the sentence, for example the output of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    note: Option<String>,
    help: Option<String>,
    is_unsupported: bool,
    diagnostics: Option<Box<(SourceText, Vec<Diagnostic>)>>,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), note: None, help: None, is_unsupported: false, diagnostics: None }
    }

    /// Creates an error about the user's command line, format or package.
    pub fn usage_error(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// Creates an error that consists of diagnostics about a text of the user, without a sentence.
    pub fn from_diagnostics(source: SourceText, diagnostics: Vec<Diagnostic>) -> Self {
        Error { diagnostics: Some(Box::new((source, diagnostics))), ..Error::usage_error("") }
    }

    /// Creates an error about the reference, a checker or a validator; it is never blamed on a submission.
    pub fn judge_error(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Judge, message)
    }

    /// Creates an error about the machine.
    pub fn operating_error(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Operating, message)
    }

    /// Marks the error as a missing tool: programs that do not need it can still be run.
    #[must_use]
    pub fn as_unsupported(mut self) -> Self {
        self.is_unsupported = true;
        self
    }

    /// Returns true if a tool that a program needs is not installed.
    pub fn is_unsupported(&self) -> bool {
        self.is_unsupported
    }

    /// Creates the error ``failed to <action> `path`: cause``; the path `-` is a standard stream.
    pub fn io_error(action: &str, path: &Path, cause: &std::io::Error) -> Self {
        let what = match (action, path.to_str()) {
            ("read", Some("-")) => "the standard input".to_owned(),
            (_, Some("-")) => "to the standard output".to_owned(),
            _ => format!("`{}`", path.display()),
        };
        Error::operating_error(format!("failed to {action} {what}: {}", io_cause_text(cause)))
    }

    /// Creates the error for a file named by the user that cannot be read: a usage error if it does not exist, else an
    /// operating error.
    pub fn unreadable_file(path: &Path, cause: &std::io::Error) -> Self {
        let error = Error::io_error("read", path, cause);
        match cause.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::IsADirectory | std::io::ErrorKind::NotADirectory => {
                Error { kind: ErrorKind::Usage, ..error }
            }
            _ => error,
        }
    }

    /// Creates the error for an interruption by ^C or a termination signal.
    pub fn interrupted() -> Self {
        Error::new(ErrorKind::Interrupted, "interrupted")
    }

    /// Adds text to print below the sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds advice for the user.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the cause.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the diagnostics that the error consists of, with their text.
    pub fn diagnostics(&self) -> Option<(&SourceText, &[Diagnostic])> {
        self.diagnostics.as_deref().map(|(source, diagnostics)| (source, diagnostics.as_slice()))
    }

    /// Returns the text to print below the sentence.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the advice for the user.
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

/// Returns the text of the cause, without the number that `std` appends.
fn io_cause_text(cause: &std::io::Error) -> String {
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
        let error = Error::io_error("read", Path::new("a.format"), &cause);
        assert_eq!(error.to_string(), "failed to read `a.format`: no such file or directory");
        assert_eq!(Error::unreadable_file(Path::new("a"), &cause).kind(), ErrorKind::Usage);
    }
}
