//! Whether a value satisfies its format's constraints, and if not, which one and where.

mod check;
mod compare;
mod culprit;
mod distinct;
mod formula;
mod sides;
mod walk;

pub use check::Check;
pub use formula::{Fault, fault};
pub use sides::Sides;
pub use walk::{violation, violation_besides};

use crate::diagnostic::{Diagnostic, Span, shorten};
use crate::format::{
    Adjective, BlockId, Comparison, Constraint, Edges, Expr, FieldId, Format, GraphRule, Over, Pattern, Rule, Sign,
};
use crate::print;
use crate::value::{self, Scope, Unknown, Value, each_occurrence};
use compare::compare;
use culprit::culprit;
use rebut_generators::Graph;
use std::borrow::Cow;
use std::collections::HashSet;

/// A constraint that does not hold, and the place where it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The number of the constraint in its format.
    pub constraint: usize,
    /// The instance of the constraint's home block.
    pub path: Vec<usize>,
    /// Which element of an array breaks it.
    pub element: Option<usize>,
    /// What the sides are, in words.
    pub sides: String,
    /// How far apart the sides are, if they are numbers.
    pub distance: Option<u128>,
}

/// Where one constraint does not hold; none if it does.
pub fn violation_of(format: &Format, value: &Value, constraint: usize) -> Option<Violation> {
    let wanted = &format.constraints[constraint];
    violation_besides(format, value, &|c| !std::ptr::eq(c, wanted))
}

/// Whether an instance satisfies every constraint at home in its block or in a block inside it.
pub fn holds_within(format: &Format, block: BlockId, instance: &[Value], outer: &Scope<'_>) -> bool {
    let scope = outer.inner(block, instance);
    let here = format.constraints.iter().filter(|c| c.home == block).all(|c| broken(c, &scope).is_none());
    here && format.children(block).all(|child| {
        value::instances_in(format, child, instance).iter().all(|inner| holds_within(format, child, inner, &scope))
    })
}

/// Whether a comparison holds in a scope, or is void there; one that has no value does not.
pub fn compares(comparison: &Comparison, scope: &Scope<'_>) -> bool {
    matches!(compare(comparison, scope), Ok(None) | Err(Unknown::Empty | Unknown::Absent(_)))
}

/// How a constraint is broken in a scope: the element, and the sides. None if it holds or if something
/// in it is not known yet.
pub fn broken<'f>(constraint: &'f Constraint, scope: &Scope<'_>) -> Broken<'f> {
    match &constraint.rule {
        Rule::Compare(comparison) => match compare(comparison, scope) {
            Ok(broken) => broken,
            Err(unknown) => without_value(unknown),
        },
        rule @ (Rule::Distinct(..)
        | Rule::Ordered(..)
        | Rule::Graph(_)
        | Rule::Matches(..)
        | Rule::DistinctTexts(..)) => match broken_in_words(rule, scope) {
            Ok(broken) => broken.map(|(element, words)| (element, Sides::Words(words))),
            Err(unknown) => without_value(unknown),
        },
        Rule::Formula(formula) => match fault(formula, scope) {
            Ok(fault) => fault.map(|fault| (None, fault.sides)),
            Err(unknown) => without_value(unknown),
        },
    }
}

/// How a constraint is broken that has no value.
fn without_value<'f>(unknown: Unknown) -> Broken<'f> {
    match unknown {
        Unknown::Missing | Unknown::Empty | Unknown::Absent(_) => None,
        Unknown::Undefined => {
            Some((None, Sides::Words("it has no value: too large, or a division by zero".to_owned())))
        }
    }
}

/// How a rule is broken that says something of many numbers or texts at once.
///
/// # Errors
/// Returns why that cannot be found out, where what is known does not break it.
fn broken_in_words(rule: &Rule, scope: &Scope<'_>) -> Worded {
    match rule {
        Rule::Distinct(parts, Over::Elements) => distinct::elements(parts, scope),
        Rule::Distinct(parts, over @ (Over::Instances(_) | Over::Occurrences(_))) => {
            distinct::instances(parts, *over, scope)
        }
        Rule::Ordered(expr, sign, over) => disordered(expr, *sign, *over, scope),
        Rule::Graph(rule) => Ok(graph_fault(rule, scope)),
        Rule::Matches(field, pattern) => Ok(mismatch(*field, pattern, scope)),
        Rule::DistinctTexts(field, over) => repeated_text(*field, *over, scope),
        Rule::Compare(_) | Rule::Formula(_) => Ok(None),
    }
}

