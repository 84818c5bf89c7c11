//! The part of a field's range that the constraints leave, given what is drawn.

use super::failure::DrawFailure;
use super::formulas::collect_required;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use crate::language::{Comparison, FieldId, Interval, narrow_by_operator, narrow_range, narrow_range_by_side};
use crate::value::ValueScope;

impl<'a> InstanceGenerator<'a, '_> {
    /// Returns the part of a field's range that the numbers already drawn leave.
    pub(super) fn remaining_range(
        &self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
    ) -> Result<Interval, DrawFailure<'a>> {
        let ranges = PartialRanges { scope };
        let mut range = self.plan.format.field(field).range;
        let mut blame = None;
        for narrowing in self.plan.field_narrowings(field) {
            // A bound that depends on an optional part (no `a`, no queries) is usually kept even if that part
            // is absent, which avoids dead ends. Now and then it is ignored, to reach inputs without the part.
            if self.ignore_optional_bounds && !narrowing.always_applies {
                continue;
            }
            let known =
                narrowing.fast_bound.as_ref().and_then(|(sign, other)| Some((*sign, other.evaluate_sum(scope)?)));
            range = match known {
                Some((sign, other)) => narrow_by_operator(range, sign, Interval::from_value(other)),
                None => narrow_range_by_side(narrowing.side, field, range, narrowing.comparison, &ranges),
            };
            if range.is_empty() && blame.is_none() {
                blame = Some(narrowing.constraint);
            }
        }
        for (constraint, formula) in self.plan.field_formulas(field) {
            let mut required = Vec::new();
            collect_required(formula, scope, &mut required);
            range =
                required.into_iter().fold(range, |range, comparison| narrow_range(field, range, comparison, &ranges));
            if range.is_empty() && blame.is_none() {
                blame = Some(constraint);
            }
        }
        for comparison in extra {
            range = narrow_range(field, range, comparison, &ranges);
        }
        if range.is_empty() {
            return Err(DrawFailure::EmptyRange(field, blame));
        }
        Ok(range)
    }
}
