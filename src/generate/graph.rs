//! Blocks whose instances are the edges of a graph, and blocks whose instances are in order: what an instance may be is
//! decided by the whole list.

use super::Failure;
use super::instance::Maker;
use super::live::Live;
use crate::format::{
    Adjective, BlockId, Comparison, Expr, FieldId, Format, GraphRule, Interval, Over, Rule, Sign, bounds_of,
};
use crate::validate::graph;
use crate::value::{self, Scope, Value};
use rebut_generators::{GRAPH_SHAPES, GraphShape};

/// The edges that the instances of a block are to be.
#[derive(Debug)]
pub(super) struct Edges {
    fields: (FieldId, FieldId),
    /// The number of the first vertex in the input.
    pub(super) first: i128,
    pub(super) vertices: usize,
    /// The ends of each, counted from 0.
    pub(super) pairs: Vec<(usize, usize)>,
}

impl Edges {
    /// What the `i`-th instance must be.
    pub(super) fn limits(&self, i: usize) -> Vec<Comparison> {
        let Some((u, v)) = self.pairs.get(i) else { return Vec::new() };
        let is = |field, vertex: usize| {
            Comparison::new(Expr::Field(field), Sign::Equal, Expr::Constant(self.first + vertex as i128))
        };
        vec![is(self.fields.0, *u), is(self.fields.1, *v)]
    }
}

impl Maker<'_, '_> {
    /// The edges, if the instances of a block are edges.
    pub(super) fn edges(&mut self, child: BlockId, count: usize, holder: &Scope<'_>) -> Result<Option<Edges>, Failure> {
        let Some(rule) = self.plan.graph(child) else { return Ok(None) };
        let end = |expr| value::number(expr, holder).ok();
        let (Some(first), Some(last)) = (end(&rule.vertices.0), end(&rule.vertices.1)) else {
            return Err(Failure { constraint: None, message: "the vertices of a graph are not known".to_owned() });
        };
        let vertices = usize::try_from(last - first + 1).unwrap_or(0);
        let shape = self.graph_shape(rule);
        self.use_shape(shape.name);
        let pairs = shape.make(self.choices, &graph(rule, vertices, count));
        Ok(rule.lines().map(|(_, fields)| Edges { fields, first, vertices, pairs }))
    }

    pub(super) fn graph_shape(&mut self, rule: &GraphRule) -> &'static GraphShape {
        let named = |name: &str| GRAPH_SHAPES.iter().find(|shape| shape.name == name);
        let forced = if rule.is(Adjective::Path) {
            named("path")
        } else if rule.is(Adjective::Star) {
            named("star")
        } else {
            None
        };
        forced.unwrap_or_else(|| self.swarm.graphs(self.choices))
    }
}

/// What the order of a block's instances asks of the `i`-th of `count`, after `earlier`: to follow the one before it,
/// and to leave room for those that come after.
pub(super) fn order_limits(
    format: &Format,
    child: BlockId,
    holder: &Scope<'_>,
    earlier: Option<&[Value]>,
    after: usize,
) -> Vec<Comparison> {
    let mut limits = Vec::new();
    for constraint in &format.constraints {
        let Rule::Ordered(expr, sign, Over::Instances(block)) = &constraint.rule else { continue };
        if *block != child {
            continue;
        }
        let compare = |sign, right| Comparison::new(expr.clone(), sign, Expr::Constant(right));
        let before = earlier.and_then(|e| value::number(expr, &holder.inner(child, e)).ok());
        limits.extend(before.map(|before| compare(sign.mirrored(), before)));
        let range: Interval = bounds_of(expr, &Live { scope: holder });
        match sign {
            Sign::Less => limits.push(compare(Sign::LessEqual, range.hi - after as i128)),
            Sign::Greater => limits.push(compare(Sign::GreaterEqual, range.lo + after as i128)),
            _ => {}
        }
    }
    limits
}
