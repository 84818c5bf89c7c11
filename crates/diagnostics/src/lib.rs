//! Diagnostics and errors: the lowest layer of rebut.
//!
//! There are two kinds of problems. A [`Diagnostic`] is about text that the user wrote, such as a format or an input
//! file: it has a location, and several can be collected and shown together. An [`Error`] is an operating error, such
//! as an unreadable file or a missing compiler. A verdict is neither: it is data, and defined in `judge`.
//!
//! ```
//! use rebut_diagnostics::{Diagnostic, SourceText, Span};
//!
//! let source = SourceText::new("a.format", "1 <= m\n");
//! let problem = Diagnostic::error("unknown-name", Span::new(5, 6), "there is no `m` in the layout");
//! let text = problem.with_help("did you mean `n`?").render_text(&source);
//! assert!(text.starts_with("error: there is no `m` in the layout\n --> a.format:1:6\n"));
//! ```

mod error;
mod json;
mod message_text;
mod source;
mod suggestion;

pub use error::{Error, ErrorKind, Result};
pub use json::{to_json, to_json_pretty};
pub use message_text::{count_with_noun, escape_markup, group_thousands, list_and, list_or, shorten_text, to_millis};
pub use source::{Diagnostic, DiagnosticStyle, DiagnosticText, Label, Severity, SourceText, Span};
pub use suggestion::{suggest_name, suggestion_for, suggestion_or, suggestion_text};
