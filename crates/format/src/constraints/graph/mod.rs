//! `edges (u, v) on 1..n: tree` and `parents p of 2..n: tree`: lines or numbers that are the edges of a graph.

mod selection;
mod structure;

use super::{
    BreachNames, BrokenConstraint, ColumnRule, ConstraintKind, KnownPrefix, RuleBreach, StructureGoals, StructureSet,
    ViolationSides, holds_so_far,
};
use crate::model::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, Constraint, ConstraintRule, EdgeSelection, Expr,
    FieldId, FoldRange, Format, GraphConstraint, GraphEdges, GraphProperty,
};
use crate::value::{self, EvalError, Value, ValueScope};
use rebut_generators::{DegreeRule, GraphRequirements};
use selection::find_outside_line;
use std::collections::VecDeque;
use structure::{collect_graph_structures, graph_breaches, graph_structure_goals, is_graph_completable};

impl ConstraintKind for GraphConstraint {
    fn expressions(&self) -> Vec<&Expr> {
        let others: Vec<&Expr> = match &self.edges {
            GraphEdges::Lines { selection: None, .. } => Vec::new(),
            GraphEdges::Lines { selection: Some(EdgeSelection::Slice(first, last)), .. } => vec![first, last],
            GraphEdges::Lines { selection: Some(EdgeSelection::When(all)), .. } => {
                all.iter().flat_map(|one| one.all_operands()).collect()
            }
            GraphEdges::Parents { first, .. } => vec![first],
        };
        others.into_iter().chain([&self.vertices.0, &self.vertices.1]).collect()
    }

    fn named_field(&self) -> Option<FieldId> {
        match self.edges {
            GraphEdges::Lines { .. } => None,
            GraphEdges::Parents { field, .. } => Some(field),
        }
    }

    fn range(&self) -> Option<FoldRange> {
        match self.edges {
            GraphEdges::Lines { block, .. } => Some(FoldRange::Instances(block)),
            GraphEdges::Parents { block, .. } => block.map(FoldRange::Instances),
        }
    }

    fn implies_bounds(&self) -> bool {
        self.selection().is_none()
    }

    fn bounds_ends(&self) -> bool {
        self.selection().is_none()
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        Ok(find_graph_fault(self, scope).map(|(edge, words)| (edge, ViolationSides::Words(words))))
    }

    fn is_countable(&self) -> bool {
        self.line_edges().is_some()
    }

    /// A connected graph has at most one vertex more than edges.
    fn implied_comparisons(&self, format: &Format) -> Vec<Comparison> {
        let count = self.line_edges().and_then(|(block, _)| format.block(block).count.times_expr());
        let (first, last) = self.vertices.clone();
        let fewest = Expr::Binary(ArithmeticOperator::Subtract, Box::new(last), Box::new(first));
        let enough = |count: &Expr| Comparison::new(count.clone(), ComparisonOperator::GreaterEqual, fewest);
        count.filter(|_| self.has_property(GraphProperty::Connected)).map(enough).into_iter().collect()
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some((scope, (block, _))) = prefix.scope_of(home).zip(self.edge_lines()) else { return true };
        if prefix.is_repeating(block) { is_graph_completable(self, scope, prefix) } else { holds_so_far(self, scope) }
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn is_constructed(&self) -> bool {
        self.line_edges().is_some()
    }

    fn column_rule(&self, block: BlockId) -> Option<ColumnRule<'_>> {
        let (_, (from, to)) = self.line_edges().filter(|(lines, _)| *lines == block)?;
        Some(ColumnRule::Edges(from, to))
    }

    fn structure_goals(&self, format: &Format, _: (usize, usize)) -> Option<StructureGoals> {
        Some(graph_structure_goals(self, format))
    }

