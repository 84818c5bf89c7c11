//! Graphs over some lines of a block: which lines belong to which graph, and the edges on them.
//!
//! Each line is assigned to the graphs that it belongs to, such that each graph can have as many edges as it gets. Then
//! the graphs are drawn one after another: the first ones by their shapes, later ones around the edges that they share
//! with earlier ones. The graph of all lines comes last.

use super::GenerationError;
use super::budget::compare_with_constant;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use crate::constraints::graph_requirements;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, EdgeSelection, Expr, FieldId, FoldRange, Format, GraphConstraint,
    GraphEdges, GraphProperty, OrderConstraint, evaluate_range,
};
use crate::value::{self, Value, ValueScope};
use rebut_generators::{DegreeRule, GRAPH_SHAPES, GraphRequirements, GraphShape};
use std::collections::VecDeque;

/// Maximum number of tries at edges that meet the requirements of all graphs of a block.
const MAX_TRIES: usize = 24;

/// Maximum number of values of a field that are compared one by one with the conditions of graphs.
const MAX_VALUES: i128 = 64;

/// The requirements of the graphs of a block on its lines.
#[derive(Debug, Default)]
pub(super) struct PartialEdges {
    limits: Vec<Vec<Comparison>>,
}

impl PartialEdges {
    /// Returns the requirements on the `i`-th line.
    pub(super) fn instance_limits(&self, i: usize) -> Vec<Comparison> {
        self.limits.get(i).cloned().unwrap_or_default()
    }
}

/// The lines of a block while its graphs are drawn.
struct GraphLines<'f> {
    graphs: Vec<LineGraph<'f>>,
    /// The ends of the edges that were drawn, as they are in the input, with their fields.
    edges: Vec<Option<LineEdge>>,
    limits: Vec<Vec<Comparison>>,
}

/// The fields of an edge's ends, and their numbers.
type LineEdge = ((FieldId, FieldId), (i128, i128));

/// The edges of a graph that are drawn, with vertices counted from 0, and the lines that have none yet.
type SplitMembers = (Vec<(usize, usize)>, Vec<usize>);

struct LineGraph<'f> {
    rule: &'f GraphConstraint,
    ends: (FieldId, FieldId),
    first_vertex: i128,
    vertices: usize,
    members: Vec<usize>,
}

impl LineGraph<'_> {
    fn requirements(&self) -> GraphRequirements {
        graph_requirements(self.rule, self.vertices, self.members.len())
    }
}

impl InstanceGenerator<'_, '_> {
    /// Draws the edges of a block with graphs over some of its lines. Returns `None` if it has none.
    pub(super) fn draw_partial_edges(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
    ) -> Result<Option<PartialEdges>, GenerationError> {
        let rules = graphs_on_lines(self.plan.format, child);
        if rules.iter().all(|rule| rule.selection().is_none()) {
            return Ok(None);
        }
        let mut limits = Vec::new();
        for _ in 0..MAX_TRIES {
            let mut lines = GraphLines {
                graphs: line_graphs(&rules, holder)?,
                edges: vec![None; count],
                limits: vec![Vec::new(); count],
            };
            let is_met = self.assign_lines(&mut lines, holder)
                && (0..lines.graphs.len()).all(|at| self.draw_line_graph(&mut lines, at));
            limits = lines.into_limits();
            if is_met {
                break;
            }
        }
        Ok(Some(PartialEdges { limits }))
    }

