//! Texts that are the worst case of a common algorithm. They are never drawn at random.

use super::TextShape;
use crate::choices::Choices;
use crate::shape_family::Shape;

/// The worst cases among the text shapes, which are drawn only by name.
pub const WORST_CASE_TEXT_SHAPES: &[TextShape] = &[
    Shape::new(
        "anti-string-search",
        "one letter, and in some texts another one at the end, so that every comparison is long",
        fill_odd_last_letter,
    ),
    Shape::new(
        "anti-backtracking",
        "one letter in the first half and another one in the second, or the same with an odd end",
        fill_two_halves,
    ),
    Shape::new(
        "anti-java-strings",
        "texts of one length with the same `hashCode` in Java: a polynomial in 31 modulo 2^32",
        fill_equal_hash,
    ),
];

fn fill_odd_last_letter(c: &mut Choices, text: &mut [u8], _: u8) {
    text.fill(0);
    let is_odd = c.draw_chance(1, 2);
    if let Some(end) = text.last_mut() {
        *end = u8::from(is_odd);
    }
}

fn fill_two_halves(c: &mut Choices, text: &mut [u8], _: u8) {
    let middle = text.len() / 2;
    text[..middle].fill(0);
    text[middle..].fill(1);
    let is_odd = c.draw_chance(1, 2);
    if let Some(end) = text.last_mut().filter(|_| is_odd) {
        *end = 0;
    }
}

// Texts with the same polynomial hash.
//
// The hash of Java's `String` is `c[0] * 31^(n-1) + ... + c[n-1]`, modulo 2^32. A text of eight digits to the base 31 has any
// hash that is wanted, and with 26 letters instead of 31 a few tries find one. With few letters there is a pair of blocks
// with the same hash, and each place of a text has one of the two.

const BASE: u64 = 31;

const MODULUS: u64 = 1 << 32;

/// Length of an end that gives a text its hash: 31^8 is 198 times the modulus.
const END_LEN: usize = 8;

/// With fewer letters, an end would take too many tries.
const MIN_LETTERS_OF_ENDS: u64 = 20;

/// Number of letters that follow each other in common alphabets.
const MAX_LETTERS: u64 = 26;

/// Maximum number of tries for an end: without an end, a text has another hash than the others.
const MAX_TRIES: usize = 400;

/// Two blocks with the same hash, of two neighbouring letters. None shorter exist.
const EQUAL_BLOCKS: [[u8; 21]; 2] = [
    [0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0],
    [1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1],
];

fn fill_equal_hash(c: &mut Choices, text: &mut [u8], last: u8) {
    let letters = (u64::from(last) + 1).min(MAX_LETTERS);
    if letters < MIN_LETTERS_OF_ENDS {
        fill_equal_blocks(c, text);
    } else if text.len() >= END_LEN {
        fill_with_end(c, text, letters);
    } else {
        text.fill(0);
    }
}

fn fill_equal_blocks(c: &mut Choices, text: &mut [u8]) {
    let mut blocks = text.chunks_exact_mut(EQUAL_BLOCKS[0].len());
    for block in &mut blocks {
        block.copy_from_slice(&EQUAL_BLOCKS[c.draw_index(2)]);
    }
    blocks.into_remainder().fill(0);
}

fn fill_with_end(c: &mut Choices, text: &mut [u8], letters: u64) {
    let (start, end) = text.split_at_mut(text.len() - END_LEN);
    start.iter_mut().for_each(|letter| *letter = c.draw_below(letters) as u8);
    let hash = start.iter().fold(0, |hash, letter| (hash * BASE + u64::from(*letter)) % MODULUS);
    // With this end the hash of the whole text is zero, apart from the code of the first letter, which all texts share.
    let moved = (0..END_LEN).fold(hash, |hash, _| hash * BASE % MODULUS);
    let wanted = (MODULUS - moved) % MODULUS;
    let turns = BASE.pow(END_LEN as u32) / MODULUS;
    end.fill(0);
    for _ in 0..MAX_TRIES {
        let mut rest = wanted + MODULUS * c.draw_below(turns);
        for digit in end.iter_mut().rev() {
            *digit = (rest % BASE) as u8;
            rest /= BASE;
        }
        if end.iter().all(|digit| u64::from(*digit) < letters) {
            return;
        }
    }
    end.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_texts_of_a_length_have_the_same_hash() {
        for (len, letters, first) in [(8, 26, b'a'), (10, 26, b'A'), (13, 40, b'a'), (105, 2, b'a'), (110, 5, b'0')] {
            let mut c = Choices::from_seed(1, 0);
            let mut draw = || {
                let mut text = vec![0; len];
                fill_equal_hash(&mut c, &mut text, letters - 1);
                text
            };
            let hash = |text: &Vec<u8>| {
                text.iter().fold(0, |hash: u64, letter| (hash * BASE + u64::from(first + letter)) % MODULUS)
            };
            let texts: BTreeSet<Vec<u8>> = (0..40).map(|_| draw()).collect();
            let hashes: BTreeSet<u64> = texts.iter().map(hash).collect();
            assert!(texts.len() >= 20 && hashes.len() == 1, "{len} {letters}: {} {hashes:?}", texts.len());
        }
    }
}
