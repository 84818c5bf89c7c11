//! Graphs that are the worst case of a common algorithm. They are never drawn at random, and keep the numbers of their
//! vertices and the order of their edges, on which the algorithms depend.

use super::graph_plan::GraphPlan;
use super::{GraphRequirements, GraphShape};
use crate::choices::Choices;
use crate::shape_family::Shape;

/// The worst cases among the graph shapes, which are drawn only by name.
pub const WORST_CASE_GRAPH_SHAPES: &[GraphShape] = &[
    Shape::new(
        "anti-recursion",
        "a path in order of its vertices, so that a recursion is as deep as possible",
        plan_path_in_order,
    ),
    Shape::new(
        "anti-union-find",
        "edges at the first vertex in order; quadratic for a union-find structure without path compression",
        plan_star_in_order,
    ),
    Shape::new(
        "anti-spfa",
        "a path, and an edge from the first vertex to each other one; quadratic for SPFA with such weights",
        plan_fan,
    ),
    Shape::new(
        "anti-dijkstra",
        "a hub that is reached in many ways, with many leaves; for a Dijkstra that keeps stale entries",
        plan_hub_behind_ways,
    ),
    Shape::new(
        "anti-spfa-grid",
        "a few rows and many columns, numbered column by column; for SPFA with the weights of this name",
        plan_narrow_grid,
    ),
    Shape::new(
        "anti-dinic",
        "with such weights, the shortest way from the first to the last vertex is one edge longer in each phase",
        plan_ever_longer_ways,
    ),
    Shape::new(
        "anti-matching",
        "a chain, and vertices at its end that find no partner; quadratic for augmenting paths",
        plan_chain_before_leaves,
    ),
];

fn plan_path_in_order(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    let random: Vec<(usize, usize)> = (0..graph.spare_edges())
        .map(|_| (c.draw_index(graph.vertices.div_ceil(8)), c.draw_index(graph.vertices.div_ceil(8))))
        .collect();
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(random).with_order_kept(is_reversed)
}

fn plan_star_in_order(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    GraphPlan::from_parents(graph.vertices, |_| 0).with_order_kept(is_reversed)
}

fn plan_fan(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    let last = graph.vertices.saturating_sub(1);
    let path = (1..last).map(|v| if is_reversed { (v + 1, v) } else { (v, v + 1) }).collect();
    GraphPlan::from_parents(graph.vertices, |_| 0).with_chords(path).with_order_kept(false)
}

/// Ways of two edges lead from the first vertex to the hub, and edges from there to the last vertices. With as many edges on ways
/// as to leaves, the product of the numbers of ways and leaves is largest.
fn plan_hub_behind_ways(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let others = graph.vertices.saturating_sub(2);
    if !graph.connected && !graph.is_forest() {
        let ways = (graph.edges / 4).min(others / 2);
        let leaves = (graph.edges - 2 * ways).min(others - ways);
        let hub = ways + 1;
        let edges = (1..=ways).map(|v| (0, v)).chain((1..=ways).map(|v| (v, hub)));
        let edges = edges.chain((graph.vertices - leaves..graph.vertices).map(|leaf| (hub, leaf)));
        let plan = GraphPlan::from_parents(graph.vertices, |_| 0).with_optional_tree();
        return plan.with_chords(edges.collect()).with_order_kept(false);
    }
    // One way is part of the tree, and each other one needs an edge more than that has.
    let hub = (others / 2 + 1).min(graph.spare_edges() + 2);
    let ways = (2..hub).map(|v| (v, hub)).collect();
    let parent = |v: usize| match v {
        _ if v < hub => 0,
        _ if v == hub => hub.min(2) - 1,
        _ => hub,
    };
    GraphPlan::from_parents(graph.vertices, parent).with_chords(ways).with_order_kept(false)
}

fn plan_narrow_grid(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let rows = c.draw_range(2, 12).min(graph.vertices as i128).max(1) as usize;
    let across = (rows..graph.vertices).map(|v| (v - rows, v)).collect();
    let parent = |v: usize| if v.is_multiple_of(rows) { v - rows } else { v - 1 };
    GraphPlan::from_parents(graph.vertices, parent).with_chords(across).with_order_kept(false)
}

/// A path from the first vertex, of which each vertex has an edge to the last one. Edges that are left are a blob at the
/// first vertex, which is searched in each phase.
fn plan_ever_longer_ways(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let sink = graph.vertices.saturating_sub(1);
    let spare = graph.spare_edges();
    let inner = sink.saturating_sub(1);
    // There are that many edges in a blob, and one for each vertex of the path but the first.
    let has_place = |blob: &usize| blob * blob.saturating_sub(1) / 2 + inner.saturating_sub(blob + 1) >= spare;
    let blob = (0..inner / 2).find(has_place).unwrap_or(inner / 2);
    let path = inner - blob;
    let ways = (2..=path).map(|v| (v, sink));
    let within_blob = (path + 1..sink).flat_map(|v| (path + 1..v).map(move |u| (u, v)));
    let parent = |v: usize| match v {
        _ if v == sink => path.min(1),
        _ if v <= path => v - 1,
        _ => 0,
    };
    GraphPlan::from_parents(graph.vertices, parent)
        .with_chords(ways.chain(within_blob).take(spare).collect())
        .with_order_kept(false)
}

/// The first half is a path, in which each vertex of one side has a partner, and the others are leaves at its end. Which
/// side is the first is drawn: a search from the other one finds a partner for each.
fn plan_chain_before_leaves(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let path = (graph.vertices.div_ceil(4) * 2).min(graph.vertices);
    let end = path.saturating_sub(1);
    // With a leaf at the first vertex, that is on the side of the partners, and otherwise on that of the leaves.
    let has_first_leaf = c.draw_chance(1, 2);
    let parent = |v: usize| match v {
        _ if v >= path => end,
        2 if has_first_leaf => 0,
        _ => v - 1,
    };
    // Even and odd vertices are the two sides, apart from the first two vertices if there is a leaf.
    let least = usize::from(has_first_leaf);
    let pairs = (path / 2).saturating_sub(least);
    let mut draw_end = |side: usize| 2 * (least + if pairs > 0 { c.draw_index(pairs) } else { 0 }) + side;
    let chords = (0..if pairs > 0 { graph.spare_edges() } else { 0 }).map(|_| (draw_end(0), draw_end(1))).collect();
    GraphPlan::from_parents(graph.vertices, parent).with_chords(chords).with_order_kept(false)
}