    /// Chooses the lines of each graph. Returns false if one has too few or too many.
    fn assign_lines(&mut self, lines: &mut GraphLines<'_>, holder: &ValueScope<'_>) -> bool {
        let count = lines.edges.len();
        for graph in &mut lines.graphs {
            graph.members = match graph.rule.selection() {
                None => (0..count).collect(),
                Some(EdgeSelection::Slice(first, last)) => slice_lines(first, last, count, holder),
                Some(EdgeSelection::When(_)) => Vec::new(),
            };
        }
        let conditional: Vec<usize> = (0..lines.graphs.len()).filter(|i| lines.condition(*i).is_some()).collect();
        if conditional.is_empty() {
            return true;
        }
        let conditions: Vec<&[Comparison]> = conditional.iter().filter_map(|i| lines.condition(*i)).collect();
        let kinds = line_kinds(self.plan.format, &conditions, holder);
        let ranges: Vec<(usize, usize)> = conditional
            .iter()
            .map(|i| {
                let (least, most) = lines.graphs[*i].requirements().edge_range();
                (least, most.min(count))
            })
            .collect();
        if ranges.iter().any(|(least, most)| least > most) {
            return false;
        }
        let mut quota = Quota::new(self, &ranges);
        let mut order: Vec<usize> = (0..count).collect();
        self.choices.shuffle(&mut order);
        for (at, line) in order.iter().enumerate() {
            let Some(kind) = quota.choose_kind(self, &kinds, count - at) else { return false };
            for (nth, graph) in conditional.iter().enumerate() {
                if kind.belongs[nth] {
                    lines.graphs[*graph].members.push(*line);
                }
            }
            let chosen = kind.draw_limits(self, &conditions);
            lines.limits[*line] = chosen;
        }
        lines.graphs.iter_mut().for_each(|graph| graph.members.sort_unstable());
        quota.is_met()
    }

    fn draw_line_graph(&mut self, lines: &mut GraphLines<'_>, at: usize) -> bool {
        let Some((given, free)) = lines.split_members(at) else { return false };
        let graph = &lines.graphs[at];
        let own = graph.requirements();
        let within = lines.whole_graph_of(at).map_or(own, |whole| restrict_to_whole(own, &whole.requirements()));
        let drawn = if given.is_empty() {
            let shape = self.choose_graph_shape(graph.rule);
            self.record_used_shape(shape.name);
            shape.draw_edges(self.choices, &within)
        } else {
            within.extend_edges(self.choices, &given)
        };
        let all = [given.as_slice(), &drawn].concat();
        let is_met =
            drawn.len() == free.len() && own.check_edges(&all).is_ok() && has_form(graph.rule, own.vertices, &all);
        let (ends, first) = (graph.ends, graph.first_vertex);
        for (line, (u, v)) in free.into_iter().zip(drawn) {
            lines.edges[line] = Some((ends, (first + u as i128, first + v as i128)));
        }
        is_met
    }
}

impl<'f> GraphLines<'f> {
    fn condition(&self, graph: usize) -> Option<&'f [Comparison]> {
        let rule: &'f GraphConstraint = self.graphs[graph].rule;
        match rule.selection()? {
            EdgeSelection::When(comparisons) => Some(comparisons),
            EdgeSelection::Slice(..) => None,
        }
    }

    /// Returns the edges of a graph that are drawn, and its lines that have none. Returns `None` if one of the edges is
    /// no edge of this graph.
    fn split_members(&self, at: usize) -> Option<SplitMembers> {
        let graph = &self.graphs[at];
        let (mut given, mut free) = (Vec::new(), Vec::new());
        let vertex = |number: i128| usize::try_from(number - graph.first_vertex).ok().filter(|v| *v < graph.vertices);
        for line in &graph.members {
            match self.edges[*line] {
                None => free.push(*line),
                Some((ends, (u, v))) if ends == graph.ends => given.push((vertex(u)?, vertex(v)?)),
                Some(_) => return None,
            }
        }
        Some((given, free))
    }

    /// Returns the graph of all lines that a graph is a part of.
    fn whole_graph_of(&self, at: usize) -> Option<&LineGraph<'_>> {
        let part = &self.graphs[at];
        let is_whole = |other: &&LineGraph<'_>| other.rule.selection().is_none() && other.ends == part.ends;
        self.graphs.iter().find(is_whole).filter(|_| part.rule.selection().is_some())
    }

    fn into_limits(self) -> Vec<Vec<Comparison>> {
        let is = |field, number| compare_with_constant(&Expr::Field(field), ComparisonOperator::Equal, number);
        let with_edge = |(mut limits, edge): (Vec<Comparison>, Option<LineEdge>)| {
            if let Some(((from, to), (u, v))) = edge {
                limits.extend([is(from, u), is(to, v)]);
            }
            limits
        };
        self.limits.into_iter().zip(self.edges).map(with_edge).collect()
    }
}

