//! The result of a conversion: files, and notes on omissions.

use super::interop_error::{InteropError, shorten_for_message};
use crate::Bundle;

/// A package that was converted from or for another system.
#[derive(Clone, Debug, Default)]
pub struct ConvertedPackage {
    /// Files of the package.
    pub files: Bundle,
    /// Notes on omissions and changes, one sentence each.
    pub notes: Vec<String>,
}

impl ConvertedPackage {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists already or the package becomes too large.
    pub(super) fn add_file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), InteropError> {
        self.files
            .insert(path, bytes.into())
            .map_err(|problem| InteropError::new(format!("`{}`: {problem}", shorten_for_message(path))))
    }

    /// Adds a note, unless there is the same one already.
    pub(super) fn add_note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}
