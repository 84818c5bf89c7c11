//! Values of a script's variables, in terms of the input.

use crate::draft::{Draft, LoopKind};
use crate::steps::{Step, StepKind, assigned_variables};
use crate::term::{FieldId, LoopId, Term, Variable};
use rebut_format::language::MAX_NUMBER;
use std::collections::BTreeMap;

/// A value assigned to a variable or an element of it.
#[derive(Clone, Debug, PartialEq)]
struct VariableDefinition {
    indices: Vec<Term>,
    value: Term,
    loops: Vec<LoopId>,
}

/// An array of the program as a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArraySource {
    pub(crate) field: FieldId,
    /// The loop over the elements.
    pub(crate) over: LoopId,
    /// The loop that filled the array: the same, or a later one that reads nothing.
    pub(crate) filled_by: LoopId,
    /// The number added to the elements.
    pub(crate) offset: i128,
}

/// Values of all variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Environment {
    variables: BTreeMap<String, Vec<VariableDefinition>>,
}

/// Why a variable has no value that can be expressed.
pub(crate) const OVERWRITTEN_REASON: &str = "it refers to a variable that is reassigned during a loop";

const COMPUTED_REASON: &str = "it refers to a computed array";

impl Environment {
    /// Assigns a value. An element replaces the one at the same indices.
    pub(crate) fn assign_value(&mut self, name: &str, indices: Vec<Term>, value: Term, loops: &[LoopId]) {
        let known = self.variables.entry(name.to_owned()).or_default();
        known.retain(|d| d.indices != indices && !(indices.is_empty() || d.indices.is_empty()));
        known.push(VariableDefinition { indices, value, loops: loops.to_vec() });
    }

    pub(crate) fn clear_variable(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Returns the value of a variable without indices.
    pub(crate) fn scalar_value(&self, name: &str) -> Option<&Term> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        only.indices.is_empty().then_some(&only.value)
    }

    /// Returns the value of a variable or an element of it, as seen from these loops.
    pub(crate) fn value_at(&self, name: &str, indices: &[Term], loops: &[LoopId], draft: &Draft) -> Term {
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
            // One index more than the texts have is that of a letter.
            [only] if only.indices.len() + 1 == indices.len() => {
                let (place, outer) = indices.split_last().unwrap_or((&Term::Number(0), &[]));
                let text = self.value_at(name, outer, loops, draft);
                match text.as_element().map(|(field, _)| &draft[field]) {
                    Some(field) if field.is_text() => {
                        Term::Letter(Box::new(text), Box::new(place.clone().add_constant(1)))
                    }
                    Some(field) if field.kind.is_letter() && *place == Term::Number(0) => text,
                    _ => Term::Unknown(COMPUTED_REASON),
                }
            }
            _ => Term::Unknown(OVERWRITTEN_REASON),
        }
    }

    /// Matches two arrays filled by one loop with the minimum and the maximum of two fields. Returns the loop and the
    /// fields.
    pub(crate) fn unordered_pair(&self, first: &str, second: &str) -> Option<(LoopId, FieldId, FieldId)> {
        let [[first], [second]] = [self.variables.get(first)?.as_slice(), self.variables.get(second)?.as_slice()]
        else {
            return None;
        };
        let over = first.loops.last().copied()?;
        let each = first.indices.as_slice() == [Term::LoopIndex(over)] && first.indices == second.indices;
        let (Term::Call(least, sides), Term::Call(most, others)) = (&first.value, &second.value) else { return None };
        let [Some(Term::Field(from)), Some(Term::Field(to))] = [0, 1].map(|at| sides.get(at)?.split_offset().0) else {
            return None;
        };
        let is_sorted = [*least, *most] == ["min", "max"] || [*least, *most] == ["max", "min"];
        (is_sorted && sides == others && each).then_some((over, from, to))
    }

    /// Returns the field that an array consists of, and the number that is added to its elements.
    pub(crate) fn array_source(&self, name: &str, draft: &Draft) -> Option<ArraySource> {
        let [only] = self.variables.get(name)?.as_slice() else { return None };
        let (field, offset) = draft.whole_field(&only.value)?;
        let (first, _) = only.indices.iter().find_map(Term::as_loop_index)?;
        let loops = &draft[field].loops;
        // A loop that only copies the elements stands for the one that read them.
        let over = match loops.contains(&first) {
            true => first,
            false => loops.iter().copied().find(|own| draft.is_same_count(*own, first))?,
        };
        Some(ArraySource { field, over, filled_by: first, offset })
    }

    /// Returns the variables that hold the parts of another one: `a`, `a.first`, `a.second`.
    pub(crate) fn parts_of(&self, name: &str) -> Vec<String> {
        let is_part =
            |key: &&String| key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.variables.keys().filter(is_part).cloned().collect()
    }

    /// Gives a variable the elements of an array, or of the row of one at some indices.
    pub(crate) fn copy_array(&mut self, to: &str, from: &str, row: &[Term]) {
        let Some(known) = self.variables.get(from) else { return };
        let copy = |definition: &VariableDefinition| {
            let indices = definition.indices.strip_prefix(row)?.to_vec();
            Some(VariableDefinition { indices, ..definition.clone() })
        };
        let copied = known.iter().filter_map(copy).collect();
        self.variables.insert(to.to_owned(), copied);
    }

    /// Ends a loop: a variable read in it keeps the value of the last repetition.
    pub(crate) fn leave_loop(&mut self, over: LoopId, draft: &Draft) {
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
    pub(crate) fn merge_branches(claim: &Term, then: &Environment, otherwise: &Environment) -> Environment {
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
                    first.value = Term::new_conditional(claim.clone(), left, right);
                }
                (first, _) => first.iter_mut().for_each(|d| d.value = Term::Unknown(OVERWRITTEN_REASON)),
            }
        }
        found
    }
}

