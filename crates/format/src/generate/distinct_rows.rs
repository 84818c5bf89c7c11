//! Different texts or numbers with a bounded total: `distinct(words); sum(len(words)) <= S`, `distinct(a); sum(a) <= S`.
//!
//! Only a few short texts exist, so the lengths are chosen such that there are enough texts of each, and the number of
//! rows such that the shortest texts fit into the total.

use super::GenerationError;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::patterns::{MIN_TEXTS_PER_WANTED, ShuffledTexts, TextSpace, text_count};
use super::plan::GenerationPlan;
use super::sizes::find_largest;
use crate::language::{BlockId, ComparisonOperator, Expr, FieldId, Format, Interval, evaluate_range};
use crate::value::{self, Value, ValueScope};
use rebut_generators::Choices;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Maximum number of texts of one length that are drawn before one is picked from all.
const MAX_TRIES: usize = 16;

/// Returns the maximum number of different texts with a length in the range and this total length.
fn max_distinct_texts(letters: usize, range: Interval, total: i128) -> i128 {
    let (mut rest, mut rows) = (total, 0_i128);
    let mut length = range.lo.max(0);
    while length <= range.hi && rest >= length {
        let of_length = i128::try_from(text_count(letters, length as usize)).unwrap_or(i128::MAX);
        let fitting = if length == 0 { of_length } else { of_length.min(rest / length) };
        if fitting == 0 {
            break;
        }
        rows = rows.saturating_add(fitting);
        rest -= fitting * length;
        length += 1;
    }
    rows
}

/// Changes lengths such that there are as many texts of each as wanted, and the total is at most `most`, if that is
/// possible. The order of the lengths stays.
fn fit_lengths(lengths: &mut [usize], letters: usize, range: Interval, most: i128) {
    let (least, longest) = (range.lo.max(0) as usize, usize::try_from(range.hi).unwrap_or(usize::MAX));
    let mut counts: BTreeMap<usize, u128> = BTreeMap::new();
    lengths.iter().for_each(|length| *counts.entry((*length).clamp(least, longest)).or_default() += 1);
    let has_room = |counts: &BTreeMap<usize, u128>, length: usize| {
        counts.get(&length).copied().unwrap_or(0) < text_count(letters, length)
    };
    // Too many of one length: the others become shorter if they can, otherwise longer.
    let crowded: Vec<usize> = counts.keys().copied().collect();
    for length in crowded {
        let excess = counts[&length].saturating_sub(text_count(letters, length));
        for _ in 0..excess {
            let shorter = (least..length).find(|shorter| has_room(&counts, *shorter));
            let Some(moved) = shorter.or_else(|| (length + 1..=longest).find(|longer| has_room(&counts, *longer)))
            else {
                return;
            };
            move_one(&mut counts, length, moved);
        }
    }
    let mut total: i128 = counts.iter().map(|(length, count)| *length as i128 * *count as i128).sum();
    let mut shortest = least;
    while total > most {
        let Some(last) = counts.keys().next_back().copied() else { return };
        while !has_room(&counts, shortest) {
            shortest += 1;
        }
        if shortest >= last {
            return;
        }
        move_one(&mut counts, last, shortest);
        total -= (last - shortest) as i128;
    }
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|row| lengths[*row]);
    let sorted = counts.into_iter().flat_map(|(length, count)| (0..count).map(move |_| length));
    order.into_iter().zip(sorted).for_each(|(row, length)| lengths[row] = length);
}

fn move_one(counts: &mut BTreeMap<usize, u128>, from: usize, to: usize) {
    let left = counts.get(&from).copied().unwrap_or(1) - 1;
    if left == 0 {
        counts.remove(&from);
    } else {
        counts.insert(from, left);
    }
    *counts.entry(to).or_default() += 1;
}

impl InstanceGenerator<'_, '_> {
    /// Returns the part of the range of a number of rows or elements for which there are enough different texts of the
    /// total length, or enough different numbers of the total.
    pub(super) fn limit_distinct_rows(&self, size: FieldId, range: Interval, scope: &ValueScope<'_>) -> Interval {
        let most =
            self.plan.field_plan(size).distinct_rows.iter().filter_map(|field| self.max_distinct_rows(*field, scope));
        most.fold(range, |range, most| Interval::new(range.lo, range.hi.min(most).max(range.lo)))
    }

    /// Returns the maximum number of rows of different texts, or of different numbers, if their total is bounded.
    fn max_distinct_rows(&self, field: FieldId, scope: &ValueScope<'_>) -> Option<i128> {
        match self.plan.format.field(field).alphabet() {
            Some(letters) => {
                let total = self.bounded_total_length(field, scope)?;
                Some(max_distinct_texts(letters.len(), self.remaining_lengths(field, scope, &[]), total))
            }
            None => self.max_distinct_numbers(field, scope),
        }
    }

