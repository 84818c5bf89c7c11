//! Validation: checks whether a value satisfies its format's constraints, and locates violations.
//!
//! [`find_violation`] checks a whole value in a single traversal and returns the first [`Violation`].
//! [`explain_violation`] converts that to a diagnostic about the bytes of the input. [`check_constraint`] checks one
//! constraint in one scope, also while a value is still incomplete.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::read::read_input;
//! use rebut_format::validate::{explain_violation, find_violation};
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9; sum(a) = 5");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let value = read_input(&format, b"2\n3 4\n").expect("an input of the format");
//! let violation = find_violation(&format, &value).expect("a violation");
//! assert_eq!(violation.distance, Some(2));
//! assert_eq!(explain_violation(&format, &value, &violation).message, "`sum(a) = 5` does not hold");
//! ```

mod comparison;
mod compiled_comparison;
mod distinct;
mod explanation;
mod formula;
mod text_property;
mod validator;
mod violation_location;

pub use compiled_comparison::CompiledComparison;
pub use explanation::ViolationSides;
pub use formula::{FormulaFault, find_fault};
pub(crate) use text_property::visit_boards;
pub use validator::{find_violation, find_violation_except};

use crate::language::{
    BlockId, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldId, FoldRange, Format,
    GraphConstraint, GraphEdges, GraphProperty, TokenPattern,
};
use crate::print;
use crate::value::{self, EvalError, Value, ValueScope, visit_occurrences};
use comparison::check_comparison;
use rebut_diagnostics::{Diagnostic, Span, shorten_text};
use rebut_generators::GraphRequirements;
use std::borrow::Cow;
use std::collections::HashSet;
use violation_location::locate_violation;

/// A violated constraint and the location of the violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Index of the constraint in its format.
    pub constraint: usize,
    /// Path of the instance of the constraint's home block.
    pub path: Vec<usize>,
    /// Index of the violating element of an array.
    pub element: Option<usize>,
    /// Text of the two sides.
    pub sides: String,
    /// Difference of the sides, if they are numbers.
    pub distance: Option<u128>,
}

/// Returns a violation of one constraint, or `None` if it holds.
pub fn violation_of_constraint(format: &Format, value: &Value, constraint: usize) -> Option<Violation> {
    let wanted = &format.constraints[constraint];
    find_violation_except(format, value, &|c| !std::ptr::eq(c, wanted))
}

/// Returns true if an instance satisfies every constraint scoped to its block or to a block inside it.
pub fn is_instance_valid(format: &Format, block: BlockId, instance: &[Value], outer: &ValueScope<'_>) -> bool {
    let scope = outer.for_instance(block, instance);
    let here =
        format.constraints.iter().filter(|c| c.home_block == block).all(|c| check_constraint(c, &scope).is_none());
    here && format.child_blocks(block).all(|child| {
        value::instances_in_holder(format, child, instance)
            .iter()
            .all(|inner| is_instance_valid(format, child, inner, &scope))
    })
}

/// Returns true if a comparison holds in a scope or is void; a comparison without a value is false.
pub fn is_comparison_true(comparison: &Comparison, scope: &ValueScope<'_>) -> bool {
    matches!(check_comparison(comparison, scope), Ok(None) | Err(EvalError::Empty | EvalError::Absent(_)))
}

/// Returns how a constraint is violated in a scope: the element, and the sides. Returns `None` if it holds, or if
/// something in it is not known yet.
pub fn check_constraint<'f>(constraint: &'f Constraint, scope: &ValueScope<'_>) -> BrokenConstraint<'f> {
    match &constraint.rule {
        ConstraintRule::Compare(comparison) => match check_comparison(comparison, scope) {
            Ok(broken) => broken,
            Err(unknown) => unknown_value_result(unknown),
        },
        rule @ (ConstraintRule::Distinct(..)
        | ConstraintRule::Ordered(..)
        | ConstraintRule::Graph(_)
        | ConstraintRule::Matches(..)
        | ConstraintRule::Text(_)
        | ConstraintRule::DistinctTexts(..)) => match check_aggregate_rule(rule, scope) {
            Ok(broken) => broken.map(|(element, words)| (element, ViolationSides::Words(words))),
            Err(unknown) => unknown_value_result(unknown),
        },
        ConstraintRule::Formula(formula) => match find_fault(formula, scope) {
            Ok(fault) => fault.map(|fault| (None, fault.sides)),
            Err(unknown) => unknown_value_result(unknown),
        },
    }
}

