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
}

/// Returns the layout of some lines if it fits all samples. Its cost is zero.
pub(crate) fn describe_layout(lines: &[StatedLine], samples: &[Sample]) -> Option<DescribedLayout> {
    let mut builder = LayoutBuilder {
        state: SearchState::new(samples),
        samples,
        names: Vec::new(),
        kinds: Vec::new(),
        ranges: Vec::new(),
        counts: Vec::new(),
    };
    let cases = lines.iter().position(|line| line.is_in_case).unwrap_or(lines.len());
    let (before, in_cases) = lines.split_at(cases);
    before.iter().try_for_each(|line| builder.add_line(line))?;
    if !in_cases.is_empty() {
        let number = builder.counts.last().copied()?;
        builder.in_block(Size::Linear { factor: 1, field: number, offset: 0 }, |builder| {
            in_cases.iter().try_for_each(|line| builder.add_line(line))
        })?;
    }
    let LayoutBuilder { mut state, names: stated, kinds, ranges, .. } = builder;
    for (observed, kind) in state.fields.iter_mut().zip(kinds) {
        if let Some(kind) = kind {
            observed.take_kind(kind);
        }
    }
    state.is_complete(samples).then_some(DescribedLayout {
        candidate: Candidate { nodes: state.nodes, fields: state.fields, cost: 0 },
        stated,
        ranges,
    })
}

struct LayoutBuilder<'s> {
    state: SearchState,
    samples: &'s [Sample],
    /// The names of the fields so far.
    names: Vec<Option<String>>,
    kinds: Vec<Option<StatedKind>>,
    ranges: Vec<Option<StatedRange>>,
    /// The fields that are single tokens.
    counts: Vec<FieldIndex>,
}

impl LayoutBuilder<'_> {
    fn add_line(&mut self, line: &StatedLine) -> Option<()> {
        match &line.count {
            None => self.push_line(&line.parts),
            Some(count) => {
                let size = self.size_of(count)?;
                self.in_block(size, |builder| builder.push_line(&line.parts))
            }
        }
    }

    fn in_block(&mut self, size: Size, add: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.state.open_block(Count::Times(size), self.samples).then_some(())?;
        add(self)?;
        self.state.close_block(self.samples).then_some(())
    }

    fn push_line(&mut self, stated: &[StatedPart]) -> Option<()> {
        let has_line = self.state.active().all(|i| self.state.readers[i].line < self.samples[i].lines.len());
        has_line.then_some(())?;
        let first = self.state.add_fields(stated.len());
        let mut parts = Vec::new();
        for (part, field) in stated.iter().zip(first..) {
            parts.push(match &part.form {
                StatedForm::Token => {
                    self.counts.push(field);
                    Part::Token(field)
                }
                StatedForm::Array(size) => Part::Array(field, self.size_of(size)?),
                StatedForm::Text(size) => Part::Text(field, self.size_of(size)?),
            });
            self.names.push(part.name.clone());
            self.kinds.push(part.kind);
            self.ranges.push(part.range.clone());
        }
        self.state.push_node(Node::Line(parts), self.samples).then_some(())
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
                let field = self.names.iter().rposition(|known| known.as_deref() == Some(name))?;
                Some(Size::Linear { factor: 1, field, offset: 0 })
            }
            SyntaxTermKind::Binary(operator, left, right) => {
                match (*operator, left.constant_value(), right.constant_value()) {
                    ("+", None, Some(number)) | ("+", Some(number), None) => {
                        let (factor, field, offset) = linear(left).or_else(|| linear(right))?;
                        Some(Size::Linear { factor, field, offset: offset + number })
                    }
                    ("-", None, Some(number)) => {
                        let (factor, field, offset) = linear(left)?;
                        Some(Size::Linear { factor, field, offset: offset - number })
                    }
                    ("*", Some(number), None) | ("*", None, Some(number)) => {
                        let (factor, field, offset) = linear(left).or_else(|| linear(right))?;
                        Some(Size::Linear { factor: factor * number, field, offset: offset * number })
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
