//! What rebut says when something is wrong: layer 0, below everything.
//!
//! Three kinds are kept apart. A [`Diagnostic`] is about text that the user wrote (a format, an input
//! file): it has a place, is collected, and several are shown together. An [`Error`] is an operating
//! failure: a file that cannot be read, a compiler that is not there. A verdict is neither: it is data,
//! and lives in `judge`.

mod error;
mod json;
mod nearest;
mod source;
mod words;

pub use error::{Error, ErrorKind, Result};
pub use json::{to_json, to_json_pretty};
pub use nearest::nearest;
pub use source::{Diagnostic, Label, Severity, Source, Span};
pub use words::{counted, list_and, list_or, numbered, shorten};
