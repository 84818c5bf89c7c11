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

/// Deletes elements that are not needed, but gives up after many single rejections: perhaps something else has
/// to be deleted first, and querying thousands of elements can wait.
pub(super) fn ddmin_quickly(
    count: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<usize, ShrinkStopped> {
    ddmin_with_patience(count, MAX_QUICK_REJECTIONS, attempt)
}

/// Deletes elements that are not needed. `attempt` gets the positions to delete, counted among the remaining
/// elements, and returns true if they could be deleted. Returns the number of remaining elements.
pub(super) fn ddmin_elements(
    count: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<usize, ShrinkStopped> {
    ddmin_with_patience(count, usize::MAX, attempt)
}

fn ddmin_with_patience(
    mut count: usize,
    max_rejections: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<usize, ShrinkStopped> {
    // All elements at once.
    if count == 0 || attempt(&position_range(0, count))? {
        return Ok(0);
    }
    // The longest suffix, then the longest prefix, by halving.
    count -= trim_end(count, &mut |n, size| attempt(&position_range(n - size, n)))?;
    count -= trim_end(count, &mut |_, size| attempt(&position_range(0, size)))?;
    // Everything between the first and the last remaining element.
    if count > MAX_UNTRIMMED_COUNT && attempt(&position_range(1, count - 1))? {
        count = 2;
    }
    while delete_large_chunks(&mut count, attempt)? {}
    loop {
        // Sweeps over single elements; if they delete nothing, over neighbours, then any two elements, then chunks.
        let before = count;
        count = delete_from_right(count, 1, max_rejections, attempt)?;
        if count == before {
            count = delete_from_right(count, 2, max_rejections, attempt)?;
        }
        if count == before && !delete_pair(&mut count, attempt)? && !delete_chunk(&mut count, max_rejections, attempt)?
        {
            return Ok(count);
        }
    }
}

fn position_range(from: usize, to: usize) -> Vec<usize> {
    debug_assert!(from < to, "an attempt deletes at least one element");
    (from..to).collect()
}

/// Returns how many elements can be deleted at one end: halves, then quarters, and so on.
fn trim_end(
    count: usize,
    attempt: &mut dyn FnMut(usize, usize) -> Result<bool, ShrinkStopped>,
) -> Result<usize, ShrinkStopped> {
    let mut left = count;
    let mut size = count / 2;
    while size > 0 {
        if size <= left && attempt(left, size)? {
            left -= size;
        }
        size /= 2;
    }
    Ok(count - left)
}

/// For large counts, tries quarters, eighths, and so on. Where the remainder only has to fit by chance, such as
/// a check digit, one in ten of these chunks can be deleted, as could one in ten of the single elements.
/// Returns true if any was deleted.
fn delete_large_chunks(
    count: &mut usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<bool, ShrinkStopped> {
    let before = *count;
    let mut parts = 4;
    while *count > MAX_SMALL_COUNT && parts <= MAX_CHUNKS {
        let (size, mut at) = (*count / parts, *count);
        while at > 0 {
            let from = at.saturating_sub(size);
            if attempt(&position_range(from, at))? {
                *count -= at - from;
            }
            at = from;
        }
        parts *= 2;
    }
    Ok(*count < before)
}

/// Sweeps from the right with chunks of at least `least` elements: two neighbours can often only be deleted
/// together.
fn delete_from_right(
    mut count: usize,
    least: usize,
    max_rejections: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<usize, ShrinkStopped> {
    let mut at = count;
    let mut step = least;
    let mut rejections = 0;
    while at >= least && rejections < max_rejections {
        let size = step.min(at);
        debug_assert!(at <= count, "sweeps go from the right to the left");
        if attempt(&position_range(at - size, at))? {
            count -= size;
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
    Ok(count)
}

fn delete_pair(
    count: &mut usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<bool, ShrinkStopped> {
    if *count > MAX_PAIRED {
        return Ok(false);
    }
    for second in (1..*count).rev() {
        for first in (0..second).rev() {
            if attempt(&[first, second])? {
                *count -= 2;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Where many elements remain that cannot be deleted in ones and twos, their number may have to keep a
/// remainder. Tries some chunks of other lengths, and if one can be deleted, all of that length. Skipped by
/// quick ddmin: this takes dozens of queries.
fn delete_chunk(
    count: &mut usize,
    max_rejections: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, ShrinkStopped>,
) -> Result<bool, ShrinkStopped> {
    if max_rejections < usize::MAX || *count <= MAX_PAIRED {
        return Ok(false);
    }
    for length in (3..=MAX_CHUNK_LENGTH).filter(|length| length + 1 < *count) {
        let middle = (*count - length) / 2;
        for from in [*count - length, 0, middle, *count - length - 1, 1] {
            if attempt(&position_range(from, from + length))? {
                *count = delete_from_right(*count - length, length, max_rejections, attempt)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
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
