//! The same layout under other constraints: how inputs are found that break one of them.

use super::LARGEST;
use super::classify::{class, narrow_all};
use super::interval::Interval;
use super::model::{Constraint, Format, Kind};

impl Format {
    /// The same layout with other constraints, and the ranges that these leave; none if they contradict each other.
    /// A number that they bound no more stays in the neighbourhood of its former range.
    #[must_use]
    pub fn with_constraints(&self, constraints: Vec<Constraint>) -> Option<Format> {
        let mut format = Format { constraints, subtasks: Vec::new(), ..self.clone() };
        for field in &mut format.fields {
            if matches!(field.kind, Kind::Number | Kind::Real(_)) {
                field.range = widened(field.range, Interval::ALL);
            }
            field.length = widened(field.length, Interval::NATURAL);
        }
        for i in 0..format.constraints.len() {
            format.constraints[i].class = class(&format, &format.constraints[i].rule);
        }
        let mut problems = Vec::new();
        narrow_all(&mut format, &mut problems);
        problems.is_empty().then_some(format)
    }

    /// The same layout with nothing said about numbers and lengths: whatever it reads has the right form.
    #[must_use]
    pub fn without_constraints(&self) -> Format {
        let mut format = Format { constraints: Vec::new(), subtasks: Vec::new(), ..self.clone() };
        for field in format.fields.iter_mut().filter(|f| matches!(f.kind, Kind::Number | Kind::Real(_))) {
            field.range = Interval::ALL;
        }
        format
    }

    /// The same with numbers close to the simplest only: sizes, values and all. What a program does wrong it does most
    /// often there, too, and of such inputs there are few.
    #[must_use]
    pub fn with_small_numbers(&self) -> Format {
        const NEAR: i128 = 3;
        let mut format = self.clone();
        for field in &mut format.fields {
            let simplest = field.range.simplest();
            field.range = field.range.intersect(Interval::new(simplest - NEAR, simplest + NEAR));
        }
        format
    }

    /// The same of one case only, where a number says how many there are and one is allowed.
    #[must_use]
    pub fn with_single_case(&self) -> Option<Format> {
        let count = self.case_count()?;
        let mut format = self.clone();
        let field = format.fields.get_mut(count.0).filter(|field| field.range.contains(1))?;
        field.range = Interval::point(1);
        Some(format)
    }

    /// The same of two cases or more, where a number says how many there are and so many are allowed.
    #[must_use]
    pub fn with_several_cases(&self) -> Option<Format> {
        let count = self.case_count()?;
        let mut format = self.clone();
        let field = format.fields.get_mut(count.0)?;
        field.range = field.range.intersect(Interval::new(2, field.range.hi));
        (!field.range.is_empty()).then_some(format)
    }
}

/// A range with as much room again on both sides.
fn widened(range: Interval, most: Interval) -> Interval {
    let room = range.hi.saturating_sub(range.lo).clamp(10, LARGEST);
    Interval::new(range.lo.saturating_sub(room), range.hi.saturating_add(room)).intersect(most)
}
