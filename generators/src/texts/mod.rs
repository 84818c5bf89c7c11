//! Shapes of texts.
//!
//! A text here is a list of letter indices `0..letters`; the format maps them to characters. Random texts have no long
//! repeats, no long palindromes and no borders, but text algorithms are about exactly these.

mod combinatorial_words;
mod letter_frequency;
mod worst_case;

use crate::choices::Choices;
use crate::shape_family::Shape;
pub use worst_case::WORST_CASE_TEXT_SHAPES;

/// A named way to generate a text.
pub type TextShape = Shape<fn(&mut Choices, &mut [u8], u8)>;

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
        (self.draw)(c, text, last as u8);
        debug_assert!(text.iter().all(|letter| usize::from(*letter) <= last), "shapes draw letters of the alphabet");
    }
}

/// All text shapes. The first is the default. Each requires a length of at least one and an alphabet of at least two
/// letters, given by its last one.
pub const TEXT_SHAPES: &[TextShape] = &[
    Shape::new("uniform", "every letter equally likely", letter_frequency::fill_uniform),
    Shape::new("one-letter", "one letter throughout", letter_frequency::fill_one_letter),
    Shape::new("two-letters", "two letters in random order", letter_frequency::fill_two_letters),
    Shape::new("one-odd-letter", "one letter throughout, except in one place", letter_frequency::fill_one_odd_letter),
    Shape::new("skewed", "one letter nearly everywhere", letter_frequency::fill_skewed),
    Shape::new("runs", "stretches of equal letters", combinatorial_words::fill_runs),
    Shape::new("periodic", "a short block repeated", combinatorial_words::fill_periodic),
    Shape::new(
        "nearly-periodic",
        "a repeated block with one letter changed",
        combinatorial_words::fill_nearly_periodic,
    ),
    Shape::new("square", "the same half twice", combinatorial_words::fill_square),
    Shape::new("bordered", "begins and ends alike", combinatorial_words::fill_bordered),
    Shape::new("palindrome", "a palindrome", combinatorial_words::fill_palindrome),
    Shape::new(
        "nearly-palindrome",
        "a palindrome with one letter changed",
        combinatorial_words::fill_nearly_palindrome,
    ),
    Shape::new("two-palindromes", "one palindrome after another", combinatorial_words::fill_two_palindromes),
    Shape::new("sorted", "letters in order", letter_frequency::fill_sorted),
    Shape::new("alternating", "two letters alternate", combinatorial_words::fill_alternating),
    Shape::new("thue-morse", "no block three times in a row; breaks weak hashes", combinatorial_words::fill_thue_morse),
    Shape::new(
        "fibonacci-word",
        "the maximum number of palindromes and near-repeats",
        combinatorial_words::fill_fibonacci,
    ),
    Shape::new("de-bruijn", "every short block once", combinatorial_words::fill_de_bruijn),
    Shape::new("rising-blocks", "a b, aa b, aaa b and so on", combinatorial_words::fill_rising_blocks),
];
