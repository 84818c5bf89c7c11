//! A newly made input of a test set.

use crate::event::BuildFlawKind;
use serde::{Deserialize, Serialize};

/// A newly made input.
#[derive(Clone, Debug, Default)]
pub(super) struct NewInput {
    pub(super) bytes: Vec<u8>,
    /// Whether its generator prints the same input for another seed.
    pub(super) ignores_seed: bool,
    /// The shape that formed it, if it was drawn in one piece.
    pub(super) shape: Option<String>,
}

/// Why an input could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputFailure {
    pub(super) kind: BuildFlawKind,
    pub(super) message: String,
    pub(super) note: String,
}

impl InputFailure {
    pub(super) fn new(kind: BuildFlawKind, message: String, note: String) -> InputFailure {
        InputFailure { kind, message, note }
    }
}
