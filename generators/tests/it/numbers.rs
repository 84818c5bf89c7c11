use std::collections::BTreeSet;

use rebut_generators::{Choices, NUMBER_SHAPES, SequenceRequirements, WORST_CASE_NUMBER_SHAPES};

const RANGES: &[(i128, i128)] = &[
    (0, 0),
    (0, 1),
    (-1, 0),
    (-1, 1),
    (1, 5),
    (-9, 9),
    (-7, -5),
    (1, 1000),
    (-1_000_000_000, 1_000_000_000),
    (1, 1_000_000_000_000_000_000),
    (-1_000_000_000, 0),
    (500, 1_000_000_000),
    (i64::MIN as i128, i64::MAX as i128),
    (0, u64::MAX as i128),
    (i128::MIN, i128::MAX),
    (i128::MAX - 3, i128::MAX),
    (i128::MIN, i128::MIN + 3),
    (i128::MIN, 0),
    (0, i128::MAX),
];

const HINTS: &[i128] = &[0, 7, 46_341, 1_000_000_007, -3, i128::MAX, i128::MIN];

#[test]
fn every_shape_keeps_length_and_range() {
    for shape in NUMBER_SHAPES.iter().chain(WORST_CASE_NUMBER_SHAPES) {
        for (lo, hi) in RANGES {
            for len in [0, 1, 2, 3, 4, 7, 64, 300] {
                for seed in 0..12 {
                    let hints = if seed % 2 == 0 { HINTS } else { &[] };
                    let sequence = SequenceRequirements { len, lo: *lo, hi: *hi, hints, distinct: seed % 3 == 0 };
                    let values = shape.draw_sequence(&mut Choices::from_seed(seed, 0), &sequence);
                    let context = || format!("{} seed {seed} {sequence:?}: {values:?}", shape.name);
                    assert_eq!(values.len(), len, "{}", context());
                    assert!(values.iter().all(|value| (lo..=hi).contains(&value)), "{}", context());
                    let enough = hi.abs_diff(*lo) >= (len as u128).saturating_sub(1);
                    if sequence.distinct && enough {
                        assert_eq!(BTreeSet::from_iter(&values).len(), len, "{}", context());
                    }
                }
            }
        }
    }
}

