//! Resolution of graphs: edges on lines, and parents in arrays.

use super::added_constraints::{push_bounds, push_constraint, push_constraint_at};
use super::comparisons::{comparison_pairs, resolve_comparison};
use super::expressions::{resolve_field_name, resolve_integer, resolve_range};
use super::name_scope::NameScope;
use crate::language::syntax::{ComparisonChain, SyntaxProperty, SyntaxTerm, SyntaxTermKind};
use crate::model::{
    ArithmeticOperator, BlockId, Class, Comparison, ComparisonOperator, Constraint, ConstraintRule, EdgeSelection,
    Expr, FieldDimension, FieldId, Format, Formula, GraphConstraint, GraphEdges, GraphProperty,
};
use rebut_diagnostics::{Diagnostic, Span, list_or, suggestion_for};
use rebut_generators::DegreeRule;

/// The properties of graphs by their keywords.
const GRAPH_PROPERTIES: &[(&str, &[GraphProperty])] = &[
    ("tree", &[GraphProperty::Tree]),
    ("forest", &[GraphProperty::Acyclic]),
    ("acyclic", &[GraphProperty::Acyclic]),
    ("dag", &[GraphProperty::Directed, GraphProperty::Acyclic]),
    ("directed", &[GraphProperty::Directed]),
    ("undirected", &[]),
    ("simple", &[GraphProperty::Simple]),
    ("loopless", &[GraphProperty::Loopless]),
    ("connected", &[GraphProperty::Connected]),
    ("strongly connected", &[GraphProperty::Directed, GraphProperty::StronglyConnected]),
    ("bipartite", &[GraphProperty::Bipartite]),
    ("path", &[GraphProperty::Path]),
    ("star", &[GraphProperty::Star]),
    ("even", &[GraphProperty::EvenDegrees]),
    ("eulerian", &[GraphProperty::Connected, GraphProperty::EvenDegrees]),
    ("regular", &[GraphProperty::Regular]),
];

/// Returns the names of all properties of graphs without a bound, such as `tree`.
pub fn graph_property_names() -> impl Iterator<Item = &'static str> {
    GRAPH_PROPERTIES.iter().map(|(name, _)| *name)
}

/// `edges (u, v) on 1..n: tree` in the text.
pub(super) struct WrittenEdges<'t> {
    pub(super) ends: &'t (SyntaxTerm, SyntaxTerm),
    pub(super) vertices: &'t (SyntaxTerm, SyntaxTerm),
    pub(super) condition: Option<&'t ComparisonChain>,
    pub(super) properties: &'t [SyntaxProperty],
    pub(super) span: Span,
}

pub(super) fn resolve_edges(scope: &mut NameScope, written: &WrittenEdges<'_>) -> Result<(), Diagnostic> {
    let WrittenEdges { ends, vertices, condition, properties, span } = *written;
    let ends_span = ends.0.span.to(ends.1.span);
    let (names, slice) = split_edge_slices(scope, ends)?;
    let (Expr::Field(from), Expr::Field(to)) = resolve_range(scope, &names)? else {
        return Err(Diagnostic::error("edge-ends", ends_span, "the ends of an edge are two fields")
            .with_caret("expected two names"));
    };
    let block = scope.format.field(from).block;
    let scalars = [from, to].iter().all(|f| scope.format.field(*f).is_scalar());
    check_edges_not_optional(scope, block, "edges", ends_span)?;
    let Some(home) = scope.format.block(block).parent.filter(|_| scalars && scope.format.field(to).block == block)
    else {
        return Err(Diagnostic::error("edge-ends", ends_span, "edges are the lines of a block")
            .with_caret("expected two numbers of one repeated block")
            .with_help("give each edge a line: `repeat m:` and below it `u v`"));
    };
    let regular = properties.iter().find(|one| one.word == "regular").and_then(|one| one.bound.as_ref());
    let regular_degree = regular.map(|degree| resolve_integer(scope, degree)).transpose()?;
    let properties = parse_properties(scope, properties)?;
    let vertices_of = resolve_range(scope, vertices)?;
    let selection = resolve_selection(scope, block, slice, condition, ends_span)?;
    if selection.is_some() && properties.iter().any(is_depth) {
        return Err(Diagnostic::error("adjective", ends_span, "some of the lines have no depth")
            .with_caret("expected all lines of the block"));
    }
    // The other lines may have other numbers.
    for end in [&names.0, &names.1].into_iter().filter(|_| selection.is_none()) {
        push_bounds(scope, end, vertices, span)?;
    }
    let count = scope.format.block(block).count.times_expr().cloned();
    let edges = GraphEdges::Lines { block, ends: (from, to), selection };
    let rule = GraphConstraint { edges, vertices: vertices_of, properties, drawn_degrees: DegreeRule::Any };
    for comparison in line_counts(&rule, count.as_ref()) {
        push_constraint(scope, comparison, span)?;
    }
    if let Some((degree, count)) = regular_degree.zip(count) {
        push_constraint(scope, edge_end_counts(count, &rule.vertices, degree), span)?;
    }
    push_constraint_at(scope, rule, home, span)
}

