//! Distinct values, by a shuffle that stops after the first few.
//!
//! Drawing until everything differs would need an unbounded number of draws, and never end on a replayed list of
//! zeros. The head of a shuffle takes exactly one draw a value. Where the range is much larger than the head, only those
//! of its other positions are kept that two swaps have touched.

use std::collections::HashMap;
use std::hash::Hash;

use crate::choices::{Choices, nth_simplest};
use crate::mix::{BuildMix, scatter};

/// A range at most this many times the count is shuffled in a plain array.
const DENSE: u128 = 8;

impl Choices {
    /// `count` distinct values of the closed range `lo..=hi` in random order, every such list equally likely; all of
    /// the range if it holds fewer.
    pub fn distinct(&mut self, count: usize, lo: i128, hi: i128) -> Vec<i128> {
        if lo > hi {
            return Vec::new();
        }
        let top = hi.abs_diff(lo);
        let count = usize::try_from(top).map_or(count, |top| count.min(top.saturating_add(1)));
        let value = |offset: u128| nth_simplest(lo, hi, offset);
        if top / DENSE < count as u128 {
            self.dense(count, top as usize).into_iter().map(|offset| value(offset as u128)).collect()
        } else if let Ok(top) = u64::try_from(top) {
            let offsets = head_of_shuffle(count, |i| i as u64 + self.up_to(top - i as u64));
            offsets.into_iter().map(|offset| value(offset.into())).collect()
        } else {
            let offsets = head_of_shuffle(count, |i| i as u128 + self.up_to_wide(top - i as u128));
            offsets.into_iter().map(value).collect()
        }
    }

    fn dense(&mut self, count: usize, top: usize) -> Vec<usize> {
        let mut offsets: Vec<usize> = (0..=top).collect();
        for i in 0..count {
            let j = i + self.index(top - i + 1);
            offsets.swap(i, j);
        }
        offsets.truncate(count);
        offsets
    }
}

/// What stands at the first `count` positions once each of them, from the left, has been swapped with one at or right
/// of it, which `partner` chooses.
///
/// A position beyond the head matters only if two swaps meet there, so only those are remembered for which a filter
/// cannot rule that out. They are few, where a table of all of them would be out of the cache's reach.
fn head_of_shuffle<K>(count: usize, partner: impl FnMut(usize) -> K) -> Vec<K>
where
    K: Copy + Eq + Hash + From<u64> + Into<u128> + TryInto<usize>,
{
    let partners: Vec<K> = (0..count).map(partner).collect();
    let mut met = Met::with_room_for(count);
    partners.iter().for_each(|j| met.note((*j).into()));
    let mut head: Vec<K> = (0..count as u64).map(K::from).collect();
    let mut tail: HashMap<K, K, BuildMix> = HashMap::default();
    for (i, j) in partners.into_iter().enumerate() {
        match j.try_into() {
            Ok(within) if within < count => head.swap(i, within),
            _ if met.maybe_twice(j.into()) => head[i] = tail.insert(j, head[i]).unwrap_or(j),
            _ => head[i] = j,
        }
    }
    head
}

/// Which numbers may have been noted twice: all that were, and one in [`Met::BITS_EACH`] of the others.
struct Met {
    once: Vec<u64>,
    twice: Vec<u64>,
    shift: u32,
}

impl Met {
    const BITS_EACH: usize = 16;

    fn with_room_for(count: usize) -> Met {
        let bits = count.saturating_mul(Met::BITS_EACH).max(64).next_power_of_two();
        Met { once: vec![0; bits / 64], twice: vec![0; bits / 64], shift: u64::BITS - bits.trailing_zeros() }
    }

    fn note(&mut self, number: u128) {
        let (word, bit) = self.place(number);
        self.twice[word] |= self.once[word] & bit;
        self.once[word] |= bit;
    }

    fn maybe_twice(&self, number: u128) -> bool {
        let (word, bit) = self.place(number);
        self.twice[word] & bit != 0
    }

    fn place(&self, number: u128) -> (usize, u64) {
        let place = scatter(number as u64 ^ ((number >> 64) as u64).rotate_left(32)) >> self.shift;
        ((place / 64) as usize, 1 << (place % 64))
    }
}
