//! Reads the letters that a statement lists for texts: `consisting of o and x`.

use super::markup::FORMULA;
use super::sections::Sentence;
use super::tokens::Token;
use std::collections::BTreeSet;

/// The letters that a sentence lists for texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedLetters {
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
    pub(crate) letters: BTreeSet<char>,
}

/// Returns the letters that sentences list. `tokens` are those of the whole text.
pub(super) fn find_letters(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedLetters> {
    let about_texts = sentences.iter().filter(|sentence| sentence.words.has_kind("text"));
    let listed = about_texts
        .map(|sentence| StatedLetters { names: sentence.field_names(tokens), letters: listed_letters(&sentence.text) });
    listed.filter(|stated| !stated.letters.is_empty()).collect()
}

/// Returns the letters that a sentence lists, if there are several: `consisting of o and x`, "either `.`, `#` or `S`".
fn listed_letters(sentence: &str) -> BTreeSet<char> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let begins_list = |at: &usize| {
        let word = words[*at].to_lowercase();
        word.starts_with("consist")
            || matches!(word.as_str(), "either" | "is" | "are" | "letters" | "characters" | "symbols")
    };
    let lists = (0..words.len()).filter(begins_list).map(|at| letters_of_list(&words[at + 1..]));
    lists.into_iter().find(|letters| letters.len() > 1).unwrap_or_default()
}

/// Returns the letters at the beginning of some words.
fn letters_of_list(words: &[&str]) -> BTreeSet<char> {
    const JOINTS: &[&str] =
        &["and", "or", "only", "one", "either", "of", "the", "characters", "letters", "symbols", "digits", ","];
    let listed = words.iter().take_while(|word| single_letter(word).is_some() || JOINTS.contains(word));
    listed.filter_map(|word| single_letter(word)).collect()
}

/// Returns the letter that a word consists of, without quotes and what separates it from the next one.
fn single_letter(word: &str) -> Option<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '“', '”', '‘', '’', '«', '»', '{', '}', FORMULA];
    let word = word.strip_suffix(|c: char| c == ',' || c == ';').unwrap_or(word);
    // The point that ends a sentence, unless it is the letter itself.
    let word = word.strip_suffix('.').filter(|rest| !rest.trim_matches(QUOTES).is_empty()).unwrap_or(word);
    let mut letters = word.trim_matches(QUOTES).chars();
    let letter = letters.next().filter(|c| c.is_ascii_graphic())?;
    letters.next().is_none().then_some(letter)
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use std::collections::BTreeSet;

    fn letters(text: &str) -> String {
        let found = Statement::parse(text).letters;
        found.into_iter().flat_map(|stated| stated.letters).collect::<BTreeSet<char>>().into_iter().collect()
    }

    #[test]
    fn lists_of_letters_are_read() {
        let cases = [
            ("$S$ is a string of length $N$ consisting of `o` and `x`.", "ox"),
            ("The string consists of the characters \"#\", \".\" or 'S'.", "#.S"),
            ("Each character is either \\texttt{A}, \\texttt{B}, or \\texttt{D}.", "ABD"),
            ("Each letter is `L` or `R`.", "LR"),
            ("The string consists of only the digits `0', `1' and `3'.", "013"),
            ("Each character of $s$ is one of 'R', 'L' or '?'.", "?LR"),
            ("A string consisting of letters «<code>a</code>», «<code>b</code>» only.", "ab"),
            ("The string s consists of words.", ""),
            ("The name of a or b is a word.", ""),
            ("Each of the n numbers is odd.", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(letters(text), expected, "{text}");
        }
    }
}
