//! What a block's instances have had before, where all of it must differ.

use super::Failure;
use super::plan::Plan;
use super::texts::{Shuffled, Texts};
use crate::format::{BlockId, Expr, FieldId, Format, Interval, Over, Rule};
use crate::value::{self, Scope, Value};
use rebut_generators::Choices;
use std::collections::HashSet;

/// The tuples seen so far, for each `distinct` over a block's instances.
pub(super) struct Seen<'f> {
    format: &'f Format,
    rules: Vec<SeenBy<'f>>,
}

/// One rule and what it has seen.
struct SeenBy<'f> {
    constraint: usize,
    parts: &'f [Expr],
    /// The field whose texts must differ, if it is that.
    text: Option<FieldId>,
    tuples: HashSet<Vec<i128>>,
    /// All texts that there can be, if that is known.
    space: Option<Texts>,
    /// Those of them that have not been picked yet, once one was asked for.
    unused: Option<Shuffled<Texts>>,
}

impl<'f> Seen<'f> {
    /// Nothing seen yet, of a block of which there are to be `count` instances.
    pub(super) fn new(plan: &Plan<'f>, child: BlockId, count: usize, holder: &Scope<'_>) -> Self {
        let format = plan.format;
        let by = |constraint, parts, text: Option<FieldId>| {
            let space = text.filter(|field| plan.pattern(*field).is_none());
            let space = space.and_then(|field| space_of(field, count, holder));
            SeenBy { constraint, parts, text, tuples: HashSet::new(), space, unused: None }
        };
        let rules = format.constraints.iter().enumerate().filter_map(|(constraint, c)| match &c.rule {
            Rule::Distinct(parts, Over::Instances(block)) if *block == child => Some(by(constraint, &**parts, None)),
            Rule::DistinctTexts(field, Over::Instances(block)) if *block == child => {
                Some(by(constraint, &[], Some(*field)))
            }
            _ => None,
        });
        Seen { format, rules: rules.collect() }
    }

    /// Whether the instance is new to every rule; if so it is remembered.
    pub(super) fn insert(&mut self, scope: &Scope<'_>) -> bool {
        let tuple = |by: &SeenBy<'_>| -> Vec<i128> {
            match by.text.and_then(|field| scope.field(field)) {
                Some(Value::Text(letters)) => codes(letters),
                _ => by.parts.iter().filter_map(|p| value::number(p, scope).ok()).collect(),
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

    /// Whether texts are among what must differ.
    pub(super) fn tells_texts_apart(&self) -> bool {
        self.rules.iter().any(|by| by.text.is_some())
    }

    /// Whether there are so many different texts, for each rule about texts.
    pub(super) fn has_texts_for(&self, count: usize) -> bool {
        self.rules.iter().filter_map(|by| by.space.as_ref()).all(|space| space.count() >= count as u128)
    }

    /// Whether more than half of all texts that there can be are used.
    pub(super) fn is_crowded(&self) -> bool {
        self.rules.iter().any(|by| by.space.as_ref().is_some_and(|space| space.count() < 2 * by.tuples.len() as u128))
    }

    /// A text that has not been used, for each field whose texts must differ; none if some field has none left, or if it
    /// is not known what it could be.
    pub(super) fn unused(&mut self, choices: &mut Choices) -> Option<Vec<(FieldId, Vec<u8>)>> {
        let mut found = Vec::new();
        for by in self.rules.iter_mut().filter(|by| by.text.is_some()) {
            let SeenBy { space, unused, tuples, .. } = by;
            let unused = match unused {
                Some(unused) => unused,
                None => unused.insert(Shuffled::new(space.clone()?, choices)),
            };
            let text = std::iter::from_fn(|| unused.next(choices)).find(|text| !tuples.contains(&codes(text)))?;
            found.push((by.text?, text));
        }
        (!found.is_empty()).then_some(found)
    }

    pub(super) fn failure(&self) -> Failure {
        let blamed = self.rules.first().map(|by| self.format.constraints[by.constraint].span);
        Failure { constraint: blamed, message: "too few different values, or too many are asked for".to_owned() }
    }
}

fn codes(letters: &[u8]) -> Vec<i128> {
    letters.iter().map(|letter| i128::from(*letter)).collect()
}

/// The texts that a field of the instances can have; none if their length is not the same for all of them.
fn space_of(field: FieldId, count: usize, holder: &Scope<'_>) -> Option<Texts> {
    let info = holder.format.field(field);
    let lengths = match info.is_free() {
        true => info.length,
        false => Interval::point(value::size(field, 0, holder).ok()?? as i128),
    };
    Some(Texts::new(info.letters()?, lengths, count))
}
