//! Graphs: a vertex goes with its edges, or is contracted into a neighbour.
//!
//! Deleting a line of the edge list alone would disconnect a tree, and deleting a vertex alone would leave edges that
//! lead nowhere. So a set of vertices is deleted in two ways: with all edges at them; and contracted, each into the
//! nearest vertex that stays, so that what was connected stays so and a tree stays a tree. A single vertex can also be
//! bypassed: the way through it becomes one edge that is as long.

use super::axis::{delete, in_scope};
use crate::format::{Adjective, BlockId, Count, Expr, FieldId, Format, GraphRule, Rule};
use crate::validate::edges_of;
use crate::value::{Instances, Scope, Slots, Value};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The graphs whose vertices are counted by a number.
pub(super) fn graphs_of(format: &Format, size: FieldId) -> Vec<&GraphRule> {
    let rules = format.constraints.iter().filter_map(|c| match &c.rule {
        Rule::Graph(rule) if rule.lines().is_some() && rule.vertices.1.mentions(size) => Some(rule),
        _ => None,
    });
    rules.collect()
}

/// The values that are left after some vertices of a graph are deleted. `path` leads to the instance that the number of
/// vertices is in.
pub(super) fn without_vertices(
    format: &Format,
    value: &Value,
    path: &[usize],
    size: FieldId,
    rule: &GraphRule,
    deleted: &[usize],
) -> Vec<Value> {
    let home = rule.lines().and_then(|(block, _)| format.block(block).parent);
    // The edges must be directly in the instance that counts the vertices; else there is no one list of them.
    if home != Some(format.field(size).block) {
        return Vec::new();
    }
    let edges = in_scope(format, value, path, &mut |outer, instance| graph_at(format, rule, home, outer, instance));
    let Some(edges) = edges.flatten() else { return Vec::new() };
    let first = first_vertex(rule);
    let maps = [induced(deleted), contracted(&edges, deleted)];
    let rewired = |kept: &[Kept]| {
        let same = |_: FieldId, _: usize| deleted.to_vec();
        let cut = delete(format, value, path, size, deleted.len(), &same)?;
        with_edges(format, value, cut, path, rule, kept, first?)
    };
    let candidates = maps.into_iter().filter_map(|map| rewired(&kept_edges(&edges, &map)));
    let bypassed = bypass(&edges, deleted, rule.is(Adjective::Directed));
    candidates.chain(bypassed.and_then(|kept| rewired(&kept))).collect()
}

fn graph_at(
    format: &Format,
    rule: &GraphRule,
    home: Option<BlockId>,
    outer: Option<&Scope<'_>>,
    instance: &[Value],
) -> Option<Vec<(usize, usize)>> {
    let block = home?;
    let scope = Scope { format, block, slots: Slots::Known(instance), outer, variables: &[] };
    edges_of(rule, &scope).map(|(_, edges)| edges)
}

pub(super) fn first_vertex(rule: &GraphRule) -> Option<i128> {
    match rule.vertices.0 {
        Expr::Constant(first) => Some(first),
        _ => None,
    }
}

/// The new number of each vertex. It is worked out for those that edges lead to, since there may be many more.
struct Renumbering<'d> {
    /// In ascending order.
    deleted: &'d [usize],
    /// The vertex that stays, as which a deleted one goes on.
    staying: HashMap<usize, usize>,
}

impl Renumbering<'_> {
    /// None for a deleted one that is nowhere else.
    fn of(&self, vertex: usize) -> Option<usize> {
        match self.deleted.binary_search(&vertex) {
            Ok(_) => self.of(*self.staying.get(&vertex)?),
            Err(before) => Some(vertex - before),
        }
    }
}

fn induced(deleted: &[usize]) -> Renumbering<'_> {
    Renumbering { deleted, staying: HashMap::new() }
}

/// Every deleted vertex goes on as the nearest one that stays.
fn contracted<'d>(edges: &[(usize, usize)], deleted: &'d [usize]) -> Renumbering<'d> {
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
    Renumbering { deleted, staying }
}

/// An edge of the new graph.
struct Kept {
    /// The position in the list of the edge that it was.
    position: usize,
    ends: (usize, usize),
    /// The position of an edge that was joined to it.
    joined: Option<usize>,
}

