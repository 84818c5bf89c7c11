//! Description lengths: how many bits it takes to write a layout down, in tenths.
//!
//! The shorter of two layouts that fit all samples is more likely. Tokens that a layout explains need no fields of their own:
//! three numbers after a 3 are cheaper as an array of that many than as three fields. The figures were chosen such that
//! the layouts of public problems come first; a difference of 10 is a factor of two in likelihood.

use crate::layout::{Count, FieldIndex, Node, Part, Size, sizes_in};
use crate::sample::{decimal_places, parse_integer};
use std::collections::BTreeSet;

/// A line, without its parts.
pub(crate) const LINE: u32 = 5;
/// A block of lines with tags, without its forms.
pub(crate) const TAGGED: u32 = 75;
/// A single token.
const TOKEN: u32 = 30;
/// The part of a token's cost that a statement explains by listing as many numbers.
pub(crate) const LISTED: u32 = 16;
/// A size that equals a number of columns, where layouts rarely have it.
pub(crate) const CHANCE: u32 = 40;

/// Returns the description length of a size: `used` are the fields of earlier ones, `in_scope` those that it can use.
pub(crate) fn size_cost(size: &Size, used: &[FieldIndex], in_scope: &[FieldIndex]) -> u32 {
    match size {
        // The number of lines of a few samples is often the same by chance.
        Size::Constant(_) => 110,
        Size::Linear { factor, field, offset } => {
            let is_last = in_scope.last() == Some(field);
            // Sizes are usually used in the order in which they are read.
            let skipped = in_scope.iter().take_while(|other| *other != field).filter(|other| !used.contains(other));
            let order = u32::try_from(skipped.take(4).count()).unwrap_or(4) * 4;
            let place = match used.contains(field) {
                true => 20 + if is_last { 0 } else { 4 },
                false => 8 + order,
            };
            let changes = u32::from(*factor != 1) + u32::from(*offset != 0);
            // `n-1` lines for the edges of a tree are common, `n+1` are not.
            let rare = if matches!(offset, 0 | -1) { 0 } else { 12 };
            place + changes * 28 + rare
        }
    }
}

/// Returns the description length of a part, without its size.
pub(crate) fn part_cost(part: &Part) -> u32 {
    match part {
        Part::Token(_) => TOKEN,
        Part::Text(..) => 32,
        Part::Array(..) => 35,
        Part::List(_) => 110,
        Part::Phrase(_) => 120,
    }
}

/// Returns the description length of a block, without its count and its body.
pub(crate) fn block_cost(count: &Count) -> u32 {
    match count {
        Count::Times(_) => 40,
        Count::UntilEof => 180,
        Count::UntilLine(_) => 70,
    }
}

/// Returns what the tokens of fields add to the description length of a layout; the least if it is not complete.
pub(crate) fn observation_cost(nodes: &[Node], fields: &[Observation], is_complete: bool) -> u32 {
    let node_cost = |node: &Node| match node {
        Node::Line(parts) => {
            // A text of digits may turn out to have other characters.
            let parts = parts.iter().filter(|part| is_complete || !matches!(part, Part::Text(..)));
            parts.map(|part| part_observation_cost(part, fields)).sum()
        }
        Node::Block { body, count } => observation_cost(body, fields, is_complete) + columns_cost(count, body),
        Node::Either(forms) => {
            let is_numeric = forms.iter().all(|form| parse_integer(&form.tag).is_some());
            let forms_cost = forms.iter().map(|form| 20 + TOKEN / 2 * u32::try_from(form.parts.len()).unwrap_or(9));
            forms_cost.sum::<u32>() + if is_numeric { 15 } else { 0 }
        }
    };
    nodes.iter().map(node_cost).sum()
}

/// Returns the cost of sizes inside a block that are its own count: `repeat t: ... a[t]`. Only a square is common.
fn columns_cost(count: &Count, body: &[Node]) -> u32 {
    let Count::Times(lines) = count else { return 0 };
    let Some(field) = lines.field() else { return 0 };
    let is_square = matches!(body, [Node::Line(parts)] if parts.len() == 1 && parts[0].size() == Some(lines));
    let same = sizes_in(body).into_iter().filter(|(size, _)| size.field() == Some(field)).count();
    if is_square { 0 } else { CHANCE * u32::try_from(same.min(3)).unwrap_or(3) }
}

fn part_observation_cost(part: &Part, fields: &[Observation]) -> u32 {
    let types = |field: &FieldIndex| mixture_cost(&fields[*field]);
    match part {
        Part::Token(field) => {
            let observed = &fields[*field];
            let lengths = observed.lengths.unwrap_or_default();
            // The lengths of a word are not explained.
            let unexplained = match observed.is_text() {
                true if lengths == (1, 1) => 10,
                // A word that comes again is explained by the first one.
                true => 15 + unexplained_cost(observed.tokens.len()),
                false => 0,
            };
            types(field) + unexplained
        }
        // A number is rarely a text of digits, unless it is binary.
        Part::Text(field, _) if !fields[*field].is_integer() => 0,
        Part::Text(field, _) if fields[*field].letters.iter().all(|c| matches!(c, '0' | '1')) => 5,
        Part::Text(..) => 35,
        Part::List(field) => types(field) + unexplained_cost(fields[*field].lists),
        // Nothing explains the lengths of words among numbers.
        Part::Array(field, _) if types(field) > 0 => types(field) + unexplained_cost(fields[*field].count),
        Part::Array(field, _) if fields[*field].is_text() => 10,
        Part::Array(..) => 0,
        Part::Phrase(field) => unexplained_cost(fields[*field].count),
    }
}

