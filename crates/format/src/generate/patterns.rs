//! Texts that match a regular expression, and texts that must be distinct.

use super::instance::InstanceGenerator;
use super::plan::GenerationPlan;
use super::scoped_draft::ScopedDraft;
use crate::constraints::{LetterSpace, visit_boards};
use crate::language::{FieldId, Interval, TextConstraint, TokenPattern};
use crate::value::Value;
use rebut_generators::Choices;
use std::borrow::Borrow;
use std::collections::HashSet;

/// Maximum number of tries at a text that must differ from all others.
const MAX_TRIES: usize = 400;

/// The same where all possible texts are known.
const MAX_KNOWN_SPACE_TRIES: usize = 12;

impl InstanceGenerator<'_, '_> {
    /// Draws a match with a length in the range, as near as possible to `wanted`. Returns the empty text if the
    /// pattern has no match of such a length.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range, and the length is one that the pattern has")]
    pub(super) fn draw_match(&mut self, pattern: &TokenPattern, wanted: usize, range: Interval) -> Vec<u8> {
        let most = usize::try_from(range.hi).unwrap_or(usize::MAX).min(wanted.max(pattern.min_length()) * 2 + 64);
        let lengths = pattern.possible_lengths(most);
        let allowed = (0..lengths.len()).filter(|l| lengths[*l] && range.contains_value(*l as i128));
        let Some(length) = allowed.min_by_key(|l| l.abs_diff(wanted)) else { return Vec::new() };
        self.record_used_shape("matching");
        if self.choices.draw_chance(1, 2)
            && let Some(text) = self.draw_branch_match(pattern, wanted, range)
        {
            return text;
        }
        // Always the first or the last possible character: the simplest texts, and the plainest repetitions.
        let strategy = self.choices.draw_weighted(&[6, 1, 1]);
        let choices = &mut *self.choices;
        let mut pick = |n: usize| match strategy {
            1 => 0,
            2 => n - 1,
            _ => usize::try_from(choices.draw_range(0, n as i128 - 1)).expect("it is below a `usize`"),
        };
        pattern.draw_match(length, &mut pick).expect("the pattern has a match of this length")
    }

    /// Draws a match of a length in the range by choosing the branches of the expression at random.
    #[expect(clippy::expect_used, reason = "what is drawn is in its range")]
    fn draw_branch_match(&mut self, pattern: &TokenPattern, wanted: usize, range: Interval) -> Option<Vec<u8>> {
        const MAX_BRANCH_TRIES: usize = 4;
        let choices = &mut *self.choices;
        let mut pick = |n: usize| usize::try_from(choices.draw_range(0, n as i128 - 1)).expect("it is below a `usize`");
        let most = wanted.max(pattern.min_length());
        let fits = |text: &Vec<u8>| range.contains_value(text.len() as i128);
        (0..MAX_BRANCH_TRIES).find_map(|_| pattern.draw_branch(most, &mut pick).filter(fits))
    }

    /// Redraws the rows that equal an earlier one. A row that still does becomes another text of the `space`,
    /// if that is known. Does nothing if the space has too few texts.
    pub(super) fn make_rows_distinct(
        &mut self,
        rows: &mut Value,
        space: Option<&TextSpace>,
        mut redraw: impl FnMut(&mut Self, usize) -> Value,
    ) {
        let Value::List(rows) = rows else { return };
        if space.is_some_and(|space| space.text_count() < rows.len() as u128) {
            return;
        }
        let most = if space.is_some() { MAX_KNOWN_SPACE_TRIES } else { MAX_TRIES };
        let mut unused = None;
        let mut seen: HashSet<Value> = HashSet::new();
        for row in rows {
            let mut tries = 0;
            while seen.contains(row) && tries < most {
                *row = redraw(self, tries);
                tries += 1;
            }
            if let Some(space) = space.filter(|_| seen.contains(row)) {
                let unused = unused.get_or_insert_with(|| ShuffledTexts::new(space, self.choices));
                while let Some(text) = unused.next_text(self.choices).filter(|_| seen.contains(row)) {
                    *row = Value::Text(text.into());
                }
            }
            seen.insert(row.clone());
        }
    }
}

// All texts over an alphabet, by index: where few texts are possible, they are picked instead of being drawn.

/// With at least this many texts for each wanted one, a text drawn at random is usually new.
pub(super) const MIN_TEXTS_PER_WANTED: u128 = 4;

pub(super) fn text_count(letters: usize, length: usize) -> u128 {
    (letters as u128).saturating_pow(u32::try_from(length).unwrap_or(u32::MAX))
}

/// The texts over an alphabet with a length in a range, shorter ones first.
#[derive(Clone, Debug)]
pub(super) struct TextSpace {
    letters: Vec<u8>,
    /// Each length with its number of texts.
    lengths: Vec<(usize, u128)>,
    wanted: usize,
}

