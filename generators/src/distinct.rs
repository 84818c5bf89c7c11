//! Distinct values, by a shuffle that stops after the first few.
//!
//! Drawing until everything differs would need an unbounded number of draws, and never end on a replayed list of
//! zeros. The head of a shuffle takes exactly one draw a value. Where the range is much larger than the head, only those
//! of its other positions are kept that a swap has touched.

use std::collections::HashMap;
use std::hash::Hash;

use crate::choices::{Choices, nth_simplest};
use crate::mix::BuildMix;

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
fn head_of_shuffle<K>(count: usize, mut partner: impl FnMut(usize) -> K) -> Vec<K>
where
    K: Copy + Eq + Hash + From<u64> + TryInto<usize>,
{
    let mut head: Vec<K> = (0..count as u64).map(K::from).collect();
    let mut tail: HashMap<K, K, BuildMix> = HashMap::with_capacity_and_hasher(count, BuildMix::default());
    for i in 0..count {
        let j = partner(i);
        match j.try_into() {
            Ok(within) if within < count => head.swap(i, within),
            _ => head[i] = tail.insert(j, head[i]).unwrap_or(j),
        }
    }
    head
}
