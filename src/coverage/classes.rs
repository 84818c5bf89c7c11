//! Classes of structure: a path and a star among trees, sorted and reversed among arrays, palindromes among texts.
//!
//! Many mistakes show on one class alone: recursion that is as deep as a path, a pivot that a sorted array defeats. A
//! class is a goal only where the format leaves room for it: what some constraint may rule out is not asked for, for
//! a goal that nobody can reach would be told as never reached for ever.

use crate::format::{
    Adjective, Class as HowMet, Comparison, Dimension, Edges, Expr, FieldId, Format, GraphRule, Interval, Over, Rule,
    Sign, reach,
};
use crate::validate::edges_of;
use crate::value::{Value, each_scope};

/// A class of structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Sorted,
    Reversed,
    AllEqual,
    AllDifferent,
    Palindrome,
    Path,
    Star,
    Caterpillar,
    OtherTree,
    OnePiece,
    SeveralPieces,
    Bipartite,
    OddCycle,
    Complete,
    Cyclic,
}

/// What has a structure.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// The numbers of an array.
    Numbers(FieldId),
    /// The letters of a text.
    Text(FieldId),
    /// The graph of that constraint.
    Graph(usize),
}

/// Anything shorter has hardly a structure.
const SHORTEST: usize = 3;
/// Of fewer vertices, paths, stars and caterpillars are the same.
const FEWEST_VERTICES: usize = 4;

impl Class {
    /// As reports name it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Class::Sorted => "sorted",
            Class::Reversed => "sorted the other way round",
            Class::AllEqual => "all equal",
            Class::AllDifferent => "all different",
            Class::Palindrome => "a palindrome",
            Class::Path => "a path",
            Class::Star => "a star",
            Class::Caterpillar => "a caterpillar",
            Class::OtherTree => "a tree that is no caterpillar",
            Class::OnePiece => "connected",
            Class::SeveralPieces => "in several pieces",
            Class::Bipartite => "bipartite",
            Class::OddCycle => "not bipartite",
            Class::Complete => "complete",
            Class::Cyclic => "with a cycle",
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classes(u32);

impl Classes {
    pub(super) fn has(self, class: Class) -> bool {
        self.0 & class.bit() != 0
    }

