//! Graphs: a vertex is deleted with its edges, or contracted into a neighbour.
//!
//! Deleting a single edge would disconnect a tree, and deleting only a vertex would leave dangling edges. So a
//! set of vertices is deleted in two ways: with all of their edges; and contracted, each into the nearest
//! remaining vertex, so that connected graphs stay connected and trees stay trees. A single vertex can also be
//! bypassed: each path through it becomes one edge of the same length.

use super::size_cuts::{delete_from_sized, with_outer_scope};
use crate::constraints::collect_edges;
use crate::language::{Expr, FieldId, Format, GraphConstraint, GraphProperty, InstanceCount};
use crate::tuning::MAX_BYPASSED_PATHS;
use crate::value::{InstanceList, InstanceSlots, Value, ValueScope};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Returns the graphs with a number of vertices given by a field.
pub(super) fn graphs_of(format: &Format, size: FieldId) -> Vec<&GraphConstraint> {
    let is_wanted = |graph: &&GraphConstraint| graph.edge_lines().is_some() && graph.vertices.1.mentions_field(size);
    let mut found: Vec<&GraphConstraint> = Vec::new();
    for graph in format.graphs().map(|(_, graph)| graph).filter(is_wanted) {
        // A part of a graph has no lines of its own.
        if found.iter().all(|other| other.edge_lines() != graph.edge_lines()) {
            found.push(graph);
        }
    }
    found
}

/// Returns the candidates after deleting some vertices of a graph. `path` leads to the instance with the number
/// of vertices.
pub(super) fn delete_vertices(
    format: &Format,
    value: &Value,
    path: &[usize],
    size: FieldId,
    rule: &GraphConstraint,
    deleted: &[usize],
) -> Vec<Value> {
    let home = rule.edge_lines().and_then(|(block, _)| format.block(block).parent);
    // The edges must be directly in the instance that counts the vertices; otherwise there are several lists of
    // edges.
    if home != Some(format.field(size).block) {
        return Vec::new();
    }
    let edges = with_outer_scope(format, value, path, &mut |outer, instance| {
        let scope = ValueScope::new(format, home?, InstanceSlots::Known(instance), outer);
        collect_edges(&rule.without_selection(), &scope).map(|(_, edges)| edges)
    });
    let Some(edges) = edges.flatten() else { return Vec::new() };
    let first = first_vertex(rule);
    let maps = [induced_renumbering(deleted), contracted_renumbering(&edges, deleted)];
    let rewired = |kept: &[KeptEdge]| {
        let cut = delete_from_sized(format, value, path, size, deleted)?;
        replace_edges(format, value, cut, path, rule, kept, first?)
    };
    let candidates = maps.into_iter().filter_map(|map| rewired(&kept_edges(&edges, &map)));
    let bypassed = bypass_vertex(&edges, deleted, rule.has_property(GraphProperty::Directed));
    candidates.chain(bypassed.and_then(|kept| rewired(&kept))).collect()
}

pub(super) fn first_vertex(rule: &GraphConstraint) -> Option<i128> {
    match rule.vertices.0 {
        Expr::Constant(first) => Some(first),
        _ => None,
    }
}

/// The new numbers of the vertices, computed on demand: there may be many more vertices than edges.
struct VertexRenumbering<'d> {
    /// The deleted vertices, in ascending order.
    deleted: &'d [usize],
    /// The remaining vertex that each contracted vertex becomes.
    staying: HashMap<usize, usize>,
}

impl VertexRenumbering<'_> {
    /// Returns `None` for a deleted vertex that is not contracted.
    fn new_number(&self, vertex: usize) -> Option<usize> {
        match self.deleted.binary_search(&vertex) {
            Ok(_) => self.new_number(*self.staying.get(&vertex)?),
            Err(before) => Some(vertex - before),
        }
    }
}

fn induced_renumbering(deleted: &[usize]) -> VertexRenumbering<'_> {
    debug_assert!(deleted.is_sorted(), "new numbers are found by binary search");
    VertexRenumbering { deleted, staying: HashMap::new() }
}

/// Maps every deleted vertex to the nearest remaining one.
fn contracted_renumbering<'d>(edges: &[(usize, usize)], deleted: &'d [usize]) -> VertexRenumbering<'d> {
    let mut neighbours: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (u, v) in edges {
        neighbours.entry(*u).or_default().push(*v);
        neighbours.entry(*v).or_default().push(*u);
    }
    let stays = |vertex: &usize| deleted.binary_search(vertex).is_err();
    let mut staying = HashMap::new();
    let mut queue: VecDeque<(usize, usize)> = neighbours.keys().filter(|v| stays(v)).map(|v| (*v, *v)).collect();
    while let Some((vertex, nearest)) = queue.pop_front() {
        for neighbour in &neighbours[&vertex] {
            if !stays(neighbour) && !staying.contains_key(neighbour) {
                staying.insert(*neighbour, nearest);
                queue.push_back((*neighbour, nearest));
            }
        }
    }
    VertexRenumbering { deleted, staying }
}

