//! Layouts as syntax trees of formats.

use crate::cost::Observation;
use crate::layout::{Count, FieldIndex, Node, Part, Size, is_case_block};
use rebut_diagnostics::Span;
use rebut_format::language::BlockKind;
use rebut_format::syntax::{LayoutNode, SyntaxCount, SyntaxField, SyntaxPart, SyntaxPartKind, SyntaxTerm};

/// Maximum number of repetitions of a block that the input ends.
const MAX_REPETITIONS: i128 = 100;

/// Renders the nodes of a layout.
pub(crate) struct LayoutRenderer<'a> {
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a [Observation],
}

impl LayoutRenderer<'_> {
    /// Returns the lines of the layout.
    pub(crate) fn render_layout(&self, nodes: &[Node]) -> Vec<LayoutNode> {
        let cases = is_case_block(nodes);
        let last = nodes.len() - 1;
        let kind = |at: usize| if cases && at == last { BlockKind::Cases } else { BlockKind::Repeat };
        nodes.iter().enumerate().map(|(at, node)| self.render_node(node, kind(at))).collect()
    }

    fn render_node(&self, node: &Node, kind: BlockKind) -> LayoutNode {
        match node {
            Node::Line(parts) if parts.is_empty() => LayoutNode::Parts(vec![empty_line()]),
            Node::Line(parts) => LayoutNode::Parts(parts.iter().map(|part| self.render_part(part)).collect()),
            Node::Block { count, is_separated, body } => {
                if let (Some(row), BlockKind::Repeat) = (self.render_rows(count, *is_separated, body), kind) {
                    return row;
                }
                let body = body.iter().map(|node| self.render_node(node, BlockKind::Repeat)).collect();
                let separator = is_separated.then(Vec::new);
                LayoutNode::Block { kind, count: self.render_count(count), separator, body, span: Span::default() }
            }
            Node::Tagged { count, forms } => {
                let alternatives = forms.iter().map(|form| {
                    let tag = SyntaxPart {
                        kind: SyntaxPartKind::Literal(form.tag.clone().into_bytes()),
                        span: Span::default(),
                        glued: false,
                    };
                    let fields = form.parts.iter().map(|part| self.render_part(part));
                    vec![LayoutNode::Parts(std::iter::once(tag).chain(fields).collect())]
                });
                let either = LayoutNode::Either { alternatives: alternatives.collect(), span: Span::default() };
                let count = SyntaxCount::Times(self.render_size(count));
                LayoutNode::Block { kind, count, separator: None, body: vec![either], span: Span::default() }
            }
        }
    }

    /// Returns a repeated line of one array or text as rows: `V[R][C]`.
    fn render_rows(&self, count: &Count, is_separated: bool, body: &[Node]) -> Option<LayoutNode> {
        if is_separated {
            return None;
        }
        let (Count::Times(rows), [Node::Line(parts)]) = (count, body) else { return None };
        let [part] = &parts[..] else { return None };
        let columns = match part {
            Part::Array(field, columns) if !self.fields[*field].is_text() => Some(self.render_size(columns)),
            Part::Text(_, columns) => Some(self.render_size(columns)),
            Part::List(field) if !self.fields[*field].is_text() => None,
            _ => return None,
        };
        let field = part.field();
        Some(LayoutNode::Parts(vec![self.field_part(field, vec![Some(self.render_size(rows)), columns], false)]))
    }

    fn render_count(&self, count: &Count) -> SyntaxCount {
        match count {
            Count::Times(size) => SyntaxCount::Times(self.render_size(size)),
            Count::UntilEof | Count::UntilLine(_) => SyntaxCount::Until {
                least: SyntaxTerm::from_number(1),
                most: SyntaxTerm::from_number(MAX_REPETITIONS),
                sentinel: match count {
                    Count::UntilLine(line) => Some(line.join(" ").into_bytes()),
                    _ => None,
                },
            },
        }
    }

    fn render_part(&self, part: &Part) -> SyntaxPart {
        let one = || Some(SyntaxTerm::from_number(1));
        let is_text = |field: &FieldIndex| self.fields[*field].is_text();
        let is_letter = |field: &FieldIndex| self.fields[*field].is_letter();
        match part {
            Part::Token(field) if is_letter(field) => self.field_part(*field, vec![one()], false),
            Part::Token(field) | Part::Phrase(field) => self.field_part(*field, Vec::new(), false),
            Part::Text(field, size) => self.field_part(*field, vec![Some(self.render_size(size))], false),
            Part::Array(field, size) if is_text(field) => {
                let letters = if is_letter(field) { one() } else { None };
                self.field_part(*field, vec![Some(self.render_size(size)), letters], true)
            }
            Part::Array(field, size) => self.field_part(*field, vec![Some(self.render_size(size))], false),
            Part::List(field) => self.field_part(*field, vec![None], false),
        }
    }

    fn field_part(&self, field: FieldIndex, dimensions: Vec<Option<SyntaxTerm>>, on_one_line: bool) -> SyntaxPart {
        let field = SyntaxField { name: self.names[field].clone(), span: Span::default(), dimensions, on_one_line };
        SyntaxPart { kind: SyntaxPartKind::Field(field), span: Span::default(), glued: false }
    }

    fn render_size(&self, size: &Size) -> SyntaxTerm {
        size.to_term(|field| SyntaxTerm::from_name(self.names[field].clone()))
    }
}

fn empty_line() -> SyntaxPart {
    SyntaxPart { kind: SyntaxPartKind::Literal(Vec::new()), span: Span::default(), glued: false }
}
