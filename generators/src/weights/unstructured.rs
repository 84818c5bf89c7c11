//! Weights that depend on the order of the edges, on the distance from the start, or on nothing.

use super::UnweightedGraph;
use crate::choices::Choices;
use crate::sizes::draw_scalar;

pub(super) fn uniform_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    w.map_edges(|_| c.draw_range(w.lo, w.hi))
}

pub(super) fn equal_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    vec![draw_scalar(c, w.lo, w.hi, &[]); w.edges.len()]
}

pub(super) fn extreme_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let share = c.draw_range(1, 15) as u32;
    w.map_edges(|_| if c.draw_chance(share, 16) { w.hi } else { w.lo })
}

pub(super) fn heaviest_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let slack = c.draw_range(0, 2);
    w.map_edges(|_| w.hi.saturating_sub(c.draw_range(0, slack)))
}

/// After the largest power of two in range, the powers restart with the smallest.
pub(super) fn power_of_two_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let first = w.lo.max(1);
    let mut power = if w.hi < 1 { w.hi } else { first.saturating_sub(1).checked_ilog2().map_or(1, |bits| 2 << bits) };
    let smallest = power;
    let mut weights = w.map_edges(|_| {
        let weight = power;
        power = if power > w.hi / 2 { smallest } else { power * 2 };
        weight
    });
    if c.draw_chance(1, 2) {
        weights.reverse();
    }
    weights
}

/// If there is no bridge, a random edge is the heavy one.
pub(super) fn heavy_bridge_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let light = w.above_minimum(c.draw_log_range(0, w.hi.saturating_sub(w.lo) / 1000));
    let mut weights = w.map_edges(|_| c.draw_range(w.lo, light));
    let bridges = w.walk_depth_first().find_bridges(w.edges);
    let heavy = c.pick_item(&bridges).copied().unwrap_or_else(|| c.draw_index(w.edges.len()));
    if let Some(weight) = weights.get_mut(heavy) {
        *weight = w.hi;
    }
    weights
}

pub(super) fn increasing_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    weights_by_distance(c, w, |distance, _| distance)
}

pub(super) fn decreasing_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    weights_by_distance(c, w, |distance, deepest| deepest - distance)
}

/// The weight of an edge grows with the depth of its upper end, in equal steps that cover the whole range or in steps
/// of one.
fn weights_by_distance(c: &mut Choices, w: &UnweightedGraph<'_>, rank: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth() as i128;
    let widest = (w.hi.saturating_sub(w.lo) / deepest.max(1)).max(1);
    let step = if c.draw_chance(1, 2) { widest } else { 1 };
    w.map_edges(|(u, v)| {
        w.above_minimum(rank(walk.depth[*u].min(walk.depth[*v]) as i128, deepest).saturating_mul(step))
    })
}

// Weights for which the distance of a vertex is improved again and again during a search.

/// The weight of an edge is its difference in depth, so that all paths down to a vertex have the same length: the
/// number of shortest paths is large, and every comparison of distances is a tie.
pub(super) fn equal_path_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let unit = step_weight(c, w, walk.max_depth());
    w.map_edges(|(u, v)| unit.saturating_mul(walk.depth[*u].abs_diff(walk.depth[*v]) as i128))
}

/// A tree edge weighs one unit. An edge that skips levels weighs less the further down it starts, but more than the
/// tree edges that it skips. So on a path with all its shortcuts each vertex improves every later one.
pub(super) fn ever_nearer_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth();
    let unit = step_weight(c, w, 2 * deepest);
    let walked = walk.tree_edge_flags(w.edges.len());
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let upper = walk.depth[*u].min(walk.depth[*v]);
        if *walked { unit } else { unit.saturating_mul(2 * (deepest - upper) as i128) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// Tree edges weigh next to nothing, and shortcuts powers of two, larger near the start. A search that continues from
/// the last visited vertex follows the shortcuts first, and tries every combination of the two.
pub(super) fn doubling_path_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth();
    let walked = walk.tree_edge_flags(w.edges.len());
    let least = c.draw_range(0, 1);
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let below = (deepest - walk.depth[*u].max(walk.depth[*v])).min(100);
        if *walked { w.above_minimum(least) } else { w.above_minimum(2 << below) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// On a grid, the walk is a snake of random heavy edges, and light edges lead across it from row to row.
pub(super) fn heavy_chain_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walked = w.walk_depth_first().tree_edge_flags(w.edges.len());
    let heavy = w.above_minimum(w.hi.saturating_sub(w.lo) / 1000 + 1);
    let light = w.above_minimum(c.draw_range(0, 3).min(heavy.saturating_sub(w.lo)));
    walked
        .into_iter()
        .map(|walked| if walked { c.draw_range(heavy, w.hi) } else { c.draw_range(w.lo, light) })
        .collect()
}

/// Each vertex has a height, and the weight of an edge is at least its climb: around a cycle the climbs cancel.
pub(super) fn safely_negative_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let room = w.hi.min(w.lo.saturating_neg());
    if room <= 0 {
        return uniform_weights(c, w);
    }
    let more = c.draw_log_range(0, room / 2);
    let heights: Vec<i128> = (0..w.vertices).map(|_| c.draw_range(0, room - more)).collect();
    w.map_edges(|(u, v)| heights[*v] - heights[*u] + c.draw_range(0, more))
}

