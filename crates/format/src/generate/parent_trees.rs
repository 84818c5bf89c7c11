//! Trees given by parents: in `p[n-1]`, the k-th number is the parent of vertex k + 1.

use super::instance::InstanceGenerator;
use crate::constraints::graph_requirements;
use crate::language::{Expr, FieldId, GraphConstraint, GraphEdges, GraphProperty};
use crate::value::{self, ValueScope};
use std::collections::VecDeque;

impl InstanceGenerator<'_, '_> {
    /// Draws the parents of a tree, if the numbers of a field are parents.
    pub(super) fn draw_parents(&mut self, field: FieldId, count: usize, scope: &ValueScope<'_>) -> Option<Vec<i128>> {
        let rule = self.plan.format.parent_graph(field).filter(|rule| rule.has_property(GraphProperty::Tree))?;
        let GraphEdges::Parents { first, .. } = &rule.edges else { return None };
        let end = |expr: &Expr| value::evaluate_number(expr, scope).ok();
        let (lowest, highest) = (end(&rule.vertices.0)?, end(&rule.vertices.1)?);
        let vertices = usize::try_from(highest - lowest + 1).ok().filter(|v| *v == count + 1)?;
        // Children that are no vertices have no parents; the final check reports the constraint that this
        // breaks.
        let first = usize::try_from(end(first)? - lowest).ok().filter(|first| first + count <= vertices)?;
        // The root is the vertex that is not a child.
        let root = (0..vertices).find(|v| *v < first || *v >= first + count)?;
        let edges = self.draw_tree(rule, vertices);
        let parent = root_tree(vertices, &edges, root);
        let mut order: Vec<usize> = (0..vertices).collect();
        if self.choices.draw_chance(1, 2) {
            // Each parent precedes its children, as in most statements.
            order = breadth_first_order(&parent, root);
        }
        // Vertex order[i] is renamed to i, but the root keeps its number.
        let mut name = vec![0; vertices];
        let mut free = (0..vertices).filter(|v| *v != root);
        for vertex in order.into_iter().filter(|v| *v != root) {
            name[vertex] = free.next()?;
        }
        name[root] = root;
        let mut named = vec![0; vertices];
        for vertex in (0..vertices).filter(|v| *v != root) {
            named[name[vertex]] = name[parent[vertex]];
        }
        Some((first..first + count).map(|child| lowest + named[child] as i128).collect())
    }

    fn draw_tree(&mut self, rule: &GraphConstraint, vertices: usize) -> Vec<(usize, usize)> {
        let shape = self.choose_graph_shape(rule);
        self.record_used_shape(shape.name);
        shape.draw_edges(self.choices, &graph_requirements(rule, vertices, vertices.saturating_sub(1)))
    }
}

/// Returns the parent of each vertex of a tree with this root. The root is its own parent.
fn root_tree(vertices: usize, edges: &[(usize, usize)], root: usize) -> Vec<usize> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (u, v) in edges {
        neighbours[*u].push(*v);
        neighbours[*v].push(*u);
    }
    let mut parent = vec![usize::MAX; vertices];
    parent[root] = root;
    let mut queue = VecDeque::from([root]);
    while let Some(vertex) = queue.pop_front() {
        for next in &neighbours[vertex] {
            if parent[*next] == usize::MAX {
                parent[*next] = vertex;
                queue.push_back(*next);
            }
        }
    }
    parent.iter().map(|p| if *p == usize::MAX { root } else { *p }).collect()
}

/// Returns all vertices in breadth-first order from the root.
fn breadth_first_order(parent: &[usize], root: usize) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parent.len()];
    for (vertex, p) in parent.iter().enumerate().filter(|(v, _)| *v != root) {
        children[*p].push(vertex);
    }
    let mut order = vec![root];
    let mut at = 0;
    while let Some(vertex) = order.get(at).copied() {
        order.append(&mut children[vertex]);
        at += 1;
    }
    order
}
