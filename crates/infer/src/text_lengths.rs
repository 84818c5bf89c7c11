//! Finds texts with the length that an earlier number has, where the statement only describes the two: `n`, and a word.

use crate::cost::Observation;
use crate::layout::{FieldIndex, Node, Part, Size};
use crate::outline_layout::DescribedLayout;
use crate::rules::sizes_of;
use crate::sample::Sample;
use crate::search::Candidate;
use crate::state::SearchState;
use crate::statement::Statement;
use rebut_format::syntax::SyntaxTerm;

/// Minimum length of texts that all have the same one, and of one of those of which a number surely gives the length.
const MIN_LENGTH: usize = 5;

/// Maximum number of layouts that are tried.
const MAX_TRIED: usize = 20;

/// A described layout in which numbers give the lengths of texts.
pub(crate) struct ExplainedLengths {
    pub(crate) candidate: Candidate,
    /// True if texts of different lengths show each of the sizes, and not all are short.
    pub(crate) is_sure: bool,
}

/// Returns a described layout with those numbers as lengths of texts that agree with them in all samples. Numbers that
/// are sizes already are none, and a text with a bound of its length in the statement has a length of its own.
pub(crate) fn explain_lengths(
    described: &DescribedLayout,
    statement: &Statement,
    samples: &[Sample],
) -> Option<ExplainedLengths> {
    let mut candidate = described.candidate.clone();
    let mut is_sure = true;
    let mut is_changed = false;
    let mut tried = 0;
    for text in candidate.nodes.iter().flat_map(single_tokens).collect::<Vec<FieldIndex>>() {
        let lengths = open_lengths(&candidate.fields[text]).filter(|_| !has_stated_length(described, statement, text));
        let Some(lengths) = lengths else { continue };
        let sizes = sizes_of(&candidate.nodes);
        let numbers = (0..text).filter(|number| !sizes.contains(number));
        let numbers = numbers.filter(|number| has_range(&candidate.fields[*number], lengths)).take(MAX_TRIED - tried);
        let numbers: Vec<FieldIndex> = numbers.collect();
        tried += numbers.len();
        let explained = numbers.into_iter().find_map(|number| with_length(&candidate, text, number, samples));
        if let Some(explained) = explained {
            (candidate, is_changed) = (explained, true);
            is_sure &= lengths.0 < lengths.1 && lengths.1 >= MIN_LENGTH;
        }
    }
    is_changed.then_some(ExplainedLengths { candidate, is_sure })
}

/// Returns true if a statement gives a bound of the length of a text, or a name of it.
fn has_stated_length(described: &DescribedLayout, statement: &Statement, text: FieldIndex) -> bool {
    let has_range = described.ranges[text].as_ref().is_some_and(|range| range.is_length);
    let has_name = described.lengths.iter().any(|(field, _)| *field == text);
    let length = |name: &String| SyntaxTerm::new_call("len", vec![SyntaxTerm::from_name(name.clone())]);
    let mut chains = statement.chains.iter().chain(statement.subtasks.iter().flatten());
    let is_bounded = described.stated[text]
        .as_ref()
        .map(length)
        .is_some_and(|length| chains.any(|chain| chain.lists.iter().any(|list| list.contains(&length))));
    has_range || has_name || is_bounded
}

/// Returns the lengths of texts that a size may give.
fn open_lengths(observed: &Observation) -> Option<(usize, usize)> {
    let lengths = observed.lengths.filter(|_| observed.is_text())?;
    (lengths.0 < lengths.1 || lengths.0 >= MIN_LENGTH).then_some(lengths)
}

/// Returns true if a number has the values that some lengths have, as far as the smallest and the largest show it.
fn has_range(number: &Observation, lengths: (usize, usize)) -> bool {
    number.is_integer() && number.range == Some((lengths.0 as i128, lengths.1 as i128))
}

/// Returns a layout with the length of a text, if it reads all samples.
fn with_length(candidate: &Candidate, text: FieldIndex, number: FieldIndex, samples: &[Sample]) -> Option<Candidate> {
    let mut nodes = candidate.nodes.clone();
    nodes.iter_mut().for_each(|node| give_length(node, text, number));
    let mut state = SearchState::new(samples);
    state.add_fields(candidate.fields.len());
    let reads_all = nodes.into_iter().all(|node| state.push_node(node, samples)) && state.is_complete(samples);
    reads_all.then(|| Candidate { nodes: state.nodes, ..candidate.clone() })
}

fn give_length(node: &mut Node, text: FieldIndex, number: FieldIndex) {
    match node {
        Node::Line(parts) => {
            for part in parts.iter_mut().filter(|part| **part == Part::Token(text)) {
                *part = Part::Text(text, Size::Linear { factor: 1, field: number, offset: 0 });
            }
        }
        Node::Block { body, .. } => body.iter_mut().for_each(|node| give_length(node, text, number)),
        Node::Tagged { .. } => {}
    }
}

fn single_tokens(node: &Node) -> Vec<FieldIndex> {
    match node {
        Node::Line(parts) => {
            parts.iter().filter(|part| matches!(part, Part::Token(_))).flat_map(Part::fields).collect()
        }
        Node::Block { body, .. } => body.iter().flat_map(single_tokens).collect(),
        Node::Tagged { .. } => Vec::new(),
    }
}
