//! Two texts with the same polynomial hash.
//!
//! A program that compares texts by a hash with a fixed base and modulus fails on a pair of texts with the same hash, but
//! random texts have one with a probability of one in the modulus. Two texts have the same hash if and only if the
//! differences of their letters have the hash 0. Such differences are the vectors of a lattice, which has short ones: of
//! some sixteen differences of letters of the English alphabet for a modulus near 2^61, and of about as many for each
//! further hash that must be the same as well.

use crate::choices::Choices;
use crate::lattice::Lattice;
use crate::tuning::{MAX_COLLISION_LENGTH, MIN_RADIX_WORDS, RADIX_DIGIT_BITS};
use std::hash::{BuildHasherDefault, Hasher};

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

// Fast hashes for keys that are not chosen by an adversary, and a set of numbers.

pub(crate) type BuildFibonacciHasher = BuildHasherDefault<FibonacciHasher>;

/// Fibonacci hashing: spreads neighbouring keys. The high bits are the most random ones.
pub(crate) fn fibonacci_hash(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A hasher with one multiplication per word: with the standard hasher, the defence against collision attacks takes
/// most of the time.
#[derive(Default)]
pub(crate) struct FibonacciHasher(u64);

impl Hasher for FibonacciHasher {
    /// The low bits of a product depend on the low bits of the key alone, so the high ones are folded in.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fibonacci_hash(self.0.rotate_left(26) ^ word);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

/// A set of numbers in one flat table with open addressing: a lookup touches one cache line, where the general-purpose
/// table touches two.
pub(crate) struct NumberSet {
    /// Each number plus one, at its hash or in the first free slot after it. Zero marks a free slot.
    slots: Vec<u64>,
    shift: u32,
    len: usize,
    /// A filter with a bit for each number, some of which are shared. If the bit is not set, the table is not read.
    bits: Vec<u64>,
}

impl NumberSet {
    /// Number of filter bits per slot: few enough for the filter to stay in a cache that is too small for the table.
    const BITS_EACH: usize = 8;

    pub(crate) fn with_capacity(count: usize) -> NumberSet {
        let slots = count.saturating_mul(2).max(8).next_power_of_two();
        let shift = u64::BITS - slots.trailing_zeros();
        NumberSet { slots: vec![0; slots], shift, len: 0, bits: vec![0; slots * NumberSet::BITS_EACH / 64] }
    }

    /// Adds a number, which must not be the largest one of its type. Returns true if it is new.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        debug_assert_ne!(number, u64::MAX, "a slot holds the number plus one, and 0 if it is empty");
        let slot = self.find_slot(number);
        let is_new = self.slots[slot] == 0;
        if is_new {
            let (word, bit) = self.filter_bit(number);
            self.bits[word] |= bit;
            self.slots[slot] = number + 1;
            self.len += 1;
            self.grow_if_crowded();
        }
        is_new
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let (word, bit) = self.filter_bit(number);
        self.bits[word] & bit != 0 && self.slots[self.find_slot(number)] != 0
    }

    /// Returns the filter bit of a number: its slot, and the next bits of its hash.
    fn filter_bit(&self, number: u64) -> (usize, u64) {
        let place = fibonacci_hash(number) >> (self.shift - NumberSet::BITS_EACH.trailing_zeros());
        ((place / 64) as usize, 1 << (place % 64))
    }

    /// Returns the slot of the number, or the one into which it would be inserted.
    fn find_slot(&self, number: u64) -> usize {
        let mut slot = (fibonacci_hash(number) >> self.shift) as usize;
        while self.slots[slot] != 0 && self.slots[slot] != number + 1 {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }

    fn grow_if_crowded(&mut self) {
        if self.len * 4 <= self.slots.len() * 3 {
            return;
        }
        let mut larger = NumberSet::with_capacity(self.slots.len());
        self.slots.iter().filter(|slot| **slot != 0).for_each(|slot| _ = larger.insert(slot - 1));
        *self = larger;
    }
}

// Radix sort of words, in linear time.

/// Sorts words that use only the bits below `end`, and in which the bits below `start` are in order already: words that
/// are equal in all other bits ascend by them.
pub(crate) fn sort_words(words: &mut Vec<u64>, start: u32, end: u32) {
    debug_assert!(
        words.iter().all(|word| word.checked_shr(end).unwrap_or(0) == 0),
        "words use only the bits below `end`"
    );
    if words.is_sorted() {
        return;
    }
    if words.len() < MIN_RADIX_WORDS {
        return words.sort_unstable();
    }
    let mut other = vec![0; words.len()];
    for shift in (start..end).step_by(RADIX_DIGIT_BITS as usize) {
        sort_by_digit(words, &mut other, shift);
        std::mem::swap(words, &mut other);
    }
    debug_assert!(words.is_sorted(), "the bits below `start` were in order, so all digits are sorted now");
}

/// Sorts the words by one digit. The sort is stable.
fn sort_by_digit(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |word: u64| (word >> shift) as usize & ((1 << RADIX_DIGIT_BITS) - 1);
    let mut next = [0; 1 << RADIX_DIGIT_BITS];
    from.iter().for_each(|word| next[digit(*word)] += 1);
    let mut before = 0;
    for start in &mut next {
        before += std::mem::replace(start, before);
    }
    for word in from {
        let place = &mut next[digit(*word)];
        to[*place] = *word;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::choices::Choices;
    use std::collections::BTreeSet;

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

    #[test]
    fn number_set_agrees_with_a_tree_set() {
        for room in [0, 1, 10, 3000] {
            let (mut seen, mut expected) = (NumberSet::with_capacity(room), BTreeSet::new());
            for i in 0..5000_u64 {
                let number = i * i % 4096;
                assert_eq!(seen.contains(number), expected.contains(&number));
                assert_eq!(seen.insert(number), expected.insert(number));
            }
        }
    }

    #[test]
    fn agrees_with_sorting_by_comparison() {
        for bits in [1, 10, 11, 12, 30, 63, 64] {
            for len in [0, 1, 100, MIN_RADIX_WORDS, 3 * MIN_RADIX_WORDS] {
                let mut c = Choices::from_seed(bits.into(), len as u64);
                let mut words: Vec<u64> = (0..len).map(|_| c.draw_up_to(u64::MAX >> (64 - bits))).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                sort_words(&mut words, 0, bits);
                assert_eq!(words, expected, "{len} words of {bits} bits");
            }
        }
    }
}
