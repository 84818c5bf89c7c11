//! Shapes that split a total: many cases share one limit on the sum of their sizes.
//!
//! If the sizes were drawn one after the other, the first case would take everything, or the sum would never come near
//! the limit. So the total is split into parts first, and each way to split it is a named shape.

use crate::choices::Choices;
use crate::shape_family::{ShapeFamily, is_shape_name};

/// A named way to split a total into parts.
#[derive(Debug)]
pub struct BudgetShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the split in one line.
    pub doc: &'static str,
    /// Whether the whole total is used, as far as the bounds of the parts allow.
    pub uses_total: bool,
    make: fn(&mut Choices, &mut BudgetParts),
}

impl BudgetShape {
    /// Returns the default shape: split at random places.
    #[must_use]
    pub fn at_random() -> &'static BudgetShape {
        &BUDGET_SHAPES[0]
    }
}

/// All budget shapes. The first is the default.
pub const BUDGET_SHAPES: &[BudgetShape] = &[
    budget_shape("random-split", "split at random places, the whole total used", true, random_split),
    budget_shape("one-big", "one giant part, the others minimal", true, one_big),
    budget_shape("two-big", "two giant parts, the others minimal", true, two_big),
    budget_shape("equal", "parts as equal as possible", true, split_equally),
    budget_shape("many-minimal", "nearly all parts minimal, a few share the rest", true, many_minimal),
    budget_shape("halving", "each part takes half of the rest", true, split_by_halving),
    budget_shape("geometric", "each part takes the same fraction of the rest", false, split_geometrically),
    budget_shape(
        "square-root",
        "as many parts as the square root of the total, each as large as that",
        false,
        square_root,
    ),
    budget_shape("powers-of-two", "one part for each power of two, the rest minimal", false, powers_of_two),
    budget_shape("fill-up", "as many parts as possible at their upper bound", true, fill_up),
    budget_shape("slack", "every part small, most of the total unused", false, split_with_slack),
];

const fn budget_shape(
    name: &'static str,
    doc: &'static str,
    uses_total: bool,
    make: fn(&mut Choices, &mut BudgetParts),
) -> BudgetShape {
    BudgetShape { name, doc, uses_total, make }
}

/// Returns the budget shape with this name, which may be qualified by its family.
#[must_use]
pub fn find_budget_shape(name: &str) -> Option<&'static BudgetShape> {
    BUDGET_SHAPES.iter().find(|shape| is_shape_name(ShapeFamily::Budgets, shape.name, name))
}

/// Draws `parts` numbers within `lo..=hi` with a sum of at most `total`. If even the smallest parts exceed the total,
/// returns those: the caller asked for too many parts.
pub fn split_total(c: &mut Choices, shape: &BudgetShape, parts: usize, total: i128, lo: i128, hi: i128) -> Vec<i128> {
    let mut split = BudgetParts::with_minimal_parts(parts, total, lo, hi);
    (shape.make)(c, &mut split);
    split.into_numbers(lo)
}

/// Like [`split_total`], but also distributes the part of the total that the shape leaves over, as far as the bounds
/// allow.
pub fn split_total_fully(
    c: &mut Choices,
    shape: &BudgetShape,
    parts: usize,
    total: i128,
    lo: i128,
    hi: i128,
) -> Vec<i128> {
    let mut split = BudgetParts::with_minimal_parts(parts, total, lo, hi);
    (shape.make)(c, &mut split);
    let order = shuffled_order(c, parts);
    split.give_remaining(&order);
    split.into_numbers(lo)
}

/// Parts above their minimum, and the rest of the total. Only [`BudgetParts::give_to_part`] adds to a part, so no shape
/// can exceed a bound or the total.
struct BudgetParts {
    extras: Vec<i128>,
    min_part: i128,
    remaining: i128,
    max_extra: i128,
}

impl BudgetParts {
    fn with_minimal_parts(parts: usize, total: i128, lo: i128, hi: i128) -> BudgetParts {
        let spent = lo.saturating_mul(parts as i128);
        let (spare, room) = (total.saturating_sub(spent).max(0), hi.saturating_sub(lo).max(0));
        BudgetParts { extras: vec![0; parts], min_part: lo, remaining: spare, max_extra: room }
    }

    /// Adds up to `amount` to part `index`, as far as its bound and the total allow.
    fn give_to_part(&mut self, index: usize, amount: i128) {
        let Some(part) = self.extras.get_mut(index) else { return };
        let given = amount.min(self.remaining).min(self.max_extra - *part).max(0);
        *part += given;
        self.remaining -= given;
        debug_assert!(self.remaining >= 0, "no part takes more than is left of the total");
    }

