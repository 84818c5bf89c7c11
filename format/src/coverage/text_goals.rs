//! Goals about properties of texts: a nested sequence among balanced ones.

use super::structure_classes::{dimension_range, leaves_elements_free};
use crate::constraints::{Board, LetterSpace, PropertyGoal, visit_boards};
use crate::language::{ConstraintRule, FieldId, Format, TextConstraint};
use crate::value::ValueScope;

/// Returns the goals of all properties, each with the index of its constraint and the name of its field. As for other
/// structures, a goal that another constraint may rule out is left out.
pub(super) fn find_text_goals(format: &Format) -> Vec<(usize, String, PropertyGoal)> {
    let mut found = Vec::new();
    for (i, constraint) in format.constraints.iter().enumerate() {
        let Some(text) = constraint.rule.text_property() else { continue };
        let others = format.constraints.iter().enumerate().filter(|(other, _)| *other != i);
        if others.filter(|(_, c)| c.rule.mentions_field(text.field)).all(|(_, c)| is_loose(&c.rule, text.field)) {
            let name = &format.field(text.field).name;
            found.extend(goals_of(format, text).into_iter().map(|goal| (i, name.clone(), goal)));
        }
    }
    found
}

fn is_loose(rule: &ConstraintRule, field: FieldId) -> bool {
    rule.comparison().is_some_and(|comparison| leaves_elements_free(comparison, field))
}

fn goals_of(format: &Format, text: &TextConstraint) -> Vec<PropertyGoal> {
    let info = format.field(text.field);
    let Some(alphabet) = info.alphabet() else { return Vec::new() };
    let max_size = |from_last: usize| {
        let dimension = info.dimensions.len().checked_sub(from_last)?;
        Some(usize::try_from(dimension_range(format, text.field, dimension).hi).unwrap_or(usize::MAX))
    };
    let space = LetterSpace { alphabet, letters: &text.letters, lengths: None };
    text.property.coverage_goals(&space, (max_size(2).unwrap_or(1), max_size(1).unwrap_or(0)))
}

/// Returns true if a text of the constraint is in the class.
pub(super) fn reaches_goal(text: &TextConstraint, goal: &PropertyGoal, scope: &ValueScope<'_>) -> bool {
    let Some(value) = scope.field_value(text.field) else { return false };
    let mut is_reached = false;
    visit_boards(value, text.property.dimensions(), &mut |rows| {
        is_reached |= (goal.is_reached)(&Board::new(rows, &text.letters));
    });
    is_reached
}
