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
