//! Draws that are made of those of rebut.

use super::rebut;

/// Draws an index into a list of that length, or 0 if it is empty.
pub fn index(length: usize) -> usize {
    rebut::draw((length as u64).saturating_sub(1)) as usize
}

/// Draws a number from `lo` to `hi`, whose distance from `lo` has each number of digits about equally often.
pub fn log_range(lo: i64, hi: i64) -> i64 {
    let most = hi.max(lo).abs_diff(lo);
    let digits = rebut::draw(u64::from(64 - most.leading_zeros()));
    let first: u64 = if digits == 0 { 0 } else { 1 << (digits - 1) };
    lo.saturating_add_unsigned(first + rebut::draw(first.saturating_sub(1).min(most - first)))
}

/// Draws a size from `lo` to `hi`, half of the time a small one; close to `lo` at the start of a search.
pub fn size(lo: i64, hi: i64) -> i64 {
    let most = rebut::size(lo, hi);
    if rebut::chance(1, 2) { log_range(lo, most) } else { most }
}
