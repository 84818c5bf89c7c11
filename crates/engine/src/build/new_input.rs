//! A newly made input of a test set.

use crate::event::BuildFlawKind;

/// A newly made input.
#[derive(Clone, Debug, Default)]
pub(super) struct NewInput {
    pub(super) bytes: Vec<u8>,
    /// Whether its generator prints the same input for another seed.
    pub(super) ignores_seed: bool,
    /// The shape that formed it, if it was drawn in one piece.
    pub(super) shape: Option<String>,
}

/// Why an input could not be made: kind of flaw, message and note.
pub(super) type InputFailure = (BuildFlawKind, String, String);
