//! Sequences in the wrong order: sorting the other way round or not at all, and tables of directions with a wrong sign.

use super::source_tree::SourceTree;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
use tree_sitter::Node;

/// Adds the mutants of a call that sorts, or of a table of directions.
pub(super) fn mutate_order(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    let dialect = tree.dialect();
    if node.kind() == dialect.call {
        mutants.extend(mutate_sorting(tree, node));
        mutants.extend(reverse_comparison(tree, node));
    } else if node.kind() == "template_type" {
        mutants.extend(swap_function_object(tree, node));
    } else if is_negated_key(tree, node) {
        mutants.extend(node.child_by_field_name("argument").map(|key| {
            let key = tree.node_text(key).to_owned();
            tree.replace_expression(MutationOperator::SortOrder, node, key)
        }));
    } else if dialect.lists.contains(&node.kind()) {
        mutate_directions(tree, node, mutants);
    }
}

/// Returns true if this is the order that `greater` stands for.
fn is_descending(order: &str) -> bool {
    let order = order.trim_start_matches("std::");
    order.starts_with("greater<") && order.ends_with(['}', ')'])
}

fn mutate_sorting(tree: &SourceTree<'_>, call: Node<'_>) -> Option<Mutant> {
    let name = tree.called_name(call);
    if !matches!(name, "sort" | "stable_sort" | "sorted" | "sort_unstable") {
        return None;
    }
    let arguments = tree.arguments_of(call);
    let head = &tree.source[call.start_byte()..call.child_by_field_name("arguments")?.start_byte()];
    let replaced = |text: String| Some(tree.replace_expression(MutationOperator::SortOrder, call, text));
    match (tree.language, arguments.as_slice()) {
        (SourceLanguage::Cpp, [first, last]) => {
            let (first, last) = (tree.node_text(*first), tree.node_text(*last));
            // Without the name of a type or a header: what is sorted has a `<`.
            let greater = "[](const auto&rebut_a,const auto&rebut_b){return rebut_b<rebut_a;}";
            replaced(format!("{head}({first}, {last}, {greater})"))
        }
        (SourceLanguage::Cpp, [first, last, order]) if is_descending(tree.node_text(*order)) => {
            replaced(format!("{head}({}, {})", tree.node_text(*first), tree.node_text(*last)))
        }
        (SourceLanguage::Python, all) => {
            let texts: Vec<&str> = all.iter().map(|argument| tree.node_text(*argument)).collect();
            match texts.iter().position(|text| text.starts_with("reverse")) {
                Some(at) => {
                    let kept: Vec<&str> = [&texts[..at], &texts[at + 1..]].concat();
                    replaced(format!("{head}({})", kept.join(", ")))
                }
                None => replaced(format!("{head}({})", [texts.as_slice(), &["reverse=True"]].concat().join(", "))),
            }
        }
        (SourceLanguage::Rust, []) => replaced(format!("{head}_by(|rebut_a, rebut_b| rebut_b.cmp(rebut_a))")),
        (SourceLanguage::Java, _) => {
            let statement = tree.parent_of(call).filter(|parent| parent.kind() == "expression_statement")?;
            Some(tree.replace_statement(MutationOperator::SortOrder, statement, ""))
        }
        _ => None,
    }
}

/// Reverses what a call that compares two values returns: `a.cmp(&b)` in Rust, `Integer.compare(a, b)` in Java.
fn reverse_comparison(tree: &SourceTree<'_>, call: Node<'_>) -> Option<Mutant> {
    let text = tree.node_text(call);
    let reversed = match (tree.language, tree.called_name(call)) {
        (SourceLanguage::Rust, "cmp" | "total_cmp") => format!("{text}.reverse()"),
        (SourceLanguage::Java, "compare" | "compareTo") => format!("-{text}"),
        _ => return None,
    };
    Some(tree.replace_expression(MutationOperator::SortOrder, call, reversed))
}

/// Takes `greater` for `less` in C++, and the other way round, where it is the type of a parameter:
/// `priority_queue<int, vector<int>, greater<int>>`.
fn swap_function_object(tree: &SourceTree<'_>, node: Node<'_>) -> Option<Mutant> {
    let name = node.child_by_field_name("name")?;
    let other = match tree.node_text(name) {
        "greater" => "less",
        "less" => "greater",
        _ => return None,
    };
    Some(tree.replace_node(MutationOperator::SortOrder, name, other.to_owned(), MutantForm::Declaration))
}

/// Returns true if this is a negative key of a sequence in Python: `key=lambda x: -x`.
fn is_negated_key(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    tree.language == SourceLanguage::Python
        && node.kind() == "unary_operator"
        && tree.field_text(node, "operator") == "-"
        && tree.is_inside(node, &["lambda"])
}

/// Changes the sign of each direction in a table: a list of at least two numbers that are all -1, 0 or 1.
fn mutate_directions(tree: &SourceTree<'_>, list: Node<'_>, mutants: &mut Vec<Mutant>) {
    let mut cursor = list.walk();
    let elements: Vec<Node<'_>> = list.named_children(&mut cursor).filter(|element| !element.is_extra()).collect();
    let is_direction = |element: &Node<'_>| matches!(tree.node_text(*element), "-1" | "0" | "1");
    let has_negative = elements.iter().any(|element| tree.node_text(*element) == "-1");
    if elements.len() < 2 || !has_negative || !elements.iter().all(is_direction) {
        return;
    }
    for element in elements {
        let other = match tree.node_text(element) {
            "1" => "-1",
            "-1" => "1",
            _ => continue,
        };
        mutants.push(tree.replace_expression(MutationOperator::Direction, element, other.to_owned()));
    }
}
