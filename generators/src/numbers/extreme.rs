//! Values for which arithmetic or a comparison fails: bounds, limits of machine integers, and the constants in the
//! submissions.

use super::{SequenceRequirements, distribution};
use crate::choices::Choices;
use crate::distinct::all_differ;
use crate::{edge_values, hash_collisions};

pub(super) fn extreme_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let share = c.draw_range(1, 15) as u32;
    s.repeat_value(|| if c.draw_chance(share, 16) { s.hi } else { s.lo })
}

pub(super) fn near_bound_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    s.repeat_value(|| edge_values::draw_near_bound(c, s.lo, s.hi, 2))
}

pub(super) fn maximal_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let slack = c.draw_range(0, 2);
    // The bound of larger magnitude is the upper one, except in ranges that lie below zero.
    let low_end = s.lo < 0 && (s.hi <= 0 || c.draw_chance(1, 3));
    s.repeat_value(|| {
        let step = c.draw_range(0, slack);
        if low_end { s.lo.saturating_add(step) } else { s.hi.saturating_sub(step) }
    })
}

pub(super) fn overflow_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let thresholds = edge_values::thresholds_within(s.lo, s.hi).collect::<Vec<_>>();
    if thresholds.is_empty() {
        return near_bound_values(c, s);
    }
    let same = c.draw_chance(1, 2).then(|| thresholds[c.draw_index(thresholds.len())]);
    s.repeat_value(|| {
        let threshold = same.unwrap_or_else(|| thresholds[c.draw_index(thresholds.len())]);
        threshold.saturating_add(c.draw_range(-2, 2))
    })
}

pub(super) fn overflow_sum_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let negative = s.lo < 0 && (s.hi <= 0 || c.draw_chance(1, 4));
    let largest = if negative { s.lo.saturating_neg() } else { s.hi };
    let most = largest.saturating_mul(s.len as i128);
    let reachable: Vec<i128> = edge_values::THRESHOLDS.iter().copied().filter(|limit| *limit <= most).collect();
    let Some(limit) = c.pick_item(&reachable[reachable.len().saturating_sub(4)..]).copied() else {
        return maximal_values(c, s);
    };
    let sum = limit.saturating_add(c.draw_range(-1, 1)).min(most);
    let mut values = split_sum(c, s, sum, largest);
    if negative {
        values.iter_mut().for_each(|value| *value = -*value);
    }
    c.shuffle(&mut values);
    values
}

/// Returns some values that add up to `sum`, none above `largest`, and zeros.
fn split_sum(c: &mut Choices, s: &SequenceRequirements<'_>, sum: i128, largest: i128) -> Vec<i128> {
    let fewest = (sum / largest + i128::from(sum % largest != 0)).max(1);
    let parts = c.draw_range(fewest, s.len as i128);
    let (share, larger) = (sum / parts, sum % parts);
    let mut values = vec![0; s.len];
    for (i, value) in (0..parts).zip(&mut values) {
        *value = share + i128::from(i < larger);
    }
    values
}

pub(super) fn hint_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let near = |hint: &i128| {
        (s.lo..=s.hi).contains(&hint.saturating_add(1)) || (s.lo..=s.hi).contains(&hint.saturating_sub(1))
    };
    let useful: Vec<i128> = s.hints.iter().copied().filter(near).collect();
    if useful.is_empty() {
        return distribution::mixed_values(c, s);
    }
    s.repeat_value(|| {
        if c.draw_chance(1, 8) { c.draw_range(s.lo, s.hi) } else { edge_values::draw_near_hint(c, s.lo, s.hi, &useful) }
    })
}

// Makes values distinct while keeping them close to their original values.
//
// Redrawing duplicates would destroy the shape. Moving each value above its predecessor in sorted order keeps the
// order of the values, so a sorted sequence stays sorted and a constant one becomes a block of neighbours.

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
            hash_collisions::sort_words(&mut words, place_bits, place_bits + u64::BITS - narrow.leading_zeros());
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
