//! The layout that a statement shows line by line, as a block of names.

use crate::bound_terms::term_names;
use crate::layout::{Count, FieldIndex, Node, Part, Size};
use crate::sample::Sample;
use crate::search::Candidate;
use crate::state::SearchState;
use crate::statement::{StatedForm, StatedLine};
use rebut_format::syntax::SyntaxTerm;

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
        /// Factors and offsets of sizes.
        const CHANGES: &[(i128, i128)] =
            &[(1, 0), (1, -1), (1, 1), (2, 0), (1, -2), (1, 2), (3, 0), (2, -1), (2, 1), (4, 0)];
        if let Some(number) = term.constant_value() {
            return Some(Size::Constant(number));
        }
        let known = term_names(term).into_iter().map(|name| self.names.iter().rposition(|other| *other == name));
        let fields: Vec<FieldIndex> = known.collect::<Option<_>>()?;
        let linear = |field: FieldIndex| {
            CHANGES.iter().map(move |(factor, offset)| Size::Linear { factor: *factor, field, offset: *offset })
        };
        let sizes: Vec<Size> = match fields[..] {
            [field] => linear(field).chain([Size::Product(field, field)]).collect(),
            [a, b] => vec![Size::Product(a, b), Size::Sum(a, b)],
            _ => Vec::new(),
        };
        let name_of = |field: FieldIndex| SyntaxTerm::from_name(self.names[field].clone());
        sizes.into_iter().find(|size| size.to_term(name_of) == *term)
    }
}
