use std::collections::BTreeSet;

use rebut_generators::{Choices, ExhaustiveChoices};

/// Returns all results of `build`, in the order of the enumeration.
fn visit<T>(mut build: impl FnMut(&mut Choices) -> T) -> Vec<T> {
    let mut all = ExhaustiveChoices::new();
    let mut seen = Vec::new();
    while let Some(mut c) = all.next() {
        seen.push(build(&mut c));
        all.record_run(&c);
    }
    seen
}

fn draws(c: &Choices) -> Vec<u64> {
    c.recorded_draws().to_vec()
}

#[test]
fn driver_without_choices_runs_once() {
    assert_eq!(visit(|c| c.draw_below(1)), [0]);
}

#[test]
fn every_sequence_is_enumerated_once() {
    // The number of draws and the limit of each depend on the previous ones.
    let seen = visit(|c| {
        let count = c.draw_below(4);
        for i in 0..count {
            c.draw_below(i + 2);
        }
        draws(c)
    });
    assert_eq!(seen.len(), 1 + 2 + 2 * 3 + 2 * 3 * 4);
    assert_eq!(BTreeSet::from_iter(&seen).len(), seen.len());
}

#[test]
fn shorter_sequences_come_first_and_smaller_ones_before_larger() {
    let seen = visit(|c| {
        (0..4).for_each(|_| _ = c.draw_below(3));
        draws(c)
    });
    let trimmed =
        |sequence: &Vec<u64>| sequence[..sequence.iter().rposition(|draw| *draw > 0).map_or(0, |at| at + 1)].to_vec();
    assert_eq!(seen.len(), 81);
    assert!(seen.iter().map(|sequence| (trimmed(sequence).len(), trimmed(sequence))).is_sorted());
}

#[test]
fn all_subsets_and_all_orders_are_found() {
    let orders = visit(|c| {
        let mut order = [0, 1, 2, 3];
        c.shuffle(&mut order);
        order
    });
    assert_eq!((orders.len(), BTreeSet::from_iter(&orders).len()), (24, 24));
    let pairs = visit(|c| c.draw_distinct(2, 0, 50));
    assert_eq!((pairs.len(), BTreeSet::from_iter(&pairs).len()), (51 * 50, 51 * 50));
}

#[test]
fn endless_driver_can_be_stopped() {
    let mut all = ExhaustiveChoices::new();
    let mut lengths = Vec::new();
    while let Some(mut c) = all.next() {
        let mut length = 0;
        while length < 100 && c.draw_chance(1, 2) {
            length += 1;
        }
        lengths.push(length);
        all.record_run(&c);
        if lengths.len() == 20 {
            break;
        }
    }
    assert!(lengths.into_iter().eq(0..20));
}
