//! Bounds of fields that the comparisons of the Input section leave open: those of subtasks, those that sentences give
//! in words, and those that follow from other constraints.

use crate::bound_terms::{ConstantBounds, constant_bounds, names_below, widest_bounds};
use crate::layout::{FieldIndex, Size, fields_of, repeated_fields};
use crate::rules::{RuleMaker, bounded_quantity};
use crate::statement::{StatedRange, Statement};
use rebut_diagnostics::list_and;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};

/// A range of a quantity. Each side is used if no other rule states it.
pub(crate) struct OpenBound {
    pub(crate) term: SyntaxTerm,
    pub(crate) lo: Option<SyntaxTerm>,
    pub(crate) hi: Option<SyntaxTerm>,
}

impl RuleMaker<'_> {
    /// Returns the bounds that sentences give to names, and those of elements by their indices.
    pub(crate) fn named_bounds(&self, statement: &Statement) -> Vec<OpenBound> {
        let named = statement.ranges.iter().flat_map(|range| {
            let fields = range.subjects.iter().filter_map(|name| self.field_named(name));
            fields.filter_map(|field| self.bound_of_range(field, range))
        });
        let by_index = |(term, sign): (&SyntaxTerm, &str)| {
            let last = match self.size_of_list(bounded_quantity(term)?.0)? {
                // The first of `n - 1` elements may be `a_2`, so that the last one is at most `n`.
                Size::Linear { factor: 1, field, offset: ..0 } if sign == "<=" => self.name_of(field),
                size => self.term_of_size(&size),
            };
            Some(OpenBound { term: term.clone(), lo: None, hi: Some(last) })
        };
        named.chain(self.index_comparisons(statement).into_iter().filter_map(by_index)).collect()
    }

    /// Returns the bounds that follow from those of sums and products: `n` and `m` are at most 100 if `n * m <= 100`, and no
    /// number is below 1 in the samples.
    pub(crate) fn implied_bounds(&self, chains: &[ComparisonChain]) -> Vec<OpenBound> {
        let is_positive = |name: &&String| {
            self.field_named(name).is_some_and(|field| self.fields[field].range.is_none_or(|(lowest, _)| lowest >= 1))
        };
        let of_place = |(chain, place): (&ComparisonChain, usize)| {
            let hi = constant_bounds(chain, place).hi.map(SyntaxTerm::from_number);
            let wholes = chain.lists[place].iter().filter(|term| hi.is_some() && bounded_quantity(term).is_none());
            let names = wholes.map(names_below).filter(|names| names.iter().all(is_positive)).flatten();
            let bound = |name: &String| OpenBound { term: SyntaxTerm::from_name(name), lo: None, hi: hi.clone() };
            names.map(bound).collect::<Vec<_>>()
        };
        let places = chains.iter().flat_map(|chain| (0..chain.lists.len()).map(move |place| (chain, place)));
        places.flat_map(of_place).collect()
    }

    /// Returns the bounds that a statement gives without a name, for a part of the inputs, or as the numbers of its largest
    /// tests: `n = 100`. Only those that are wider than the ranges of the samples are useful guesses.
    pub(crate) fn loose_bounds(&self, statement: &Statement) -> Vec<OpenBound> {
        let chains = [&statement.chains[..], &statement.partial].concat();
        let mut bounds: Vec<OpenBound> = Vec::new();
        for term in chains.iter().flat_map(|chain| chain.lists.iter().flatten()) {
            if bounded_quantity(term).is_some() && self.is_known(term) && bounds.iter().all(|known| known.term != *term)
            {
                let ConstantBounds { lo, hi } = widest_bounds(term, &chains);
                let (lo, hi) = (lo.map(SyntaxTerm::from_number), hi.map(SyntaxTerm::from_number));
                bounds.push(OpenBound { term: term.clone(), lo, hi });
            }
        }
        for is_length in [false, true] {
            let is_free =
                |range: &&StatedRange| range.subjects.is_empty() && range.is_length == is_length && range.hi.is_some();
            let free: Vec<&StatedRange> = statement.ranges.iter().filter(is_free).collect();
            let Some(range) = only_range(&free) else { continue };
            let mut fields = fields_of(self.nodes);
            fields.retain(|field| self.fields[*field].is_text() == is_length);
            // `n integers, each between 1 and 9`, are the elements and not `n`.
            let repeated = repeated_fields(self.nodes);
            let has_list = fields.iter().any(|field| repeated.contains(field)) && !is_length;
            let fields = fields.into_iter().filter(|field| !has_list || repeated.contains(field));
            bounds.extend(fields.filter_map(|field| self.bound_of_range(field, range)));
        }
        bounds.into_iter().map(|bound| self.widened(bound)).collect()
    }

    /// Returns the bound of a field that a range gives in words.
    fn bound_of_range(&self, field: FieldIndex, range: &StatedRange) -> Option<OpenBound> {
        let term = match range.is_length {
            true => SyntaxTerm::new_call("len", vec![self.name_of(field)]),
            false => self.name_of(field),
        };
        let is_fitting = self.fields[field].is_text() == range.is_length;
        is_fitting.then(|| OpenBound { term, lo: range.lo.clone(), hi: range.hi.clone() })
    }

    /// Returns the sides of a bound that are wider than those of the samples, or other fields.
    fn widened(&self, bound: OpenBound) -> OpenBound {
        let sampled = bounded_quantity(&bound.term)
            .and_then(|(name, quantity)| self.sampled_range(self.field_named(name)?, quantity != *name));
        let is_wide = |side: &SyntaxTerm, is_wider: &dyn Fn(i128, (i128, i128)) -> bool| match side.constant_value() {
            Some(value) => sampled.is_some_and(|sampled| is_wider(value, sampled)),
            None => self.is_known(side),
        };
        let lo = bound.lo.filter(|lo| is_wide(lo, &|lo, (sampled, _)| lo <= sampled));
        let hi = bound.hi.filter(|hi| is_wide(hi, &|hi, (_, sampled)| hi >= sampled));
        OpenBound { term: bound.term, lo, hi }
    }

    /// Returns a size with the names of its fields.
    pub(crate) fn term_of_size(&self, size: &Size) -> SyntaxTerm {
        size.to_term(|field| self.name_of(field))
    }
}

