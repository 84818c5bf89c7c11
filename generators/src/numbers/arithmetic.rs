//! Arithmetic: progressions, primes, powers, multiples, and the multiples that cause collisions in hash tables.

use super::{SequenceRequirements, distribution};
use crate::choices::Choices;
use crate::edge_values;
use crate::primes::next_prime;
use crate::tuning::MAX_PRIME_POOL;

/// Moduli that problem statements use. Code that reduces by them gets zeros here.
const COMMON_MODULI: &[i128] = &[998_244_353, 1_000_000_007, 1_000_000_009];

/// Bucket counts of the hash tables of common standard libraries. Keys that are all multiples of the current count fall
/// into one bucket. In ascending order.
const BUCKET_COUNTS: &[i128] =
    &[1 << 10, 1_109, 5_087, 10_273, 20_753, 42_043, 1 << 16, 85_229, 107_897, 126_271, 172_933, 1 << 20, 1_447_153];

pub(super) fn progression_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let steps = (s.len as i128 - 1).max(1);
    let widest = (s.hi.saturating_sub(s.lo) / steps).max(1);
    let step = if c.draw_chance(1, 3) { widest } else { c.draw_log_range(1, widest) };
    let length = step.saturating_mul(steps);
    let mut here = c.draw_range(s.lo, s.hi.saturating_sub(length).max(s.lo));
    let mut values = s.repeat_value(|| {
        // A progression that is too long for the range restarts.
        let value = if here > s.hi { s.lo } else { here };
        here = value.saturating_add(step);
        value
    });
    if c.draw_chance(1, 3) {
        values.reverse();
    }
    values
}

pub(super) fn power_of_two_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    s.repeat_value(|| edge_values::draw_near_power_of_two(c, s.lo, s.hi))
}

pub(super) fn prime_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let (lo, hi) = (s.lo.max(2), s.hi.min(i64::MAX.into()));
    let pool: Vec<i128> =
        (0..s.len.min(MAX_PRIME_POOL)).filter_map(|_| next_prime(c.draw_log_range(lo, hi), hi)).collect();
    if pool.is_empty() { distribution::mixed_values(c, s) } else { s.repeat_value(|| pool[c.draw_index(pool.len())]) }
}

pub(super) fn multiple_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let factor = c.draw_log_range(1, s.hi.saturating_sub(s.lo));
    multiples_of(c, s, factor)
}

fn multiples_of(c: &mut Choices, s: &SequenceRequirements<'_>, factor: i128) -> Vec<i128> {
    let (first, last) = (ceil_div(s.lo, factor), s.hi.div_euclid(factor));
    let fits = last.saturating_sub(first) >= s.len as i128;
    let quotients = if s.distinct && fits {
        c.draw_distinct(s.len, first, last)
    } else {
        s.repeat_value(|| c.draw_range(first, last))
    };
    quotients.into_iter().map(|quotient| quotient.saturating_mul(factor)).collect()
}

fn ceil_div(n: i128, d: i128) -> i128 {
    n.div_euclid(d) + i128::from(n.rem_euclid(d) != 0)
}

pub(super) fn round_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let digits = |n: i128| i128::from(n.unsigned_abs().checked_ilog10().unwrap_or(0));
    let longest = digits(s.lo).max(digits(s.hi));
    s.repeat_value(|| {
        let power = 10_i128.saturating_pow(c.draw_range(0, longest) as u32);
        let value = power.saturating_mul(c.draw_range(1, 9));
        if s.lo < 0 && (s.hi <= 0 || c.draw_chance(1, 2)) { -value } else { value }
    })
}

pub(super) fn modulus_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let modulus = COMMON_MODULI[c.draw_index(COMMON_MODULI.len())];
    let mut values = multiples_of(c, s, modulus);
    for value in &mut values {
        *value = value.saturating_add(c.draw_range(-1, 1));
    }
    values
}

pub(super) fn hash_collision_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let room = s.hi.saturating_sub(s.lo) / s.len as i128;
    let fitting = BUCKET_COUNTS.partition_point(|buckets| *buckets <= room);
    let buckets = if fitting == 0 { room.max(1) } else { BUCKET_COUNTS[c.draw_index(fitting)] };
    let positive = buckets.saturating_mul(s.len as i128) <= s.hi;
    let start = if positive { 1.max(ceil_div(s.lo, buckets)) } else { ceil_div(s.lo, buckets) };
    let keys = (0..s.len as i128).map(|i| start.saturating_add(i).saturating_mul(buckets));
    let mut values: Vec<i128> = keys.collect();
    c.shuffle(&mut values);
    values
}

