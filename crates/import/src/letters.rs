//! Sets of letters, as texts in formats and regular expressions have them.

use regex_syntax::hir::{ClassBytes, ClassBytesRange};

/// Returns the letters from `first` to `last`.
pub(crate) fn letters_of_range(first: u8, last: u8) -> ClassBytes {
    ClassBytes::new([ClassBytesRange::new(first, last)])
}

/// Returns the letters of a set in their order.
pub(crate) fn iter_letters(letters: &ClassBytes) -> impl Iterator<Item = u8> + '_ {
    letters.iter().flat_map(|range| range.start()..=range.end())
}

/// Returns true if a set contains a letter.
pub(crate) fn contains_letter(letters: &ClassBytes, letter: u8) -> bool {
    letters.iter().any(|range| (range.start()..=range.end()).contains(&letter))
}

/// Returns the only letter of a set with one element.
pub(crate) fn single_letter(letters: &ClassBytes) -> Option<u8> {
    match letters.ranges() {
        [range] if range.start() == range.end() => Some(range.start()),
        _ => None,
    }
}

/// Formats the set as part of a regular expression.
pub(crate) fn regex_class(letters: &ClassBytes) -> String {
    match single_letter(letters) {
        Some(letter) => escape_letter(letter, b"\\.+*?()|[]{}^$"),
        None => format!("[{}]", range_text(letters, b"\\-[]^")),
    }
}

/// Formats the ranges of the set. A backslash comes before special letters.
pub(crate) fn range_text(letters: &ClassBytes, special: &[u8]) -> String {
    let range = |first: u8, last: u8| match last - first {
        // Up to three characters are no longer without the dash.
        0..=2 => (first..=last).map(|letter| escape_letter(letter, special)).collect(),
        _ => format!("{}-{}", escape_letter(first, special), escape_letter(last, special)),
    };
    letters.iter().map(|found| range(found.start(), found.end())).collect()
}

fn escape_letter(letter: u8, special: &[u8]) -> String {
    match letter {
        b' '..=b'~' if special.contains(&letter) => format!("\\{}", char::from(letter)),
        b' '..=b'~' => char::from(letter).to_string(),
        _ => format!("\\x{letter:02x}"),
    }
}
