//! Special cases, resets and jumps that are left out, and types that are too narrow.

use super::source_tree::{SourceTree, is_inside};
use super::{Mutant, MutantForm, MutationOperator};
use tree_sitter::Node;

/// Kinds of loops.
const LOOPS: [&str; 4] = ["for_statement", "for_range_loop", "while_statement", "do_statement"];

/// Calls that give a variable its initial value again.
const RESETS: [&str; 4] = ["clear", "assign", "memset", "fill"];

/// Adds the mutants of a statement or a type.
pub(super) fn mutate_statement(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    match node.kind() {
        "if_statement" => mutants.extend(leave_out_guard(tree, node)),
        "break_statement" | "continue_statement" if !is_of_switch(node) => {
            mutants.push(tree.replace_node(MutationOperator::Jump, node, String::new(), MutantForm::Statement));
        }
        "expression_statement" if is_inside(node, &LOOPS) && is_reset(tree, node) => {
            mutants.push(tree.replace_node(MutationOperator::Reset, node, String::new(), MutantForm::Statement));
        }
        "primitive_type" | "sized_type_specifier" | "type_identifier" => mutants.extend(narrow_type(tree, node)),
        _ => {}
    }
}

/// Makes the condition of an `if` false.
fn leave_out_guard(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let clause = node.child_by_field_name("condition")?;
    let condition = clause.child_by_field_name("value").filter(|value| value.kind() != "declaration")?;
    Some(tree.replace_expression(MutationOperator::Guard, condition, "false".to_owned()))
}

/// Returns true if a `break` ends a case of a `switch`.
fn is_of_switch(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "case_statement")
}

/// Returns true if a statement gives a variable a value that does not depend on others.
fn is_reset(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(inner) = node.named_child(0) else { return false };
    match inner.kind() {
        "assignment_expression" => {
            let right = inner.child_by_field_name("right").map_or("", |right| right.kind());
            tree.field_text(inner, "operator") == "=" && matches!(right, "number_literal" | "true" | "false")
        }
        "call_expression" => {
            let function = tree.field_text(inner, "function");
            let name = function.rsplit(['.', ':', '>']).next().unwrap_or(function);
            RESETS.contains(&name)
        }
        _ => false,
    }
}

/// Makes a type narrower.
fn narrow_type(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let narrow = match tree.node_text(node).split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
        "long long" | "long long int" | "int64_t" => "int",
        "unsigned long long" | "uint64_t" => "unsigned",
        "double" | "long double" => "float",
        _ => return None,
    };
    Some(tree.replace_node(MutationOperator::Type, node, narrow.to_owned(), MutantForm::Declaration))
}
