//! Lengths that the format leaves open: of one text or list, and of rows that share a total.

use super::instance::Maker;
use super::live::Live;
use super::{Extreme, Failure};
use crate::format::{
    Comparison, Expr, FieldId, Fold, Interval, Operator, Over, Ranges as _, Sign, bounds_of, narrow_length,
};
use crate::value::Scope;
use rebut_generators::{size, split};

impl Maker<'_, '_> {
    /// A length for a text or a list of about `room` elements at most.
    pub(super) fn free_length(
        &mut self,
        field: FieldId,
        scope: &Scope<'_>,
        extra: &[Comparison],
        room: usize,
    ) -> usize {
        let range = self.lengths_left(field, scope, extra);
        if self.is_filled(field) && self.settings.extreme.is_none() {
            let most = range.hi.min(room as i128).max(range.lo);
            return usize::try_from(most).unwrap_or(usize::MAX);
        }
        self.length_within(range, room)
    }

    /// Draws a length for each row of a field of two dimensions, within what the sums over all rows allow.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn row_lengths(
        &mut self,
        field: FieldId,
        rows: usize,
        scope: &Scope<'_>,
        room: usize,
    ) -> Result<Vec<usize>, Failure> {
        let range = self.lengths_left(field, scope, &[]);
        let most = self.most_altogether(field, scope);
        let share = room / rows.max(1);
        let lengths: Vec<usize> = if range.hi.saturating_mul(rows as i128) <= most {
            (0..rows).map(|_| self.length_within(range, share)).collect()
        } else {
            let shape = self.swarm.budgets(self.choices);
            self.note_shape(shape.name);
            let shares = split(self.choices, shape, rows, most, range.lo, range.hi);
            shares.into_iter().map(|hi| self.length_within(Interval::new(range.lo, hi), share)).collect()
        };
        self.reserve_elements(field, &[lengths.iter().fold(0, |sum, length| sum.saturating_add(*length))])?;
        Ok(lengths)
    }

    #[expect(clippy::expect_used, reason = "ranges of lengths are never negative")]
    fn length_within(&mut self, range: Interval, room: usize) -> usize {
        let length = match self.settings.extreme {
            Some(Extreme::Min) => range.lo,
            Some(Extreme::Max) => range.hi,
            None => size(self.choices, range.lo, range.hi.min(room as i128).max(range.lo), self.settings.growth),
        };
        usize::try_from(length).expect("a length is not negative")
    }

    /// What is left of the lengths of one row.
    pub(super) fn lengths_left(&self, field: FieldId, scope: &Scope<'_>, extra: &[Comparison]) -> Interval {
        let live = Live { scope };
        let stated = live.free_length(field);
        let comparisons = self.plan.comparisons(field).map(|(_, comparison)| comparison).chain(extra);
        let range = comparisons.fold(stated, |range, comparison| narrow_length(field, range, comparison, &live));
        if range.is_empty() { stated } else { range }
    }

    /// How long all rows together may be.
    fn most_altogether(&self, field: FieldId, scope: &Scope<'_>) -> i128 {
        let live = Live { scope };
        let bounds = self.plan.comparisons(field).filter_map(|(_, comparison)| {
            let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
            let (sum, sign, other) = match comparison.sign {
                Sign::Less | Sign::LessEqual | Sign::Equal => (left, comparison.sign, right),
                sign => (right, sign.mirrored(), left),
            };
            let rest = beside_the_lengths(field, sum)?;
            let rest = rest.iter().map(|term| bounds_of(term, &live).lo).fold(0, i128::saturating_add);
            let most = bounds_of(other, &live).hi.saturating_sub(rest);
            match sign {
                Sign::Less => Some(most - 1),
                Sign::LessEqual | Sign::Equal => Some(most),
                _ => None,
            }
        });
        bounds.fold(self.elements_left(field), i128::min)
    }
}

/// The other terms of a sum of which one is the length of all rows of a field together.
fn beside_the_lengths(field: FieldId, sum: &Expr) -> Option<Vec<&Expr>> {
    let mut terms = Vec::new();
    flatten(sum, &mut terms);
    let lengths = |term: &&Expr| match term {
        Expr::Fold(Fold::Sum, Over::Elements, inner) => **inner == Expr::Length(field),
        _ => false,
    };
    let at = terms.iter().position(lengths)?;
    terms.remove(at);
    Some(terms)
}

fn flatten<'e>(sum: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match sum {
        Expr::Binary(Operator::Plus, left, right) => {
            flatten(left, terms);
            flatten(right, terms);
        }
        _ => terms.push(sum),
    }
}