/// Returns the graphs on the lines of a block, those over some lines first.
fn graphs_on_lines(format: &Format, block: BlockId) -> Vec<&GraphConstraint> {
    let mut found: Vec<&GraphConstraint> = format
        .graphs()
        .map(|(_, graph)| graph)
        .filter(|graph| graph.edge_lines().is_some_and(|(lines, _)| lines == block))
        .collect();
    found.sort_by_key(|graph| graph.selection().is_none());
    found
}

fn line_graphs<'f>(
    rules: &[&'f GraphConstraint],
    holder: &ValueScope<'_>,
) -> Result<Vec<LineGraph<'f>>, GenerationError> {
    let mut found = Vec::new();
    for rule in rules {
        let end = |expr| value::evaluate_number(expr, holder).ok();
        let (Some(first), Some(last), Some((_, ends))) =
            (end(&rule.vertices.0), end(&rule.vertices.1), rule.edge_lines())
        else {
            let message = "the number of vertices of a graph is not known".to_owned();
            return Err(GenerationError::with_message(message));
        };
        let vertices = usize::try_from(last - first + 1).unwrap_or(0);
        found.push(LineGraph { rule, ends, first_vertex: first, vertices, members: Vec::new() });
    }
    Ok(found)
}

fn slice_lines(first: &Expr, last: &Expr, count: usize, holder: &ValueScope<'_>) -> Vec<usize> {
    let index = |expr: &Expr| value::evaluate_number(expr, holder).unwrap_or(0);
    let place = |number: i128| usize::try_from(number.max(0)).unwrap_or(count).min(count);
    (place(index(first) - 1)..place(index(last))).collect()
}

/// Returns the requirements on a part of a graph: what holds of all edges holds of some.
fn restrict_to_whole(part: GraphRequirements, whole: &GraphRequirements) -> GraphRequirements {
    let same_directions = part.directed == whole.directed;
    GraphRequirements {
        simple: part.simple || whole.simple,
        loopless: part.loopless || whole.loopless,
        acyclic: part.acyclic || whole.acyclic && same_directions,
        bipartite: part.bipartite || whole.bipartite,
        depth: part.depth.or(whole.depth),
        max_degree: part.max_degree.into_iter().chain(whole.max_degree).min(),
        ..part
    }
}

/// Returns true if a path has no branch, and a star has a centre.
fn has_form(rule: &GraphConstraint, vertices: usize, edges: &[(usize, usize)]) -> bool {
    let is_limited = rule.has_property(GraphProperty::Path) || rule.has_property(GraphProperty::Star);
    if !is_limited {
        return true;
    }
    let mut degrees = vec![0_usize; vertices];
    edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| degrees[end] += 1);
    let is_path = degrees.iter().all(|degree| *degree <= 2);
    let is_star = vertices <= 2 || degrees.iter().any(|degree| degree + 1 >= vertices);
    (is_path || !rule.has_property(GraphProperty::Path)) && (is_star || !rule.has_property(GraphProperty::Star))
}

/// A kind of line: the graphs with conditions that it belongs to.
struct LineKind {
    belongs: Vec<bool>,
    /// Values of a field that make a line of this kind, if a single field decides.
    values: Option<(FieldId, Vec<i128>)>,
}

