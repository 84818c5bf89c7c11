//! Reads the letters of texts: `consists of lowercase letters`, `characters a-z and 0-9`.

use super::markup::FORMULA;
use super::sections::Sentence;
use super::tokens::Token;
use std::collections::BTreeSet;

/// The letters that a sentence gives to texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedLetters {
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
    pub(crate) letters: BTreeSet<char>,
    /// True if the sentence lists each of them: `consisting of o and x`.
    pub(crate) is_list: bool,
}

/// Returns the letters that sentences give. `tokens` are those of the whole text.
pub(super) fn find_letters(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedLetters> {
    let mut found = Vec::new();
    for sentence in sentences.iter().filter(|sentence| sentence.words.has_kind("text")) {
        let classes = letters_in(sentence);
        let listed = listed_letters(&sentence.text);
        let (letters, is_list) = match classes.is_empty() {
            true => (listed, true),
            // Signs that are listed beside classes belong to them: `digits and the symbols + and -`.
            false => {
                (classes.into_iter().chain(listed.into_iter().filter(char::is_ascii_punctuation)).collect(), false)
            }
        };
        if !letters.is_empty() {
            found.push(StatedLetters { names: texts_named(sentence, tokens), letters, is_list });
        }
    }
    found
}

/// Returns the names in a sentence, except for the ends of ranges of letters: `a-z` names no `z`.
fn texts_named(sentence: &Sentence, tokens: &[Token]) -> Vec<String> {
    let ranges: Vec<&str> = ["a-z", "A-Z"].into_iter().filter(|range| sentence.text.contains(range)).collect();
    let is_end = |name: &String| ranges.iter().any(|range| range.split('-').any(|end| end == name));
    sentence.field_names(tokens).into_iter().filter(|name| !is_end(name)).collect()
}

/// Returns the letters of the classes and ranges that a sentence names.
fn letters_in(sentence: &Sentence) -> BTreeSet<char> {
    let mut letters = letter_ranges(&sentence.text);
    let [is_lower, is_upper] = ["lower", "upper"].map(|kind| sentence.words.has_kind(kind));
    let is_any = sentence.words.has_kind("english") && !is_lower && !is_upper;
    letters.extend(('a'..='z').filter(|_| is_lower || is_any));
    letters.extend(('A'..='Z').filter(|_| is_upper || is_any));
    letters.extend(('0'..='9').filter(|_| sentence.words.has_kind("digit") && (is_lower || is_upper || is_any)));
    letters
}

/// Returns the letters of ranges such as `a-z`, also where each end is quoted.
fn letter_ranges(sentence: &str) -> BTreeSet<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '{', '}'];
    let plain: Vec<char> = sentence.chars().filter(|c| !QUOTES.contains(c)).collect();
    let is_inside = |at: Option<usize>| at.and_then(|at| plain.get(at)).is_some_and(|c| c.is_alphanumeric());
    let mut letters = BTreeSet::new();
    for (at, window) in plain.windows(3).enumerate() {
        let (&[first, dash, last], false, false) = (window, is_inside(at.checked_sub(1)), is_inside(Some(at + 3)))
        else {
            continue;
        };
        let is_range =
            matches!((first, last), ('a'..='z', 'a'..='z') | ('A'..='Z', 'A'..='Z') | ('0'..='9', '0'..='9'));
        if is_range && dash == '-' && first < last {
            letters.extend(first..=last);
        }
    }
    letters.extend(spelled_ranges(sentence));
    // Digits alone are a range of numbers.
    if letters.iter().all(char::is_ascii_digit) { BTreeSet::new() } else { letters }
}

/// Returns the letters of ranges such as "`A' to `Z'".
fn spelled_ranges(sentence: &str) -> BTreeSet<char> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut letters = BTreeSet::new();
    for window in words.windows(3) {
        let &[first, "to", last] = window else { continue };
        let opened = first.strip_prefix('(').unwrap_or(first);
        let closed = last.trim_end_matches([')', ',', ';', '.']);
        if let (Some(first), Some(last)) = (single_letter(opened), single_letter(closed)) {
            letters.extend((first..=last).filter(|letter| letter.is_ascii_alphanumeric()));
        }
    }
    letters
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

