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
use crate::shape_family::Shape;
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
pub type NumberShape = Shape<fn(&mut Choices, &SequenceRequirements<'_>) -> Vec<i128>>;

impl NumberShape {
    /// Draws a sequence of this shape, of exactly the required length and with every value in range.
    #[must_use]
    pub fn draw_sequence(&self, c: &mut Choices, sequence: &SequenceRequirements<'_>) -> Vec<i128> {
        let SequenceRequirements { len, lo, hi, distinct, .. } = *sequence;
        if len == 0 || lo >= hi {
            return vec![lo; len];
        }
        let mut values = (self.draw)(c, sequence);
        for value in &mut values {
            *value = (*value).clamp(lo, hi);
        }
        values.resize(len, lo);
        if distinct { extreme::move_apart(values, lo, hi) } else { values }
    }
}

/// All number shapes. The first is the default.
pub const NUMBER_SHAPES: &[NumberShape] = &[
    Shape::new("uniform", "every value equally likely", distribution::uniform_values),
    Shape::new("log-uniform", "every order of magnitude equally likely", distribution::log_uniform_values),
    Shape::new("near-zero", "small values of both signs around zero", distribution::near_zero_values),
    Shape::new("permutation", "consecutive values, shuffled", distribution::permutation_values),
    Shape::new("outliers", "small values with a few huge ones among them", distribution::outlier_values),
    Shape::new("constant", "one value throughout", few_values::constant_values),
    Shape::new("two-values", "two values in random order", few_values::two_value_mix),
    Shape::new("few-distinct", "a handful of different values", few_values::few_distinct_values),
    Shape::new("one-odd-one-out", "one value throughout, except in one place", few_values::one_odd_value),
    Shape::new("near-duplicates", "values that differ by at most one", few_values::near_duplicate_values),
    Shape::new("runs", "stretches of equal values", few_values::run_values),
    Shape::new("extremes", "only the smallest and the largest value", extreme::extreme_values),
    Shape::new("near-bounds", "the bounds and the two values next to each", extreme::near_bound_values),
    Shape::new("maximal", "the largest value, or nearly, throughout", extreme::maximal_values),
    Shape::new("overflow", "values around the limits of machine integers", extreme::overflow_values),
    Shape::new("overflow-sum", "values with a sum just beyond such a limit", extreme::overflow_sum_values),
    Shape::new("hints", "constants of the submissions, and their neighbours", extreme::hint_values),
    Shape::new("sorted", "ascending", arithmetic::sorted_values),
    Shape::new("reversed", "descending", arithmetic::reversed_values),
    Shape::new("nearly-sorted", "ascending except for a few swaps of neighbours", arithmetic::nearly_sorted_values),
    Shape::new("swapped-pair", "ascending except for one swap of any two", arithmetic::swapped_pair_values),
    Shape::new("rotated", "ascending, but starting in the middle", arithmetic::rotated_values),
    Shape::new("interleaved", "small and large halves alternate", arithmetic::interleaved_values),
    Shape::new("sawtooth", "rises again and again", arithmetic::sawtooth_values),
    Shape::new("mountain", "rises to a peak, then falls", arithmetic::mountain_values),
    Shape::new("valley", "falls to a low, then rises", arithmetic::valley_values),
    Shape::new("palindrome", "a palindrome", arithmetic::palindrome_values),
    Shape::new("periodic", "a short block repeated", arithmetic::periodic_values),
    Shape::new("walk", "each value a small step from the last", arithmetic::random_walk_values),
    Shape::new("progression", "equal steps from value to value", arithmetic::progression_values),
    Shape::new("powers-of-two", "powers of two and their neighbours", arithmetic::power_of_two_values),
    Shape::new("primes", "prime numbers", arithmetic::prime_values),
    Shape::new("multiples", "multiples of one number", arithmetic::multiple_values),
    Shape::new("round", "a digit followed by zeros", arithmetic::round_values),
    Shape::new("moduli", "multiples of common moduli, and neighbours", arithmetic::modulus_values),
    Shape::new("hash-collisions", "all in one bucket of a hash table", arithmetic::hash_collision_values),
    Shape::new("alternating-signs", "signs alternate", arithmetic::alternating_sign_values),
    Shape::new("zero-sum", "adds up to zero, or nearly", arithmetic::zero_sum_values),
];
