//! Numbers with properties that algorithms of number theory depend on: primes and what passes for them, squares of primes,
//! products of two primes, and numbers with many divisors.

use crate::choices::Choices;
use crate::primes::{largest_primes, next_prime};

/// Composite numbers that pass the test of Miller and Rabin to base 2, most of them also to 3 and further bases, and
/// Carmichael numbers. The last ones are the smallest that pass for the first 4, 5, 6, 7 and 9 primes
/// (<https://oeis.org/A001262>, <https://oeis.org/A072276>, <https://oeis.org/A014233>, <https://oeis.org/A002997>).
const PSEUDOPRIMES: [i128; 24] = [
    561,
    1_105,
    1_729,
    2_047,
    2_465,
    3_277,
    4_033,
    4_681,
    8_321,
    15_841,
    29_341,
    1_373_653,
    1_530_787,
    1_987_021,
    2_284_453,
    3_116_107,
    25_326_001,
    161_304_001,
    960_946_321,
    3_215_031_751,
    2_152_302_898_747,
    3_474_749_660_383,
    341_550_071_728_321,
    3_825_123_056_546_413_051,
];

/// The numbers with the most divisors among those with up to this many digits (<https://oeis.org/A066150>).
const MANY_DIVISORS: [i128; 18] = [
    6,
    60,
    840,
    7_560,
    83_160,
    720_720,
    8_648_640,
    73_513_440,
    735_134_400,
    6_983_776_800,
    97_772_875_200,
    963_761_198_400,
    9_316_358_251_200,
    97_821_761_637_600,
    866_421_317_361_600,
    8_086_598_962_041_600,
    74_801_040_398_884_800,
    897_612_484_786_617_600,
];

/// Draws a number within a range that has such a property, if there is one.
pub fn draw_notable_number(c: &mut Choices, lo: i128, hi: i128) -> Option<i128> {
    let (lo, hi) = (lo.max(2), hi.min(i64::MAX.into()));
    if lo > hi {
        return None;
    }
    let way = c.draw_index(6);
    let size = c.draw_log_range(lo, hi);
    let root = size.isqrt();
    let number = match way {
        0 => draw_entry(c, &PSEUDOPRIMES, lo, hi),
        1 => draw_entry(c, &MANY_DIVISORS, lo, hi),
        2 => largest_primes(lo, hi, 1).first().copied(),
        3 => next_prime(size, hi),
        4 => next_prime(root, hi).map(|prime| prime * prime),
        _ => next_prime(root, hi).and_then(|prime| next_prime(prime + 1, hi)?.checked_mul(prime)),
    };
    number.filter(|number| (lo..=hi).contains(number))
}

fn draw_entry(c: &mut Choices, table: &[i128], lo: i128, hi: i128) -> Option<i128> {
    let within = || table.iter().filter(|number| (lo..=hi).contains(*number));
    let index = c.draw_index(within().count());
    within().nth(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_prime(number: i128) -> bool {
        next_prime(number, number).is_some()
    }

    /// Returns the number of divisors by trial division.
    fn count_divisors(mut number: i128) -> i128 {
        let (mut count, mut divisor) = (1, 2);
        while number > 1 {
            let mut exponent = 1;
            while number % divisor == 0 {
                number /= divisor;
                exponent += 1;
            }
            count *= exponent;
            divisor += 1;
        }
        count
    }

    #[test]
    fn pseudoprimes_pass_the_test_of_fermat_and_are_composite() {
        let power = |base: i128, mut exponent: i128, modulus: i128| {
            let (mut square, mut result) = (base, 1);
            while exponent > 0 {
                if exponent % 2 == 1 {
                    result = multiply(result, square, modulus);
                }
                square = multiply(square, square, modulus);
                exponent /= 2;
            }
            result
        };
        for number in PSEUDOPRIMES {
            assert!(!is_prime(number), "{number}");
            assert_eq!(power(2, number - 1, number), 1, "{number}");
        }
    }

    fn multiply(one: i128, other: i128, modulus: i128) -> i128 {
        // Both are below 2^62, so the product has at most 124 bits.
        one * other % modulus
    }

    #[test]
    fn numbers_with_many_divisors_have_them() {
        let counts = MANY_DIVISORS.map(count_divisors);
        assert_eq!(counts[..9], [4, 12, 32, 64, 128, 240, 448, 768, 1344]);
        assert_eq!(counts[17], 103_680);
    }

    #[test]
    fn drawn_numbers_are_in_range_and_of_every_kind() {
        let mut choices = Choices::from_seed(1, 0);
        let drawn: Vec<i128> = (0..500).filter_map(|_| draw_notable_number(&mut choices, 2, 1_000_000_000)).collect();
        assert!(drawn.iter().all(|number| (2..=1_000_000_000).contains(number)));
        let is_prime_square = |number: &&i128| number.isqrt().pow(2) == **number && is_prime(number.isqrt());
        assert!(drawn.iter().filter(is_prime_square).count() > 20);
        assert!(drawn.contains(&999_999_937) && drawn.contains(&1_373_653) && drawn.contains(&735_134_400));
        for (lo, hi) in [(i128::MIN, i128::MAX), (0, 1), (-5, -3), (24, 28), (i128::MAX, i128::MAX), (2, 2)] {
            for _ in 0..200 {
                let number = draw_notable_number(&mut choices, lo, hi);
                assert!(number.is_none_or(|number| (lo..=hi).contains(&number)), "{lo}..={hi}: {number:?}");
            }
        }
    }
}