/// The first text that does not match the field's pattern.
fn mismatch(field: FieldId, pattern: &Pattern, scope: &Scope<'_>) -> Option<(Option<usize>, String)> {
    let texts = texts_of(scope.field(field)?);
    let at = texts.iter().position(|text| !pattern.matches(text))?;
    Some((Some(at), format!("`{}` does not match", shorten(texts[at], 20))))
}

fn repeated_text(field: FieldId, over: Over, scope: &Scope<'_>) -> Worded {
    let mut texts: Vec<Cow<'_, [u8]>> = Vec::new();
    let known = match over {
        Over::Elements => {
            let value = scope.field(field).ok_or(Unknown::Missing)?;
            texts.extend(texts_of(value).into_iter().map(Cow::Borrowed));
            Ok(())
        }
        Over::Instances(_) | Over::Occurrences(_) => each_occurrence(scope, over, &mut |_, scope| {
            let value = scope.field(field).ok_or(Unknown::Missing)?;
            texts.extend(texts_of(value).into_iter().map(|text| Cow::Owned(text.to_vec())));
            Ok(())
        }),
    };
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(texts.len());
    match texts.iter().position(|text| !seen.insert(text)) {
        Some(at) => Ok(Some((Some(at), format!("`{}` occurs twice", shorten(&texts[at], 20))))),
        None => known.map(|()| None),
    }
}

/// The texts of a value, in the order of the input.
pub fn texts_of(value: &Value) -> Vec<&[u8]> {
    match value {
        Value::Text(letters) => vec![letters],
        Value::List(rows) => rows.iter().flat_map(texts_of).collect(),
        _ => Vec::new(),
    }
}

/// The same in a complete value, where a comparison of something unknown cannot hold.
fn broken_whole<'f>(constraint: &'f Constraint, scope: &Scope<'_>) -> Broken<'f> {
    let not_there = || Some((None, Sides::Words("it speaks of something that is not there".to_owned())));
    match &constraint.rule {
        Rule::Compare(comparison) if compare(comparison, scope) == Err(Unknown::Missing) => {
            Some((None, Sides::Words("it cannot be computed here".to_owned())))
        }
        Rule::Formula(formula) if fault(formula, scope) == Err(Unknown::Missing) => not_there(),
        rule @ (Rule::Distinct(..) | Rule::Ordered(..) | Rule::DistinctTexts(..)) => {
            match broken_in_words(rule, scope) {
                Ok(broken) => broken.map(|(element, words)| (element, Sides::Words(words))),
                Err(Unknown::Missing) => not_there(),
                Err(unknown) => without_value(unknown),
            }
        }
        Rule::Compare(_) | Rule::Formula(_) | Rule::Graph(_) | Rule::Matches(..) => broken(constraint, scope),
    }
}

/// Whether something is broken: which element, and why.
type Broken<'f> = Option<(Option<usize>, Sides<'f>)>;

/// The same in words, for what is rarely asked.
type Worded = Result<Option<(Option<usize>, String)>, Unknown>;

/// The first number that does not stand in the relation to the next, by its number among all elements or all instances.
fn disordered(expr: &Expr, sign: Sign, over: Over, scope: &Scope<'_>) -> Worded {
    let mut numbers: Vec<(usize, i128)> = Vec::new();
    let mut known = Ok(());
    match over {
        Over::Elements => match value::elements(expr, scope) {
            Ok(elements) => numbers.extend(elements.into_iter().enumerate()),
            Err(Unknown::Absent(_) | Unknown::Empty) => {}
            Err(unknown) => known = Err(unknown),
        },
        Over::Instances(_) | Over::Occurrences(_) => {
            let mut instance = 0;
            known = each_occurrence(scope, over, &mut |_, scope| {
                instance += 1;
                match value::number(expr, scope) {
                    Ok(number) => numbers.push((instance - 1, number)),
                    Err(Unknown::Absent(_) | Unknown::Empty) => {}
                    Err(unknown) => return Err(unknown),
                }
                Ok(())
            });
        }
    }
    match numbers.windows(2).find(|pair| !sign.holds(&pair[0].1, &pair[1].1)) {
        Some(pair) => Ok(Some((Some(pair[1].0), format!("{} before {}", pair[0].1, pair[1].1)))),
        None => known.map(|()| None),
    }
}