    fn collect_structures(&self, scope: &ValueScope<'_>, found: &mut StructureSet) {
        collect_graph_structures(self, scope, found);
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        match &self.edges {
            GraphEdges::Lines { ends, .. } => {
                let (from, to) = (names.field_name(ends.0), names.field_name(ends.1));
                match names.format.graphs().count() {
                    1 => "edges".to_owned(),
                    _ if self.selection().is_some() => format!("some-edges-{from}-{to}"),
                    _ => format!("edges-{from}-{to}"),
                }
            }
            GraphEdges::Parents { field, .. } => names.field_name(*field),
        }
    }

    fn breaches(&self, names: &BreachNames<'_>) -> Option<Vec<RuleBreach>> {
        Some(graph_breaches(self, &self.breach_name(names)))
    }
}

impl ConstraintRule {
    /// Returns the fields of the ends of edges, if the edges of the graph are lines.
    pub(crate) fn edge_ends(&self) -> Option<(FieldId, FieldId)> {
        Some(self.graph()?.edge_lines()?.1)
    }
}

impl Format {
    pub(crate) fn graphs(&self) -> impl Iterator<Item = (&Constraint, &GraphConstraint)> {
        self.constraints.iter().filter_map(|constraint| Some((constraint, constraint.rule.graph()?)))
    }

    /// Returns true if some or all lines of a block are edges.
    pub(crate) fn has_edges(&self, block: BlockId) -> bool {
        self.graphs().any(|(_, graph)| graph.edge_lines().is_some_and(|(lines, _)| lines == block))
    }

    /// Returns the graph of a block of which each line is an edge.
    pub(crate) fn edge_graph(&self, block: BlockId) -> Option<&GraphConstraint> {
        let is_wanted = |graph: &&GraphConstraint| graph.line_edges().is_some_and(|(lines, _)| lines == block);
        self.graphs().map(|(_, graph)| graph).find(is_wanted)
    }

    /// Returns the graph in which the numbers of a field are parents, if they are.
    pub(crate) fn parent_graph(&self, field: FieldId) -> Option<&GraphConstraint> {
        self.graphs().map(|(_, graph)| graph).find(|graph| graph.named_field() == Some(field))
    }
}

