//! The ways in which each constraint can be broken.

use super::names;
use crate::format::{Adjective, Comparison, Constraint, Edges, Expr, Format, GraphRule, Operator, Rule, Sign};

/// One way to break one constraint.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    /// The constraint's number in its format.
    pub(super) constraint: usize,
    /// What the input is called.
    pub(super) name: String,
    /// What must be broken: the constraint itself, or the part of it that is meant.
    pub(super) must_break: Constraint,
    /// Whether the format does not write it, but means it by saying something else.
    pub(super) is_implicit: bool,
    /// What should hold besides, so that this way is told from the others: the first of these that can.
    pub(super) may_hold: Vec<Constraint>,
}

/// All ways to break a format's constraints, in the order of the format.
pub(super) fn breaches(format: &Format) -> Vec<Breach> {
    let of = |constraint| {
        faces(format, &format.constraints[constraint]).into_iter().map(move |(name, must_break, may_hold)| Breach {
            constraint,
            name,
            must_break,
            is_implicit: is_implicit(format, constraint),
            may_hold,
        })
    };
    (0..format.constraints.len()).flat_map(of).collect()
}

/// What edges mean for their ends and their number is said by the line of the edges.
fn is_implicit(format: &Format, constraint: usize) -> bool {
    let is_graph = |c: &Constraint| matches!(c.rule, Rule::Graph(_));
    let own = &format.constraints[constraint];
    !is_graph(own) && format.constraints.iter().any(|c| is_graph(c) && c.span == own.span)
}

type Face = (String, Constraint, Vec<Constraint>);

fn faces(format: &Format, constraint: &Constraint) -> Vec<Face> {
    let with = |rule: Rule| Constraint { rule, ..constraint.clone() };
    match &constraint.rule {
        Rule::Compare(comparison) if comparison.sign == Sign::Equal && comparison.left.len() == 1 => {
            let side = |sign| {
                let half = Comparison { sign, ..comparison.clone() };
                let near = near(&half).map(with).into_iter().collect();
                (names::comparison(format, &half), with(Rule::Compare(half)), near)
            };
            vec![side(Sign::LessEqual), side(Sign::GreaterEqual)]
        }
        Rule::Graph(rule) => graph_faces(format, rule, &with),
        Rule::Compare(comparison) => {
            let near = near(comparison).map(with).into_iter().collect();
            vec![(names::constraint(format, constraint), constraint.clone(), near)]
        }
        _ => vec![(names::constraint(format, constraint), constraint.clone(), Vec::new())],
    }
}

/// That the sides are no further from each other than it takes to break their comparison.
fn near(comparison: &Comparison) -> Option<Rule> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let off = |operator| Expr::Binary(operator, Box::new(right.clone()), Box::new(Expr::Constant(1)));
    let (sign, right) = match comparison.sign {
        Sign::LessEqual => (Sign::LessEqual, off(Operator::Plus)),
        Sign::GreaterEqual => (Sign::GreaterEqual, off(Operator::Minus)),
        Sign::Less => (Sign::LessEqual, right.clone()),
        Sign::Greater => (Sign::GreaterEqual, right.clone()),
        Sign::Equal | Sign::NotEqual => return None,
    };
    Some(Rule::Compare(Comparison { decimals: comparison.decimals, ..Comparison::new(left.clone(), sign, right) }))
}

/// Each adjective says something of its own; a tree says several things.
fn graph_faces(format: &Format, rule: &GraphRule, with: &dyn Fn(Rule) -> Constraint) -> Vec<Face> {
    let directed = rule.is(Adjective::Directed).then_some(Adjective::Directed);
    let graph = |adjectives: &[Adjective]| {
        let adjectives = directed.iter().chain(adjectives).copied().collect();
        with(Rule::Graph(GraphRule { adjectives, ..rule.clone() }))
    };
    let name = names::edges(format, rule);
    let parts: Vec<Adjective> = parts(rule);
    let mut found = Vec::new();
    for part in &parts {
        let others: Vec<Adjective> =
            parts.iter().copied().filter(|other| other != part && !breaks_too(*part, *other)).collect();
        let plain = |a: &Adjective| matches!(a, Adjective::Loopless | Adjective::Simple);
        let few: Vec<Adjective> = others.iter().copied().filter(plain).collect();
        let mut may_hold: Vec<Vec<Adjective>> = vec![others, few];
        may_hold.dedup();
        may_hold.retain(|adjectives| !adjectives.is_empty());
        let may_hold = may_hold.iter().map(|adjectives| graph(adjectives)).collect();
        found.push((format!("{name}-{}", word(*part, rule)), graph(&[*part]), may_hold));
    }
    found
}

/// Whether what breaks one adjective breaks the other with it.
fn breaks_too(broken: Adjective, other: Adjective) -> bool {
    use Adjective::{Acyclic, Bipartite, Loopless, Path, Simple, Star};
    match broken {
        Loopless => matches!(other, Simple | Acyclic | Bipartite),
        Simple | Bipartite => other == Acyclic,
        Path | Star => matches!(other, Path | Star),
        _ => false,
    }
}

/// The adjectives that can be broken one by one. No cycles means no loops, and without a direction no doubled edges.
fn parts(rule: &GraphRule) -> Vec<Adjective> {
    use Adjective::{Acyclic, Bipartite, Connected, Directed, Loopless, Path, Simple, Star};
    let says = |adjective: &Adjective| match adjective {
        Loopless => rule.is(Loopless) || rule.is(Acyclic),
        Simple => rule.is(Simple) || rule.is(Acyclic) && !rule.is(Directed) && rule.lines().is_some(),
        other => rule.is(*other),
    };
    let mut parts: Vec<Adjective> =
        [Loopless, Simple, Connected, Acyclic, Bipartite].into_iter().filter(says).collect();
    parts.extend([Path, Star].into_iter().filter(|a| rule.adjectives.contains(a)));
    parts
}

fn word(broken: Adjective, rule: &GraphRule) -> &'static str {
    match broken {
        Adjective::Loopless => "loop",
        Adjective::Simple => "doubled",
        Adjective::Connected | Adjective::Tree => "not-connected",
        Adjective::Acyclic if matches!(rule.edges, Edges::Parents { .. }) => "circle-of-parents",
        Adjective::Acyclic | Adjective::Directed => "cycle",
        Adjective::Bipartite => "odd-cycle",
        Adjective::Path => "branch",
        Adjective::Star => "no-centre",
    }
}
