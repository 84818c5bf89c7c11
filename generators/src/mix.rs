//! Quick hashes for keys that nobody chooses with bad intent, and a set of them.

use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type BuildMix = BuildHasherDefault<Mix>;

/// Fibonacci hashing: neighbouring keys end up far apart. The high bits are the good ones.
pub(crate) fn scatter(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// One multiplication a key: the standard hasher's defence costs most of the time.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
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
        self.0 = scatter(self.0.rotate_left(26) ^ word);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

/// A set of numbers of which so many at most are expected, in one flat table: a look at it touches one line of the
/// cache, where the general-purpose table touches two.
pub(crate) struct Seen {
    /// Each number, plus one, where it hashes to or as soon after that as there is room; zeros elsewhere.
    slots: Vec<u64>,
    shift: u32,
    len: usize,
    /// A bit for each number, which some share: where it is not set, no look at the table is needed.
    bits: Vec<u64>,
}

impl Seen {
    /// Bits for each slot of the table: few enough to stay in a cache that is too small for the table.
    const BITS_EACH: usize = 8;

    pub(crate) fn with_room_for(count: usize) -> Seen {
        let slots = count.saturating_mul(2).max(8).next_power_of_two();
        let shift = u64::BITS - slots.trailing_zeros();
        Seen { slots: vec![0; slots], shift, len: 0, bits: vec![0; slots * Seen::BITS_EACH / 64] }
    }

    /// Adds a number below the largest one of its type, and tells whether it is new.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        let slot = self.find(number);
        let is_new = self.slots[slot] == 0;
        if is_new {
            let (word, bit) = self.bit(number);
            self.bits[word] |= bit;
            self.slots[slot] = number + 1;
            self.len += 1;
            self.grow_if_crowded();
        }
        is_new
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let (word, bit) = self.bit(number);
        self.bits[word] & bit != 0 && self.slots[self.find(number)] != 0
    }

    /// The bit of a number: its place among the slots, and what is next in its hash.
    fn bit(&self, number: u64) -> (usize, u64) {
        let place = scatter(number) >> (self.shift - Seen::BITS_EACH.trailing_zeros());
        ((place / 64) as usize, 1 << (place % 64))
    }

    /// Where the number is, or would go.
    fn find(&self, number: u64) -> usize {
        let mut slot = (scatter(number) >> self.shift) as usize;
        while self.slots[slot] != 0 && self.slots[slot] != number + 1 {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }

    fn grow_if_crowded(&mut self) {
        if self.len * 4 <= self.slots.len() * 3 {
            return;
        }
        let mut larger = Seen::with_room_for(self.slots.len());
        self.slots.iter().filter(|slot| **slot != 0).for_each(|slot| _ = larger.insert(slot - 1));
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_set_remembers_what_it_has_seen() {
        for room in [0, 1, 10, 3000] {
            let (mut seen, mut expected) = (Seen::with_room_for(room), BTreeSet::new());
            for i in 0..5000_u64 {
                let number = i * i % 4096;
                assert_eq!(seen.contains(number), expected.contains(&number));
                assert_eq!(seen.insert(number), expected.insert(number));
            }
        }
    }
}
