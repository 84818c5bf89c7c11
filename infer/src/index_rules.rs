//! Comparisons of elements with their index: `a_i <= i`.

use crate::layout::{FieldIndex, Size};
use crate::rules::RuleMaker;
use crate::statement::Statement;
use crate::structures::visit_lists;
use rebut_diagnostics::Span;
use rebut_format::syntax::{ComparisonChain, SyntaxFormula, SyntaxRule, SyntaxTerm, SyntaxTermKind};

/// Letters of indices, which are no fields: `i` of `a_i <= i`.
const INDICES: &[&str] = &["i", "j", "k"];

impl RuleMaker<'_> {
    /// Returns the formulas about each element that state what the statement says of `a_i` and `i`: of each comparison
    /// those to try, one after the other. The first element of a list of `n - 1` may be `a_1` or `a_2`.
    pub(crate) fn index_rules(&self, statement: &Statement) -> Vec<Vec<SyntaxRule>> {
        let mut rules = Vec::new();
        for (term, sign) in self.index_comparisons(statement) {
            let SyntaxTermKind::Name(name) = &term.kind else { continue };
            let Some((field, size)) = self.list_named(name) else { continue };
            let Size::Linear { factor: 1, offset: offset @ ..=0, .. } = size else { continue };
            // Without a sample, nothing says which of the two it is.
            let shifts = match (offset, self.fields[field].count) {
                (0, _) => vec![0],
                (_, 0) => Vec::new(),
                _ => vec![0, -offset],
            };
            rules.push(shifts.into_iter().filter_map(|shift| self.index_rule(name, sign, &size, shift)).collect());
        }
        rules
    }

    /// Returns the terms that the statement compares with an index, and the operator between them. An index is at an end
    /// of its chain: that of `l <= i <= r` is any number of a range.
    pub(crate) fn index_comparisons<'s>(&self, statement: &'s Statement) -> Vec<(&'s SyntaxTerm, &'static str)> {
        let mut found = Vec::new();
        for chain in &statement.chains {
            if let ([.., terms, last], Some((sign, _))) = (&chain.lists[..], chain.signs.last())
                && self.is_index(last)
            {
                found.extend(terms.iter().map(|term| (term, *sign)));
            }
            if let ([first, terms, ..], Some((sign, _))) = (&chain.lists[..], chain.signs.first())
                && self.is_index(first)
            {
                found.extend(terms.iter().filter_map(|term| Some((term, swapped_sign(sign)?))));
            }
        }
        found.retain(|(term, _)| matches!(term.kind, SyntaxTermKind::Name(_)));
        found
    }

    fn is_index(&self, list: &[SyntaxTerm]) -> bool {
        match list {
            [SyntaxTerm { kind: SyntaxTermKind::Name(name), .. }] => {
                INDICES.contains(&name.as_str()) && !self.names.contains(name)
            }
            _ => false,
        }
    }

    /// Returns the list of this name and its size.
    fn list_named(&self, name: &str) -> Option<(FieldIndex, Size)> {
        let mut found = None;
        visit_lists(self.nodes, &mut |size, fields| {
            if let Some(field) = fields.iter().find(|field| self.names[**field] == name) {
                found = Some((*field, size.clone()));
            }
        });
        found
    }

    /// Returns `forall i in 1..n: a[i] <= i + shift`.
    fn index_rule(&self, name: &str, sign: &'static str, size: &Size, shift: i128) -> Option<SyntaxRule> {
        let variable = INDICES.iter().find(|letter| self.names.iter().all(|name| name != *letter))?;
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

/// Returns the operator of the same comparison with its sides swapped, if it has one.
fn swapped_sign(sign: &str) -> Option<&'static str> {
    let swapped = [("<", ">"), ("<=", ">="), (">", "<"), (">=", "<="), ("=", "="), ("!=", "!=")];
    swapped.iter().find(|(known, _)| *known == sign).map(|(_, swapped)| *swapped)
}
