//! The names of constraints that are written like calls, `distinct(a)`, and of folds.

use crate::language::vocabulary::{WordPlace, names_in};
use crate::model::{ComparisonOperator, FoldKind, NumberFunction};

/// The predicates about order, with the comparison of consecutive numbers.
pub(super) const ORDER_PREDICATES: &[(&str, ComparisonOperator)] = &[
    ("sorted", ComparisonOperator::LessEqual),
    ("increasing", ComparisonOperator::Less),
    ("nondecreasing", ComparisonOperator::LessEqual),
    ("decreasing", ComparisonOperator::Greater),
    ("nonincreasing", ComparisonOperator::GreaterEqual),
];

/// A function that is 1 or 0, and a constraint if it is not compared with anything.
pub(super) const PRIME: &str = NumberFunction::Prime.name();

/// A predicate that is also a function, the number of different values, if it is compared with anything.
pub(super) const DISTINCT: &str = "distinct";

pub(super) fn is_predicate(name: &str) -> bool {
    names_in(WordPlace::Predicate).any(|known| known == name)
}

/// Returns the fold of a function, except for `count`, which depends on its argument.
pub(super) fn fold_named(function: &str) -> Option<FoldKind> {
    Some(match function {
        "sum" => FoldKind::Sum,
        "gcd" => FoldKind::Gcd,
        "xor" => FoldKind::Xor,
        "min" => FoldKind::Min,
        "max" => FoldKind::Max,
        DISTINCT => FoldKind::Distinct,
        "inversions" => FoldKind::Inversions,
        "cycles" => FoldKind::Cycles,
        _ => return None,
    })
}
