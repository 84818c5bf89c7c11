//! Texts with the same hash, for the bases and the moduli in the sources.

use crate::tuning::{MAX_COLLISION_BASES, MAX_COLLISION_MODULI, MAX_COMMON_BASES, MIN_COLLISION_MODULUS};
use rebut_format::language::Format;
use rebut_generators::{Choices, PolynomialHash, draw_colliding_texts, is_prime};
use std::collections::BTreeSet;

/// Largest modulus for which collisions are known.
const MAX_MODULUS: u64 = (1 << 62) - 1;

/// Returns pairs of different texts with the same polynomial hash, over the alphabets of a format: for each prime
/// modulus among the constants of the sources and each other constant that may be the base, and for all hashes with the most
/// likely ones of these together, since some programs compare two hashes. The pairs depend on the format and the constants only.
pub fn colliding_texts(format: &Format, constants: &[i128]) -> Vec<[Vec<u8>; 2]> {
    let moduli = likely_moduli(constants);
    let bases = likely_bases(constants, &moduli);
    let alphabets: BTreeSet<&[u8]> = format.fields.iter().filter_map(|field| field.alphabet()).collect();
    let single = hashes_of(&bases, &moduli).into_iter().map(|hash| vec![hash]);
    let common = hashes_of(&bases[..bases.len().min(MAX_COMMON_BASES)], &moduli);
    let common = Some(common).filter(|hashes| hashes.len() > 1);
    let mut choices = Choices::from_seed(0, 0);
    single
        .chain(common)
        .flat_map(|hashes| alphabets.iter().map(move |letters| (hashes.clone(), *letters)))
        .filter_map(|(hashes, letters)| draw_colliding_texts(&mut choices, &hashes, letters))
        .collect()
}

/// Returns the primes among some constants that are large enough for a modulus, the largest ones last.
fn likely_moduli(constants: &[i128]) -> Vec<u64> {
    let is_likely = |number: &u64| (MIN_COLLISION_MODULUS..=MAX_MODULUS).contains(number) && is_prime(*number);
    small_numbers(constants).filter(is_likely).take(MAX_COLLISION_MODULI).collect()
}

/// Returns the constants that may be the base of a hash. A base is mostly a prime, such as 31 or 131.
fn likely_bases(constants: &[i128], moduli: &[u64]) -> Vec<u64> {
    let mut bases: Vec<u64> = small_numbers(constants).filter(|number| !moduli.contains(number)).collect();
    bases.sort_by_key(|number| (!is_prime(*number), *number));
    bases.truncate(MAX_COLLISION_BASES);
    bases
}

fn small_numbers(constants: &[i128]) -> impl Iterator<Item = u64> {
    constants.iter().filter_map(|constant| u64::try_from(*constant).ok())
}

/// Returns the hashes with each base and each modulus.
fn hashes_of(bases: &[u64], moduli: &[u64]) -> Vec<PolynomialHash> {
    let with_modulus = |modulus: u64| bases.iter().map(move |base| PolynomialHash { base: *base, modulus });
    moduli.iter().flat_map(|modulus| with_modulus(*modulus)).collect()
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
        assert_eq!(count(&[131, (1 << 61) - 1]), 1);
        // One for each hash, and one for all with two of the bases.
        assert_eq!(count(&[31, 131, 100_005, 998_244_353, 1_000_000_007]), 7);
        // Limits are no moduli, and nothing is a hash without a base.
        assert_eq!(count(&[131, 1_000_000, 1_000_000_000]), 0);
        assert_eq!(count(&[1_000_000_007]), 0);
        let numbers = Format::from_text("n; a[n] where 1 <= n <= 9; 1 <= a <= 9").unwrap();
        assert_eq!(colliding_texts(&numbers, &[131, 1_000_000_007]).len(), 0);
    }

    #[test]
    fn the_last_pair_collides_for_two_hashes() {
        let texts = Format::from_text("s where s over \"a-z\"; 1 <= len(s) <= 100").unwrap();
        let mut pair = colliding_texts(&texts, &[131, 13_331, 998_244_353, 1_000_000_007]).pop().unwrap();
        let hash = |text: &[u8], base, modulus| PolynomialHash { base, modulus }.of_text(text);
        let collides =
            |pair: &[Vec<u8>; 2], base, modulus| hash(&pair[0], base, modulus) == hash(&pair[1], base, modulus);
        if !collides(&pair, 131, 998_244_353) {
            pair.iter_mut().for_each(|text| text.reverse());
        }
        for (base, modulus) in
            [(131, 998_244_353), (13_331, 998_244_353), (131, 1_000_000_007), (13_331, 1_000_000_007)]
        {
            assert!(collides(&pair, base, modulus), "{base} {modulus}");
        }
    }
}