/// The names of the ends of edges, and the lines that are edges if they are written as slices.
type SlicedEnds = ((SyntaxTerm, SyntaxTerm), Option<(Expr, Expr)>);

/// Takes the ranges from `(u[1..n-1], v[1..n-1])`.
fn split_edge_slices(scope: &NameScope, ends: &(SyntaxTerm, SyntaxTerm)) -> Result<SlicedEnds, Diagnostic> {
    let sliced = |term: &SyntaxTerm| match &term.kind {
        SyntaxTermKind::Slice(name, before, range, after) if before.is_empty() && after.is_empty() => {
            let name = SyntaxTerm { kind: SyntaxTermKind::Name(name.clone()), span: term.span };
            Some((name, (resolve_integer(scope, &range.0), resolve_integer(scope, &range.1))))
        }
        _ => None,
    };
    match (sliced(&ends.0), sliced(&ends.1)) {
        (None, None) => Ok((ends.clone(), None)),
        (Some((from, range)), Some((to, other))) => {
            let (range, other) = ((range.0?, range.1?), (other.0?, other.1?));
            if range == other { Ok(((from, to), Some(range))) } else { Err(unequal_slices_error(ends)) }
        }
        _ => Err(unequal_slices_error(ends)),
    }
}

fn unequal_slices_error(ends: &(SyntaxTerm, SyntaxTerm)) -> Diagnostic {
    Diagnostic::error("edge-ends", ends.0.span.to(ends.1.span), "both ends of an edge are on the same line")
        .with_caret("expected the same range for both")
        .with_help("edges (u[1..n-1], v[1..n-1]) on 1..n: tree")
}

/// Returns the lines that are edges, or `None` if all are.
fn resolve_selection(
    scope: &NameScope,
    block: BlockId,
    slice: Option<(Expr, Expr)>,
    condition: Option<&ComparisonChain>,
    ends_span: Span,
) -> Result<Option<EdgeSelection>, Diagnostic> {
    let Some(chain) = condition else {
        let Some((first, last)) = slice else { return Ok(None) };
        if [&first, &last].iter().any(|expr| !is_known_around(scope, expr, block, false)) {
            return Err(Diagnostic::error("edge-ends", ends_span, "the range of the edges is not known")
                .with_caret("expected numbers from outside of these lines"));
        }
        return Ok(Some(EdgeSelection::Slice(first, last)));
    };
    if slice.is_some() {
        return Err(Diagnostic::error("edge-ends", chain.span, "a range of edges has no condition")
            .with_caret("expected either a range or a condition"));
    }
    let mut comparisons = Vec::new();
    for written in comparison_pairs(chain) {
        let comparison = resolve_comparison(scope, written)?;
        if !comparison.all_operands().all(|expr| is_known_around(scope, expr, block, true)) {
            return Err(Diagnostic::error("edge-ends", written.span, "this does not decide whether a line is an edge")
                .with_caret("expected single numbers or words of that line, or from outside"));
        }
        comparisons.push(comparison);
    }
    Ok(Some(EdgeSelection::When(comparisons)))
}

/// Returns true if an expression consists of single numbers around a block or, if `on_line`, on its lines.
fn is_known_around(scope: &NameScope, expr: &Expr, block: BlockId, on_line: bool) -> bool {
    let mut is_known = true;
    expr.visit_fields(&mut |field| {
        let info = scope.format.field(field);
        let is_outside = info.block != block && scope.format.is_within(block, info.block);
        is_known &= info.is_scalar() && (is_outside || on_line && info.block == block);
    });
    is_known
}