impl LineKind {
    fn draw_limits(&self, generator: &mut InstanceGenerator<'_, '_>, conditions: &[&[Comparison]]) -> Vec<Comparison> {
        if let Some((field, values)) = &self.values {
            let value = generator.choices.pick_item(values).copied();
            let is = |value| compare_with_constant(&Expr::Field(*field), ComparisonOperator::Equal, value);
            return value.map(is).into_iter().collect();
        }
        let mut limits = Vec::new();
        for (condition, belongs) in conditions.iter().zip(&self.belongs) {
            if *belongs {
                limits.extend(condition.iter().cloned());
            } else if let Some(broken) = generator.choices.pick_item(condition) {
                limits.push(Comparison { sign: broken.sign.negate_operator(), ..broken.clone() });
            }
        }
        limits
    }
}

/// Returns the kinds of lines that the conditions allow: those of each value, if all conditions compare the same field
/// with known numbers; else lines of one graph at most.
fn line_kinds(format: &Format, conditions: &[&[Comparison]], holder: &ValueScope<'_>) -> Vec<LineKind> {
    if let Some(kinds) = kinds_by_value(format, conditions, holder) {
        return kinds;
    }
    let one = |nth: Option<usize>| LineKind {
        belongs: (0..conditions.len()).map(|i| nth == Some(i)).collect(),
        values: None,
    };
    std::iter::once(None).chain((0..conditions.len()).map(Some)).map(one).collect()
}

fn kinds_by_value(format: &Format, conditions: &[&[Comparison]], holder: &ValueScope<'_>) -> Option<Vec<LineKind>> {
    let sides: Vec<Vec<FieldBound>> = conditions
        .iter()
        .map(|condition| condition.iter().map(|one| field_bound(one, holder)).collect::<Option<Vec<_>>>())
        .collect::<Option<_>>()?;
    let field = sides.iter().flatten().map(|(field, ..)| *field).next()?;
    if sides.iter().flatten().any(|(other, ..)| *other != field) {
        return None;
    }
    let range = format.field(field).range;
    if range.hi.checked_sub(range.lo)? >= MAX_VALUES {
        return None;
    }
    let mut kinds: Vec<LineKind> = Vec::new();
    for value in range.lo..=range.hi {
        let belongs: Vec<bool> =
            sides.iter().map(|all| all.iter().all(|(_, sign, number)| sign.compare(&value, number))).collect();
        match kinds.iter_mut().find(|kind| kind.belongs == belongs) {
            Some(kind) => kind.values.iter_mut().for_each(|(_, values)| values.push(value)),
            None => kinds.push(LineKind { belongs, values: Some((field, vec![value])) }),
        }
    }
    Some(kinds)
}

/// A field, and how it compares with a number.
type FieldBound = (FieldId, ComparisonOperator, i128);

/// Returns a comparison as one of a field with a known number.
fn field_bound(comparison: &Comparison, holder: &ValueScope<'_>) -> Option<FieldBound> {
    let ([left], [right], 0) = (&comparison.left[..], &comparison.right[..], comparison.decimals) else { return None };
    match (left, right) {
        (Expr::Field(field), number) => Some((*field, comparison.sign, value::evaluate_number(number, holder).ok()?)),
        _ => None,
    }
}

/// The numbers of lines that graphs get.
struct Quota {
    ranges: Vec<(usize, usize)>,
    wanted: Vec<usize>,
    taken: Vec<usize>,
}

impl Quota {
    /// Draws how many lines each graph should have.
    fn new(generator: &mut InstanceGenerator<'_, '_>, ranges: &[(usize, usize)]) -> Quota {
        let mut draw = |(least, most): &(usize, usize)| {
            let number = generator.choices.draw_range(*least as i128, *most as i128);
            usize::try_from(number).unwrap_or(*least)
        };
        Quota { ranges: ranges.to_vec(), wanted: ranges.iter().map(&mut draw).collect(), taken: vec![0; ranges.len()] }
    }

