//! Upper bounds of elements that depend on their index: `1 <= a_i <= i`.
//!
//! Only such a range is taken for a constraint. A comparison by itself, as in "an index with $a_i > i$", may be about
//! anything, and so may an index between two others.

use crate::layout::{Count, FieldIndex, Node, Part, Size};
use crate::rules::RuleMaker;
use crate::statement::Statement;
use crate::structures::visit_lists;
use rebut_diagnostics::Span;
use rebut_format::syntax::{ComparisonChain, SyntaxFormula, SyntaxRule, SyntaxTerm, SyntaxTermKind};

/// The letter of an index, which is no field: `i` of `a_i <= i`.
const INDEX: &str = "i";
/// Variables of formulas, of which the first that is no field is used.
const VARIABLES: &[&str] = &["i", "j", "k"];

impl RuleMaker<'_> {
    /// Returns formulas that bound each element by its index, as the statement does. The first element of a list of
    /// `n - 1` may be `a_1` or `a_2`: the formula allows both.
    pub(crate) fn index_rules(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let rule = |(term, sign): (&SyntaxTerm, &'static str)| {
            let SyntaxTermKind::Name(name) = &term.kind else { return None };
            let size = self.size_of_list(name)?;
            let Size::Linear { factor: 1, offset: offset @ ..=0, .. } = size else { return None };
            self.index_rule(name, sign, &size, -offset)
        };
        self.index_comparisons(statement).into_iter().filter_map(rule).collect()
    }

    /// Returns formulas for numbers that count the test cases, if the statement mentions such: `forall i in 1..t: k[i] = i`.
    pub(crate) fn case_number_rules(&self, statement: &Statement) -> Vec<SyntaxRule> {
        let rule = |(name, size): (&String, &Size)| self.index_rule(name, "=", size, 0);
        self.case_number(statement).and_then(rule).into_iter().collect()
    }

    /// Returns the bounds of numbers that count the test cases.
    pub(crate) fn case_number_bounds(&self, statement: &Statement) -> Vec<ComparisonChain> {
        let Some((name, size)) = self.case_number(statement) else { return Vec::new() };
        let number = SyntaxTerm::from_name(name.clone());
        vec![
            ComparisonChain::new(SyntaxTerm::from_number(1)).followed_by("<=", vec![number.clone()]),
            ComparisonChain::new(number).followed_by("<=", vec![self.term_of_size(size)]),
        ]
    }

    /// Returns the first number of each test case, and the number of test cases, if the statement mentions such a number,
    /// and if the samples do not contradict it.
    fn case_number(&self, statement: &Statement) -> Option<(&String, &Size)> {
        let Some(Node::Block { count: Count::Times(size), body, .. }) = self.nodes.last() else { return None };
        let Size::Linear { factor: 1, field: count, offset: 0 } = size else { return None };
        let Some(Node::Line(parts)) = body.first().filter(|_| statement.has_case_numbers) else { return None };
        let Some(Part::Token(field)) = parts.first() else { return None };
        let most = |field: FieldIndex| self.fields[field].range.map(|(_, most)| most);
        (most(*field) == most(*count)).then_some((&self.names[*field], size))
    }

    /// Returns the terms that have a constant lower bound and an index as their upper bound, and the operator before it.
    pub(crate) fn index_comparisons<'s>(&self, statement: &'s Statement) -> Vec<(&'s SyntaxTerm, &'static str)> {
        let comparison = |chain: &'s ComparisonChain| {
            let ([least, terms, last], [(_, _), (sign, _)]) = (&chain.lists[..], &chain.signs[..]) else { return None };
            let is_constant = least.iter().all(|term| term.constant_value().is_some());
            let is_upper = chain.signs.iter().all(|(sign, _)| matches!(*sign, "<" | "<="));
            (is_constant && is_upper && self.is_index(last)).then_some((terms, *sign))
        };
        let found = statement.chains.iter().filter_map(comparison);
        let found = found.flat_map(|(terms, sign)| terms.iter().map(move |term| (term, sign)));
        found.filter(|(term, _)| matches!(term.kind, SyntaxTermKind::Name(_))).collect()
    }

    fn is_index(&self, list: &[SyntaxTerm]) -> bool {
        match list {
            [SyntaxTerm { kind: SyntaxTermKind::Name(name), .. }] => name == INDEX && !self.names.contains(name),
            _ => false,
        }
    }

    /// Returns the size of the list of this name.
    fn size_of_list(&self, name: &str) -> Option<Size> {
        let mut found = None;
        visit_lists(self.nodes, &mut |size, fields| {
            if fields.iter().any(|field| self.names[*field] == name) {
                found = Some(size.clone());
            }
        });
        found
    }

    /// Returns `forall i in 1..n: a[i] <= i + shift`.
    fn index_rule(&self, name: &str, sign: &'static str, size: &Size, shift: i128) -> Option<SyntaxRule> {
        let variable = VARIABLES.iter().find(|letter| self.names.iter().all(|name| name != *letter))?;
        let index = SyntaxTerm::from_name(*variable);
        let other = match shift {
            0 => index.clone(),
            _ => index.clone().into_operation("+", SyntaxTerm::from_number(shift)),
        };
        let element = SyntaxTerm::new_element(name, vec![index]);
        let formula = SyntaxFormula::Quantified {
            every: true,
            name: (*variable).to_owned(),
            range: Box::new((SyntaxTerm::from_number(1), self.term_of_size(size))),
            body: Box::new(SyntaxFormula::Chain(ComparisonChain::new(element).followed_by(sign, vec![other]))),
            span: Span::default(),
        };
        Some(SyntaxRule::Formula(formula, Span::default()))
    }
}
