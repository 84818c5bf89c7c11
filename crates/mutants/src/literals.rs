//! Numbers that are wrong by one, arrays that are too small, bounds that are those of another number, and moduli and
//! tolerances of another problem.

use super::source_tree::SourceTree;
use super::{Mutant, MutationOperator, SourceLanguage};
use tree_sitter::Node;

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
