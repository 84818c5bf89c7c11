use std::collections::BTreeSet;

use rebut_generators::{Choices, ExhaustiveChoices};

/// Makes one draw of every kind.
fn all_kinds(c: &mut Choices) -> Vec<i128> {
    let mut order: Vec<i128> = (0..10).collect();
    c.shuffle(&mut order);
    order.extend([
        c.draw_below(1000).into(),
        c.draw_range(-50, 70),
        c.draw_range(i128::MIN, i128::MAX),
        c.draw_range(0, i64::MAX as i128 * 5),
        c.draw_log_range(-1_000_000, 1_000_000_000_000),
        c.draw_index(17) as i128,
        c.draw_chance(1, 2).into(),
        c.draw_weighted(&[1, 2, 3]) as i128,
        *c.pick_item(&[10, 20, 30]).unwrap(),
    ]);
    order.extend(c.draw_distinct(5, -3, 9));
    order.extend(c.draw_distinct(5, -3, 1_000_000));
    order.extend(c.draw_distinct(5, i128::MIN, i128::MAX));
    order
}

#[test]
fn seed_and_stream_determine_all_draws() {
    let drawn = |seed, stream| all_kinds(&mut Choices::from_seed(seed, stream));
    assert_eq!(drawn(1, 2), drawn(1, 2));
    let different: BTreeSet<_> = [drawn(1, 2), drawn(2, 1), drawn(1, 1), drawn(0, 0), drawn(u64::MAX, u64::MAX)].into();
    assert_eq!(different.len(), 5);
}

#[test]
fn replaying_a_record_repeats_its_draws() {
    for seed in 0..200 {
        let mut fresh = Choices::from_seed(seed, 0).with_recording();
        let drawn = all_kinds(&mut fresh);
        let mut replay = Choices::from_draws(fresh.recorded_draws().to_vec()).with_recording();
        assert_eq!(all_kinds(&mut replay), drawn);
        assert_eq!(replay.recorded_draws(), fresh.recorded_draws());
    }
}

#[test]
fn recording_is_off_by_default() {
    let mut c = Choices::from_seed(0, 0);
    all_kinds(&mut c);
    assert!(c.recorded_draws().is_empty());
}

#[test]
fn empty_replay_draws_the_simplest_values() {
    let mut c = Choices::from_draws(Vec::new());
    assert_eq!((c.draw_below(9), c.draw_range(-5, 5), c.draw_range(3, 9), c.draw_range(-9, -3)), (0, 0, 3, -3));
    assert_eq!((c.draw_log_range(-5, 5), c.draw_log_range(3, 9), c.draw_log_range(-9, -3)), (0, 3, -3));
    assert_eq!(
        (c.draw_index(4), c.draw_chance(999, 1000), c.draw_weighted(&[0, 1, 1]), c.pick_item(&[7, 8])),
        (0, false, 1, Some(&7))
    );
    let mut order = [1, 2, 3, 4];
    c.shuffle(&mut order);
    assert_eq!(order, [1, 2, 3, 4]);
    assert_eq!(c.draw_distinct(3, -5, 5), [0, 1, 2]);
    assert_eq!(c.draw_distinct(3, -500, 500), [0, 1, 2]);
}