/// Returns the bounds on the number of lines that the properties of their graph imply.
fn line_counts(rule: &GraphConstraint, count: Option<&Expr>) -> Vec<Comparison> {
    match rule.selection() {
        None => implied_edge_counts(rule, count),
        // Some lines more may be no edges.
        Some(EdgeSelection::When(_)) => {
            let mut found = implied_edge_counts(rule, count);
            found.retain(|one| matches!(one.sign, ComparisonOperator::Equal | ComparisonOperator::GreaterEqual));
            found.iter_mut().for_each(|one| one.sign = ComparisonOperator::GreaterEqual);
            found
        }
        Some(EdgeSelection::Slice(first, last)) => {
            let number = size_of_range(&(first.clone(), last.clone()));
            let mut found = implied_edge_counts(rule, Some(&number));
            found
                .extend(count.map(|count| Comparison::new(last.clone(), ComparisonOperator::LessEqual, count.clone())));
            found.push(Comparison::new(Expr::Constant(1), ComparisonOperator::LessEqual, first.clone()));
            found.retain(|one| one.left != one.right);
            found
        }
    }
}

/// Returns an error if the block of a graph's edges is optional, since the number of edges would be unknown.
fn check_edges_not_optional(scope: &NameScope, block: BlockId, what: &str, span: Span) -> Result<(), Diagnostic> {
    if !has_unknown_count(scope, block) {
        return Ok(());
    }
    Err(Diagnostic::error("optional-edges", span, format!("these {what} may be absent"))
        .with_caret("below `if` or in an alternative of `either`: their number is not known")
        .with_help(
            "a graph consists of all lines of a `repeat`; for some of them, use `u != v` and `distinct((u, v))`",
        ))
}

/// Returns true if a block may be absent, unless the fields that count its instances are absent together with it.
/// Otherwise the number of edges would restrict those fields where the graph is absent.
fn has_unknown_count(scope: &NameScope, block: BlockId) -> bool {
    let is_absent_together = |outer: BlockId| {
        let mut together = false;
        scope.format.block(block).count.visit_fields(&mut |field| {
            together |= block != outer && scope.format.is_within(scope.format.field(field).block, outer);
        });
        together
    };
    let optional = scope.format.blocks_around(block).filter(|outer| scope.format.is_optional(*outer));
    optional.into_iter().any(|outer| !is_absent_together(outer))
}

/// `parents p of 2..n on 1..n: tree`
pub(super) fn resolve_parents(
    scope: &mut NameScope,
    name: &SyntaxTerm,
    children: &(SyntaxTerm, SyntaxTerm),
    vertices: &(SyntaxTerm, SyntaxTerm),
    words: &[SyntaxProperty],
    span: Span,
) -> Result<(), Diagnostic> {
    let field = resolve_field_name(scope, name, "parents must be a field of numbers")?;
    if scope.format.field(field).is_scalar() {
        check_edges_not_optional(scope, scope.format.field(field).block, "parents", name.span)?;
    }
    let (block, count) = parent_block_and_count(scope, field, name.span)?;
    let properties = parse_properties(scope, words)?;
    let vertices_of = resolve_range(scope, vertices)?;
    push_bounds(scope, name, vertices, span)?;
    let (first, last) = resolve_range(scope, children)?;
    let others = Expr::from_operands(last, ArithmeticOperator::Subtract, first.clone());
    let named = Expr::from_operands(others, ArithmeticOperator::Add, Expr::Constant(1));
    if count != named {
        push_constraint(scope, Comparison::new(count.clone(), ComparisonOperator::Equal, named), span)?;
    }
    let home = block.and_then(|b| scope.format.block(b).parent).unwrap_or(scope.format.field(field).block);
    let rule = GraphConstraint {
        edges: GraphEdges::Parents { field, block, first },
        vertices: vertices_of,
        properties,
        drawn_degrees: DegreeRule::Any,
    };
    for comparison in implied_edge_counts(&rule, Some(&count)) {
        push_constraint(scope, comparison, span)?;
    }
    push_constraint_at(scope, rule, home, span)
}

