//! Constraints on numbers of letters: `count(board, 'S') = 1`.
//!
//! A shape fills a text without regard to counts. Then new counts are computed, one letter at a time, until the
//! constraints hold. Last, only as many characters as the new counts require are replaced, at random positions,
//! so the shape survives where the constraints allow it.

use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::plan::GenerationPlan;
use super::planning::counts_letters;
use super::scoped_draft::ScopedDraft;
use crate::language::{
    Comparison, ComparisonOperator, Expr, FieldId, FoldKind, FoldRange, Format, Interval, RangeSource, evaluate_range,
};
use crate::value::{Value, ValueScope};
use rebut_generators::Choices;

impl InstanceGenerator<'_, '_> {
    /// Repairs the letter counts of every text of a draft.
    pub(super) fn repair_letter_counts(&mut self, draft: &mut ScopedDraft<'_>) {
        let format = self.plan.format;
        let (plan, arrays) = (self.plan, &self.plan.block_plan(draft.block).arrays);
        let counted = |f: &&FieldId| plan.field_plan(**f).counts_letters && format.field(**f).alphabet().is_some();
        for field in arrays.iter().filter(counted).copied() {
            let slot = format.field(field).slot;
            let Some(mut value) = draft.slots[slot].take() else { continue };
            repair_text_counts(self.plan, field, &mut value, &draft.as_scope(format), self.choices);
            draft.slots[slot] = Some(value);
        }
    }
}

/// Replaces as few characters of a text as needed for its counts to satisfy the constraints, if a way is found.
pub fn repair_text_counts(
    plan: &GenerationPlan<'_>,
    field: FieldId,
    value: &mut Value,
    scope: &ValueScope<'_>,
    choices: &mut Choices,
) {
    let Some(letters) = plan.format.field(field).alphabet() else { return };
    let comparisons: Vec<&Comparison> = plan
        .field_comparisons(field)
        .map(|(_, comparison)| comparison)
        .filter(|c| c.all_operands().any(|e| counts_letters(e, field)))
        .collect();
    if comparisons.is_empty() {
        return;
    }
    let mut characters: Vec<&mut u8> = Vec::new();
    collect_characters(value, &mut characters);
    let mut tally = LetterTally { field, letters, counts: vec![0; letters.len()], ranges: PartialRanges::new(scope) };
    for character in &characters {
        if let Some(i) = letters.iter().position(|l| l == *character) {
            tally.counts[i] += 1;
        }
    }
    let before = tally.counts.clone();
    if tally.satisfy_comparisons(&comparisons, choices) {
        apply_counts(&mut characters, letters, &before, &tally.counts, choices);
    }
}

fn collect_characters<'v>(value: &'v mut Value, characters: &mut Vec<&'v mut u8>) {
    match value {
        Value::Text(row) => characters.extend(row.iter_mut()),
        Value::List(parts) => parts.iter_mut().for_each(|p| collect_characters(p, characters)),
        _ => {}
    }
}

/// The number of each letter in a text, as a source of ranges for the comparisons.
struct LetterTally<'l, 'a, 's> {
    field: FieldId,
    letters: &'l [u8],
    counts: Vec<i128>,
    ranges: PartialRanges<'a, 's>,
}

impl RangeSource for LetterTally<'_, '_, '_> {
    fn format(&self) -> &Format {
        self.ranges.format()
    }

    fn value_range(&self, field: FieldId) -> Interval {
        self.ranges.value_range(field)
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        if field == self.field {
            Interval::from_value(self.counts.iter().sum())
        } else {
            self.ranges.free_length_range(field)
        }
    }

    fn exact_value(&self, fold: &Expr) -> Option<i128> {
        match fold {
            Expr::Fold(FoldKind::Count(wanted), FoldRange::Elements, inner) if **inner == Expr::Field(self.field) => {
                let letter = self.letters.iter().position(|l| i128::from(*l) == *wanted);
                Some(letter.map_or(0, |i| self.counts[i]))
            }
            _ => self.ranges.exact_value(fold),
        }
    }
}

impl LetterTally<'_, '_, '_> {
    /// Moves counts from letter to letter while that reduces the distance to the constraints. Returns true if
    /// all hold in the end.
    fn satisfy_comparisons(&mut self, comparisons: &[&Comparison], choices: &mut Choices) -> bool {
        let mut distance = self.total_distance(comparisons);
        while distance > 0 {
            let Some((from, to, amount, nearer)) = self.find_best_move(comparisons, distance, choices) else {
                return false;
            };
            self.counts[from] -= amount;
            self.counts[to] += amount;
            distance = nearer;
        }
        true
    }

    /// Returns the move that helps most, a random one of equals.
    fn find_best_move(
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
        choices.pick_item(&best).copied()
    }

    fn distance_after(&mut self, from: usize, to: usize, amount: i128, comparisons: &[&Comparison]) -> i128 {
        self.counts[from] -= amount;
        self.counts[to] += amount;
        let distance = self.total_distance(comparisons);
        self.counts[from] += amount;
        self.counts[to] -= amount;
        distance
    }

    /// Returns the sum of the comparisons' distances from holding.
    fn total_distance(&self, comparisons: &[&Comparison]) -> i128 {
        comparisons.iter().map(|c| comparison_distance(c, self)).sum()
    }
}

fn comparison_distance(comparison: &Comparison, tally: &LetterTally<'_, '_, '_>) -> i128 {
    let Some((left, right)) = comparison.single_operands() else { return 0 };
    let (left, right) = (evaluate_range(left, tally), evaluate_range(right, tally));
    match comparison.sign {
        ComparisonOperator::LessEqual => (left.lo - right.hi).max(0),
        ComparisonOperator::Less => (left.lo - right.hi + 1).max(0),
        ComparisonOperator::GreaterEqual => (right.lo - left.hi).max(0),
        ComparisonOperator::Greater => (right.lo - left.hi + 1).max(0),
        ComparisonOperator::Equal => (left.lo - right.hi).max(right.lo - left.hi).max(0),
        ComparisonOperator::NotEqual => i128::from(left.lo == left.hi && left == right),
    }
}

/// Replaces random characters of letters with too many occurrences by the letters with too few.
fn apply_counts(characters: &mut [&mut u8], letters: &[u8], before: &[i128], after: &[i128], choices: &mut Choices) {
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
