//! Splitting a total: many cases share one limit on the sum of their sizes.
//!
//! Drawing the sizes one after the other would give the first case everything, or never come near the limit. Here the
//! whole is cut into parts first, each way of cutting a named shape.

use crate::choices::Choices;

/// One way of splitting a total into parts.
#[derive(Debug)]
pub struct BudgetShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
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
    BudgetShape { name: "random-split", doc: "cut at random places, the whole total used", make: random_split },
    BudgetShape { name: "one-big", doc: "one part takes all that the others can spare", make: one_big },
    BudgetShape { name: "equal", doc: "parts as equal as possible", make: equal },
    BudgetShape { name: "many-minimal", doc: "nearly all parts minimal, a few share the rest", make: many_minimal },
    BudgetShape { name: "halving", doc: "each part takes half of what is left", make: halving },
    BudgetShape { name: "fill-up", doc: "as many parts as possible at their upper bound", make: fill_up },
    BudgetShape { name: "slack", doc: "every part small, most of the total left over", make: slack },
];

/// `parts` numbers within `lo..=hi` whose sum is at most `total`. If even the smallest parts exceed the total, they
/// are what is returned: the caller asked for too many.
pub fn split(c: &mut Choices, shape: &BudgetShape, parts: usize, total: i128, lo: i128, hi: i128) -> Vec<i128> {
    let mut split = Parts::minimal(parts, total, lo, hi);
    (shape.make)(c, &mut split);
    split.extra.into_iter().map(|extra| lo.saturating_add(extra)).collect()
}

/// Parts at their minimum, and what may still be handed out. Only [`Parts::give`] adds to a part, so no shape can
/// leave a bound or the total behind.
struct Parts {
    extra: Vec<i128>,
    spare: i128,
    room: i128,
}

impl Parts {
    fn minimal(parts: usize, total: i128, lo: i128, hi: i128) -> Parts {
        let spent = lo.saturating_mul(parts as i128);
        Parts { extra: vec![0; parts], spare: total.saturating_sub(spent).max(0), room: hi.saturating_sub(lo).max(0) }
    }

    /// Gives part `index` up to `amount` more, as far as its bound and the total allow.
    fn give(&mut self, index: usize, amount: i128) {
        let Some(part) = self.extra.get_mut(index) else { return };
        let given = amount.min(self.spare).min(self.room - *part).max(0);
        *part += given;
        self.spare -= given;
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
