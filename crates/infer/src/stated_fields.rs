//! The values that a statement gives to fields, beside their bounds: letters, lists of texts, digits and decimals.

use crate::alphabet::{sized_texts, with_shared_letters, with_stated_letters};
use crate::layout::{FieldIndex, Node};
use crate::observation::Observation;
use crate::rules::{sizes_of, texts_of};
use crate::statement::{StatedKind, Statement};
use rebut_diagnostics::list_and;
use std::collections::BTreeSet;

/// Returns the fields of a layout with what a statement tells about them. `names` are those of the fields.
pub(crate) fn with_stated_values(
    nodes: &[Node],
    fields: &[Observation],
    names: &[String],
    statement: Option<&Statement>,
) -> Vec<Observation> {
    let shared = with_shared_letters(nodes, fields);
    let Some(statement) = statement else { return shared };
    let texts = texts_of(nodes, fields);
    let mut stated = with_stated_letters(&shared, &texts, names, &statement.letters);
    take_quoted_letters(&mut stated, nodes, &statement.quoted_letters);
    statement.listed_texts.iter().for_each(|listed| take_listed_texts(&mut stated, &texts, listed));
    take_huge_numbers(&mut stated, &sizes_of(nodes), names, statement);
    take_decimals(&mut stated, statement.decimals);
    stated
}

/// Gives maps, which have signs in the samples, the letters that the statement quotes, if they include those of the samples.
fn take_quoted_letters(fields: &mut [Observation], nodes: &[Node], quoted: &BTreeSet<char>) {
    /// Maximum number of letters of a map.
    const MAX_LETTERS: usize = 12;
    for text in sized_texts(nodes) {
        let observed = &mut fields[text];
        let has_signs = observed.letters.iter().any(char::is_ascii_punctuation);
        if has_signs
            && !observed.has_listed_letters
            && observed.letters.is_subset(quoted)
            && quoted.len() <= MAX_LETTERS
        {
            observed.letters.clone_from(quoted);
            observed.has_listed_letters = true;
        }
    }
}

/// Gives a list of texts to the only field that can have it according to the samples.
fn take_listed_texts(fields: &mut [Observation], texts: &[FieldIndex], listed: &[String]) {
    let mut fitting = texts.iter().filter(|text| fields[**text].is_among(listed));
    if let (Some(text), None) = (fitting.next().copied(), fitting.next()) {
        fields[text].listed_texts = Some(listed.to_vec());
    }
}

/// Takes the numbers that are too large for a format for texts of digits. A size must be a number.
fn take_huge_numbers(fields: &mut [Observation], sizes: &[FieldIndex], names: &[String], statement: &Statement) {
    for (name, digits) in &statement.huge_numbers {
        let field = match name {
            Some(name) => names.iter().position(|other| other == name),
            None => only_value(fields, sizes),
        };
        let field = field.filter(|field| !sizes.contains(field));
        field.into_iter().for_each(|field| fields[field].take_huge_digits(*digits));
    }
}

/// Returns the field that is no size, if there is only one.
fn only_value(fields: &[Observation], sizes: &[FieldIndex]) -> Option<FieldIndex> {
    let mut values = (0..fields.len()).filter(|field| !sizes.contains(field));
    values.next().filter(|_| values.next().is_none())
}

/// Gives real numbers the stated number of decimals, or a usual one.
fn take_decimals(fields: &mut [Observation], decimals: Option<usize>) {
    match decimals {
        Some(decimals) => {
            let reals = fields.iter_mut().filter(|observed| observed.is_real());
            reals.for_each(|observed| observed.take_kind(StatedKind::Real(Some(decimals))));
        }
        None => fields.iter_mut().for_each(Observation::guess_decimals),
    }
}

/// Returns a remark about numbers that are too large for a format: they are texts of digits if the statement names them.
pub(crate) fn huge_note(statement: &Statement, fields: &[Observation], names: &[String]) -> Option<String> {
    let texts = fields.iter().zip(names).filter(|(observed, _)| observed.huge_digits.is_some());
    let texts: Vec<String> = texts.map(|(_, name)| format!("`{name}`")).collect();
    (statement.has_huge_number || !texts.is_empty()).then(|| match texts.is_empty() {
        true => "the statement has a number of more than 36 digits: numbers of a format are smaller".to_owned(),
        false => format!(
            "{} may have more than 36 digits, so the format has a text of digits, with a bound of its length only",
            list_and(&texts)
        ),
    })
}
