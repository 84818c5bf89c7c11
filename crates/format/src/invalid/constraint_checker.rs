//! Checks of values and inputs against single constraints.

use crate::language::{Constraint, Format};
use crate::print::print_value;
use crate::read::read_input;
use crate::validate::violation_of_constraint;
use crate::value::Value;

/// Checks values and bytes against a format, constraint by constraint.
pub(super) struct ConstraintChecker<'f> {
    pub(super) format: &'f Format,
    /// The layout without constraints.
    pub(super) layout: Format,
    /// The layout with the range of each number that all constraints together imply.
    ranges: Format,
}

impl<'f> ConstraintChecker<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        let layout = format.without_constraints();
        let ranges = Format { constraints: Vec::new(), ..format.clone() };
        ConstraintChecker { format, layout, ranges }
    }

    /// Returns true if a value conforms to the layout.
    pub(super) fn matches_layout(&self, value: &Value) -> bool {
        read_input(&self.layout, &print_value(&self.layout, value)).as_ref() == Ok(value)
    }

    /// Returns true if a value conforms to the layout, and each number is in its range.
    pub(super) fn matches_layout_and_ranges(&self, value: &Value) -> bool {
        read_input(&self.ranges, &print_value(&self.ranges, value)).as_ref() == Ok(value)
    }

    /// Returns the constraints that a value violates.
    pub(super) fn broken_constraints(&self, value: &Value) -> Vec<usize> {
        (0..self.format.constraints.len())
            .filter(|i| violation_of_constraint(self.format, value, *i).is_some())
            .collect()
    }

    /// Returns true if a value violates no constraints other than these.
    pub(super) fn breaks_only(&self, value: &Value, allowed: &[usize]) -> bool {
        let others = (0..self.format.constraints.len()).filter(|i| !allowed.contains(i));
        others.into_iter().all(|i| violation_of_constraint(self.format, value, i).is_none())
    }

    /// Returns a format with a single constraint, to check violations of it alone.
    pub(super) fn with_single_constraint(&self, constraint: &Constraint) -> Format {
        Format { constraints: vec![constraint.clone()], ..self.layout.clone() }
    }
}
