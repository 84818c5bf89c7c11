//! The variables of a script, and what their values mean in terms of the input.

use super::draft::{Draft, LoopKind};
use super::term::{Claim, FieldId, LoopId, Term};
use std::collections::BTreeMap;

/// A value that a variable, or an element of it, was given.
#[derive(Clone, Debug, PartialEq)]
struct Definition {
    indices: Vec<Term>,
    value: Term,
    loops: Vec<LoopId>,
}

/// All variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Environment {
    variables: BTreeMap<String, Vec<Definition>>,
}

const OVERWRITTEN: &str = "a variable that is given new values on the way has no counterpart";
const COMPUTED: &str = "an array that is computed has no counterpart";

impl Environment {
    /// Gives a value; an element replaces the one at equal indices.
    pub(super) fn set(&mut self, name: &str, indices: Vec<Term>, value: Term, loops: &[LoopId]) {
        let known = self.variables.entry(name.to_owned()).or_default();
        known.retain(|d| d.indices != indices && !(indices.is_empty() || d.indices.is_empty()));
        known.push(Definition { indices, value, loops: loops.to_vec() });
    }

    /// Takes all values away.
    pub(super) fn unset(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// The value of a variable without indices.
    pub(super) fn plain(&self, name: &str) -> Option<&Term> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        only.indices.is_empty().then_some(&only.value)
    }

    /// The value of a variable, or of an element of it, in these loops.
    pub(super) fn get(&self, name: &str, indices: &[Term], loops: &[LoopId], draft: &Draft) -> Term {
        let Some(known) = self.variables.get(name) else {
            return Term::Unknown("this variable has no value yet");
        };
        let here = |d: &&Definition| d.indices == indices && d.loops.iter().all(|l| loops.contains(l));
        if let Some(found) = known.iter().find(here) {
            // Another element may be the same one, unless both are told by numbers.
            let told = |d: &Definition| d.indices.iter().all(|i| i.number().is_some());
            let alone = known.len() == 1 || known.iter().all(told);
            return if alone { found.value.clone() } else { Term::Unknown(OVERWRITTEN) };
        }
        match known.as_slice() {
            [only] if only.indices.len() == indices.len() && !indices.is_empty() => {
                element(only, indices, loops, draft).unwrap_or(Term::Unknown(COMPUTED))
            }
            _ => Term::Unknown(OVERWRITTEN),
        }
    }

    /// Two arrays that one loop fills with the lesser and the greater of two fields: the loop, and the fields.
    pub(super) fn unordered(&self, first: &str, second: &str) -> Option<(LoopId, FieldId, FieldId)> {
        let [[first], [second]] = [self.variables.get(first)?.as_slice(), self.variables.get(second)?.as_slice()]
        else {
            return None;
        };
        let (Term::Choice(claim, a, b), Term::Choice(other, c, d)) = (&first.value, &second.value) else { return None };
        let (Term::Field(from), Term::Field(to)) = (&**a, &**b) else { return None };
        let Claim::Compare("<" | ">" | "<=" | ">=", left, right) = &**claim else { return None };
        let sides = (*left == **a && *right == **b) || (*left == **b && *right == **a);
        let swapped = claim == other && a == d && b == c && first.indices == second.indices;
        let over = first.loops.last().copied()?;
        let each = first.indices.as_slice() == [Term::Index(over)];
        (sides && swapped && each).then_some((over, *from, *to))
    }

