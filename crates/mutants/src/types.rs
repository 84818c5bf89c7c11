//! Types that are too narrow: `int` in place of `long long`.
//!
//! In C++ the type of a declaration is replaced. In Java and Rust such a program would seldom compile, so the value is
//! cut to 32 bits where people would have declared the narrow type: in casts and initial values.

use super::source_tree::SourceTree;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
use tree_sitter::Node;

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
