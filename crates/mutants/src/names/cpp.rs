//! Variables of C++.

use super::{DeclaredName, SourceTree, TEXT_STEP, scope_of};
use std::ops::Range;
use tree_sitter::Node;

pub(super) fn declared_names<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<DeclaredName<'s>> {
    if !matches!(node.kind(), "declaration" | "parameter_declaration") {
        return Vec::new();
    }
    let scope = scope_of(tree, node);
    let type_text = tree.field_text(node, "type");
    let mut cursor = node.walk();
    let declarators = node.children_by_field_name("declarator", &mut cursor);
    tree.count_steps(node.child_count() * type_text.len() / TEXT_STEP);
    declarators
        .take_while(|_| !tree.is_exhausted())
        .filter_map(|declarator| declared_name(tree, declarator, type_text, &scope))
        .collect()
}

fn declared_name<'s>(
    tree: &SourceTree<'s>,
    declarator: Node<'_>,
    type_text: &str,
    scope: &Range<usize>,
) -> Option<DeclaredName<'s>> {
    let mut shape = String::new();
    let mut inner = declarator;
    while inner.kind() != "identifier" {
        match inner.kind() {
            "init_declarator" => {}
            // A reference is used as what it refers to.
            "reference_declarator" => {
                inner = inner.named_child(0)?;
                continue;
            }
            "array_declarator" => shape.push_str("[]"),
            "pointer_declarator" => shape.push('*'),
            _ => return None,
        }
        inner = inner.child_by_field_name("declarator")?;
    }
    let start = inner.start_byte();
    Some(DeclaredName {
        name: tree.node_text(inner),
        type_key: format!("{type_text}{shape}"),
        start,
        scope: scope.clone(),
    })
}

/// Returns true if a name is used, rather than declared or called.
pub(super) fn is_use(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(parent) = tree.parent_of(node) else { return false };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "call_expression" => !is_field("function"),
        "init_declarator" => !is_field("declarator"),
        "for_range_loop" => !is_field("declarator"),
        "array_declarator" => is_field("size"),
        "declaration"
        | "parameter_declaration"
        | "optional_parameter_declaration"
        | "reference_declarator"
        | "pointer_declarator"
        | "function_declarator"
        | "structured_binding_declarator"
        | "lambda_capture_specifier"
        | "template_function"
        | "qualified_identifier"
        | "enumerator"
        | "labeled_statement"
        | "goto_statement" => false,
        _ => true,
    }
}