/// A graph's edges with vertices counted from 0; none if an edge is not known yet, or leaves the vertices.
pub fn edges_of(rule: &GraphRule, scope: &Scope<'_>) -> Option<(usize, Vec<(usize, usize)>)> {
    let first = value::number(&rule.vertices.0, scope).ok()?;
    let last = value::number(&rule.vertices.1, scope).ok()?;
    let vertices = usize::try_from(last - first + 1).ok()?;
    let vertex = |number: i128| usize::try_from(number - first).ok().filter(|v| *v < vertices);
    let edges = match &rule.edges {
        Edges::Lines { block, ends } => {
            let (_, instances) = scope.instances(*block)?;
            let slots = (scope.format.field(ends.0).slot, scope.format.field(ends.1).slot);
            let edge = |instance: &[Value]| {
                let end = |slot: usize| vertex(instance.get(slot)?.as_int()?);
                Some((end(slots.0)?, end(slots.1)?))
            };
            let mut edges = Vec::with_capacity(instances.len());
            for instance in instances {
                edges.push(edge(instance)?);
            }
            edges
        }
        Edges::Parents { field, block, first } => {
            let child = value::number(first, scope).ok()?;
            let edge = |(i, parent): (usize, i128)| Some((vertex(parent)?, vertex(child + i as i128)?));
            parents(*field, *block, scope)?.into_iter().enumerate().map(edge).collect::<Option<Vec<_>>>()?
        }
    };
    Some((vertices, edges))
}

/// The numbers of an array, or of a single number in each instance of a block.
fn parents(field: FieldId, block: Option<BlockId>, scope: &Scope<'_>) -> Option<Vec<i128>> {
    let Some(block) = block else { return value::elements(&Expr::Field(field), scope).ok() };
    let (holder, instances) = scope.instances(block)?;
    instances.iter().map(|i| value::number(&Expr::Field(field), &holder.inner(block, i)).ok()).collect()
}

/// What a rule asks of a graph of so many vertices and edges.
pub fn graph(rule: &GraphRule, vertices: usize, edges: usize) -> Graph {
    Graph {
        vertices,
        edges,
        directed: rule.is(Adjective::Directed),
        simple: rule.is(Adjective::Simple),
        loopless: rule.is(Adjective::Loopless),
        connected: rule.is(Adjective::Connected),
        acyclic: rule.is(Adjective::Acyclic),
        bipartite: rule.is(Adjective::Bipartite),
    }
}

fn graph_fault(rule: &GraphRule, scope: &Scope<'_>) -> Option<(Option<usize>, String)> {
    let (vertices, edges) = edges_of(rule, scope)?;
    if let Err(fault) = graph(rule, vertices, edges.len()).check(&edges) {
        return Some((fault.edge, fault.words));
    }
    let degrees = || {
        let mut degrees = vec![0_usize; vertices];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| degrees[end] += 1);
        degrees
    };
    if rule.is(Adjective::Path) && degrees().iter().any(|d| *d > 2) {
        return Some((None, "a vertex has more than two neighbours".to_owned()));
    }
    let has_centre = || vertices <= 2 || degrees().iter().any(|d| *d + 1 >= vertices);
    (rule.is(Adjective::Star) && !has_centre()).then(|| (None, "no vertex is next to all others".to_owned()))
}

/// A violation as a message about the input's bytes.
pub fn explain(format: &Format, value: &Value, violation: &Violation) -> Diagnostic {
    let constraint = &format.constraints[violation.constraint];
    let (path, index) = culprit(format, value, constraint, violation);
    let bytes = print::locate(format, value, &path, index);
    let (line, _) = format.source.line_column(constraint.span.start);
    let place = value::place(format, &path, index);
    let problem = Diagnostic::error(
        "constraint",
        Span::new(bytes.start, bytes.end),
        format!("`{}` does not hold", format.text(constraint.span)),
    );
    let note = format!("{} line {line} asks for it", format.source.name);
    let note = if place.is_empty() { note } else { format!("in {place}; {note}") };
    problem.caret(violation.sides.clone()).note(note)
}
