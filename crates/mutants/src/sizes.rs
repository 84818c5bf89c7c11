//! Arrays and lists that are one element short, where the size is no number: those are in [`literals`](super::literals).

use super::source_tree::SourceTree;
use super::{Mutant, MutationOperator, SourceLanguage};
use tree_sitter::Node;

/// Calls in C++ whose first argument is a size.
const RESIZING: [&str; 2] = ["resize", "assign"];

/// Adds the mutant of a node that creates or resizes an array.
pub(super) fn mutate_size(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let size = match tree.language {
        SourceLanguage::Cpp => size_in_cpp(tree, node),
        SourceLanguage::Java => (node.kind() == "dimensions_expr").then(|| node.named_child(0)).flatten(),
        SourceLanguage::Python => size_in_python(tree, node),
        SourceLanguage::Rust => size_in_rust(tree, node),
    };
    let Some(size) = size.filter(|size| !has_number(tree, *size)) else { return };
    let replacement = format!("{} - 1", tree.node_text(size));
    mutants.push(tree.replace_expression(MutationOperator::Size, size, replacement));
}

/// Returns true if a size contains a number, which has mutants of its own.
fn has_number(tree: &SourceTree<'_>, size: Node<'_>) -> bool {
    let words = tree.node_text(size).split(|c: char| !c.is_alphanumeric() && c != '_');
    words.into_iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns the size in `vector<int> a(n)`, `int a[n]` or `a.resize(n)`.
fn size_in_cpp<'t>(tree: &SourceTree<'_>, node: Node<'t>) -> Option<Node<'t>> {
    match node.kind() {
        "init_declarator" => {
            let arguments = node.child_by_field_name("value").filter(|value| value.kind() == "argument_list")?;
            arguments.named_child(0).filter(|size| declares_vector(tree, node) && is_amount(*size))
        }
        // The grammar takes `vector<int> a(n)` for the declaration of a function.
        "function_declarator" if tree.is_inside(node, &["compound_statement"]) && declares_vector(tree, node) => {
            let parameters = node.child_by_field_name("parameters")?;
            let only = parameters.named_child(0).filter(|_| parameters.named_child_count() == 1)?;
            only.child_by_field_name("type").filter(|size| size.byte_range() == only.byte_range())
        }
        "array_declarator" => node.child_by_field_name("size"),
        _ if RESIZING.contains(&tree.called_name(node)) => {
            tree.arguments_of(node).first().copied().filter(|size| is_amount(*size))
        }
        _ => None,
    }
}

/// Returns true if a declarator is that of a vector.
fn declares_vector(tree: &SourceTree<'_>, declarator: Node<'_>) -> bool {
    let declared = tree.parent_of(declarator).and_then(|parent| parent.child_by_field_name("type"));
    declared.is_some_and(|name| tree.node_text(name).trim_start_matches("std::").starts_with("vector<"))
}

/// Returns true if an argument may be an amount, rather than an iterator or another container.
fn is_amount(argument: Node<'_>) -> bool {
    matches!(argument.kind(), "identifier" | "binary_expression" | "field_expression")
}

/// Returns the size in `[0] * n`.
fn size_in_python<'t>(tree: &SourceTree<'_>, node: Node<'t>) -> Option<Node<'t>> {
    let is_repeated = node.kind() == "binary_operator"
        && tree.field_text(node, "operator") == "*"
        && node.child_by_field_name("left").is_some_and(|left| left.kind() == "list");
    is_repeated.then(|| node.child_by_field_name("right")).flatten()
}

/// Returns the size in `vec![0; n]`, if it is one token.
fn size_in_rust<'t>(tree: &SourceTree<'_>, node: Node<'t>) -> Option<Node<'t>> {
    if node.kind() != "macro_invocation" || tree.field_text(node, "macro") != "vec" {
        return None;
    }
    let tokens = (0..node.child_count()).filter_map(|at| node.child(at)).find(|child| child.kind() == "token_tree")?;
    let count = tokens.child_count();
    let [separator, size] = [tokens.child(count.checked_sub(3)?)?, tokens.child(count.checked_sub(2)?)?];
    (tree.node_text(separator) == ";" && size.kind() == "identifier").then_some(size)
}
