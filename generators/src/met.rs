//! Which numbers of many occur twice, by a table of bits that fits a cache where the numbers do not.

use crate::mix::scatter;

/// Which numbers may have been noted twice: all that were, and few others.
pub(crate) struct Met {
    once: Vec<u64>,
    twice: Vec<u64>,
    shift: u32,
    /// Whether each number has a bit of its own: then no others share one by chance.
    exact: bool,
}

impl Met {
    /// Bits of a table for each number.
    const BITS_EACH: usize = 16;

    /// Nothing is noted yet, of so many numbers of `0..=top`.
    pub(crate) fn with_room_for(count: usize, top: u128) -> Met {
        let bits = count.saturating_mul(Met::BITS_EACH).max(64).next_power_of_two();
        let shift = u64::BITS - bits.trailing_zeros();
        Met { once: vec![0; bits / 64], twice: vec![0; bits / 64], shift, exact: top < bits as u128 }
    }

    pub(crate) fn note(&mut self, number: u128) {
        let (word, bit) = self.place(number);
        if self.once[word] & bit == 0 {
            self.once[word] |= bit;
        } else {
            self.twice[word] |= bit;
        }
    }

    pub(crate) fn maybe_twice(&self, number: u128) -> bool {
        let (word, bit) = self.place(number);
        self.twice[word] & bit != 0
    }

    fn place(&self, number: u128) -> (usize, u64) {
        let folded = number as u64 ^ ((number >> 64) as u64).rotate_left(32);
        let place = if self.exact { folded } else { scatter(folded) >> self.shift };
        ((place / 64) as usize, 1 << (place % 64))
    }
}

/// Whether numbers of `0..=top` all differ: those that share a bit are compared.
#[must_use]
pub fn all_differ(numbers: &[u64], top: u64) -> bool {
    let mut met = Met::with_room_for(numbers.len(), top.into());
    numbers.iter().for_each(|number| met.note((*number).into()));
    let mut suspects: Vec<u64> = numbers.iter().copied().filter(|number| met.maybe_twice((*number).into())).collect();
    suspects.sort_unstable();
    suspects.windows(2).all(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_that_differ_are_told_from_those_that_do_not() {
        for seed in 0..2000 {
            let mut c = Choices::fresh(seed, 0);
            let (count, top) = (c.index(60), c.log_range(0, i128::from(u64::MAX)) as u64);
            let numbers: Vec<u64> = (0..count).map(|_| c.up_to(top)).collect();
            let different: BTreeSet<u64> = numbers.iter().copied().collect();
            assert_eq!(all_differ(&numbers, top), different.len() == count, "{numbers:?}");
        }
    }
}
