//! Splitting a total: many cases share one limit on the sum of their sizes.
//!
//! Drawing the sizes one after the other would give the first case everything, or never come near the limit. Here the
//! whole is cut into parts first, each way of cutting a named shape.

use crate::catalog::{Family, named};
use crate::choices::Choices;

/// One way of splitting a total into parts.
#[derive(Debug)]
pub struct BudgetShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    /// Whether the total is used up, as far as the bounds of the parts allow.
    pub uses_total: bool,
    make: fn(&mut Choices, &mut Parts),
}

impl BudgetShape {
    /// The plain way: cut at random places.
    #[must_use]
    pub fn at_random() -> &'static BudgetShape {
        &BUDGET_SHAPES[0]
    }
}

/// Every way of splitting a total. The first is the plain one.
pub const BUDGET_SHAPES: &[BudgetShape] = &[
    law("random-split", "cut at random places, the whole total used", true, random_split),
    law("one-big", "one giant: it takes all that the others can spare", true, one_big),
    law("two-big", "two giants share what the others can spare", true, two_big),
    law("equal", "parts as equal as possible", true, equal),
    law("many-minimal", "nearly all parts minimal, a few share the rest", true, many_minimal),
    law("halving", "each part takes half of what is left", true, halving),
    law("geometric", "each part takes the same fraction of what is left", false, geometric),
    law("square-root", "as many parts as the square root of the total, each as large as that", false, square_root),
    law("powers-of-two", "one part for each power of two, the rest minimal", false, powers_of_two),
    law("fill-up", "as many parts as possible at their upper bound", true, fill_up),
    law("slack", "every part small, most of the total left over", false, slack),
];

const fn law(
    name: &'static str,
    doc: &'static str,
    uses_total: bool,
    make: fn(&mut Choices, &mut Parts),
) -> BudgetShape {
    BudgetShape { name, doc, uses_total, make }
}

/// Returns the shape of that name, which may be qualified by its family, if it is one of a budget.
#[must_use]
pub fn find_budget_shape(name: &str) -> Option<&'static BudgetShape> {
    BUDGET_SHAPES.iter().find(|shape| named(Family::Budgets, shape.name, name))
}

/// `parts` numbers within `lo..=hi` whose sum is at most `total`. If even the smallest parts exceed the total, they
/// are what is returned: the caller asked for too many.
pub fn split(c: &mut Choices, shape: &BudgetShape, parts: usize, total: i128, lo: i128, hi: i128) -> Vec<i128> {
    let mut split = Parts::minimal(parts, total, lo, hi);
    (shape.make)(c, &mut split);
    split.numbers(lo)
}

/// As [`split`], but what the shape leaves over of the total is handed out, too: nothing is left that a part could take.
pub fn split_in_full(c: &mut Choices, shape: &BudgetShape, parts: usize, total: i128, lo: i128, hi: i128) -> Vec<i128> {
    let mut split = Parts::minimal(parts, total, lo, hi);
    (shape.make)(c, &mut split);
    let order = shuffled(c, parts);
    split.give_the_rest(&order);
    split.numbers(lo)
}

/// Parts at their minimum, and what may still be handed out. Only [`Parts::give`] adds to a part, so no shape can
/// leave a bound or the total behind.
struct Parts {
    extra: Vec<i128>,
    least: i128,
    spare: i128,
    room: i128,
}

impl Parts {
    fn minimal(parts: usize, total: i128, lo: i128, hi: i128) -> Parts {
        let spent = lo.saturating_mul(parts as i128);
        let (spare, room) = (total.saturating_sub(spent).max(0), hi.saturating_sub(lo).max(0));
        Parts { extra: vec![0; parts], least: lo, spare, room }
    }

    /// Gives part `index` up to `amount` more, as far as its bound and the total allow.
    fn give(&mut self, index: usize, amount: i128) {
        let Some(part) = self.extra.get_mut(index) else { return };
        let given = amount.min(self.spare).min(self.room - *part).max(0);
        *part += given;
        self.spare -= given;
    }