#[test]
fn any_list_can_be_replayed() {
    let mut lists = Choices::from_seed(5, 0);
    for _ in 0..500 {
        let list: Vec<u64> =
            (0..lists.draw_below(60)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
        let drawn = all_kinds(&mut Choices::from_draws(list));
        assert!((0..1000).contains(&drawn[10]) && (-50..=70).contains(&drawn[11]), "{drawn:?}");
    }
    assert_eq!(Choices::from_draws(vec![u64::MAX]).draw_below(10), 9);
}

#[test]
fn choices_from_nothing_do_not_panic() {
    let mut c = Choices::from_seed(0, 0).with_recording();
    assert_eq!((c.draw_below(0), c.draw_index(0), c.draw_weighted(&[]), c.draw_weighted(&[0, 0])), (0, 0, 0, 0));
    assert_eq!((c.draw_range(5, 4), c.draw_log_range(5, 4), c.draw_range(7, 7)), (5, 5, 7));
    assert_eq!((c.pick_item::<u8>(&[]), c.draw_distinct(3, 5, 4), c.draw_distinct(0, 0, 9)), (None, vec![], vec![]));
    assert_eq!(
        (c.draw_chance(0, 0), c.draw_chance(0, 5), c.draw_chance(5, 5), c.draw_chance(9, 5)),
        (false, false, true, true)
    );
    c.shuffle::<u8>(&mut []);
}

/// Draws `count` times below `n` and checks that each count is within a tenth of the expected one.
fn check_even(count: u64, n: u64, mut draw: impl FnMut() -> u64) {
    let mut seen = vec![0_u64; n as usize];
    (0..count).for_each(|_| seen[draw() as usize] += 1);
    let share = count / n;
    assert!(seen.iter().all(|times| times.abs_diff(share) < share / 10), "{seen:?}");
}

#[test]
fn draws_are_even() {
    let mut c = Choices::from_seed(11, 0);
    check_even(70_000, 7, || c.draw_below(7));
    check_even(70_000, 7, || (c.draw_range(-3, 3) + 3) as u64);
    check_even(60_000, 6, || {
        let mut order = [0, 1, 2];
        c.shuffle(&mut order);
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].iter().position(|o| *o == order).unwrap()
            as u64
    });
    check_even(60_000, 12, || {
        let two = c.draw_distinct(2, 0, 3);
        (two[0] * 3 + two[1] - i128::from(two[1] > two[0])) as u64
    });
    // A limit just above half of all words: taking the remainder would make one half twice as likely.
    let limit = (1 << 63) + (1 << 62);
    check_even(60_000, 3, || c.draw_below(limit) >> 62);
    let wide = (3_i128 << 64) - 1;
    check_even(60_000, 3, || (c.draw_range(0, wide) >> 64) as u64);
}

#[test]
fn weights_are_respected() {
    let mut c = Choices::from_seed(12, 0);
    check_even(60_000, 6, || match c.draw_weighted(&[1, 0, 2, 3]) {
        0 => 0,
        2 => 1 + c.draw_below(2),
        3 => 3 + c.draw_below(3),
        // An alternative without weight is never drawn: this would be out of bounds.
        _ => u64::MAX,
    });
    check_even(60_000, 3, || if c.draw_chance(1, 3) { 0 } else { 1 + c.draw_below(2) });
}

#[test]
fn magnitudes_are_even() {
    let mut c = Choices::from_seed(13, 0);
    check_even(60_000, 11, || c.draw_log_range(0, 1023).checked_ilog2().map_or(0, |bits| u64::from(bits) + 1));
    check_even(60_000, 11, || {
        (c.draw_log_range(-1023 - 5, -5) + 5).abs().checked_ilog2().map_or(0, |bits| u64::from(bits) + 1)
    });
}

#[test]
fn wide_ranges_are_respected() {
    let bounds =
        [i128::MIN, i128::MIN + 1, -(1 << 64), -1, 0, 1, 1 << 63, (1 << 64) - 1, 1 << 64, i128::MAX - 1, i128::MAX];
    let mut c = Choices::from_seed(14, 0);
    for lo in bounds {
        for hi in bounds.into_iter().filter(|hi| *hi >= lo) {
            for _ in 0..50 {
                assert!((lo..=hi).contains(&c.draw_range(lo, hi)));
                assert!((lo..=hi).contains(&c.draw_log_range(lo, hi)));
            }
        }
    }
}

#[test]
fn distinct_values_differ() {
    let mut c = Choices::from_seed(15, 0);
    let ranges = [(0, 0), (-2, 2), (0, 99), (-1000, 100_000), (0, u64::MAX.into()), (i128::MIN, i128::MAX)];
    for (lo, hi) in ranges {
        for count in [0, 1, 2, 5, 100, 1000] {
            let values = c.draw_distinct(count, lo, hi);
            let available = hi.abs_diff(lo).saturating_add(1);
            assert_eq!(values.len() as u128, available.min(count as u128));
            assert!(values.iter().all(|value| (lo..=hi).contains(value)));
            assert_eq!(BTreeSet::from_iter(&values).len(), values.len());
        }
    }
}

#[test]
fn every_range_value_is_reached_once() {
    for (lo, hi) in [(-3, 4), (2, 7), (-9, -5), (0, 3)] {
        let mut seen = Vec::new();
        let mut all = ExhaustiveChoices::new();
        while let Some(mut c) = all.next() {
            seen.push(c.draw_range(lo, hi));
            all.record_run(&c);
        }
        assert!(seen.iter().is_sorted_by_key(|value| (*value < 0 && hi > 0, value.abs())), "{seen:?}");
        seen.sort_unstable();
        assert!(seen.into_iter().eq(lo..=hi));
    }
}
