//! Names in place of others of the same type.

use super::source_tree::SourceTree;
use super::{Mutant, MutationOperator};
use std::ops::Range;
use tree_sitter::Node;

/// Kinds of nodes at the end of which the names declared in them end.
const SCOPES: [&str; 6] = [
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "function_definition",
    "lambda_expression",
    "translation_unit",
];

/// A declared variable.
struct DeclaredName<'s> {
    name: &'s str,
    /// Its type with the shape of the declarator: equal for variables that can be exchanged.
    type_key: String,
    start: usize,
    scope: Range<usize>,
}

/// Adds a mutant for each use of a variable beside which another of the same type is visible, and for each `min` and
/// `max`.
pub(super) fn mutate_names(tree: &SourceTree<'_>, mutants: &mut Vec<Mutant>) {
    let nodes = tree.nodes();
    let declared: Vec<DeclaredName<'_>> = nodes.iter().flat_map(|node| declared_names(tree, *node)).collect();
    for node in nodes.iter().filter(|node| node.kind() == "identifier") {
        let other = match tree.node_text(*node) {
            "min" => Some("max"),
            "max" => Some("min"),
            name if is_use(*node) => other_name(&declared, name, node.start_byte()),
            _ => None,
        };
        if let Some(other) = other {
            mutants.push(tree.replace_expression(MutationOperator::Name, *node, other.to_owned()));
        }
    }
}

/// Returns the variables that a node declares.
fn declared_names<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<DeclaredName<'s>> {
    if !matches!(node.kind(), "declaration" | "parameter_declaration") {
        return Vec::new();
    }
    let mut above = node.parent();
    while let Some(parent) = above.filter(|parent| !SCOPES.contains(&parent.kind())) {
        above = parent.parent();
    }
    let scope = above.map_or(0..tree.source.len(), |scope| scope.byte_range());
    let type_text = tree.field_text(node, "type");
    let mut cursor = node.walk();
    let declarators = node.children_by_field_name("declarator", &mut cursor);
    declarators.filter_map(|declarator| declared_name(tree, declarator, type_text, &scope)).collect()
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
fn is_use(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
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

/// Returns the name declared nearest to that of a variable, of the same type and visible where it is used.
fn other_name<'s>(declared: &[DeclaredName<'s>], name: &str, at: usize) -> Option<&'s str> {
    let is_visible = |other: &&DeclaredName<'_>| other.start < at && other.scope.contains(&at);
    let own = declared.iter().filter(is_visible).rfind(|other| other.name == name)?;
    let is_other = |other: &&DeclaredName<'_>| other.name != name && other.type_key == own.type_key;
    let others = declared.iter().filter(is_visible).filter(is_other);
    others.min_by_key(|other| other.start.abs_diff(own.start)).map(|other| other.name)
}
