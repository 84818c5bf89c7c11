//! Distinct values, by a shuffle that stops after the first few.
//!
//! Drawing until everything differs would need an unbounded number of draws, and never end on a replayed list of
//! zeros. The head of a shuffle takes exactly one draw a value. Where the range is much larger than the head, only the
//! positions that a swap has touched are kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::choices::{Choices, nth_simplest};

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
            let swaps = (0..count as u64).map(|i| (i, i + self.up_to(top - i)));
            head_of_shuffle(swaps).into_iter().map(|offset| value(offset.into())).collect()
        } else {
            let swaps = (0..count as u128).map(|i| (i, i + self.up_to_wide(top - i)));
            head_of_shuffle(swaps).into_iter().map(value).collect()
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

/// What stands at the first positions after `swaps` of position `i` with a position `j >= i`, for `i` = 0, 1, 2, ...
fn head_of_shuffle<K: Copy + Eq + Hash>(swaps: impl Iterator<Item = (K, K)>) -> Vec<K> {
    let mut moved: HashMap<K, K, BuildHasherDefault<Mix>> = HashMap::default();
    let mut head = Vec::with_capacity(swaps.size_hint().0);
    for (i, j) in swaps {
        // Position i is never looked at again, so what stood there may be forgotten once it is in j.
        let at_i = moved.remove(&i).unwrap_or(i);
        head.push(if i == j { at_i } else { moved.insert(j, at_i).unwrap_or(j) });
    }
    head
}

/// One multiplication a key: the keys are random already, and the standard hasher's defence costs most of the time.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}