    /// The parts, each at least `lo`.
    fn numbers(self, lo: i128) -> Vec<i128> {
        self.extra.into_iter().map(|extra| lo.saturating_add(extra)).collect()
    }

    /// Hands out what is left, one part after the other.
    fn give_the_rest(&mut self, order: &[usize]) {
        for index in order {
            self.give(*index, i128::MAX);
        }
    }
}

fn shuffled(c: &mut Choices, parts: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts).collect();
    c.shuffle(&mut order);
    order
}

fn random_split(c: &mut Choices, split: &mut Parts) {
    let order = shuffled(c, split.extra.len());
    split_among(c, split, &order);
    split.give_the_rest(&order);
}

/// Cuts the spare total at random places and gives the pieces to `order`.
fn split_among(c: &mut Choices, split: &mut Parts, order: &[usize]) {
    let spare = split.spare;
    let mut cuts: Vec<i128> = (1..order.len()).map(|_| c.range(0, spare)).collect();
    cuts.sort_unstable();
    cuts.push(spare);
    let mut from = 0;
    for (index, to) in order.iter().zip(cuts) {
        split.give(*index, to - from);
        from = to;
    }
}

fn one_big(c: &mut Choices, split: &mut Parts) {
    let big = c.index(split.extra.len());
    split.give(big, i128::MAX);
}

fn two_big(c: &mut Choices, split: &mut Parts) {
    let order = shuffled(c, split.extra.len());
    if let [first, second, ..] = order[..] {
        split.give(first, split.spare / 2);
        split.give(second, i128::MAX);
    }
    // One part alone, or giants at their bound.
    split.give_the_rest(&order);
}

fn equal(c: &mut Choices, split: &mut Parts) {
    let order = shuffled(c, split.extra.len());
    for (given, index) in order.iter().enumerate() {
        let left = (order.len() - given) as i128;
        split.give(*index, split.spare / left);
    }
}

fn many_minimal(c: &mut Choices, split: &mut Parts) {
    let order = shuffled(c, split.extra.len());
    let few = c.log_range(1, 1 + order.len() as i128 / 8) as usize;
    split_among(c, split, order.get(..few).unwrap_or(&[]));
}

fn halving(c: &mut Choices, split: &mut Parts) {
    for index in shuffled(c, split.extra.len()) {
        split.give(index, split.spare - split.spare / 2);
    }
}

fn geometric(c: &mut Choices, split: &mut Parts) {
    let divisor = c.range(2, 16);
    for index in in_some_order(c, split.extra.len()) {
        split.give(index, split.spare.div_euclid(divisor));
    }
}

fn square_root(c: &mut Choices, split: &mut Parts) {
    let root = split.spare.isqrt();
    for index in shuffled(c, split.extra.len()) {
        split.give(index, root.saturating_sub(split.least.clamp(0, root)));
    }
}

fn powers_of_two(c: &mut Choices, split: &mut Parts) {
    let mut power = 1_i128;
    for index in in_some_order(c, split.extra.len()) {
        while power < split.least && power <= i128::MAX / 2 {
            power *= 2;
        }
        let extra = power.saturating_sub(split.least);
        if extra > split.spare.min(split.room) || power > i128::MAX / 2 {
            return;
        }
        split.give(index, extra);
        power *= 2;
    }
}

/// All parts from the first to the last, from the last to the first, or shuffled.
fn in_some_order(c: &mut Choices, parts: usize) -> Vec<usize> {
    match c.weighted(&[1, 1, 2]) {
        0 => (0..parts).collect(),
        1 => (0..parts).rev().collect(),
        _ => shuffled(c, parts),
    }
}

fn fill_up(c: &mut Choices, split: &mut Parts) {
    let order = shuffled(c, split.extra.len());
    split.give_the_rest(&order);
}

fn slack(c: &mut Choices, split: &mut Parts) {
    for index in 0..split.extra.len() {
        let amount = c.range(0, 3);
        split.give(index, amount);
    }
}
