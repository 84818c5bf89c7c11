//! The ways in which a constraint can be violated.

use super::breach_names;
use crate::language::{
    ArithmeticOperator, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, Format, GraphConstraint,
    GraphEdges, GraphProperty,
};

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
    let breaches_of = |constraint| {
        breach_variants(format, &format.constraints[constraint]).into_iter().map(move |(name, must_break, may_hold)| {
            ConstraintBreach {
                constraint,
                name,
                must_break,
                is_implied: is_implied_by_other(format, constraint),
                may_hold,
            }
        })
    };
    (0..format.constraints.len()).flat_map(breaches_of).collect()
}

/// Returns true for bounds that are implied by another constraint in the same line: those of the ends and numbers of
/// edges by a graph.
fn is_implied_by_other(format: &Format, constraint: usize) -> bool {
    let own = &format.constraints[constraint];
    !own.rule.implies_bounds() && format.constraints.iter().any(|c| c.rule.implies_bounds() && c.span == own.span)
}

type BreachVariant = (String, Constraint, Vec<Constraint>);

fn breach_variants(format: &Format, constraint: &Constraint) -> Vec<BreachVariant> {
    let with = |rule: ConstraintRule| Constraint { rule, ..constraint.clone() };
    match &constraint.rule {
        ConstraintRule::Compare(comparison)
            if comparison.sign == ComparisonOperator::Equal && comparison.left.len() == 1 =>
        {
            let side = |sign| {
                let half = Comparison { sign, ..comparison.clone() };
                let near = minimal_violation_rule(&half).map(with).into_iter().collect();
                (breach_names::comparison_breach_name(format, &half), with(ConstraintRule::Compare(half)), near)
            };
            vec![side(ComparisonOperator::LessEqual), side(ComparisonOperator::GreaterEqual)]
        }
        ConstraintRule::Graph(rule) => graph_breach_variants(format, rule, &with),
        ConstraintRule::Compare(comparison) => {
            let near = minimal_violation_rule(comparison).map(with).into_iter().collect();
            vec![(breach_names::constraint_breach_name(format, constraint), constraint.clone(), near)]
        }
        _ => vec![(breach_names::constraint_breach_name(format, constraint), constraint.clone(), Vec::new())],
    }
}

/// Returns the condition that the sides differ by no more than a violation needs.
fn minimal_violation_rule(comparison: &Comparison) -> Option<ConstraintRule> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let off = |operator| Expr::Binary(operator, Box::new(right.clone()), Box::new(Expr::Constant(1)));
    let (sign, right) = match comparison.sign {
        ComparisonOperator::LessEqual => (ComparisonOperator::LessEqual, off(ArithmeticOperator::Add)),
        ComparisonOperator::GreaterEqual => (ComparisonOperator::GreaterEqual, off(ArithmeticOperator::Subtract)),
        ComparisonOperator::Less => (ComparisonOperator::LessEqual, right.clone()),
        ComparisonOperator::Greater => (ComparisonOperator::GreaterEqual, right.clone()),
        ComparisonOperator::Equal | ComparisonOperator::NotEqual => return None,
    };
    Some(ConstraintRule::Compare(Comparison {
        decimals: comparison.decimals,
        ..Comparison::new(left.clone(), sign, right)
    }))
}

/// Each property of a graph is a variant of its own; a tree consists of several.
fn graph_breach_variants(
    format: &Format,
    rule: &GraphConstraint,
    with: &dyn Fn(ConstraintRule) -> Constraint,
) -> Vec<BreachVariant> {
    let directed = rule.has_property(GraphProperty::Directed).then_some(GraphProperty::Directed);
    let graph = |properties: &[GraphProperty]| {
        let properties = directed.iter().chain(properties).copied().collect();
        with(ConstraintRule::Graph(GraphConstraint { properties, ..rule.clone() }))
    };
    let name = breach_names::edges_name(format, rule);
    let parts: Vec<GraphProperty> = breakable_properties(rule);
    let mut found = Vec::new();
    for part in &parts {
        let others: Vec<GraphProperty> =
            parts.iter().copied().filter(|other| other != part && !also_breaks(*part, *other)).collect();
        let plain = |a: &GraphProperty| matches!(a, GraphProperty::Loopless | GraphProperty::Simple);
        let basic: Vec<GraphProperty> = others.iter().copied().filter(plain).collect();
        let mut may_hold: Vec<Vec<GraphProperty>> = vec![others, basic];
        may_hold.dedup();
        may_hold.retain(|properties| !properties.is_empty());
        let may_hold = may_hold.iter().map(|properties| graph(properties)).collect();
        found.push((format!("{name}-{}", property_breach_name(*part, rule)), graph(&[*part]), may_hold));
    }
    found
}

/// Returns true if violating one property implies violating the other.
fn also_breaks(broken: GraphProperty, other: GraphProperty) -> bool {
    use GraphProperty::{Acyclic, Bipartite, Loopless, Path, Simple, Star};
    match broken {
        Loopless => matches!(other, Simple | Acyclic | Bipartite),
        Simple | Bipartite => other == Acyclic,
        Path | Star => matches!(other, Path | Star),
        _ => false,
    }
}

/// Returns the properties that can be violated one by one. An acyclic graph has no loops and, if undirected, no
/// parallel edges.
fn breakable_properties(rule: &GraphConstraint) -> Vec<GraphProperty> {
    use GraphProperty::{Acyclic, Bipartite, Connected, Directed, Loopless, Path, Simple, Star};
    let requires = |property: &GraphProperty| match property {
        Loopless => rule.has_property(Loopless) || rule.has_property(Acyclic),
        Simple => {
            rule.has_property(Simple)
                || rule.has_property(Acyclic) && !rule.has_property(Directed) && rule.line_edges().is_some()
        }
        other => rule.has_property(*other),
    };
    let mut parts: Vec<GraphProperty> =
        [Loopless, Simple, Connected, Acyclic, Bipartite].into_iter().filter(requires).collect();
    parts.extend([Path, Star].into_iter().filter(|a| rule.properties.contains(a)));
    parts
}

fn property_breach_name(broken: GraphProperty, rule: &GraphConstraint) -> &'static str {
    match broken {
        GraphProperty::Loopless => "loop",
        GraphProperty::Simple => "doubled",
        GraphProperty::Connected | GraphProperty::Tree => "not-connected",
        GraphProperty::Acyclic if matches!(rule.edges, GraphEdges::Parents { .. }) => "circle-of-parents",
        GraphProperty::Acyclic | GraphProperty::Directed => "cycle",
        GraphProperty::Bipartite => "odd-cycle",
        GraphProperty::Path => "branch",
        GraphProperty::Star => "no-centre",
    }
}
