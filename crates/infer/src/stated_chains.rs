//! Chains, bounds and letters that a statement gives to the fields of a layout.

use crate::bound_terms::{ConstantBounds, constant_bounds, term_names, widest_bounds};
use crate::cost::Observation;
use crate::layout::{FieldIndex, Node, fields_of};
use crate::rules::{RuleMaker, bounded_quantity};
use crate::statement::{ANY_TEXT, EACH_TEXT, StatedLetters, Statement};
use rebut_diagnostics::list_and;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};
use std::collections::BTreeSet;

impl RuleMaker<'_> {
    /// Returns the chains of a statement that have only fields of the layout. A chain is split at other names.
    pub(crate) fn stated_chains(&self, chains: &[ComparisonChain]) -> Vec<ComparisonChain> {
        let named = chains.iter().map(|chain| self.with_lengths(chain));
        let mut found: Vec<ComparisonChain> = named.flat_map(|chain| self.known_parts(&chain)).collect();
        found.retain(|chain| !chain.signs.is_empty() && is_constraint(chain));
        found.dedup();
        let known = found.into_iter().map(|chain| self.without_absolute_values(chain));
        known.filter(|chain| !chain.lists.iter().flatten().any(|term| self.is_absolute_value(term))).collect()
    }

    /// Returns a chain with the lengths of the layout's texts in place of those of texts without names.
    fn with_lengths(&self, chain: &ComparisonChain) -> ComparisonChain {
        let is_length = |term: &SyntaxTerm| self.measured_field(term).is_some_and(Observation::is_text);
        let lengths: Vec<SyntaxTerm> =
            self.quantities().into_iter().map(|(term, _)| term).filter(|term| is_length(term)).collect();
        let named = |term: &SyntaxTerm| match bounded_quantity(term) {
            Some((name, _)) if name == EACH_TEXT || name == ANY_TEXT && lengths.len() == 1 => lengths.clone(),
            _ => vec![term.clone()],
        };
        let lists = chain.lists.iter().map(|list| list.iter().flat_map(named).collect()).collect();
        ComparisonChain { lists, ..chain.clone() }
    }

    /// Returns true for `|x|` of a number, which is read as a length.
    fn is_absolute_value(&self, term: &SyntaxTerm) -> bool {
        self.measured_field(term).is_some_and(|field| !field.is_text() && field.list_lengths.is_none())
    }

    /// Returns the field of which a term is the length.
    fn measured_field(&self, term: &SyntaxTerm) -> Option<&Observation> {
        let (name, _) = bounded_quantity(term).filter(|(name, quantity)| quantity != *name)?;
        Some(&self.fields[self.field_named(name)?])
    }

    /// Returns the parts of a chain that only have fields.
    fn known_parts(&self, chain: &ComparisonChain) -> Vec<ComparisonChain> {
        let mut found = Vec::new();
        let mut part: Option<ComparisonChain> = None;
        let signs = std::iter::once("").chain(chain.signs.iter().map(|(sign, _)| *sign));
        for (sign, list) in signs.zip(&chain.lists) {
            let mut known: Vec<SyntaxTerm> = list.iter().filter(|term| self.is_known(term)).cloned().collect();
            known.dedup();
            part = match (part.take(), known.is_empty()) {
                (Some(part), false) => Some(part.followed_by(sign, known)),
                (None, false) => Some(ComparisonChain::from_list(known)),
                // A variable such as `i` in `1 <= i < n` is no field.
                (complete, true) => {
                    found.extend(complete);
                    None
                }
            };
        }
        found.extend(part);
        found
    }

    /// Turns `|x|, |y| <= b` for numbers into `-b <= x, y <= b`. Of a text, `|s|` is the length.
    pub(crate) fn without_absolute_values(&self, chain: ComparisonChain) -> ComparisonChain {
        let number = |term: &SyntaxTerm| {
            let (name, _) = bounded_quantity(term).filter(|_| self.is_absolute_value(term))?;
            Some(SyntaxTerm::from_name(name.clone()))
        };
        let ([terms, bound], [(sign @ ("<" | "<="), _)]) = (&chain.lists[..], &chain.signs[..]) else { return chain };
        let numbers: Option<Vec<SyntaxTerm>> = terms.iter().map(number).collect();
        match (numbers, &bound[..]) {
            (Some(numbers), [bound]) => ComparisonChain::from_list(vec![bound.clone().into_negated()])
                .followed_by(sign, numbers)
                .followed_by(sign, vec![bound.clone()]),
            _ => chain,
        }
    }
}

