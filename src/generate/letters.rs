//! Numbers of letters: `count(board, 'S') = 1`.
//!
//! A shape fills a text without knowing of counts. Then the counts alone are moved, letter by letter and always
//! towards the constraints, until they hold; and at last just as many characters are changed, anywhere in the text,
//! as the new counts ask for. So the shape survives wherever the constraints allow it.

use super::instance::{Maker, Partial};
use super::live::Live;
use super::plan::Plan;
use crate::format::{BlockId, Comparison, Expr, FieldId, Fold, Format, Interval, Over, Ranges, Sign, bounds_of};
use crate::value::{Scope, Value};
use rebut_generators::Choices;

impl Maker<'_, '_> {
    /// Settles the counts of every text directly in the block.
    pub(super) fn settle_letters(&mut self, block: BlockId, slots: &mut Partial, outer: Option<&Scope<'_>>) {
        let format = self.plan.format;
        let (plan, arrays) = (self.plan, &self.plan.parts(block).arrays);
        let counted = |f: &&FieldId| plan.counts_letters(**f) && format.field(**f).letters().is_some();
        for field in arrays.iter().filter(counted).copied() {
            let slot = format.field(field).slot;
            let Some(mut value) = slots[slot].take() else { continue };
            settle_counts(self.plan, field, &mut value, &self.scope(block, slots, outer), self.choices);
            slots[slot] = Some(value);
        }
    }
}

/// Changes as few characters of a text as it takes for its counts to satisfy the constraints, if that can be found.
pub fn settle_counts(plan: &Plan<'_>, field: FieldId, value: &mut Value, scope: &Scope<'_>, choices: &mut Choices) {
    let Some(letters) = plan.format.field(field).letters() else { return };
    let comparisons: Vec<&Comparison> = plan
        .comparisons(field)
        .map(|(_, comparison)| comparison)
        .filter(|c| c.left.iter().chain(&c.right).any(|e| counts_letters(e, field)))
        .collect();
    if comparisons.is_empty() {
        return;
    }
    let mut characters: Vec<&mut u8> = Vec::new();
    collect(value, &mut characters);
    let mut tally = Tally { field, letters, counts: vec![0; letters.len()], live: Live { scope } };
    for character in &characters {
        if let Some(i) = letters.iter().position(|l| l == *character) {
            tally.counts[i] += 1;
        }
    }
    let before = tally.counts.clone();
    if tally.settle(&comparisons, choices) {
        change(&mut characters, letters, &before, &tally.counts, choices);
    }
}

/// Whether an expression counts letters of a field.
pub(super) fn counts_letters(expr: &Expr, field: FieldId) -> bool {
    match expr {
        Expr::Fold(Fold::Count(_), Over::Elements, inner) => **inner == Expr::Field(field),
        Expr::Minus(inner) => counts_letters(inner, field),
        Expr::Binary(_, left, right) => counts_letters(left, field) || counts_letters(right, field),
        _ => false,
    }
}

fn collect<'v>(value: &'v mut Value, characters: &mut Vec<&'v mut u8>) {
    match value {
        Value::Text(row) => characters.extend(row.iter_mut()),
        Value::List(parts) => parts.iter_mut().for_each(|p| collect(p, characters)),
        _ => {}
    }
}

/// The number of each letter in a text, as the comparisons see it.
struct Tally<'l, 'a, 's> {
    field: FieldId,
    letters: &'l [u8],
    counts: Vec<i128>,
    live: Live<'a, 's>,
}

impl Ranges for Tally<'_, '_, '_> {
    fn format(&self) -> &Format {
        self.live.format()
    }

    fn value(&self, field: FieldId) -> Interval {
        self.live.value(field)
    }

    fn free_length(&self, field: FieldId) -> Interval {
        if field == self.field { Interval::point(self.counts.iter().sum()) } else { self.live.free_length(field) }
    }

    fn exact(&self, fold: &Expr) -> Option<i128> {
        match fold {
            Expr::Fold(Fold::Count(wanted), Over::Elements, inner) if **inner == Expr::Field(self.field) => {
                let letter = self.letters.iter().position(|l| i128::from(*l) == *wanted);
                Some(letter.map_or(0, |i| self.counts[i]))
            }
            _ => self.live.exact(fold),
        }
    }
}

