//! Special cases, resets and jumps that are left out or wrong, and loops that end early.

use super::source_tree::{SourceTree, TEXT_STEP};
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
use tree_sitter::Node;

/// Calls that give a variable its initial value again.
const RESETS: [&str; 4] = ["clear", "assign", "memset", "fill"];
/// Jumps out of a function.
const RETURNS: [&str; 2] = ["return_statement", "return_expression"];
/// Values that do not depend on others.
const INITIAL_VALUES: [&str; 8] =
    ["number_literal", "decimal_integer_literal", "integer_literal", "integer", "true", "false", "list", "dictionary"];

pub(super) fn mutate_statement(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let dialect = tree.dialect();
    let kind = node.kind();
    if dialect.guards.contains(&kind) {
        mutants.extend(leave_out_guard(tree, node));
    } else if dialect.jumps.contains(&kind) {
        mutate_jump(tree, node, mutants);
    } else if RETURNS.contains(&kind) {
        mutants.extend(leave_out_return(tree, node));
    } else if kind == "expression_statement" && tree.is_inside(node, dialect.loops) && is_reset(tree, node) {
        mutants.push(tree.replace_statement(MutationOperator::Reset, node, ""));
    } else if kind == dialect.block {
        mutants.extend(end_early(tree, node));
    }
}

/// Makes the condition of an `if` false.
fn leave_out_guard(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let condition = tree.condition_of(node)?;
    let never = tree.dialect().truths[1].to_owned();
    Some(tree.replace_expression(MutationOperator::Guard, condition, never))
}

/// Leaves out a `break` or `continue`, or replaces it by the other.
fn mutate_jump(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let Some(statement) = statement_of_plain_jump(tree, node) else { return };
    let is_break = node.kind() == tree.dialect().jumps[0];
    let end = if tree.language == SourceLanguage::Python { "" } else { ";" };
    let other = format!("{}{end}", if is_break { "continue" } else { "break" });
    mutants.push(tree.replace_statement(MutationOperator::Jump, statement, ""));
    if !is_break || !is_inside_switch(tree, node) {
        mutants.push(tree.replace_statement(MutationOperator::Jump, statement, &other));
    }
}

/// Leaves out a `return` without a value.
fn leave_out_return(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    Some(tree.replace_statement(MutationOperator::Jump, statement_of_plain_jump(tree, node)?, ""))
}

/// Returns the statement of a jump without a label or a value, unless it ends a `case`.
fn statement_of_plain_jump<'t>(tree: &SourceTree<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let parent = tree.parent_of(node)?;
    let is_plain = node.named_child_count() == 0 && parent.kind() != "case_statement";
    match tree.language {
        SourceLanguage::Rust => (is_plain && parent.kind() == "expression_statement").then_some(parent),
        _ => is_plain.then_some(node),
    }
}

/// Returns true if a `break` may end a `switch` rather than a loop.
fn is_inside_switch(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let mut above = tree.parent_of(node);
    while let Some(parent) = above.filter(|parent| !tree.dialect().loops.contains(&parent.kind())) {
        if parent.kind().starts_with("switch") {
            return true;
        }
        above = tree.parent_of(parent);
    }
    false
}

/// Ends a loop after its first round.
fn end_early(tree: &SourceTree<'_>, block: Node<'_>) -> Option<Mutant> {
    let parent = tree.parent_of(block)?;
    let is_body = tree.dialect().loops.contains(&parent.kind()) && parent.child_by_field_name("body") == Some(block);
    let last = block.named_child(block.named_child_count().checked_sub(1)?)?;
    // Behind a jump, nothing is executed.
    let is_left = last.kind().starts_with("return") || tree.dialect().jumps.contains(&last.kind());
    if !is_body || is_left || last.is_extra() || last.has_error() {
        return None;
    }
    let (replacement, form) = match tree.language {
        // A line of its own, with the indentation of the statement before.
        SourceLanguage::Python => {
            let indentation = " ".repeat(block.start_position().column);
            (format!("\n{indentation}break"), MutantForm::Declaration)
        }
        _ => ("break;".to_owned(), MutantForm::Insertion),
    };
    let place = last.end_position();
    Some(Mutant {
        operator: MutationOperator::Jump,
        language: tree.language,
        line: place.row + 1,
        column: place.column + 1,
        range: last.end_byte()..last.end_byte(),
        replacement,
        form,
    })
}

/// Returns true if a statement gives a variable a value that does not depend on others.
fn is_reset(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    let Some(inner) = node.named_child(0) else { return false };
    let is_assignment = match inner.kind() {
        "assignment_expression" => tree.language == SourceLanguage::Rust || tree.field_text(inner, "operator") == "=",
        // In Python the first assignment is the declaration, and a variable without it fails at once.
        "assignment" => is_assigned_before(tree, inner),
        _ => return RESETS.contains(&tree.called_name(inner)),
    };
    let value = inner.child_by_field_name("right").map_or("", |right| right.kind());
    is_assignment && INITIAL_VALUES.contains(&value)
}

/// Returns true if the text before an assignment in Python assigns to the same name.
fn is_assigned_before(tree: &SourceTree<'_>, assignment: Node<'_>) -> bool {
    let name = tree.field_text(assignment, "left");
    tree.count_steps(assignment.start_byte() / TEXT_STEP);
    let before = tree.source[..assignment.start_byte()].lines();
    before.filter_map(|line| line.trim_start().strip_prefix(name)).any(|rest| rest.trim_start().starts_with('='))
}
