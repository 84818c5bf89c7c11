//! Variables of Python, whose types follow from what is assigned to them.

use super::{DeclaredName, SourceTree, scope_of};
use tree_sitter::Node;

/// Returns the variables that a node assigns to, if their types are known.
pub(super) fn declared_names<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<DeclaredName<'s>> {
    let (left, type_key) = match node.kind() {
        "assignment" => {
            let right = node.child_by_field_name("right");
            (node.child_by_field_name("left"), right.and_then(|value| type_of_value(tree, value)))
        }
        "for_statement" | "for_in_clause" => {
            let right = node.child_by_field_name("right");
            let is_range = right.is_some_and(|value| tree.called_name(value) == "range");
            (node.child_by_field_name("left"), is_range.then_some("int"))
        }
        "parameters" => (Some(node), Some("parameter")),
        _ => return Vec::new(),
    };
    let (Some(left), Some(type_key)) = (left, type_key) else { return Vec::new() };
    let names = match left.kind() {
        "identifier" => vec![left],
        "pattern_list" | "tuple_pattern" | "parameters" => {
            let mut cursor = left.walk();
            left.named_children(&mut cursor).filter(|name| name.kind() == "identifier").collect()
        }
        _ => Vec::new(),
    };
    let scope = scope_of(tree, node);
    let declare = |name: Node<'_>| DeclaredName {
        name: tree.node_text(name),
        type_key: type_key.to_owned(),
        start: name.start_byte(),
        scope: scope.clone(),
    };
    names.into_iter().map(declare).collect()
}

/// Returns a name for the type of a value, if its form tells.
fn type_of_value(tree: &SourceTree<'_>, value: Node<'_>) -> Option<&'static str> {
    match value.kind() {
        "integer" => Some("int"),
        "float" => Some("float"),
        "list" | "list_comprehension" => Some("list"),
        "binary_operator" if tree.field_text(value, "left").starts_with('[') => Some("list"),
        "call" => match tree.called_name(value) {
            "int" | "len" => Some("int"),
            // `a, b = map(int, input().split())`
            "map" if tree.arguments_of(value).first().is_some_and(|first| tree.node_text(*first) == "int") => {
                Some("int")
            }
            "list" | "sorted" => Some("list"),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if a name is used as a value, rather than assigned to, called or declared.
pub(super) fn is_use(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(node) else { return false };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => is_field("right"),
        "keyword_argument" => is_field("value"),
        "attribute" => is_field("object"),
        "argument_list"
        | "binary_operator"
        | "boolean_operator"
        | "comparison_operator"
        | "conditional_expression"
        | "expression_list"
        | "list"
        | "not_operator"
        | "parenthesized_expression"
        | "return_statement"
        | "subscript"
        | "tuple"
        | "unary_operator" => true,
        _ => false,
    }
}
