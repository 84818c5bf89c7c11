//! Arrays and lists that are one element short, where the size is no number: those are in [`literals`](super::literals).

use super::source_tree::SourceTree;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
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

// Types that are too narrow: `int` in place of `long long`.
//
// In C++ the type of a declaration is replaced. In Java and Rust such a program would seldom compile, so the value is
// cut to 32 bits where people would have declared the narrow type: in casts and initial values.

/// Adds the mutants of a type, a cast or an initial value.
pub(super) fn narrow_types(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let mutant = match (tree.language, node.kind()) {
        (SourceLanguage::Cpp, "primitive_type" | "sized_type_specifier" | "type_identifier") => narrow_cpp(tree, node),
        (SourceLanguage::Java, "cast_expression" | "variable_declarator") => narrow_java(tree, node),
        (SourceLanguage::Rust, "type_cast_expression" | "let_declaration") => narrow_rust(tree, node),
        _ => None,
    };
    mutants.extend(mutant);
}

fn narrow_cpp(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let narrow = match tree.node_text(node).split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
        "long long" | "long long int" | "int64_t" => "int",
        "unsigned long long" | "uint64_t" => "unsigned",
        "double" | "long double" => "float",
        _ => return None,
    };
    Some(tree.replace_node(MutationOperator::Type, node, narrow.to_owned(), MutantForm::Declaration))
}

fn narrow_java(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let declaration = if node.kind() == "variable_declarator" { tree.parent_of(node)? } else { node };
    let narrow = match tree.field_text(declaration, "type") {
        "long" => "int",
        "double" => "float",
        _ => return None,
    };
    let value = node.child_by_field_name("value")?;
    if node.child_by_field_name("dimensions").is_some() || value.kind().ends_with("_literal") {
        return None;
    }
    let replaced = if node.kind() == "cast_expression" { node } else { value };
    let replacement = format!("({narrow}) ({})", tree.node_text(value));
    Some(tree.replace_expression(MutationOperator::Type, replaced, replacement))
}

fn narrow_rust(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let declared = tree.field_text(node, "type");
    let narrow = match declared {
        "i64" | "i128" => "i32",
        "u64" | "u128" => "u32",
        "f64" => "f32",
        _ => return None,
    };
    let value = node.child_by_field_name("value").filter(|value| !value.kind().ends_with("_literal"))?;
    let replaced = if node.kind() == "let_declaration" { value } else { node };
    let replacement = format!("({}) as {narrow} as {declared}", tree.node_text(value));
    Some(tree.replace_expression(MutationOperator::Type, replaced, replacement))
}