    /// Returns the parts, each at least `lo`.
    fn into_numbers(self, lo: i128) -> Vec<i128> {
        self.extras.into_iter().map(|extra| lo.saturating_add(extra)).collect()
    }

    /// Distributes the rest of the total, one part after the other.
    fn give_remaining(&mut self, order: &[usize]) {
        for index in order {
            self.give_to_part(*index, i128::MAX);
        }
    }
}

fn shuffled_order(c: &mut Choices, parts: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts).collect();
    c.shuffle(&mut order);
    order
}

fn random_split(c: &mut Choices, split: &mut BudgetParts) {
    let order = shuffled_order(c, split.extras.len());
    split_remaining_among(c, split, &order);
    split.give_remaining(&order);
}

/// Splits the rest of the total at random places and gives the pieces to the parts in `order`.
fn split_remaining_among(c: &mut Choices, split: &mut BudgetParts, order: &[usize]) {
    let spare = split.remaining;
    let mut cuts: Vec<i128> = (1..order.len()).map(|_| c.draw_range(0, spare)).collect();
    cuts.sort_unstable();
    cuts.push(spare);
    let mut from = 0;
    for (index, to) in order.iter().zip(cuts) {
        split.give_to_part(*index, to - from);
        from = to;
    }
}

fn one_big(c: &mut Choices, split: &mut BudgetParts) {
    let big = c.draw_index(split.extras.len());
    split.give_to_part(big, i128::MAX);
}

fn two_big(c: &mut Choices, split: &mut BudgetParts) {
    let order = shuffled_order(c, split.extras.len());
    if let [first, second, ..] = order[..] {
        split.give_to_part(first, split.remaining / 2);
        split.give_to_part(second, i128::MAX);
    }
    // The rest, if there is only one part or if both giants have reached their bound.
    split.give_remaining(&order);
}

fn split_equally(c: &mut Choices, split: &mut BudgetParts) {
    let order = shuffled_order(c, split.extras.len());
    for (given, index) in order.iter().enumerate() {
        let left = (order.len() - given) as i128;
        split.give_to_part(*index, split.remaining / left);
    }
}

fn many_minimal(c: &mut Choices, split: &mut BudgetParts) {
    let order = shuffled_order(c, split.extras.len());
    let few = c.draw_log_range(1, 1 + order.len() as i128 / 8) as usize;
    split_remaining_among(c, split, &order[..few.min(order.len())]);
}

fn split_by_halving(c: &mut Choices, split: &mut BudgetParts) {
    for index in shuffled_order(c, split.extras.len()) {
        split.give_to_part(index, split.remaining - split.remaining / 2);
    }
}

fn split_geometrically(c: &mut Choices, split: &mut BudgetParts) {
    let divisor = c.draw_range(2, 16);
    for index in choose_order(c, split.extras.len()) {
        split.give_to_part(index, split.remaining.div_euclid(divisor));
    }
}

fn square_root(c: &mut Choices, split: &mut BudgetParts) {
    let root = split.remaining.isqrt();
    for index in shuffled_order(c, split.extras.len()) {
        split.give_to_part(index, root.saturating_sub(split.min_part.clamp(0, root)));
    }
}

fn powers_of_two(c: &mut Choices, split: &mut BudgetParts) {
    let mut power = 1_i128;
    for index in choose_order(c, split.extras.len()) {
        while power < split.min_part && power <= i128::MAX / 2 {
            power *= 2;
        }
        let extra = power.saturating_sub(split.min_part);
        if extra > split.remaining.min(split.max_extra) || power > i128::MAX / 2 {
            return;
        }
        split.give_to_part(index, extra);
        power *= 2;
    }
}

/// Returns the indices of the parts in ascending, descending or random order.
fn choose_order(c: &mut Choices, parts: usize) -> Vec<usize> {
    match c.draw_weighted(&[1, 1, 2]) {
        0 => (0..parts).collect(),
        1 => (0..parts).rev().collect(),
        _ => shuffled_order(c, parts),
    }
}

fn fill_up(c: &mut Choices, split: &mut BudgetParts) {
    let order = shuffled_order(c, split.extras.len());
    split.give_remaining(&order);
}

fn split_with_slack(c: &mut Choices, split: &mut BudgetParts) {
    for index in 0..split.extras.len() {
        let amount = c.draw_range(0, 3);
        split.give_to_part(index, amount);
    }
}