/// Returns the repeated block that holds the parents, or `None` if an array does, and their number.
fn parent_block_and_count(
    scope: &NameScope,
    field: FieldId,
    span: Span,
) -> Result<(Option<BlockId>, Expr), Diagnostic> {
    let info = scope.format.field(field);
    let count = scope.format.block(info.block).count.times_expr().filter(|_| info.block != BlockId(0));
    let found = match &*info.dimensions {
        [FieldDimension::Size(size)] => Some((None, size.clone())),
        [] => count.map(|count| (Some(info.block), count.clone())),
        _ => None,
    };
    found.ok_or_else(|| {
        Diagnostic::error("parents-what", span, "parents must be an array, or a field of a repeated block")
            .with_caret("expected a field such as `p[n-1]`")
    })
}

fn parse_properties(scope: &NameScope, words: &[SyntaxProperty]) -> Result<Vec<GraphProperty>, Diagnostic> {
    let mut found = Vec::new();
    for SyntaxProperty { word, bound, least, span } in words {
        if let Some(most) = bound.as_ref().filter(|_| word != "regular") {
            found.extend(parse_bound(scope, word, *span, (least.as_ref(), most))?);
            continue;
        }
        let Some((_, meaning)) = GRAPH_PROPERTIES.iter().find(|(name, _)| name == word) else {
            let names: Vec<&str> = GRAPH_PROPERTIES.iter().map(|(name, _)| *name).collect();
            return Err(unknown_property(format!("there is no graph property `{word}`"), word, *span, &names));
        };
        found.extend_from_slice(meaning);
    }
    let excludes = |one: &GraphProperty| match one {
        GraphProperty::Acyclic | GraphProperty::Tree | GraphProperty::Path | GraphProperty::Star => true,
        one => *one == GraphProperty::Bipartite,
    };
    if let Some(strongly) = words.iter().find(|property| property.word == "strongly connected")
        && found.iter().any(excludes)
    {
        return Err(Diagnostic::error("adjective", strongly.span, "this is not combined with the other properties")
            .with_caret("a strongly connected graph has cycles, and bipartite ones are not supported"));
    }
    let is_rule = |one: &&SyntaxProperty| matches!(&*one.word, "degree" | "even" | "eulerian" | "regular");
    let mut rules = words.iter().filter(is_rule);
    let (degree, second) = (rules.next(), rules.next());
    let is_free = |one: &GraphProperty| {
        matches!(one, GraphProperty::EvenDegrees | GraphProperty::Regular) || one.leaves_degrees_free()
    };
    let is_apart = |degree: &&SyntaxProperty| second.is_some() || degree.word != "degree" && !found.iter().all(is_free);
    if let Some(degree) = degree.filter(|_| !found.contains(&GraphProperty::Directed)).filter(is_apart) {
        return Err(Diagnostic::error("adjective", degree.span, "this is not combined with the other properties")
            .with_caret("expected only `simple`, `loopless` and `connected` beside it"));
    }
    let is_apart = |one: &GraphProperty| is_depth(one) || matches!(one, GraphProperty::Tree | GraphProperty::Simple);
    if let Some(depth) = words.iter().find(|one| one.word == "depth")
        && !(found.contains(&GraphProperty::Tree) && found.iter().all(is_apart))
    {
        return Err(Diagnostic::error("adjective", depth.span, "only a tree has a depth")
            .with_caret("expected `tree` beside it, and no other property")
            .with_help("edges (u, v) on 1..n: tree, depth <= 5"));
    }
    match degree.filter(|_| found.contains(&GraphProperty::Directed)) {
        Some(degree) => Err(Diagnostic::error("adjective", degree.span, "a directed graph has no degrees")
            .with_caret("its vertices have edges in and edges out")
            .with_help("count them: `forall i in 1..n: count(u[1..m], i) <= 3`")),
        None => Ok(found),
    }
}

fn is_depth(property: &GraphProperty) -> bool {
    matches!(property, GraphProperty::MinDepth(_) | GraphProperty::MaxDepth(_))
}

/// Returns the error for a word that is none of the properties with these names.
pub(super) fn unknown_property(message: String, word: &str, span: Span, names: &[&str]) -> Diagnostic {
    let problem = Diagnostic::error("adjective", span, message).with_caret("unknown word");
    match suggestion_for(word, names.iter().copied()) {
        Some(help) => problem.with_help(help),
        None => problem.with_note(format!("expected {}", list_or(names))),
    }
}