#[test]
fn every_shape_accepts_any_replay() {
    let mut lists = Choices::from_seed(3, 0);
    for shape in NUMBER_SHAPES.iter().chain(WORST_CASE_NUMBER_SHAPES) {
        for (lo, hi) in RANGES {
            let list: Vec<u64> =
                (0..lists.draw_below(30)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
            let sequence = SequenceRequirements { len: 9, lo: *lo, hi: *hi, hints: HINTS, distinct: false };
            let values = shape.draw_sequence(&mut Choices::from_draws(list), &sequence);
            assert!(values.iter().all(|value| (lo..=hi).contains(&value)), "{} {sequence:?}", shape.name);
        }
    }
}

#[test]
fn an_empty_range_counts_as_its_lower_bound() {
    for shape in NUMBER_SHAPES.iter().chain(WORST_CASE_NUMBER_SHAPES) {
        let sequence = SequenceRequirements { len: 3, lo: 5, hi: 4, hints: &[], distinct: false };
        assert_eq!(shape.draw_sequence(&mut Choices::from_seed(0, 0), &sequence), [5, 5, 5]);
    }
}

fn is_sorted(values: &[i128]) -> bool {
    values.is_sorted()
}

fn falls(values: &[i128]) -> bool {
    values.is_sorted_by(|a, b| a >= b)
}

fn is_palindrome(values: &[i128]) -> bool {
    values.iter().eq(values.iter().rev())
}

fn distinct(values: &[i128]) -> usize {
    BTreeSet::from_iter(values).len()
}

fn rises_then_falls(values: &[i128]) -> bool {
    (0..=values.len()).any(|peak| is_sorted(&values[..peak]) && falls(&values[peak..]))
}

fn is_prime(n: i128) -> bool {
    n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

/// Draws many sequences of the shape within -10^6..=10^6 and checks that each has the property.
fn check(name: &str, has_property: impl Fn(&[i128]) -> bool) {
    let shape = NUMBER_SHAPES.iter().find(|shape| shape.name == name).unwrap();
    for seed in 0..100 {
        let sequence = SequenceRequirements { len: 40, lo: -1_000_000, hi: 1_000_000, hints: &[1234], distinct: false };
        let values = shape.draw_sequence(&mut Choices::from_seed(seed, 1), &sequence);
        assert!(has_property(&values), "{name} seed {seed}: {values:?}");
    }
}

#[test]
fn shapes_have_their_properties() {
    check("constant", |values| distinct(values) == 1);
    check("two-values", |values| distinct(values) <= 2);
    check("few-distinct", |values| distinct(values) <= 8);
    check("one-odd-one-out", |values| {
        distinct(values) == 2 && values.iter().filter(|v| **v != values[0]).count() % 38 == 1
    });
    check("near-duplicates", |values| values.iter().max().unwrap() - values.iter().min().unwrap() <= 1);
    check("near-zero", |values| values.iter().all(|value| value.abs() <= 10));
    check("permutation", |values| {
        values.iter().max().unwrap() - values.iter().min().unwrap() == 39 && distinct(values) == 40
    });
    check("extremes", |values| values.iter().all(|value| value.abs() == 1_000_000));
    check("near-bounds", |values| values.iter().all(|value| value.abs() >= 999_998));
    check("maximal", |values| {
        values.iter().all(|value| value.abs() >= 999_998) && values.iter().all(|v| v.signum() == values[0].signum())
    });
    check("hints", |values| values.iter().any(|value| value.abs_diff(1234) <= 1));
    check("sorted", is_sorted);
    check("reversed", falls);
    check("rotated", |values| values.windows(2).filter(|pair| pair[0] > pair[1]).count() <= 1);
    check("swapped-pair", |values| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        values.iter().zip(&sorted).filter(|(a, b)| a != b).count() <= 2
    });
    check("nearly-sorted", |values| values.windows(2).filter(|pair| pair[0] > pair[1]).count() <= 11);
    check("mountain", rises_then_falls);
    check("valley", |values| rises_then_falls(&values.iter().map(|value| -value).collect::<Vec<_>>()));
    check("palindrome", is_palindrome);
    check("periodic", |values| (1..=40).any(|period| values[period..] == values[..40 - period]));
    check("progression", |values| values.windows(3).all(|w| w[1] - w[0] == w[2] - w[1]));
    check("powers-of-two", |values| {
        values.iter().all(|v| (-1..=1).any(|off| (v + off).unsigned_abs().is_power_of_two()))
    });
    check("primes", |values| values.iter().all(|value| is_prime(*value)));
    check("hash-collisions", |values| distinct(values) == 40);
    check("alternating-signs", |values| values.windows(2).all(|pair| pair[0].signum() == -pair[1].signum()));
    check("zero-sum", |values| values.iter().sum::<i128>().abs() <= 1);
}

#[test]
fn sums_pass_the_limits_of_machine_integers() {
    let shape = NUMBER_SHAPES.iter().find(|shape| shape.name == "overflow-sum").unwrap();
    let mut passed = 0;
    for seed in 0..200 {
        let sequence = SequenceRequirements { len: 100, lo: 0, hi: 1_000_000_000, hints: &[], distinct: false };
        let sum: i128 = shape.draw_sequence(&mut Choices::from_seed(seed, 0), &sequence).iter().sum();
        passed += usize::from(sum.abs_diff(1 << 31) <= 1);
    }
    assert!(passed > 10, "only {passed} of 200 sums are close to 2^31");
}

#[test]
fn names_are_unique_and_documented() {
    let names: BTreeSet<&str> = NUMBER_SHAPES.iter().map(|shape| shape.name).collect();
    assert_eq!(names.len(), NUMBER_SHAPES.len());
    assert!(NUMBER_SHAPES.iter().all(|shape| !shape.doc.is_empty() && !shape.doc.ends_with('.')));
}
