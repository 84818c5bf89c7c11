//! Errors in packages of other systems.

use rebut_diagnostics::{Error, shorten_text};
use std::path::Path;

/// Maximum length of a name or value in a message, in characters.
const MAX_SHOWN_CHARS: usize = 120;

/// An error in a foreign package, with its location and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteropError {
    location: String,
    text: String,
    help: Option<String>,
}

impl InteropError {
    /// Creates an error about the whole package.
    pub(super) fn new(text: impl Into<String>) -> InteropError {
        InteropError::at_location("", text)
    }

    /// Creates an error at a location: a path in the package, followed by line and column if known.
    pub(super) fn at_location(location: impl Into<String>, text: impl Into<String>) -> InteropError {
        InteropError { location: location.into(), text: text.into(), help: None }
    }

    /// Adds help.
    pub(super) fn with_help(mut self, help: impl Into<String>) -> InteropError {
        self.help = Some(help.into());
        self
    }

    /// Converts it to the error of a command.
    pub fn into_error(self, source: &Path) -> Error {
        let source = source.display();
        let location = if self.location.is_empty() {
            source.to_string()
        } else {
            format!("{source}/{}", shorten_for_message(&self.location))
        };
        let error = Error::usage_error(format!("`{location}`: {}", self.text));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// Shortens a name or a value to one line for a message.
pub(super) fn shorten_for_message(text: &str) -> String {
    shorten_text(text.as_bytes(), MAX_SHOWN_CHARS)
}
