//! Sequences that are the worst case of a common algorithm. They are never drawn at random.

mod hash_tables;

use super::NumberShape;
use crate::choices::Choices;
use crate::numbers::{SequenceRequirements, distribution};
use crate::primes::{largest_fibonacci_pair, largest_primes};
use crate::shape_family::Shape;
use crate::tuning::{LARGE_PRIME_COUNT, MAX_DISTINCT_PRIMES};

/// The worst cases among the number shapes, which are drawn only by name.
pub const WORST_CASE_NUMBER_SHAPES: &[NumberShape] = &[
    Shape::new(
        "anti-quicksort-middle",
        "the middle of each range is its largest value; quadratic for a quicksort that splits there",
        anti_middle_pivot_values,
    ),
    Shape::new(
        "anti-quicksort-median",
        "the median of the first, the middle and the last value is the second largest of each range",
        anti_median_pivot_values,
    ),
    Shape::new(
        "anti-unordered-map",
        "keys of one bucket of libstdc++'s `unordered_map`, after others that make it grow",
        hash_tables::anti_unordered_map_values,
    ),
    Shape::new(
        "anti-python-dict",
        "keys that Python's `dict` or `set` probes one after the other",
        hash_tables::anti_python_dict_values,
    ),
    Shape::new(
        "anti-linear-probing",
        "consecutive keys, then keys of the first slot in a hash table with a power of two of slots",
        hash_tables::anti_linear_probing_values,
    ),
    Shape::new(
        "anti-java-hashmap",
        "keys of one bucket of Java's `HashMap`, all with the same hash if they can be `long`",
        hash_tables::anti_java_hashmap_values,
    ),
    Shape::new(
        "anti-java-pairs",
        "two columns with pairs of the same hash 31 * x + y, as records, lists and `Objects.hash` have it",
        hash_tables::anti_java_pair_values,
    ),
    Shape::new("anti-trial-division", "the largest primes of the range", largest_prime_values),
    Shape::new(
        "anti-gcd",
        "the two largest Fibonacci numbers of the range, for which Euclid's algorithm takes the most steps",
        fibonacci_values,
    ),
    Shape::new(
        "anti-subtraction",
        "the smallest and the largest value in turn, for which Euclid's algorithm by subtraction takes most steps",
        smallest_and_largest_values,
    ),
    Shape::new(
        "anti-matching",
        "two columns with the edges of graphs/anti-matching, for a left and a right side",
        anti_matching_ends,
    ),
    Shape::new(
        "anti-convex-hull",
        "two columns with the points of a parabola, all of which are corners of their convex hull",
        parabola_values,
    ),
];

/// The points of a parabola: one column rises in single steps, the other one has the squares. The draws of the two columns
/// must differ. If the range is too small for that many squares, the other points are inside.
fn parabola_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let is_square = c.draw_chance(1, 2);
    let width = s.hi.saturating_sub(s.lo).max(0);
    let half = width.isqrt().min(s.len as i128 / 2 + 1);
    let corners = 2 * half + 1;
    (0..s.len as i128)
        .map(|place| {
            let (rank, above) = if place < corners {
                (place, 0)
            } else {
                // Above the lower half of the parabola, each row of points higher than the one before.
                let inside = place - corners;
                (half / 2 + inside % (half + 1), 1 + inside / (half + 1))
            };
            let offset = if is_square { (rank - half) * (rank - half) + above } else { rank };
            s.lo + offset.min(width)
        })
        .collect()
}

/// The left half of the vertices is a chain: each is adjacent to the vertex of the same number, and to the one before.
/// All others are adjacent only to the end of the chain, so that they find no partner. The draws of the two columns
/// must differ.
fn anti_matching_ends(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let is_left = c.draw_chance(1, 2);
    let vertices = s.hi.saturating_sub(s.lo).saturating_add(1);
    let chain = (vertices / 2).min(s.len as i128 / 3).max(1);
    let end = |edge: i128| match edge {
        _ if edge < 2 * chain && is_left => edge / 2,
        _ if edge < 2 * chain => (edge / 2 - edge % 2).max(0),
        _ if is_left => edge - chain,
        _ => chain - 1,
    };
    (0..s.len as i128).map(|edge| s.lo.saturating_add(end(edge))).collect()
}

// Numbers on which factoring and Euclid's algorithm take the longest.

fn largest_prime_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let primes =
        largest_primes(s.lo, s.hi, if s.distinct { s.len.min(MAX_DISTINCT_PRIMES) } else { LARGE_PRIME_COUNT });
    match primes.len() {
        0 => distribution::mixed_values(c, s),
        _ if s.distinct => primes.into_iter().cycle().take(s.len).collect(),
        count => s.repeat_value(|| primes[c.draw_index(count)]),
    }
}

fn fibonacci_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let (smaller, larger) = largest_fibonacci_pair(s.hi);
    let mut takes_larger = c.draw_chance(1, 2);
    s.repeat_value(|| {
        // Neighbours are a pair, and so are the lines of two columns if the draws above differ.
        takes_larger = !takes_larger;
        if takes_larger { larger } else { smaller }
    })
}

/// A zero divides nothing, so the smallest value is at least one if possible.
fn smallest_and_largest_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let smallest = s.lo.max(1).min(s.hi);
    let mut takes_largest = c.draw_chance(1, 2);
    s.repeat_value(|| {
        takes_largest = !takes_largest;
        if takes_largest { s.hi } else { smallest }
    })
}

// Sequences that a quicksort with a fixed rule for its pivot splits as badly as possible.
//
// Both are built backwards, from the sorted sequence: of the range `0..=last` the largest values go where the rule looks
// for the pivot, so that the partition only moves them to the end and leaves the next smaller range.

fn anti_middle_pivot_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = ascending_values(c, s);
    for last in 1..values.len() {
        values.swap(last / 2, last);
    }
    values
}

fn anti_median_pivot_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = ascending_values(c, s);
    // Each partition takes off the largest two values.
    let first_end = if values.len().is_multiple_of(2) { 3 } else { 2 };
    for last in (first_end..values.len()).step_by(2) {
        values.swap(last / 2, last - 1);
    }
    values
}

/// Returns ascending values, different ones if the range has enough.
fn ascending_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let steps = (s.len as i128 - 1).max(1);
    let distance = s.hi.saturating_sub(s.lo);
    let step = distance / steps;
    if step == 0 {
        return (0..s.len as i128).map(|rank| s.lo.saturating_add(rank.saturating_mul(distance) / steps)).collect();
    }
    let start = if c.draw_chance(1, 2) { s.lo } else { s.simplest_value().min(s.hi.saturating_sub(steps)) };
    (0..s.len as i128).map(|rank| start.saturating_add(rank)).collect()
}
