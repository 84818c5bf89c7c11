//! Inputs as bytes: the shortest way to generate and shrink them.

use crate::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use crate::language::Format;
use crate::print::print_value;
use crate::read::read_input;
use crate::shrink::shrink_value;
use crate::validate::{explain_violation, find_violation};
use crate::value::Value;
use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_generators::Choices;
use std::fmt;

/// The problems of a format, as text with locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError(String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

impl Format {
    /// Parses a format from its text. [`Format::parse`] also returns the warnings, and the problems as data.
    ///
    /// # Errors
    /// Returns an error that shows all problems with their locations.
    pub fn from_text(text: &str) -> Result<Format, FormatError> {
        let source = SourceText::new("format", text.as_bytes());
        match Format::parse(&source) {
            Ok((format, _)) => Ok(format),
            Err(problems) => Err(FormatError(problems.iter().map(|p| p.render_text(&source)).collect())),
        }
    }
}

/// Generates a valid input. The same format and seed give the same bytes.
///
/// # Errors
/// Returns an error if a constraint could not be met.
///
/// ```
/// use rebut_format::{Format, generate_input};
///
/// let format = Format::from_text("n m; repeat m: u v where 2 <= n <= 9; edges (u, v) on 1..n: tree")?;
/// let input = generate_input(&format, 1)?;
/// assert_eq!(input, generate_input(&format, 1)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_input(format: &Format, seed: u64) -> Result<Vec<u8>, GenerationError> {
    let plan = GenerationPlan::new(format);
    let generated = generate_value(&plan, &mut Choices::from_seed(seed, 0), &GenerationSettings::default())?;
    Ok(print_value(format, &generated.value))
}

/// Returns the smallest input found for which `still_fails` returns true, starting from one that fails. Every input that
/// `still_fails` is called with is valid.
///
/// # Errors
/// Returns an error if `input` is not a valid input of the format.
///
/// ```
/// use rebut_format::{Format, shrink_input};
///
/// let format = Format::from_text("n; a[n] where 1 <= n <= 8; 0 <= a <= 1000")?;
/// let has_37 = |input: &[u8]| String::from_utf8_lossy(input).split_whitespace().skip(1).any(|a| a == "37");
/// let smallest = shrink_input(&format, b"3\n5 37 41\n", has_37).map_err(|problem| problem.message)?;
/// assert_eq!(smallest, b"1\n37\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shrink_input(
    format: &Format,
    input: &[u8],
    mut still_fails: impl FnMut(&[u8]) -> bool,
) -> Result<Vec<u8>, Diagnostic> {
    let value = read_input(format, input)?;
    if let Some(violation) = find_violation(format, &value) {
        return Err(explain_violation(format, &value, &violation));
    }
    let mut oracle = |value: &Value| still_fails(&print_value(format, value));
    let shrunk = shrink_value(&GenerationPlan::new(format), value, &mut oracle);
    Ok(print_value(format, &shrunk.value))
}