/// The edges without one vertex, each way through it made one edge; none where that would be many.
fn bypass(edges: &[(usize, usize)], deleted: &[usize], directed: bool) -> Option<Vec<Kept>> {
    /// A vertex with so many ways through it is left alone.
    const WAYS: usize = 4;
    let [gone] = deleted else { return None };
    let number = induced(deleted);
    // The edges at the vertex that come in, or go out: the position of each, and its other end.
    let at = |leaving: bool| -> Vec<(usize, usize)> {
        let is_end = |(u, v): &(usize, usize)| match (directed, leaving) {
            (false, _) => u == gone || v == gone,
            (true, true) => u == gone,
            (true, false) => v == gone,
        };
        let other = |(u, v): &(usize, usize)| number.of(if u == gone { *v } else { *u });
        let at_it = edges.iter().enumerate().filter(|(_, edge)| is_end(edge));
        at_it.filter_map(|(position, edge)| Some((position, other(edge)?))).collect()
    };
    let (into, out) = (at(false), at(true));
    // A hub of thousands of edges has millions of ways through it, so they are counted before they are listed.
    let mut leading_to: HashMap<usize, usize> = HashMap::new();
    out.iter().for_each(|(_, end)| *leading_to.entry(*end).or_default() += 1);
    let onwards = |from: usize| out.len() - leading_to.get(&from).copied().unwrap_or(0);
    let ways: usize = into.iter().map(|(_, from)| onwards(*from)).sum();
    // Without directions each way was counted from both of its ends.
    if ways == 0 || ways > if directed { WAYS } else { 2 * WAYS } {
        return None;
    }
    let mut joined = Vec::new();
    for (i, from) in into.iter().filter(|(_, from)| onwards(*from) > 0) {
        for (o, to) in out.iter().filter(|(o, to)| to != from && (directed || i < o)) {
            joined.push(Kept { position: *i, ends: (*from, *to), joined: Some(*o) });
        }
    }
    let mut kept = kept_edges(edges, &number);
    kept.extend(joined);
    Some(kept)
}

/// The edges between vertices that stay apart, each with its position in the list; the first of several equal ones.
fn kept_edges(edges: &[(usize, usize)], number: &Renumbering<'_>) -> Vec<Kept> {
    let (mut before, mut after) = (Pairs::default(), Pairs::default());
    let mut kept = Vec::new();
    for (i, (u, v)) in edges.iter().enumerate() {
        let (Some(a), Some(b)) = (number.of(*u), number.of(*v)) else { continue };
        let collapsed = a == b && u != v;
        let was_repeated = !before.insert(*u, *v);
        let repeated = !after.insert(a, b);
        if !collapsed && (!repeated || was_repeated) {
            kept.push(Kept { position: i, ends: (a, b), joined: None });
        }
    }
    kept
}

/// Pairs without an order.
#[derive(Default)]
struct Pairs(HashSet<(usize, usize)>);

impl Pairs {
    /// Whether the pair is new.
    fn insert(&mut self, a: usize, b: usize) -> bool {
        self.0.insert((a.min(b), a.max(b)))
    }
}

/// Puts the edges into their block, and their number into the field that counts them.
fn with_edges(
    format: &Format,
    before: &Value,
    mut after: Value,
    path: &[usize],
    rule: &GraphRule,
    kept: &[Kept],
    first: i128,
) -> Option<Value> {
    let (lines, (from, to)) = rule.lines()?;
    let block = format.block(lines);
    let old = before.instance_at(path)?.get(block.slot)?.as_instances();
    let slot_of = |field: FieldId| format.field(field).slot;
    let edge = |Kept { position, ends: (u, v), joined }: &Kept| {
        let mut slots = old.get(*position)?.to_vec();
        for (field, joined) in format.fields_of(lines).zip(std::iter::repeat(joined)) {
            let info = format.field(field);
            let added = joined.and_then(|j| old.get(j)?.get(info.slot)?.as_int());
            if let (Some(added), Value::Int(number)) = (added, &mut slots[info.slot]) {
                *number = info.range.nearest(*number + added);
            }
        }
        slots[slot_of(from)] = Value::Int(first + *u as i128);
        slots[slot_of(to)] = Value::Int(first + *v as i128);
        Some(slots)
    };
    let list = Instances::of(block.slots, kept.iter().map(edge).collect::<Option<Vec<_>>>()?);
    let slots = after.instance_at_mut(path)?;
    if let Count::Times(Expr::Field(count)) = &block.count
        && Some(format.field(*count).block) == block.parent
    {
        slots[slot_of(*count)] = Value::Int(list.len() as i128);
    }
    slots[block.slot] = Value::Instances(list);
    Some(after)
}
