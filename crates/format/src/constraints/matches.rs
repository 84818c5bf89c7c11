//! `s matches "..."`: each text of a field matches a pattern.

use super::{BreachNames, BrokenConstraint, ConstraintKind, KnownPrefix, ViolationSides, holds_so_far};
use crate::model::{BlockId, FieldId, Format, PatternConstraint, TokenPattern};
use crate::value::{EvalError, Value, ValueScope};
use rebut_diagnostics::shorten_text;

impl ConstraintKind for PatternConstraint {
    fn named_field(&self) -> Option<FieldId> {
        Some(self.field)
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        let Some(value) = scope.field_value(self.field) else { return Ok(None) };
        let texts = collect_texts(value);
        let mismatch = texts.iter().position(|text| !self.pattern.is_match(text));
        let words = |at: usize| format!("`{}` does not match", shorten_text(texts[at], 20));
        Ok(mismatch.map(|at| (Some(at), ViolationSides::Words(words(at)))))
    }

    fn counts_texts(&self) -> bool {
        true
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        prefix.is_filling(self.field) || prefix.scope_of(home).is_none_or(|scope| holds_so_far(self, scope))
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("{}-pattern", names.field_name(self.field))
    }
}

impl Format {
    /// Returns the pattern that each text of a field must match, if there is one.
    pub(crate) fn text_pattern(&self, field: FieldId) -> Option<&TokenPattern> {
        self.pattern_constraint(field).map(|(_, pattern)| pattern)
    }

    /// Returns the pattern that each text of a field must match, and the index of its constraint, if there is one.
    pub(crate) fn pattern_constraint(&self, field: FieldId) -> Option<(usize, &TokenPattern)> {
        self.constraints.iter().enumerate().find_map(|(i, constraint)| {
            let rule = constraint.rule.pattern().filter(|rule| rule.field == field)?;
            Some((i, &rule.pattern))
        })
    }
}

/// Returns the texts of a value, in input order.
pub(super) fn collect_texts(value: &Value) -> Vec<&[u8]> {
    match value {
        Value::Text(letters) => vec![letters],
        Value::List(rows) => rows.iter().flat_map(collect_texts).collect(),
        _ => Vec::new(),
    }
}
