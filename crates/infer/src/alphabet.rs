//! The letters of a text, from those that samples have.

use std::collections::BTreeSet;

/// Minimum number of observed letters for a set of few letters to be taken as it is.
const MIN_OBSERVED: usize = 12;

/// Maximum number of letters in a set that is taken as it is.
const MAX_EXACT: usize = 4;

/// Returns true if a text has few letters so often in the samples that others are unlikely. `observed` is the number of
/// its letters in the samples.
pub(crate) fn are_all_letters(letters: &BTreeSet<char>, observed: usize) -> bool {
    letters.len() <= MAX_EXACT && observed >= MIN_OBSERVED
}

/// Returns the letters for `over`, escaped: these if they are exact, and otherwise the ranges that they are in.
pub(crate) fn letters_for(letters: &BTreeSet<char>, is_exact: bool) -> Vec<u8> {
    let ranges: [(char, char, bool); 3] = [
        ('a', 'z', !is_exact),
        ('A', 'Z', !is_exact),
        ('0', '9', !is_exact && letters.iter().any(|c| matches!(c, '2'..='9'))),
    ];
    let mut text = Vec::new();
    let mut rest = letters.clone();
    // An exact set begins with the sign that is likely the simplest: the free cell of a board.
    for first in ['.', ' '] {
        if rest.remove(&first) {
            text.push(first as u8);
        }
    }
    for (first, last, is_range) in ranges {
        let inside = |c: &char| (first..=last).contains(c);
        if is_range && rest.iter().any(inside) {
            text.extend([first as u8, b'-', last as u8]);
            rest.retain(|c| !inside(c));
        }
    }
    for c in rest {
        if matches!(c, '-' | '\\') {
            text.push(b'\\');
        }
        text.push(u8::try_from(c).unwrap_or(b'?'));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn few_letters_are_exact_and_many_become_a_range() {
        let letters = |text: &str| {
            let letters = text.chars().collect();
            String::from_utf8(letters_for(&letters, are_all_letters(&letters, text.len()))).unwrap()
        };
        assert_eq!(letters("..##..##..##"), ".#");
        assert_eq!(letters("abc"), "a-z");
        assert_eq!(letters("0101"), "01");
        assert_eq!(letters("x-Y2"), "a-zA-Z0-9\\-");
    }
}
