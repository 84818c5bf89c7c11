//! Makes values distinct while keeping them close to where a shape put them.
//!
//! Redrawing duplicates would wash the shape out. Moving each value up past its predecessor in sorted order keeps the
//! order of the values, so a sorted sequence stays sorted and a constant one becomes a block of neighbours.

use crate::met::all_differ;
use crate::radix;

/// Distinct values near `values`, in the same relative order; `values` themselves if the range is too small.
pub(super) fn move_apart(values: Vec<i128>, lo: i128, hi: i128) -> Vec<i128> {
    let (top, needed) = (hi.abs_diff(lo), values.len().saturating_sub(1));
    if top < needed as u128 {
        return values;
    }
    // Most ranges leave room for the place beside the distance from the lower bound in one word, and sorting words is
    // several times as fast as sorting anything larger.
    let place_bits = usize::BITS - needed.leading_zeros();
    match u64::try_from(top) {
        Ok(narrow) if narrow.leading_zeros() >= place_bits => {
            let offsets: Vec<u64> = values.iter().map(|value| value.abs_diff(lo) as u64).collect();
            if all_differ(&offsets, narrow) {
                return values;
            }
            let mut words = offsets.into_iter().zip(0..).map(|(offset, place)| offset << place_bits | place).collect();
            radix::sort(&mut words, place_bits, place_bits + u64::BITS - narrow.leading_zeros());
            let places = !(!0 << place_bits);
            let offset = |word: u64| u128::from(word >> place_bits);
            if !spread(&mut words, top, offset, |word, offset| (offset as u64) << place_bits | word & places) {
                return values;
            }
            put_back(values, lo, words.into_iter().map(|word| (offset(word), (word & places) as usize)))
        }
        _ => {
            let mut ascending: Vec<_> = values.iter().map(|value| value.abs_diff(lo)).zip(0..).collect();
            ascending.sort_unstable();
            if !spread(&mut ascending, top, |(offset, _)| offset, |(_, place), offset| (offset, place)) {
                return values;
            }
            put_back(values, lo, ascending.into_iter())
        }
    }
}

/// Moves ascending items apart: lifts each above the one before it, and then, from the top, lowers those for which
/// the range has become too small. Whether that was needed at all.
fn spread<T: Copy>(items: &mut [T], top: u128, offset: impl Fn(T) -> u128, at: impl Fn(T, u128) -> T) -> bool {
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
    true
}

/// Puts distances from `lo` where they belong.
fn put_back(mut values: Vec<i128>, lo: i128, offsets: impl Iterator<Item = (u128, usize)>) -> Vec<i128> {
    for (offset, place) in offsets {
        values[place] = lo.saturating_add_unsigned(offset);
    }
    values
}
