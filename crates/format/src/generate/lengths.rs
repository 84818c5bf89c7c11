//! Lengths that the format leaves open: of one text or list, and of rows that share a total.

use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::{Extreme, GenerationError};
use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Expr, FieldId, FoldKind, FoldRange, Interval, RangeSource as _,
    evaluate_range, narrow_free_length,
};
use crate::value::ValueScope;
use rebut_generators::{draw_size, split_total};

impl InstanceGenerator<'_, '_> {
    /// Draws the length of a text or a list, of about `size_budget` elements at most.
    pub(super) fn draw_free_length(
        &mut self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> usize {
        let range = self.remaining_lengths(field, scope, extra);
        if self.is_filled(field) && self.settings.extreme.is_none() {
            let most = range.hi.min(size_budget as i128).max(range.lo);
            return usize::try_from(most).unwrap_or(usize::MAX);
        }
        self.draw_length_within(range, size_budget)
    }

    /// Draws a length for each row of a field of two dimensions, within the bounds on the sum of all rows.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn draw_row_lengths(
        &mut self,
        field: FieldId,
        rows: usize,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<Vec<usize>, GenerationError> {
        let range = self.remaining_lengths(field, scope, &[]);
        let most = self.max_total_length(field, scope);
        let share = size_budget / rows.max(1);
        // The rows share the total only if it bounds them.
        let lengths: Vec<usize> = if range.hi.saturating_mul(rows as i128) <= most {
            (0..rows).map(|_| self.draw_length_within(range, share)).collect()
        } else {
            let shape = self.swarm.pick_budget_shape(self.choices);
            self.match_requested_shape(shape.name);
            let shares = split_total(self.choices, shape, rows, most, range.lo, range.hi);
            shares.into_iter().map(|hi| self.draw_length_within(Interval::new(range.lo, hi), share)).collect()
        };
        self.memory.reserve_elements(
            self.plan.format,
            field,
            &[lengths.iter().fold(0, |sum, length| sum.saturating_add(*length))],
        )?;
        Ok(lengths)
    }

    /// Draws a length. One beyond `usize` counts as `usize::MAX`, which no budget of elements allows.
    fn draw_length_within(&mut self, range: Interval, size_budget: usize) -> usize {
        let length = match self.settings.extreme {
            Some(Extreme::Min) => range.lo,
            Some(Extreme::Max) => range.hi,
            None => {
                draw_size(self.choices, range.lo, range.hi.min(size_budget as i128).max(range.lo), self.settings.growth)
            }
        };
        debug_assert!(length >= 0, "ranges of lengths are never negative");
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// Returns the range of the length of one row.
    pub(super) fn remaining_lengths(&self, field: FieldId, scope: &ValueScope<'_>, extra: &[Comparison]) -> Interval {
        let ranges = PartialRanges { scope };
        let declared = ranges.free_length_range(field);
        let comparisons = self.plan.field_comparisons(field).map(|(_, comparison)| comparison).chain(extra);
        let range =
            comparisons.fold(declared, |range, comparison| narrow_free_length(field, range, comparison, &ranges));
        if range.is_empty() { declared } else { range }
    }

    /// Returns the maximum length of all rows together.
    fn max_total_length(&self, field: FieldId, scope: &ValueScope<'_>) -> i128 {
        let most = self.memory.max_remaining_elements(self.plan.format, field);
        self.bounded_total_length(field, scope).map_or(most, |bound| bound.min(most))
    }

    /// Returns the maximum length of all rows together that the constraints allow, if they bound it.
    pub(super) fn bounded_total_length(&self, field: FieldId, scope: &ValueScope<'_>) -> Option<i128> {
        let ranges = PartialRanges { scope };
        let bounds = self.plan.field_comparisons(field).filter_map(|(_, comparison)| {
            let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
            let (sum, sign, other) = match comparison.sign {
                ComparisonOperator::Less | ComparisonOperator::LessEqual | ComparisonOperator::Equal => {
                    (left, comparison.sign, right)
                }
                sign => (right, sign.with_sides_swapped(), left),
            };
            let rest = other_sum_terms(field, sum)?;
            let rest = rest.iter().map(|term| evaluate_range(term, &ranges).lo).fold(0, i128::saturating_add);
            let most = evaluate_range(other, &ranges).hi.saturating_sub(rest);
            match sign {
                ComparisonOperator::Less => Some(most - 1),
                ComparisonOperator::LessEqual | ComparisonOperator::Equal => Some(most),
                _ => None,
            }
        });
        bounds.reduce(i128::min)
    }
}

/// Returns the other terms of a sum in which one term is the total length of the rows of a field.
fn other_sum_terms(field: FieldId, sum: &Expr) -> Option<Vec<&Expr>> {
    let mut terms = Vec::new();
    sum.visit_parts(&mut |part| {
        let is_sum = matches!(part, Expr::Binary(ArithmeticOperator::Add, ..));
        if !is_sum {
            terms.push(part);
        }
        is_sum
    });
    let lengths = |term: &&Expr| match term {
        Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) => **inner == Expr::Length(field),
        _ => false,
    };
    let at = terms.iter().position(lengths)?;
    terms.remove(at);
    Some(terms)
}