/// Returns a graph's edges with vertices counted from 0, or `None` if an edge is unknown or has a vertex out of range.
pub(crate) fn collect_edges(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<(usize, Vec<(usize, usize)>)> {
    let first = value::evaluate_number(&rule.vertices.0, scope).ok()?;
    let last = value::evaluate_number(&rule.vertices.1, scope).ok()?;
    let vertices = usize::try_from(last - first + 1).ok()?;
    let vertex = |number: i128| usize::try_from(number - first).ok().filter(|v| *v < vertices);
    let edges = match &rule.edges {
        GraphEdges::Lines { block, ends, selection } => {
            let (_, instances) = scope.instances_of(*block)?;
            let slots = (scope.format.field(ends.0).slot, scope.format.field(ends.1).slot);
            let edge = |instance: &[Value]| {
                let end = |slot: usize| vertex(instance.get(slot)?.as_int()?);
                Some((end(slots.0)?, end(slots.1)?))
            };
            let mut edges = Vec::with_capacity(instances.len());
            match selection {
                None => {
                    for instance in instances {
                        edges.push(edge(instance)?);
                    }
                }
                Some(selection) => {
                    for line in selection.selected_lines(*block, scope)? {
                        edges.push(edge(instances.get(line)?)?);
                    }
                }
            }
            edges
        }
        GraphEdges::Parents { field, block, first } => {
            let child = value::evaluate_number(first, scope).ok()?;
            let edge = |(i, parent): (usize, i128)| Some((vertex(parent)?, vertex(child + i as i128)?));
            collect_parents(*field, *block, scope)?.into_iter().enumerate().map(edge).collect::<Option<Vec<_>>>()?
        }
    };
    Some((vertices, edges))
}

/// Returns the numbers of an array, or of a single number in each instance of a block.
fn collect_parents(field: FieldId, block: Option<BlockId>, scope: &ValueScope<'_>) -> Option<Vec<i128>> {
    let Some(block) = block else { return value::evaluate_elements(&Expr::Field(field), scope).ok() };
    let (holder, instances) = scope.instances_of(block)?;
    instances.iter().map(|i| value::evaluate_number(&Expr::Field(field), &holder.for_instance(block, i)).ok()).collect()
}

/// Returns the properties required of a graph with `vertices` vertices and `edges` edges.
pub(crate) fn graph_requirements(rule: &GraphConstraint, vertices: usize, edges: usize) -> GraphRequirements {
    GraphRequirements {
        vertices,
        edges,
        directed: rule.has_property(GraphProperty::Directed),
        simple: rule.has_property(GraphProperty::Simple),
        loopless: rule.has_property(GraphProperty::Loopless),
        connected: rule.has_property(GraphProperty::Connected),
        acyclic: rule.has_property(GraphProperty::Acyclic),
        bipartite: rule.has_property(GraphProperty::Bipartite),
        strongly_connected: rule.has_property(GraphProperty::StronglyConnected),
        max_degree: rule.max_degree().map(|most| most as usize),
        depth: rule.depth_range().map(|(least, most)| (least as usize, most as usize)),
        degrees: match () {
            () if rule.has_property(GraphProperty::Regular) => DegreeRule::Equal,
            () if rule.has_property(GraphProperty::EvenDegrees) => DegreeRule::Even,
            () => DegreeRule::Any,
        },
    }
}

/// Returns the number of edges from a vertex to the farthest one that can be reached.
fn depth_from(vertices: usize, edges: &[(usize, usize)], root: usize) -> usize {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (u, v) in edges {
        neighbours[*u].push(*v);
        neighbours[*v].push(*u);
    }
    let mut is_seen = vec![false; vertices];
    is_seen[root] = true;
    let (mut queue, mut depth) = (VecDeque::from([(root, 0)]), 0);
    while let Some((vertex, at)) = queue.pop_front() {
        depth = at;
        for next in &neighbours[vertex] {
            if !std::mem::replace(&mut is_seen[*next], true) {
                queue.push_back((*next, at + 1));
            }
        }
    }
    depth
}

/// Returns the first line that does not fit, or `None` for the whole graph, with the reason.
fn find_graph_fault(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<(Option<usize>, String)> {
    let Some((vertices, edges)) = collect_edges(rule, scope) else {
        let outside = find_outside_line(rule, scope)?;
        return Some((Some(outside), "this edge ends at something that is not a vertex".to_owned()));
    };
    if let Err(fault) = graph_requirements(rule, vertices, edges.len()).check_edges(&edges) {
        let line = |edge: usize| match (rule.selection(), rule.edge_lines()) {
            (Some(selection), Some((block, _))) => selection.selected_lines(block, scope)?.get(edge).copied(),
            _ => Some(edge),
        };
        return Some((fault.edge.and_then(line), fault.message));
    }
    let degrees = || {
        let mut degrees = vec![0_usize; vertices];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| degrees[end] += 1);
        degrees
    };
    if rule.has_property(GraphProperty::Path) && degrees().iter().any(|d| *d > 2) {
        return Some((None, "a vertex has more than two neighbours".to_owned()));
    }
    if let Some((least, most)) = rule.depth_range() {
        // A vertex that is no child of any edge is the root.
        let mut is_child = vec![false; vertices];
        edges.iter().filter(|_| rule.named_field().is_some()).for_each(|(_, child)| is_child[*child] = true);
        let root = is_child.iter().position(|is_child| !is_child);
        let depth = root.map_or(0, |root| depth_from(vertices, &edges, root));
        if !(least as usize..=most as usize).contains(&depth) {
            return Some((None, format!("the depth of the tree is {depth}")));
        }
    }
    let has_centre = || vertices <= 2 || degrees().iter().any(|d| *d + 1 >= vertices);
    (rule.has_property(GraphProperty::Star) && !has_centre())
        .then(|| (None, "no vertex is adjacent to all others".to_owned()))
}
