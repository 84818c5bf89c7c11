//! The names in a description: fields and their elements, with indices that are the name of nothing else.

use crate::language::{BlockId, BlockKind, Expr, FieldId, Format};
use crate::syntax::{
    LayoutNode, SyntaxCount, SyntaxField, SyntaxPart, SyntaxPartKind, SyntaxRule, SyntaxTerm, SyntaxTree,
};
use std::collections::HashMap;

/// The meanings of the names in a format.
pub(super) struct Names<'f> {
    pub(super) format: &'f Format,
    /// The first place of each field in the layout.
    places: HashMap<&'f str, FieldPlace<'f>>,
    /// The values of `let`.
    constants: HashMap<&'f str, &'f SyntaxTerm>,
    /// The repetitions with fields that constraints name by number: `s_i` for the `s` of the `i`-th line.
    numbered: Vec<BlockId>,
}

/// Where a field is in the layout.
struct FieldPlace<'f> {
    field: &'f SyntaxField,
    /// The noun for the innermost repetition around it, and its count: `all $m$ lines`.
    repeated: Option<(&'static str, Option<&'f SyntaxTerm>)>,
}

impl<'f> Names<'f> {
    pub(super) fn new(format: &'f Format, tree: &'f SyntaxTree) -> Self {
        let mut constants = HashMap::new();
        for rule in &tree.rules {
            if let SyntaxRule::Let { name, value, .. } = rule {
                constants.insert(name.as_str(), value);
            }
        }
        constants.retain(|name, _| format.field_named(name).is_none());
        let numbered = find_numbered_repetitions(format);
        let mut names = Names { format, places: HashMap::new(), constants, numbered };
        names.add_nodes(&tree.layout, None);
        names
    }

    fn add_nodes(&mut self, nodes: &'f [LayoutNode], repeated: Option<(&'static str, Option<&'f SyntaxTerm>)>) {
        for node in nodes {
            match node {
                LayoutNode::Parts(parts) => self.add_parts(parts, repeated),
                LayoutNode::Block { kind: BlockKind::Condition, body, .. } => self.add_nodes(body, repeated),
                LayoutNode::Block { count, body, .. } => {
                    let times = if let SyntaxCount::Times(times) = count { Some(times) } else { None };
                    self.add_nodes(body, Some((block_noun(node), times)));
                }
                LayoutNode::Either { alternatives, .. } => {
                    alternatives.iter().for_each(|nodes| self.add_nodes(nodes, repeated));
                }
            }
        }
    }

    fn add_parts(&mut self, parts: &'f [SyntaxPart], repeated: Option<(&'static str, Option<&'f SyntaxTerm>)>) {
        for part in parts {
            match &part.kind {
                SyntaxPartKind::Field(field) => {
                    self.places.entry(&field.name).or_insert(FieldPlace { field, repeated });
                }
                SyntaxPartKind::Group { parts, count } => self.add_parts(parts, Some(("groups", Some(count)))),
                SyntaxPartKind::Literal(_) => {}
            }
        }
    }

    pub(super) fn find_constant(&self, name: &str) -> Option<&'f SyntaxTerm> {
        self.constants.get(name).copied()
    }

    /// Returns the noun for the innermost repetition around a field, and its count.
    pub(super) fn find_repetition(&self, field: FieldId) -> Option<(&'static str, Option<&'f SyntaxTerm>)> {
        self.places.get(self.format.field(field).name.as_str())?.repeated
    }

    /// Returns a size of a field, or `None` if only the input determines it.
    pub(super) fn find_dimension(&self, field: FieldId, nth: usize) -> Option<&'f SyntaxTerm> {
        self.places.get(self.format.field(field).name.as_str())?.field.dimensions.get(nth)?.as_ref()
    }

    /// Returns true if a field is named with the number of its repetition.
    pub(super) fn is_numbered(&self, field: FieldId) -> bool {
        let repetition = self.format.repetition_of(self.format.field(field).block);
        repetition.is_some_and(|repetition| self.numbered.contains(&repetition))
    }

    /// Returns the number of dimensions of a field, without that of the characters of its texts.
    pub(super) fn outer_dimensions(&self, field: FieldId) -> usize {
        let info = self.format.field(field);
        info.dimensions.len() - usize::from(info.alphabet().is_some())
    }

    /// Returns a name in TeX: `n`, `x_1`, `\mathit{words}`.
    pub(super) fn plain_name(&self, name: &str) -> String {
        let (letter, digits) = name.split_at(1);
        let is_array = |field: FieldId| self.outer_dimensions(field) > 0;
        let is_free = [name, letter].iter().all(|name| !self.format.field_named(name).is_some_and(is_array));
        match letter {
            "_" => {}
            _ if digits.is_empty() => return letter.to_owned(),
            _ if digits.bytes().all(|b| b.is_ascii_digit()) && is_free => {
                return format!("{letter}_{}", brace_script(digits));
            }
            _ => {}
        }
        format!("\\mathit{{{}}}", name.replace('_', "\\_"))
    }

    pub(super) fn name_with_indices(&self, field: FieldId, indices: &[String]) -> String {
        let name = self.plain_name(&self.format.field(field).name);
        if indices.is_empty() {
            return name;
        }
        let indices = indices.join(",");
        match name.split_once('_').filter(|_| !name.starts_with('\\')) {
            Some((letter, digits)) => format!("{letter}_{{{},{indices}}}", digits.trim_matches(['{', '}'])),
            None => format!("{name}_{}", brace_script(&indices)),
        }
    }
}

/// Returns true if each instance of a block is one line, and nothing is between the lines.
pub(super) fn is_line_block(node: &LayoutNode) -> bool {
    match node {
        LayoutNode::Block { separator: None, body, .. } => match &body[..] {
            [LayoutNode::Parts(parts)] => !has_rows(parts),
            [LayoutNode::Either { alternatives, .. }] => {
                alternatives.iter().all(|nodes| matches!(&nodes[..], [LayoutNode::Parts(_)]))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns true if a field alone on its line has rows, each of which is a line.
pub(super) fn has_rows(parts: &[SyntaxPart]) -> bool {
    matches!(parts, [SyntaxPart { kind: SyntaxPartKind::Field(SyntaxField { dimensions, on_one_line: false, .. }), .. }]
        if dimensions.len() > 1)
}

/// Returns the noun for the instances of a block.
pub(super) fn block_noun(node: &LayoutNode) -> &'static str {
    match node {
        LayoutNode::Block { kind: BlockKind::Cases, .. } => "test cases",
        node if is_line_block(node) => "lines",
        LayoutNode::Block { count: SyntaxCount::Until { .. }, .. } => "data sets",
        _ => "groups",
    }
}

/// Formats a superscript or subscript.
pub(super) fn brace_script(text: &str) -> String {
    if text.len() == 1 { text.to_owned() } else { format!("{{{text}}}") }
}

/// Returns the repetitions with fields that constraints name by number.
fn find_numbered_repetitions(format: &Format) -> Vec<BlockId> {
    let mut found = Vec::new();
    for expr in format.constraints.iter().flat_map(|constraint| constraint.rule.expressions()) {
        expr.visit_parts(&mut |part| {
            match part {
                Expr::Element(field, indices) if format.indexes_repetitions(*field, indices) => {
                    found.extend(format.repetition_of(format.field(*field).block));
                }
                _ => {}
            }
            true
        });
    }
    found
}
