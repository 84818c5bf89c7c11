//! Makes values distinct while keeping them close to their original values.
//!
//! Redrawing duplicates would destroy the shape. Moving each value above its predecessor in sorted order keeps the
//! order of the values, so a sorted sequence stays sorted and a constant one becomes a block of neighbours.

use crate::duplicate_filter::all_differ;
use crate::radix_sort;

/// Returns distinct values near `values`, in the same relative order. Returns `values` themselves if the range is too
/// small.
pub(super) fn move_apart(values: Vec<i128>, lo: i128, hi: i128) -> Vec<i128> {
    let (top, needed) = (hi.abs_diff(lo), values.len().saturating_sub(1));
    if top < needed as u128 {
        return values;
    }
    // For most ranges, the distance from the lower bound and the position fit into one word, and sorting words is
    // several times as fast as sorting anything larger.
    let place_bits = usize::BITS - needed.leading_zeros();
    match u64::try_from(top) {
        Ok(narrow) if narrow.leading_zeros() >= place_bits => {
            let offsets: Vec<u64> = values.iter().map(|value| value.abs_diff(lo) as u64).collect();
            if all_differ(&offsets, narrow) {
                return values;
            }
            let mut words = offsets.into_iter().zip(0..).map(|(offset, place)| offset << place_bits | place).collect();
            radix_sort::sort_words(&mut words, place_bits, place_bits + u64::BITS - narrow.leading_zeros());
            let places = !(!0 << place_bits);
            let offset = |word: u64| u128::from(word >> place_bits);
            if !separate_items(&mut words, top, offset, |word, offset| (offset as u64) << place_bits | word & places) {
                return values;
            }
            restore_positions(values, lo, words.into_iter().map(|word| (offset(word), (word & places) as usize)))
        }
        _ => {
            let mut ascending: Vec<_> = values.iter().map(|value| value.abs_diff(lo)).zip(0..).collect();
            ascending.sort_unstable();
            if !separate_items(&mut ascending, top, |(offset, _)| offset, |(_, place), offset| (offset, place)) {
                return values;
            }
            restore_positions(values, lo, ascending.into_iter())
        }
    }
}

/// Makes ascending items distinct: lifts each above the previous one, and then, from the top, lowers those that exceed
/// the range. Returns false if all were distinct already.
fn separate_items<T: Copy>(items: &mut [T], top: u128, offset: impl Fn(T) -> u128, at: impl Fn(T, u128) -> T) -> bool {
    if items.is_sorted_by(|one, next| offset(*one) < offset(*next)) {
        return false;
    }
    let mut floor = 0;
    for item in items.iter_mut() {
        let lifted = offset(*item).max(floor).min(top);
        *item = at(*item, lifted);
        floor = lifted.saturating_add(1);
    }
    let mut ceiling = top;
    for item in items.iter_mut().rev() {
        let lowered = offset(*item).min(ceiling);
        *item = at(*item, lowered);
        ceiling = lowered.saturating_sub(1);
    }
    debug_assert!(
        items.is_sorted_by(|one, next| offset(*one) < offset(*next)),
        "the caller made sure that the range has as many values as there are items"
    );
    true
}

/// Converts distances from `lo` to values, at their original positions.
fn restore_positions(mut values: Vec<i128>, lo: i128, offsets: impl Iterator<Item = (u128, usize)>) -> Vec<i128> {
    for (offset, place) in offsets {
        values[place] = lo.saturating_add_unsigned(offset);
    }
    values
}
