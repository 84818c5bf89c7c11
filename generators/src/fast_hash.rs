//! Fast hashes for keys that are not chosen by an adversary, and a set of numbers.

use std::hash::{BuildHasherDefault, Hasher};

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
}
