//! Answers about the text of a format. Each is a function of the text and a place in it.

mod completion;
mod hover;
#[cfg(test)]
mod tests;

pub use completion::complete_format;
pub use hover::{FormatFile, explain_word, find_declaration, generate_sample, sample_on_one_line};
