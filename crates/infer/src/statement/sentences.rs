//! The sentences of the plain text of a statement, with their words and names.

use super::chains::name_of_token;
use super::markup::FORMULA;
use super::tokens::{Token, split_tokens};

/// A sentence of a plain text.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// The sentence as the statement has it, in its own language.
    pub(super) original: String,
    /// Its words in lower case, each between spaces.
    words: String,
}

impl Sentence {
    fn new(text: String, original: String) -> Sentence {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
        let words = words.fold(" ".to_owned(), |words, word| words + &word.to_lowercase() + " ");
        Sentence { text, original, words }
    }

    /// Returns true if the sentence has a phrase in lower case, of one word or several.
    pub(super) fn has_phrase(&self, phrase: &str) -> bool {
        self.words.contains(&format!(" {phrase} "))
    }

    /// Returns true if the sentence has one of some phrases.
    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has_phrase(phrase))
    }

    /// Returns the fields that the sentence names. `tokens` are those of the whole text.
    pub(super) fn field_names(&self, tokens: &[Token]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for token in split_tokens(&self.text) {
            names.extend(name_of_token(&token, tokens).filter(|name| !names.contains(name)));
        }
        names
    }
}

/// Returns the sentences of a text, with those of the text that it is the translation of. A blank line ends one, too.
pub(super) fn split_sentences(text: &str, original: &str) -> Vec<Sentence> {
    let (sentences, originals) = (sentence_texts(text), sentence_texts(original));
    // If the translation is not sentence by sentence, its own words are shown.
    let originals = if originals.len() == sentences.len() { originals } else { sentences.clone() };
    sentences.into_iter().zip(originals).map(|(text, original)| Sentence::new(text, original)).collect()
}

fn sentence_texts(text: &str) -> Vec<String> {
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
