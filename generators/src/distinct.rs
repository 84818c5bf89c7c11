//! Draws distinct values with a partial Fisher-Yates shuffle.
//!
//! Redrawing duplicates would need an unbounded number of draws, and would never end on a replayed list of zeros. The
//! head of a shuffle takes exactly one draw per value. If the range is much larger than the head, only those of its
//! other positions are stored that two swaps have touched.

use crate::choices::{Choices, nth_simplest};
use crate::hash_collisions::{BuildFibonacciHasher, fibonacci_hash};
use crate::tuning::MAX_DENSE_RATIO;
use std::collections::HashMap;

impl Choices {
    /// Draws `count` distinct values of the closed range `lo..=hi` in random order; every such list is equally likely.
    /// Returns all values of the range if it has fewer than `count`.
    pub fn draw_distinct(&mut self, count: usize, lo: i128, hi: i128) -> Vec<i128> {
        if lo > hi {
            return Vec::new();
        }
        let value = |offset: u128| nth_simplest(lo, hi, offset);
        let top = hi.abs_diff(lo);
        let count = usize::try_from(top).map_or(count, |top| count.min(top.saturating_add(1)));
        if top / MAX_DENSE_RATIO >= count as u128 {
            return self.shuffle_sparse(count, top).into_iter().map(value).collect();
        }
        match u32::try_from(top) {
            Ok(top) => self.shuffle_dense(count, (0..=top).collect()).into_iter().map(|i| value(i.into())).collect(),
            Err(_) => self.shuffle_dense(count, (0..=top).collect()).into_iter().map(value).collect(),
        }
    }

    /// Draws `count` distinct indices below `len` in random order, the same as
    /// [`draw_distinct`](Choices::draw_distinct).
    pub(crate) fn draw_distinct_below(&mut self, count: usize, len: usize) -> Vec<usize> {
        match u32::try_from(len) {
            Ok(len) if u128::from(len) / MAX_DENSE_RATIO < count as u128 && len > 0 => self
                .shuffle_dense(count.min(len as usize), (0..len).collect())
                .into_iter()
                .map(|i| i as usize)
                .collect(),
            _ => self.draw_distinct(count, 0, len as i128 - 1).into_iter().map(|i| i as usize).collect(),
        }
    }

    /// Returns the first `count` elements of a shuffle of `items`.
    fn shuffle_dense<T>(&mut self, count: usize, mut items: Vec<T>) -> Vec<T> {
        debug_assert!(count <= items.len(), "callers draw at most as many items as there are");
        for i in 0..count {
            let j = i + self.draw_index(items.len() - i);
            items.swap(i, j);
        }
        items.truncate(count);
        items
    }

    /// Returns the first `count` positions of a shuffle of `0..=top`: each of them, from the left, is swapped with a
    /// position at or right of it.
    ///
    /// A swapped position matters only if it is drawn again, so only those are stored for which a filter cannot rule
    /// that out. These are few, while a table of all of them would not fit in the cache.
    fn shuffle_sparse(&mut self, count: usize, top: u128) -> Vec<u128> {
        debug_assert!(count as u128 <= top, "a sparse range has far more positions than are drawn");
        let mut met = DuplicateFilter::with_capacity(count, top);
        let partner = |i: usize| {
            let partner = i as u128 + self.draw_up_to_wide(top - i as u128);
            met.insert_number(partner);
            partner
        };
        let mut head: Vec<u128> = (0..count).map(partner).collect();
        let mut moved: HashMap<u128, u128, BuildFibonacciHasher> = HashMap::default();
        let mut met_again = vec![false; count];
        for i in 0..count {
            let own = if met_again[i] { moved.remove(&(i as u128)).unwrap_or(i as u128) } else { i as u128 };
            let partner = head[i];
            if partner == i as u128 {
                head[i] = own;
                continue;
            }
            let within = usize::try_from(partner).ok().and_then(|partner| met_again.get_mut(partner));
            let is_within = within.is_some();
            within.into_iter().for_each(|again| *again = true);
            if is_within || met.may_be_duplicate(partner) {
                head[i] = moved.insert(partner, own).unwrap_or(partner);
            }
        }
        head
    }
}

// Finds candidates for duplicates with a bit table that fits in the cache even if the numbers do not.

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
