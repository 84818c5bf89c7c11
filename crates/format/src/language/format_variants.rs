//! Variants of a format: the same layout with other constraints, as needed to search for invalid inputs.

use super::classify::constraint_class;
use super::range_narrowing::narrow_all_ranges;
use crate::model::{Constraint, FieldKind, Format, Interval, MAX_NUMBER};

impl Format {
    /// Returns the same layout with other constraints and the ranges that follow, or `None` if they contradict each
    /// other. A number that is no longer bounded stays near its former range.
    #[must_use]
    pub fn with_constraints(&self, constraints: Vec<Constraint>) -> Option<Format> {
        let mut format = Format { constraints, subtasks: Vec::new(), ..self.clone() };
        for field in &mut format.fields {
            if matches!(field.kind, FieldKind::Number | FieldKind::Real(_)) {
                field.range = widen_interval(field.range, Interval::ALL);
            }
            field.length = widen_interval(field.length, Interval::NATURAL);
        }
        for i in 0..format.constraints.len() {
            format.constraints[i].class = constraint_class(&format, &format.constraints[i].rule);
        }
        let mut problems = Vec::new();
        narrow_all_ranges(&mut format, &mut problems);
        problems.is_empty().then_some(format)
    }

    /// Returns the same layout without constraints on numbers and lengths: it reads every input of the right shape.
    #[must_use]
    pub fn without_constraints(&self) -> Format {
        let mut format = Format { constraints: Vec::new(), subtasks: Vec::new(), ..self.clone() };
        for field in format.fields.iter_mut().filter(|f| matches!(f.kind, FieldKind::Number | FieldKind::Real(_))) {
            field.range = Interval::ALL;
        }
        format
    }

    /// Returns the format with numbers close to the simplest value only: sizes, elements and all. Most bugs show up
    /// there, and there are few such inputs.
    #[must_use]
    pub fn with_small_numbers(&self) -> Format {
        const MAX_DISTANCE: i128 = 3;
        let mut format = self.clone();
        for field in &mut format.fields {
            let simplest = field.range.simplest_value();
            field.range = field.range.intersect(Interval::new(simplest - MAX_DISTANCE, simplest + MAX_DISTANCE));
        }
        format
    }

    /// Returns the format restricted to a single case, if a number gives the number of cases and 1 is allowed.
    #[must_use]
    pub fn with_single_case(&self) -> Option<Format> {
        let count = self.case_count()?;
        let mut format = self.clone();
        let field = format.fields.get_mut(count.0).filter(|field| field.range.contains_value(1))?;
        field.range = Interval::from_value(1);
        Some(format)
    }

    /// Returns the format restricted to at least two cases, if a number gives the number of cases and 2 are allowed.
    #[must_use]
    pub fn with_several_cases(&self) -> Option<Format> {
        let count = self.case_count()?;
        let mut format = self.clone();
        let field = format.fields.get_mut(count.0)?;
        field.range = field.range.intersect(Interval::new(2, field.range.hi));
        (!field.range.is_empty()).then_some(format)
    }
}

/// Widens a range by its own width on both sides.
fn widen_interval(range: Interval, most: Interval) -> Interval {
    let margin = range.hi.saturating_sub(range.lo).clamp(10, MAX_NUMBER);
    Interval::new(range.lo.saturating_sub(margin), range.hi.saturating_add(margin)).intersect(most)
}
