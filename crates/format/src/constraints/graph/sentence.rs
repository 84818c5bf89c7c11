//! The sentence about the properties of a graph.

use crate::constraints::{Phrases, check_comparison, inline_math};
use crate::model::{BlockId, Comparison, EdgeSelection, Expr, Format, GraphConstraint, GraphEdges, GraphProperty};
use crate::value::{self, EvalError, Value, ValueScope};
use rebut_diagnostics::{count_with_noun, list_and};

/// Returns the sentence about the properties of a graph.
pub(super) fn graph_sentence(graph: &GraphConstraint, phrases: &dyn Phrases) -> String {
    let (first, last) = (phrases.expression_tex(&graph.vertices.0), phrases.expression_tex(&graph.vertices.1));
    let edges = match &graph.edges {
        GraphEdges::Lines { ends, .. } => {
            let (from, to) = (phrases.field_tex(ends.0), phrases.field_tex(ends.1));
            let pair = inline_math(&format!("({from}, {to})"));
            match graph.selection() {
                None => format!("the edges {pair}"),
                Some(selection) => selected_edges(selection, &pair, phrases),
            }
        }
        GraphEdges::Parents { .. } => "these parents".to_owned(),
    };
    let range = format!("{first}, \\dots, {last}");
    let subject = format!("The graph with the vertices {} and {edges}", inline_math(&range));
    let predicates = property_predicates(graph);
    if predicates.is_empty() {
        let kind = if graph.has_property(GraphProperty::Directed) { "directed" } else { "undirected" };
        let any = if is_unrestricted(graph, phrases.format()) { "; it may have loops and multiple edges" } else { "" };
        return format!("{subject} is {kind}{any}.");
    }
    format!("{subject} {}.", list_and(&predicates))
}

/// Returns `the first $n - 1$ edges $(u, v)$`, or `those edges $(u, v)$ for which $c = 1$`.
fn selected_edges(selection: &EdgeSelection, pair: &str, phrases: &dyn Phrases) -> String {
    let tex = |expr: &Expr| inline_math(&phrases.expression_tex(expr));
    match selection {
        EdgeSelection::Slice(Expr::Constant(1), last) => format!("the first {} edges {pair}", tex(last)),
        EdgeSelection::Slice(first, last) => format!("the edges {pair} from number {} to {}", tex(first), tex(last)),
        EdgeSelection::When(all) => {
            let conditions: Vec<String> = all.iter().map(|one| phrases.comparison_sentence(one)).collect();
            let conditions: Vec<&str> = conditions.iter().map(|text| text.trim_end_matches('.')).collect();
            format!("those edges {pair} for which {}", list_and(&conditions))
        }
    }
}

/// Returns true if the ends of the edges have no constraints except bounds.
fn is_unrestricted(graph: &GraphConstraint, format: &Format) -> bool {
    let Some((_, (from, to))) = graph.line_edges() else { return false };
    format.constraints.iter().filter(|c| c.rule.graph().is_none()).all(|c| {
        let (mentions_from, mentions_to) = (c.rule.mentions_field(from), c.rule.mentions_field(to));
        if c.rule.comparison().is_some() { !(mentions_from && mentions_to) } else { !mentions_from && !mentions_to }
    })
}

