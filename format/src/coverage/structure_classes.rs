//! Structure classes: a path and a star among trees, sorted and reversed arrays, palindromic texts.
//!
//! Many bugs show up for one class only: recursion as deep as a path, a pivot that a sorted array defeats. A class is
//! a goal only if the format certainly allows it: a goal that a constraint may rule out would be reported as missing
//! forever.

use crate::constraints::collect_edges;
use crate::language::{
    Class as HowMet, Comparison, ComparisonOperator, ConstraintRule, Expr, FieldDimension, FieldId, Format,
    GraphConstraint, GraphEdges, GraphProperty, Interval, reachable_range,
};
use crate::value::{Value, visit_scopes};

/// A structure class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StructureClass {
    Sorted,
    Reversed,
    AllEqual,
    AllDifferent,
    Palindrome,
    Path,
    Star,
    Caterpillar,
    OtherTree,
    Connected,
    Disconnected,
    Bipartite,
    NotBipartite,
    Complete,
    Cyclic,
}

/// A part of a format with a structure.
#[derive(Clone, Debug)]
pub(super) enum StructureSubject {
    /// The numbers of an array.
    Numbers(FieldId),
    /// The characters of a text.
    Text(FieldId),
    /// The graph of the constraint with this index.
    Graph(usize),
}

/// Minimum length of arrays and texts with a structure.
const MIN_LENGTH: usize = 3;
/// With fewer vertices, paths, stars and caterpillars are the same.
const MIN_TREE_VERTICES: usize = 4;

