use rebut_generators::{Choices, FACTOR_SHAPES, FactorRequirements, FactorShape};

#[test]
fn every_pair_keeps_its_ranges_and_the_limit() {
    let cases = [
        (100_000, (1, 100_000), (1, 100_000)),
        (1_000_000, (1, 1000), (1, 1_000_000)),
        (100, (3, 50), (4, 9)),
        (12, (3, 50), (4, 9)),
        (50, (0, 10), (0, 10)),
        (i128::MAX, (1, i128::MAX), (1, i128::MAX)),
    ];
    for shape in FACTOR_SHAPES {
        for (most, first, second) in cases {
            for draws in [None, Some(vec![]), Some(vec![u64::MAX; 9]), Some(vec![3; 9])] {
                let mut c = draws.map_or_else(|| Choices::from_seed(most as u64, 0), Choices::from_draws);
                let (one, other) = shape.draw_factors(&mut c, &FactorRequirements { max_product: most, first, second });
                let kept = (first.0..=first.1).contains(&one) && (second.0..=second.1).contains(&other);
                assert!(kept && one * other <= most, "{} {most} {first:?} {second:?}: {one} {other}", shape.name);
            }
        }
    }
}

#[test]
fn too_low_a_limit_gives_the_smallest_factors() {
    for shape in FACTOR_SHAPES {
        let factors = FactorRequirements { max_product: 5, first: (3, 9), second: (2, 9) };
        assert_eq!(shape.draw_factors(&mut Choices::from_seed(0, 0), &factors), (3, 2), "{}", shape.name);
    }
}

fn shape(name: &str) -> &'static FactorShape {
    FACTOR_SHAPES.iter().find(|shape| shape.name == name).unwrap()
}

#[test]
fn factors_have_their_properties() {
    let factors = FactorRequirements { max_product: 100_000, first: (1, 100_000), second: (1, 100_000) };
    let mut c = Choices::from_seed(1, 0);
    let mut make = |name| shape(name).draw_factors(&mut c, &factors);
    assert_eq!(make("square"), (316, 316));
    assert_eq!(make("flat"), (1, 100_000));
    assert_eq!(make("tall"), (100_000, 1));
    for _ in 0..50 {
        let (one, other) = make("balanced");
        assert!(one.max(other) <= 5 * one.min(other) && one * other > 99_000, "{one} {other}");
        let (one, other) = make("any-product");
        assert!((one + 1) * (other + 1) > 100_000, "{one} {other}");
    }
}
