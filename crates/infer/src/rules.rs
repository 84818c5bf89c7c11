//! The constraints of an inferred format: those of the statement as far as they hold for the samples, and otherwise
//! ranges from the samples.

use crate::bound_terms::{ComparedPair, term_elements, term_names};
use crate::cost::Observation;
use crate::layout::{
    FieldIndex, Node, Part, Size, fields_of, is_case_block, parts_of, repeated_fields, size_fields, sizes_in,
};
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

    /// Returns the types of texts and reals: first the surer ones, then the texts of which only samples show the letters.
    pub(crate) fn field_kinds(&self) -> [Vec<SyntaxRule>; 2] {
        let mut rules = [Vec::new(), Vec::new()];
        for field in fields_of(self.nodes) {
            let observed = &self.fields[field];
            let is_guess = observed.is_text() && !observed.has_listed_letters;
            let kind = if observed.is_text() {
                let letters: usize = observed.count * observed.lengths.map_or(0, |(shortest, _)| shortest);
                // A text has few letters so often in the samples that others are unlikely.
                let are_all = observed.letters.len() <= MAX_EXACT && letters >= MIN_OBSERVED;
                let are_few = self.is_narrow && observed.letters.len() <= MAX_NARROW;
                let is_exact = observed.has_listed_letters || are_all || are_few;
                // Without a sample, the letters are the usual ones.
                let usual = BTreeSet::from(['a']);
                let letters = if observed.letters.is_empty() { &usual } else { &observed.letters };
                Some(SyntaxFieldKind::Letters(letters_for(letters, is_exact), Span::default()))
            } else if observed.is_real() {
                let places = i128::try_from(observed.decimals).unwrap_or(0);
                let range = Box::new((SyntaxTerm::from_number(0), SyntaxTerm::from_number(places)));
                Some(SyntaxFieldKind::Real(range))
            } else {
                None
            };
            let rule = kind.map(|of| SyntaxRule::FieldKind { names: vec![self.name_of(field)], of });
            rules[usize::from(is_guess)].extend(rule);
        }
        rules
    }

    /// Returns the numbers, and the lengths of texts and lists that have a range of their own, with the ranges that the samples show.
    pub(crate) fn quantities(&self) -> Vec<(SyntaxTerm, (SyntaxTerm, SyntaxTerm))> {
        let of_field = |field: FieldIndex| {
            let number = (!self.fields[field].is_text()).then(|| (self.name_of(field), self.number_range(field)));
            let length = |range| (SyntaxTerm::new_call("len", vec![self.name_of(field)]), range);
            number.into_iter().chain(self.length_range(field).map(length))
        };
        // Several forms of a line may have the same name.
        let is_first = |field: &FieldIndex| self.field_named(&self.names[*field]) == Some(*field);
        fields_of(self.nodes).into_iter().filter(is_first).flat_map(of_field).collect()
    }

    /// Returns the field with a name.
    pub(crate) fn field_named(&self, name: &str) -> Option<FieldIndex> {
        self.names.iter().position(|other| other == name)
    }

    /// Returns true if all fields of a term are read before a field.
    pub(crate) fn is_earlier(&self, term: &SyntaxTerm, field: &str) -> bool {
        term_names(term).iter().all(|name| self.field_named(name) < self.field_named(field))
    }

    /// Returns true for a field with one value in a test case.
    pub(crate) fn is_single(&self, term: &SyntaxTerm) -> bool {
        let repeated = repeated_fields(self.nodes);
        repeated.iter().all(|field| *term != self.name_of(*field))
    }

    /// Returns true if all names in a term are fields.
    pub(crate) fn is_known(&self, term: &SyntaxTerm) -> bool {
        term_names(term).iter().all(|name| self.names.contains(name))
    }

    /// Returns true for two terms that name a field, and no variable such as an index.
    pub(crate) fn is_compared(&self, (left, sign, right): &ComparedPair) -> bool {
        let names = [term_names(left), term_names(right)].concat();
        let elements = [term_elements(left), term_elements(right)].concat();
        if !elements.is_empty() {
            return elements.iter().all(|(name, _)| self.names.contains(name));
        }
        // `p_i < i` bounds an element by its place.
        if *right == SyntaxTerm::from_name("i")
            && sign.starts_with('<')
            && names.iter().any(|name| self.names.contains(name))
        {
            return true;
        }
        let has_variable = names.iter().any(|name| self.is_variable(name));
        names.iter().any(|name| self.names.contains(name)) && !has_variable && left != right
    }

    /// Returns true for a name that explanations give a place or a number, and that is no field.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        matches!(name, "i" | "j" | "k" | "x" | "y" | "l" | "r") && self.field_named(name).is_none()
    }

    /// Returns the bounds of sums over all test cases. Of a text, the lengths are summed.
    pub(crate) fn stated_sums(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let known = statement.sums.iter().filter(|(term, _)| self.is_known(term));
        let is_text = |term: &SyntaxTerm| {
            let field = bounded_quantity(term).filter(|(name, quantity)| quantity == *name);
            field.and_then(|(name, _)| self.field_named(name)).is_some_and(|field| self.fields[field].is_text())
        };
        known
            .map(|(term, bound)| {
                let term = if is_text(term) { SyntaxTerm::new_call("len", vec![term.clone()]) } else { term.clone() };
                let sum = ComparisonChain::new(SyntaxTerm::new_call("sum", vec![term]));
                SyntaxRule::Chain(sum.followed_by("<=", vec![bound.clone()]))
            })
            .collect()
    }

    /// Returns the sides of ranges that a chain states, by the names of quantities, where all terms of a bound count.
    pub(crate) fn stated_sides(
        &self,
        chain: &ComparisonChain,
        counts: impl Fn(&SyntaxTerm, &str) -> bool,
    ) -> Vec<(String, RangeSide)> {
        let mut sides = Vec::new();
        use RangeSide::{Lower, Upper};
        for (lists, (sign, _)) in chain.lists.windows(2).zip(&chain.signs) {
            // A length that equals a size has both sides of its range.
            let pairs = [(0, 1, Upper, "<="), (1, 0, Lower, "<="), (1, 0, Upper, ">="), (0, 1, Lower, ">=")];
            for (one, other, side, _) in pairs.into_iter().filter(|(_, _, _, signs)| signs.contains(sign)) {
                let bounded = lists[one].iter().filter_map(bounded_quantity);
                let bounded = bounded.filter(|(field, _)| lists[other].iter().all(|bound| counts(bound, field)));
                sides.extend(bounded.map(|(_, name)| (name, side)));
            }
        }
        sides
    }

    /// Returns ranges from the samples for the sides that are not stated. Fields with equal ranges share a rule.
    pub(crate) fn sampled_ranges(&self, stated: &[(String, RangeSide)]) -> Vec<SyntaxRule> {
        let mut ranges: Vec<(Option<SyntaxTerm>, Vec<SyntaxTerm>, Option<SyntaxTerm>)> = Vec::new();
        for (term, (lo, hi)) in self.quantities() {
            let name = term.to_string();
            let is_stated = |side| stated.iter().any(|(stated, of)| *stated == name && *of == side);
            let lo = (!is_stated(RangeSide::Lower)).then_some(lo);
            let hi = (!is_stated(RangeSide::Upper)).then_some(hi);
            match ranges.iter_mut().find(|(l, _, h)| *l == lo && *h == hi) {
                Some((_, terms, _)) => terms.push(term),
                None if lo.is_some() || hi.is_some() => ranges.push((lo, vec![term], hi)),
                None => {}
            }
        }
        ranges.into_iter().map(|(lo, terms, hi)| SyntaxRule::Chain(range_chain(lo, terms, hi))).collect()
    }

    /// Returns the range of a number, wider than what the samples have.
    fn number_range(&self, field: FieldIndex) -> (SyntaxTerm, SyntaxTerm) {
        // Several forms of a line may have the same name.
        let same = self.fields.iter().zip(self.names).filter(|(_, name)| **name == self.names[field]);
        let range = same.filter_map(|(observed, _)| observed.range).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (least, most) = range.unwrap_or((0, 0));
        let is_size = size_fields(self.nodes).contains(&field);
        // All sizes that use the field are at least zero.
        let least_of = |size: &Size| match size {
            Size::Linear { field: other, offset, .. } if *other == field => -offset,
            _ => 0,
        };
        let below = sizes_in(self.nodes).into_iter().map(|(size, _)| least_of(size)).max().unwrap_or(0).max(0);
        // A first number is not the number of test cases if it counts something else.
        let is_other_size = is_size && (field > 0 || !is_case_block(self.nodes));
        let below = if is_other_size && self.is_narrow { below.max(least.min(2)) } else { below };
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
        // Where all texts have one length, it may be that of all inputs: each letter of the alphabet once, a code of three letters.
        let is_same = shortest == longest && (observed.count > 1 || longest == ALPHABET);
        if self.is_narrow && is_free && is_same {
            return Some((SyntaxTerm::from_number(shortest as i128), SyntaxTerm::from_number(longest as i128)));
        }
        let lo = if shortest == 0 { 0 } else { 1 };
        Some((SyntaxTerm::from_number(lo), power_of_ten((longest as u128).max(10))))
    }
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
    match number.saturating_sub(1).checked_ilog10().map_or(1, |digits| digits + 1) {
        1 => SyntaxTerm::from_number(10),
        2 => SyntaxTerm::from_number(100),
        exponent => SyntaxTerm::from_number(10).into_operation("^", SyntaxTerm::from_number(exponent.into())),
    }
}

