//! What texts are made of, in words.

use super::Markup;
use crate::diagnostic::list_or;

/// Letters that stand side by side in this number or more are a range.
const LEAST_RANGE: usize = 4;

/// An alphabet in words.
pub(super) struct Letters {
    /// `lowercase English letters`, if that says it all.
    pub(super) plural: Option<String>,
    /// `a lowercase English letter`, `` `.` or `#` ``: what one character can be.
    pub(super) one: String,
}

/// An alphabet in words.
pub(super) fn letters(alphabet: &[u8], markup: Markup) -> Letters {
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
        .then(|| super::list_and(&classes.iter().map(|(_, many)| (*many).to_owned()).collect::<Vec<_>>()));
    let mut one: Vec<String> = classes.iter().map(|(one, _)| (*one).to_owned()).collect();
    one.extend(ranges(&left, markup));
    Letters { plural, one: list_or(&one) }
}

/// Single letters, and ranges of them, in their order.
fn ranges(letters: &[u8], markup: Markup) -> Vec<String> {
    let mut found = Vec::new();
    for run in letters.chunk_by(|a, b| *b == a.wrapping_add(1)) {
        match run {
            [first, .., last] if run.len() >= LEAST_RANGE => {
                found.push(format!("a character from {} to {}", markup.code(&[*first]), markup.code(&[*last])));
            }
            _ => found.extend(run.iter().map(|letter| markup.code(&[*letter]))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_have_names() {
        let words = |alphabet: &[u8]| {
            let letters = letters(alphabet, Markup::Markdown);
            (letters.plural, letters.one)
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
