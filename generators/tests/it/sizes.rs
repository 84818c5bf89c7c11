use rebut_generators::{Choices, draw_scalar, draw_size};

const RANGES: [(i128, i128); 6] = [(1, 1), (1, 2), (1, 200_000), (-50, 50), (3, 20), (i128::MIN, i128::MAX)];

fn sizes(lo: i128, hi: i128, growth: u32) -> Vec<i128> {
    let mut c = Choices::from_seed(1, growth.into());
    (0..400).map(|_| draw_size(&mut c, lo, hi, growth)).collect()
}

#[test]
fn sizes_keep_their_range() {
    for (lo, hi) in RANGES {
        for growth in [0, 1, 25, 50, 99, 100, 1000] {
            assert!(sizes(lo, hi, growth).iter().all(|size| (lo..=hi).contains(size)), "{lo}..={hi} at {growth}");
        }
    }
}

#[test]
fn sizes_grow_from_tiny_to_the_limit() {
    let largest = |growth| *sizes(1, 200_000, growth).iter().max().unwrap();
    assert!(largest(0) <= 8);
    let tiny = sizes(1, 200_000, 0);
    assert!(tiny.iter().filter(|size| **size <= 4).count() * 3 > tiny.len() * 2, "{tiny:?}");
    assert!((0..100).map(largest).is_sorted());
    assert!(largest(50) < 2_000);
    assert_eq!(largest(100), 200_000);
    // At every stage of a run, the smallest sizes still occur.
    let last = sizes(1, 200_000, 100);
    assert!([1, 2, 200_000].iter().all(|size| last.contains(size)));
}

#[test]
fn scalars_stay_in_range_and_reach_edge_values() {
    let mut c = Choices::from_seed(2, 0);
    for (lo, hi) in RANGES {
        assert!((0..400).all(|_| (lo..=hi).contains(&draw_scalar(&mut c, lo, hi, &[7, i128::MAX, i128::MIN]))));
    }
    let seen: Vec<i128> = (0..4000).map(|_| draw_scalar(&mut c, 1, 1_000_000_000, &[77_777])).collect();
    for wanted in [1, 2, 999_999_999, 1_000_000_000, 500_000_000, 77_776, 77_777, 65_536, 65_537, 46_341] {
        assert!(seen.contains(&wanted), "{wanted} was never drawn");
    }
}
