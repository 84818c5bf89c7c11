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
    fill: fn(&mut Choices, &mut [u8], u8),
}

impl TextShape {
    /// `len` letters with this habit, each below `letters`. Alphabets end at 256 letters, and an empty one counts as
    /// one letter.
    #[must_use]
    pub fn make(&self, c: &mut Choices, len: usize, letters: usize) -> Vec<u8> {
        let mut text = vec![0; len];
        self.fill(c, &mut text, letters);
        text
    }

    /// The same in a place of the wanted length, whatever is there.
    #[inline]
    pub fn fill(&self, c: &mut Choices, text: &mut [u8], letters: usize) {
        let last = letters.clamp(1, 256) - 1;
        if text.is_empty() || last == 0 {
            return text.fill(0);
        }
        (self.fill)(c, text, last as u8);
    }
}

/// Every habit of texts. The first is the plain one. Each draws from a length of at least one and an alphabet of at
/// least two letters, given by its last.
pub const TEXT_SHAPES: &[TextShape] = &[
    TextShape { name: "uniform", doc: "every letter equally likely", fill: few::uniform },
    TextShape { name: "one-letter", doc: "one letter throughout", fill: few::one_letter },
    TextShape { name: "two-letters", doc: "two letters in random order", fill: few::two_letters },
    TextShape { name: "one-odd-letter", doc: "one letter throughout, except in one place", fill: few::one_odd_letter },
    TextShape { name: "skewed", doc: "one letter nearly everywhere", fill: few::skewed },
    TextShape { name: "runs", doc: "stretches of equal letters", fill: repeats::runs },
    TextShape { name: "periodic", doc: "a short block repeated", fill: repeats::periodic },
    TextShape {
        name: "nearly-periodic",
        doc: "a repeated block with one letter changed",
        fill: repeats::nearly_periodic,
    },
    TextShape { name: "square", doc: "the same half twice", fill: repeats::square },
    TextShape { name: "bordered", doc: "begins and ends alike", fill: repeats::bordered },
    TextShape { name: "palindrome", doc: "the same read backwards", fill: symmetric::palindrome },
    TextShape {
        name: "nearly-palindrome",
        doc: "a palindrome with one letter changed",
        fill: symmetric::nearly_palindrome,
    },
    TextShape { name: "two-palindromes", doc: "one palindrome after another", fill: symmetric::two_palindromes },
    TextShape { name: "sorted", doc: "letters in order", fill: few::sorted },
    TextShape { name: "alternating", doc: "two letters take turns", fill: repeats::alternating },
    TextShape { name: "thue-morse", doc: "no block three times in a row; breaks weak hashes", fill: words::thue_morse },
    TextShape { name: "fibonacci-word", doc: "as many palindromes and near-repeats as can be", fill: words::fibonacci },
    TextShape { name: "de-bruijn", doc: "every short block once", fill: words::de_bruijn },
    TextShape { name: "rising-blocks", doc: "a b, aa b, aaa b and so on", fill: words::rising_blocks },
];