impl StructureClass {
    /// Returns the description for reports.
    pub(super) fn description(self) -> &'static str {
        match self {
            StructureClass::Sorted => "sorted",
            StructureClass::Reversed => "sorted in reverse",
            StructureClass::AllEqual => "all equal",
            StructureClass::AllDifferent => "all different",
            StructureClass::Palindrome => "a palindrome",
            StructureClass::Path => "a path",
            StructureClass::Star => "a star",
            StructureClass::Caterpillar => "a caterpillar",
            StructureClass::OtherTree => "a tree that is not a caterpillar",
            StructureClass::Connected => "connected",
            StructureClass::Disconnected => "not connected",
            StructureClass::Bipartite => "bipartite",
            StructureClass::NotBipartite => "not bipartite",
            StructureClass::Complete => "complete",
            StructureClass::Cyclic => "with a cycle",
        }
    }

    fn bit_mask(self) -> u32 {
        1 << self as u32
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StructureClassSet(u32);

impl StructureClassSet {
    pub(super) fn contains_class(self, class: StructureClass) -> bool {
        self.0 & class.bit_mask() != 0
    }

    fn add_class_if(&mut self, class: StructureClass, is: bool) {
        if is {
            self.0 |= class.bit_mask();
        }
    }
}

/// Returns all subjects of a format with their names, and the classes that the format allows.
pub(super) fn find_subjects(format: &Format) -> Vec<(StructureSubject, String, Vec<StructureClass>)> {
    let mut found = Vec::new();
    for id in (0..format.fields.len()).map(FieldId) {
        let field = format.field(id);
        if field.dimensions.len() != 1
            || field.word_choices().is_some()
            || length_range(format, id).hi < MIN_LENGTH as i128
        {
            continue;
        }
        let (subject, classes) = match field.alphabet() {
            Some(letters) if letters.len() > 1 => (StructureSubject::Text(id), possible_text_classes(format, id)),
            Some(_) => continue,
            None => (StructureSubject::Numbers(id), possible_array_classes(format, id)),
        };
        found.push((subject, field.name.clone(), classes));
    }
    for (i, constraint) in format.constraints.iter().enumerate() {
        if let Some(rule) = constraint.rule.graph() {
            found.push((StructureSubject::Graph(i), graph_name(format, rule), possible_graph_classes(format, rule)));
        }
    }
    found.retain(|(_, _, classes)| !classes.is_empty());
    found
}

/// Returns the range of the length of an array or a text of one dimension.
fn length_range(format: &Format, id: FieldId) -> Interval {
    dimension_range(format, id, format.field(id).dimensions.len().saturating_sub(1))
}

/// Returns the range of the size of a dimension.
pub(super) fn dimension_range(format: &Format, id: FieldId, dimension: usize) -> Interval {
    let field = format.field(id);
    match field.dimensions.get(dimension) {
        Some(FieldDimension::Free) => field.length,
        Some(FieldDimension::Size(Expr::Field(size))) => reachable_range(format, *size),
        Some(FieldDimension::Size(Expr::Constant(size))) => Interval::new(*size, *size),
        _ => Interval::new(0, i128::from(u32::MAX)),
    }
}

/// Returns true if a constraint leaves each number of an array free within bounds, regardless of the others.
pub(super) fn leaves_elements_free(comparison: &Comparison, id: FieldId) -> bool {
    let is_bound = |side: &[Expr]| match side {
        _ if !side.iter().any(|expr| expr.mentions_field(id)) => true,
        [Expr::Field(_) | Expr::Length(_)] => true,
        [Expr::Fold(..)] => comparison.sign != ComparisonOperator::Equal,
        _ => false,
    };
    comparison.sign != ComparisonOperator::NotEqual && is_bound(&comparison.left) && is_bound(&comparison.right)
}

fn possible_array_classes(format: &Format, id: FieldId) -> Vec<StructureClass> {
    use StructureClass::{AllDifferent, AllEqual, Reversed, Sorted};
    let mut classes = vec![Sorted, Reversed, AllEqual, AllDifferent];
    let range = format.field(id).range;
    let (values, shortest) = (range.hi.saturating_sub(range.lo).saturating_add(1), length_range(format, id).lo);
    for constraint in format.constraints.iter().filter(|c| c.rule.mentions_field(id)) {
        let rule = &constraint.rule;
        if rule.comparison().is_some_and(|comparison| leaves_elements_free(comparison, id)) {
            // The sum of all elements may be too small for large ones, and too large for equal ones.
            if constraint.class == HowMet::Budget {
                classes.retain(|class| !matches!(class, AllEqual | AllDifferent));
            }
        } else if rule.distinct_elements().is_some() {
            classes.retain(|class| matches!(class, Sorted | Reversed));
        } else if let Some(order) = rule.order() {
            let is_strict = matches!(order.sign, ComparisonOperator::Less | ComparisonOperator::Greater);
            classes.retain(|class| !is_strict && matches!(class, AllEqual | AllDifferent));
        } else {
            return Vec::new();
        }
    }
    classes.retain(|class| match class {
        AllDifferent => values >= shortest.max(MIN_LENGTH as i128),
        Sorted | Reversed => values >= 2,
        _ => true,
    });
    classes
}

fn possible_text_classes(format: &Format, id: FieldId) -> Vec<StructureClass> {
    let is_loose = |comparison: &Comparison| leaves_elements_free(comparison, id);
    let mut rules = format.constraints.iter().map(|c| &c.rule).filter(|rule| rule.mentions_field(id));
    let all_are = rules.all(|rule| rule.comparison().is_some_and(is_loose));
    if all_are { vec![StructureClass::AllEqual, StructureClass::Palindrome] } else { Vec::new() }
}

fn possible_graph_classes(format: &Format, rule: &GraphConstraint) -> Vec<StructureClass> {
    use StructureClass::{
        Bipartite, Caterpillar, Complete, Connected, Cyclic, Disconnected, NotBipartite, OtherTree, Path, Star,
    };
    if rule.has_property(GraphProperty::Path) || rule.has_property(GraphProperty::Star) {
        return Vec::new();
    }
    let (edges, counts) = edge_fields(format, rule);
    let concerned = |c: &&crate::language::Constraint| edges.iter().any(|id| c.rule.mentions_field(*id));
    let is_free = |rule: &ConstraintRule| {
        let leaves_free = |comparison: &Comparison| edges.iter().all(|id| leaves_elements_free(comparison, *id));
        rule.graph().is_some() || rule.comparison().is_some_and(leaves_free)
    };
    // Any other condition on single edges, such as `u < v` or a formula, may rule out a star.
    let is_restricted = !format.constraints.iter().filter(concerned).all(|c| is_free(&c.rule));
    let is_tree = rule.has_property(GraphProperty::Tree);
    let is_acyclic = rule.has_property(GraphProperty::Acyclic);
    if rule.has_property(GraphProperty::Directed) {
        let tree = if is_tree { vec![Path, Star] } else { vec![Disconnected] };
        let tree =
            if is_restricted || rule.has_property(GraphProperty::Connected) && !is_tree { Vec::new() } else { tree };
        return if is_acyclic || is_restricted { tree } else { [tree, vec![Cyclic]].concat() };
    }
    if is_restricted {
        return Vec::new();
    }
    if is_tree || matches!(rule.edges, GraphEdges::Parents { .. }) {
        return if is_tree { vec![Path, Star, Caterpillar, OtherTree] } else { Vec::new() };
    }
    let is_count_tied = format.comparisons().any(|comparison| {
        counts.iter().any(|id| comparison.mentions_field(*id)) && comparison.sign == ComparisonOperator::Equal
    });
    if is_count_tied {
        return Vec::new();
    }
    let mut classes = Vec::new();
    if !rule.has_property(GraphProperty::Connected) {
        classes.extend([Connected, Disconnected]);
    }
    if !is_acyclic && !rule.has_property(GraphProperty::Bipartite) {
        classes.extend([Bipartite, NotBipartite]);
        classes.extend(rule.has_property(GraphProperty::Simple).then_some(Complete));
    }
    classes
}

/// Returns the fields that hold the edges of a graph, and those that determine the number of edges.
fn edge_fields(format: &Format, rule: &GraphConstraint) -> (Vec<FieldId>, Vec<FieldId>) {
    match &rule.edges {
        GraphEdges::Lines { block, ends } => {
            let mut counts = Vec::new();
            format.block(*block).count.visit_fields(&mut |field| counts.push(field));
            (vec![ends.0, ends.1], counts)
        }
        GraphEdges::Parents { field, .. } => (vec![*field], Vec::new()),
    }
}

fn graph_name(format: &Format, rule: &GraphConstraint) -> String {
    match &rule.edges {
        GraphEdges::Lines { ends, .. } => {
            format!("edges ({}, {})", format.field(ends.0).name, format.field(ends.1).name)
        }
        GraphEdges::Parents { field, .. } => format!("parents {}", format.field(*field).name),
    }
}

impl StructureSubject {
    /// Returns the classes of this subject in an input; with several arrays or graphs, the classes of all of them.
    pub(super) fn classify_value(&self, format: &Format, value: &Value) -> StructureClassSet {
        let mut found = StructureClassSet::default();
        let block = match self {
            StructureSubject::Numbers(id) | StructureSubject::Text(id) => format.field(*id).block,
            StructureSubject::Graph(i) => format.constraints[*i].home_block,
        };
        visit_scopes(format, value, block, &mut |scope| match self {
            StructureSubject::Numbers(id) => {
                if let Some(Value::Ints(numbers)) = scope.field_value(*id) {
                    classify_array(numbers, &mut found);
                }
            }
            StructureSubject::Text(id) => {
                if let Some(Value::Text(letters)) = scope.field_value(*id) {
                    classify_text(letters, &mut found);
                }
            }
            StructureSubject::Graph(i) => {
                let Some(rule) = format.constraints[*i].rule.graph() else { return };
                if let Some((vertices, edges)) = collect_edges(rule, scope) {
                    classify_graph(vertices, &edges, rule.has_property(GraphProperty::Directed), &mut found);
                }
            }
        });
        found
    }
}

fn classify_array(numbers: &[i128], found: &mut StructureClassSet) {
    if numbers.len() < MIN_LENGTH {
        return;
    }
    let is_flat = numbers.windows(2).all(|w| w[0] == w[1]);
    found.add_class_if(StructureClass::AllEqual, is_flat);
    found.add_class_if(StructureClass::Sorted, !is_flat && numbers.is_sorted());
    found.add_class_if(StructureClass::Reversed, !is_flat && numbers.windows(2).all(|w| w[0] >= w[1]));
    if !found.contains_class(StructureClass::AllDifferent) {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        found.add_class_if(StructureClass::AllDifferent, sorted.windows(2).all(|w| w[0] != w[1]));
    }
}

fn classify_text(letters: &[u8], found: &mut StructureClassSet) {
    if letters.len() < MIN_LENGTH {
        return;
    }
    let is_flat = letters.windows(2).all(|w| w[0] == w[1]);
    found.add_class_if(StructureClass::AllEqual, is_flat);
    found.add_class_if(StructureClass::Palindrome, !is_flat && letters.iter().eq(letters.iter().rev()));
}

fn classify_graph(vertices: usize, edges: &[(usize, usize)], is_directed: bool, found: &mut StructureClassSet) {
    if vertices < MIN_LENGTH {
        return;
    }
    let (pieces, is_bipartite) = analyze_components(vertices, edges);
    found.add_class_if(StructureClass::Connected, pieces == 1);
    found.add_class_if(StructureClass::Disconnected, pieces > 1);
    found.add_class_if(StructureClass::Bipartite, is_bipartite && !edges.is_empty());
    found.add_class_if(StructureClass::NotBipartite, !is_bipartite);
    found.add_class_if(StructureClass::Complete, edges.len() as u128 == vertices as u128 * (vertices as u128 - 1) / 2);
    found.add_class_if(StructureClass::Cyclic, is_directed && has_cycle(vertices, edges));
    if pieces == 1 && edges.len() + 1 == vertices && vertices >= MIN_TREE_VERTICES {
        classify_tree(vertices, edges, found);
    }
}

/// Returns the number of components, and true if no cycle is odd; directions are ignored.
fn analyze_components(vertices: usize, edges: &[(usize, usize)]) -> (usize, bool) {
    let starts = build_adjacency_list(vertices, edges.iter().flat_map(|(u, v)| [(*u, *v), (*v, *u)]));
    let mut side: Vec<Option<bool>> = vec![None; vertices];
    let (mut pieces, mut is_bipartite) = (0, true);
    let mut waiting = Vec::new();
    for start in 0..vertices {
        if side[start].is_some() {
            continue;
        }
        pieces += 1;
        side[start] = Some(false);
        waiting.push(start);
        while let Some(vertex) = waiting.pop() {
            let own = side[vertex] == Some(true);
            for &next in starts.neighbours_of(vertex) {
                match side[next] {
                    None => {
                        side[next] = Some(!own);
                        waiting.push(next);
                    }
                    Some(other) => is_bipartite &= other != own,
                }
            }
        }
    }
    (pieces, is_bipartite)
}

/// Returns true if there is a directed cycle.
fn has_cycle(vertices: usize, edges: &[(usize, usize)]) -> bool {
    let mut entering = vec![0_usize; vertices];
    edges.iter().for_each(|(_, v)| entering[*v] += 1);
    let starts = build_adjacency_list(vertices, edges.iter().copied());
    let mut free: Vec<usize> = (0..vertices).filter(|v| entering[*v] == 0).collect();
    let mut removed = 0;
    while let Some(vertex) = free.pop() {
        removed += 1;
        for &next in starts.neighbours_of(vertex) {
            entering[next] -= 1;
            if entering[next] == 0 {
                free.push(next);
            }
        }
    }
    removed < vertices
}

fn classify_tree(vertices: usize, edges: &[(usize, usize)], found: &mut StructureClassSet) {
    let mut degree = vec![0_usize; vertices];
    for (u, v) in edges {
        degree[*u] += 1;
        degree[*v] += 1;
    }
    // A caterpillar without its leaves is a path: each vertex has at most two neighbours that are not leaves.
    let mut inner = vec![0_usize; vertices];
    for (u, v) in edges {
        inner[*u] += usize::from(degree[*v] > 1);
        inner[*v] += usize::from(degree[*u] > 1);
    }
    let is_path = degree.iter().all(|d| *d <= 2);
    let is_star = degree.contains(&(vertices - 1));
    let is_caterpillar = (0..vertices).all(|v| inner[v] <= 2);
    found.add_class_if(StructureClass::Path, is_path);
    found.add_class_if(StructureClass::Star, is_star);
    found.add_class_if(StructureClass::Caterpillar, is_caterpillar && !is_path && !is_star);
    found.add_class_if(StructureClass::OtherTree, !is_caterpillar);
}

/// The neighbours of all vertices in one vector.
struct AdjacencyList {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl AdjacencyList {
    fn neighbours_of(&self, vertex: usize) -> &[usize] {
        &self.neighbours[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

fn build_adjacency_list(vertices: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> AdjacencyList {
    let mut starts = vec![0; vertices + 1];
    arcs.clone().for_each(|(u, _)| starts[u + 1] += 1);
    for vertex in 0..vertices {
        starts[vertex + 1] += starts[vertex];
    }
    let mut free = starts.clone();
    let mut all = vec![0; starts[vertices]];
    for (u, v) in arcs {
        all[free[u]] = v;
        free[u] += 1;
    }
    AdjacencyList { starts, neighbours: all }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::Coverage;
    use crate::coverage::CoverageGoalKind;
    use crate::language::Format;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

    /// Returns the classes with the number of inputs that reach each: `sorted 1, all equal 0`.
    fn reached_classes(format: &str, inputs: &[&str]) -> String {
        let (format, _) = Format::parse(&SourceText::new("test", format)).unwrap();
        let mut coverage = Coverage::new(&format);
        inputs.iter().for_each(|input| coverage.count_input(&read_input(&format, input.as_bytes()).unwrap()));
        let goals = coverage.goals().filter(|goal| goal.kind == CoverageGoalKind::Structure);
        let goals = goals.map(|goal| format!("{} {}", goal.description, goal.inputs));
        goals.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn arrays_and_texts() {
        let array = "n; a[n] where 1<=n<=9; 1<=a<=9";
        for (inputs, wanted) in [
            (vec![], "a: sorted 0, a: sorted in reverse 0, a: all equal 0, a: all different 0"),
            (
                vec!["3\n1 2 3\n", "3\n3 3 1\n", "4\n2 2 2 2\n", "2\n1 2\n", "3\n1 3 2\n"],
                "a: sorted 1, a: sorted in reverse 1, a: all equal 1, a: all different 2",
            ),
        ] {
            assert_eq!(reached_classes(array, &inputs), wanted);
        }
        let text = "s where s over \"ab\"; 1<=len(s)<=9";
        assert_eq!(reached_classes(text, &["abba\n", "aaa\n", "ab\n", "a\n"]), "s: all equal 1, s: a palindrome 1");
    }

    #[test]
    fn classes_that_constraints_may_rule_out_are_no_goals() {
        for (format, wanted) in [
            ("n; a[n] where 1<=n<=2; 1<=a<=9", ""),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; sorted(a)", "a: all equal 0, a: all different 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; increasing(a)", ""),
            ("n; a[n] where 1<=n<=9; a permutation of 1..n", "a: sorted 0, a: sorted in reverse 0"),
            ("n; a[n] where 5<=n<=9; 1<=a<=4", "a: sorted 0, a: sorted in reverse 0, a: all equal 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; forall i in 1..n-1: a[i] != a[i+1]", ""),
            ("s where 1<=len(s)<=9; s matches \"(ab)+\"", ""),
            ("s where s over \"a\"; 1<=len(s)<=9", ""),
        ] {
            assert_eq!(reached_classes(format, &[]), wanted, "{format}");
        }
    }

    #[test]
    fn trees_and_graphs() {
        let tree = "N\nrepeat N-1:\n    u v\nwhere:\n    1<=N<=9\n    edges (u, v) on 1..N: tree\n";
        let inputs = [
            "4\n1 2\n2 3\n3 4\n",
            "4\n1 2\n1 3\n1 4\n",
            "5\n1 2\n2 3\n3 4\n2 5\n",
            "7\n1 2\n2 3\n1 4\n4 5\n1 6\n6 7\n",
            "3\n1 2\n2 3\n",
        ];
        let of = |class: &str| format!("edges (u, v): {class}");
        let wanted = ["a path", "a star", "a caterpillar", "a tree that is not a caterpillar"].map(|c| of(c) + " 1");
        assert_eq!(reached_classes(tree, &inputs), wanted.join(", "));
        let graph = "N M\nrepeat M:\n    u v\nwhere:\n    1<=N<=9; 0<=M<=20\n    edges (u, v) on 1..N: simple\n";
        let inputs = ["3 3\n1 2\n2 3\n1 3\n", "4 2\n1 2\n3 4\n", "4 0\n"];
        let wanted = ["connected 1", "not connected 2", "bipartite 1", "not bipartite 1", "complete 1"];
        assert_eq!(reached_classes(graph, &inputs), wanted.map(of).join(", "));
        let connected = graph.replace("simple", "simple, connected").replace("0<=M", "N-1<=M");
        let wanted = ["bipartite 0", "not bipartite 0", "complete 0"];
        assert_eq!(reached_classes(&connected, &[]), wanted.map(of).join(", "));
        let directed = graph.replace("simple", "directed, loopless");
        let wanted = ["not connected 1", "with a cycle 1"];
        assert_eq!(reached_classes(&directed, &["3 3\n1 2\n2 3\n3 1\n", "3 1\n1 2\n"]), wanted.map(of).join(", "));
    }
}
