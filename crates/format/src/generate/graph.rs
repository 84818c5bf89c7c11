//! Blocks of edges and blocks in sorted order: the possible values of an instance depend on the whole list.

use super::GenerationError;
use super::budget::compare_with_constant;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use crate::constraints::graph_requirements;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldId, FoldRange, Format, GraphConstraint, GraphProperty,
    OrderConstraint, evaluate_range,
};
use crate::value::{self, Value, ValueScope};
use rebut_generators::{GRAPH_SHAPES, GraphShape};

/// The edges that become the instances of a block.
#[derive(Debug)]
pub(super) struct EdgeList {
    fields: (FieldId, FieldId),
    /// The number of the first vertex in the input.
    pub(super) first_vertex: i128,
    pub(super) vertex_count: usize,
    /// The endpoints of each edge, counted from 0.
    pub(super) pairs: Vec<(usize, usize)>,
}

impl EdgeList {
    /// Returns the required values of the `i`-th instance.
    pub(super) fn instance_limits(&self, i: usize) -> Vec<Comparison> {
        let Some((u, v)) = self.pairs.get(i) else { return Vec::new() };
        let is = |field, vertex: usize| {
            let number = self.first_vertex + vertex as i128;
            compare_with_constant(&Expr::Field(field), ComparisonOperator::Equal, number)
        };
        vec![is(self.fields.0, *u), is(self.fields.1, *v)]
    }
}

impl InstanceGenerator<'_, '_> {
    /// Draws the edges, if the instances of a block are edges.
    pub(super) fn draw_edges(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
    ) -> Result<Option<EdgeList>, GenerationError> {
        let Some(rule) = self.plan.format.edge_graph(child) else { return Ok(None) };
        let end = |expr| value::evaluate_number(expr, holder).ok();
        let (Some(first), Some(last)) = (end(&rule.vertices.0), end(&rule.vertices.1)) else {
            return Err(GenerationError {
                constraint: None,
                too_large: None,
                message: "the number of vertices of a graph is not known".to_owned(),
            });
        };
        let vertices = usize::try_from(last - first + 1).unwrap_or(0);
        let shape = self.choose_graph_shape(rule);
        self.record_used_shape(shape.name);
        let pairs = shape.draw_edges(self.choices, &graph_requirements(rule, vertices, count));
        Ok(rule.line_edges().map(|(_, fields)| EdgeList { fields, first_vertex: first, vertex_count: vertices, pairs }))
    }

    pub(super) fn choose_graph_shape(&mut self, rule: &GraphConstraint) -> &'static GraphShape {
        let named = |name: &str| GRAPH_SHAPES.iter().find(|shape| shape.name == name);
        let forced = if rule.has_property(GraphProperty::Path) {
            named("path")
        } else if rule.has_property(GraphProperty::Star) {
            named("star")
        } else {
            None
        };
        forced.unwrap_or_else(|| self.swarm.pick_graph_shape(self.choices))
    }
}

/// Returns the limits that the order of a block's instances puts on the next one: it follows `earlier`, and
/// leaves values for the `after` instances that come later.
pub(super) fn order_limits(
    format: &Format,
    child: BlockId,
    holder: &ValueScope<'_>,
    earlier: Option<&[Value]>,
    after: usize,
) -> Vec<Comparison> {
    let orders = format.constraints.iter().filter_map(|constraint| constraint.rule.order());
    let orders = orders.filter(|order| order.over == FoldRange::Instances(child));
    let limits_of = |order: &OrderConstraint| {
        let before = earlier.and_then(|e| value::evaluate_number(&order.expr, &holder.for_instance(child, e)).ok());
        order.instance_limits(before, evaluate_range(&order.expr, &PartialRanges { scope: holder }), after as i128)
    };
    orders.flat_map(limits_of).collect()
}
