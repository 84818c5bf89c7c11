//! The sentences of the plain text of a statement, with their words and names.

use super::chains::field_name;
use super::markup::FORMULA;
use super::tokens::{Token, split_tokens};

/// Returns the sentences of a text. A blank line ends one, too.
pub(super) fn split_sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let ends = |word: &&str| {
            let word = word.trim_matches([')', '(', '"', '\'', '`', FORMULA]);
            // A point alone is a letter of a text.
            word.len() > 1 && word.ends_with(['.', '!', '?']) && !word.ends_with("i.e.") && !word.ends_with("e.g.")
        };
        found.extend(words.split_inclusive(ends).map(|sentence| sentence.join(" ")));
    }
    found
}

/// Returns the words of a sentence in lower case, each between spaces.
pub(super) fn words_of(sentence: &str) -> String {
    let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |text, word| text + &word.to_lowercase() + " ")
}

/// Returns the fields that a sentence names. `tokens` are those of the whole text.
pub(super) fn names_in(sentence: &str, tokens: &[Token]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for token in split_tokens(sentence) {
        if let Token::Name { name, subscript } = token {
            let (name, _) = field_name(&name, subscript.as_deref(), tokens);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
