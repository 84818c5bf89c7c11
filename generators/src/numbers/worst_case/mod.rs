//! Sequences that are the worst case of a common algorithm. They are never drawn at random.

mod convex_hull;
mod hash_tables;
mod java_maps;
mod matching;
mod number_theory;
mod quicksort;

use super::NumberShape;

/// The worst cases among the number shapes, which are drawn only by name.
pub const WORST_CASE_NUMBER_SHAPES: &[NumberShape] = &[
    NumberShape {
        name: "anti-quicksort-middle",
        doc: "the middle of each range is its largest value; quadratic for a quicksort that splits there",
        make: quicksort::anti_middle_pivot_values,
    },
    NumberShape {
        name: "anti-quicksort-median",
        doc: "the median of the first, the middle and the last value is the second largest of each range",
        make: quicksort::anti_median_pivot_values,
    },
    NumberShape {
        name: "anti-unordered-map",
        doc: "keys of one bucket of libstdc++'s `unordered_map`, after others that make it grow",
        make: hash_tables::anti_unordered_map_values,
    },
    NumberShape {
        name: "anti-python-dict",
        doc: "keys that Python's `dict` or `set` probes one after the other",
        make: hash_tables::anti_python_dict_values,
    },
    NumberShape {
        name: "anti-linear-probing",
        doc: "consecutive keys, then keys of the first slot in a hash table with a power of two of slots",
        make: hash_tables::anti_linear_probing_values,
    },
    NumberShape {
        name: "anti-java-hashmap",
        doc: "keys of one bucket of Java's `HashMap`, all with the same hash if they can be `long`",
        make: java_maps::anti_java_hashmap_values,
    },
    NumberShape {
        name: "anti-java-pairs",
        doc: "two columns with pairs of the same hash 31 * x + y, as records, lists and `Objects.hash` have it",
        make: java_maps::anti_java_pair_values,
    },
    NumberShape {
        name: "anti-trial-division",
        doc: "the largest primes of the range",
        make: number_theory::largest_prime_values,
    },
    NumberShape {
        name: "anti-gcd",
        doc: "the two largest Fibonacci numbers of the range, for which Euclid's algorithm takes the most steps",
        make: number_theory::fibonacci_values,
    },
    NumberShape {
        name: "anti-subtraction",
        doc: "the smallest and the largest value in turn, for which Euclid's algorithm by subtraction takes most steps",
        make: number_theory::smallest_and_largest_values,
    },
    NumberShape {
        name: "anti-matching",
        doc: "two columns with the edges of graphs/anti-matching, for a left and a right side",
        make: matching::anti_matching_ends,
    },
    NumberShape {
        name: "anti-convex-hull",
        doc: "two columns with the points of a parabola, all of which are corners of their convex hull",
        make: convex_hull::parabola_values,
    },
];