    fn add_if(&mut self, class: Class, is: bool) {
        if is {
            self.0 |= class.bit();
        }
    }
}

/// Everything in a format that has a structure: its name, and the classes that there is room for.
pub(super) fn subjects(format: &Format) -> Vec<(Subject, String, Vec<Class>)> {
    let mut found = Vec::new();
    for id in (0..format.fields.len()).map(FieldId) {
        let field = format.field(id);
        if field.dimensions.len() != 1 || field.words().is_some() || length(format, id).hi < SHORTEST as i128 {
            continue;
        }
        let (subject, classes) = match field.letters() {
            Some(letters) if letters.len() > 1 => (Subject::Text(id), of_text(format, id)),
            Some(_) => continue,
            None => (Subject::Numbers(id), of_numbers(format, id)),
        };
        found.push((subject, field.name.clone(), classes));
    }
    for (i, constraint) in format.constraints.iter().enumerate() {
        if let Rule::Graph(rule) = &constraint.rule {
            found.push((Subject::Graph(i), name_of(format, rule), of_graph(format, rule)));
        }
    }
    found.retain(|(_, _, classes)| !classes.is_empty());
    found
}

/// How long an array or a text of one dimension can be.
fn length(format: &Format, id: FieldId) -> Interval {
    let field = format.field(id);
    match field.dimensions.last() {
        Some(Dimension::Free) => field.length,
        Some(Dimension::Size(Expr::Field(size))) => reach(format, *size),
        Some(Dimension::Size(Expr::Constant(size))) => Interval::new(*size, *size),
        _ => Interval::new(0, i128::from(u32::MAX)),
    }
}

/// Whether a constraint leaves each number of an array free within bounds, whatever the others are.
fn is_loose(comparison: &Comparison, id: FieldId) -> bool {
    let is_bound = |side: &[Expr]| match side {
        _ if !side.iter().any(|expr| expr.mentions(id)) => true,
        [Expr::Field(_) | Expr::Length(_)] => true,
        [Expr::Fold(..)] => comparison.sign != Sign::Equal,
        _ => false,
    };
    comparison.sign != Sign::NotEqual && is_bound(&comparison.left) && is_bound(&comparison.right)
}

fn of_numbers(format: &Format, id: FieldId) -> Vec<Class> {
    use Class::{AllDifferent, AllEqual, Reversed, Sorted};
    let mut classes = vec![Sorted, Reversed, AllEqual, AllDifferent];
    let range = format.field(id).range;
    let (values, shortest) = (range.hi.saturating_sub(range.lo).saturating_add(1), length(format, id).lo);
    for constraint in format.constraints.iter().filter(|c| c.rule.mentions(id)) {
        match &constraint.rule {
            Rule::Compare(comparison) if is_loose(comparison, id) => {
                // What all of them add up to may be too small for large ones, and too large for equal ones.
                if constraint.class == HowMet::Budget {
                    classes.retain(|class| !matches!(class, AllEqual | AllDifferent));
                }
            }
            Rule::Distinct(parts, Over::Elements) if matches!(parts[..], [Expr::Field(_)]) => {
                classes.retain(|class| matches!(class, Sorted | Reversed));
            }
            Rule::Ordered(_, Sign::Less | Sign::Greater, _) => classes.clear(),
            Rule::Ordered(..) => classes.retain(|class| matches!(class, AllEqual | AllDifferent)),
            _ => return Vec::new(),
        }
    }
    classes.retain(|class| match class {
        AllDifferent => values >= shortest.max(SHORTEST as i128),
        Sorted | Reversed => values >= 2,
        _ => true,
    });
    classes
}

fn of_text(format: &Format, id: FieldId) -> Vec<Class> {
    let is_loose = |rule: &Rule| matches!(rule, Rule::Compare(comparison) if is_loose(comparison, id));
    let all_are = format.constraints.iter().filter(|c| c.rule.mentions(id)).all(|c| is_loose(&c.rule));
    if all_are { vec![Class::AllEqual, Class::Palindrome] } else { Vec::new() }
}

fn of_graph(format: &Format, rule: &GraphRule) -> Vec<Class> {
    use Class::{Bipartite, Caterpillar, Complete, Cyclic, OddCycle, OnePiece, OtherTree, Path, SeveralPieces, Star};
    if rule.is(Adjective::Path) || rule.is(Adjective::Star) {
        return Vec::new();
    }
    let (edges, counts) = edge_fields(format, rule);
    let concerned = |c: &&crate::format::Constraint| edges.iter().any(|id| c.rule.mentions(*id));
    let is_free = |rule: &Rule| match rule {
        Rule::Compare(comparison) => edges.iter().all(|id| is_loose(comparison, *id)),
        Rule::Graph(_) => true,
        _ => false,
    };
    // Whatever else is said of single edges, `u < v` or a formula, may leave no room for a star.
    let is_restricted = !format.constraints.iter().filter(concerned).all(|c| is_free(&c.rule));
    let is_tree = rule.is(Adjective::Tree);
    let is_acyclic = rule.is(Adjective::Acyclic);
    if rule.is(Adjective::Directed) {
        let tree = if is_tree { vec![Path, Star] } else { vec![SeveralPieces] };
        let tree = if is_restricted || rule.is(Adjective::Connected) && !is_tree { Vec::new() } else { tree };
        return if is_acyclic || is_restricted { tree } else { [tree, vec![Cyclic]].concat() };
    }
    if is_restricted {
        return Vec::new();
    }
    if is_tree || matches!(rule.edges, Edges::Parents { .. }) {
        return if is_tree { vec![Path, Star, Caterpillar, OtherTree] } else { Vec::new() };
    }
    let is_count_tied = format.constraints.iter().any(|c| match &c.rule {
        Rule::Compare(comparison) => counts.iter().any(|id| comparison.mentions(*id)) && comparison.sign == Sign::Equal,
        _ => false,
    });
    if is_count_tied {
        return Vec::new();
    }
    let mut classes = Vec::new();
    if !rule.is(Adjective::Connected) {
        classes.extend([OnePiece, SeveralPieces]);
    }
    if !is_acyclic && !rule.is(Adjective::Bipartite) {
        classes.extend([Bipartite, OddCycle]);
        classes.extend(rule.is(Adjective::Simple).then_some(Complete));
    }
    classes
}

/// The fields that are the edges of a graph, and those that say how many edges there are.
fn edge_fields(format: &Format, rule: &GraphRule) -> (Vec<FieldId>, Vec<FieldId>) {
    match &rule.edges {
        Edges::Lines { block, ends } => {
            let mut counts = Vec::new();
            format.block(*block).count.each_field(&mut |field| counts.push(field));
            (vec![ends.0, ends.1], counts)
        }
        Edges::Parents { field, .. } => (vec![*field], Vec::new()),
    }
}

fn name_of(format: &Format, rule: &GraphRule) -> String {
    match &rule.edges {
        Edges::Lines { ends, .. } => format!("edges ({}, {})", format.field(ends.0).name, format.field(ends.1).name),
        Edges::Parents { field, .. } => format!("parents {}", format.field(*field).name),
    }
}

impl Subject {
    /// The classes of it in an input: of several arrays or graphs, those of each.
    pub(super) fn classes(&self, format: &Format, value: &Value) -> Classes {
        let mut found = Classes::default();
        let block = match self {
            Subject::Numbers(id) | Subject::Text(id) => format.field(*id).block,
            Subject::Graph(i) => format.constraints[*i].home,
        };
        each_scope(format, value, block, &mut |scope| match self {
            Subject::Numbers(id) => {
                if let Some(Value::Ints(numbers)) = scope.field(*id) {
                    array(numbers, &mut found);
                }
            }
            Subject::Text(id) => {
                if let Some(Value::Text(letters)) = scope.field(*id) {
                    text(letters, &mut found);
                }
            }
            Subject::Graph(i) => {
                let Rule::Graph(rule) = &format.constraints[*i].rule else { return };
                if let Some((vertices, edges)) = edges_of(rule, scope) {
                    graph(vertices, &edges, rule.is(Adjective::Directed), &mut found);
                }
            }
        });
        found
    }
}

fn array(numbers: &[i128], found: &mut Classes) {
    if numbers.len() < SHORTEST {
        return;
    }
    let is_flat = numbers.windows(2).all(|w| w[0] == w[1]);
    found.add_if(Class::AllEqual, is_flat);
    found.add_if(Class::Sorted, !is_flat && numbers.is_sorted());
    found.add_if(Class::Reversed, !is_flat && numbers.windows(2).all(|w| w[0] >= w[1]));
    if !found.has(Class::AllDifferent) {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        found.add_if(Class::AllDifferent, sorted.windows(2).all(|w| w[0] != w[1]));
    }
}

fn text(letters: &[u8], found: &mut Classes) {
    if letters.len() < SHORTEST {
        return;
    }
    let is_flat = letters.windows(2).all(|w| w[0] == w[1]);
    found.add_if(Class::AllEqual, is_flat);
    found.add_if(Class::Palindrome, !is_flat && letters.iter().eq(letters.iter().rev()));
}

fn graph(vertices: usize, edges: &[(usize, usize)], is_directed: bool, found: &mut Classes) {
    if vertices < SHORTEST {
        return;
    }
    let (pieces, is_bipartite) = pieces(vertices, edges);
    found.add_if(Class::OnePiece, pieces == 1);
    found.add_if(Class::SeveralPieces, pieces > 1);
    found.add_if(Class::Bipartite, is_bipartite && !edges.is_empty());
    found.add_if(Class::OddCycle, !is_bipartite);
    found.add_if(Class::Complete, edges.len() as u128 == vertices as u128 * (vertices as u128 - 1) / 2);
    found.add_if(Class::Cyclic, is_directed && has_cycle(vertices, edges));
    if pieces == 1 && edges.len() + 1 == vertices && vertices >= FEWEST_VERTICES {
        tree(vertices, edges, found);
    }
}

/// How many pieces there are, and whether no cycle is odd; directions do not count.
fn pieces(vertices: usize, edges: &[(usize, usize)]) -> (usize, bool) {
    let starts = neighbours(vertices, edges.iter().flat_map(|(u, v)| [(*u, *v), (*v, *u)]));
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
            for &next in starts.of(vertex) {
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

/// Whether some way along the directions leads back.
fn has_cycle(vertices: usize, edges: &[(usize, usize)]) -> bool {
    let mut entering = vec![0_usize; vertices];
    edges.iter().for_each(|(_, v)| entering[*v] += 1);
    let starts = neighbours(vertices, edges.iter().copied());
    let mut free: Vec<usize> = (0..vertices).filter(|v| entering[*v] == 0).collect();
    let mut removed = 0;
    while let Some(vertex) = free.pop() {
        removed += 1;
        for &next in starts.of(vertex) {
            entering[next] -= 1;
            if entering[next] == 0 {
                free.push(next);
            }
        }
    }
    removed < vertices
}

fn tree(vertices: usize, edges: &[(usize, usize)], found: &mut Classes) {
    let mut degree = vec![0_usize; vertices];
    for (u, v) in edges {
        degree[*u] += 1;
        degree[*v] += 1;
    }
    // Without its leaves a caterpillar is a path: no vertex of it has more than two neighbours that are no leaves.
    let mut inner = vec![0_usize; vertices];
    for (u, v) in edges {
        inner[*u] += usize::from(degree[*v] > 1);
        inner[*v] += usize::from(degree[*u] > 1);
    }
    let is_path = degree.iter().all(|d| *d <= 2);
    let is_star = degree.contains(&(vertices - 1));
    let is_caterpillar = (0..vertices).all(|v| inner[v] <= 2);
    found.add_if(Class::Path, is_path);
    found.add_if(Class::Star, is_star);
    found.add_if(Class::Caterpillar, is_caterpillar && !is_path && !is_star);
    found.add_if(Class::OtherTree, !is_caterpillar);
}

/// The neighbours of all vertices, one after the other.
struct Neighbours {
    starts: Vec<usize>,
    all: Vec<usize>,
}

impl Neighbours {
    fn of(&self, vertex: usize) -> &[usize] {
        &self.all[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

fn neighbours(vertices: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> Neighbours {
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
    Neighbours { starts, all }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::Coverage;
    use crate::coverage::GoalKind;
    use crate::diagnostic::Source;
    use crate::format::Format;
    use crate::read::read;

    /// What each class is reached by: `sorted 1, all equal 0`.
    fn found(format: &str, inputs: &[&str]) -> String {
        let (format, _) = Format::parse(&Source::new("test", format)).unwrap();
        let mut coverage = Coverage::new(&format);
        inputs.iter().for_each(|input| coverage.take(&read(&format, input.as_bytes()).unwrap()));
        let goals = coverage.goals().filter(|goal| goal.kind == GoalKind::Structure);
        let goals = goals.map(|goal| format!("{} {}", goal.what, goal.inputs));
        goals.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn arrays_and_texts() {
        let array = "n; a[n] where 1<=n<=9; 1<=a<=9";
        for (inputs, wanted) in [
            (vec![], "a: sorted 0, a: sorted the other way round 0, a: all equal 0, a: all different 0"),
            (
                vec!["3\n1 2 3\n", "3\n3 3 1\n", "4\n2 2 2 2\n", "2\n1 2\n", "3\n1 3 2\n"],
                "a: sorted 1, a: sorted the other way round 1, a: all equal 1, a: all different 2",
            ),
        ] {
            assert_eq!(found(array, &inputs), wanted);
        }
        let text = "s where s over \"ab\"; 1<=len(s)<=9";
        assert_eq!(found(text, &["abba\n", "aaa\n", "ab\n", "a\n"]), "s: all equal 1, s: a palindrome 1");
    }

    #[test]
    fn what_constraints_leave_no_room_for_is_not_asked() {
        for (format, wanted) in [
            ("n; a[n] where 1<=n<=2; 1<=a<=9", ""),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; sorted(a)", "a: all equal 0, a: all different 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; increasing(a)", ""),
            ("n; a[n] where 1<=n<=9; a permutation of 1..n", "a: sorted 0, a: sorted the other way round 0"),
            ("n; a[n] where 5<=n<=9; 1<=a<=4", "a: sorted 0, a: sorted the other way round 0, a: all equal 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; forall i in 1..n-1: a[i] != a[i+1]", ""),
            ("s where 1<=len(s)<=9; s matches \"(ab)+\"", ""),
            ("s where s over \"a\"; 1<=len(s)<=9", ""),
        ] {
            assert_eq!(found(format, &[]), wanted, "{format}");
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
        let wanted = ["a path", "a star", "a caterpillar", "a tree that is no caterpillar"].map(|c| of(c) + " 1");
        assert_eq!(found(tree, &inputs), wanted.join(", "));
        let graph = "N M\nrepeat M:\n    u v\nwhere:\n    1<=N<=9; 0<=M<=20\n    edges (u, v) on 1..N: simple\n";
        let inputs = ["3 3\n1 2\n2 3\n1 3\n", "4 2\n1 2\n3 4\n", "4 0\n"];
        let wanted = ["connected 1", "in several pieces 2", "bipartite 1", "not bipartite 1", "complete 1"];
        assert_eq!(found(graph, &inputs), wanted.map(of).join(", "));
        let connected = graph.replace("simple", "simple, connected").replace("0<=M", "N-1<=M");
        let wanted = ["bipartite 0", "not bipartite 0", "complete 0"];
        assert_eq!(found(&connected, &[]), wanted.map(of).join(", "));
        let directed = graph.replace("simple", "directed, loopless");
        let wanted = ["in several pieces 1", "with a cycle 1"];
        assert_eq!(found(&directed, &["3 3\n1 2\n2 3\n3 1\n", "3 1\n1 2\n"]), wanted.map(of).join(", "));
    }
}
