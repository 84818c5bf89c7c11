//! Inputs that were validated, listed or counted.

use super::serialize_as_text;
use rebut_diagnostics::DiagnosticText;
use serde::Serialize;
use std::path::PathBuf;

/// The result of checking a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileValidated {
    /// Path of the file.
    pub file: PathBuf,
    /// Whether it is a valid input.
    pub valid: bool,
    /// Diagnostic with the position, if it is invalid.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub message: Option<DiagnosticText>,
}

/// An enumerated input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumeratedInput {
    /// Position in the order of enumeration, from 1.
    pub number: u64,
    /// Number of numbers and characters.
    pub elements: usize,
    /// The input.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub text: Vec<u8>,
}

/// The number of inputs of a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumerationSummary {
    /// Number of inputs listed or counted. An overflow is reported as none.
    pub inputs: Option<u128>,
    /// Maximum number of numbers and characters in an input, if limited by an option.
    #[serde(rename = "most_elements")]
    pub max_elements: Option<usize>,
    /// Whether these are all inputs.
    pub complete: bool,
    /// Whether they were only counted, not listed.
    pub counted: bool,
}
