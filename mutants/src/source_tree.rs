//! The syntax tree of a source, and what the operators ask about its nodes.

use super::{Mutant, MutantForm, MutationOperator};
use tree_sitter::{Node, Parser, Tree};

/// Kinds of nodes whose content the compiler has to know.
const CONSTANT_KINDS: [&str; 7] = [
    "bitfield_clause",
    "enumerator",
    "field_declaration",
    "new_declarator",
    "static_assert_declaration",
    "template_argument_list",
    "template_parameter_list",
];

/// A source with its syntax tree.
pub(super) struct SourceTree<'s> {
    pub(super) source: &'s str,
    tree: Tree,
}

impl<'s> SourceTree<'s> {
    /// Parses a C++ source. Returns `None` if the parser gives up.
    pub(super) fn parse_cpp(source: &'s str) -> Option<SourceTree<'s>> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
        Some(SourceTree { source, tree: parser.parse(source, None)? })
    }

    /// Returns all nodes in the order of their beginnings, parents first. What could not be parsed is left out, and
    /// what belongs to the preprocessor.
    pub(super) fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = Vec::new();
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            let is_skipped = node.is_error() || node.kind().starts_with("preproc_") && !holds_code(node);
            if !is_skipped {
                nodes.push(node);
            }
            if !is_skipped && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return nodes;
                }
            }
        }
    }

    /// Returns the text of a node.
    pub(super) fn node_text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    /// Returns the text of a field of a node.
    pub(super) fn field_text(&self, node: Node<'_>, field: &str) -> &'s str {
        node.child_by_field_name(field).map_or("", |child| self.node_text(child))
    }

    /// Creates a mutant that replaces an expression.
    pub(super) fn replace_expression(&self, operator: MutationOperator, node: Node<'_>, replacement: String) -> Mutant {
        // A line comment would swallow the rest of a schema, which has such an expression on one line.
        let has_comment = self.node_text(node).contains("//") || replacement.contains("//");
        let form = if has_comment || self.is_constant(node) { MutantForm::Declaration } else { MutantForm::Expression };
        self.replace_node(operator, node, replacement, form)
    }

    /// Creates a mutant that replaces a node.
    pub(super) fn replace_node(
        &self,
        operator: MutationOperator,
        node: Node<'_>,
        replacement: String,
        form: MutantForm,
    ) -> Mutant {
        let place = node.start_position();
        Mutant { operator, line: place.row + 1, column: place.column + 1, range: node.byte_range(), replacement, form }
    }

    /// Returns true if the compiler may have to know the value of an expression.
    pub(super) fn is_constant(&self, node: Node<'_>) -> bool {
        let mut inner = node;
        while let Some(parent) = inner.parent() {
            let is_label = parent.kind() == "case_statement" && parent.child_by_field_name("value") == Some(inner);
            let is_size = parent.kind() == "array_declarator" && parent.child_by_field_name("size") == Some(inner);
            if is_label || is_size || CONSTANT_KINDS.contains(&parent.kind()) {
                return true;
            }
            if parent.kind() == "declaration" && self.is_declared_constant(parent) {
                return true;
            }
            if parent.kind() == "compound_statement" {
                return false;
            }
            inner = parent;
        }
        false
    }

    /// Returns true if a declaration is `const` or `constexpr`.
    fn is_declared_constant(&self, declaration: Node<'_>) -> bool {
        let mut cursor = declaration.walk();
        declaration.children(&mut cursor).any(|child| matches!(self.node_text(child), "const" | "constexpr"))
    }
}

/// Returns true if a node of the preprocessor holds code: the branch of a condition.
fn holds_code(node: Node<'_>) -> bool {
    matches!(node.kind(), "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif")
}

/// Returns true if a node is inside of one of these kinds.
pub(super) fn is_inside(node: Node<'_>, kinds: &[&str]) -> bool {
    let mut above = node.parent();
    while let Some(parent) = above {
        if kinds.contains(&parent.kind()) {
            return true;
        }
        above = parent.parent();
    }
    false
}
