//! Keys that collide in the hash tables of standard libraries.

use crate::choices::Choices;
use crate::numbers::SequenceRequirements;

/// The bucket counts of libstdc++'s `unordered_map` and `unordered_set` while elements are inserted one by one. It grows
/// to the next count when it has more elements than buckets, and a key is in the bucket of its remainder.
const BUCKET_PRIMES: [i128; 18] = [
    13, 29, 59, 127, 257, 541, 1_109, 2_357, 5_087, 10_273, 20_753, 42_043, 85_229, 172_933, 351_061, 712_697,
    1_447_153, 2_938_679,
];

/// Other keys that make the table grow to a bucket count, and then keys of one bucket.
struct BucketPlan {
    buckets: i128,
    /// Number of other keys.
    growing_keys: i128,
    /// Number of different keys of one bucket.
    colliding_keys: i128,
}

impl BucketPlan {
    fn new(grown_from: i128, buckets: i128, s: &SequenceRequirements<'_>) -> BucketPlan {
        let growing_keys = grown_from + 1;
        let multiples = s.hi.div_euclid(buckets) - s.lo.max(1).div_euclid(buckets);
        let colliding_keys = multiples.min(s.len as i128 - growing_keys).min(buckets - growing_keys).max(0);
        BucketPlan { buckets, growing_keys, colliding_keys }
    }

    /// Returns about how many keys are compared: each key that follows is compared with half of the colliding ones, and if
    /// it can be the one that was inserted first, with all.
    fn comparisons(&self, s: &SequenceRequirements<'_>) -> i128 {
        let repeats = if s.distinct { 0 } else { s.len as i128 - self.growing_keys - self.colliding_keys };
        self.colliding_keys.saturating_mul(self.colliding_keys / 2 + repeats.max(0))
    }
}

pub(super) fn anti_unordered_map_values(_: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let counts = [1].iter().chain(&BUCKET_PRIMES).zip(&BUCKET_PRIMES);
    let plans = counts.map(|(grown_from, buckets)| BucketPlan::new(*grown_from, *buckets, s));
    let Some(plan) = plans.max_by_key(|plan| plan.comparisons(s)) else { return Vec::new() };
    // No plan suits a short list: it has the first keys of any.
    let wanted = usize::try_from(plan.growing_keys).unwrap_or(s.len).min(s.len);
    let growing = (s.lo.max(1)..=s.hi).filter(|key| key % plan.buckets != 0).take(wanted);
    let first = s.lo.max(1).div_euclid(plan.buckets) + 1;
    let colliding = (first..first + plan.colliding_keys).map(|factor| factor.saturating_mul(plan.buckets));
    let mut values: Vec<i128> = growing.chain(colliding).collect();
    // The key that was inserted first is the last one of its bucket.
    values.resize(s.len, first.saturating_mul(plan.buckets));
    values
}

/// The size of the table is drawn; it need not depend on the number of keys.
pub(super) fn anti_linear_probing_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    const LEAST_BITS: i128 = 10;
    const MOST_BITS: i128 = 24;
    const PROBED_KEYS: i128 = 4;
    let slots = 1_i128 << c.draw_range(LEAST_BITS, MOST_BITS);
    let first = s.lo.max(1).div_euclid(slots).saturating_mul(slots).max(s.lo.max(1));
    let filled = s.len.div_ceil(2) as i128;
    let mut values: Vec<i128> = (0..filled).map(|slot| first.saturating_add(slot)).collect();
    // Only a few different ones, so that they do not fill the table.
    let probed = (1..=PROBED_KEYS).map(|turn| first.saturating_add(turn * slots)).take_while(|key| *key <= s.hi);
    let probed: Vec<i128> = probed.collect();
    values.extend(probed.iter().cycle().take(s.len - values.len()));
    values.resize(s.len, s.hi);
    values
}

/// A table of Python with `2^bits` slots.
#[derive(Clone, Copy)]
struct PythonTable {
    bits: u32,
    /// Number of slots that are examined from each probed one on: a `set` also looks at the next nine.
    examined: u64,
}

/// Probing in such a table: the next slot after `i` is `5 * i + 1` plus the bits of the hash that are left.
struct ProbeSequence {
    table: PythonTable,
    slot: u64,
    rest_of_hash: u64,
}

impl ProbeSequence {
    fn new(key: u64, table: PythonTable) -> ProbeSequence {
        ProbeSequence { table, slot: key & table.mask(), rest_of_hash: key }
    }

    /// Returns the slots that are examined at the present place.
    fn examined_slots(&self) -> std::ops::Range<u64> {
        let end = self.slot + self.table.examined;
        self.slot..if end <= self.table.mask() { end } else { self.slot + 1 }
    }

    fn advance(&mut self) {
        self.rest_of_hash >>= 5;
        self.slot = (self.slot.wrapping_mul(5).wrapping_add(self.rest_of_hash).wrapping_add(1)) & self.table.mask();
    }
}

impl PythonTable {
    fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Returns the first slots that are examined for a key, without repetitions.
    fn find_path(self, key: u64, count: usize) -> Vec<u64> {
        let mut is_known = vec![false; 1 << self.bits];
        let mut path = Vec::with_capacity(count);
        let mut probes = ProbeSequence::new(key, self);
        while path.len() < count {
            path.extend(probes.examined_slots().filter(|slot| !std::mem::replace(&mut is_known[*slot as usize], true)));
            probes.advance();
        }
        path.truncate(count);
        path
    }
}

/// The first half are keys that fill the slots in which one key is looked for, each in its own slot. The second half is
/// that key again and again. It collides with all others, so each time all of them are examined.
pub(super) fn anti_python_dict_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    /// Slots that a `set` examines at each place.
    const SET_SLOTS: u64 = 10;
    let count = s.len.div_ceil(2);
    let table = if c.draw_chance(1, 2) {
        PythonTable { bits: dict_bits(count as u64), examined: 1 }
    } else {
        PythonTable { bits: set_bits(count as u64), examined: SET_SLOTS }
    };
    // The first multiple is left to the key of the slot 0.
    let key = 2_u64 << table.bits;
    // A slot below the range gets a larger key.
    let to_key = |slot: u64| i128::from(if i128::from(slot) < s.lo { slot + (1 << table.bits) } else { slot });
    let mut values: Vec<i128> = table.find_path(key, count).into_iter().map(to_key).collect();
    values.resize(s.len, i128::from(key));
    values
}

/// Returns the bits of the table of a `dict`: it doubles when two thirds are used.
fn dict_bits(keys: u64) -> u32 {
    (3..60).find(|bits| (2_u64 << bits) / 3 > keys).unwrap_or(60)
}

/// Returns the bits of the table of a `set`: when three fifths are used it grows to four times the number of keys, or twice
/// if there are many.
fn set_bits(keys: u64) -> u32 {
    const MANY_KEYS: u64 = 50_000;
    let mut bits = 3;
    loop {
        let full_at = (3 * ((1_u64 << bits) - 1)).div_ceil(5);
        if full_at > keys {
            return bits;
        }
        let wanted = if full_at > MANY_KEYS { 2 * full_at } else { 4 * full_at };
        bits = (bits + 1..60).find(|bits| 1_u64 << bits > wanted).unwrap_or(60);
    }
}

// Keys that collide in `HashMap` of Java. Its hashes are fixed by documentation.

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
