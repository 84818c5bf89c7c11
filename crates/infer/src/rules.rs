//! The constraints of an inferred format: those of the statement as far as they hold for the samples, and otherwise
//! ranges from the samples.

use crate::bound_terms::{ComparedPair, term_names};
use crate::cost::Observation;
use crate::layout::{FieldIndex, Node, Part, Size, fields_of, parts_of, size_fields, sizes_in};
use crate::statement::Statement;
use rebut_diagnostics::Span;
use rebut_format::syntax::{ComparisonChain, SyntaxFieldKind, SyntaxRule, SyntaxTerm, SyntaxTermKind};
use std::collections::BTreeSet;

/// A side of a field's range that a rule states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeSide {
    Lower,
    Upper,
}

/// Returns both sides of the range of a quantity.
pub(crate) fn both_sides(name: &str) -> [(String, RangeSide); 2] {
    [RangeSide::Lower, RangeSide::Upper].map(|side| (name.to_owned(), side))
}

/// Makes the rules of a format.
pub(crate) struct RuleMaker<'a> {
    pub(crate) nodes: &'a [Node],
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a [Observation],
    /// True if nothing but the samples describes the inputs: ranges are rather too narrow than too wide.
    pub(crate) is_narrow: bool,
}

impl RuleMaker<'_> {
    pub(crate) fn name_of(&self, field: FieldIndex) -> SyntaxTerm {
        SyntaxTerm::from_name(self.names[field].clone())
    }

    /// Returns the types of all fields that are not whole numbers.
    pub(crate) fn field_kinds(&self) -> Vec<SyntaxRule> {
        let mut rules = Vec::new();
        for field in fields_of(self.nodes) {
            let observed = &self.fields[field];
            let kind = if observed.is_text() {
                Some(text_kind(observed))
            } else if observed.is_real() {
                let places = i128::try_from(observed.decimals).unwrap_or(0);
                let range = Box::new((SyntaxTerm::from_number(0), SyntaxTerm::from_number(places)));
                Some(SyntaxFieldKind::Real(range))
            } else {
                None
            };
            rules.extend(kind.map(|of| SyntaxRule::FieldKind { names: vec![self.name_of(field)], of }));
        }
        rules
    }

    /// Returns the names of numbers, and the lengths of texts that have a range of their own: `len(s)`.
    pub(crate) fn bounded_names(&self) -> Vec<String> {
        let fields = || fields_of(self.nodes).into_iter();
        let numbers = fields().filter(|field| !self.fields[*field].is_text()).map(|field| self.names[field].clone());
        let lengths = fields().filter(|field| self.length_range(*field).is_some());
        numbers.chain(lengths.map(|field| format!("len({})", self.names[field]))).collect()
    }

    /// Returns the field with a name.
    pub(crate) fn field_named(&self, name: &str) -> Option<FieldIndex> {
        self.names.iter().position(|other| other == name)
    }

    /// Returns true if all fields of a term are read before a field.
    pub(crate) fn is_earlier(&self, term: &SyntaxTerm, field: &str) -> bool {
        term_names(term).iter().all(|name| self.field_named(name) < self.field_named(field))
    }

    /// Returns true if all names in a term are fields.
    pub(crate) fn is_known(&self, term: &SyntaxTerm) -> bool {
        term_names(term).iter().all(|name| self.names.contains(name))
    }

    /// Returns true for two terms that name a field, and no variable such as an index.
    pub(crate) fn is_compared(&self, (left, _, right): &ComparedPair) -> bool {
        /// Variables of explanations.
        const VARIABLES: &[&str] = &["i", "j", "k", "x", "y", "l", "r"];
        let names = |term: &str| -> Vec<String> {
            let words = term.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.filter(|word| word.starts_with(char::is_alphabetic)).map(str::to_owned).collect()
        };
        let names = [names(left), names(right)].concat();
        let is_variable = |name: &String| VARIABLES.contains(&name.as_str()) && !self.names.contains(name);
        names.iter().any(|name| self.names.contains(name)) && !names.iter().any(is_variable) && left != right
    }

    /// Returns the bounds of sums over all test cases.
    pub(crate) fn stated_sums(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let known = statement.sums.iter().filter(|(term, _)| self.is_known(term));
        known
            .map(|(term, bound)| {
                let sum = SyntaxTerm::new_call("sum", vec![term.clone()]);
                SyntaxRule::Chain(ComparisonChain::new(sum).followed_by("<=", vec![bound.clone()]))
            })
            .collect()
    }

    /// Returns the sides of the ranges that a chain states, by the name of the field, or `len(s)` for lengths. Only bounds of which
    /// all terms count for the field are used.
    pub(crate) fn stated_sides(
        &self,
        chain: &ComparisonChain,
        counts: impl Fn(&SyntaxTerm, &str) -> bool,
    ) -> Vec<(String, RangeSide)> {
        let mut sides = Vec::new();
        for (at, term) in chain.lists.iter().enumerate().flat_map(|(at, list)| list.iter().map(move |term| (at, term)))
        {
            let Some((field, name)) = bounded_quantity(term) else { continue };
            let is_bound = |list: &&Vec<SyntaxTerm>| list.iter().all(|term| counts(term, field));
            let sign = |place: Option<usize>, list: Option<usize>| {
                list.and_then(|list| chain.lists.get(list)).filter(is_bound)?;
                chain.signs.get(place?).map(|(sign, _)| *sign)
            };
            let before = sign(at.checked_sub(1), at.checked_sub(1));
            let after = sign(Some(at), Some(at + 1));
            if matches!(before, Some("<" | "<=")) || matches!(after, Some(">" | ">=")) {
                sides.push((name.clone(), RangeSide::Lower));
            }
            if matches!(before, Some(">" | ">=")) || matches!(after, Some("<" | "<=")) {
                sides.push((name, RangeSide::Upper));
            }
        }
        sides
    }

    /// Returns ranges from the samples for whatever sides of ranges are not stated. Fields with equal ranges share a
    /// rule.
    pub(crate) fn sampled_ranges(&self, stated: &[(String, RangeSide)]) -> Vec<SyntaxRule> {
        let mut ranges: Vec<(Option<SyntaxTerm>, Vec<SyntaxTerm>, Option<SyntaxTerm>)> = Vec::new();
        for field in fields_of(self.nodes) {
            let is_stated = |name: &str, side| stated.iter().any(|(n, s)| n == name && *s == side);
            let mut add = |term: SyntaxTerm, name: &str, (lo, hi): (SyntaxTerm, SyntaxTerm)| {
                let lo = (!is_stated(name, RangeSide::Lower)).then_some(lo);
                let hi = (!is_stated(name, RangeSide::Upper)).then_some(hi);
                if lo.is_none() && hi.is_none() {
                    return;
                }
                match ranges.iter_mut().find(|(l, _, h)| *l == lo && *h == hi) {
                    Some((_, terms, _)) => terms.push(term),
                    None => ranges.push((lo, vec![term], hi)),
                }
            };
            let name = &self.names[field];
            if !self.fields[field].is_text() {
                add(self.name_of(field), name, self.number_range(field));
            }
            if let Some(range) = self.length_range(field) {
                let term = SyntaxTerm::new_call("len", vec![self.name_of(field)]);
                add(term, &format!("len({name})"), range);
            }
        }
        ranges.into_iter().map(|(lo, terms, hi)| SyntaxRule::Chain(range_chain(lo, terms, hi))).collect()
    }

    /// Returns the constant range of a number, or of a length, that is guessed from the samples.
    pub(crate) fn sampled_range(&self, field: FieldIndex, is_length: bool) -> Option<(i128, i128)> {
        let (lo, hi) = match is_length {
            true => self.length_range(field)?,
            false => self.number_range(field),
        };
        Some((lo.constant_value()?, hi.constant_value()?))
    }

    /// Returns the range of a number, wider than what the samples have.
    fn number_range(&self, field: FieldIndex) -> (SyntaxTerm, SyntaxTerm) {
        let (least, most) = self.fields[field].range.unwrap_or((0, 0));
        let is_size = size_fields(self.nodes).contains(&field);
        let below = if is_size { least_size(self.nodes, field) } else { 0 };
        let below = if is_size && self.is_narrow && field > 0 { below.max(least.min(2)) } else { below };
        let magnitude = power_of_ten(least.unsigned_abs().max(most.unsigned_abs()).max(10));
        let lo = if least < 0 {
            SyntaxTerm::new(SyntaxTermKind::Negate(Box::new(magnitude.clone())))
        } else {
            SyntaxTerm::from_number(if least == 0 { 0 } else { below.max(1) })
        };
        (lo, magnitude)
    }

    /// Returns the range of a length that no size gives.
    fn length_range(&self, field: FieldIndex) -> Option<(SyntaxTerm, SyntaxTerm)> {
        let observed = &self.fields[field];
        let (shortest, longest) = match observed.list_lengths {
            Some(lengths) => lengths,
            None => observed.lengths.unwrap_or((1, 1)),
        };
        // A size gives the length, or it is one character.
        let is_fixed = |part: &Part| match part {
            Part::Text(..) => true,
            Part::Phrase(_) => false,
            _ => observed.lengths == Some((1, 1)),
        };
        let is_free =
            observed.is_text() && !parts_of(self.nodes).iter().any(|part| part.field() == field && is_fixed(part));
        if observed.list_lengths.is_none() && !is_free {
            return None;
        }
        let lo = if shortest == 0 { 0 } else { 1 };
        Some((SyntaxTerm::from_number(lo), power_of_ten((longest as u128).max(10))))
    }
}

