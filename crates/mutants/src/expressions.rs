//! Wrong comparisons, arithmetic operators and loop bounds, and terms of conditions that are left out.

use super::source_tree::SourceTree;
use super::{Mutant, MutantForm, MutationOperator, SourceLanguage};
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
pub(super) fn is_loop_condition(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    tree.parent_of(node).is_some_and(|parent| {
        tree.dialect().counting_loops.contains(&parent.kind()) && parent.child_by_field_name("condition") == Some(node)
    })
}

// Numbers that are wrong by one, arrays that are too small, bounds that are those of another number, and moduli and
// tolerances of another problem.

/// Smallest number that is also halved where it may be the size of an array.
const MIN_HALVED: i128 = 16;

/// Smallest power of ten that is also replaced by the one below: it may be an infinity or a bound.
const MIN_POWER: i128 = 100_000;

/// Smallest bound of the input that a number is taken for.
const MIN_BOUND: i128 = 16;

/// Arrays are larger than the bound of their size by at most so many elements.
const MAX_SURPLUS: i128 = 16;

/// Moduli that are taken for each other.
const MODULI: [i128; 3] = [1_000_000_007, 1_000_000_009, 998_244_353];

/// By so many powers of ten a tolerance is wrong.
const TOLERANCE_STEP: i32 = 3;

/// Adds the mutants of a number.
pub(super) fn mutate_literal(tree: &SourceTree<'_>, node: Node<'_>, bounds: &[i128], mutants: &mut Vec<Mutant>) {
    let dialect = tree.dialect();
    let is_integer = dialect.integers.contains(&node.kind());
    if !is_integer && !dialect.reals.contains(&node.kind()) {
        return;
    }
    if let Some(tuple) = tree.parent_of(node).filter(|parent| parent.kind() == "field_expression") {
        return mutants.extend(replace_tuple_field(tree, tuple, node));
    }
    let text = tree.node_text(node).replace('_', "");
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let is_whole = is_suffix(tree.language, suffix) && (number.len() == 1 || !number.starts_with('0'));
    let replacements = match number.parse::<i128>() {
        Ok(value) if is_whole => {
            let mut others = whole_neighbours(value, is_unsigned(tree, suffix), takes_bound(tree, node));
            others.extend(other_bound(value, bounds).filter(|other| !others.contains(other)));
            others
        }
        _ => {
            let tolerances = real_neighbours(&text).into_iter();
            let add = |text| mutants.push(tree.replace_expression(MutationOperator::Literal, node, text));
            return tolerances.for_each(add);
        }
    };
    for value in replacements {
        let text = if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") };
        mutants.push(tree.replace_expression(MutationOperator::Literal, node, text));
    }
    if let Some(narrow) = narrow_suffix(tree.language, suffix)
        && i32::try_from(number.parse::<i128>().unwrap_or(i128::MAX)).is_ok()
    {
        let text = format!("{number}{narrow}");
        mutants.push(tree.replace_expression(MutationOperator::Type, node, text));
    }
}

/// Takes the second field of a tuple in Rust for the first, and the other way round.
fn replace_tuple_field(tree: &SourceTree<'_>, tuple: Node<'_>, field: Node<'_>) -> Option<Mutant> {
    let other = match tree.node_text(field) {
        "0" => "1",
        "1" => "0",
        _ => return None,
    };
    let value = &tree.source[tuple.start_byte()..field.start_byte()];
    Some(tree.replace_expression(MutationOperator::Name, tuple, format!("{value}{other}")))
}

/// Returns true if this is the suffix of a whole number, or none.
fn is_suffix(language: SourceLanguage, suffix: &str) -> bool {
    match language {
        SourceLanguage::Cpp => suffix.chars().all(|c| "uUlL".contains(c)),
        SourceLanguage::Java => matches!(suffix, "" | "l" | "L"),
        SourceLanguage::Python => suffix.is_empty(),
        SourceLanguage::Rust => suffix.is_empty() || suffix.starts_with(['i', 'u']),
    }
}

/// Returns true if a negative number may have no meaning. In Rust the compiler refuses it.
fn is_unsigned(tree: &SourceTree<'_>, suffix: &str) -> bool {
    tree.language == SourceLanguage::Rust || suffix.contains(['u', 'U'])
}

/// Returns true if a number may be a size or a constant: a larger one is no mistake there.
fn takes_bound(tree: &SourceTree<'_>, node: Node<'_>) -> bool {
    tree.is_size(node) || tree.is_constant(node) && !tree.is_inside(node, &["switch_label", "match_pattern"])
}

/// Returns the numbers that people write in place of a number.
fn whole_neighbours(value: i128, is_unsigned: bool, is_bound: bool) -> Vec<i128> {
    if let Some(at) = MODULI.iter().position(|modulus| *modulus == value) {
        return vec![MODULI[(at + 1) % MODULI.len()], value - 1];
    }
    let mut others = Vec::new();
    if is_bound {
        others.extend((value >= MIN_HALVED).then_some(value / 2));
        others.extend((value > 1).then_some(value - 1));
        return others;
    }
    others.push(value + 1);
    if value > 0 || !is_unsigned {
        others.push(value - 1);
    }
    let is_power = |value: i128| value.to_string().trim_end_matches('0') == "1";
    if value >= MIN_POWER && is_power(value) {
        others.push(value / 10);
    }
    others
}

/// Returns the number that belongs to the next smaller bound of the input, if this one belongs to a bound: where `n` is at
/// most 200000 and `m` at most 1000, an array of 200005 becomes one of 1005.
fn other_bound(value: i128, bounds: &[i128]) -> Option<i128> {
    let belongs = |bound: &&i128| **bound >= MIN_BOUND && (0..=MAX_SURPLUS).contains(&(value - **bound));
    let own = bounds.iter().filter(belongs).max()?;
    let other = bounds.iter().filter(|bound| **bound >= MIN_BOUND && *bound < own).max()?;
    Some(other + (value - own))
}

/// Returns numbers in place of a tolerance or an infinity: `1e-9`, `1e9` or `0.000001`.
fn real_neighbours(text: &str) -> Vec<String> {
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E'])
        && let Ok(exponent) = exponent.parse::<i32>()
    {
        let step = if exponent < 0 { TOLERANCE_STEP } else { 1 };
        return [exponent + step, exponent - step].map(|exponent| format!("{mantissa}e{exponent}")).into();
    }
    let zeros = text.strip_prefix("0.").map_or(0, |digits| digits.len() - digits.trim_start_matches('0').len());
    match zeros {
        3.. => vec![text.replacen("000", "", 1), text.replacen("0.", "0.000", 1)],
        _ => Vec::new(),
    }
}

/// Returns the suffix of a narrower type: `1LL * a * b` is computed in 64 bits, and `1 * a * b` is not.
fn narrow_suffix(language: SourceLanguage, suffix: &str) -> Option<&'static str> {
    match (language, suffix) {
        (SourceLanguage::Cpp, "ll" | "LL") | (SourceLanguage::Java, "l" | "L") => Some(""),
        (SourceLanguage::Cpp, "ull" | "ULL" | "uLL" | "Ull") => Some("u"),
        _ => None,
    }
}

// Sequences in the wrong order: sorting the other way round or not at all, and tables of directions with a wrong sign.

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
