//! A generated input.

use super::case_packing::count_cases;
use rebut_format::language::Format;
use rebut_format::print::print_value;
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

impl GeneratedInput {
    pub(crate) fn from_value(format: &Format, value: Value, shape: String) -> GeneratedInput {
        let (bytes, cases) = (print_value(format, &value), count_cases(format, &value));
        GeneratedInput { bytes, value: Some(value), cases, shape }
    }
}
