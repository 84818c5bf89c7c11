use rebut_generators::{BUDGET_SHAPES, BudgetShape, Choices, find_budget_shape, split_total, split_total_fully};

#[test]
fn every_split_keeps_bounds_and_total() {
    let cases = [
        (1, 10, 1, 10),
        (4, 10, 1, 10),
        (10, 10, 1, 10),
        (5, 100, 2, 7),
        (60, 300, 2, 300),
        (1000, 200_000, 1, 200_000),
        (3, 0, -5, 5),
        (7, -20, -5, 5),
        (0, 5, 1, 5),
        (3, i128::MAX, 0, i128::MAX),
        (3, i128::MAX, i128::MIN, i128::MAX),
    ];
    for shape in BUDGET_SHAPES {
        for (parts, total, lo, hi) in cases {
            for seed in 0..30 {
                let values = split_total(&mut Choices::from_seed(seed, 0), shape, parts, total, lo, hi);
                let sum = values.iter().fold(0_i128, |sum, value| sum.saturating_add(*value));
                let kept =
                    values.len() == parts && values.iter().all(|value| (lo..=hi).contains(value)) && sum <= total;
                assert!(parts == 0 || kept, "{} seed {seed} {parts} parts of {total}: {values:?}", shape.name);
            }
        }
    }
}

#[test]
fn too_small_a_total_gives_minimal_parts() {
    for shape in BUDGET_SHAPES {
        assert_eq!(split_total(&mut Choices::from_seed(0, 0), shape, 3, 5, 2, 9), [2, 2, 2]);
    }
}

fn shape(name: &str) -> &'static BudgetShape {
    BUDGET_SHAPES.iter().find(|shape| shape.name == name).unwrap()
}

/// Splits 300 into 60 parts of at least 2 and checks the parts, in ascending order.
fn check(name: &str, has_property: impl Fn(&[i128]) -> bool) {
    for seed in 0..50 {
        let mut parts = split_total(&mut Choices::from_seed(seed, 0), shape(name), 60, 300, 2, 300);
        parts.sort_unstable();
        assert!(has_property(&parts), "{name} seed {seed}: {parts:?}");
    }
}

#[test]
fn splits_have_their_properties() {
    check("one-big", |parts| parts[58] == 2 && parts[59] == 182);
    check("equal", |parts| parts[0] == 5 && parts[59] == 5);
    check("many-minimal", |parts| parts[50] == 2 && parts.iter().sum::<i128>() == 300);
    check("random-split", |parts| parts.iter().sum::<i128>() == 300);
    check("halving", |parts| parts[59] == 92 && parts[58] == 47);
    check("fill-up", |parts| parts.iter().sum::<i128>() == 300);
    check("slack", |parts| parts[59] <= 5);
    check("two-big", |parts| parts[57] == 2 && parts[58] == 92 && parts[59] == 92);
    check("geometric", |parts| parts.windows(2).all(|pair| pair[0] <= pair[1]) && parts[59] > parts[40]);
    // A rest of 180: parts of 13 until it is used up.
    check("square-root", |parts| parts[59] == 13 && parts[44] == 13 && parts[42] == 2);
    check("powers-of-two", |parts| parts[59] == 64 && parts[58] == 32 && parts[55] == 4 && parts[54] == 2);
}

#[test]
fn splitting_fully_uses_the_whole_total() {
    for shape in BUDGET_SHAPES {
        for seed in 0..30 {
            let parts = split_total_fully(&mut Choices::from_seed(seed, 0), shape, 60, 300, 2, 300);
            assert_eq!(parts.iter().sum::<i128>(), 300, "{}: {parts:?}", shape.name);
            let bounded = split_total_fully(&mut Choices::from_seed(seed, 0), shape, 60, 300, 2, 4);
            assert_eq!(bounded.iter().sum::<i128>(), 240, "{}: {bounded:?}", shape.name);
        }
    }
}

#[test]
fn shapes_are_found_by_name() {
    assert_eq!(find_budget_shape("budgets/two-big").map(|shape| shape.name), Some("two-big"));
    assert!(find_budget_shape("sorted").is_none());
}
