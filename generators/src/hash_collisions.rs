//! Two texts with the same polynomial hash.
//!
//! A program that compares texts by a hash with a fixed base and modulus fails on a pair of texts with the same hash, but
//! random texts have one with a probability of one in the modulus. Among some tens of thousands of random texts, however, two
//! have the same hash for a modulus near 10^9 (the birthday paradox).

use crate::choices::Choices;
use std::collections::HashMap;

/// Largest modulus for which collisions are searched for: for larger ones, too many texts would be needed.
const MAX_MODULUS: u64 = 1 << 32;

/// Number of texts that are tried, in units of the square root of the modulus: one search in 3,000 fails.
const TEXTS_PER_ROOT: u64 = 4;

/// Number of random texts of the length, at least, for each residue of the modulus.
const TEXTS_PER_RESIDUE: u128 = 64;

/// The hash of a text: its letters are the digits of a number in a base, the first one the most or the least significant,
/// and the hash is the rest of that number modulo another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolynomialHash {
    /// The base.
    pub base: u64,
    /// The modulus, at most 2^32.
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
        let step = |hash: u64, letter: &u8| (hash * (self.base % self.modulus) + u64::from(*letter)) % self.modulus;
        text.iter().fold(0, step)
    }

    /// Draws two different texts of one length over these letters with the same hash. Half of them collide from the first
    /// letter on, the others from the last one. Returns `None` if there are fewer than two letters, if the modulus is 0 or
    /// too large, or if none were found.
    #[must_use]
    pub fn draw_collision(self, c: &mut Choices, letters: &[u8]) -> Option<[Vec<u8>; 2]> {
        if letters.len() < 2 || !(2..=MAX_MODULUS).contains(&self.modulus) {
            return None;
        }
        let length = self.colliding_length(letters.len());
        let is_reversed = c.draw_chance(1, 2);
        let mut known: HashMap<u64, Vec<u8>> = HashMap::new();
        for _ in 0..self.modulus.isqrt() * TEXTS_PER_ROOT {
            let text: Vec<u8> = (0..length).map(|_| letters[c.draw_index(letters.len())]).collect();
            match known.insert(self.of_text(&text), text.clone()) {
                Some(other) if other != text => {
                    let mut pair = [other, text];
                    if is_reversed {
                        pair.iter_mut().for_each(|text| text.reverse());
                    }
                    return Some(pair);
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the length with enough texts over this many letters.
    fn colliding_length(self, letters: usize) -> usize {
        let wanted = u128::from(self.modulus) * TEXTS_PER_RESIDUE;
        let powers = std::iter::successors(Some(1_u128), |power| power.checked_mul(letters as u128));
        powers.take_while(|power| *power < wanted).count()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn texts_collide() {
        let alphabets: [&[u8]; 3] = [b"ab", b"0123456789", b"abcdefghijklmnopqrstuvwxyz"];
        for (base, modulus) in [(131, 1_000_000_007), (31, 998_244_353), (1_000_003, 4_294_967_291), (2, 1_000)] {
            for letters in alphabets {
                let hash = PolynomialHash { base, modulus };
                let found = (0..3).find_map(|seed| hash.draw_collision(&mut Choices::from_seed(seed, 0), letters));
                let [mut one, mut other] = found.unwrap();
                assert!(one != other && one.len() == other.len());
                if hash.of_text(&one) != hash.of_text(&other) {
                    one.reverse();
                    other.reverse();
                }
                assert_eq!(hash.of_text(&one), hash.of_text(&other));
            }
        }
    }

    #[test]
    fn there_are_none_for_one_letter_or_large_moduli() {
        let draw = |modulus, letters: &[u8]| {
            PolynomialHash { base: 31, modulus }.draw_collision(&mut Choices::from_seed(1, 0), letters)
        };
        assert_eq!(draw(1_000_000_007, b"a"), None);
        assert_eq!(draw(1 << 61, b"ab"), None);
        assert_eq!(draw(0, b"ab"), None);
    }
}
