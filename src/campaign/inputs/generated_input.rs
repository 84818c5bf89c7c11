//! A generated input.

use rebut_format::value::Value;

/// A generated input.
#[derive(Clone, Debug)]
pub struct GeneratedInput {
    /// The text of the input.
    pub bytes: Vec<u8>,
    /// Its value, if there is a format.
    pub value: Option<Value>,
    /// Number of test cases: 1, unless the format has `cases`.
    pub cases: usize,
    /// The shape that generated it.
    pub shape: String,
}
