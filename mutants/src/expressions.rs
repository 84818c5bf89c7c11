//! Wrong comparisons, arithmetic operators and loop bounds, and terms of conditions that are left out.

use super::source_tree::{SourceTree, is_inside};
use super::{Mutant, MutationOperator};
use tree_sitter::Node;

/// Adds the mutants of an expression with two operands, or of an assignment with an operator.
pub(super) fn mutate_expression(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    match node.kind() {
        "binary_expression" => mutate_binary(tree, node, mutants),
        "assignment_expression" => mutate_assignment(tree, node, mutants),
        _ => {}
    }
}

fn mutate_binary(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let (left, sign) = (tree.field_text(node, "left"), tree.field_text(node, "operator"));
    let right = tree.field_text(node, "right");
    if left.is_empty() || right.is_empty() || is_inside(node, &["template_argument_list"]) {
        return;
    }
    let mut add = |operator, replacement: String| mutants.push(tree.replace_expression(operator, node, replacement));
    if let Some(other) = other_comparison(sign) {
        add(MutationOperator::Comparison, format!("{left} {other} {right}"));
        if is_loop_condition(node) && matches!(sign, "<" | "<=") {
            add(MutationOperator::LoopBound, format!("{left} {sign} {right} - 1"));
        }
    }
    if let Some(other) = other_arithmetic(sign) {
        add(MutationOperator::Arithmetic, format!("{left} {other} {right}"));
    }
    if matches!(sign, "&&" | "||") {
        // The conversion keeps the type, where a term is a stream.
        add(MutationOperator::Term, format!("bool({left})"));
        add(MutationOperator::Term, format!("bool({right})"));
    }
}

fn mutate_assignment(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let (left, right) = (tree.field_text(node, "left"), tree.field_text(node, "right"));
    let other = match tree.field_text(node, "operator") {
        "+=" => "-=",
        "-=" => "+=",
        _ => return,
    };
    let replacement = format!("{left} {other} {right}");
    mutants.push(tree.replace_expression(MutationOperator::Arithmetic, node, replacement));
}

/// Returns the comparison that people write in place of another.
fn other_comparison(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        "==" => "!=",
        "!=" => "==",
        _ => return None,
    })
}

/// Returns the arithmetic operator that takes the place of another.
fn other_arithmetic(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "+" => "-",
        "-" => "+",
        "*" => "+",
        "/" => "*",
        "%" => "/",
        _ => return None,
    })
}

/// Returns true if this is the condition of a `for`.
fn is_loop_condition(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.kind() == "for_statement" && parent.child_by_field_name("condition") == Some(node))
}
