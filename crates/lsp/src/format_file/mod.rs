//! Answers about the text of a format. Each is a function of the text and a place in it.

mod analysis;
mod completion;
mod cursor;
mod hover;
mod samples;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use analysis::FormatFile;
pub use completion::complete_format;
pub use hover::{explain_word, find_declaration};
pub use samples::{generate_sample, sample_on_one_line};
