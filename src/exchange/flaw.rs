//! What is wrong with a package of somebody else's.

use crate::diagnostic::{Error, shorten};
use std::path::Path;

/// The longest name or value that a message shows, in characters.
const LONGEST_SHOWN: usize = 120;

/// What is wrong, where, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    place: String,
    text: String,
    help: Option<String>,
}

impl Flaw {
    /// Something about the whole.
    pub(super) fn new(text: impl Into<String>) -> Flaw {
        Flaw::at("", text)
    }

    /// Something at a place: a path in the package, with a line and a column if there are any.
    pub(super) fn at(place: impl Into<String>, text: impl Into<String>) -> Flaw {
        Flaw { place: place.into(), text: text.into(), help: None }
    }

    /// The same with what can be done about it.
    pub(super) fn with_help(mut self, help: impl Into<String>) -> Flaw {
        self.help = Some(help.into());
        self
    }

    /// The failure of the command: the package is wrong.
    pub fn into_error(self, source: &Path) -> Error {
        let source = source.display();
        let place = if self.place.is_empty() { source.to_string() } else { format!("{source}/{}", shown(&self.place)) };
        let error = Error::usage(format!("`{place}`: {}", self.text));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// A name or a value as messages show it: on one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    shorten(text.as_bytes(), LONGEST_SHOWN)
}
