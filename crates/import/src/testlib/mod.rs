//! The front end of testlib, with which most validators are written.
//!
//! `syntax` is the part of C++ that validators use. `lowering` follows the program from `main` on, with functions in
//! place of their calls, and turns its statements to steps; `loops` has its loops, `reads` what it reads, `values` its
//! expressions, `collections` its sets and marks, `graphs` union-find and searches.
//!
//! # Examples
//!
//! ```
//! use rebut_diagnostics::SourceText;
//!
//! let program = b"#include \"testlib.h\"
//! int main(int argc, char* argv[]) {
//!     registerValidation(argc, argv);
//!     int n = inf.readInt(1, 100, \"n\");
//!     inf.readEoln();
//!     inf.readInts(n, -9, 9, \"a\");
//!     inf.readEoln();
//!     inf.readEof();
//! }";
//! let found = rebut_import::testlib::convert_validator(&SourceText::new("validator.cpp", program.to_vec())).unwrap();
//! assert_eq!(found.text, "n\na[n]\nwhere:\n    1 <= n <= 100\n    -9 <= a <= 9\n");
//! assert!(found.exact);
//! ```

mod collections;
mod graphs;
mod loops;
mod lowering;
mod reads;
mod syntax;
mod values;

use crate::Conversion;
use rebut_diagnostics::{Diagnostic, SourceText, Span};

/// Maximum size of a source in bytes. Those of validators have some thousands.
const MAX_SOURCE_BYTES: usize = 64 << 10;

/// Converts a validator.
///
/// # Errors
///
/// Returns an error if the source has no function `main`, or is far too long for a validator.
pub fn convert_validator(source: &SourceText) -> Result<Conversion, Vec<Diagnostic>> {
    if source.text.len() > MAX_SOURCE_BYTES {
        let problem = Diagnostic::error("not-a-validator", Span::new(0, 1), "this is too long for a validator");
        return Err(vec![problem.with_caret(format!("at most {MAX_SOURCE_BYTES} bytes"))]);
    }
    let program = syntax::parse_program(&source.text).unwrap_or_default();
    let Some(lowered) = lowering::lower_program(&program) else {
        let start = Span::new(0, source.text.len().min(1));
        let problem = Diagnostic::error("not-a-validator", start, "this is no validator with testlib");
        return Err(vec![problem.with_caret("it has no function `main`")]);
    };
    let mut found = crate::convert_steps(lowered.steps, lowered.warnings, lowered.labels, source);
    if !found.exact {
        // The validator still checks the rest.
        let file = source.name.rsplit('/').next().unwrap_or_default().replace(['\\', '"'], "");
        found.text += if found.text.contains("\nwhere:\n") { "" } else { "where:\n" };
        found.text += &format!("    validator \"{file}\"\n");
    }
    Ok(found)
}
