//! The leaves of a value: its numbers and characters.

use crate::language::FieldId;
use crate::value::ValuePath;

/// A leaf: one number or character of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueLeaf {
    pub(super) path: ValuePath,
    pub(super) index: usize,
    pub(super) field: FieldId,
    /// The number, or the rank of the letter.
    pub(super) value: i128,
    /// The simplest number or rank.
    pub(super) simplest: i128,
}