/// Returns true unless a chain is an example, `8 / 4 = 2` or `n = 3`, or about the order of elements, `y_1 < y_2`.
fn is_constraint(chain: &ComparisonChain) -> bool {
    let is_name = |term: &SyntaxTerm| matches!(term.kind, SyntaxTermKind::Name(_));
    let terms = || chain.lists.iter().flatten();
    let (numbers, others): (Vec<_>, Vec<_>) = terms().partition(|term| term.constant_value().is_some());
    let are_equal = chain.signs.iter().all(|(sign, _)| *sign == "=");
    let is_fixed = are_equal && !numbers.is_empty() && others.iter().all(|term| is_name(term));
    let mut pairs = chain.lists.windows(2);
    let is_own = pairs.any(|pair| pair[0].iter().any(|term| is_name(term) && pair[1].contains(term)));
    terms().any(|term| !term_names(term).is_empty()) && !is_fixed && !is_own
}

/// Returns the fields with more decimals, and the letters that a statement gives them, or all texts, unless samples have others.
pub(crate) fn with_stated_values(
    nodes: &[Node],
    fields: &[Observation],
    names: &[String],
    statement: &Statement,
) -> Vec<Observation> {
    let texts: Vec<FieldIndex> = fields_of(nodes).into_iter().filter(|field| fields[*field].is_text()).collect();
    let is_about = |stated: &StatedLetters, text: FieldIndex| stated.names.contains(&names[text]);
    let is_general = |stated: &&StatedLetters| !texts.iter().any(|text| is_about(stated, *text));
    let general: Vec<&StatedLetters> = statement.letters.iter().filter(is_general).collect();
    let agreed = general.first().filter(|first| general.iter().all(|other| other.letters == first.letters));
    let mut fields = fields.to_vec();
    for text in texts {
        let named = statement.letters.iter().find(|stated| is_about(stated, text));
        let Some(stated) = named.or(agreed.copied()) else { continue };
        let observed = &mut fields[text];
        if observed.letters.is_subset(&stated.letters) {
            observed.letters.extend(&stated.letters);
            observed.has_listed_letters = true;
        }
    }
    fields.iter_mut().for_each(|observed| observed.take_decimals());
    fields
}

// Bounds that the comparisons of the Input section leave open or have several of.

/// A range of a quantity. Each side is used if no other rule states it.
pub(crate) struct OpenBound {
    pub(crate) term: SyntaxTerm,
    pub(crate) lo: Option<SyntaxTerm>,
    pub(crate) hi: Option<SyntaxTerm>,
}

impl RuleMaker<'_> {
    /// Returns the bounds of a part of the inputs, or of the largest tests, `n = 100`, that are wider than the samples.
    pub(crate) fn loose_bounds(&self, statement: &Statement) -> Vec<OpenBound> {
        let chains = [&statement.chains[..], &statement.partial].concat();
        let sampled = self.quantities();
        let mut bounds: Vec<OpenBound> = Vec::new();
        for term in chains.iter().flat_map(|chain| chain.lists.iter().flatten()) {
            if self.is_known(term) && bounds.iter().all(|known| known.term != *term) {
                let ConstantBounds { lo, hi } = widest_bounds(term, &chains);
                let Some((_, (least, most))) = sampled.iter().find(|(sampled, _)| sampled == term) else { continue };
                let lo = lo.filter(|lo| Some(*lo) <= least.constant_value()).map(SyntaxTerm::from_number);
                let hi = hi.filter(|hi| Some(*hi) >= most.constant_value()).map(SyntaxTerm::from_number);
                bounds.push(OpenBound { term: term.clone(), lo, hi });
            }
        }
        bounds
    }
}

// Upper bounds of which a statement has several, such as one for each kind of query, or for half of the tests.

/// Returns the chains without those that bound a field by less than another, which would refuse inputs, and a remark.
pub(crate) fn with_largest_bounds(
    chains: &[ComparisonChain],
    is_field: impl Fn(&SyntaxTerm) -> bool,
) -> (Vec<ComparisonChain>, Option<String>) {
    let bounds: Vec<(SyntaxTerm, i128)> =
        chains.iter().flat_map(upper_bounds).filter(|(term, _)| is_field(term)).collect();
    let is_smaller = |(term, most): &(SyntaxTerm, i128)| bounds.iter().any(|(other, hi)| other == term && hi > most);
    let smaller = bounds.iter().filter(|bound| is_smaller(bound)).map(|(term, _)| format!("`{term}`"));
    let contested: Vec<String> = smaller.collect::<BTreeSet<_>>().into_iter().collect();
    let remark = (!contested.is_empty()).then(|| {
        format!("the statement has several upper bounds of {}: the format has the largest", list_and(&contested))
    });
    let kept = chains.iter().filter(|chain| !upper_bounds(chain).iter().any(is_smaller));
    (kept.cloned().collect(), remark)
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
