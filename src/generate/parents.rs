//! Trees given by parents: `p[n-1]`, the k-th number the parent of vertex k + 1.

use super::instance::Maker;
use crate::format::{Adjective, Edges, Expr, FieldId, GraphRule};
use crate::validate::graph;
use crate::value::{self, Scope};
use std::collections::VecDeque;

impl Maker<'_, '_> {
    /// The parents of a tree, if the numbers of a field are that.
    pub(super) fn parents(&mut self, field: FieldId, count: usize, scope: &Scope<'_>) -> Option<Vec<i128>> {
        let rule = self.plan.parents(field).filter(|rule| rule.is(Adjective::Tree))?;
        let Edges::Parents { first, .. } = &rule.edges else { return None };
        let end = |expr: &Expr| value::number(expr, scope).ok();
        let (lowest, highest) = (end(&rule.vertices.0)?, end(&rule.vertices.1)?);
        let vertices = usize::try_from(highest - lowest + 1).ok().filter(|v| *v == count + 1)?;
        // Children that are no vertices have no parents; which constraint that breaks is said by whoever checks.
        let first = usize::try_from(end(first)? - lowest).ok().filter(|first| first + count <= vertices)?;
        // The vertex that is nobody's child.
        let root = (0..vertices).find(|v| *v < first || *v >= first + count)?;
        let edges = self.tree(rule, vertices);
        let parent = rooted(vertices, &edges, root);
        let mut order: Vec<usize> = (0..vertices).collect();
        if self.choices.chance(1, 2) {
            // Every parent before its children, as most statements have it.
            order = walk(&parent, root);
        }
        // Vertex order[i] is called i-th among all, the root keeping its number.
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

    fn tree(&mut self, rule: &GraphRule, vertices: usize) -> Vec<(usize, usize)> {
        let shape = self.graph_shape(rule);
        self.use_shape(shape.name);
        shape.make(self.choices, &graph(rule, vertices, vertices.saturating_sub(1)))
    }
}

/// The parent of each vertex of a tree hung up at its root; the root is its own.
fn rooted(vertices: usize, edges: &[(usize, usize)], root: usize) -> Vec<usize> {
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

/// All vertices, each after its parent.
fn walk(parent: &[usize], root: usize) -> Vec<usize> {
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