/// Returns true if a value depends on the repetition of a loop.
pub(crate) fn depends_on_loop(term: &Term, over: LoopId, draft: &Draft) -> bool {
    term.subterms().any(|part| match part {
        Term::Field(field) | Term::Length(field) => draft[*field].loops.contains(&over),
        Term::LoopIndex(id) => *id == over,
        Term::Quantified(_, id, _)
        | Term::Matches(id, _)
        | Term::Repetitions(id)
        | Term::Fold(_, id, _)
        | Term::Count(id, ..) => draft[*id].outer_loops.contains(&over),
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

// Constants of a script: variables that are assigned once, a value that does not depend on the input.

/// The constants of a script by name, in the order of their assignment. Numbers keep the form in which they are written:
/// `10^9`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScriptConstants(pub(crate) Vec<(String, Term)>);

impl ScriptConstants {
    /// Collects the constants of a script: variables assigned at the top level and nowhere else.
    pub(crate) fn from_steps(steps: &[Step]) -> ScriptConstants {
        let mut assignments = BTreeMap::new();
        assigned_variables(steps).into_iter().for_each(|name| *assignments.entry(name).or_insert(0) += 1);
        let mut constants = ScriptConstants::default();
        let values = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Set(values) => Some(values),
            _ => None,
        });
        for (variable, term) in values.flatten() {
            if variable.indices.is_empty() && assignments.get(variable.name.as_str()) == Some(&1) {
                let value = constants.evaluate(term);
                let value = match value.constant_value() {
                    Some(number) if !term.variables().is_empty() => Term::Number(number),
                    None if !matches!(value, Term::Text(_)) => continue,
                    _ => value,
                };
                constants.0.push((variable.name.clone(), value));
            }
        }
        constants
    }

    /// Returns a copy with an additional constant.
    #[must_use]
    pub(crate) fn with_constant(&self, name: &str, value: Term) -> ScriptConstants {
        let mut found = self.clone();
        found.0.insert(0, (name.to_owned(), value));
        found
    }

    /// Evaluates an expression to a string.
    pub(crate) fn evaluate_text(&self, term: &Term) -> Option<Vec<u8>> {
        if let Term::Text(text) = self.evaluate(term) { Some(text) } else { None }
    }
}

impl Evaluator for ScriptConstants {
    fn variable_value(&self, variable: &Variable) -> Term {
        let known = self.0.iter().find(|(name, _)| *name == variable.name && variable.indices.is_empty());
        known.map_or(Term::Unknown("its value depends on the input"), |(_, value)| value.clone())
    }

    fn array_condition(&self, _: &Term) -> Term {
        Term::Unknown("it depends on the input")
    }
}

// Evaluation of a script's values and conditions.

const TOO_LARGE: Term = Term::Unknown("numbers are limited to 10^36");

/// The values of variables and arrays, in which terms are evaluated.
pub(crate) trait Evaluator {
    /// Returns the value of a variable or an element of it.
    fn variable_value(&self, variable: &Variable) -> Term;

    /// Evaluates a value or a condition about arrays, such as `UNIQUE`, in terms of the input.
    fn array_condition(&self, condition: &Term) -> Term;

    fn evaluate(&self, term: &Term) -> Term {
        match term {
            Term::HugeNumber(_) => TOO_LARGE,
            Term::Variable(variable) => self.variable_value(variable),
            Term::TextLength(inner) => match self.evaluate(inner) {
                Term::Field(field) => Term::Length(field),
                Term::Text(text) => Term::Number(text.len() as i128),
                Term::Unknown(reason) => Term::Unknown(reason),
                _ => Term::Unknown("it refers to the length of one of several texts"),
            },
            Term::Minus(inner) => match self.evaluate(inner) {
                Term::Number(number) => Term::Number(-number),
                Term::Decimal(text) => Term::Decimal(format!("-{text}")),
                inner => Term::Minus(Box::new(inner)),
            },
            Term::Binary(..) => {
                let found = term.map_children(&mut |side| self.evaluate(side));
                match found.unknown_reason() {
                    Some(reason) => Term::Unknown(reason),
                    // A constant beyond the largest number of a format.
                    None if matches!(found, Term::Binary(..))
                        && found.children().iter().all(|side| side.constant_value().is_some())
                        && found
                            .constant_value()
                            .is_none_or(|number| number.unsigned_abs() > MAX_NUMBER.unsigned_abs()) =>
                    {
                        TOO_LARGE
                    }
                    None => found,
                }
            }
            Term::Not(inner) => self.evaluate(inner).into_negated(),
            Term::Compare(..) if term.comparison_of(|side| matches!(side, Term::DifferentValues(_))).is_some() => {
                self.array_condition(term)
            }
            Term::Compare(sign, left, right) => {
                let found = Term::new_comparison(self.evaluate(left), *sign, self.evaluate(right));
                match found.as_positivity().and_then(|(count, is_any)| Some((any_match(count)?, is_any))) {
                    Some((claim, true)) => claim,
                    Some((claim, false)) => claim.into_negated(),
                    None => found,
                }
            }
            Term::IsEof => Term::Unknown("it depends on whether the input ends here"),
            Term::NextIsOneOf(_) => Term::Unknown("it depends on the next character"),
            Term::Unique(_)
            | Term::DifferentValues(_)
            | Term::Occurrences(..)
            | Term::PairOccurrences(..)
            | Term::ArrayFold(..)
            | Term::ArrayOrder(..)
            | Term::Graph(..) => self.array_condition(term),
            other => other.map_children(&mut |part| self.evaluate(part)),
        }
    }
}

/// Returns the condition that a count of matches is not zero.
fn any_match(count: &Term) -> Option<Term> {
    match count {
        Term::Matches(over, claim) => Some(Term::Quantified(false, *over, claim.clone())),
        Term::Fold("sum", over, inner) => Some(Term::Quantified(false, *over, Box::new(any_match(inner)?))),
        _ => None,
    }
}

/// Parses an integer of a script. A leading zero makes it octal.
pub(crate) fn parse_integer(text: &str) -> Term {
    let number = match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8),
        None => text.parse(),
    };
    let digits = u32::try_from(text.len()).unwrap_or(u32::MAX);
    number.ok().filter(|n| *n <= MAX_NUMBER).map_or(Term::HugeNumber(digits), Term::Number)
}

