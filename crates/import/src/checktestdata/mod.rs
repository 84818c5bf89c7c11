//! The front end of checktestdata, the language in which DOMjudge, and the contests that use it, check their inputs.
//!
//! Its semantics follow the language specification of DOMjudge's checktestdata and the behavior of that program.

mod expression;
mod parser;
mod scanner;

use crate::Conversion;
use rebut_diagnostics::{Diagnostic, SourceText};
use std::collections::BTreeMap;

/// Converts a checktestdata script.
///
/// # Errors
///
/// Returns the errors of a script that is not valid checktestdata.
pub fn convert_script(source: &SourceText) -> Result<Conversion, Vec<Diagnostic>> {
    let (steps, warnings) = parser::parse_script(&source.text)?;
    Ok(crate::convert_steps(steps, warnings, BTreeMap::new(), source))
}