/// Returns the meaning of `degree <= 3`, `depth <= 3` or `depth 2..5`.
fn parse_bound(
    scope: &NameScope,
    word: &str,
    span: Span,
    (least, most): (Option<&SyntaxTerm>, &SyntaxTerm),
) -> Result<Vec<GraphProperty>, Diagnostic> {
    let number = |term: &SyntaxTerm, lowest: i128| match resolve_integer(scope, term)? {
        Expr::Constant(number) if number >= lowest => Ok(u32::try_from(number).unwrap_or(u32::MAX)),
        _ => Err(Diagnostic::error("not-constant", term.span, format!("the bound of `{word}` must be a constant"))
            .with_caret(format!("expected a number from {lowest}"))),
    };
    match word {
        "degree" => Ok(vec![GraphProperty::MaxDegree(number(most, 1)?)]),
        "depth" => {
            let least = least.map(|least| number(least, 0)).transpose()?;
            let most = number(most, i128::from(least.unwrap_or(0)))?;
            Ok(least.map(GraphProperty::MinDepth).into_iter().chain([GraphProperty::MaxDepth(most)]).collect())
        }
        _ => Err(Diagnostic::error("adjective", span, format!("`{word}` has no bound"))
            .with_caret("only `degree <= 3` and `depth <= 3` have one")),
    }
}

/// Finds formulas about the number of edges at each vertex, `forall i in 1..n: count(u[1..m], i) + count(v[1..m], i) = k`,
/// and lets the edges be drawn by them.
pub(super) fn adopt_degree_formulas(format: &mut Format) {
    let mut implied = Vec::new();
    for at in 0..format.constraints.len() {
        let Some(graph) = format.constraints[at].rule.graph() else { continue };
        let Some((block, ends)) =
            graph.line_edges().filter(|_| graph.properties.iter().all(GraphProperty::leaves_degrees_free))
        else {
            continue;
        };
        let Some(count) = format.block(block).count.times_expr() else { continue };
        let formulas = format.constraints.iter().filter_map(|one| Some((one, one.rule.formula()?)));
        let mut found = formulas.filter_map(|(one, formula)| {
            let Formula::ForAll(quantified) = formula else { return None };
            let Formula::Compare(comparison) = &quantified.body else { return None };
            let is_same = quantified.range == graph.vertices && comparison.sign == ComparisonOperator::Equal;
            let (left, right) = comparison.single_operands()?;
            let is_degree = |expr: &Expr| is_degree_of(expr, quantified.variable, ends, count);
            match left {
                Expr::Binary(ArithmeticOperator::Modulo, degree, two)
                    if is_same && is_degree(degree) && **two == Expr::Constant(2) && *right == Expr::Constant(0) =>
                {
                    Some((DegreeRule::Even, None))
                }
                degree if is_same && is_degree(degree) && !mentions_variable(right, quantified.variable) => {
                    let rule = edge_end_counts(count.clone(), &graph.vertices, right.clone()).into();
                    let (home_block, span) = (one.home_block, one.span);
                    Some((DegreeRule::Equal, Some(Constraint { rule, home_block, span, class: Class::Residual })))
                }
                _ => None,
            }
        });
        let found = found.next();
        if let Some((degrees, ends)) = found {
            implied.extend(ends);
            if let ConstraintRule::Graph(graph) = &mut format.constraints[at].rule {
                graph.drawn_degrees = degrees;
            }
        }
    }
    format.constraints.extend(implied);
}

/// Returns true if an expression is the number of edges at the vertex that a variable stands for.
fn is_degree_of(expr: &Expr, variable: usize, ends: (FieldId, FieldId), count: &Expr) -> bool {
    let counts = |expr: &Expr, end: FieldId| match expr {
        Expr::Slice(slice) => {
            slice.wanted() == Some(&Expr::Variable(variable))
                && slice.range == (Expr::Constant(1), count.clone())
                && slice.each == Expr::Element(end, vec![Expr::Variable(slice.variable)])
        }
        _ => false,
    };
    match expr {
        Expr::Binary(ArithmeticOperator::Add, one, other) => {
            counts(one, ends.0) && counts(other, ends.1) || counts(one, ends.1) && counts(other, ends.0)
        }
        _ => false,
    }
}

fn mentions_variable(expr: &Expr, variable: usize) -> bool {
    expr.any_part(&|part| (*part == Expr::Variable(variable)).then_some(true))
}

