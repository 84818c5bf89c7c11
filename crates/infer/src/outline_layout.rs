//! The layout that a statement shows line by line, as a block of names.

use crate::layout::{Count, FieldIndex, Node, Part, Size};
use crate::sample::Sample;
use crate::search::Candidate;
use crate::state::SearchState;
use crate::statement::{StatedForm, StatedLine};
use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};

/// A layout that a statement describes, and the names that it has for the fields.
pub(crate) struct DescribedLayout {
    pub(crate) candidate: Candidate,
    pub(crate) stated: Vec<Option<String>>,
}

/// Returns the layout of some lines if it fits all samples, of which there may be none. Its cost is zero.
pub(crate) fn describe_layout(lines: &[StatedLine], samples: &[Sample]) -> Option<DescribedLayout> {
    let mut builder = LayoutBuilder::default();
    let cases = lines.iter().position(|line| line.is_in_case).unwrap_or(lines.len());
    let (before, in_cases) = lines.split_at(cases);
    let mut nodes = builder.nodes_of(before)?;
    if !in_cases.is_empty() {
        let number = builder.last_token?;
        let body = builder.nodes_of(in_cases)?;
        let size = Size::Linear { factor: 1, field: number, offset: 0 };
        nodes.push(Node::Block { count: Count::Times(size), is_separated: false, body });
    }
    let mut state = SearchState::new(samples);
    state.add_fields(builder.names.len());
    if !nodes.into_iter().all(|node| state.push_node(node, samples)) || !state.is_complete(samples) {
        return None;
    }
    builder.words.into_iter().for_each(|field| state.fields[field].is_stated_text = true);
    Some(DescribedLayout {
        candidate: Candidate { nodes: state.nodes, fields: state.fields, cost: 0 },
        stated: builder.names.into_iter().map(Some).collect(),
    })
}

#[derive(Default)]
struct LayoutBuilder {
    /// The names of the fields so far.
    names: Vec<String>,
    /// The fields that are words, even if samples have digits only.
    words: Vec<FieldIndex>,
    /// The last field that is a single token.
    last_token: Option<FieldIndex>,
}

impl LayoutBuilder {
    fn nodes_of(&mut self, lines: &[StatedLine]) -> Option<Vec<Node>> {
        lines.iter().map(|line| self.node_of(line)).collect()
    }

    fn node_of(&mut self, line: &StatedLine) -> Option<Node> {
        let count = line.count.as_ref().map(|count| self.size_of(count));
        let mut parts = Vec::new();
        for part in &line.parts {
            let field = self.names.len();
            parts.push(match &part.form {
                StatedForm::Token => {
                    self.last_token = Some(field);
                    Part::Token(field)
                }
                StatedForm::Array(size) => Part::Array(field, self.size_of(size)?),
                StatedForm::Text(size) if self.size_of(size).is_some() => Part::Text(field, self.size_of(size)?),
                StatedForm::Text(_) | StatedForm::Word => {
                    self.words.push(field);
                    Part::Token(field)
                }
            });
            self.names.push(part.name.clone());
        }
        let line = Node::Line(parts);
        match count {
            Some(count) => Some(Node::Block { count: Count::Times(count?), is_separated: false, body: vec![line] }),
            None => Some(line),
        }
    }

    /// Returns a size that the names of earlier fields give.
    fn size_of(&self, term: &SyntaxTerm) -> Option<Size> {
        if let Some(number) = term.constant_value() {
            return Some(Size::Constant(number));
        }
        let linear = |term: &SyntaxTerm| match self.size_of(term)? {
            Size::Linear { factor, field, offset } => Some((factor, field, offset)),
            _ => None,
        };
        let plain = |term: &SyntaxTerm| linear(term).filter(|(factor, _, offset)| (*factor, *offset) == (1, 0));
        match &term.kind {
            SyntaxTermKind::Name(name) => {
                let field = self.names.iter().rposition(|known| known == name)?;
                Some(Size::Linear { factor: 1, field, offset: 0 })
            }
            SyntaxTermKind::Binary(operator, left, right) => {
                match (*operator, left.constant_value(), right.constant_value()) {
                    ("+", None, Some(number)) => {
                        let (factor, field, offset) = linear(left)?;
                        Some(Size::Linear { factor, field, offset: offset.checked_add(number)? })
                    }
                    ("-", None, Some(number)) => {
                        let (factor, field, offset) = linear(left)?;
                        Some(Size::Linear { factor, field, offset: offset.checked_sub(number)? })
                    }
                    ("*", Some(number), None) => {
                        let (factor, field, offset) = linear(right)?;
                        let (factor, offset) = (factor.checked_mul(number)?, offset.checked_mul(number)?);
                        Some(Size::Linear { factor, field, offset })
                    }
                    ("+", None, None) => Some(Size::Sum(plain(left)?.1, plain(right)?.1)),
                    ("*", None, None) => Some(Size::Product(plain(left)?.1, plain(right)?.1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
