//! Variables of Java.

use super::{DeclaredName, SourceTree, TEXT_STEP, scope_of};
use tree_sitter::Node;

pub(super) fn declared_names<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<DeclaredName<'s>> {
    let declares = match node.kind() {
        "local_variable_declaration" | "field_declaration" => "declarator",
        "formal_parameter" => "name",
        _ => return Vec::new(),
    };
    let scope = scope_of(tree, node);
    let type_text = tree.field_text(node, "type");
    let mut cursor = node.walk();
    tree.count_steps(node.child_count() * type_text.len() / TEXT_STEP);
    let parts = node.children_by_field_name(declares, &mut cursor).take_while(|_| !tree.is_exhausted());
    let declare = |part: Node<'_>| {
        let name = if declares == "name" { part } else { part.child_by_field_name("name")? };
        let shape = tree.field_text(part, "dimensions");
        let (name, start) = (tree.node_text(name), name.start_byte());
        // The fields of a class are visible before their declarations as well.
        let start = if node.kind() == "field_declaration" { scope.start } else { start };
        Some(DeclaredName { name, type_key: format!("{type_text}{shape}"), start, scope: scope.clone() })
    };
    parts.filter_map(declare).collect()
}

/// Returns true if a name is used as a value, rather than declared, called or assigned to.
pub(super) fn is_use(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(node) else { return false };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "method_invocation" => !is_field("name"),
        "variable_declarator" | "enhanced_for_statement" => is_field("value"),
        "assignment_expression" => is_field("right"),
        "field_access" => is_field("object"),
        "lambda_expression" => is_field("body"),
        "argument_list"
        | "array_access"
        | "array_initializer"
        | "binary_expression"
        | "cast_expression"
        | "dimensions_expr"
        | "parenthesized_expression"
        | "return_statement"
        | "ternary_expression"
        | "unary_expression" => true,
        _ => false,
    }
}