/// Returns the comparison of the ends of `count` edges with `degree` of them at each vertex.
fn edge_end_counts(count: Expr, vertices: &(Expr, Expr), degree: Expr) -> Comparison {
    let two = Expr::Constant(2);
    let ends = Expr::from_operands(size_of_range(vertices), ArithmeticOperator::Multiply, degree);
    // Where half of the ends is the number of lines, only its remainder is left to say.
    match Expr::from_operands(ends.clone(), ArithmeticOperator::Divide, two.clone()) == count {
        true => {
            let remainder = Expr::from_operands(ends, ArithmeticOperator::Modulo, two);
            Comparison::new(remainder, ComparisonOperator::Equal, Expr::Constant(0))
        }
        false => Comparison::new(
            Expr::from_operands(count, ArithmeticOperator::Multiply, two),
            ComparisonOperator::Equal,
            ends,
        ),
    }
}

/// Returns the number of integers in a range, less one.
fn size_less_one((first, last): &(Expr, Expr)) -> Expr {
    match first {
        Expr::Constant(0) => last.clone(),
        first => Expr::from_operands(last.clone(), ArithmeticOperator::Subtract, first.clone()),
    }
}

/// Returns the number of integers in a range: of vertices, or of lines.
fn size_of_range(range: &(Expr, Expr)) -> Expr {
    match range {
        (Expr::Constant(1), last) => last.clone(),
        _ => Expr::from_operands(size_less_one(range), ArithmeticOperator::Add, Expr::Constant(1)),
    }
}

/// Returns the bounds on the number of edges that a graph's properties imply, so that the number is drawn, narrowed
/// and checked like any other bound.
fn implied_edge_counts(rule: &GraphConstraint, count: Option<&Expr>) -> Vec<Comparison> {
    use ComparisonOperator::{Equal, GreaterEqual, LessEqual, NotEqual};
    let Some(count) = count else { return Vec::new() };
    let (others, vertices) = (|| size_less_one(&rule.vertices), || size_of_range(&rule.vertices));
    let product = |a, b| Expr::from_operands(a, ArithmeticOperator::Multiply, b);
    let quotient = |a, by| Expr::from_operands(a, ArithmeticOperator::Divide, Expr::Constant(by));
    let mut found = Vec::new();
    let mut require = |sign, right| found.push(Comparison::new(count.clone(), sign, right));
    let directed = rule.has_property(GraphProperty::Directed);
    let is_eulerian = rule.has_property(GraphProperty::EvenDegrees) && rule.has_property(GraphProperty::Connected);
    if rule.has_property(GraphProperty::Tree) {
        require(Equal, others());
    } else if rule.has_property(GraphProperty::StronglyConnected) || is_eulerian {
        // Each vertex is on a cycle, unless there is only one.
        let several = Expr::from_operands(others(), ArithmeticOperator::Min, Expr::Constant(1));
        require(GreaterEqual, product(vertices(), several));
    } else if rule.has_property(GraphProperty::Connected) {
        require(GreaterEqual, others());
    }
    if let Some((least, most)) = rule.depth_range() {
        // There is an edge for each step downwards, and none only in a tree of depth 0.
        require(GreaterEqual, Expr::Constant(least.into()));
        if most == 0 {
            require(Equal, Expr::Constant(0));
        }
    }
    if rule.has_property(GraphProperty::Acyclic) && !directed {
        require(LessEqual, others());
    }
    if rule.has_property(GraphProperty::EvenDegrees) && rule.has_property(GraphProperty::Simple) {
        // A cycle has three edges.
        require(NotEqual, Expr::Constant(1));
        require(NotEqual, Expr::Constant(2));
        require(LessEqual, product(vertices(), quotient(others(), 2)));
    }
    if let Some(most) = rule.max_degree() {
        require(LessEqual, quotient(product(vertices(), Expr::Constant(most.into())), 2));
    }
    if rule.has_property(GraphProperty::Simple) {
        let pairs = product(vertices(), others());
        let is_halved = !directed || rule.has_property(GraphProperty::Acyclic);
        require(LessEqual, if is_halved { quotient(pairs, 2) } else { pairs });
        if rule.has_property(GraphProperty::Bipartite) {
            require(LessEqual, quotient(product(vertices(), vertices()), if is_halved { 4 } else { 2 }));
        }
    } else if rule.has_property(GraphProperty::Loopless)
        || rule.has_property(GraphProperty::Acyclic)
        || rule.has_property(GraphProperty::Bipartite)
    {
        // A single vertex can have no edges but loops.
        require(LessEqual, product(others(), Expr::Constant(10_i128.pow(18))));
    }
    found
}
