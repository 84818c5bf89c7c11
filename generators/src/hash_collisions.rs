//! Two texts with the same polynomial hash.
//!
//! A program that compares texts by a hash with a fixed base and modulus fails on a pair of texts with the same hash, but
//! random texts have one with a probability of one in the modulus. Two texts have the same hash if and only if the
//! differences of their letters have the hash 0. Such differences are the vectors of a lattice, which has short ones: of
//! some sixteen differences of letters of the English alphabet for a modulus near 2^61, and of about as many for each
//! further hash that must be the same as well.

use crate::choices::Choices;
use crate::lattice::Lattice;
use crate::tuning::MAX_COLLISION_LENGTH;

/// The hash of a text: its letters are the digits of a number in a base, the first one the most or the least significant,
/// and the hash is the rest of that number modulo another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolynomialHash {
    /// The base.
    pub base: u64,
    /// The modulus, below 2^62.
    pub modulus: u64,
}

impl PolynomialHash {
    /// Returns the hash of a text with the first letter as the most significant one. If a program adds a constant to each
    /// letter, texts of one length have the same hash if and only if they have it without.
    ///
    /// ```
    /// let hash = rebut_generators::PolynomialHash { base: 10, modulus: 7 };
    /// assert_eq!(hash.of_text(&[1, 2]), 12 % 7);
    /// ```
    #[must_use]
    pub fn of_text(self, text: &[u8]) -> u64 {
        text.iter().fold(0, |hash, letter| self.append_digit(hash, u64::from(*letter)))
    }

    /// Returns the hash of a text with one more letter.
    fn append_digit(self, hash: u64, digit: u64) -> u64 {
        let number = u128::from(hash) * u128::from(self.base) + u128::from(digit);
        // The rest is below a modulus of 64 bits.
        (number % u128::from(self.modulus)) as u64
    }

    /// Returns by how much each letter of a text changes its hash, the last letter first.
    fn letter_weights(self, length: usize) -> Vec<u64> {
        std::iter::successors(Some(1 % self.modulus), |weight| Some(self.append_digit(*weight, 0)))
            .take(length)
            .collect()
    }
}

/// Draws two different texts of one length over these letters for which some hashes are all the same. Half of them collide
/// if the first letter is the most significant one, the others if the last one is. Returns `None` if there are fewer than two
/// letters, if a modulus is too small or too large, or if texts of a reasonable length do not suffice.
///
/// ```
/// use rebut_generators::{Choices, PolynomialHash, draw_colliding_texts};
///
/// let hashes = [131, 13_331].map(|base| PolynomialHash { base, modulus: 1_000_000_007 });
/// let [one, other] = draw_colliding_texts(&mut Choices::from_seed(1, 0), &hashes, b"abcdefghij").expect("a collision");
/// assert!(one != other && one.len() == other.len());
/// ```
#[must_use]
pub fn draw_colliding_texts(c: &mut Choices, hashes: &[PolynomialHash], letters: &[u8]) -> Option<[Vec<u8>; 2]> {
    let letters = longest_letter_run(letters);
    if letters.len() < 2 || hashes.iter().any(|hash| hash.modulus < 2) {
        return None;
    }
    let is_reversed = c.draw_chance(1, 2);
    // There are as many texts as there are tuples of hashes, and a few more.
    let bits: u32 = hashes.iter().map(|hash| hash.modulus.ilog2() + 1).sum();
    let bits_of_twelve_letters = (letters.len() as u128).pow(12).ilog2();
    let shortest = (12 * bits / bits_of_twelve_letters) as usize + 4;
    let lengths = std::iter::successors(Some(shortest), |length| Some(length + length / 4));
    let differences = lengths
        .take_while(|length| *length <= MAX_COLLISION_LENGTH)
        .find_map(|length| find_differences(hashes, length, letters.len()))?;
    let mut pair = draw_texts_with_differences(c, &differences, letters);
    if !is_reversed {
        pair.iter_mut().for_each(|text| text.reverse());
    }
    Some(pair)
}

