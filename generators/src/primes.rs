//! Primes up to 63 bits, and Fibonacci numbers.

/// Small primes for trial division. As Miller-Rabin witnesses they decide the primality of every 64-bit number.
const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Upper bound of the gaps between primes below 2^63.
const MAX_PRIME_GAP: i128 = 1_600;

/// Returns the first prime in `from..=last`, if there is one below 2^63.
pub(crate) fn next_prime(from: i128, last: i128) -> Option<i128> {
    let last = last.min(i64::MAX.into()).min(from.saturating_add(MAX_PRIME_GAP));
    (from.max(2)..=last).find(|n| is_prime(*n as u64))
}

/// Returns up to `count` primes in `lo..=hi` below 2^63, the largest first. Only the upper end of the range is searched: it is
/// `count` times as long as the largest gap, so no prime is missed.
#[must_use]
pub fn largest_primes(lo: i128, hi: i128, count: usize) -> Vec<i128> {
    let hi = hi.min(i64::MAX.into());
    let lo = lo.max(2).max(hi.saturating_sub(MAX_PRIME_GAP.saturating_mul(count as i128)));
    (lo..=hi).rev().filter(|n| is_prime(*n as u64)).take(count).collect()
}

/// Returns the two largest consecutive Fibonacci numbers of at most `hi`, the smaller first; ones if `hi` is smaller.
#[must_use]
pub fn largest_fibonacci_pair(hi: i128) -> (i128, i128) {
    let (mut smaller, mut larger) = (1_i128, 1_i128);
    while let Some(next) = smaller.checked_add(larger).filter(|next| *next <= hi) {
        (smaller, larger) = (larger, next);
    }
    (smaller, larger)
}

/// Returns true if a number is prime, by the Miller-Rabin test with bases that suffice for 64 bits.
#[must_use]
pub fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    for p in WITNESSES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    WITNESSES.iter().all(|witness| passes_miller_rabin(n, *witness))
}

/// Returns true if odd `n` is prime or a strong pseudoprime to base `witness`.
fn passes_miller_rabin(n: u64, witness: u64) -> bool {
    let twos = (n - 1).trailing_zeros();
    let mut power = power_modulo(witness, (n - 1) >> twos, n);
    if power == 1 || power == n - 1 {
        return true;
    }
    (1..twos).any(|_| {
        power = multiply_modulo(power, power, n);
        power == n - 1
    })
}

fn power_modulo(mut base: u64, mut exponent: u64, n: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply_modulo(result, base, n);
        }
        base = multiply_modulo(base, base, n);
        exponent >>= 1;
    }
    result
}

fn multiply_modulo(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_prime_agrees_with_trial_division() {
        let by_division = |n: u64| n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        for n in 0..5_000 {
            assert_eq!(is_prime(n), by_division(n), "{n}");
        }
    }

    #[test]
    fn large_primes_and_strong_pseudoprimes_are_classified() {
        assert!(is_prime(9_223_372_036_854_775_783));
        assert!(!is_prime(3_215_031_751));
        assert!(!is_prime(3_825_123_056_546_413_051));
    }

    #[test]
    fn next_prime_stops_at_the_last_allowed_number() {
        assert_eq!(next_prime(24, 28), None);
        assert_eq!(next_prime(24, 29), Some(29));
        assert_eq!(next_prime(-5, 29), Some(2));
        assert_eq!(next_prime(i128::MAX, i128::MAX), None);
    }

    #[test]
    fn fibonacci_numbers_stop_at_any_upper_bound() {
        assert_eq!(largest_fibonacci_pair(i128::MIN), (1, 1));
        assert_eq!(largest_fibonacci_pair(88), (34, 55));
        assert_eq!(largest_fibonacci_pair(89), (55, 89));
        let (smaller, larger) = largest_fibonacci_pair(i128::MAX);
        assert_eq!(smaller.checked_add(larger), None);
    }
}