// Sequences that are sorted, nearly sorted, or sorted in an unexpected way.

pub(super) fn sorted_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    values.sort_unstable();
    values
}

pub(super) fn reversed_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    values.reverse();
    values
}

pub(super) fn nearly_sorted_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    for _ in 0..c.draw_log_range(1, 1 + s.len as i128 / 4) {
        let at = c.draw_index(s.len - 1);
        values.swap(at, (at + 1).min(s.len - 1));
    }
    values
}

pub(super) fn swapped_pair_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    let (i, j) = (c.draw_index(s.len), c.draw_index(s.len));
    values.swap(i, j);
    values
}

pub(super) fn rotated_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    let start = c.draw_index(s.len);
    values.rotate_left(start);
    values
}

pub(super) fn interleaved_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let values = sorted_values(c, s);
    let (small, large) = values.split_at(s.len / 2);
    // The larger half can have one more value: it starts, and the smaller half fills the gaps.
    (0..s.len).map(|i| if i % 2 == 0 { large[i / 2] } else { small[i / 2] }).collect()
}

// Sequences with a given outline when plotted: sawtooth, mountain, palindrome, walk.

pub(super) fn sawtooth_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let period = c.draw_log_range(2, s.len.max(2) as i128);
    let (a, b) = (c.draw_range(s.lo, s.hi), c.draw_range(s.lo, s.hi));
    let (low, high) = (a.min(b), a.max(b));
    let step = (high.saturating_sub(low) / (period - 1)).max(1);
    let down = c.draw_chance(1, 2);
    let tooth: Vec<i128> = (0..period).map(|i| low.saturating_add(step * i)).collect();
    let climbs = tooth.iter().copied().cycle().take(s.len);
    if down { climbs.map(|value| high.saturating_sub(value.saturating_sub(low))).collect() } else { climbs.collect() }
}

pub(super) fn mountain_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    let (left, right) = values.split_at_mut(c.draw_index(s.len));
    left.sort_unstable();
    right.sort_unstable_by(|a, b| b.cmp(a));
    values
}

pub(super) fn valley_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    let (left, right) = values.split_at_mut(c.draw_index(s.len));
    left.sort_unstable_by(|a, b| b.cmp(a));
    right.sort_unstable();
    values
}

pub(super) fn palindrome_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    for i in 0..s.len / 2 {
        values[s.len - 1 - i] = values[i];
    }
    values
}

pub(super) fn periodic_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let period = c.draw_log_range(1, s.len as i128) as usize;
    let block = distribution::mixed_values(c, &s.with_len(period));
    block.into_iter().cycle().take(s.len).collect()
}

pub(super) fn random_walk_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let stride = c.draw_log_range(1, s.hi.saturating_sub(s.lo) / 4 + 1);
    let mut here = c.draw_range(s.lo, s.hi);
    s.repeat_value(|| {
        here = here.saturating_add(c.draw_range(-stride, stride)).clamp(s.lo, s.hi);
        here
    })
}

// Signs: values that cancel, one by one or in total.

/// Returns the value that separates the signs: zero if the range allows both signs, else its middle.
fn sign_centre(s: &SequenceRequirements<'_>) -> i128 {
    if s.lo < 0 && s.hi > 0 { 0 } else { s.lo / 2 + s.hi / 2 }.clamp(s.lo, s.hi)
}

pub(super) fn alternating_sign_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let centre = sign_centre(s);
    let (below, above) = (centre.saturating_sub(1).max(s.lo), centre.saturating_add(1).min(s.hi));
    let mut up = c.draw_chance(1, 2);
    s.repeat_value(|| {
        up = !up;
        if up { c.draw_range(above, s.hi) } else { c.draw_range(s.lo, below) }
    })
}

pub(super) fn zero_sum_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let centre = sign_centre(s);
    let reach = s.hi.saturating_sub(centre).min(centre.saturating_sub(s.lo));
    let mut values = vec![centre; s.len];
    for pair in values.chunks_exact_mut(2) {
        let off = c.draw_range(0, reach);
        pair[0] = centre.saturating_add(off);
        pair[1] = centre.saturating_sub(off);
    }
    if c.draw_chance(1, 4) {
        let at = c.draw_index(s.len);
        values[at] = values[at].saturating_add(c.draw_range(-1, 1));
    }
    c.shuffle(&mut values);
    values
}
