//! The syntax tree of a source, and what the operators ask about its nodes.

use super::dialect::Dialect;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
use tree_sitter::{Node, Parser, Tree};

/// Macros of Rust whose content is code with the usual meaning.
const TRANSPARENT_MACROS: [&str; 4] = ["vec", "println", "print", "writeln"];

/// A source with its syntax tree.
pub(super) struct SourceTree<'s> {
    pub(super) source: &'s str,
    pub(super) language: SourceLanguage,
    tree: Tree,
}

impl<'s> SourceTree<'s> {
    /// Parses a source. Returns `None` if the parser gives up.
    pub(super) fn parse(source: &'s str, language: SourceLanguage) -> Option<SourceTree<'s>> {
        let mut parser = Parser::new();
        parser.set_language(&language.grammar()).ok()?;
        Some(SourceTree { source, language, tree: parser.parse(source, None)? })
    }

    /// Returns what the operators have to know about the language.
    pub(super) fn dialect(&self) -> &'static Dialect {
        self.language.dialect()
    }

    /// Returns all nodes in the order of their beginnings, parents first. Errors of syntax are left out, and
    /// everything that is not code.
    pub(super) fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = Vec::new();
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            let is_skipped = node.is_error() || self.is_skipped(node);
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

    fn is_skipped(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif" => false,
            "macro_invocation" => !TRANSPARENT_MACROS.contains(&self.field_text(node, "macro")),
            kind => self.dialect().skipped.iter().any(|skipped| kind.starts_with(skipped)),
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

    /// Returns the condition of a statement without its parentheses, unless it declares a variable.
    pub(super) fn condition_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let condition = node.child_by_field_name("condition")?;
        let inner = match condition.kind() {
            "condition_clause" => condition.child_by_field_name("value")?,
            "parenthesized_expression" if self.language == SourceLanguage::Java => condition.named_child(0)?,
            _ => condition,
        };
        (!matches!(inner.kind(), "declaration" | "let_condition" | "let_chain")).then_some(inner)
    }

    /// Returns the name of the function that a node calls, without what it belongs to.
    pub(super) fn called_name(&self, node: Node<'_>) -> &'s str {
        let dialect = self.dialect();
        if node.kind() != dialect.call {
            return "";
        }
        let callee = self.field_text(node, dialect.callee);
        callee.rsplit(['.', ':', '>']).next().unwrap_or(callee)
    }

    /// Returns the arguments of a call.
    pub(super) fn arguments_of<'t>(&self, call: Node<'t>) -> Vec<Node<'t>> {
        let Some(list) = call.child_by_field_name("arguments") else { return Vec::new() };
        let mut cursor = list.walk();
        list.named_children(&mut cursor).filter(|argument| !argument.is_extra()).collect()
    }

    /// Creates a mutant that replaces an expression.
    pub(super) fn replace_expression(&self, operator: MutationOperator, node: Node<'_>, replacement: String) -> Mutant {
        // A line comment would swallow the rest of a schema, which has such an expression on one line.
        let comment = self.dialect().line_comment;
        let has_comment = self.node_text(node).contains(comment) || replacement.contains(comment);
        let form = if has_comment || self.is_constant(node) { MutantForm::Declaration } else { MutantForm::Expression };
        self.replace_node(operator, node, replacement, form)
    }

    /// Creates a mutant that replaces a statement, or leaves it out.
    pub(super) fn replace_statement(&self, operator: MutationOperator, node: Node<'_>, replacement: &str) -> Mutant {
        self.replace_node(operator, node, replacement.to_owned(), MutantForm::Statement)
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
        let (line, column) = (place.row + 1, place.column + 1);
        Mutant { operator, language: self.language, line, column, range: node.byte_range(), replacement, form }
    }

    /// Returns true if the compiler may have to know the value of an expression.
    pub(super) fn is_constant(&self, node: Node<'_>) -> bool {
        let dialect = self.dialect();
        let mut inner = node;
        while let Some(parent) = inner.parent() {
            let is_field = |field: &str| parent.child_by_field_name(field) == Some(inner);
            let is_known = match parent.kind() {
                "case_statement" => is_field("value"),
                "array_declarator" => is_field("size"),
                "array_expression" => is_field("length"),
                "declaration" | "local_variable_declaration" => self.is_declared_constant(parent),
                kind => dialect.constants.contains(&kind),
            };
            if is_known {
                return true;
            }
            if parent.kind() == dialect.block {
                return false;
            }
            inner = parent;
        }
        false
    }

    /// Returns true if the node is the size of an array.
    pub(super) fn is_size(&self, node: Node<'_>) -> bool {
        match self.language {
            SourceLanguage::Java => is_inside(node, &["dimensions_expr"]),
            SourceLanguage::Rust => is_inside(node, &["token_tree"]) && is_last_token(node),
            SourceLanguage::Cpp | SourceLanguage::Python => false,
        }
    }

    /// Returns true if a declaration is `const`, `constexpr` or `final`.
    fn is_declared_constant(&self, declaration: Node<'_>) -> bool {
        let mut cursor = declaration.walk();
        let mut words = declaration.children(&mut cursor).map(|child| self.node_text(child));
        words.any(|word| word.split_whitespace().any(|word| matches!(word, "const" | "constexpr" | "final")))
    }
}

/// Returns true if only the end of its list follows a token.
fn is_last_token(node: Node<'_>) -> bool {
    node.next_sibling().is_some_and(|next| next.next_sibling().is_none())
}

/// Returns true if a node is inside of one of these kinds.
pub(super) fn is_inside(node: Node<'_>, kinds: &[&str]) -> bool {
    nearest_above(node, kinds).is_some()
}

/// Returns the innermost node of one of these kinds that contains a node.
pub(super) fn nearest_above<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut above = node.parent();
    while let Some(parent) = above {
        if kinds.contains(&parent.kind()) {
            return Some(parent);
        }
        above = parent.parent();
    }
    None
}
