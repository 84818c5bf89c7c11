//! What an input breaks.

use crate::format::{Constraint, Format};
use crate::print::print;
use crate::read::read;
use crate::validate::violation_of;
use crate::value::Value;

/// Judges values and bytes by a format, constraint by constraint.
pub(super) struct Judge<'f> {
    pub(super) format: &'f Format,
    /// The layout alone.
    pub(super) layout: Format,
    /// The layout, and for each number the range that all constraints together leave it.
    ranges: Format,
}

impl<'f> Judge<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        let layout = format.without_constraints();
        let ranges = Format { constraints: Vec::new(), ..format.clone() };
        Judge { format, layout, ranges }
    }

    /// Whether a value keeps the layout.
    pub(super) fn has_form(&self, value: &Value) -> bool {
        read(&self.layout, &print(&self.layout, value)).as_ref() == Ok(value)
    }

    /// Whether a value keeps the layout, and each single number its range.
    pub(super) fn has_form_and_ranges(&self, value: &Value) -> bool {
        read(&self.ranges, &print(&self.ranges, value)).as_ref() == Ok(value)
    }

    /// The constraints that a value breaks.
    pub(super) fn broken(&self, value: &Value) -> Vec<usize> {
        (0..self.format.constraints.len()).filter(|i| violation_of(self.format, value, *i).is_some()).collect()
    }

    /// Whether a value breaks nothing but these.
    pub(super) fn breaks_only(&self, value: &Value, allowed: &[usize]) -> bool {
        let others = (0..self.format.constraints.len()).filter(|i| !allowed.contains(i));
        others.into_iter().all(|i| violation_of(self.format, value, i).is_none())
    }

    /// The format in which one constraint stands alone: whoever breaks it there breaks that constraint.
    pub(super) fn alone(&self, constraint: &Constraint) -> Format {
        Format { constraints: vec![constraint.clone()], ..self.layout.clone() }
    }
}
