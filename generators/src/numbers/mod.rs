//! Shapes of integer sequences.
//!
//! Uniform numbers rarely tie, are never sorted and never reach their bounds, so they do not reveal most mistakes. Each
//! shape here has one such property. A shape only proposes values: [`NumberShape::draw_sequence`] moves them into the
//! range and makes them distinct if required, so that no shape has to restate the requirements on a sequence.

mod arithmetic;
mod distribution;
mod extreme;
mod few_values;
mod worst_case;

use crate::choices::Choices;
pub use worst_case::WORST_CASE_NUMBER_SHAPES;

/// The requirements on a sequence.
#[derive(Debug, Clone, Copy)]
pub struct SequenceRequirements<'a> {
    /// Number of values.
    pub len: usize,
    /// The smallest value allowed.
    pub lo: i128,
    /// The largest value allowed.
    pub hi: i128,
    /// Constants from the source code of the submissions. Those out of range are ignored.
    pub hints: &'a [i128],
    /// Whether the values must be distinct, if the range contains enough of them.
    pub distinct: bool,
}

impl SequenceRequirements<'_> {
    /// Calls `value` once per position.
    fn repeat_value(&self, mut value: impl FnMut() -> i128) -> Vec<i128> {
        (0..self.len).map(|_| value()).collect()
    }

    /// Returns the value of the range nearest zero.
    fn simplest_value(&self) -> i128 {
        0.clamp(self.lo, self.hi)
    }

    /// Returns the largest distance between two values.
    fn max_distance(&self) -> u128 {
        self.hi.abs_diff(self.lo)
    }

    /// Returns the same requirements with another number of values.
    fn with_len(&self, len: usize) -> Self {
        SequenceRequirements { len, ..*self }
    }
}

/// A named way to generate a sequence.
#[derive(Debug)]
pub struct NumberShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the sequences in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &SequenceRequirements<'_>) -> Vec<i128>,
}

impl NumberShape {
    /// Draws a sequence of this shape, of exactly the required length and with every value in range.
    #[must_use]
    pub fn draw_sequence(&self, c: &mut Choices, sequence: &SequenceRequirements<'_>) -> Vec<i128> {
        let SequenceRequirements { len, lo, hi, distinct, .. } = *sequence;
        if len == 0 || lo >= hi {
            return vec![lo; len];
        }
        let mut values = (self.make)(c, sequence);
        for value in &mut values {
            *value = (*value).clamp(lo, hi);
        }
        values.resize(len, lo);
        if distinct { extreme::move_apart(values, lo, hi) } else { values }
    }
}

/// All number shapes. The first is the default.
pub const NUMBER_SHAPES: &[NumberShape] = &[
    NumberShape { name: "uniform", doc: "every value equally likely", make: distribution::uniform_values },
    NumberShape {
        name: "log-uniform",
        doc: "every order of magnitude equally likely",
        make: distribution::log_uniform_values,
    },
    NumberShape {
        name: "near-zero",
        doc: "small values of both signs around zero",
        make: distribution::near_zero_values,
    },
    NumberShape { name: "permutation", doc: "consecutive values, shuffled", make: distribution::permutation_values },
    NumberShape {
        name: "outliers",
        doc: "small values with a few huge ones among them",
        make: distribution::outlier_values,
    },
    NumberShape { name: "constant", doc: "one value throughout", make: few_values::constant_values },
    NumberShape { name: "two-values", doc: "two values in random order", make: few_values::two_value_mix },
    NumberShape { name: "few-distinct", doc: "a handful of different values", make: few_values::few_distinct_values },
    NumberShape {
        name: "one-odd-one-out",
        doc: "one value throughout, except in one place",
        make: few_values::one_odd_value,
    },
    NumberShape {
        name: "near-duplicates",
        doc: "values that differ by at most one",
        make: few_values::near_duplicate_values,
    },
    NumberShape { name: "runs", doc: "stretches of equal values", make: few_values::run_values },
    NumberShape { name: "extremes", doc: "only the smallest and the largest value", make: extreme::extreme_values },
    NumberShape {
        name: "near-bounds",
        doc: "the bounds and the two values next to each",
        make: extreme::near_bound_values,
    },
    NumberShape { name: "maximal", doc: "the largest value, or nearly, throughout", make: extreme::maximal_values },
    NumberShape {
        name: "overflow",
        doc: "values around the limits of machine integers",
        make: extreme::overflow_values,
    },
    NumberShape {
        name: "overflow-sum",
        doc: "values with a sum just beyond such a limit",
        make: extreme::overflow_sum_values,
    },
    NumberShape {
        name: "hints",
        doc: "constants of the submissions, and their neighbours",
        make: extreme::hint_values,
    },
    NumberShape { name: "sorted", doc: "ascending", make: arithmetic::sorted_values },
    NumberShape { name: "reversed", doc: "descending", make: arithmetic::reversed_values },
    NumberShape {
        name: "nearly-sorted",
        doc: "ascending except for a few swaps of neighbours",
        make: arithmetic::nearly_sorted_values,
    },
    NumberShape {
        name: "swapped-pair",
        doc: "ascending except for one swap of any two",
        make: arithmetic::swapped_pair_values,
    },
    NumberShape { name: "rotated", doc: "ascending, but starting in the middle", make: arithmetic::rotated_values },
    NumberShape { name: "interleaved", doc: "small and large halves alternate", make: arithmetic::interleaved_values },
    NumberShape { name: "sawtooth", doc: "rises again and again", make: arithmetic::sawtooth_values },
    NumberShape { name: "mountain", doc: "rises to a peak, then falls", make: arithmetic::mountain_values },
    NumberShape { name: "valley", doc: "falls to a low, then rises", make: arithmetic::valley_values },
    NumberShape { name: "palindrome", doc: "a palindrome", make: arithmetic::palindrome_values },
    NumberShape { name: "periodic", doc: "a short block repeated", make: arithmetic::periodic_values },
    NumberShape { name: "walk", doc: "each value a small step from the last", make: arithmetic::random_walk_values },
    NumberShape { name: "progression", doc: "equal steps from value to value", make: arithmetic::progression_values },
    NumberShape {
        name: "powers-of-two",
        doc: "powers of two and their neighbours",
        make: arithmetic::power_of_two_values,
    },
    NumberShape { name: "primes", doc: "prime numbers", make: arithmetic::prime_values },
    NumberShape { name: "multiples", doc: "multiples of one number", make: arithmetic::multiple_values },
    NumberShape { name: "round", doc: "a digit followed by zeros", make: arithmetic::round_values },
    NumberShape { name: "moduli", doc: "multiples of common moduli, and neighbours", make: arithmetic::modulus_values },
    NumberShape {
        name: "hash-collisions",
        doc: "all in one bucket of a hash table",
        make: arithmetic::hash_collision_values,
    },
    NumberShape { name: "alternating-signs", doc: "signs alternate", make: arithmetic::alternating_sign_values },
    NumberShape { name: "zero-sum", doc: "adds up to zero, or nearly", make: arithmetic::zero_sum_values },
];
