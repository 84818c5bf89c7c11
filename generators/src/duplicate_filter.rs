//! Finds candidates for duplicates with a bit table that fits in the cache even if the numbers do not.

use crate::fast_hash::fibonacci_hash;

/// A filter for numbers that were inserted twice. It reports all of these, and a few others.
pub(crate) struct DuplicateFilter {
    once: Vec<u64>,
    twice: Vec<u64>,
    shift: u32,
    /// Whether each number has a bit of its own, so that there are no false positives.
    is_exact: bool,
}

impl DuplicateFilter {
    /// Number of bits per number in each table.
    const BITS_EACH: usize = 16;

    /// Creates an empty filter for `count` numbers of `0..=top`.
    pub(crate) fn with_capacity(count: usize, top: u128) -> DuplicateFilter {
        let bits = count.saturating_mul(DuplicateFilter::BITS_EACH).max(64).next_power_of_two();
        let shift = u64::BITS - bits.trailing_zeros();
        DuplicateFilter { once: vec![0; bits / 64], twice: vec![0; bits / 64], shift, is_exact: top < bits as u128 }
    }

    pub(crate) fn insert_number(&mut self, number: u128) {
        let (word, bit) = self.bit_position(number);
        if self.once[word] & bit == 0 {
            self.once[word] |= bit;
        } else {
            self.twice[word] |= bit;
        }
    }

    pub(crate) fn may_be_duplicate(&self, number: u128) -> bool {
        let (word, bit) = self.bit_position(number);
        self.twice[word] & bit != 0
    }

    fn bit_position(&self, number: u128) -> (usize, u64) {
        let folded = number as u64 ^ ((number >> 64) as u64).rotate_left(32);
        let place = if self.is_exact { folded } else { fibonacci_hash(folded) >> self.shift };
        ((place / 64) as usize, 1 << (place % 64))
    }
}

/// Returns true if all numbers are different. Each is at most `top`. Only those that share a bit are compared.
#[must_use]
pub fn all_differ(numbers: &[u64], top: u64) -> bool {
    let mut met = DuplicateFilter::with_capacity(numbers.len(), top.into());
    numbers.iter().for_each(|number| met.insert_number((*number).into()));
    let mut suspects: Vec<u64> =
        numbers.iter().copied().filter(|number| met.may_be_duplicate((*number).into())).collect();
    suspects.sort_unstable();
    suspects.windows(2).all(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;
    use std::collections::BTreeSet;

    #[test]
    fn all_differ_agrees_with_a_set() {
        for seed in 0..2000 {
            let mut c = Choices::from_seed(seed, 0);
            let (count, top) = (c.draw_index(60), c.draw_log_range(0, i128::from(u64::MAX)) as u64);
            let numbers: Vec<u64> = (0..count).map(|_| c.draw_up_to(top)).collect();
            let different: BTreeSet<u64> = numbers.iter().copied().collect();
            assert_eq!(all_differ(&numbers, top), different.len() == count, "{numbers:?}");
        }
    }
}