    /// Returns the maximum number of elements of an array whose elements differ and have a bounded sum.
    fn max_distinct_numbers(&self, field: FieldId, scope: &ValueScope<'_>) -> Option<i128> {
        let declared = self.plan.format.field(field).range;
        let ranges = PartialRanges::new(scope);
        let totals = self.plan.field_plan(field).sum_bounds.iter().filter_map(|(sign, other)| match sign {
            ComparisonOperator::LessEqual | ComparisonOperator::Equal => Some(evaluate_range(other, &ranges).hi),
            ComparisonOperator::Less => Some(evaluate_range(other, &ranges).hi - 1),
            _ => None,
        });
        let total = totals.min()?;
        // The smallest numbers from the lower bound on, of which the k-th is `lo + k - 1`.
        let sum_of =
            |count: i128| declared.lo.saturating_mul(count).saturating_add(count.saturating_mul(count - 1) / 2);
        let width = declared.hi.saturating_sub(declared.lo).saturating_add(1);
        Some(find_largest(Interval::new(0, width), |count| sum_of(count) <= total))
    }

    /// Draws different texts for all rows of a field, if they share a total length.
    pub(super) fn draw_distinct_rows(
        &mut self,
        letters: &[u8],
        field: FieldId,
        lengths: &[usize],
        scope: &ValueScope<'_>,
    ) -> Option<Value> {
        let total =
            self.bounded_total_length(field, scope).filter(|_| self.plan.field_plan(field).has_distinct_texts)?;
        let range = self.remaining_lengths(field, scope, &[]);
        if range.hi.saturating_mul(lengths.len() as i128) <= total {
            return None;
        }
        // With few letters, not even the shortest texts may fit.
        let enough = max_distinct_texts(letters.len(), range, total) >= lengths.len() as i128;
        let letters = if enough { letters } else { self.plan.format.field(field).alphabet()? };
        let mut lengths = lengths.to_vec();
        fit_lengths(&mut lengths, letters.len(), range, total);
        let mut wanted: HashMap<usize, usize> = HashMap::new();
        lengths.iter().for_each(|length| *wanted.entry(*length).or_default() += 1);
        let mut listed: HashMap<usize, ShuffledTexts<TextSpace>> = HashMap::new();
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let mut rows = Vec::with_capacity(lengths.len());
        for length in lengths {
            let count = wanted[&length];
            let is_crowded = text_count(letters.len(), length) < MIN_TEXTS_PER_WANTED * count as u128;
            let mut draw_new = || match self.draw_text(field, letters, length) {
                Value::Text(text) => Some(text.to_vec()).filter(|text| !seen.contains(text)),
                _ => None,
            };
            let drawn = if is_crowded { None } else { (0..MAX_TRIES).find_map(|_| draw_new()) };
            let text = match drawn {
                Some(text) => text,
                None => {
                    let texts = listed.entry(length).or_insert_with(|| {
                        let space = TextSpace::new(letters, Interval::from_value(length as i128), count);
                        ShuffledTexts::new(space, self.choices)
                    });
                    std::iter::from_fn(|| texts.next_text(self.choices)).find(|text| !seen.contains(text))?
                }
            };
            seen.insert(text.clone());
            rows.push(Value::Text(text.into()));
        }
        Some(Value::List(rows))
    }
}

// Tracks the values of a block's instances that must be distinct.

/// Tracks the tuples of all instances drawn, one set per `distinct` rule over a block's instances.
pub(super) struct DistinctTracker<'f> {
    format: &'f Format,
    rules: Vec<DistinctRule<'f>>,
}

/// A `distinct` rule, with the tuples of the instances drawn before.
struct DistinctRule<'f> {
    constraint: usize,
    parts: &'f [Expr],
    /// The field of the texts that must differ, if the rule is about texts.
    text: Option<FieldId>,
    tuples: HashSet<Vec<i128>>,
    /// All possible texts, if they are known.
    space: Option<TextSpace>,
    /// The texts that have not been picked yet, once one was needed.
    unused: Option<ShuffledTexts<TextSpace>>,
}

impl<'f> DistinctTracker<'f> {
    /// Returns an empty tracker of a block with `count` instances.
    pub(super) fn new(plan: &GenerationPlan<'f>, child: BlockId, count: usize, holder: &ValueScope<'_>) -> Self {
        let format = plan.format;
        let by = |constraint, parts, text: Option<FieldId>| {
            let space = text.filter(|field| format.text_pattern(*field).is_none());
            let space = space.and_then(|field| text_space_of(field, count, holder));
            DistinctRule { constraint, parts, text, tuples: HashSet::new(), space, unused: None }
        };
        let rules = format.constraints.iter().enumerate().filter_map(|(constraint, c)| {
            let tuple = c.rule.kind().distinct_tuple(format, child)?;
            Some(by(constraint, tuple.parts, tuple.text))
        });
        DistinctTracker { format, rules: rules.collect() }
    }

