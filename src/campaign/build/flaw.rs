//! What is wrong with a test set.

use crate::diagnostic::Error;
use serde::Serialize;

/// One thing that is wrong with a test set. As long as there is one, nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Flaw {
    /// The number of the recipe's entry, from 0.
    #[serde(skip)]
    pub order: usize,
    /// The test's name.
    pub test: String,
    /// What it is.
    pub kind: FlawKind,
    /// One sentence.
    pub message: String,
    /// What belongs below it: the place in the input, what a program said.
    pub note: Option<String>,
}

/// Kinds of flaws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FlawKind {
    /// What the recipe asks for cannot be made.
    Unmade,
    /// An input that the recipe gives is invalid, or not as the recipe demands.
    Invalid,
    /// A generator failed, made something invalid, or makes different things of the same seed.
    Generator,
    /// The format and a validator think differently about an input.
    Disagreement,
    /// A validator failed.
    Validator,
    /// The reference gave no answer.
    NoAnswer,
    /// The stated answer is not the reference's, or a validator refuses one.
    Answer,
    /// A submission that has to be accepted is not.
    Contradiction,
    /// The jury's program that judges submissions failed.
    Referee,
}

/// Whose mistake something is, as the exit status tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// Two that should agree do not: which one is wrong, nobody knows.
    Found,
    /// The recipe's.
    Recipe,
    /// A program's of the jury.
    Jury,
}

impl FlawKind {
    /// Whose mistake it is.
    pub fn blame(self) -> Blame {
        match self {
            FlawKind::Unmade | FlawKind::Invalid => Blame::Recipe,
            FlawKind::Generator | FlawKind::Validator | FlawKind::NoAnswer | FlawKind::Referee => Blame::Jury,
            FlawKind::Disagreement | FlawKind::Answer | FlawKind::Contradiction => Blame::Found,
        }
    }
}

impl Flaw {
    pub(super) fn new(order: usize, test: &str, kind: FlawKind, message: impl Into<String>) -> Flaw {
        Flaw { order, test: test.to_owned(), kind, message: message.into(), note: None }
    }

    pub(super) fn of(order: usize, test: &str, kind: FlawKind, error: &Error) -> Flaw {
        Flaw::new(order, test, kind, error.message()).note(error.note().unwrap_or_default())
    }

    #[must_use]
    pub(super) fn note(mut self, note: impl Into<String>) -> Flaw {
        self.note = Some(note.into().trim_end().to_owned()).filter(|note| !note.is_empty());
        self
    }
}
