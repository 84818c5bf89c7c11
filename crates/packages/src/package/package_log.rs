//! Collects errors and notes about a package, so that they can be reported together.

use super::dialect::Dialect;

use rebut_diagnostics::{Error, Result, count_with_noun, shorten_text};

/// Maximum number of errors reported at once.
const MAX_SHOWN_ERRORS: usize = 20;

/// Maximum length of a name or value in a message, in characters.
const MAX_SHOWN_CHARS: usize = 120;

/// Errors and notes in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct PackageLog {
    errors: Vec<PackageError>,
    notes: Vec<String>,
}

#[derive(Debug)]
struct PackageError {
    location: String,
    text: String,
    help: Option<String>,
}

impl PackageLog {
    /// Reports an error. The location is a path in the package, followed by line and column if known.
    pub(super) fn report_error(&mut self, location: impl Into<String>, text: impl Into<String>) {
        self.errors.push(PackageError { location: location.into(), text: text.into(), help: None });
    }

    /// Returns true if no error was reported.
    pub(super) fn has_no_errors(&self) -> bool {
        self.errors.is_empty()
    }

    /// Adds help to the last error.
    pub(super) fn add_help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.errors.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Reports something that is ignored, or is likely to be a mistake.
    pub(super) fn add_note(&mut self, location: &str, text: &str) {
        let note = format!("`{}`: {text}", shorten_for_message(location));
        // Some files are read twice, for test cases and for probes.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Reports a folder that should be a file, or a file that should be a folder.
    pub(super) fn report_wrong_file_type(&mut self, location: &str, is_folder: bool) {
        self.report_error(location, if is_folder { "is a folder and should be a file" } else { "should be a folder" });
    }

    /// Reports a contradiction: an error in the 2025-09 format, a note in drafts of it.
    pub(super) fn report_contradiction(&mut self, dialect: Dialect, location: &str, text: &str) {
        if dialect == Dialect::V2025 {
            self.report_error(location, text);
        } else {
            self.add_note(location, text);
        }
    }

    /// Returns the notes.
    ///
    /// # Errors
    ///
    /// Returns a single error with all errors that were reported.
    pub(super) fn into_notes(mut self, package: &str) -> Result<Vec<String>> {
        match self.errors.len() {
            0 => Ok(self.notes),
            1 => Err(self.errors.remove(0).into_error(package)),
            count => {
                let mut lines: Vec<String> =
                    self.errors.iter().take(MAX_SHOWN_ERRORS).map(PackageError::to_list_item).collect();
                if count > MAX_SHOWN_ERRORS {
                    lines.push(format!("... and {} more", count - MAX_SHOWN_ERRORS));
                }
                let text = format!("`{}` has {}", shorten_for_message(package), count_with_noun(count, "error"));
                Err(Error::usage_error(text).with_note(lines.join("\n")))
            }
        }
    }
}

impl PackageError {
    fn into_error(self, package: &str) -> Error {
        let location =
            if self.location.is_empty() { package.to_owned() } else { format!("{package}/{}", self.location) };
        let error = Error::usage_error(format!("`{}`: {}", shorten_for_message(&location), self.text));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    fn to_list_item(&self) -> String {
        let location = if self.location.is_empty() { "." } else { &self.location };
        let help = self.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("  `{}`: {}{help}", shorten_for_message(location), self.text)
    }
}

/// Shortens a name or a value to one line for a message.
pub(crate) fn shorten_for_message(text: &str) -> String {
    shorten_text(text.as_bytes(), MAX_SHOWN_CHARS)
}
