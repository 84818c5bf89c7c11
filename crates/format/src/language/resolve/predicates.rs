//! The names of constraints that are written like calls: `distinct(a)`.

use crate::language::vocabulary::{WordPlace, names_in};
use crate::model::{ComparisonOperator, NumberFunction};

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