// The letters of a text, from those that samples have.

/// Minimum number of observed letters for a set of few letters to be taken as it is.
const MIN_OBSERVED: usize = 12;

/// Maximum number of letters in a set that is taken as it is, also if samples are all there is.
const MAX_EXACT: usize = 4;
const MAX_NARROW: usize = 8;

/// Number of letters of the alphabet.
const ALPHABET: usize = 26;

/// Returns the letters for `over`, escaped: these if they are exact, and otherwise the ranges that they are in.
fn letters_for(letters: &BTreeSet<char>, is_exact: bool) -> Vec<u8> {
    let has_all = |first: char, last: char| (first..=last).all(|c| letters.contains(&c));
    let has_digits = letters.iter().any(|c| matches!(c, '2'..='9'));
    let ranges = [('a', 'z', !is_exact), ('A', 'Z', !is_exact), ('0', '9', !is_exact && has_digits)];
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
        if (is_range || has_all(first, last)) && rest.iter().any(inside) {
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
            String::from_utf8(letters_for(&letters, text.len() >= MIN_OBSERVED)).unwrap()
        };
        assert_eq!(letters("..##..##..##"), ".#");
        assert_eq!(letters("abc"), "a-z");
        assert_eq!(letters("0101"), "01");
        assert_eq!(letters("x-Y2"), "a-zA-Z0-9\\-");
    }
}
