//! Variables of Rust. Only those that are copied are replaced, since others can be used once only.

use super::{DeclaredName, SourceTree, scope_of};
use tree_sitter::Node;

/// Returns the variables that a node declares, if their types are known and are copied.
pub(super) fn declared_names<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<DeclaredName<'s>> {
    let (pattern, type_key) = match node.kind() {
        "let_declaration" | "parameter" => {
            let stated = Some(tree.field_text(node, "type")).filter(|text| !text.is_empty());
            let value = node.child_by_field_name("value");
            (node.child_by_field_name("pattern"), stated.or_else(|| value.and_then(|value| type_of_value(tree, value))))
        }
        "for_expression" => {
            let is_range = node.child_by_field_name("value").is_some_and(|value| value.kind() == "range_expression");
            (node.child_by_field_name("pattern"), is_range.then_some("usize"))
        }
        _ => return Vec::new(),
    };
    let name = pattern.filter(|pattern| pattern.kind() == "identifier");
    let (Some(name), Some(type_key)) = (name, type_key.filter(|key| is_copied(key))) else { return Vec::new() };
    vec![DeclaredName {
        name: tree.node_text(name),
        type_key: type_key.to_owned(),
        start: name.start_byte(),
        scope: scope_of(tree, node),
    }]
}

fn is_copied(type_key: &str) -> bool {
    let is_shared = type_key.starts_with('&') && !type_key.starts_with("&mut");
    let is_number = type_key.starts_with(['i', 'u', 'f']) && type_key[1..].chars().all(|c| c.is_ascii_digit());
    is_shared || is_number || matches!(type_key, "usize" | "isize" | "bool" | "char")
}

/// Returns the type of a value, if its form tells.
fn type_of_value<'s>(tree: &SourceTree<'s>, value: Node<'_>) -> Option<&'s str> {
    match value.kind() {
        "type_cast_expression" => Some(tree.field_text(value, "type")),
        "call_expression" if tree.called_name(value) == "len" => Some("usize"),
        _ => None,
    }
}

/// Returns true if a name is used as a value, rather than declared, called or assigned to.
pub(super) fn is_use(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(node) else { return false };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "let_declaration" | "for_expression" => is_field("value"),
        "assignment_expression" | "compound_assignment_expr" => is_field("right"),
        "arguments"
        | "binary_expression"
        | "index_expression"
        | "parenthesized_expression"
        | "range_expression"
        | "return_expression"
        | "tuple_expression"
        | "type_cast_expression"
        | "unary_expression" => true,
        _ => false,
    }
}
