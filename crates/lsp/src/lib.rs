//! A language server for formats of inputs and for recipes of test sets.
//!
//! The answers are functions of a text and a place in it: [`format_file`] and [`recipe_file`]. [`LanguageServer`] is a
//! state machine from the messages of a client to those of the server; it does no input or output. [`serve_stream`] connects
//! it to two streams, such as the standard ones.
//!
//! ```
//! use rebut_lsp::format_file::{FormatFile, complete_format};
//! use rebut_lsp::text::EditedText;
//!
//! let text = "n\na[n]\nwhere:\n    1 <= ";
//! let file = FormatFile::new("input.format", EditedText::new(text));
//! let labels: Vec<String> = complete_format(&file, text.len()).suggestions.into_iter().map(|found| found.label).collect();
//! assert_eq!(labels[..2], ["n", "a"]);
//! ```

pub mod format_file;
mod open_file;
mod protocol;
pub mod recipe_file;
mod serve;
mod server;
pub mod text;

pub use open_file::FileKind;
pub use protocol::{Completions, Explanation, SessionEnd, Suggestion, SuggestionKind};
pub use serve::serve_stream;
pub use server::LanguageServer;
