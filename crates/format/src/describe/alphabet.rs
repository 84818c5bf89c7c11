//! Phrases for alphabets.

use super::Markup;
use rebut_diagnostics::{list_and, list_or};

/// Minimum number of consecutive letters that are written as a range.
const MIN_RANGE_LENGTH: usize = 4;

/// An alphabet as a phrase.
pub(super) struct AlphabetPhrase {
    /// `lowercase English letters`, if such a plural exists.
    pub(super) plural: Option<String>,
    /// A single character: `a lowercase English letter`, `` `.` or `#` ``.
    pub(super) singular: String,
}

/// Describes an alphabet.
pub(super) fn describe_alphabet(alphabet: &[u8], markup: Markup) -> AlphabetPhrase {
    let mut left: Vec<u8> = alphabet.to_vec();
    let mut take = |range: std::ops::RangeInclusive<u8>| {
        let whole = range.clone().all(|letter| alphabet.contains(&letter));
        if whole {
            left.retain(|letter| !range.contains(letter));
        }
        whole
    };
    let (lower, upper, digits) = (take(b'a'..=b'z'), take(b'A'..=b'Z'), take(b'0'..=b'9'));
    let mut classes: Vec<(&str, &str)> = Vec::new();
    match (lower, upper) {
        (true, true) => classes.push(("an English letter", "English letters")),
        (true, false) => classes.push(("a lowercase English letter", "lowercase English letters")),
        (false, true) => classes.push(("an uppercase English letter", "uppercase English letters")),
        (false, false) => {}
    }
    if digits {
        classes.push(("a digit", "digits"));
    }
    let whole = left.is_empty();
    if left.contains(&b' ') {
        left.retain(|letter| *letter != b' ');
        classes.push(("a space", "spaces"));
    }
    let plural = (whole && !classes.is_empty())
        .then(|| list_and(&classes.iter().map(|(_, many)| (*many).to_owned()).collect::<Vec<_>>()));
    let mut one: Vec<String> = classes.iter().map(|(one, _)| (*one).to_owned()).collect();
    one.extend(letter_ranges(&left, markup));
    AlphabetPhrase { plural, singular: list_or(&one) }
}

/// Returns single letters and ranges of letters, in order.
fn letter_ranges(letters: &[u8], markup: Markup) -> Vec<String> {
    let mut found = Vec::new();
    for run in letters.chunk_by(|a, b| *b == a.wrapping_add(1)) {
        match run {
            [first, .., last] if run.len() >= MIN_RANGE_LENGTH => {
                found.push(format!(
                    "a character from {} to {}",
                    markup.format_code(&[*first]),
                    markup.format_code(&[*last])
                ));
            }
            _ => found.extend(run.iter().map(|letter| markup.format_code(&[*letter]))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_named_in_words() {
        let words = |alphabet: &[u8]| {
            let letters = describe_alphabet(alphabet, Markup::Markdown);
            (letters.plural, letters.singular)
        };
        let lower: Vec<u8> = (b'a'..=b'z').collect();
        let plural = Some("lowercase English letters".to_owned());
        assert_eq!(words(&lower), (plural, "a lowercase English letter".to_owned()));
        assert_eq!(words(b".#S"), (None, "`.`, `#` or `S`".to_owned()));
        assert_eq!(words(b"012345x"), (None, "a character from `0` to `5` or `x`".to_owned()));
        let with_space: Vec<u8> = lower.iter().copied().chain(*b" .").collect();
        assert_eq!(words(&with_space), (None, "a lowercase English letter, a space or `.`".to_owned()));
    }
}
