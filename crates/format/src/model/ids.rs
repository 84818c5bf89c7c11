//! Indexes of the parts of a format.

/// Index of a block in its [`Format`](super::Format); block 0 is the whole input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub usize);

/// Index of a field in its [`Format`](super::Format).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub usize);
