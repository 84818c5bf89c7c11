//! Draws distinct values with a partial Fisher-Yates shuffle.
//!
//! Redrawing duplicates would need an unbounded number of draws, and would never end on a replayed list of zeros. The
//! head of a shuffle takes exactly one draw per value. If the range is much larger than the head, only those of its
//! other positions are stored that two swaps have touched.

use crate::tuning::MAX_DENSE_RATIO;
use std::collections::HashMap;

use crate::choices::{Choices, nth_simplest};
use crate::duplicate_filter::DuplicateFilter;
use crate::fast_hash::BuildFibonacciHasher;

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
