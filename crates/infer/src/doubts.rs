//! Remarks about layouts that no other layout contradicts, but that few samples support.

use crate::layout::{FieldIndex, Node, Part, fields_of};
use crate::observation::Observation;
use crate::rules::{sizes_of, texts_of};
use rebut_diagnostics::{list_and, list_or};
use std::collections::BTreeSet;

/// Returns remarks about the parts of a layout that only few or equal samples support. `names` are those of the fields.
pub(crate) fn list_doubts(nodes: &[Node], fields: &[Observation], names: &[String]) -> Vec<String> {
    let doubts = [
        single_values(nodes, fields, names),
        single_letters(nodes, fields, names),
        guessed_letters(nodes, fields, names),
        guessed_decimals(nodes, fields, names),
        observed_forms(nodes),
    ];
    doubts.into_iter().flatten().collect()
}

/// Returns a remark about sizes that have the same value in all samples. It may equal the number of lines or tokens
/// by chance.
fn single_values(nodes: &[Node], fields: &[Observation], names: &[String]) -> Option<String> {
    let mut sizes = sizes_of(nodes);
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| fields[*size].tokens.len() == 1);
    let sizes = quoted_names(&sizes, names)?;
    Some(format!("the samples have only one value of {sizes}: more samples would show whether it is a size"))
}

/// Returns a remark about words of one character.
fn single_letters(nodes: &[Node], fields: &[Observation], names: &[String]) -> Option<String> {
    let mut letters = fields_of(nodes);
    letters.retain(|field| fields[*field].is_letter() && is_of_sampled_length(nodes, *field));
    let letters = quoted_names(&letters, names)?;
    Some(format!("the samples have only words of one character for {letters}: longer ones are not accepted"))
}

/// Returns a remark about texts of which no sample shows the letters.
fn guessed_letters(nodes: &[Node], fields: &[Observation], names: &[String]) -> Option<String> {
    let mut texts = texts_of(nodes, fields);
    texts.sort_unstable();
    texts.dedup();
    texts.retain(|text| fields[*text].letters.is_empty());
    let texts = quoted_names(&texts, names)?;
    Some(format!("no sample shows which letters there are: the letters of {texts} are a guess"))
}

/// Returns a remark about signs that a statement quotes, and that neither a field nor a tag has: samples may not show all
/// letters of a text.
pub(crate) fn unread_signs(nodes: &[Node], fields: &[Observation], quoted: &BTreeSet<char>) -> Option<String> {
    let tags = observed_tags(nodes).concat();
    let is_read = |sign: &char| tags.contains(*sign) || fields.iter().any(|field| field.letters.contains(sign));
    let has_text = !texts_of(nodes, fields).is_empty();
    let unread: Vec<String> = quoted
        .iter()
        .filter(|sign| sign.is_ascii_punctuation() && has_text && !is_read(sign))
        .map(|sign| format!("`{sign}`"))
        .collect();
    (!unread.is_empty())
        .then(|| format!("the statement mentions {}, which no text of the format can have", list_and(&unread)))
}

/// Returns a remark about real numbers with a largest number of decimals that is only guessed.
fn guessed_decimals(nodes: &[Node], fields: &[Observation], names: &[String]) -> Option<String> {
    let mut reals = fields_of(nodes);
    reals.retain(|field| fields[*field].has_guessed_decimals);
    let reals = quoted_names(&reals, names)?;
    Some(format!("no number of decimals was found in the statement for {reals}: that of the format is a guess"))
}

/// Returns a remark about lines of which there may be forms that no sample has.
fn observed_forms(nodes: &[Node]) -> Option<String> {
    let tags = observed_tags(nodes);
    (!tags.is_empty())
        .then(|| format!("the samples have only lines that begin with {}: others are not accepted", list_or(&tags)))
}

fn observed_tags(nodes: &[Node]) -> Vec<String> {
    let mut tags = Vec::new();
    for node in nodes {
        match node {
            Node::Tagged { forms, .. } => tags.extend(forms.iter().map(|form| format!("`{}`", form.tag))),
            Node::Block { body, .. } => tags.extend(observed_tags(body)),
            Node::Line(_) => {}
        }
    }
    tags
}

/// Returns true if a field is a token of its own or of an array, so that its length is taken from the samples.
fn is_of_sampled_length(nodes: &[Node], field: FieldIndex) -> bool {
    nodes.iter().any(|node| match node {
        Node::Line(parts) => parts.iter().any(|part| match part {
            Part::Token(other) | Part::Array(other, _) => *other == field,
            Part::Group(fields, _) => fields.contains(&field),
            _ => false,
        }),
        Node::Block { body, .. } => is_of_sampled_length(body, field),
        Node::Tagged { forms, .. } => forms.iter().any(|form| form.fields.contains(&field)),
    })
}

fn quoted_names(fields: &[FieldIndex], names: &[String]) -> Option<String> {
    let quoted: Vec<String> = fields.iter().map(|field| format!("`{}`", names[*field])).collect();
    (!quoted.is_empty()).then(|| list_and(&quoted))
}
