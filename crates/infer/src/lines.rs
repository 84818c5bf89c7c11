//! The ways to read one line.

use crate::cost;
use crate::layout::{FieldIndex, Part, Size};
use crate::sample::{Sample, parse_integer};
use crate::state::SearchState;
use std::rc::Rc;

/// Maximum number of parts of a line that have a fixed number of tokens.
const MAX_TOKENS: usize = 8;

/// Maximum number of parts of a line that have a variable number of tokens.
const MAX_ARRAYS: usize = 2;

/// Maximum number of ways to read a line.
const MAX_WAYS: usize = 60;

/// A way to read a line: the parts, each with a new field, and their cost.
pub(crate) type LineCandidate = (Vec<Part>, u32);

/// Returns the ways to read the next line of all active samples. Tries a size in so many places at most, and counts them.
pub(crate) fn line_candidates(
    state: &SearchState,
    samples: &[Sample],
    listed: &[usize],
    tries_left: &mut usize,
) -> Vec<LineCandidate> {
    let guides: Vec<Guide<'_>> = state
        .active()
        .map(|i| Guide {
            tokens: &samples[i].lines[state.readers[i].line],
            at: 0,
            values: state.readers[i].values.clone(),
        })
        .collect();
    let mut search = LineSearch {
        outer_sizes: with_values(candidate_sizes(state), &guides).into(),
        tries_left,
        first_field: state.fields.len(),
        listed,
        parts: Vec::new(),
        scope: state.in_scope.clone(),
        used: state.used.clone(),
        found: Vec::new(),
    };
    search.extend_line(&guides, 0);
    search.add_whole_lines(&guides);
    if guides.iter().all(|guide| guide.tokens.is_empty()) {
        // In addition to a line.
        search.found.push((Vec::new(), 10));
    }
    search.found
}

/// How far a line of a sample was read.
#[derive(Clone)]
struct Guide<'s> {
    tokens: &'s [String],
    at: usize,
    values: Vec<Option<i128>>,
}

impl<'s> Guide<'s> {
    fn rest(&self) -> &'s [String] {
        &self.tokens[self.at..]
    }

    /// Returns the guide after some tokens.
    fn advanced(&self, tokens: usize) -> Guide<'s> {
        Guide { at: self.at + tokens, ..self.clone() }
    }

    /// Returns the guide after one token. Sizes can use its number.
    fn after_token(&self, field: FieldIndex) -> Guide<'s> {
        let mut next = self.advanced(1);
        next.values.resize(next.values.len().max(field + 1), None);
        next.values[field] = self.rest().first().and_then(|token| parse_integer(token));
        next
    }
}

struct LineSearch<'a> {
    /// The sizes over the fields of earlier lines, with their values.
    outer_sizes: Rc<[(Size, Vec<i128>)]>,
    tries_left: &'a mut usize,
    first_field: FieldIndex,
    listed: &'a [usize],
    parts: Vec<Part>,
    scope: Vec<FieldIndex>,
    used: Vec<FieldIndex>,
    found: Vec<LineCandidate>,
}

