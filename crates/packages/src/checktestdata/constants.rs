//! Constants of a script: variables that are assigned once, a value that does not depend on the input.

use super::evaluate::Evaluator;
use super::script::{Step, StepKind, assigned_variables};
use super::term::{Term, Variable};
use std::collections::BTreeMap;

/// The constants of a script by name, in the order of their assignment. Numbers keep the form in which they are written:
/// `10^9`.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptConstants(Vec<(String, Term)>);

impl ScriptConstants {
    /// Collects the constants of a script: variables assigned at the top level and nowhere else.
    pub(super) fn from_steps(steps: &[Step]) -> ScriptConstants {
        let mut assignments = BTreeMap::new();
        assigned_variables(steps).into_iter().for_each(|name| *assignments.entry(name).or_insert(0) += 1);
        let mut constants = ScriptConstants::default();
        let values = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Set(values) => Some(values),
            _ => None,
        });
        for (variable, term) in values.flatten() {
            if variable.indices.is_empty()
                && assignments.get(variable.name.as_str()) == Some(&1)
                && let Some(value) = constants.evaluate_constant(term)
            {
                constants.0.push((variable.name.clone(), value));
            }
        }
        constants
    }

    /// Iterates over the constants in the order of their assignment.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Term)> {
        self.0.iter()
    }

    /// Returns a copy with an additional constant.
    #[must_use]
    pub(super) fn with_constant(&self, name: &str, value: Term) -> ScriptConstants {
        let mut found = self.clone();
        found.0.insert(0, (name.to_owned(), value));
        found
    }

    /// Evaluates an expression to a string.
    pub(super) fn evaluate_text(&self, term: &Term) -> Option<Vec<u8>> {
        if let Term::Text(text) = self.evaluate(term) { Some(text) } else { None }
    }

    fn evaluate_constant(&self, term: &Term) -> Option<Term> {
        let value = self.evaluate(term);
        match value.constant_value() {
            Some(_) if term.variables().is_empty() => Some(value),
            Some(number) => Some(Term::Number(number)),
            None => matches!(value, Term::Text(_)).then_some(value),
        }
    }
}

impl Evaluator for ScriptConstants {
    fn variable_value(&self, variable: &Variable) -> Term {
        let known = self.iter().find(|(name, _)| *name == variable.name && variable.indices.is_empty());
        known.map_or(Term::Unknown("its value depends on the input"), |(_, value)| value.clone())
    }

    fn array_condition(&self, _: &Term) -> Term {
        Term::Unknown("it depends on the input")
    }
}
