//! Keys that collide in `HashMap` of Java. Its hashes are fixed by documentation.

use crate::choices::Choices;
use crate::numbers::SequenceRequirements;

/// Number of bits by which a hash is shifted before it is mixed into itself.
const SPREAD_BITS: u32 = 16;

/// The largest `int` of Java.
const MAX_INT: i128 = i32::MAX as i128;

/// In `HashMap` the bucket of an `Integer` is `h ^ h >>> 16` without its high bits. A `Long` is first folded to the
/// exclusive or of its halves.
pub(super) fn anti_java_hashmap_values(_: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let wanted = s.len as i128;
    let largest_int = s.hi.clamp(0, MAX_INT);
    let keys_of_bucket = |bits: u32| (largest_int >> bits).min(wanted);
    // Different values are needed only if the format says so; otherwise few of them keep the table small.
    let holds_keys = |bits: &u32| table_bits(if s.distinct { wanted } else { keys_of_bucket(*bits) }) <= *bits;
    let bits = (4..MAX_TABLE_BITS).find(holds_keys).unwrap_or(MAX_TABLE_BITS);
    let equal_longs = (s.hi >> 32).clamp(0, wanted);
    let has_more_longs = equal_longs > keys_of_bucket(bits);
    let keys = equal_longs.max(keys_of_bucket(bits)).max(1);
    let to_key = |rank: i128| if has_more_longs { (rank << 32) | rank } else { int_of_first_bucket(rank, bits) };
    (0..wanted).map(|place| to_key(1 + place % keys)).collect()
}

/// Returns the `int` with this upper part and lower bits that undo what is mixed into them.
fn int_of_first_bucket(upper: i128, bits: u32) -> i128 {
    let shifted = upper << bits;
    shifted | ((shifted >> SPREAD_BITS) & ((1 << bits.min(SPREAD_BITS)) - 1))
}

/// The bits of the largest table.
const MAX_TABLE_BITS: u32 = 30;

/// Returns the bits of the number of buckets for this many keys: it doubles when three quarters are used.
fn table_bits(keys: i128) -> u32 {
    (4..MAX_TABLE_BITS).find(|bits| 3_i128 << bits >= 4 * keys).unwrap_or(MAX_TABLE_BITS)
}

/// The hash of a record, a list or `Objects.hash` of two numbers is `31 * x + y` and a constant. Of two columns, one falls
/// in single steps and the other one rises in steps of 31, if the draws of the two differ.
pub(super) fn anti_java_pair_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    const FACTOR: i128 = 31;
    let is_first = c.draw_chance(1, 2);
    let pairs = (s.hi.saturating_sub(s.lo) / FACTOR + 1).clamp(1, s.len as i128);
    let start = s.simplest_value().min(s.hi.saturating_sub(FACTOR * (pairs - 1)));
    (0..s.len as i128)
        .map(|place| match place % pairs {
            rank if is_first => start + (pairs - 1 - rank),
            rank => start + FACTOR * rank,
        })
        .collect()
}
