//! Flaws of a test set.

use rebut_diagnostics::{DiagnosticText, Error};
use serde::{Deserialize, Serialize};

/// A flaw of a test set. A test set with flaws is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildFlaw {
    /// Index of the entry in the recipe.
    #[serde(skip)]
    pub order: usize,
    /// Name of the test.
    pub test: String,
    /// Kind of flaw.
    pub kind: BuildFlawKind,
    /// The message.
    pub message: String,
    /// Details: the position in the input, or the output of a program.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub note: Option<DiagnosticText>,
}

impl BuildFlaw {
    /// A flaw without details; the arguments are the fields.
    pub fn new(order: usize, test: &str, kind: BuildFlawKind, message: impl Into<String>) -> BuildFlaw {
        BuildFlaw { order, test: test.to_owned(), kind, message: message.into(), note: None }
    }

    pub(crate) fn from_error(order: usize, test: &str, kind: BuildFlawKind, error: &Error) -> BuildFlaw {
        BuildFlaw::new(order, test, kind, error.message()).with_note(error.note().unwrap_or_default())
    }

    /// Adds details, unless they are blank.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<DiagnosticText>) -> BuildFlaw {
        self.note = note.into().trim_blank_end();
        self
    }
}

/// Kinds of flaws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BuildFlawKind {
    // The names in JSON are those of version 1 of the events.
    /// An input of the recipe cannot be generated.
    #[serde(rename = "unmade")]
    NotGenerated,
    /// An input given in the recipe is invalid, or violates the restrictions in the recipe.
    Invalid,
    /// A generator failed, printed an invalid input, or is not deterministic.
    Generator,
    /// The format and a validator disagree about an input.
    Disagreement,
    /// A validator failed.
    Validator,
    /// The reference failed or was too slow.
    NoAnswer,
    /// The stated answer differs from that of the reference, or an answer validator refuses the answer.
    Answer,
    /// An accepted submission fails.
    Contradiction,
    /// The judge program failed.
    #[serde(rename = "referee")]
    Judge,
}

impl BuildFlawKind {
    /// Returns the party to blame for flaws of this kind.
    pub fn blame(self) -> FlawBlame {
        match self {
            BuildFlawKind::NotGenerated | BuildFlawKind::Invalid => FlawBlame::Recipe,
            BuildFlawKind::Generator | BuildFlawKind::Validator | BuildFlawKind::NoAnswer | BuildFlawKind::Judge => {
                FlawBlame::Judge
            }
            BuildFlawKind::Disagreement | BuildFlawKind::Answer | BuildFlawKind::Contradiction => FlawBlame::Unclear,
        }
    }
}

/// The party to blame for a flaw, which determines the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlawBlame {
    /// Two programs, or a program and the format, disagree; either can be wrong.
    Unclear,
    /// The recipe.
    Recipe,
    /// A judge program.
    Judge,
}