/// Returns the longest run of letters with successive codes, as differences of letters are those of their codes.
fn longest_letter_run(letters: &[u8]) -> &[u8] {
    letters.chunk_by(|one, other| one.checked_add(1) == Some(*other)).max_by_key(|run| run.len()).unwrap_or_default()
}

/// Returns the differences of the letters of two texts with the same hashes, the last ones first.
fn find_differences(hashes: &[PolynomialHash], length: usize, letters: usize) -> Option<Vec<i128>> {
    let mut lattice = Lattice::of_all_vectors(length);
    for hash in hashes {
        lattice = lattice.restrict_to_multiples(&hash.letter_weights(length), hash.modulus)?;
    }
    let fits = |vector: &&Vec<i128>| vector.iter().all(|number| number.unsigned_abs() < letters as u128);
    lattice.vectors().iter().find(fits).cloned()
}

/// Draws two texts with given differences of their letters.
fn draw_texts_with_differences(c: &mut Choices, differences: &[i128], letters: &[u8]) -> [Vec<u8>; 2] {
    let last = letters.len() as i128 - 1;
    let pairs = differences.iter().map(|difference| {
        let one = c.draw_range((*difference).max(0), last + (*difference).min(0));
        (letters[one as usize], letters[(one - difference) as usize])
    });
    let (one, other) = pairs.unzip();
    [one, other]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Asserts that texts over an alphabet with the same hashes are found, and returns their length.
    fn check_collision(hashes: &[PolynomialHash], letters: &[u8]) -> usize {
        let mut orders = 0;
        for seed in 0..8 {
            let [mut one, mut other] = draw_colliding_texts(&mut Choices::from_seed(seed, 0), hashes, letters).unwrap();
            assert!(one != other && one.len() == other.len());
            assert!(one.iter().chain(&other).all(|letter| letters.contains(letter)));
            if hashes.iter().any(|hash| hash.of_text(&one) != hash.of_text(&other)) {
                one.reverse();
                other.reverse();
                orders += 1;
            }
            assert!(hashes.iter().all(|hash| hash.of_text(&one) == hash.of_text(&other)));
        }
        assert!((1..8).contains(&orders), "both orders of the letters occur");
        draw_colliding_texts(&mut Choices::from_seed(0, 0), hashes, letters).unwrap()[0].len()
    }

    #[test]
    fn texts_collide() {
        let alphabets: [&[u8]; 4] = [b"ab", b"0123456789", b"abcdefghijklmnopqrstuvwxyz", b"ABCDabcdefgh"];
        for (base, modulus) in [(131, 1_000_000_007), (31, 998_244_353), (1_000_003, 4_294_967_291), (2, 1_000)] {
            for letters in alphabets {
                check_collision(&[PolynomialHash { base, modulus }], letters);
            }
        }
    }

    #[test]
    fn texts_collide_for_large_moduli_and_several_hashes() {
        let letters = b"abcdefghijklmnopqrstuvwxyz";
        let large = PolynomialHash { base: 131, modulus: (1 << 61) - 1 };
        assert!(check_collision(&[large], letters) <= 24);
        check_collision(&[large], b"ab");
        let both = [998_244_353, 1_000_000_007].map(|modulus| PolynomialHash { base: 31, modulus });
        assert!(check_collision(&both, letters) <= 24);
        let four = [both, both.map(|hash| PolynomialHash { base: 13_331, ..hash })].concat();
        assert!(check_collision(&four, letters) <= 48);
    }

    #[test]
    fn there_are_none_for_one_letter_or_unsuitable_moduli() {
        let draw = |modulus, letters: &[u8]| {
            draw_colliding_texts(&mut Choices::from_seed(1, 0), &[PolynomialHash { base: 31, modulus }], letters)
        };
        assert_eq!(draw(1_000_000_007, b"a"), None);
        assert_eq!(draw(1_000_000_007, b"acegi"), None);
        assert_eq!(draw(1 << 62, b"ab"), None);
        assert_eq!(draw(0, b"ab"), None);
    }
}
