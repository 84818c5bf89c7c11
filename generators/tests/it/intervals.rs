use rebut_generators::{Choices, INTERVAL_SHAPES, IntervalShape};

type Intervals = Vec<(i128, i128)>;

#[test]
fn intervals_are_in_range_with_the_smaller_end_first() {
    let lines = [(0, 0), (0, 1), (-3, 3), (1, 1_000_000_000), (i128::MIN, i128::MAX), (i128::MAX - 1, i128::MAX)];
    for shape in INTERVAL_SHAPES {
        for (lo, hi) in lines {
            for count in [0, 1, 2, 7, 100] {
                for draws in [None, Some(vec![]), Some(vec![u64::MAX; 300])] {
                    let mut c = draws.map_or_else(|| Choices::from_seed(count as u64, 0), Choices::from_draws);
                    let made = shape.draw_intervals(&mut c, count, lo, hi);
                    let fits = made.iter().all(|(left, right)| lo <= *left && left <= right && *right <= hi);
                    assert!(fits && made.len() == count, "{} {count} on {lo}..={hi}: {made:?}", shape.name);
                }
            }
        }
    }
}

fn shape(name: &str) -> &'static IntervalShape {
    INTERVAL_SHAPES.iter().find(|shape| shape.name == name).unwrap()
}

/// Draws 40 intervals on 1..=1000 many times and checks them in ascending order.
fn check(name: &str, has_property: impl Fn(&Intervals) -> bool) {
    for seed in 0..50 {
        let mut made = shape(name).draw_intervals(&mut Choices::from_seed(seed, 0), 40, 1, 1000);
        made.sort_unstable();
        assert!(has_property(&made), "{name} seed {seed}: {made:?}");
    }
}

fn neighbours(made: &Intervals, hold: impl Fn((i128, i128), (i128, i128)) -> bool) -> bool {
    made.windows(2).all(|pair| hold(pair[0], pair[1]))
}

#[test]
fn intervals_have_their_properties() {
    check("points", |made| made.iter().all(|(left, right)| left == right));
    check("disjoint", |made| neighbours(made, |one, next| one.1 < next.0));
    check("touching", |made| {
        // A point at the start of an interval is sorted before it.
        neighbours(made, |one, next| one.1 == next.0 || next.0 == next.1) && made[0].0 <= made[39].1
    });
    check("side-by-side", |made| {
        neighbours(made, |one, next| one.1 + 1 == next.0) && (made[0].0, made[39].1) == (1, 1000)
    });
    check("staircase", |made| neighbours(made, |one, next| one.1 - one.0 == next.1 - next.0));
    check("crossing", |made| neighbours(made, |one, next| one.0 < next.0 && next.0 <= one.1 && one.1 < next.1));
    check("common-point", |made| {
        made.iter().map(|ends| ends.0).max().unwrap() <= made.iter().map(|ends| ends.1).min().unwrap()
    });
    check("common-end", |made| made.iter().all(|ends| ends.0 == 1) || made.iter().all(|ends| ends.1 == 1000));
    check("one-covers-all", |made| made.contains(&(1, 1000)));
    check("wide", |made| made.iter().all(|(left, right)| *left <= 3 && *right >= 998));
    check("identical", |made| neighbours(made, |one, next| one == next));
}

#[test]
fn nested_intervals_contain_each_other() {
    for seed in 0..50 {
        let mut made = shape("nested").draw_intervals(&mut Choices::from_seed(seed, 0), 40, 1, 1000);
        made.sort_unstable_by_key(|(left, right)| (*left, -right));
        assert!(neighbours(&made, |one, next| one.0 <= next.0 && next.1 <= one.1), "seed {seed}: {made:?}");
    }
}

#[test]
fn disjoint_intervals_fill_a_short_range() {
    for seed in 0..20 {
        let mut made = shape("disjoint").draw_intervals(&mut Choices::from_seed(seed, 0), 10, 1, 10);
        made.sort_unstable();
        assert_eq!(made, (1..=10).map(|point| (point, point)).collect::<Intervals>());
    }
}