    /// The field that an array's elements are, the loop that runs over them, and whether it can still run.
    pub(super) fn array(&self, name: &str) -> Option<(FieldId, LoopId, &[LoopId])> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        let Term::Field(field) = only.value else { return None };
        let first = only.indices.iter().find_map(|index| match index {
            Term::Index(id) => Some(*id),
            Term::Binary('+' | '-', base, number) => match (&**base, &**number) {
                (Term::Index(id), Term::Number(_)) => Some(*id),
                _ => None,
            },
            _ => None,
        })?;
        Some((field, first, &only.loops))
    }

    /// Whether an array holds exactly this value for each repetition of a loop.
    pub(super) fn holds_each(&self, name: &str, value: &Term, over: LoopId) -> bool {
        match self.variables.get(name).map(Vec::as_slice) {
            Some([only]) => only.value == *value && only.loops.last() == Some(&over) && !only.indices.is_empty(),
            _ => false,
        }
    }

    /// Ends a loop: a variable that was read in it keeps the value of the last repetition.
    pub(super) fn leave(&mut self, over: LoopId, draft: &Draft) {
        let last = draft.times(over).cloned();
        for known in self.variables.values_mut() {
            for definition in known.iter_mut().filter(|d| d.indices.is_empty()) {
                if !inside(&definition.value, over, draft) {
                    continue;
                }
                definition.value = match (&definition.value, &last) {
                    (Term::Field(field), Some(last)) if draft.field(*field).loops.last() == Some(&over) => {
                        Term::Element(*field, vec![last.clone()])
                    }
                    _ => Term::Unknown(OVERWRITTEN),
                };
            }
            for definition in known.iter_mut() {
                if definition.indices.is_empty() {
                    definition.loops.retain(|l| *l != over);
                }
            }
        }
    }

    /// After a condition: a variable has the value that the branch gave it.
    pub(super) fn merged(claim: &Claim, then: &Environment, otherwise: &Environment) -> Environment {
        let mut found = Environment::default();
        let names = then.variables.keys().chain(otherwise.variables.keys());
        for name in names.cloned().collect::<std::collections::BTreeSet<_>>() {
            let (first, second) = (then.variables.get(&name), otherwise.variables.get(&name));
            let both = match (first, second) {
                (Some(first), Some(second)) if first == second => first.clone(),
                (Some(first), Some(second)) if first.len() == 1 && second.len() == 1 => {
                    let value = if first[0].indices == second[0].indices {
                        let (left, right) = (first[0].value.clone(), second[0].value.clone());
                        Term::Choice(Box::new(claim.clone()), Box::new(left), Box::new(right))
                    } else {
                        Term::Unknown(OVERWRITTEN)
                    };
                    vec![Definition { value, ..first[0].clone() }]
                }
                (Some(only), None) | (None, Some(only)) => only.clone(),
                (Some(several), Some(_)) => {
                    let unknown = |d: &Definition| Definition { value: Term::Unknown(OVERWRITTEN), ..d.clone() };
                    several.iter().map(unknown).collect()
                }
                (None, None) => Vec::new(),
            };
            found.variables.insert(name, both);
        }
        found
    }
}

/// Whether a value is of a loop's repetition.
pub(super) fn inside(term: &Term, over: LoopId, draft: &Draft) -> bool {
    term.any(&|part| match part {
        Term::Field(field) | Term::Length(field) => draft.field(*field).loops.contains(&over),
        Term::Index(id) => *id == over,
        Term::Repetitions(id) | Term::Fold(_, id, _) | Term::Count(id, ..) => draft.the_loop(*id).outer.contains(&over),
        _ => false,
    })
}

/// An element of an array that a loop has filled, at other indices.
fn element(known: &Definition, indices: &[Term], loops: &[LoopId], draft: &Draft) -> Option<Term> {
    let Term::Field(field) = known.value else { return None };
    let around = &draft.field(field).loops;
    let filled = around.len().checked_sub(indices.len())?;
    // The loops around those that filled the array must be the ones at hand.
    if !around[..filled].iter().all(|l| loops.contains(l)) {
        return None;
    }
    let mut places = Vec::new();
    for ((index, known), over) in indices.iter().zip(&known.indices).zip(&around[filled..]) {
        let first = known.minus(&Term::Index(*over))?;
        if draft.the_loop(*over).kind == LoopKind::Pure {
            return None;
        }
        places.push(index.clone().plus(1_i128.checked_sub(first)?));
    }
    Some(Term::Element(field, places))
}
