//! Delta debugging: a minimal subset of `n` elements. Used by every pass that deletes something.
//!
//! First all elements are tried; then the longest suffix and prefix that can be deleted, by halving; then
//! everything between the first and the last remaining element, since most failures need two. Then sweeps from
//! the right delete chunks that double in size while they succeed, until a sweep deletes nothing. When few
//! elements remain, pairs are tried, for elements that can only be deleted together. Finding `k` needed
//! elements among `n` takes about `k log(n/k)` queries.

use super::oracle::ShrinkStopped;
use crate::tuning::{
    MAX_CHUNK_LENGTH, MAX_CHUNKS, MAX_PAIRED, MAX_QUICK_REJECTIONS, MAX_SMALL_COUNT, MAX_UNTRIMMED_COUNT,
};

/// Tries to delete the elements at some positions, counted among the remaining ones. Returns true if they could be deleted.
pub(super) type DeletePositions<'d> = dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped> + 'd;

/// One of the two functions below.
pub(super) type RunDdmin = fn(usize, &mut DeletePositions<'_>) -> Result<usize, ShrinkStopped>;

/// Deletes elements that are not needed, but gives up after many single rejections: perhaps something else has
/// to be deleted first, and querying thousands of elements can wait.
pub(super) fn ddmin_quickly(count: usize, attempt: &mut DeletePositions<'_>) -> Result<usize, ShrinkStopped> {
    DdminRun { count, max_rejections: MAX_QUICK_REJECTIONS, attempt }.delete_unneeded()
}

/// Deletes elements that are not needed. Returns the number of remaining elements.
pub(super) fn ddmin_elements(count: usize, attempt: &mut DeletePositions<'_>) -> Result<usize, ShrinkStopped> {
    DdminRun { count, max_rejections: usize::MAX, attempt }.delete_unneeded()
}

struct DdminRun<'a, 'd> {
    /// Number of remaining elements.
    count: usize,
    /// Maximum number of single rejections in a sweep.
    max_rejections: usize,
    attempt: &'a mut DeletePositions<'d>,
}

impl DdminRun<'_, '_> {
    fn delete_unneeded(mut self) -> Result<usize, ShrinkStopped> {
        // All elements at once.
        if self.count == 0 || self.delete_range(0, self.count)? {
            return Ok(0);
        }
        // The longest suffix, then the longest prefix.
        self.trim_end(false)?;
        self.trim_end(true)?;
        // Everything between the first and the last remaining element.
        if self.count > MAX_UNTRIMMED_COUNT {
            self.delete_range(1, self.count - 1)?;
        }
        while self.delete_large_chunks()? {}
        loop {
            // Sweeps over single elements; if they delete nothing, over neighbours, then any two elements, then chunks.
            let before = self.count;
            self.delete_from_right(1)?;
            if self.count == before {
                self.delete_from_right(2)?;
            }
            if self.count == before && !self.delete_pair()? && !self.delete_chunk()? {
                return Ok(self.count);
            }
        }
    }

    fn delete_range(&mut self, from: usize, to: usize) -> Result<bool, ShrinkStopped> {
        debug_assert!(from < to && to <= self.count, "an attempt deletes at least one element");
        let is_deleted = (self.attempt)(&(from..to).collect::<Vec<usize>>())?;
        self.count -= if is_deleted { to - from } else { 0 };
        Ok(is_deleted)
    }

    /// Deletes at one end: half of the elements, then a quarter, and so on.
    fn trim_end(&mut self, at_front: bool) -> Result<(), ShrinkStopped> {
        let mut size = self.count / 2;
        while size > 0 {
            if size <= self.count {
                let from = if at_front { 0 } else { self.count - size };
                self.delete_range(from, from + size)?;
            }
            size /= 2;
        }
        Ok(())
    }

    /// For large counts, tries quarters, eighths, and so on. Where the remainder only has to fit by chance, such as
    /// a check digit, one in ten of these chunks can be deleted, as could one in ten of the single elements.
    /// Returns true if any was deleted.
    fn delete_large_chunks(&mut self) -> Result<bool, ShrinkStopped> {
        let before = self.count;
        let mut parts = 4;
        while self.count > MAX_SMALL_COUNT && parts <= MAX_CHUNKS {
            let (size, mut at) = (self.count / parts, self.count);
            while at > 0 {
                let from = at.saturating_sub(size);
                self.delete_range(from, at)?;
                at = from;
            }
            parts *= 2;
        }
        Ok(self.count < before)
    }

    /// Sweeps from the right with chunks of at least `least` elements: two neighbours can often only be deleted
    /// together.
    fn delete_from_right(&mut self, least: usize) -> Result<(), ShrinkStopped> {
        let (mut at, mut step, mut rejections) = (self.count, least, 0);
        while at >= least && rejections < self.max_rejections {
            let size = step.min(at);
            if self.delete_range(at - size, at)? {
                at -= size;
                // The chunk is deleted: double the next one.
                step = size * 2;
                rejections = 0;
            } else if size > least {
                // A needed element is in the chunk: halve it.
                step = (size / 2).max(least);
            } else {
                // The rightmost element of the chunk is needed: step over it.
                at -= 1;
                step = least;
                rejections += 1;
            }
        }
        Ok(())
    }

    fn delete_pair(&mut self) -> Result<bool, ShrinkStopped> {
        let count = if self.count > MAX_PAIRED { 0 } else { self.count };
        for second in (1..count).rev() {
            for first in (0..second).rev() {
                if (self.attempt)(&[first, second])? {
                    self.count -= 2;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Where many elements remain that cannot be deleted in ones and twos, their number may have to keep a
    /// remainder. Tries some chunks of other lengths, and if one can be deleted, all of that length. Skipped by
    /// quick ddmin: this takes dozens of queries.
    fn delete_chunk(&mut self) -> Result<bool, ShrinkStopped> {
        if self.max_rejections < usize::MAX || self.count <= MAX_PAIRED {
            return Ok(false);
        }
        let count = self.count;
        for length in (3..=MAX_CHUNK_LENGTH).filter(|length| length + 1 < count) {
            let last = count - length;
            for from in [last, 0, last / 2, last - 1, 1] {
                if self.delete_range(from, from + length)? {
                    self.delete_from_right(length)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn ddmin_minimum(n: usize, fails: impl Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
        let mut left: Vec<usize> = (0..n).collect();
        let mut queries = 0;
        ddmin_elements(n, &mut |deleted| {
            queries += 1;
            let kept: Vec<usize> =
                left.iter().enumerate().filter(|(i, _)| !deleted.contains(i)).map(|(_, v)| *v).collect();
            let taken = fails(&kept);
            if taken {
                left = kept;
            }
            Ok(taken)
        })
        .unwrap();
        (left, queries)
    }

    #[test]
    fn ddmin_keeps_only_what_is_needed() {
        for needed in [vec![], vec![0], vec![999], vec![500], vec![3, 4, 700], vec![0, 1, 2, 998, 999]] {
            let (left, queries) = ddmin_minimum(1000, |kept| needed.iter().all(|n| kept.contains(n)));
            assert_eq!(left, needed);
            assert!(queries < 200, "{queries} queries for {needed:?}");
        }
    }

    #[test]
    fn pairs_go_together() {
        let (left, _) = ddmin_minimum(10, |kept| kept.len() % 2 == 0 && kept.contains(&4));
        assert_eq!(left.len(), 2);
    }
}
