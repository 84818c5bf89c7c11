//! Bounds of fields that the comparisons of the Input section leave open: those of subtasks, those that sentences give
//! in words, and those that follow from other constraints.

use crate::bound_terms::{ConstantBounds, constant_bounds, names_below, widen_bounds};
use crate::layout::{FieldIndex, Size};
use crate::rules::{RuleMaker, bounded_quantity, repeated_fields, texts_of};
use crate::statement::{StatedRange, Statement};
use rebut_diagnostics::list_and;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};

impl RuleMaker<'_> {
    /// Returns the bounds that sentences give to names, and those of elements by their indices.
    pub(crate) fn named_bounds(&self, statement: &Statement) -> Vec<ComparisonChain> {
        let named = statement.ranges.iter().flat_map(|range| {
            let fields = range.subjects.iter().filter_map(|name| self.names.iter().position(|other| other == name));
            fields.flat_map(|field| self.bounds_of_range(field, range))
        });
        named.chain(self.index_bounds(statement)).collect()
    }

    /// Returns the bounds that follow from those of sums and products: `n` and `m` are at most 100 if `n * m <= 100`, and no
    /// number is below 1 in the samples.
    pub(crate) fn implied_bounds(&self, chains: &[ComparisonChain]) -> Vec<ComparisonChain> {
        let is_positive = |name: &String| {
            let field = self.names.iter().position(|other| other == name);
            field.is_some_and(|field| self.fields[field].range.is_none_or(|(lowest, _)| lowest >= 1))
        };
        let of_list = |chain: &ComparisonChain, place: usize| {
            let most = constant_bounds(chain, place).hi.map(|(most, _)| most)?;
            let wholes = chain.lists[place].iter().filter(|term| bounded_quantity(term).is_none());
            let names = wholes.map(names_below).filter(|names| names.iter().all(|name| is_positive(name)));
            let bound = |name: &String| {
                ComparisonChain::new(SyntaxTerm::from_name(name.clone()))
                    .followed_by("<=", vec![SyntaxTerm::from_number(most)])
            };
            Some(names.flatten().map(bound).collect::<Vec<_>>())
        };
        let of_chain = |chain: &ComparisonChain| (0..chain.lists.len()).filter_map(|at| of_list(chain, at)).collect();
        chains.iter().flat_map(|chain| -> Vec<Vec<ComparisonChain>> { of_chain(chain) }).flatten().collect()
    }

    /// Returns the bounds that a statement gives without a name, for a part of the inputs, or as the numbers of its largest
    /// tests: `n = 100`. Only those that are wider than the ranges of the samples are useful guesses.
    pub(crate) fn loose_bounds(&self, statement: &Statement) -> Vec<ComparisonChain> {
        let mut bounds = self.widest_bounds(&[&statement.chains[..], &statement.partial].concat());
        let texts = texts_of(self.nodes, self.fields);
        for is_length in [false, true] {
            let is_free =
                |range: &&StatedRange| range.subjects.is_empty() && range.is_length == is_length && range.hi.is_some();
            let free: Vec<&StatedRange> = statement.ranges.iter().filter(is_free).collect();
            let Some(range) = only_range(&free) else { continue };
            let fields = crate::layout::fields_of(self.nodes);
            let fields: Vec<FieldIndex> =
                fields.into_iter().filter(|field| texts.contains(field) == is_length).collect();
            // `n integers, each between 1 and 9`, are the elements and not `n`.
            let repeated = repeated_fields(self.nodes);
            let has_list = fields.iter().any(|field| repeated.contains(field)) && !is_length;
            let fields = fields.into_iter().filter(|field| !has_list || repeated.contains(field));
            bounds.extend(fields.flat_map(|field| self.bounds_of_range(field, range)));
        }
        bounds.retain(|bound| self.is_wide(bound));
        bounds
    }

    /// Returns the bounds of a field that a range gives in words.
    fn bounds_of_range(&self, field: FieldIndex, range: &StatedRange) -> Vec<ComparisonChain> {
        if texts_of(self.nodes, self.fields).contains(&field) != range.is_length {
            return Vec::new();
        }
        let term = match range.is_length {
            true => SyntaxTerm::new_call("len", vec![self.name_of(field)]),
            false => self.name_of(field),
        };
        let lo = range.lo.clone().map(|lo| ComparisonChain::new(lo).followed_by("<=", vec![term.clone()]));
        let hi = range.hi.clone().map(|hi| ComparisonChain::new(term).followed_by("<=", vec![hi]));
        lo.into_iter().chain(hi).collect()
    }

    /// Returns the quantities of the layout in some chains, each once.
    fn quantities_of<'c>(&self, chains: &'c [ComparisonChain]) -> Vec<&'c SyntaxTerm> {
        let mut found: Vec<&SyntaxTerm> = Vec::new();
        for term in chains.iter().flat_map(|chain| chain.lists.iter().flatten()) {
            if bounded_quantity(term).is_some() && self.is_known(term) && !found.contains(&term) {
                found.push(term);
            }
        }
        found
    }

    /// Returns the widest constant bounds that some chains have for each quantity of the layout.
    fn widest_bounds(&self, chains: &[ComparisonChain]) -> Vec<ComparisonChain> {
        let quantities = self.quantities_of(chains).into_iter();
        quantities.flat_map(|term| chains_of_bounds(term, widest_constants(term, chains))).collect()
    }

    /// Returns the bounds `a <= n` of elements of which `a_i <= i` is stated.
    fn index_bounds(&self, statement: &Statement) -> Vec<ComparisonChain> {
        let bound = |(term, sign): (&SyntaxTerm, &str)| {
            let last = match self.size_of_list(bounded_quantity(term)?.0)? {
                // The first of `n - 1` elements may be `a_2`, so that the last one is at most `n`.
                Size::Linear { factor: 1, field, offset: ..0 } if sign == "<=" => self.name_of(field),
                size => self.term_of_size(&size),
            };
            Some(ComparisonChain::new(term.clone()).followed_by("<=", vec![last]))
        };
        self.index_comparisons(statement).into_iter().filter_map(bound).collect()
    }

    /// Returns a size with the names of its fields.
    pub(crate) fn term_of_size(&self, size: &Size) -> SyntaxTerm {
        size.to_term(|field| self.name_of(field))
    }

    /// Returns true if a bound is wider than that of the samples, or another field.
    fn is_wide(&self, bound: &ComparisonChain) -> bool {
        let ([left, right], [_]) = (&bound.lists[..], &bound.signs[..]) else { return false };
        let ([left], [right]) = (&left[..], &right[..]) else { return false };
        let sampled = |term: &SyntaxTerm| {
            let (name, quantity) = bounded_quantity(term)?;
            self.sampled_range(self.names.iter().position(|other| other == name)?, quantity != *name)
        };
        match (left.constant_value(), right.constant_value()) {
            (Some(lo), None) => sampled(right).is_some_and(|(sampled, _)| lo <= sampled),
            (None, Some(hi)) => sampled(left).is_some_and(|(_, sampled)| hi >= sampled),
            _ => self.is_known(left) && self.is_known(right),
        }
    }
}

fn widest_constants(term: &SyntaxTerm, chains: &[ComparisonChain]) -> ConstantBounds {
    let places = chains.iter().flat_map(|chain| {
        let places = (0..chain.lists.len()).filter(|place| chain.lists[*place].contains(term));
        places.map(|place| constant_bounds(chain, place))
    });
    places.reduce(widen_bounds).unwrap_or_default()
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

fn chains_of_bounds(term: &SyntaxTerm, bounds: ConstantBounds) -> Vec<ComparisonChain> {
    let sign = |is_strict: bool| if is_strict { "<" } else { "<=" };
    let number = SyntaxTerm::from_number;
    let lo = bounds
        .lo
        .map(|(lo, is_strict)| ComparisonChain::new(number(lo)).followed_by(sign(is_strict), vec![term.clone()]));
    let hi = bounds
        .hi
        .map(|(hi, is_strict)| ComparisonChain::new(term.clone()).followed_by(sign(is_strict), vec![number(hi)]));
    lo.into_iter().chain(hi).collect()
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
    let most = most.and_then(|(hi, is_strict)| hi.checked_sub(i128::from(is_strict)));
    most.into_iter().flat_map(|most| chain.lists[place].iter().map(move |term| (term.clone(), most))).collect()
}
