//! The ways in which a constraint can be violated.

use crate::constraints::{BreachNames, RuleBreach};
use crate::language::{Constraint, ConstraintRule, Format};

/// One way to violate one constraint.
#[derive(Clone, Debug)]
pub(super) struct ConstraintBreach {
    /// Index of the constraint in its format.
    pub(super) constraint: usize,
    /// Name of the input.
    pub(super) name: String,
    /// The condition to violate: the constraint itself, or a part of it.
    pub(super) must_break: Constraint,
    /// Whether the constraint is not written in the format, but implied by another one.
    pub(super) is_implied: bool,
    /// Constraints that distinguish this way from the others: the first of these that can hold should hold.
    pub(super) may_hold: Vec<Constraint>,
}

/// Returns all ways to violate the constraints of a format, in the order of the format.
pub(super) fn list_breaches(format: &Format) -> Vec<ConstraintBreach> {
    let breaches_of = |i: usize| {
        let constraint = &format.constraints[i];
        let names = BreachNames::new(format, constraint);
        let whole =
            || RuleBreach { name: names.constraint_name(), must_break: constraint.rule.clone(), may_hold: Vec::new() };
        let with = move |rule: ConstraintRule| Constraint { rule, ..constraint.clone() };
        constraint.rule.kind().breaches(&names).unwrap_or_else(|| vec![whole()]).into_iter().map(move |breach| {
            ConstraintBreach {
                constraint: i,
                name: breach.name,
                must_break: with(breach.must_break),
                is_implied: is_implied_by_other(format, i),
                may_hold: breach.may_hold.into_iter().map(with).collect(),
            }
        })
    };
    (0..format.constraints.len()).flat_map(breaches_of).collect()
}

/// Returns true for bounds that are implied by another constraint in the same line: those of the ends and numbers of
/// edges by a graph.
fn is_implied_by_other(format: &Format, constraint: usize) -> bool {
    let own = &format.constraints[constraint];
    let implies = |constraint: &Constraint| constraint.rule.kind().implies_bounds();
    !implies(own) && format.constraints.iter().any(|c| implies(c) && c.span == own.span)
}