/// Returns the range that some ranges agree in, or else those that are about numbers.
fn only_range<'r>(ranges: &[&'r StatedRange]) -> Option<&'r StatedRange> {
    let agreed = |ranges: &[&'r StatedRange]| {
        let first = *ranges.first()?;
        ranges.iter().all(|other| other.hi == first.hi && other.lo == first.lo).then_some(first)
    };
    let of_numbers: Vec<&StatedRange> = ranges.iter().copied().filter(|range| range.is_of_numbers).collect();
    agreed(ranges).or_else(|| agreed(&of_numbers))
}

// Upper bounds of which a statement has several, such as one for each kind of query, or for half of the tests.

/// Returns a statement that only has the largest of the constants that bound a term, and a remark about such terms. A
/// format with a smaller one would refuse valid inputs. Terms of no field, or of several, keep their
/// bounds.
pub(crate) fn with_largest_bounds(
    statement: &Statement,
    is_one_field: impl Fn(&SyntaxTerm) -> bool,
) -> (Statement, Option<String>) {
    let bounds: Vec<(SyntaxTerm, i128)> = statement.chains.iter().flat_map(upper_bounds).collect();
    let largest = |term: &SyntaxTerm| bounds.iter().filter(|(other, _)| other == term).map(|(_, most)| *most).max();
    let mut contested: Vec<String> = Vec::new();
    let mut widened = statement.clone();
    widened.chains.retain_mut(|chain| {
        let smaller = upper_bounds(chain).into_iter().filter(|(term, most)| largest(term).is_some_and(|hi| hi > *most));
        let smaller: Vec<SyntaxTerm> = smaller.map(|(term, _)| term).filter(&is_one_field).collect();
        chain.lists.iter_mut().for_each(|list| list.retain(|term| !smaller.contains(term)));
        for term in smaller.iter().map(|term| format!("`{term}`")) {
            if !contested.contains(&term) {
                contested.push(term);
            }
        }
        chain.lists.iter().all(|list| !list.is_empty())
    });
    let remark = (!contested.is_empty()).then(|| {
        format!("the statement has several upper bounds of {}: the format has the largest", list_and(&contested))
    });
    (widened, remark)
}

/// Returns the largest values that a chain allows to the terms of its only list that is not constant.
fn upper_bounds(chain: &ComparisonChain) -> Vec<(SyntaxTerm, i128)> {
    let is_constant = |list: &[SyntaxTerm]| list.iter().all(|term| term.constant_value().is_some());
    let mut places = (0..chain.lists.len()).filter(|place| !is_constant(&chain.lists[*place]));
    let (Some(place), None) = (places.next(), places.next()) else { return Vec::new() };
    let is_equal = chain.signs.iter().any(|(sign, _)| !matches!(*sign, "<" | "<=" | ">" | ">="));
    let most = constant_bounds(chain, place).hi.filter(|_| !is_equal);
    most.into_iter().flat_map(|most| chain.lists[place].iter().map(move |term| (term.clone(), most))).collect()
}
