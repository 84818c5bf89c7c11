//! The layout that a statement describes line by line.

use crate::layout::{Count, FieldIndex, Node, Part, Size};
use crate::sample::Sample;
use crate::search::Candidate;
use crate::state::SearchState;
use crate::statement::{StatedForm, StatedKind, StatedLine, StatedPart, StatedRange};
use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};

/// A layout that a statement describes, and the names that it has for the fields.
pub(crate) struct DescribedLayout {
    pub(crate) candidate: Candidate,
    pub(crate) stated: Vec<Option<String>>,
    /// The range of each field that the statement gives in words.
    pub(crate) ranges: Vec<Option<StatedRange>>,
    /// Texts with the names of their lengths, which are not in the input: `n` of `a string of length n`.
    pub(crate) lengths: Vec<(FieldIndex, String)>,
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
        nodes.push(Node::Block {
            count: Count::Times(Size::Linear { factor: 1, field: number, offset: 0 }),
            is_separated: false,
            body,
        });
    }
    let mut state = SearchState::new(samples);
    state.add_fields(builder.names.len());
    if !nodes.into_iter().all(|node| state.push_node(node, samples)) || !state.is_complete(samples) {
        return None;
    }
    for (observed, kind) in state.fields.iter_mut().zip(builder.kinds) {
        kind.into_iter().for_each(|kind| observed.take_kind(kind));
    }
    Some(DescribedLayout {
        candidate: Candidate { nodes: state.nodes, fields: state.fields, cost: 0 },
        stated: builder.names,
        ranges: builder.ranges,
        lengths: builder.lengths,
    })
}

#[derive(Default)]
struct LayoutBuilder {
    /// The names of the fields so far.
    names: Vec<Option<String>>,
    kinds: Vec<Option<StatedKind>>,
    ranges: Vec<Option<StatedRange>>,
    /// Texts with the names of their lengths, which are not in the input.
    lengths: Vec<(FieldIndex, String)>,
    /// The last field that is a single token.
    last_token: Option<FieldIndex>,
}

impl LayoutBuilder {
    fn nodes_of(&mut self, lines: &[StatedLine]) -> Option<Vec<Node>> {
        lines.iter().map(|line| self.node_of(line)).collect()
    }

    fn node_of(&mut self, line: &StatedLine) -> Option<Node> {
        let Some(count) = &line.count else { return self.line_of(&line.parts) };
        let count = Count::Times(self.size_of(count)?);
        Some(Node::Block { count, is_separated: false, body: vec![self.line_of(&line.parts)?] })
    }

    fn line_of(&mut self, stated: &[StatedPart]) -> Option<Node> {
        let mut parts = Vec::new();
        for part in stated {
            let field = self.names.len();
            parts.push(match &part.form {
                StatedForm::Token => {
                    self.last_token = Some(field);
                    Part::Token(field)
                }
                StatedForm::Array(size) => Part::Array(field, self.size_of(size)?),
                StatedForm::Group(size) => Part::Group(vec![field], self.size_of(size)?),
                StatedForm::Text(size) => match self.size_of(size) {
                    Some(size) => Part::Text(field, size),
                    None => Part::Token(self.unread_length(field, size)?),
                },
            });
            self.names.push(part.name.clone());
            let is_word = matches!(&parts.last(), Some(Part::Token(_))) && matches!(part.form, StatedForm::Text(_));
            self.kinds.push(if is_word { Some(StatedKind::Text) } else { part.kind });
            self.ranges.push(part.range.clone());
        }
        Some(Node::Line(joined_groups(parts)))
    }

    /// Takes the name of a length that is not in the input: `a string of length n`.
    fn unread_length(&mut self, field: FieldIndex, size: &SyntaxTerm) -> Option<FieldIndex> {
        let SyntaxTermKind::Name(name) = &size.kind else { return None };
        self.lengths.push((field, name.clone()));
        Some(field)
    }

    /// Returns the last field with a name, or the only one that spells it in another case.
    fn field_of_name(&self, name: &str) -> Option<FieldIndex> {
        let exact = self.names.iter().rposition(|known| known.as_deref() == Some(name));
        exact.or_else(|| {
            let is_same = |known: &Option<String>| known.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name));
            let first = self.names.iter().position(is_same)?;
            (!self.names[first + 1..].iter().any(is_same)).then_some(first)
        })
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
                let field = self.field_of_name(name)?;
                Some(Size::Linear { factor: 1, field, offset: 0 })
            }
            SyntaxTermKind::Binary(operator, left, right) => {
                match (*operator, left.constant_value(), right.constant_value()) {
                    ("+", None, Some(number)) | ("+", Some(number), None) => {
                        let (factor, field, offset) = linear(left).or_else(|| linear(right))?;
                        Some(Size::Linear { factor, field, offset: offset.checked_add(number)? })
                    }
                    ("-", None, Some(number)) => {
                        let (factor, field, offset) = linear(left)?;
                        Some(Size::Linear { factor, field, offset: offset.checked_sub(number)? })
                    }
                    ("*", Some(number), None) | ("*", None, Some(number)) => {
                        let (factor, field, offset) = linear(left).or_else(|| linear(right))?;
                        Some(Size::Linear {
                            factor: factor.checked_mul(number)?,
                            field,
                            offset: offset.checked_mul(number)?,
                        })
                    }
                    ("^", None, Some(2)) => plain(left).map(|(_, field, _)| Size::Product(field, field)),
                    ("+", None, None) => Some(Size::Sum(plain(left)?.1, plain(right)?.1)),
                    ("*", None, None) => Some(Size::Product(plain(left)?.1, plain(right)?.1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Joins the groups of equal sizes that stand side by side.
fn joined_groups(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Group(fields, size)), Part::Group(more, other)) if *size == other => fields.extend(more),
            (_, part) => joined.push(part),
        }
    }
    joined
}
