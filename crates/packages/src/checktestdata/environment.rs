//! Values of a script's variables, in terms of the input.

use super::draft::{Draft, LoopKind};
use super::term::{FieldId, LoopId, Term};
use rebut_format::language::ComparisonOperator;
use std::collections::BTreeMap;

/// A value assigned to a variable or an element of it.
#[derive(Clone, Debug, PartialEq)]
struct VariableDefinition {
    indices: Vec<Term>,
    value: Term,
    loops: Vec<LoopId>,
}

/// Values of all variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Environment {
    variables: BTreeMap<String, Vec<VariableDefinition>>,
}

/// Why a variable has no value that can be expressed.
pub(super) const OVERWRITTEN_REASON: &str = "it refers to a variable that is reassigned during a loop";
const COMPUTED_REASON: &str = "it refers to a computed array";

impl Environment {
    /// Assigns a value. An element replaces the one at the same indices.
    pub(super) fn assign_value(&mut self, name: &str, indices: Vec<Term>, value: Term, loops: &[LoopId]) {
        let known = self.variables.entry(name.to_owned()).or_default();
        known.retain(|d| d.indices != indices && !(indices.is_empty() || d.indices.is_empty()));
        known.push(VariableDefinition { indices, value, loops: loops.to_vec() });
    }

    /// Removes all values of a variable.
    pub(super) fn clear_variable(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Returns the value of a variable without indices.
    pub(super) fn scalar_value(&self, name: &str) -> Option<&Term> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        only.indices.is_empty().then_some(&only.value)
    }

    /// Returns the value of a variable or an element of it, as seen from these loops.
    pub(super) fn value_at(&self, name: &str, indices: &[Term], loops: &[LoopId], draft: &Draft) -> Term {
        let Some(known) = self.variables.get(name) else {
            return Term::Unknown("this variable has no value yet");
        };
        let here = |d: &&VariableDefinition| d.indices == indices && d.loops.iter().all(|l| loops.contains(l));
        if let Some(found) = known.iter().find(here) {
            // Symbolic indices can refer to the same element, constant ones cannot.
            let is_constant = |d: &VariableDefinition| d.indices.iter().all(|i| i.constant_value().is_some());
            let is_unambiguous = known.len() == 1 || known.iter().all(is_constant);
            return if is_unambiguous { found.value.clone() } else { Term::Unknown(OVERWRITTEN_REASON) };
        }
        match known.as_slice() {
            [only] if only.indices.len() == indices.len() && !indices.is_empty() => {
                array_element(only, indices, loops, draft).unwrap_or(Term::Unknown(COMPUTED_REASON))
            }
            _ => Term::Unknown(OVERWRITTEN_REASON),
        }
    }

    /// Matches two arrays filled by one loop with the minimum and the maximum of two fields. Returns the loop and the
    /// fields.
    pub(super) fn unordered_pair(&self, first: &str, second: &str) -> Option<(LoopId, FieldId, FieldId)> {
        let [[first], [second]] = [self.variables.get(first)?.as_slice(), self.variables.get(second)?.as_slice()]
        else {
            return None;
        };
        let (Term::Conditional(claim, a, b), Term::Conditional(other, c, d)) = (&first.value, &second.value) else {
            return None;
        };
        let (a, b): (&Term, &Term) = (a, b);
        let (Term::Field(from), Term::Field(to)) = (a, b) else { return None };
        let (sign, left, right) = claim.as_comparison()?;
        if matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
            return None;
        }
        let sides = [left, right] == [a, b] || [left, right] == [b, a];
        let swapped = claim == other && *a == **d && *b == **c && first.indices == second.indices;
        let over = first.loops.last().copied()?;
        let each = first.indices.as_slice() == [Term::LoopIndex(over)];
        (sides && swapped && each).then_some((over, *from, *to))
    }

    /// Returns the field that an array consists of, the loop that runs over it, and the loops in which it was filled.
    pub(super) fn array_source(&self, name: &str) -> Option<(FieldId, LoopId, &[LoopId])> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        let Term::Field(field) = only.value else { return None };
        let first = only.indices.iter().find_map(|index| match index.split_offset() {
            (Some(Term::LoopIndex(id)), _) => Some(id),
            _ => None,
        })?;
        Some((field, first, &only.loops))
    }

    /// Ends a loop: a variable read in it keeps the value of the last repetition.
    pub(super) fn leave_loop(&mut self, over: LoopId, draft: &Draft) {
        let last = draft.loop_count(over);
        for definition in self.variables.values_mut().flatten().filter(|d| d.indices.is_empty()) {
            definition.loops.retain(|l| *l != over);
            if depends_on_loop(&definition.value, over, draft) {
                definition.value = match (&definition.value, last) {
                    (Term::Field(field), Some(last)) if draft[*field].loops.last() == Some(&over) => {
                        Term::Element(*field, vec![last.clone()])
                    }
                    _ => Term::Unknown(OVERWRITTEN_REASON),
                };
            }
        }
    }

    /// Merges the values of both branches after a condition.
    pub(super) fn merge_branches(claim: &Term, then: &Environment, otherwise: &Environment) -> Environment {
        let mut found = then.clone();
        for (name, second) in &otherwise.variables {
            let Some(first) = found.variables.get_mut(name) else {
                found.variables.insert(name.clone(), second.clone());
                continue;
            };
            match (first.as_mut_slice(), second.as_slice()) {
                (first, second) if first == second => {}
                ([first], [second]) if first.indices == second.indices => {
                    let (left, right) = (first.value.clone(), second.value.clone());
                    first.value = Term::Conditional(Box::new(claim.clone()), Box::new(left), Box::new(right));
                }
                (first, _) => first.iter_mut().for_each(|d| d.value = Term::Unknown(OVERWRITTEN_REASON)),
            }
        }
        found
    }
}

/// Returns true if a value depends on the repetition of a loop.
pub(super) fn depends_on_loop(term: &Term, over: LoopId, draft: &Draft) -> bool {
    term.any_subterm(&|part| match part {
        Term::Field(field) | Term::Length(field) => draft[*field].loops.contains(&over),
        Term::LoopIndex(id) => *id == over,
        Term::Repetitions(id) | Term::Fold(_, id, _) | Term::Count(id, ..) => draft[*id].outer_loops.contains(&over),
        _ => false,
    })
}

/// Returns an element of an array that was filled by a loop, at other indices.
fn array_element(known: &VariableDefinition, indices: &[Term], loops: &[LoopId], draft: &Draft) -> Option<Term> {
    let Term::Field(field) = known.value else { return None };
    let field_loops = &draft[field].loops;
    let filled = field_loops.len().checked_sub(indices.len())?;
    // The loops outside of those that filled the array must be open here.
    if !field_loops[..filled].iter().all(|l| loops.contains(l)) {
        return None;
    }
    let mut places = Vec::new();
    for ((index, known), over) in indices.iter().zip(&known.indices).zip(&field_loops[filled..]) {
        let first = known.constant_difference(&Term::LoopIndex(*over))?;
        if draft[*over].kind == LoopKind::Pure {
            return None;
        }
        places.push(index.clone().add_constant(1_i128.checked_sub(first)?));
    }
    Some(Term::Element(field, places))
}
