//! Tracks the values of a block's instances that must be distinct.

use super::GenerationError;
use super::plan::GenerationPlan;
use super::text_space::{ShuffledTexts, TextSpace};
use crate::language::{BlockId, Expr, FieldId, Format, Interval};
use crate::value::{self, Value, ValueScope};
use rebut_generators::Choices;
use std::collections::HashSet;

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
            let tuple = c.rule.kind().distinct_tuple(child)?;
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
        GenerationError {
            constraint: blamed,
            too_large: None,
            message: "there are fewer different values than required, or random search misses them".to_owned(),
        }
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
