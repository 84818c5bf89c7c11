//! Numbers on which factoring and Euclid's algorithm take the longest.

use crate::choices::Choices;
use crate::numbers::{SequenceRequirements, distribution};
use crate::primes::{largest_fibonacci_pair, largest_primes};
use crate::tuning::{LARGE_PRIME_COUNT, MAX_DISTINCT_PRIMES};

pub(super) fn largest_prime_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let primes =
        largest_primes(s.lo, s.hi, if s.distinct { s.len.min(MAX_DISTINCT_PRIMES) } else { LARGE_PRIME_COUNT });
    match primes.len() {
        0 => distribution::mixed_values(c, s),
        _ if s.distinct => primes.into_iter().cycle().take(s.len).collect(),
        count => s.repeat_value(|| primes[c.draw_index(count)]),
    }
}

pub(super) fn fibonacci_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let (smaller, larger) = largest_fibonacci_pair(s.hi);
    let mut takes_larger = c.draw_chance(1, 2);
    s.repeat_value(|| {
        // Neighbours are a pair, and so are the lines of two columns if the draws above differ.
        takes_larger = !takes_larger;
        if takes_larger { larger } else { smaller }
    })
}

/// A zero divides nothing, so the smallest value is at least one if possible.
pub(super) fn smallest_and_largest_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let smallest = s.lo.max(1).min(s.hi);
    let mut takes_largest = c.draw_chance(1, 2);
    s.repeat_value(|| {
        takes_largest = !takes_largest;
        if takes_largest { s.hi } else { smallest }
    })
}