/// Returns the result of a constraint without a value.
fn unknown_value_result<'f>(unknown: EvalError) -> BrokenConstraint<'f> {
    match unknown {
        EvalError::Missing | EvalError::Empty | EvalError::Absent(_) => None,
        EvalError::Undefined => {
            Some((None, ViolationSides::Words("it has no value: too large, or a division by zero".to_owned())))
        }
    }
}

/// Checks a rule about many numbers or texts.
///
/// # Errors
/// Returns the reason if that cannot be decided and the known part does not violate the rule.
fn check_aggregate_rule(rule: &ConstraintRule, scope: &ValueScope<'_>) -> AggregateResult {
    match rule {
        ConstraintRule::Distinct(parts, FoldRange::Elements) => distinct::find_repeated_element(parts, scope),
        ConstraintRule::Distinct(parts, over @ (FoldRange::Instances(_) | FoldRange::Occurrences(_))) => {
            distinct::find_repeated_instance(parts, *over, scope)
        }
        ConstraintRule::Ordered(expr, sign, over) => find_disorder(expr, *sign, *over, scope),
        ConstraintRule::Graph(rule) => Ok(find_graph_fault(rule, scope)),
        ConstraintRule::Matches(field, pattern) => Ok(find_pattern_mismatch(*field, pattern, scope)),
        ConstraintRule::Text(text) => Ok(text_property::find_property_fault(text, scope)),
        ConstraintRule::DistinctTexts(field, over) => find_repeated_text(*field, *over, scope),
        ConstraintRule::Compare(_) | ConstraintRule::Formula(_) => Ok(None),
    }
}

/// Returns the first text that does not match the field's pattern.
fn find_pattern_mismatch(
    field: FieldId,
    pattern: &TokenPattern,
    scope: &ValueScope<'_>,
) -> Option<(Option<usize>, String)> {
    let texts = collect_texts(scope.field_value(field)?);
    let at = texts.iter().position(|text| !pattern.is_match(text))?;
    Some((Some(at), format!("`{}` does not match", shorten_text(texts[at], 20))))
}

fn find_repeated_text(field: FieldId, over: FoldRange, scope: &ValueScope<'_>) -> AggregateResult {
    let mut texts: Vec<Cow<'_, [u8]>> = Vec::new();
    let known = match over {
        FoldRange::Elements => {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(Cow::Borrowed));
            Ok(())
        }
        FoldRange::Instances(_) | FoldRange::Occurrences(_) => visit_occurrences(scope, over, &mut |_, scope| {
            let value = scope.field_value(field).ok_or(EvalError::Missing)?;
            texts.extend(collect_texts(value).into_iter().map(|text| Cow::Owned(text.to_vec())));
            Ok(())
        }),
    };
    let mut seen: HashSet<&[u8]> = HashSet::with_capacity(texts.len());
    match texts.iter().position(|text| !seen.insert(text)) {
        Some(at) => Ok(Some((Some(at), format!("`{}` occurs twice", shorten_text(&texts[at], 20))))),
        None => known.map(|()| None),
    }
}

/// Returns the texts of a value, in input order.
pub fn collect_texts(value: &Value) -> Vec<&[u8]> {
    match value {
        Value::Text(letters) => vec![letters],
        Value::List(rows) => rows.iter().flat_map(collect_texts).collect(),
        _ => Vec::new(),
    }
}

/// Like [`check_constraint`] for a complete value, where a comparison with something unknown is a violation.
fn check_complete_constraint<'f>(constraint: &'f Constraint, scope: &ValueScope<'_>) -> BrokenConstraint<'f> {
    let refers_to_absent = || Some((None, ViolationSides::Words("it refers to something that is absent".to_owned())));
    match &constraint.rule {
        ConstraintRule::Compare(comparison) if check_comparison(comparison, scope) == Err(EvalError::Missing) => {
            Some((None, ViolationSides::Words("it cannot be computed here".to_owned())))
        }
        ConstraintRule::Formula(formula) if find_fault(formula, scope) == Err(EvalError::Missing) => refers_to_absent(),
        rule @ (ConstraintRule::Distinct(..) | ConstraintRule::Ordered(..) | ConstraintRule::DistinctTexts(..)) => {
            match check_aggregate_rule(rule, scope) {
                Ok(broken) => broken.map(|(element, words)| (element, ViolationSides::Words(words))),
                Err(EvalError::Missing) => refers_to_absent(),
                Err(unknown) => unknown_value_result(unknown),
            }
        }
        ConstraintRule::Compare(_)
        | ConstraintRule::Formula(_)
        | ConstraintRule::Graph(_)
        | ConstraintRule::Matches(..)
        | ConstraintRule::Text(_) => check_constraint(constraint, scope),
    }
}