impl LineSearch<'_> {
    /// Tries each next part.
    fn extend_line(&mut self, guides: &[Guide<'_>], cost: u32) {
        if self.found.len() >= MAX_WAYS || *self.tries_left == 0 {
            return;
        }
        *self.tries_left = self.tries_left.saturating_sub(1 + self.outer_sizes.len());
        if guides.iter().all(|guide| guide.rest().is_empty()) {
            if let Some((_, before)) = self.parts.split_last() {
                // An array of a given size is rarely followed by more: the size equals a number of columns by chance.
                let is_given = |part: &Part| {
                    matches!(part, Part::Array(..))
                        && part.size().and_then(Size::field).is_none_or(|field| field < self.first_field)
                };
                let chance = if before.iter().any(is_given) { cost::CHANCE } else { 0 };
                let are_listed =
                    self.listed.contains(&self.parts.len()) && self.parts.iter().all(|part| !part.is_variable());
                let listed = if are_listed { cost::LISTED * u32::try_from(self.parts.len()).unwrap_or(0) } else { 0 };
                self.found.push((self.parts.clone(), (cost + chance).saturating_sub(listed)));
            }
            return;
        }
        self.try_arrays(guides, cost);
        self.try_token(guides, cost);
    }

    fn next_field(&self) -> FieldIndex {
        self.first_field + self.parts.len()
    }

    fn try_token(&mut self, guides: &[Guide<'_>], cost: u32) {
        let fixed = self.parts.iter().filter(|part| !part.is_variable()).count();
        let shortest = guides.iter().map(|guide| guide.rest().len()).min().unwrap_or(0);
        if shortest == 0 || fixed == MAX_TOKENS {
            return;
        }
        let field = self.next_field();
        for size in self.text_sizes(guides) {
            let next: Vec<Guide<'_>> = guides.iter().map(|guide| guide.advanced(1)).collect();
            self.with_part(Part::Text(field, size), &next, cost);
        }
        let next: Vec<Guide<'_>> = guides.iter().map(|guide| guide.after_token(field)).collect();
        self.scope.push(field);
        self.with_part(Part::Token(field), &next, cost);
        self.scope.pop();
    }

    /// Continues after a part, and removes it again. `cost` is that of the parts before it.
    fn with_part(&mut self, part: Part, next: &[Guide<'_>], cost: u32) {
        let used = self.used.len();
        let size_cost = part.size().map_or(0, |size| cost::size_cost(size, &self.used, &self.scope));
        let cost = cost + cost::part_cost(&part) + size_cost;
        self.used.extend(part.size().into_iter().filter_map(Size::field));
        self.parts.push(part);
        self.extend_line(next, cost);
        self.parts.pop();
        self.used.truncate(used);
    }

    /// Returns the plain sizes that equal the length of the next token in all samples.
    fn text_sizes(&self, guides: &[Guide<'_>]) -> Vec<Size> {
        let lengths: Vec<i128> =
            guides.iter().map(|guide| guide.rest().first().map_or(0, |token| token.chars().count() as i128)).collect();
        let is_worth_a_text = guides
            .iter()
            .any(|guide| guide.rest().first().is_some_and(|token| parse_integer(token).is_none() || token.len() >= 2));
        if !is_worth_a_text {
            return Vec::new();
        }
        let own = self.own_sizes(guides);
        let fitting = self.outer_sizes.iter().chain(&own).filter(|(_, values)| *values == lengths);
        fitting.map(|(size, _)| size.clone()).collect()
    }

    /// Returns the plain sizes over the fields of this line, with their values.
    fn own_sizes(&self, guides: &[Guide<'_>]) -> Vec<(Size, Vec<i128>)> {
        let own = self.scope.iter().filter(|field| **field >= self.first_field);
        with_values(own.map(|field| Size::from_field(*field)).collect(), guides)
    }

    fn try_arrays<'s>(&mut self, guides: &[Guide<'s>], cost: u32) {
        if self.parts.iter().filter(|part| part.is_variable()).count() == MAX_ARRAYS {
            return;
        }
        let mut own = self.own_sizes(guides);
        let rest: Vec<i128> = guides.iter().map(|guide| guide.rest().len() as i128).collect();
        let longest = rest.iter().max().copied().unwrap_or(0);
        if longest > MAX_TOKENS as i128 && rest.iter().all(|length| *length == longest) && self.parts.is_empty() {
            own.push((Size::Constant(longest), rest.clone()));
        }
        let outer = Rc::clone(&self.outer_sizes);
        for (size, values) in outer.iter().chain(&own) {
            if values.iter().all(|value| *value == 0) {
                continue;
            }
            if values.iter().zip(&rest).all(|(value, rest)| value <= rest) {
                let part = Part::Array(self.next_field(), size.clone());
                let advance = |(guide, value): (&Guide<'s>, &i128)| Some(guide.advanced(usize::try_from(*value).ok()?));
                if let Some(next) = guides.iter().zip(values).map(advance).collect::<Option<Vec<_>>>() {
                    self.with_part(part, &next, cost);
                }
            }
        }
    }

    /// Adds lists and phrases, which take the rest of the line.
    fn add_whole_lines(&mut self, guides: &[Guide<'_>]) {
        if guides.iter().any(|guide| guide.tokens.is_empty()) {
            return;
        }
        let is_word = |token: &String| crate::sample::decimal_places(token).is_none();
        let has_words = guides.iter().any(|guide| guide.tokens.iter().any(is_word));
        let phrase = has_words.then_some(Part::Phrase(self.first_field));
        let wholes = [Part::List(self.first_field)].into_iter().chain(phrase);
        self.found.extend(wholes.map(|whole| (vec![whole.clone()], cost::part_cost(&whole))));
    }
}

/// Returns sizes with their values on all lines, without those that have none somewhere or are negative.
fn with_values(sizes: Vec<Size>, guides: &[Guide<'_>]) -> Vec<(Size, Vec<i128>)> {
    let value = |size: &Size, guide: &Guide<'_>| size.evaluate_size(&guide.values).filter(|value| *value >= 0);
    let values = |size: &Size| guides.iter().map(|guide| value(size, guide)).collect::<Option<_>>();
    sizes.into_iter().filter_map(|size| values(&size).map(|values| (size, values))).collect()
}

// The sizes that earlier numbers allow.

/// Maximum value of a size.
const MAX_SIZE: i128 = 10_000_000;

/// Returns the sizes over the fields in scope that are numbers in all active samples.
pub(crate) fn candidate_sizes(state: &SearchState) -> Vec<Size> {
    let have = |field: &FieldIndex, is_right: fn(&i128) -> bool| {
        state.values_of(&Size::from_field(*field)).is_some_and(|values| values.iter().all(is_right))
    };
    let mut numbers = state.in_scope.clone();
    numbers.retain(|field| have(field, |value| *value <= MAX_SIZE));
    // Changes of a number that is always zero are other sizes in disguise.
    let is_zero = |field: &FieldIndex| have(field, |value| *value == 0);
    let mut sizes = Vec::new();
    for field in &numbers {
        let changes = [(1, 0), (1, -1), (1, 1), (1, 2), (2, 0)].into_iter().take(if is_zero(field) { 1 } else { 5 });
        sizes.extend(changes.map(|(factor, offset)| Size::Linear { factor, field: *field, offset }));
    }
    sizes
}
