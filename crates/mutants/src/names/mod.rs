//! Names in place of others of the same type.

mod cpp;
mod java;
mod python;
mod rust;

use super::source_tree::{SourceTree, TEXT_STEP};
use super::{Mutant, MutationOperator, SourceLanguage};
use std::ops::Range;
use tree_sitter::Node;

/// A declared variable.
struct DeclaredName<'s> {
    name: &'s str,
    /// Its type as a text: equal for variables that can be exchanged.
    type_key: String,
    start: usize,
    scope: Range<usize>,
}

/// Adds a mutant for each use of a variable beside which another of the same type is visible, and for each `min` and
/// `max`.
pub(super) fn mutate_names(tree: &SourceTree<'_>, mutants: &mut Vec<Mutant>) {
    let nodes = tree.nodes();
    let declare = match tree.language {
        SourceLanguage::Cpp => cpp::declared_names,
        SourceLanguage::Java => java::declared_names,
        SourceLanguage::Python => python::declared_names,
        SourceLanguage::Rust => rust::declared_names,
    };
    let is_use = match tree.language {
        SourceLanguage::Cpp => cpp::is_use,
        SourceLanguage::Java => java::is_use,
        SourceLanguage::Python => python::is_use,
        SourceLanguage::Rust => rust::is_use,
    };
    let nodes_left = nodes.iter().take_while(|_| !tree.is_exhausted());
    let declared: Vec<DeclaredName<'_>> = nodes_left.flat_map(|node| declare(tree, *node)).collect();
    for node in nodes
        .iter()
        .take_while(|_| !tree.is_exhausted())
        .filter(|node| matches!(node.kind(), "identifier" | "field_identifier"))
    {
        let other = match tree.node_text(*node) {
            "min" if is_called(tree, *node) => Some("max"),
            "max" if is_called(tree, *node) => Some("min"),
            name if node.kind() == "identifier" && is_use(tree, *node) => {
                tree.count_steps(declared.len() / TEXT_STEP);
                other_name(&declared, name, node.start_byte())
            }
            _ => None,
        };
        let Some(other) = other else { continue };
        mutants.push(replace_name(tree, *node, other));
    }
}

/// Replaces a name. The name of a function is part of a call, and it is the call that a schema can hold.
fn replace_name(tree: &SourceTree<'_>, node: Node<'_>, other: &str) -> Mutant {
    let Some(call) = tree.nearest_above(node, &[tree.dialect().call]).filter(|_| is_called(tree, node)) else {
        return tree.replace_expression(MutationOperator::Name, node, other.to_owned());
    };
    let [before, after] = [call.start_byte()..node.start_byte(), node.end_byte()..call.end_byte()];
    let replacement = format!("{}{other}{}", &tree.source[before], &tree.source[after]);
    tree.replace_expression(MutationOperator::Name, call, replacement)
}

/// Returns true if a name is that of a called function.
fn is_called(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let call = tree.nearest_above(node, &[tree.dialect().call]);
    let callee = call.and_then(|call| call.child_by_field_name(tree.dialect().callee));
    callee
        .is_some_and(|callee| callee.byte_range().contains(&node.start_byte()) && callee.end_byte() == node.end_byte())
}

/// Returns the scope of a name that a node declares.
fn scope_of(tree: &SourceTree<'_>, node: Node<'_>) -> Range<usize> {
    tree.nearest_above(node, tree.dialect().scopes).map_or(0..tree.source.len(), |scope| scope.byte_range())
}

/// Returns the name declared nearest to that of a variable, of the same type and visible where it is used.
fn other_name<'s>(declared: &[DeclaredName<'s>], name: &str, at: usize) -> Option<&'s str> {
    let is_visible = |other: &&DeclaredName<'_>| other.start < at && other.scope.contains(&at);
    let own = declared.iter().filter(is_visible).rfind(|other| other.name == name)?;
    let is_other = |other: &&DeclaredName<'_>| other.name != name && other.type_key == own.type_key;
    let others = declared.iter().filter(is_visible).filter(is_other);
    others.min_by_key(|other| other.start.abs_diff(own.start)).map(|other| other.name)
}