impl TextSpace {
    /// Returns the texts with those lengths. If many lengths are allowed, only the shortest ones that give enough
    /// choice are included.
    pub(super) fn new(letters: &[u8], lengths: Interval, wanted: usize) -> TextSpace {
        let enough = if letters.len() < 2 { 1 } else { MIN_TEXTS_PER_WANTED } * wanted as u128;
        let mut texts = TextSpace { letters: letters.to_vec(), lengths: Vec::new(), wanted };
        let (mut length, mut count) = (usize::try_from(lengths.lo).unwrap_or(0), 0_u128);
        while length as i128 <= lengths.hi && count < enough {
            let of_length = text_count(letters.len(), length);
            texts.lengths.push((length, of_length));
            count = count.saturating_add(of_length);
            length += 1;
        }
        texts
    }

    pub(super) fn text_count(&self) -> u128 {
        self.lengths.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// Returns the text at an index below the count.
    fn text_at(&self, mut number: u128) -> Vec<u8> {
        for (length, count) in &self.lengths {
            if number >= *count {
                number -= count;
                continue;
            }
            let mut text = vec![0; *length];
            for place in text.iter_mut().rev() {
                let base = self.letters.len() as u128;
                *place = self.letters[(number % base) as usize];
                number /= base;
            }
            return text;
        }
        Vec::new()
    }
}

/// Texts in random order.
pub(super) struct ShuffledTexts<T> {
    texts: T,
    /// The indices of the remaining texts, if they are few.
    order: Option<Vec<usize>>,
    /// The index of the last text.
    last: u128,
}

impl<T: Borrow<TextSpace>> ShuffledTexts<T> {
    /// Returns the texts in random order, each exactly once if they are few.
    pub(super) fn new(texts: T, choices: &mut Choices) -> Self {
        let all: &TextSpace = texts.borrow();
        let few = usize::try_from(all.text_count())
            .ok()
            .filter(|count| *count as u128 <= MIN_TEXTS_PER_WANTED * all.wanted as u128);
        let order = few.map(|count| {
            let mut order: Vec<usize> = (0..count).collect();
            choices.shuffle(&mut order);
            order
        });
        ShuffledTexts { texts, order, last: 0 }
    }

    /// Returns the next text, or `None` after the last. All texts occur even if every draw is zero.
    pub(super) fn next_text(&mut self, choices: &mut Choices) -> Option<Vec<u8>> {
        let texts: &TextSpace = self.texts.borrow();
        if let Some(order) = &mut self.order {
            return order.pop().map(|number| texts.text_at(number as u128));
        }
        let count = texts.text_count();
        let step = choices.draw_range(0, i128::try_from(count - 1).unwrap_or(i128::MAX));
        self.last = self.last.saturating_add(1).saturating_add(step.unsigned_abs()) % count;
        Some(texts.text_at(self.last))
    }
}

// Repair of texts that lack a property: `balanced(s)`.
//
// A shape fills a text without regard to the property. Then the constraint's own repair changes as few characters as
// it can, so that the shape survives.

impl InstanceGenerator<'_, '_> {
    pub(super) fn repair_text_properties(&mut self, draft: &mut ScopedDraft<'_>) {
        let (plan, arrays) = (self.plan, &self.plan.block_plan(draft.block).arrays);
        for field in arrays.iter().copied() {
            if let Some(value) = &mut draft.slots[plan.format.field(field).slot] {
                repair_text_properties(plan, field, value, self.choices);
            }
        }
    }
}

/// Changes the texts of a field that lack a property that a constraint demands.
pub fn repair_text_properties(plan: &GenerationPlan<'_>, field: FieldId, value: &mut Value, choices: &mut Choices) {
    for text in text_constraints(plan, field) {
        let info = plan.format.field(field);
        let Some(alphabet) = info.alphabet() else { continue };
        let is_open = info.has_free_length() && info.announced_length.is_none();
        let lengths = usize::try_from(info.length.lo).ok().zip(usize::try_from(info.length.hi).ok());
        let lengths = lengths.filter(|_| is_open).map(|(lo, hi)| lo..=hi);
        let space = LetterSpace { alphabet, letters: &text.letters, lengths };
        repair_boards(value, text.property.dimensions(), &mut |rows| {
            text.property.repair_board(rows, &space, choices);
        });
    }
}

fn text_constraints<'a>(plan: &GenerationPlan<'a>, field: FieldId) -> impl Iterator<Item = &'a TextConstraint> {
    let properties = plan.format.constraints.iter().filter_map(|constraint| constraint.rule.text_property());
    properties.filter(move |text| text.field == field)
}

/// Calls `repair` with the rows of each text, or of each board of two dimensions.
fn repair_boards(value: &mut Value, dimensions: usize, repair: &mut dyn FnMut(&mut [Vec<u8>])) {
    let mut boards: Vec<Vec<Vec<u8>>> = Vec::new();
    visit_boards(value, dimensions, &mut |rows| boards.push(rows.iter().map(|row| row.to_vec()).collect()));
    boards.iter_mut().for_each(|rows| repair(rows));
    replace_texts(value, &mut boards.into_iter().flatten());
}

/// Replaces the texts of a value, in order.
fn replace_texts(value: &mut Value, texts: &mut dyn Iterator<Item = Vec<u8>>) {
    match value {
        Value::Text(letters) => {
            if let Some(text) = texts.next() {
                *letters = text.into();
            }
        }
        Value::List(rows) => rows.iter_mut().for_each(|row| replace_texts(row, texts)),
        Value::Int(_) | Value::Ints(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}
