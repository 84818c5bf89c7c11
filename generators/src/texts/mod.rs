//! Shapes of texts.
//!
//! A text here is a list of letter indices `0..letters`; the format maps them to characters. Random texts have no long
//! repeats, no long palindromes and no borders, but text algorithms are about exactly these.

mod combinatorial_words;
mod letter_frequency;
mod worst_case;

use crate::choices::Choices;
pub use worst_case::WORST_CASE_TEXT_SHAPES;

/// A named way to generate a text.
#[derive(Debug)]
pub struct TextShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the texts in one line.
    pub doc: &'static str,
    fill: fn(&mut Choices, &mut [u8], u8),
}

impl TextShape {
    /// Draws `len` letters, each below `letters`. Alphabets end at 256 letters, and an empty one counts as one letter.
    #[must_use]
    pub fn draw_text(&self, c: &mut Choices, len: usize, letters: usize) -> Vec<u8> {
        let mut text = vec![0; len];
        self.fill_text(c, &mut text, letters);
        text
    }

    /// Like [`draw_text`](Self::draw_text), but overwrites `text`.
    #[inline]
    pub fn fill_text(&self, c: &mut Choices, text: &mut [u8], letters: usize) {
        let last = letters.clamp(1, 256) - 1;
        if text.is_empty() || last == 0 {
            return text.fill(0);
        }
        (self.fill)(c, text, last as u8);
        debug_assert!(text.iter().all(|letter| usize::from(*letter) <= last), "shapes draw letters of the alphabet");
    }
}

/// All text shapes. The first is the default. Each requires a length of at least one and an alphabet of at least two
/// letters, given by its last one.
pub const TEXT_SHAPES: &[TextShape] = &[
    TextShape { name: "uniform", doc: "every letter equally likely", fill: letter_frequency::fill_uniform },
    TextShape { name: "one-letter", doc: "one letter throughout", fill: letter_frequency::fill_one_letter },
    TextShape { name: "two-letters", doc: "two letters in random order", fill: letter_frequency::fill_two_letters },
    TextShape {
        name: "one-odd-letter",
        doc: "one letter throughout, except in one place",
        fill: letter_frequency::fill_one_odd_letter,
    },
    TextShape { name: "skewed", doc: "one letter nearly everywhere", fill: letter_frequency::fill_skewed },
    TextShape { name: "runs", doc: "stretches of equal letters", fill: combinatorial_words::fill_runs },
    TextShape { name: "periodic", doc: "a short block repeated", fill: combinatorial_words::fill_periodic },
    TextShape {
        name: "nearly-periodic",
        doc: "a repeated block with one letter changed",
        fill: combinatorial_words::fill_nearly_periodic,
    },
    TextShape { name: "square", doc: "the same half twice", fill: combinatorial_words::fill_square },
    TextShape { name: "bordered", doc: "begins and ends alike", fill: combinatorial_words::fill_bordered },
    TextShape { name: "palindrome", doc: "a palindrome", fill: combinatorial_words::fill_palindrome },
    TextShape {
        name: "nearly-palindrome",
        doc: "a palindrome with one letter changed",
        fill: combinatorial_words::fill_nearly_palindrome,
    },
    TextShape {
        name: "two-palindromes",
        doc: "one palindrome after another",
        fill: combinatorial_words::fill_two_palindromes,
    },
    TextShape { name: "sorted", doc: "letters in order", fill: letter_frequency::fill_sorted },
    TextShape { name: "alternating", doc: "two letters alternate", fill: combinatorial_words::fill_alternating },
    TextShape {
        name: "thue-morse",
        doc: "no block three times in a row; breaks weak hashes",
        fill: combinatorial_words::fill_thue_morse,
    },
    TextShape {
        name: "fibonacci-word",
        doc: "the maximum number of palindromes and near-repeats",
        fill: combinatorial_words::fill_fibonacci,
    },
    TextShape { name: "de-bruijn", doc: "every short block once", fill: combinatorial_words::fill_de_bruijn },
    TextShape {
        name: "rising-blocks",
        doc: "a b, aa b, aaa b and so on",
        fill: combinatorial_words::fill_rising_blocks,
    },
];