/// A violation: the element, and the reason.
type BrokenConstraint<'f> = Option<(Option<usize>, ViolationSides<'f>)>;

/// The same with a finished text, for rarely violated rules.
type AggregateResult = Result<Option<(Option<usize>, String)>, EvalError>;

/// Returns the first number, by its index among all elements or instances, that does not satisfy the relation to the
/// next.
fn find_disorder(expr: &Expr, sign: ComparisonOperator, over: FoldRange, scope: &ValueScope<'_>) -> AggregateResult {
    let mut numbers: Vec<(usize, i128)> = Vec::new();
    let mut known = Ok(());
    match over {
        FoldRange::Elements => match value::evaluate_elements(expr, scope) {
            Ok(elements) => numbers.extend(elements.into_iter().enumerate()),
            Err(EvalError::Absent(_) | EvalError::Empty) => {}
            Err(unknown) => known = Err(unknown),
        },
        FoldRange::Instances(_) | FoldRange::Occurrences(_) => {
            let mut instance = 0;
            known = visit_occurrences(scope, over, &mut |_, scope| {
                instance += 1;
                match value::evaluate_number(expr, scope) {
                    Ok(number) => numbers.push((instance - 1, number)),
                    Err(EvalError::Absent(_) | EvalError::Empty) => {}
                    Err(unknown) => return Err(unknown),
                }
                Ok(())
            });
        }
    }
    match numbers.windows(2).find(|pair| !sign.compare(&pair[0].1, &pair[1].1)) {
        Some(pair) => Ok(Some((Some(pair[1].0), format!("{} before {}", pair[0].1, pair[1].1)))),
        None => known.map(|()| None),
    }
}

/// Returns a graph's edges with vertices counted from 0, or `None` if an edge is unknown or has a vertex out of range.
pub fn collect_edges(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<(usize, Vec<(usize, usize)>)> {
    let first = value::evaluate_number(&rule.vertices.0, scope).ok()?;
    let last = value::evaluate_number(&rule.vertices.1, scope).ok()?;
    let vertices = usize::try_from(last - first + 1).ok()?;
    let vertex = |number: i128| usize::try_from(number - first).ok().filter(|v| *v < vertices);
    let edges = match &rule.edges {
        GraphEdges::Lines { block, ends } => {
            let (_, instances) = scope.instances_of(*block)?;
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
pub fn graph_requirements(rule: &GraphConstraint, vertices: usize, edges: usize) -> GraphRequirements {
    GraphRequirements {
        vertices,
        edges,
        directed: rule.has_property(GraphProperty::Directed),
        simple: rule.has_property(GraphProperty::Simple),
        loopless: rule.has_property(GraphProperty::Loopless),
        connected: rule.has_property(GraphProperty::Connected),
        acyclic: rule.has_property(GraphProperty::Acyclic),
        bipartite: rule.has_property(GraphProperty::Bipartite),
    }
}

fn find_graph_fault(rule: &GraphConstraint, scope: &ValueScope<'_>) -> Option<(Option<usize>, String)> {
    let (vertices, edges) = collect_edges(rule, scope)?;
    if let Err(fault) = graph_requirements(rule, vertices, edges.len()).check_edges(&edges) {
        return Some((fault.edge, fault.message));
    }
    let degrees = || {
        let mut degrees = vec![0_usize; vertices];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| degrees[end] += 1);
        degrees
    };
    if rule.has_property(GraphProperty::Path) && degrees().iter().any(|d| *d > 2) {
        return Some((None, "a vertex has more than two neighbours".to_owned()));
    }
    let has_centre = || vertices <= 2 || degrees().iter().any(|d| *d + 1 >= vertices);
    (rule.has_property(GraphProperty::Star) && !has_centre())
        .then(|| (None, "no vertex is adjacent to all others".to_owned()))
}

/// Converts a violation to a diagnostic about the input's bytes.
pub fn explain_violation(format: &Format, value: &Value, violation: &Violation) -> Diagnostic {
    let constraint = &format.constraints[violation.constraint];
    let (path, index) = locate_violation(format, value, constraint, violation);
    let bytes = print::locate_bytes(format, value, &path, index);
    let source_line = format.source.describe_line(constraint.span.start);
    let place = value::describe_place(format, &path, index);
    let problem = Diagnostic::error(
        "constraint",
        Span::new(bytes.start, bytes.end),
        format!("`{}` does not hold", format.source_text(constraint.span)),
    );
    let note = format!("required by {source_line}");
    let note = if place.is_empty() { note } else { format!("in {place}; {note}") };
    problem.with_caret(violation.sides.clone()).with_note(note)
}