    /// Inserts the tuples of an instance if they are new to every rule. Returns true if they are.
    pub(super) fn insert_if_new(&mut self, scope: &ValueScope<'_>) -> bool {
        let tuple = |by: &DistinctRule<'_>| -> Vec<i128> {
            match by.text.and_then(|field| scope.field_value(field)) {
                Some(Value::Text(letters)) => letter_codes(letters),
                _ => by.parts.iter().filter_map(|p| value::evaluate_number(p, scope).ok()).collect(),
            }
        };
        if self.rules.iter().any(|by| by.tuples.contains(&tuple(by))) {
            return false;
        }
        for by in &mut self.rules {
            let new = tuple(by);
            by.tuples.insert(new);
        }
        true
    }

    /// Returns true if a rule is about texts.
    pub(super) fn has_text_rules(&self) -> bool {
        self.rules.iter().any(|by| by.text.is_some())
    }

    /// Returns true if each rule about texts allows at least `count` different ones.
    pub(super) fn has_enough_texts(&self, count: usize) -> bool {
        self.rules.iter().filter_map(|by| by.space.as_ref()).all(|space| space.text_count() >= count as u128)
    }

    /// Returns true if more than half of the possible texts are used.
    pub(super) fn is_crowded(&self) -> bool {
        self.rules
            .iter()
            .any(|by| by.space.as_ref().is_some_and(|space| space.text_count() < 2 * by.tuples.len() as u128))
    }

    /// Picks an unused text for each field with a rule about texts. Returns `None` if a field has no text left,
    /// or if its texts are not known.
    pub(super) fn pick_unused_texts(&mut self, choices: &mut Choices) -> Option<Vec<(FieldId, Vec<u8>)>> {
        let mut found = Vec::new();
        for by in self.rules.iter_mut().filter(|by| by.text.is_some()) {
            let DistinctRule { space, unused, tuples, .. } = by;
            let unused = match unused {
                Some(unused) => unused,
                None => unused.insert(ShuffledTexts::new(space.clone()?, choices)),
            };
            let text =
                std::iter::from_fn(|| unused.next_text(choices)).find(|text| !tuples.contains(&letter_codes(text)))?;
            found.push((by.text?, text));
        }
        (!found.is_empty()).then_some(found)
    }

    pub(super) fn exhausted_error(&self) -> GenerationError {
        let blamed = self.rules.first().map(|by| self.format.constraints[by.constraint].span);
        let message = "there are fewer different values than required, or random search misses them";
        GenerationError { constraint: blamed, ..GenerationError::with_message(message) }
    }
}

fn letter_codes(letters: &[u8]) -> Vec<i128> {
    letters.iter().map(|letter| i128::from(*letter)).collect()
}

/// Returns the possible texts of a field, or `None` if their length differs between instances.
fn text_space_of(field: FieldId, count: usize, holder: &ValueScope<'_>) -> Option<TextSpace> {
    let info = holder.format.field(field);
    let lengths = match info.has_free_length() {
        true => info.length,
        false => Interval::from_value(value::dimension_size(field, 0, holder).ok()?? as i128),
    };
    Some(TextSpace::new(info.alphabet()?, lengths, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_texts_have_the_shortest_lengths() {
        // Two of length 1, four of length 2, and one of length 3 in what is left.
        assert_eq!(max_distinct_texts(2, Interval::new(1, 9), 15), 7);
        assert_eq!(max_distinct_texts(2, Interval::new(1, 2), 99), 6);
        assert_eq!(max_distinct_texts(1, Interval::new(0, 9), 6), 4);
        assert_eq!(max_distinct_texts(26, Interval::new(1, 100_000), 100_000), 29_751);
    }

    #[test]
    fn fitted_lengths_have_enough_texts_and_keep_the_total() {
        for (letters, range, most) in [(2, (1, 5), 24), (1, (0, 9), 40), (3, (1, 3), 30), (26, (1, 50), 60)] {
            let range = Interval::new(range.0, range.1);
            let rows = max_distinct_texts(letters, range, most) as usize;
            for pattern in 0..5_usize {
                let longest = range.hi as usize;
                let mut lengths: Vec<usize> = (0..rows).map(|row| (row * pattern) % longest + 1).collect();
                fit_lengths(&mut lengths, letters, range, most);
                assert!(lengths.iter().sum::<usize>() as i128 <= most, "{lengths:?}");
                for length in 0..=longest {
                    let count = lengths.iter().filter(|own| **own == length).count();
                    assert!(count as u128 <= text_count(letters, length), "{lengths:?}");
                }
            }
        }
    }

    #[test]
    fn fitting_lengths_stay() {
        let mut lengths = vec![5, 1, 3, 1];
        fit_lengths(&mut lengths, 26, Interval::new(1, 9), 10);
        assert_eq!(lengths, [5, 1, 3, 1]);
    }
}