fn text_kind(observed: &Observation) -> SyntaxFieldKind {
    let letters: usize = observed.count * observed.lengths.map_or(0, |(shortest, _)| shortest);
    let is_exact = observed.has_listed_letters || are_all_letters(&observed.letters, letters);
    let letters = letters_for(&observed.letters, is_exact);
    // Without a sample, the letters are the usual ones.
    SyntaxFieldKind::Letters(if letters.is_empty() { b"a-z".to_vec() } else { letters }, Span::default())
}

/// Returns the field of which a term is the value or the length, and how ranges name the term.
pub(crate) fn bounded_quantity(term: &SyntaxTerm) -> Option<(&String, String)> {
    match &term.kind {
        SyntaxTermKind::Name(name) => Some((name, name.clone())),
        SyntaxTermKind::Call(function, arguments) if function == "len" => match arguments.first() {
            Some(SyntaxTerm { kind: SyntaxTermKind::Name(name), .. }) => Some((name, format!("len({name})"))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a chain with a list of terms between two bounds.
pub(crate) fn range_chain(lo: Option<SyntaxTerm>, terms: Vec<SyntaxTerm>, hi: Option<SyntaxTerm>) -> ComparisonChain {
    let mut chain = match lo {
        Some(lo) => ComparisonChain::new(lo).followed_by("<=", terms),
        None => ComparisonChain::from_list(terms),
    };
    if let Some(hi) = hi {
        chain = chain.followed_by("<=", vec![hi]);
    }
    chain
}

/// Returns the smallest power of ten that is not below a number: `10^k`, or the number itself up to 100.
fn power_of_ten(number: u128) -> SyntaxTerm {
    let mut exponent = 1;
    while exponent < 35 && 10u128.pow(exponent) < number {
        exponent += 1;
    }
    match exponent {
        1 => SyntaxTerm::from_number(10),
        2 => SyntaxTerm::from_number(100),
        _ => SyntaxTerm::from_number(10).into_operation("^", SyntaxTerm::from_number(exponent.into())),
    }
}

/// Returns the smallest value of a field for which all sizes that use it are at least zero.
fn least_size(nodes: &[Node], field: FieldIndex) -> i128 {
    let least = |size: &Size| match size {
        Size::Linear { field: other, offset, .. } if *other == field => -offset,
        _ => 0,
    };
    sizes_in(nodes).into_iter().map(|(size, _)| least(size)).max().unwrap_or(0).max(0)
}

// The letters of a text, from those that samples have.

/// Minimum number of observed letters for a set of few letters to be taken as it is.
const MIN_OBSERVED: usize = 12;

/// Maximum number of letters in a set that is taken as it is.
const MAX_EXACT: usize = 4;

/// Returns true if a text has few letters so often in the samples that others are unlikely. `observed` is the number of
/// its letters in the samples.
fn are_all_letters(letters: &BTreeSet<char>, observed: usize) -> bool {
    letters.len() <= MAX_EXACT && observed >= MIN_OBSERVED
}

/// Returns the letters for `over`, escaped: these if they are exact, and otherwise the ranges that they are in.
fn letters_for(letters: &BTreeSet<char>, is_exact: bool) -> Vec<u8> {
    let ranges: [(char, char, bool); 3] = [
        ('a', 'z', !is_exact),
        ('A', 'Z', !is_exact),
        ('0', '9', !is_exact && letters.iter().any(|c| matches!(c, '2'..='9'))),
    ];
    let mut text = Vec::new();
    let mut rest = letters.clone();
    // An exact set begins with the sign that is likely the simplest: the free cell of a board.
    for first in ['.', ' '] {
        if rest.remove(&first) {
            text.push(first as u8);
        }
    }
    for (first, last, is_range) in ranges {
        let inside = |c: &char| (first..=last).contains(c);
        if is_range && rest.iter().any(inside) {
            text.extend([first as u8, b'-', last as u8]);
            rest.retain(|c| !inside(c));
        }
    }
    for c in rest {
        if matches!(c, '-' | '\\') {
            text.push(b'\\');
        }
        text.push(u8::try_from(c).unwrap_or(b'?'));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn few_letters_are_exact_and_many_become_a_range() {
        let letters = |text: &str| {
            let letters = text.chars().collect();
            String::from_utf8(letters_for(&letters, are_all_letters(&letters, text.len()))).unwrap()
        };
        assert_eq!(letters("..##..##..##"), ".#");
        assert_eq!(letters("abc"), "a-z");
        assert_eq!(letters("0101"), "01");
        assert_eq!(letters("x-Y2"), "a-zA-Z0-9\\-");
    }
}
