//! Arithmetic: progressions, primes, powers, multiples, and the multiples that break hash tables.

use super::{Sequence, spread};
use crate::choices::Choices;
use crate::edges;
use crate::primes::next_prime;

/// The moduli that statements ask for. Code that reduces by them meets its zeros here.
const MODULI: &[i128] = &[998_244_353, 1_000_000_007, 1_000_000_009];

/// Bucket counts through which the hash tables of widespread standard libraries grow. Keys that are all multiples of
/// the current one land in one bucket. In ascending order.
const BUCKETS: &[i128] =
    &[1 << 10, 1_109, 5_087, 10_273, 20_753, 42_043, 1 << 16, 85_229, 107_897, 126_271, 172_933, 1 << 20, 1_447_153];

/// How many different primes a sequence draws from: testing a large number for primality is slow.
const PRIME_POOL: usize = 128;

pub(super) fn progression(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let steps = (s.len as i128 - 1).max(1);
    let widest = (s.hi.saturating_sub(s.lo) / steps).max(1);
    let step = if c.chance(1, 3) { widest } else { c.log_range(1, widest) };
    let length = step.saturating_mul(steps);
    let mut here = c.range(s.lo, s.hi.saturating_sub(length).max(s.lo));
    let mut values = s.each(|| {
        // A progression that is too long for the range starts again.
        let value = if here > s.hi { s.lo } else { here };
        here = value.saturating_add(step);
        value
    });
    if c.chance(1, 3) {
        values.reverse();
    }
    values
}

pub(super) fn powers_of_two(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    s.each(|| edges::near_a_power_of_two(c, s.lo, s.hi))
}

pub(super) fn primes(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let (lo, hi) = (s.lo.max(2), s.hi.min(i64::MAX.into()));
    let pool: Vec<i128> = (0..s.len.min(PRIME_POOL)).filter_map(|_| next_prime(c.log_range(lo, hi), hi)).collect();
    if pool.is_empty() { spread::mixed(c, s) } else { s.each(|| pool[c.index(pool.len())]) }
}

pub(super) fn multiples(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let factor = c.log_range(1, s.hi.saturating_sub(s.lo));
    multiples_of(c, s, factor)
}

fn multiples_of(c: &mut Choices, s: &Sequence<'_>, factor: i128) -> Vec<i128> {
    let (first, last) = (ceil_div(s.lo, factor), s.hi.div_euclid(factor));
    let fits = last.saturating_sub(first) >= s.len as i128;
    let quotients = if s.distinct && fits { c.distinct(s.len, first, last) } else { s.each(|| c.range(first, last)) };
    quotients.into_iter().map(|quotient| quotient.saturating_mul(factor)).collect()
}

fn ceil_div(n: i128, d: i128) -> i128 {
    n.div_euclid(d) + i128::from(n.rem_euclid(d) != 0)
}

pub(super) fn round(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let digits = |n: i128| i128::from(n.unsigned_abs().checked_ilog10().unwrap_or(0));
    let longest = digits(s.lo).max(digits(s.hi));
    s.each(|| {
        let power = 10_i128.saturating_pow(c.range(0, longest) as u32);
        let value = power.saturating_mul(c.range(1, 9));
        if s.lo < 0 && (s.hi <= 0 || c.chance(1, 2)) { -value } else { value }
    })
}

pub(super) fn moduli(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let modulus = MODULI[c.index(MODULI.len())];
    let mut values = multiples_of(c, s, modulus);
    for value in &mut values {
        *value = value.saturating_add(c.range(-1, 1));
    }
    values
}

pub(super) fn hash_collisions(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let room = s.hi.saturating_sub(s.lo) / s.len as i128;
    let fitting = BUCKETS.partition_point(|buckets| *buckets <= room);
    let buckets = if fitting == 0 { room.max(1) } else { BUCKETS[c.index(fitting)] };
    let positive = buckets.saturating_mul(s.len as i128) <= s.hi;
    let start = if positive { 1.max(ceil_div(s.lo, buckets)) } else { ceil_div(s.lo, buckets) };
    let keys = (0..s.len as i128).map(|i| start.saturating_add(i).saturating_mul(buckets));
    let mut values: Vec<i128> = keys.collect();
    c.shuffle(&mut values);
    values
}
