//! Wrong comparisons, arithmetic operators and loop bounds, and terms of conditions that are left out.

use super::source_tree::SourceTree;
use super::{Mutant, MutationOperator, SourceLanguage};
use tree_sitter::Node;

/// An expression as the text before its operator, the operator, and the text behind.
struct SplitExpression<'s> {
    left: &'s str,
    sign: &'s str,
    right: &'s str,
}

/// Adds the mutants of an expression with two operands, of an assignment with an operator, or of a range.
pub(super) fn mutate_expression(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let dialect = tree.dialect();
    let kind = node.kind();
    if kind == "comparison_operator" {
        for split in split_comparisons(tree, node).into_iter().take_while(|_| !tree.is_exhausted()) {
            mutate_binary(tree, node, &split, mutants);
        }
    } else if dialect.binary.contains(&kind) {
        if let Some(split) = split_fields(tree, node) {
            mutate_binary(tree, node, &split, mutants);
        }
    } else if dialect.assignments.contains(&kind) {
        mutate_assignment(tree, node, mutants);
    } else {
        mutate_range(tree, node, mutants);
    }
}

/// Splits a node with fields for the operands.
fn split_fields<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Option<SplitExpression<'s>> {
    let [left, right] = ["left", "right"].map(|field| tree.field_text(node, field));
    let is_whole = !left.is_empty() && !right.is_empty() && !tree.is_inside(node, &["template_argument_list"]);
    is_whole.then(|| SplitExpression { left, sign: tree.field_text(node, "operator"), right })
}

/// Splits a chain of comparisons in Python at each of its operators.
fn split_comparisons<'s>(tree: &SourceTree<'s>, node: Node<'_>) -> Vec<SplitExpression<'s>> {
    let mut cursor = node.walk();
    let signs = node.children_by_field_name("operators", &mut cursor);
    let split = |sign: Node<'_>| SplitExpression {
        left: tree.source[node.start_byte()..sign.start_byte()].trim_end(),
        sign: tree.node_text(sign),
        right: tree.source[sign.end_byte()..node.end_byte()].trim_start(),
    };
    signs.map(split).collect()
}

fn mutate_binary(tree: &SourceTree<'_>, node: Node<'_>, split: &SplitExpression<'_>, mutants: &mut Vec<Mutant>) {
    let SplitExpression { left, sign, right } = split;
    let dialect = tree.dialect();
    let mut add = |operator, replacement: String| mutants.push(tree.replace_expression(operator, node, replacement));
    if let Some(other) = other_comparison(sign) {
        add(MutationOperator::Comparison, format!("{left} {other} {right}"));
        if is_loop_condition(tree, node) && matches!(*sign, "<" | "<=") {
            add(MutationOperator::LoopBound, format!("{left} {sign} {right} - 1"));
        }
    }
    if let Some(other) = other_direction(sign)
        && tree.is_inside(node, &[dialect.lambda])
    {
        add(MutationOperator::SortOrder, format!("{left} {other} {right}"));
    }
    // A comparator in Java returns a difference.
    if tree.language == SourceLanguage::Java && *sign == "-" && tree.is_inside(node, &[dialect.lambda]) {
        add(MutationOperator::SortOrder, format!("{right} - {left}"));
    }
    // The sum of texts has no other operator.
    if !left.ends_with(['"', '\''])
        && !right.starts_with(['"', '\''])
        && let Some(other) = other_arithmetic(sign)
    {
        add(MutationOperator::Arithmetic, format!("{left} {other} {right}"));
    }
    if dialect.connectives.contains(sign) {
        // The conversion keeps the type, where a term is a stream.
        let term = |text: &str| match tree.language {
            SourceLanguage::Cpp => format!("bool({text})"),
            _ => text.to_owned(),
        };
        add(MutationOperator::Term, term(left));
        add(MutationOperator::Term, term(right));
    }
}

fn mutate_assignment(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let (left, right) = (tree.field_text(node, "left"), tree.field_text(node, "right"));
    let other = match tree.field_text(node, "operator") {
        "+=" => "-=",
        "-=" => "+=",
        _ => return,
    };
    if right.contains('"') {
        return;
    }
    let replacement = format!("{left} {other} {right}");
    mutants.push(tree.replace_expression(MutationOperator::Arithmetic, node, replacement));
}

/// Ends the range of a loop one round early or late: `range(n)` in Python, `0..n` in Rust. In other languages, the
/// comparison with the bound has such mutants.
fn mutate_range(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let Some(end) = end_of_range(tree, node) else { return };
    for change in ["- 1", "+ 1"] {
        let replacement = format!("{} {change}", tree.node_text(end));
        mutants.push(tree.replace_expression(MutationOperator::LoopBound, end, replacement));
    }
}

/// Returns the end of the range of a loop.
fn end_of_range<'t>(tree: &SourceTree<'_>, node: Node<'t>) -> Option<Node<'t>> {
    match tree.language {
        SourceLanguage::Python if tree.called_name(node) == "range" => {
            let arguments = tree.arguments_of(node);
            arguments.get(usize::from(arguments.len() > 1)).copied()
        }
        SourceLanguage::Rust if node.kind() == "range_expression" && tree.is_inside(node, &["for_expression"]) => {
            let end = node.child(node.child_count().checked_sub(1)?)?;
            Some(end).filter(|end| end.is_named() && node.child_count() == 3)
        }
        _ => None,
    }
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

/// Returns the comparison that sorts in the other order.
fn other_direction(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
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
        "//" => "/",
        "%" => "/",
        _ => return None,
    })
}

/// Returns true if this is the condition of a loop that counts.
fn is_loop_condition(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    tree.parent_of(node).is_some_and(|parent| {
        tree.dialect().counting_loops.contains(&parent.kind()) && parent.child_by_field_name("condition") == Some(node)
    })
}