/// Returns the cost of lengths that no earlier number gives, of which a dozen count.
fn unexplained_cost(lengths: usize) -> u32 {
    16 * u32::try_from(lengths.min(12)).unwrap_or(0)
}

/// Returns the cost of a field that has both numbers and words.
fn mixture_cost(observed: &Observation) -> u32 {
    let numbers = observed.reals;
    if numbers > 0 && numbers < observed.count && observed.letters.iter().any(|c| !c.is_ascii_digit()) { 35 } else { 0 }
}

// The tokens that samples have for a field.

/// Maximum number of different tokens that are kept.
const MAX_DIFFERENT: usize = 24;

/// The tokens of a field in all samples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observation {
    /// Number of tokens.
    pub(crate) count: usize,
    /// Number of tokens that are whole numbers.
    pub(crate) integers: usize,
    /// Number of tokens that are whole or real numbers.
    pub(crate) reals: usize,
    /// The smallest and the largest number, rounded outwards.
    pub(crate) range: Option<(i128, i128)>,
    /// The largest number of decimal places.
    pub(crate) decimals: usize,
    /// True if numbers have different numbers of decimal places.
    pub(crate) has_mixed_decimals: bool,
    /// True if the largest number of decimal places is not that of the samples.
    pub(crate) has_guessed_decimals: bool,
    /// The characters of all tokens.
    pub(crate) letters: BTreeSet<char>,
    /// True if a statement lists all letters.
    pub(crate) has_listed_letters: bool,
    /// The smallest and the largest length of a token.
    pub(crate) lengths: Option<(usize, usize)>,
    /// The different tokens, up to a limit.
    pub(crate) tokens: BTreeSet<String>,
    /// True if the layout or the statement has a word, even if samples have digits only.
    pub(crate) is_word: bool,
    /// Number of lists.
    pub(crate) lists: usize,
    /// The smallest and the largest number of elements of a list.
    pub(crate) list_lengths: Option<(usize, usize)>,
}

impl Observation {
    pub(crate) fn add_token(&mut self, token: &str) {
        self.count += 1;
        if let Some(number) = parse_integer(token) {
            self.integers += 1;
            widen(&mut self.range, number);
        }
        if let Some(places) = decimal_places(token) {
            self.has_mixed_decimals |= self.reals > 0 && self.decimals != places;
            self.reals += 1;
            self.decimals = self.decimals.max(places);
            let whole = token.split('.').next().and_then(parse_integer).unwrap_or(0);
            let below = if token.starts_with('-') && places > 0 { whole - 1 } else { whole };
            let above = if !token.starts_with('-') && places > 0 { whole + 1 } else { whole };
            widen(&mut self.range, below);
            widen(&mut self.range, above);
        }
        self.letters.extend(token.chars());
        widen(&mut self.lengths, token.chars().count());
        if self.tokens.len() <= MAX_DIFFERENT {
            self.tokens.insert(token.to_owned());
        }
    }

    /// Adds the number of elements of a list.
    pub(crate) fn add_list_length(&mut self, length: usize) {
        self.lists += 1;
        widen(&mut self.list_lengths, length);
    }

    /// Gives real numbers more decimals than samples have, unless all of them have as many, such as the two of prices.
    pub(crate) fn take_decimals(&mut self) {
        /// Number of decimals of most real numbers in inputs.
        const USUAL_DECIMALS: usize = 6;
        if self.is_real() && (self.has_mixed_decimals || self.decimals < 2) && self.decimals < USUAL_DECIMALS {
            self.has_guessed_decimals = true;
            self.decimals = USUAL_DECIMALS;
        }
    }

    /// Returns true if all tokens are whole numbers.
    pub(crate) fn is_integer(&self) -> bool {
        self.integers == self.count && !self.is_word
    }

    /// Returns true if all tokens are numbers, and not all are whole.
    pub(crate) fn is_real(&self) -> bool {
        self.reals == self.count && !self.is_integer() && !self.is_text()
    }

    /// Returns true if a token is not a number, or only looks like one.
    pub(crate) fn is_text(&self) -> bool {
        self.reals < self.count || self.is_word
    }

    /// Returns true if all tokens are single characters, and not all are numbers.
    pub(crate) fn is_letter(&self) -> bool {
        self.is_text() && self.lengths == Some((1, 1))
    }
}

/// Extends a range to a number.
fn widen<T: Ord + Copy>(range: &mut Option<(T, T)>, number: T) {
    let (lo, hi) = range.unwrap_or((number, number));
    *range = Some((lo.min(number), hi.max(number)));
}
