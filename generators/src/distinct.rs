//! Distinct values, by a shuffle that stops after the first few.
//!
//! Drawing until everything differs would need an unbounded number of draws, and never end on a replayed list of
//! zeros. The head of a shuffle takes exactly one draw a value. Where the range is much larger than the head, only those
//! of its other positions are kept that two swaps have touched.

use std::collections::HashMap;

use crate::choices::{Choices, nth_simplest};
use crate::met::Met;
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
        let value = |offset: u128| nth_simplest(lo, hi, offset);
        let top = hi.abs_diff(lo);
        let count = usize::try_from(top).map_or(count, |top| count.min(top.saturating_add(1)));
        if top / DENSE >= count as u128 {
            return self.sparse(count, top).into_iter().map(value).collect();
        }
        match u32::try_from(top) {
            Ok(top) => self.dense(count, (0..=top).collect()).into_iter().map(|i| value(i.into())).collect(),
            Err(_) => self.dense(count, (0..=top).collect()).into_iter().map(value).collect(),
        }
    }

    /// `count` distinct ones of the vertices, places or the like below `len`, in random order: the same as
    /// [`distinct`](Choices::distinct).
    pub(crate) fn distinct_below(&mut self, count: usize, len: usize) -> Vec<usize> {
        match u32::try_from(len) {
            Ok(len) if u128::from(len) / DENSE < count as u128 && len > 0 => {
                self.dense(count.min(len as usize), (0..len).collect()).into_iter().map(|i| i as usize).collect()
            }
            _ => self.distinct(count, 0, len as i128 - 1).into_iter().map(|i| i as usize).collect(),
        }
    }

    /// The head of a shuffle of all there are.
    fn dense<T>(&mut self, count: usize, mut items: Vec<T>) -> Vec<T> {
        for i in 0..count {
            let j = i + self.index(items.len() - i);
            items.swap(i, j);
        }
        items.truncate(count);
        items
    }

    /// The first `count` positions of `0..=top` once each of them, from the left, has been swapped with one at or right
    /// of it.
    ///
    /// A position that was swapped matters only if it is met again, so only those are remembered for which a filter
    /// cannot rule that out. They are few, where a table of all of them would be out of the cache's reach.
    fn sparse(&mut self, count: usize, top: u128) -> Vec<u128> {
        let mut met = Met::with_room_for(count, top);
        let partner = |i: usize| {
            let partner = i as u128 + self.up_to_wide(top - i as u128);
            met.note(partner);
            partner
        };
        let mut head: Vec<u128> = (0..count).map(partner).collect();
        let mut moved: HashMap<u128, u128, BuildMix> = HashMap::default();
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
            if is_within || met.maybe_twice(partner) {
                head[i] = moved.insert(partner, own).unwrap_or(partner);
            }
        }
        head
    }
}
