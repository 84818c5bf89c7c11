//! The reason why an attempt at an instance failed.

use super::GenerationError;
use crate::language::{FieldId, Format};
use crate::validate::ViolationSides;

/// The reason why an attempt at an instance failed. Most failures are followed by another attempt, so the message
/// is built only at the end.
#[derive(Debug)]
pub(super) enum DrawFailure<'a> {
    /// The range of a field is empty, because of this constraint.
    EmptyRange(FieldId, Option<usize>),
    /// A constraint does not hold, with the values of its sides.
    BrokenConstraint(usize, ViolationSides<'a>),
    /// Any other error.
    Other(Box<GenerationError>),
}

impl From<GenerationError> for DrawFailure<'_> {
    fn from(error: GenerationError) -> Self {
        DrawFailure::Other(Box::new(error))
    }
}

impl DrawFailure<'_> {
    /// Returns the failure as an error with its message.
    pub(super) fn into_error(self, format: &Format) -> GenerationError {
        match self {
            DrawFailure::EmptyRange(field, blame) => GenerationError::for_empty_range(format, field, blame),
            DrawFailure::BrokenConstraint(constraint, sides) => {
                GenerationError::for_broken_constraint(format, constraint, sides.display_text(format))
            }
            DrawFailure::Other(error) => *error,
        }
    }
}