/// Returns the weight of a step if the longest edge skips `steps` of them: the smallest positive weight, or the largest
/// one for which that edge is in range.
fn step_weight(c: &mut Choices, w: &UnweightedGraph<'_>, steps: usize) -> i128 {
    let least = w.lo.max(1).min(w.hi);
    let most = w.hi / steps.max(1) as i128;
    if c.draw_chance(1, 2) { least } else { most.max(least) }
}

// A depth-first walk of a graph from its first vertex.

/// A depth-first walk over all vertices, starting each component at its first vertex. Directions are ignored.
pub(super) struct DepthFirstWalk {
    /// The vertices in the order in which they were visited.
    pub order: Vec<usize>,
    /// The depth of each vertex in the tree of its component.
    pub depth: Vec<usize>,
    /// The tree edge to each vertex, if any.
    pub parent_edge: Vec<Option<usize>>,
}

impl DepthFirstWalk {
    pub(super) fn new(vertices: usize, edges: &[(usize, usize)]) -> DepthFirstWalk {
        let at = Incidence::new(vertices, edges);
        let mut walk = DepthFirstWalk {
            order: Vec::with_capacity(vertices),
            depth: vec![0; vertices],
            parent_edge: vec![None; vertices],
        };
        let mut visited = vec![false; vertices];
        // Each entry is a vertex, and the number of its edges that have been examined.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for start in 0..vertices {
            if !std::mem::replace(&mut visited[start], true) {
                walk.order.push(start);
                stack.push((start, 0));
            }
            while let Some((u, examined)) = stack.last_mut() {
                let (u, Some(edge)) = (*u, at.edges_of(*u).get(*examined)) else {
                    stack.pop();
                    continue;
                };
                *examined += 1;
                let v = edges[*edge].0 ^ edges[*edge].1 ^ u;
                if !std::mem::replace(&mut visited[v], true) {
                    (walk.depth[v], walk.parent_edge[v]) = (walk.depth[u] + 1, Some(*edge));
                    walk.order.push(v);
                    stack.push((v, 0));
                }
            }
        }
        walk
    }

    /// Returns a flag per edge that is set for tree edges.
    pub(super) fn tree_edge_flags(&self, edges: usize) -> Vec<bool> {
        let mut walked = vec![false; edges];
        self.parent_edge.iter().flatten().for_each(|edge| walked[*edge] = true);
        walked
    }

    pub(super) fn max_depth(&self) -> usize {
        self.depth.iter().copied().max().unwrap_or(0)
    }

    /// Returns the bridges. Every other edge of an undirected graph leads from a vertex to an ancestor, so a tree edge
    /// is a bridge if no such edge starts at or below its lower end and ends above.
    pub(super) fn find_bridges(&self, edges: &[(usize, usize)]) -> Vec<usize> {
        let walked = self.tree_edge_flags(edges.len());
        // The number of back edges that pass over the tree edge of each vertex, once the subtrees have been added.
        let mut over = vec![0_i64; self.depth.len()];
        for (_, (u, v)) in edges.iter().enumerate().filter(|(edge, _)| !walked[*edge]) {
            let (upper, lower) = if self.depth[*u] < self.depth[*v] { (*u, *v) } else { (*v, *u) };
            over[lower] += 1;
            over[upper] -= 1;
        }
        let mut bridges = Vec::new();
        for v in self.order.iter().rev() {
            let Some(edge) = self.parent_edge[*v] else { continue };
            if over[*v] == 0 {
                bridges.push(edge);
            }
            over[edges[edge].0 ^ edges[edge].1 ^ v] += over[*v];
        }
        bridges
    }
}

/// The edges at each vertex.
struct Incidence {
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl Incidence {
    fn new(vertices: usize, edges: &[(usize, usize)]) -> Incidence {
        let mut starts = vec![0; vertices + 1];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| starts[end + 1] += 1);
        (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
        let (mut next, mut listed) = (starts.clone(), vec![0; 2 * edges.len()]);
        for (edge, (u, v)) in edges.iter().enumerate() {
            for end in [*u, *v] {
                listed[next[end]] = edge;
                next[end] += 1;
            }
        }
        Incidence { starts, edges: listed }
    }

    fn edges_of(&self, v: usize) -> &[usize] {
        &self.edges[self.starts[v]..self.starts[v + 1]]
    }
}
