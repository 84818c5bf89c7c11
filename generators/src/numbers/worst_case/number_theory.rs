//! Numbers on which factoring and Euclid's algorithm take the longest.

use crate::choices::Choices;
use crate::numbers::{SequenceRequirements, distribution};
use crate::primes::{largest_fibonacci_pair, largest_primes};

/// Number of different primes.
const PRIME_COUNT: usize = 16;

/// Maximum number of different primes where all numbers must differ: testing more takes too long, and the other numbers
/// are moved apart.
const MAX_DISTINCT_PRIMES: usize = 1024;

pub(super) fn largest_prime_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let primes = largest_primes(s.lo, s.hi, if s.distinct { s.len.min(MAX_DISTINCT_PRIMES) } else { PRIME_COUNT });
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