    /// Chooses the kind of the next of `left` lines: any one, but one that graphs still need once lines are few.
    fn choose_kind<'k>(
        &mut self,
        generator: &mut InstanceGenerator<'_, '_>,
        kinds: &'k [LineKind],
        left: usize,
    ) -> Option<&'k LineKind> {
        let fits = |kind: &&LineKind, most: &dyn Fn(usize) -> usize| {
            kind.belongs.iter().enumerate().all(|(nth, belongs)| !belongs || self.taken[nth] < most(nth))
        };
        let needed = |nth: usize| self.ranges[nth].0.saturating_sub(self.taken[nth]);
        let needs =
            |kind: &LineKind| (0..self.taken.len()).filter(|nth| kind.belongs[*nth] && needed(*nth) > 0).count();
        let mut allowed: Vec<&LineKind> = kinds.iter().filter(|kind| fits(kind, &|nth| self.wanted[nth])).collect();
        if allowed.is_empty() {
            allowed = kinds.iter().filter(|kind| fits(kind, &|nth| self.ranges[nth].1)).collect();
        }
        if left <= (0..self.taken.len()).map(needed).sum() {
            let most = allowed.iter().map(|kind| needs(kind)).max()?;
            allowed.retain(|kind| needs(kind) == most);
        }
        let kind = *generator.choices.pick_item(&allowed)?;
        self.taken.iter_mut().zip(&kind.belongs).for_each(|(taken, belongs)| *taken += usize::from(*belongs));
        Some(kind)
    }

    fn is_met(&self) -> bool {
        self.taken.iter().zip(&self.ranges).all(|(taken, (least, most))| (*least..=*most).contains(taken))
    }
}

// Blocks of edges and blocks in sorted order: the possible values of an instance depend on the whole list.

/// The edges that become the instances of a block.
#[derive(Debug)]
pub(super) struct EdgeList {
    pub(super) fields: (FieldId, FieldId),
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
        self.draw_graph(rule, false, count, holder)
    }

    /// Draws the edges of a graph, whose directions are as shapes have them if it is directed.
    pub(super) fn draw_graph(
        &mut self,
        rule: &GraphConstraint,
        is_directed: bool,
        count: usize,
        holder: &ValueScope<'_>,
    ) -> Result<Option<EdgeList>, GenerationError> {
        let end = |expr| value::evaluate_number(expr, holder).ok();
        let (Some(first), Some(last)) = (end(&rule.vertices.0), end(&rule.vertices.1)) else {
            return Err(GenerationError::with_message("the number of vertices of a graph is not known"));
        };
        let vertices = usize::try_from(last - first + 1).unwrap_or(0);
        let shape = self.choose_graph_shape(rule);
        self.record_used_shape(shape.name);
        let mut requirements = graph_requirements(rule, vertices, count);
        requirements.directed |= is_directed;
        if rule.drawn_degrees != DegreeRule::Any {
            requirements.degrees = rule.drawn_degrees;
        }
        let pairs = shape.draw_edges(self.choices, &requirements);
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
        order.instance_limits(before, evaluate_range(&order.expr, &PartialRanges::new(holder)), after as i128)
    };
    orders.flat_map(limits_of).collect()
}

// Trees given by parents: in `p[n-1]`, the k-th number is the parent of vertex k + 1.

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
        // A tree of limited depth is drawn below its first vertex.
        let top = if rule.depth_range().is_some() { 0 } else { root };
        let parent = root_tree(vertices, &edges, top);
        let mut order: Vec<usize> = (0..vertices).collect();
        if self.choices.draw_chance(1, 2) {
            // Each parent precedes its children, as in most statements.
            order = breadth_first_order(&parent, top);
        }
        // Vertex order[i] is renamed to i, but the root has the number that is left.
        let mut name = vec![0; vertices];
        let mut free = (0..vertices).filter(|v| *v != root);
        for vertex in order.into_iter().filter(|v| *v != top) {
            name[vertex] = free.next()?;
        }
        name[top] = root;
        let mut named = vec![0; vertices];
        for vertex in (0..vertices).filter(|v| *v != top) {
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