impl Tally<'_, '_, '_> {
    /// Moves counts from letter to letter while that brings the comparisons nearer. Whether all hold in the end.
    fn settle(&mut self, comparisons: &[&Comparison], choices: &mut Choices) -> bool {
        let mut distance = self.distance(comparisons);
        while distance > 0 {
            let Some((from, to, amount, nearer)) = self.best_move(comparisons, distance, choices) else { return false };
            self.counts[from] -= amount;
            self.counts[to] += amount;
            distance = nearer;
        }
        true
    }

    /// The move that helps most; among equals, any.
    fn best_move(
        &mut self,
        comparisons: &[&Comparison],
        distance: i128,
        choices: &mut Choices,
    ) -> Option<(usize, usize, i128, i128)> {
        let mut best: Vec<(usize, usize, i128, i128)> = Vec::new();
        for from in 0..self.letters.len() {
            for to in (0..self.letters.len()).filter(|to| *to != from) {
                let most = self.counts[from];
                for amount in [1, distance / 2, distance].into_iter().filter(|a| (1..=most).contains(a)) {
                    let nearer = self.distance_after(from, to, amount, comparisons);
                    let least = best.first().map_or(distance, |b| b.3);
                    if nearer < least {
                        best.clear();
                    }
                    if nearer < distance && nearer <= least {
                        best.push((from, to, amount, nearer));
                    }
                }
            }
        }
        choices.pick(&best).copied()
    }

    fn distance_after(&mut self, from: usize, to: usize, amount: i128, comparisons: &[&Comparison]) -> i128 {
        self.counts[from] -= amount;
        self.counts[to] += amount;
        let distance = self.distance(comparisons);
        self.counts[from] += amount;
        self.counts[to] -= amount;
        distance
    }

    /// How far the comparisons are from holding, all together.
    fn distance(&self, comparisons: &[&Comparison]) -> i128 {
        comparisons.iter().map(|c| apart(c, self)).sum()
    }
}

fn apart(comparison: &Comparison, tally: &Tally<'_, '_, '_>) -> i128 {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return 0 };
    let (left, right) = (bounds_of(left, tally), bounds_of(right, tally));
    match comparison.sign {
        Sign::LessEqual => (left.lo - right.hi).max(0),
        Sign::Less => (left.lo - right.hi + 1).max(0),
        Sign::GreaterEqual => (right.lo - left.hi).max(0),
        Sign::Greater => (right.lo - left.hi + 1).max(0),
        Sign::Equal => (left.lo - right.hi).max(right.lo - left.hi).max(0),
        Sign::NotEqual => i128::from(left.lo == left.hi && left == right),
    }
}

/// Turns characters of letters that have become fewer into letters that have become more.
fn change(characters: &mut [&mut u8], letters: &[u8], before: &[i128], after: &[i128], choices: &mut Choices) {
    let mut surplus: Vec<i128> = before.iter().zip(after).map(|(b, a)| b - a).collect();
    let mut wanted: Vec<u8> = Vec::new();
    for (i, letter) in letters.iter().enumerate() {
        wanted.extend((surplus[i]..0).map(|_| *letter));
    }
    choices.shuffle(&mut wanted);
    let mut order: Vec<usize> = (0..characters.len()).collect();
    choices.shuffle(&mut order);
    for i in order {
        if wanted.is_empty() {
            return;
        }
        let Some(letter) = letters.iter().position(|l| *l == *characters[i]) else { continue };
        if surplus[letter] > 0 {
            surplus[letter] -= 1;
            if let Some(new) = wanted.pop() {
                *characters[i] = new;
            }
        }
    }
}
