//! Reads lists of all texts that a field can have: `The string is one of the following:` and an item for each, or
//! ``either `open' or `locked'``.

use super::tokens::{Token, split_tokens};
use super::words::is_word;

/// Maximum number of texts of a list.
const MAX_TEXTS: usize = 60;
/// Maximum number of characters of a text.
const MAX_LENGTH: usize = 40;
/// Minimum number of words of a text that goes on after a list.
const MIN_WORDS: usize = 4;
/// Nouns of texts.
const TEXT_NOUNS: &[&str] = &["string", "strings", "word", "words", "name", "names", "text"];
/// Signs around a text.
const QUOTES: [char; 9] = ['{', '}', '`', '\'', '"', '“', '”', '‘', '’'];
/// Phrases before all texts of a choice.
const CHOICE_PHRASES: &[&str] = &["one of ", "either "];
/// Words between such a phrase and the texts.
const LIST_WORDS: &[&str] = &["the words", "the strings", "the following", "the texts"];
/// Names of environments of TeX, which markup leaves.
const ENVIRONMENTS: &[&str] = &["itemize", "enumerate"];

/// Returns the lists of texts in a text. `original` is the same in its own language.
pub(super) fn find_listed_texts(plain: &str, original: &str) -> Vec<Vec<String>> {
    let paragraphs: Vec<&str> = plain.split("\n\n").collect();
    let items: Vec<&str> = original.split("\n\n").map(str::trim).collect();
    if paragraphs.len() != items.len() {
        return Vec::new();
    }
    let introductions = (0..paragraphs.len()).filter(|at| introduces_texts(paragraphs[*at]));
    let lists = introductions.filter_map(|at| listed_after(&items[at + 1..]));
    lists.chain(CHOICE_PHRASES.iter().flat_map(|phrase| listed_inside(plain, phrase))).collect()
}

/// Returns the lists of quoted texts behind each occurrence of a phrase.
fn listed_inside(plain: &str, phrase: &str) -> Vec<Vec<String>> {
    plain.match_indices(phrase).filter_map(|(at, _)| quoted_texts(&plain[at + phrase.len()..])).collect()
}

/// Reads a list of quoted texts: ``the words `on', `off' or `idle'``. Remarks between the texts end it, and then it may
/// not be the whole list. Lists of letters are none.
fn quoted_texts(text: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut rest = text.trim_start();
    let noun = LIST_WORDS.iter().find_map(|words| rest.strip_prefix(words));
    rest = noun.unwrap_or(rest).trim_start();
    while let Some((text, after)) = quoted_text(rest) {
        texts.push(text);
        let joint = after.trim_start_matches([',', ' ', '\n']);
        let next = ["or ", "and "].iter().find_map(|word| joint.strip_prefix(word)).unwrap_or(joint).trim_start();
        if next.len() == after.len() || quoted_text(next).is_none() {
            // The last text comes after `or`.
            let is_whole =
                !["(", "or "].iter().any(|more| after.trim_start_matches([',', ' ', '\n']).starts_with(more));
            let has_words = texts.iter().any(|text: &String| text.len() > 1);
            return (is_whole && has_words && (2..=MAX_TEXTS).contains(&texts.len())).then_some(texts);
        }
        rest = next;
    }
    None
}

/// Splits a text after the quoted or set word that it begins with.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let inside = text.trim_start_matches(QUOTES);
    let length = inside.find(|c: char| !is_plain(c)).unwrap_or(inside.len());
    let after = inside[length..].trim_start_matches(QUOTES);
    let is_quoted = inside.len() < text.len() && after.len() + length < inside.len();
    (is_quoted && (1..=MAX_LENGTH).contains(&length)).then(|| (inside[..length].to_owned(), after))
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns true for a text with a last sentence before a list of all texts.
fn introduces_texts(paragraph: &str) -> bool {
    let Some(paragraph) = paragraph.trim_end().strip_suffix(':') else { return false };
    let sentence = paragraph.rsplit('.').next().unwrap_or_default();
    let tokens = split_tokens(sentence);
    let is_choice = |window: &[Token]| is_word(&window[0], &["one"]) && is_word(&window[1], &["of"]);
    tokens.windows(2).any(is_choice) && tokens.iter().any(|token| is_word(token, TEXT_NOUNS))
}

/// Returns the texts of the items at the beginning of some paragraphs, unless another short one comes after them.
fn listed_after(paragraphs: &[&str]) -> Option<Vec<String>> {
    let is_empty = |paragraph: &&&str| paragraph.is_empty() || ENVIRONMENTS.contains(*paragraph);
    let mut rest = paragraphs.iter().filter(|paragraph| !is_empty(paragraph)).take(MAX_TEXTS + 1).peekable();
    let mut texts = Vec::new();
    while let Some(text) = rest.peek().and_then(|paragraph| listed_text(paragraph)) {
        texts.push(text);
        rest.next();
    }
    let is_whole = rest.next().is_none_or(|next| next.split_whitespace().count() >= MIN_WORDS);
    (is_whole && (2..=MAX_TEXTS).contains(&texts.len())).then_some(texts)
}

/// Returns the text of an item that is a single word, perhaps in quotes or braces.
fn listed_text(item: &str) -> Option<String> {
    let item = item.trim_end_matches(['.', ',', ';']);
    let text = item.trim_matches(QUOTES);
    let is_text = !text.is_empty() && text.len() <= MAX_LENGTH && text.chars().all(is_plain);
    is_text.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::markup::plain_text;

    fn listed(text: &str) -> Vec<String> {
        let plain = plain_text(text);
        find_listed_texts(&plain, &plain).iter().map(|texts| texts.join(" ")).collect()
    }

    #[test]
    fn items_of_lists_are_texts() {
        let list = "One line with a name. The string is one of the following:\n\\begin{itemize}\n\\item \\texttt{Ab}\n\\item \
                    \\texttt{C1}\n\\end{itemize}\n\n";
        assert_eq!(listed(&format!("{list}The string is the name of a town.")), ["Ab C1"]);
        assert_eq!(listed(list), ["Ab C1"]);
        assert_eq!(listed("The word is one of the following:\n\n- `x`\n- `yz`\n"), ["x yz"]);
        assert_eq!(
            listed("($s$ is one of ``\\texttt{on}'', ``\\texttt{off}'' or ``\\texttt{idle}'')"),
            ["on off idle"]
        );
        assert_eq!(listed("It is either `open` or `locked`, as the door is."), ["open locked"]);
        assert_eq!(listed("It starts with one of the words ``enter'' or ``leave''."), ["enter leave"]);
        assert_eq!(listed("<p>one of these words:</p><ul><li>\"on\"</li><li>\"off\"</li></ul>"), ["on off"]);
    }

    #[test]
    fn lists_of_other_things_are_no_texts() {
        for text in [
            "The string is one of the following:\n\n- `x`\n- `yz 5`\n",
            "The string is one of the following:\n\n- `x`\n",
            "Each line is one of the following:\n\n- `x`\n- `y`\n",
            "The string is one of the following:\n\n- the letter x\n- the letter y\n",
            "either ``straight'' (for a roll), ``low'' or ``high''",
            "either `a` or `bc` (the last one), or `de`",
            "each letter is either `x` or `y`",
            "one of x or yz",
            "The strings are these:\n\n- `x`\n- `y`\n",
        ] {
            assert!(listed(text).is_empty(), "{text}");
        }
    }
}
