//! Numbers that are wrong by one, and arrays that are too small.

use super::source_tree::SourceTree;
use super::{Mutant, MutationOperator};
use tree_sitter::Node;

/// Smallest number that is also halved where it may be the size of an array.
const MIN_HALVED: i128 = 16;

/// Adds the mutants of a number.
pub(super) fn mutate_literal(tree: &SourceTree<'_>, node: Node<'_>, mutants: &mut Vec<Mutant>) {
    if node.kind() != "number_literal" {
        return;
    }
    let text = tree.node_text(node);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let mut add = |replacement: String| {
        mutants.push(tree.replace_expression(MutationOperator::Literal, node, replacement));
    };
    if !suffix.chars().all(|c| "uUlL".contains(c)) || number.len() > 1 && number.starts_with('0') {
        // A real number, such as 1e-9 or 1e9: ten times as large or as small.
        if let Some((mantissa, exponent)) = text.split_once(['e', 'E'])
            && let Ok(exponent) = exponent.parse::<i32>()
        {
            [exponent + 1, exponent - 1].into_iter().for_each(|exponent| add(format!("{mantissa}e{exponent}")));
        }
        return;
    }
    let Ok(value) = number.parse::<i128>() else { return };
    let spelled = |value: i128| match value {
        ..0 => format!("({value}{suffix})"),
        _ => format!("{value}{suffix}"),
    };
    let is_unsigned = suffix.contains(['u', 'U']);
    if tree.is_constant(node) {
        if value >= MIN_HALVED {
            add(spelled(value / 2));
        }
        if value > 1 {
            add(spelled(value - 1));
        }
        return;
    }
    add(spelled(value + 1));
    if value > 0 || !is_unsigned {
        add(spelled(value - 1));
    }
}
