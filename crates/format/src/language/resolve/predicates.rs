//! The names of constraints that are written like calls: `distinct(a)`.

use crate::constraints::TEXT_PROPERTIES;
use crate::model::{ComparisonOperator, NumberFunction};

/// The predicates about order, with the comparison of consecutive numbers.
pub(super) const ORDER_PREDICATES: &[(&str, ComparisonOperator)] = &[
    ("sorted", ComparisonOperator::LessEqual),
    ("increasing", ComparisonOperator::Less),
    ("nondecreasing", ComparisonOperator::LessEqual),
    ("decreasing", ComparisonOperator::Greater),
    ("nonincreasing", ComparisonOperator::GreaterEqual),
];

/// The predicates that are not properties of texts.
const PREDICATES: &[&str] =
    &["distinct", "symmetric", "sorted", "increasing", "nondecreasing", "decreasing", "nonincreasing"];

/// A function that is 1 or 0, and a constraint if it is not compared with anything.
pub(super) const PRIME: &str = NumberFunction::Prime.name();

/// Returns the names of all predicates, such as `distinct`.
pub fn predicate_names() -> impl Iterator<Item = &'static str> {
    PREDICATES.iter().copied().chain(TEXT_PROPERTIES.iter().map(|property| property.name()))
}

pub(super) fn is_predicate(name: &str) -> bool {
    predicate_names().any(|known| known == name)
}
