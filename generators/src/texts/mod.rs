//! Texts with a habit.
//!
//! A text here is a list of letter indices `0..letters`; what the letters look like is the format's business. Random
//! texts have no long repeats, no long palindromes and no borders, which is exactly what text algorithms are about.

mod few;
mod repeats;
mod symmetric;
mod words;

use crate::choices::Choices;

/// A named habit of a text.
#[derive(Debug)]
pub struct TextShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, usize, u8) -> Vec<u8>,
}

impl TextShape {
    /// `len` letters with this habit, each below `letters`. Alphabets end at 256 letters, and an empty one counts as
    /// one letter.
    #[must_use]
    pub fn make(&self, c: &mut Choices, len: usize, letters: usize) -> Vec<u8> {
        let last = letters.clamp(1, 256) - 1;
        if len == 0 || last == 0 {
            return vec![0; len];
        }
        let mut text = (self.make)(c, len, last as u8);
        text.resize(len, 0);
        text
    }
}

/// Every habit of texts. The first is the plain one. Each draws from a length of at least one and an alphabet of at
/// least two letters, given by its last.
pub const TEXT_SHAPES: &[TextShape] = &[
    TextShape { name: "uniform", doc: "every letter equally likely", make: few::uniform },
    TextShape { name: "one-letter", doc: "one letter throughout", make: few::one_letter },
    TextShape { name: "two-letters", doc: "two letters in random order", make: few::two_letters },
    TextShape { name: "one-odd-letter", doc: "one letter throughout, except in one place", make: few::one_odd_letter },
    TextShape { name: "skewed", doc: "one letter nearly everywhere", make: few::skewed },
    TextShape { name: "runs", doc: "stretches of equal letters", make: repeats::runs },
    TextShape { name: "periodic", doc: "a short block repeated", make: repeats::periodic },
    TextShape {
        name: "nearly-periodic",
        doc: "a repeated block with one letter changed",
        make: repeats::nearly_periodic,
    },
    TextShape { name: "square", doc: "the same half twice", make: repeats::square },
    TextShape { name: "bordered", doc: "begins and ends alike", make: repeats::bordered },
    TextShape { name: "palindrome", doc: "the same read backwards", make: symmetric::palindrome },
    TextShape {
        name: "nearly-palindrome",
        doc: "a palindrome with one letter changed",
        make: symmetric::nearly_palindrome,
    },
    TextShape { name: "two-palindromes", doc: "one palindrome after another", make: symmetric::two_palindromes },
    TextShape { name: "sorted", doc: "letters in order", make: few::sorted },
    TextShape { name: "alternating", doc: "two letters take turns", make: repeats::alternating },
    TextShape { name: "thue-morse", doc: "no block three times in a row; breaks weak hashes", make: words::thue_morse },
    TextShape { name: "fibonacci-word", doc: "as many palindromes and near-repeats as can be", make: words::fibonacci },
    TextShape { name: "de-bruijn", doc: "every short block once", make: words::de_bruijn },
    TextShape { name: "rising-blocks", doc: "a b, aa b, aaa b and so on", make: words::rising_blocks },
];