/// Returns the letters at the beginning of some words. After `a, b, ...`, they go on to the next one, or to the end of
/// the alphabet.
fn letters_of_list(words: &[&str]) -> BTreeSet<char> {
    const JOINTS: &[&str] =
        &["and", "or", "only", "one", "either", "of", "the", "characters", "letters", "symbols", "digits", ","];
    let mut letters = BTreeSet::new();
    let mut last_before_dots: Option<char> = None;
    for word in words {
        let is_dots = word.trim_matches([',', FORMULA, '{', '}']).trim_matches(['.', '…']).is_empty();
        if is_dots && word.contains(['…', '.']) && word.matches('.').count() != 1 && !letters.is_empty() {
            last_before_dots = letters.last().copied();
        } else if let Some(letter) = single_letter(word) {
            if let Some(first) = last_before_dots.take() {
                letters.extend(first..=last_of_sequence(first, Some(letter)));
                return letters;
            }
            letters.insert(letter);
        } else if !JOINTS.contains(word) {
            break;
        }
    }
    if let Some(first) = last_before_dots {
        letters.extend(first..=last_of_sequence(first, None));
    }
    letters
}

/// Returns the last letter of a sequence: the one that ends it, or that of the alphabet.
fn last_of_sequence(first: char, last: Option<char>) -> char {
    let end = match first {
        'a'..='z' => 'z',
        'A'..='Z' => 'Z',
        '0'..='9' => '9',
        _ => first,
    };
    last.filter(|last| (first..=end).contains(last)).unwrap_or(end)
}

/// Returns the letters and signs that a text quotes, such as those of a map: "`.` is free".
pub(super) fn find_quoted_letters(text: &str) -> BTreeSet<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '“', '‘', '«', '{'];
    let is_quoted = |word: &&str| word.starts_with(QUOTES);
    let words = text.split_whitespace().map(|word| word.trim_start_matches('(').trim_end_matches([')', ':']));
    let letters = words.filter(is_quoted).filter_map(single_letter);
    letters.filter(|letter| letter.is_ascii_graphic() && !QUOTES.contains(letter)).collect()
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
    fn classes_and_ranges_of_letters_are_read() {
        let (lower, upper, digits) = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789");
        let cases = [
            ("A string s of lowercase English letters.", lower.to_owned()),
            ("Names have lower-case and upper-case letters only.", format!("{upper}{lower}")),
            ("Each word consists of upper case letters and digits.", format!("{digits}{upper}")),
            ("It consists of characters \\texttt{a-z} and \\texttt{0-9}.", format!("{digits}{lower}")),
            ("The words contain letters \\texttt{`a'}-\\texttt{`e'}.", "abcde".to_owned()),
            ("The string has letters (`\\texttt{A}' to `\\texttt{C}', and `0' to `1').", "01ABC".to_owned()),
            ("The string s has 1-9 characters.", String::new()),
            ("$S$ is a string of length $N$ consisting of `o` and `x`.", "ox".to_owned()),
            ("The string consists of the characters \"#\", \".\" or 'S'.", "#.S".to_owned()),
            ("Each character is either \\texttt{A}, \\texttt{B}, or \\texttt{D}.", "ABD".to_owned()),
            ("Each letter is `L` or `R`.", "LR".to_owned()),
            ("The string consists of only the digits `0', `1' and `3'.", "013".to_owned()),
            ("The letters \\texttt{a}, \\texttt{b}, \\dots in the word are small.", lower.to_owned()),
            ("A string consisting of the letters 'a', 'b', ..., 'f'.", "abcdef".to_owned()),
            ("Each character of $s$ is one of 'R', 'L' or '?'.", "?LR".to_owned()),
            ("A string consisting of letters «<code>a</code>», «<code>b</code>» only.", "ab".to_owned()),
            ("It consists of lowercase letters and the symbols `+`, `-`, and `*`.", format!("*+-{lower}")),
            ("The string s consists of words.", String::new()),
            ("The name of a or b is a word.", String::new()),
            ("Each of the n numbers is odd.", String::new()),
        ];
        for (text, expected) in cases {
            assert_eq!(letters(text), expected, "{text}");
        }
    }
}