/// An edge of the new graph.
struct KeptEdge {
    /// The position of the original edge in the list.
    position: usize,
    ends: (usize, usize),
    /// The position of the second edge, if two edges were joined into one.
    joined: Option<usize>,
}

/// Returns the edges without one vertex, each path through it joined into one edge. Returns `None` if too many
/// paths lead through it.
fn bypass_vertex(edges: &[(usize, usize)], deleted: &[usize], directed: bool) -> Option<Vec<KeptEdge>> {
    let [gone] = deleted else { return None };
    let number = induced_renumbering(deleted);
    // The incoming or outgoing edges at the vertex: the position of each, and its other end.
    let at = |leaving: bool| -> Vec<(usize, usize)> {
        let is_end = |(u, v): &(usize, usize)| match (directed, leaving) {
            (false, _) => u == gone || v == gone,
            (true, true) => u == gone,
            (true, false) => v == gone,
        };
        let other = |(u, v): &(usize, usize)| number.new_number(if u == gone { *v } else { *u });
        let at_it = edges.iter().enumerate().filter(|(_, edge)| is_end(edge));
        at_it.filter_map(|(position, edge)| Some((position, other(edge)?))).collect()
    };
    let (into, out) = (at(false), at(true));
    // A hub of thousands of edges has millions of paths through it, so they are counted before they are listed.
    let mut leading_to: HashMap<usize, usize> = HashMap::new();
    out.iter().for_each(|(_, end)| *leading_to.entry(*end).or_default() += 1);
    let onwards = |from: usize| out.len() - leading_to.get(&from).copied().unwrap_or(0);
    let paths: usize = into.iter().map(|(_, from)| onwards(*from)).sum();
    // In an undirected graph, each path was counted from both of its ends.
    if paths == 0 || paths > if directed { MAX_BYPASSED_PATHS } else { 2 * MAX_BYPASSED_PATHS } {
        return None;
    }
    let mut joined = Vec::new();
    for (i, from) in into.iter().filter(|(_, from)| onwards(*from) > 0) {
        for (o, to) in out.iter().filter(|(o, to)| to != from && (directed || i < o)) {
            joined.push(KeptEdge { position: *i, ends: (*from, *to), joined: Some(*o) });
        }
    }
    let mut kept = kept_edges(edges, &number);
    kept.extend(joined);
    Some(kept)
}

/// Returns the edges with endpoints that stay distinct, with their positions. Of edges that become equal, only the
/// first is kept.
fn kept_edges(edges: &[(usize, usize)], number: &VertexRenumbering<'_>) -> Vec<KeptEdge> {
    let (mut before, mut after) = (UnorderedPairs::default(), UnorderedPairs::default());
    let mut kept = Vec::new();
    for (i, (u, v)) in edges.iter().enumerate() {
        let (Some(a), Some(b)) = (number.new_number(*u), number.new_number(*v)) else { continue };
        let collapsed = a == b && u != v;
        let was_repeated = !before.insert(*u, *v);
        let repeated = !after.insert(a, b);
        if !collapsed && (!repeated || was_repeated) {
            kept.push(KeptEdge { position: i, ends: (a, b), joined: None });
        }
    }
    kept
}

#[derive(Default)]
struct UnorderedPairs(HashSet<(usize, usize)>);

impl UnorderedPairs {
    /// Adds a pair. Returns true if it is new.
    fn insert(&mut self, a: usize, b: usize) -> bool {
        self.0.insert((a.min(b), a.max(b)))
    }
}

/// Replaces the edges in their block, and updates the field that counts them.
fn replace_edges(
    format: &Format,
    before: &Value,
    mut after: Value,
    path: &[usize],
    rule: &GraphConstraint,
    kept: &[KeptEdge],
    first: i128,
) -> Option<Value> {
    let (lines, (from, to)) = rule.edge_lines()?;
    let block = format.block(lines);
    let old = before.instance_at(path)?.get(block.slot)?.as_instances();
    let slot_of = |field: FieldId| format.field(field).slot;
    let edge = |KeptEdge { position, ends: (u, v), joined }: &KeptEdge| {
        let mut slots = old.get(*position)?.to_vec();
        for (field, joined) in format.fields_in_block(lines).zip(std::iter::repeat(joined)) {
            let info = format.field(field);
            let added = joined.and_then(|j| old.get(j)?.get(info.slot)?.as_int());
            if let (Some(added), Value::Int(number)) = (added, &mut slots[info.slot]) {
                *number = info.range.clamp_value(*number + added);
            }
        }
        slots[slot_of(from)] = Value::Int(first + *u as i128);
        slots[slot_of(to)] = Value::Int(first + *v as i128);
        Some(slots)
    };
    let list = InstanceList::from_instances(block.slots, kept.iter().map(edge).collect::<Option<Vec<_>>>()?);
    let slots = after.instance_at_mut(path)?;
    if let InstanceCount::Times(Expr::Field(count)) = &block.count
        && Some(format.field(*count).block) == block.parent
    {
        slots[slot_of(*count)] = Value::Int(list.len() as i128);
    }
    slots[block.slot] = Value::Instances(list);
    Some(after)
}
