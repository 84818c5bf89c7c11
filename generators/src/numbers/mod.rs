//! Sequences of integers with a habit.
//!
//! Uniform numbers hardly ever tie, are never sorted and never touch their bounds, so most mistakes survive them. Each
//! shape here has one such habit. A shape only proposes values: [`NumberShape::make`] moves them into the range and,
//! where they must differ, apart, so that no shape needs to restate what a sequence has to satisfy.

mod apart;
mod arithmetic;
mod extreme;
mod few;
mod order;
mod profile;
mod signs;
mod spread;

use crate::choices::Choices;

/// What a sequence must satisfy.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// The number of values.
    pub len: usize,
    /// The smallest value allowed.
    pub lo: i128,
    /// The largest value allowed.
    pub hi: i128,
    /// Constants found in the sources of the submissions on trial. Those out of range are ignored.
    pub hints: &'a [i128],
    /// Whether the values must differ from each other, as far as the range holds enough of them.
    pub distinct: bool,
}

impl Sequence<'_> {
    /// One value per place.
    fn each(&self, mut value: impl FnMut() -> i128) -> Vec<i128> {
        (0..self.len).map(|_| value()).collect()
    }

    /// The value of the range nearest zero.
    fn simplest(&self) -> i128 {
        0.clamp(self.lo, self.hi)
    }

    /// The largest distance between two values.
    fn span(&self) -> u128 {
        self.hi.abs_diff(self.lo)
    }

    /// The same range, with another number of values.
    fn with_len(&self, len: usize) -> Self {
        Sequence { len, ..*self }
    }
}

/// A named habit of a sequence.
#[derive(Debug)]
pub struct NumberShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &Sequence<'_>) -> Vec<i128>,
}

impl NumberShape {
    /// A sequence with this habit, exactly as long as asked for and with every value in range.
    #[must_use]
    pub fn make(&self, c: &mut Choices, sequence: &Sequence<'_>) -> Vec<i128> {
        let Sequence { len, lo, hi, distinct, .. } = *sequence;
        if len == 0 || lo >= hi {
            return vec![lo; len];
        }
        let mut values = (self.make)(c, sequence);
        for value in &mut values {
            *value = (*value).clamp(lo, hi);
        }
        values.resize(len, lo);
        if distinct { apart::move_apart(values, lo, hi) } else { values }
    }
}

/// Every habit of sequences. The first is the plain one.
pub const NUMBER_SHAPES: &[NumberShape] = &[
    NumberShape { name: "uniform", doc: "every value equally likely", make: spread::uniform },
    NumberShape { name: "log-uniform", doc: "every order of magnitude equally likely", make: spread::log_uniform },
    NumberShape { name: "near-zero", doc: "small values of both signs around zero", make: spread::near_zero },
    NumberShape { name: "permutation", doc: "consecutive values, shuffled", make: spread::permutation },
    NumberShape { name: "outliers", doc: "small values with a few huge ones among them", make: spread::outliers },
    NumberShape { name: "constant", doc: "one value throughout", make: few::constant },
    NumberShape { name: "two-values", doc: "two values in random order", make: few::two_values },
    NumberShape { name: "few-distinct", doc: "a handful of different values", make: few::few_distinct },
    NumberShape { name: "one-odd-one-out", doc: "one value throughout, except in one place", make: few::one_odd },
    NumberShape { name: "near-duplicates", doc: "values that differ by at most one", make: few::near_duplicates },
    NumberShape { name: "runs", doc: "stretches of equal values", make: few::runs },
    NumberShape { name: "extremes", doc: "only the smallest and the largest value", make: extreme::extremes },
    NumberShape { name: "near-bounds", doc: "the bounds and the two values next to each", make: extreme::near_bounds },
    NumberShape { name: "maximal", doc: "the largest value, or nearly, throughout", make: extreme::maximal },
    NumberShape { name: "overflow", doc: "values around the limits of machine integers", make: extreme::overflow },
    NumberShape { name: "overflow-sum", doc: "values whose sum just passes such a limit", make: extreme::overflow_sum },
    NumberShape { name: "hints", doc: "constants of the submissions, and their neighbours", make: extreme::hints },
    NumberShape { name: "sorted", doc: "ascending", make: order::sorted },
    NumberShape { name: "reversed", doc: "descending", make: order::reversed },
    NumberShape {
        name: "nearly-sorted",
        doc: "ascending but for a few swaps of neighbours",
        make: order::nearly_sorted,
    },
    NumberShape { name: "swapped-pair", doc: "ascending but for one swap of any two", make: order::swapped_pair },
    NumberShape { name: "rotated", doc: "ascending, but starting in the middle", make: order::rotated },
    NumberShape { name: "interleaved", doc: "small and large halves alternate", make: order::interleaved },
    NumberShape { name: "sawtooth", doc: "climbs again and again", make: profile::sawtooth },
    NumberShape { name: "mountain", doc: "climbs to a peak, then falls", make: profile::mountain },
    NumberShape { name: "valley", doc: "falls to a low, then climbs", make: profile::valley },
    NumberShape { name: "palindrome", doc: "the same read backwards", make: profile::palindrome },
    NumberShape { name: "periodic", doc: "a short block repeated", make: profile::periodic },
    NumberShape { name: "walk", doc: "each value a small step from the last", make: profile::walk },
    NumberShape { name: "progression", doc: "equal steps from value to value", make: arithmetic::progression },
    NumberShape { name: "powers-of-two", doc: "powers of two and their neighbours", make: arithmetic::powers_of_two },
    NumberShape { name: "primes", doc: "prime numbers", make: arithmetic::primes },
    NumberShape { name: "multiples", doc: "multiples of one number", make: arithmetic::multiples },
    NumberShape { name: "round", doc: "a digit followed by zeros", make: arithmetic::round },
    NumberShape { name: "moduli", doc: "multiples of usual moduli, and neighbours", make: arithmetic::moduli },
    NumberShape {
        name: "hash-collisions",
        doc: "all in one bucket of a hash table",
        make: arithmetic::hash_collisions,
    },
    NumberShape { name: "alternating-signs", doc: "signs alternate", make: signs::alternating },
    NumberShape { name: "zero-sum", doc: "adds up to zero, or nearly", make: signs::zero_sum },
];
