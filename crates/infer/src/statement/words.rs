//! Words and sentences among the tokens of a statement.

use super::tokens::Token;

/// Numbers as words.
const NUMBER_WORDS: &[&str] = &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Returns true for one of some words.
pub(super) fn is_word(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if words.contains(&word.as_str()))
}

/// Returns true if one of some words is at a place.
pub(super) fn is_word_at(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| is_word(token, words))
}

/// Returns true if some words stand one after the other from a place on.
pub(super) fn are_words_at(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    words.iter().zip(at..).all(|(word, at)| is_word_at(tokens, at, &[word]))
}

/// Returns the beginning of the sentence that a token is in.
pub(super) fn sentence_start(tokens: &[Token], at: usize) -> usize {
    let ends = |token: &Token| matches!(token, Token::Sign('.' | ':' | ';'));
    tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1)
}

/// Returns the number that a word stands for.
pub(super) fn number_of_word(word: &str) -> Option<usize> {
    NUMBER_WORDS.iter().position(|other| *other == word).map(|at| at + 1)
}

/// Returns true for an `i` or `j` that counts things: `the i-th line`, but not `two integers i and j`.
pub(super) fn is_index_at(tokens: &[Token], at: usize) -> bool {
    let is_counter = matches!(&tokens[at], Token::Name { name, subscript: None } if matches!(name.as_str(), "i" | "j"));
    is_counter && !is_listed_number(tokens, at)
}

/// Returns true if a name is one of some numbers of a line: `two integers i and j`.
pub(super) fn is_listed_number(tokens: &[Token], at: usize) -> bool {
    const NOUNS: &[&str] = &["integer", "integers", "number", "numbers"];
    // A bound may stand before the names: `integers 1 <= i, j <= n`.
    let is_listed = |token: &&Token| {
        matches!(token, Token::Name { .. } | Token::Sign(',') | Token::Comparison(_) | Token::Number(_))
            || is_word(token, &["and"])
    };
    let before = tokens[..at].iter().rev().find(|token| !is_listed(token));
    before.is_some_and(|token| is_word(token, NOUNS))
}
