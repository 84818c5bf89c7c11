//! Values of variables during a translation, and conditions about arrays.

use crate::environment::{ArraySource, Evaluator};
use crate::term::{FieldId, LoopId, Term, Variable};
use crate::translate::ScriptTranslator;
use rebut_format::language::ComparisonOperator::{self, Equal, GreaterEqual};

const COUNTS_VALUES: &str = "it counts different values";

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
        let array = match condition {
            Term::Occurrences(_, name) | Term::ArrayFold(_, name) | Term::ArrayOrder(_, name) => Some(name),
            _ => None,
        };
        match (condition, array.and_then(|name| self.finished_array(name))) {
            (Term::Occurrences(value, _), Some(found)) => {
                let value = self.evaluate(value).add_constant(-found.offset);
                Term::Count(found.over, found.field, Box::new(value))
            }
            (Term::ArrayFold(name, _), Some(found)) if found.offset == 0 => {
                Term::Fold(name, found.over, Box::new(Term::Field(found.field)))
            }
            (Term::ArrayOrder(name, _), Some(found)) => {
                Term::Ordered(name, found.over, Box::new(Term::Field(found.field)))
            }
            (Term::Unique(names), _) => self.evaluate_unique(names),
            (Term::Compare(sign, left, right), _) => match (&**left, &**right) {
                (Term::DifferentValues(names), size) => self.evaluate_number_of_values(names, *sign, size),
                (size, Term::DifferentValues(names)) => {
                    self.evaluate_number_of_values(names, sign.with_sides_swapped(), size)
                }
                _ => Term::Unknown(COUNTS_VALUES),
            },
            (Term::Graph([first, second], property), _) => {
                let source = |name: &String| self.environment.array_source(name, &self.draft);
                match (source(first), source(second)) {
                    (Some(from), Some(to)) if from.over == to.over && from.offset == to.offset => {
                        Term::EdgeGraph(from.over, from.field, to.field, property)
                    }
                    _ => Term::Unknown("it is about a graph whose edges are not read line by line"),
                }
            }
            (Term::PairOccurrences(_), _) => Term::Unknown("it asks for earlier pairs"),
            (Term::DifferentValues(_), _) => Term::Unknown(COUNTS_VALUES),
            _ => Term::Unknown("it refers to an array that is filled during the loop"),
        }
    }
}

impl ScriptTranslator {
    /// Returns an array that no open loop fills.
    fn finished_array(&self, name: &str) -> Option<ArraySource> {
        let found = self.environment.array_source(name, &self.draft)?;
        (!self.open_loops.contains(&found.over) && !self.open_loops.contains(&found.filled_by)).then_some(found)
    }

    /// Returns true if a loop has ended, or if only loops over the same elements are open in it.
    fn is_whole_loop(&self, id: LoopId, field: FieldId) -> bool {
        let Some(at) = self.open_loops.iter().position(|open| *open == id) else { return true };
        self.open_loops[at + 1..].iter().all(|open| self.draft[field].loops.contains(open))
    }

    /// Translates a comparison of the number of different tuples: as many as there are.
    fn evaluate_number_of_values(&self, names: &[String], sign: ComparisonOperator, size: &Term) -> Term {
        let all = self.evaluate_unique(names);
        let Some(over) = all.repeated_loop().filter(|_| matches!(sign, Equal | GreaterEqual)) else {
            return if matches!(sign, Equal | GreaterEqual) { all } else { Term::Unknown(COUNTS_VALUES) };
        };
        let is_all = self.draft.loop_count(over) == Some(&self.evaluate(size));
        if is_all { all } else { Term::Unknown(COUNTS_VALUES) }
    }

    /// Translates `UNIQUE` of arrays that were filled by one loop.
    fn evaluate_unique(&self, names: &[String]) -> Term {
        const NOT_COMPARABLE: &str = "only arrays filled by the same loop can be compared";
        if let [first, second] = names
            && let Some((over, from, to)) = self.environment.unordered_pair(first, second)
            && self.is_whole_loop(over, from)
        {
            return Term::EdgeGraph(over, from, to, "simple");
        }
        let mut over = None;
        let mut terms = Vec::new();
        for name in names {
            match self.environment.array_source(name, &self.draft) {
                // Asserted in each repetition, it is equivalent to the assertion after the last one.
                Some(found)
                    if over.is_none_or(|o| o == found.over)
                        && [found.over, found.filled_by].iter().all(|id| self.is_whole_loop(*id, found.field)) =>
                {
                    over = Some(found.over);
                    terms.push(Term::Field(found.field));
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
