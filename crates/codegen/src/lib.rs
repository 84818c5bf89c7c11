//! Source code from formats: a validator with testlib for problem setters, and the code that reads an input for
//! contestants.
//!
//! Both walk over the blocks of a format once. [`generate_validator`] reads every byte strictly and checks all constraints;
//! [`generate_reader`] takes the input to be valid, and reads tokens into the containers that a contestant would choose;
//! [`generate_driver`] also calls the method of a [solution](SolutionSignature) with them.
//! Nothing is left out in silence: each part without a counterpart is a [`Diagnostic`](rebut_diagnostics::Diagnostic) at its
//! place in the format.
//!
//! # Examples
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::Format;
//!
//! let source = SourceText::new("input.format", "n; a[n] where 1 <= n <= 8; 1 <= a <= n; distinct(a)");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let validator = rebut_codegen::generate_validator(&format).expect("a layout that testlib can read");
//! assert!(validator.text.contains("inf.readLongs(int(n), 1LL, n, \"a\")"));
//! assert!(validator.left_out.is_empty());
//! ```

mod names;
mod reader;
mod signature;
mod source_writer;
mod validator;

pub use reader::{ReaderLanguage, SolutionSource, generate_driver, generate_reader};
pub use signature::{ParameterType, SolutionSignature};
pub use validator::{TestlibValidator, generate_validator};
