//! Sums of names and numbers, for the numbers of lines: `N + Q + 2`.

use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};
use std::collections::BTreeMap;

/// A sum of names, each with a factor, and a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LinearForm {
    constant: i128,
    /// The factors of the names, none of which is zero.
    factors: BTreeMap<String, i128>,
}

impl LinearForm {
    /// Returns a number as a form.
    pub(super) fn from_number(constant: i128) -> LinearForm {
        LinearForm { constant, ..LinearForm::default() }
    }

    /// Returns the form of a term, or `None` if it is no sum or too large.
    pub(super) fn from_term(term: &SyntaxTerm) -> Option<LinearForm> {
        if let Some(number) = term.constant_value() {
            return Some(LinearForm::from_number(number));
        }
        match &term.kind {
            SyntaxTermKind::Name(name) => {
                Some(LinearForm { constant: 0, factors: BTreeMap::from([(name.clone(), 1)]) })
            }
            SyntaxTermKind::Binary("+", left, right) => Self::from_term(left)?.add_times(&Self::from_term(right)?, 1),
            SyntaxTermKind::Binary("-", left, right) => Self::from_term(left)?.add_times(&Self::from_term(right)?, -1),
            SyntaxTermKind::Binary("*", left, right) => {
                let (factor, other) = match (left.constant_value(), right.constant_value()) {
                    (Some(factor), None) => (factor, right),
                    (None, Some(factor)) => (factor, left),
                    _ => return None,
                };
                LinearForm::default().add_times(&Self::from_term(other)?, factor)
            }
            _ => None,
        }
    }

    /// Adds a form several times.
    pub(super) fn add_times(mut self, other: &LinearForm, times: i128) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (name, factor) in &other.factors {
            let sum = self.factors.entry(name.clone()).or_default();
            *sum = sum.checked_add(factor.checked_mul(times)?)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }

    /// Replaces a name, which must have the factor 1, by a form.
    pub(super) fn with_value(mut self, name: &str, value: &LinearForm) -> Option<LinearForm> {
        match self.factors.remove(name) {
            Some(1) => self.add_times(value, 1),
            _ => None,
        }
    }

    /// Returns the form as a term.
    pub(super) fn to_term(&self) -> Option<SyntaxTerm> {
        let number = SyntaxTerm::from_number;
        let mut sum: Option<SyntaxTerm> = None;
        for (name, factor) in &self.factors {
            let term = match factor {
                1 => SyntaxTerm::from_name(name.clone()),
                2.. => number(*factor).into_operation("*", SyntaxTerm::from_name(name.clone())),
                _ => return None,
            };
            sum = Some(match sum {
                Some(sum) => sum.into_operation("+", term),
                None => term,
            });
        }
        Some(match (sum, self.constant) {
            (None, constant) => number(constant),
            (Some(sum), 0) => sum,
            (Some(sum), constant @ 1..) => sum.into_operation("+", number(constant)),
            (Some(sum), constant) => sum.into_operation("-", number(constant.checked_neg()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::chains::TermParser;
    use super::super::tokens::split_formula;
    use super::*;

    #[test]
    fn sums_are_simplified() {
        for (text, expected) in [
            ("3 + Q - 1", Some("Q + 2")),
            ("N - 1 + M - N", Some("M - 1")),
            ("2 * N + M + N", Some("M + 3 * N")),
            ("5 - 7", Some("-2")),
            ("3 - N", None),
            ("N * M", None),
        ] {
            let (term, _) = TermParser::read_sum_at(&split_formula(text), 0).unwrap();
            let sum = LinearForm::from_term(&term).and_then(|form| form.to_term());
            assert_eq!(sum.map(|sum| sum.to_string()).as_deref(), expected, "{text}");
        }
    }
}