/// Parses a float, and expands its exponent, which formats do not have. It stays a float without a fraction, because
/// arithmetic on it differs from that on integers.
pub(crate) fn parse_decimal(text: &str) -> Term {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().unwrap_or(i32::MAX);
    let size = exponent.unsigned_abs() as usize;
    if size > 36 || whole.len() + fraction.len() > 40 {
        return TOO_LARGE;
    }
    let (zeros, places) = if exponent > 0 { (size, fraction.len()) } else { (0, fraction.len() + size) };
    let digits = format!("{whole}{fraction}{}", "0".repeat(zeros));
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match (fraction.trim_end_matches('0'), whole.parse::<i128>()) {
        ("", Ok(number)) if number <= MAX_NUMBER => Term::Decimal(number.to_string()),
        ("", _) | (_, Err(_)) => TOO_LARGE,
        (fraction, Ok(number)) => Term::Decimal(format!("{number}.{fraction}")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn floats_are_written_without_exponents() {
        for (script, format) in [("1.50", "1.5"), ("1e-3", "0.001"), ("2.5e1", "25"), ("0.1e-1", "0.01"), ("3.", "3")] {
            let shown = match parse_decimal(script) {
                Term::Decimal(text) => text,
                other => panic!("{other:?}"),
            };
            assert_eq!(shown, format, "{script}");
        }
        assert!(matches!(parse_decimal("1E100000"), Term::Unknown(_)));
    }
}