fn property_predicates(graph: &GraphConstraint) -> Vec<String> {
    let has = |property| graph.properties.contains(&property);
    let directed = has(GraphProperty::Directed);
    let mut found = Vec::new();
    if has(GraphProperty::Path) {
        found.push("is a path".to_owned());
    }
    if has(GraphProperty::Star) {
        found.push("is a star: one vertex is an end of every edge".to_owned());
    }
    if has(GraphProperty::Tree) {
        found.push("is a tree".to_owned());
    }
    if has(GraphProperty::Acyclic) {
        found.push(if directed { "has no directed cycles" } else { "is a forest: it has no cycles" }.to_owned());
    }
    if has(GraphProperty::StronglyConnected) {
        found.push("is strongly connected: each vertex can be reached from each other".to_owned());
    }
    if has(GraphProperty::Connected) {
        let how = if directed { "is connected if the directions are ignored" } else { "is connected" };
        found.push(how.to_owned());
    }
    if has(GraphProperty::Bipartite) {
        found.push("is bipartite".to_owned());
    }
    if let Some(most) = graph.max_degree() {
        found.push(format!("has at most {} at each vertex", count_with_noun(most as usize, "edge")));
    }
    match graph.depth_range() {
        None => {}
        Some((least, most)) if least == most => found.push(format!("has depth {most}")),
        Some((0, most)) => found.push(format!("has depth at most {most}")),
        Some((least, most)) => found.push(format!("has a depth from {least} to {most}")),
    }
    if has(GraphProperty::EvenDegrees) {
        found.push("has an even number of edges at each vertex".to_owned());
    }
    if has(GraphProperty::Regular) {
        found.push("has the same number of edges at each vertex".to_owned());
    }
    if has(GraphProperty::Simple) {
        found.push("has neither loops nor multiple edges".to_owned());
    } else if has(GraphProperty::Loopless) {
        found.push("has no loops".to_owned());
    }
    found
}

// Graphs over some lines of a block: those from one number to another, or those for which comparisons hold.

impl GraphConstraint {
    /// Returns the lines that are edges, or `None` if all lines of the block are, or the edges are parents.
    pub(crate) fn selection(&self) -> Option<&EdgeSelection> {
        match &self.edges {
            GraphEdges::Lines { selection, .. } => selection.as_ref(),
            GraphEdges::Parents { .. } => None,
        }
    }

    /// Returns the graph of all lines of the block.
    pub(crate) fn without_selection(&self) -> GraphConstraint {
        let mut whole = self.clone();
        if let GraphEdges::Lines { selection, .. } = &mut whole.edges {
            *selection = None;
        }
        whole
    }
}

impl EdgeSelection {
    /// Returns the indices of the lines that are edges, or `None` if they are not known yet.
    pub(crate) fn selected_lines(&self, block: BlockId, scope: &ValueScope<'_>) -> Option<Vec<usize>> {
        let (holder, instances) = scope.instances_of(block)?;
        match self {
            EdgeSelection::Slice(first, last) => {
                let index = |expr| value::evaluate_number(expr, scope).ok();
                let first = usize::try_from((index(first)? - 1).max(0)).ok()?;
                let end = usize::try_from(index(last)?.clamp(0, instances.len() as i128)).ok()?;
                Some((first..end).collect())
            }
            EdgeSelection::When(comparisons) => {
                let mut found = Vec::new();
                for (i, instance) in instances.iter().enumerate() {
                    let line = holder.for_instance(block, instance);
                    if all_hold(comparisons, &line)? {
                        found.push(i);
                    }
                }
                Some(found)
            }
        }
    }
}

/// Returns true if all comparisons hold, as those of an `if` do, or `None` if something in them is not known yet.
fn all_hold(comparisons: &[Comparison], scope: &ValueScope<'_>) -> Option<bool> {
    let holds = |comparison: &Comparison| match check_comparison(comparison, scope) {
        Ok(broken) => Some(broken.is_none()),
        Err(EvalError::Empty | EvalError::Absent(_)) => Some(true),
        Err(EvalError::Undefined) => Some(false),
        Err(EvalError::Missing) => None,
    };
    let mut all = true;
    for comparison in comparisons {
        all &= holds(comparison)?;
    }
    Some(all)
}

/// Returns the first selected line that ends at something that is no vertex.
pub(super) fn find_outside_line(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<usize> {
    let (block, ends) = rule.edge_lines()?;
    let vertex = |expr| value::evaluate_number(expr, scope).ok();
    let (first, last) = (vertex(&rule.vertices.0)?, vertex(&rule.vertices.1)?);
    let (_, instances) = scope.instances_of(block)?;
    let slots = [ends.0, ends.1].map(|end| scope.format.field(end).slot);
    let is_outside = |instance: &[Value]| {
        let numbers = slots.iter().filter_map(|slot| instance.get(*slot)?.as_int());
        numbers.into_iter().any(|number| number < first || number > last)
    };
    let selected = rule.selection()?.selected_lines(block, scope)?;
    selected.into_iter().find(|line| instances.get(*line).is_some_and(is_outside))
}
