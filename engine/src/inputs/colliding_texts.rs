//! Texts with the same hash, for the base and the modulus in a source.

use crate::tuning::{MAX_COLLISION_BASES, MAX_COLLISION_MODULI, MIN_COLLISION_MODULUS};
use rebut_format::language::Format;
use rebut_generators::{Choices, PolynomialHash, is_prime};
use std::collections::BTreeSet;

/// Returns pairs of different texts that a polynomial hash does not tell apart, over the alphabets of a format: for each
/// prime modulus among the constants of the sources and each other constant that may be the base. The pairs depend on
/// the format and the constants only.
pub fn colliding_texts(format: &Format, constants: &[i128]) -> Vec<[Vec<u8>; 2]> {
    let numbers = || constants.iter().filter_map(|constant| u64::try_from(*constant).ok());
    let moduli: Vec<u64> = numbers()
        .filter(|number| (MIN_COLLISION_MODULUS..1 << 32).contains(number) && is_prime(*number))
        .take(MAX_COLLISION_MODULI)
        .collect();
    if moduli.is_empty() {
        return Vec::new();
    }
    let alphabets: BTreeSet<&[u8]> = format.fields.iter().filter_map(|field| field.alphabet()).collect();
    // A base is mostly a prime, such as 31 or 131.
    let mut bases: Vec<u64> = numbers().filter(|number| !moduli.contains(number)).collect();
    bases.sort_by_key(|number| (!is_prime(*number), *number));
    bases.truncate(MAX_COLLISION_BASES);
    let hashes = moduli.iter().flat_map(|modulus| bases.iter().map(|base| (*base, *modulus)));
    let mut choices = Choices::from_seed(0, 0);
    hashes
        .flat_map(|(base, modulus)| alphabets.iter().map(move |letters| (PolynomialHash { base, modulus }, *letters)))
        .filter_map(|(hash, letters)| hash.draw_collision(&mut choices, letters))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn collisions_need_a_prime_modulus_a_base_and_a_text() {
        let texts = Format::from_text("s; t where s, t over \"a-z\"; 1 <= len(s), len(t) <= 100").unwrap();
        let count = |constants: &[i128]| colliding_texts(&texts, constants).len();
        assert_eq!(count(&[131, 1_000_000_007]), 1);
        assert_eq!(count(&[31, 131, 100_005, 998_244_353, 1_000_000_007]), 6);
        // Limits are no moduli, and nothing is a hash without a base.
        assert_eq!(count(&[131, 1_000_000, 1_000_000_000]), 0);
        assert_eq!(count(&[1_000_000_007]), 0);
        let numbers = Format::from_text("n; a[n] where 1 <= n <= 9; 1 <= a <= 9").unwrap();
        assert_eq!(colliding_texts(&numbers, &[131, 1_000_000_007]).len(), 0);
    }
}
