//! What is wrong with a package, collected: who mends one mistake wants to hear of the others, too.

use super::model::Dialect;
use crate::diagnostic::{Error, Result, numbered, shorten};

/// How many mistakes are told at once.
const MOST_SHOWN: usize = 20;

/// The longest name or value that a message shows, in characters.
const LONGEST_SHOWN: usize = 120;

/// Mistakes and notes, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Log {
    mistakes: Vec<Mistake>,
    notes: Vec<String>,
}

#[derive(Debug)]
struct Mistake {
    place: String,
    text: String,
    help: Option<String>,
}

impl Log {
    /// Tells of a mistake: the place is a path in the package, with a line and a column if there are any.
    pub(super) fn error(&mut self, place: impl Into<String>, text: impl Into<String>) {
        self.mistakes.push(Mistake { place: place.into(), text: text.into(), help: None });
    }

    /// Whether no mistake was met.
    pub(super) fn is_empty(&self) -> bool {
        self.mistakes.is_empty()
    }

    /// What can be done about the mistake that was told last.
    pub(super) fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.mistakes.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Tells of what is not obeyed, or likely to be a mistake.
    pub(super) fn note(&mut self, place: &str, text: &str) {
        let note = format!("`{}`: {text}", shown(place));
        // Some files are read for test cases and for probes.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// A folder that should be a file, or the other way round.
    pub(super) fn mistaken(&mut self, place: &str, is_folder: bool) {
        self.error(place, if is_folder { "is a folder and should be a file" } else { "should be a folder" });
    }

    /// Tells of what contradicts itself: a mistake in the newest version, a note in drafts of it.
    pub(super) fn contradiction(&mut self, dialect: Dialect, place: &str, text: &str) {
        if dialect == Dialect::V2025 {
            self.error(place, text);
        } else {
            self.note(place, text);
        }
    }

    /// The notes.
    ///
    /// # Errors
    /// If there were mistakes; all of them are in one message.
    pub(super) fn finish(mut self, package: &str) -> Result<Vec<String>> {
        match self.mistakes.len() {
            0 => Ok(self.notes),
            1 => Err(self.mistakes.remove(0).alone(package)),
            count => {
                let mut lines: Vec<String> = self.mistakes.iter().take(MOST_SHOWN).map(Mistake::line).collect();
                if count > MOST_SHOWN {
                    lines.push(format!("... and {} more", count - MOST_SHOWN));
                }
                let text = format!("`{}` has {}", shown(package), numbered(count, "mistake"));
                Err(Error::usage(text).with_note(lines.join("\n")))
            }
        }
    }
}

impl Mistake {
    fn alone(self, package: &str) -> Error {
        let place = if self.place.is_empty() { package.to_owned() } else { format!("{package}/{}", self.place) };
        let error = Error::usage(format!("`{}`: {}", shown(&place), self.text));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    fn line(&self) -> String {
        let place = if self.place.is_empty() { "." } else { &self.place };
        let help = self.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("  `{}`: {}{help}", shown(place), self.text)
    }
}

/// A name or a value as messages show it: on one line, and not too long.
pub(super) fn shown(text: &str) -> String {
    shorten(text.as_bytes(), LONGEST_SHOWN)
}
