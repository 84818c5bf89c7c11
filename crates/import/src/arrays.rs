//! Values of variables during a translation, and conditions about arrays.

use crate::environment::Evaluator;
use crate::term::{Term, Variable};
use crate::translate::ScriptTranslator;

impl Evaluator for ScriptTranslator {
    fn variable_value(&self, variable: &Variable) -> Term {
        if variable.indices.is_empty()
            && let Some((name, value)) =
                self.draft.constants.iter().find(|(name, _)| *name == self.names.constant_name(&variable.name))
            && let Some(number) = value.constant_value()
        {
            return Term::Constant(name.clone(), number);
        }
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.evaluate(i)).collect();
        if let Some(reason) = indices.iter().find_map(Term::unknown_reason) {
            return Term::Unknown(reason);
        }
        self.environment.value_at(&variable.name, &indices, &self.open_loops, &self.draft)
    }

    fn array_condition(&self, condition: &Term) -> Term {
        match condition {
            Term::InArray(value, array) => match self.environment.array_source(array) {
                Some((field, over, _)) if !self.open_loops.contains(&over) => {
                    Term::Contains(field, Box::new(self.evaluate(value)))
                }
                _ => Term::Unknown("it refers to an array that is filled during the loop"),
            },
            Term::Unique(names) => self.evaluate_unique(names),
            other => other.clone(),
        }
    }
}

impl ScriptTranslator {
    /// Translates `UNIQUE` of arrays that were filled by one loop.
    fn evaluate_unique(&self, names: &[String]) -> Term {
        const NOT_COMPARABLE: &str = "only arrays filled by the same loop can be compared";
        if let [first, second] = names
            && let Some((over, from, to)) = self.environment.unordered_pair(first, second)
            && !self.open_loops.contains(&over)
        {
            return Term::SimpleGraph(over, from, to);
        }
        let mut over = None;
        let mut terms = Vec::new();
        for name in names {
            match self.environment.array_source(name) {
                // Asserted in each repetition, it is equivalent to the assertion after the last one.
                Some((field, first, _))
                    if over.is_none_or(|o| o == first)
                        && (!self.open_loops.contains(&first) || self.open_loops.last() == Some(&first)) =>
                {
                    over = Some(first);
                    terms.push(Term::Field(field));
                }
                _ => return Term::Unknown(NOT_COMPARABLE),
            }
        }
        let Some(over) = over else { return Term::Unknown(NOT_COMPARABLE) };
        let outer = !self.draft[over].outer_loops.is_empty();
        let varies = self.draft.loop_count(over).is_none_or(|count| count.constant_value().is_none());
        if outer && varies && !names.iter().any(|name| self.unset_arrays.contains(name)) {
            return Term::Unknown("without `UNSET`, the array still has values of the previous repetition");
        }
        Term::Distinct(over, terms)
    }
}
