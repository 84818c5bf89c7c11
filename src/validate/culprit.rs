//! The part of an input that a violated constraint points to.

use super::{Fault, Violation, fault};
use crate::format::{BlockId, Constraint, Edges, Expr, FieldId, Format, Formula, GraphRule, Over, Rule};
use crate::print;
use crate::value::{self, Scope, Value, each_occurrence};

/// The part of the value that is most to blame: the repetition or element that was found, or the first field outside of
/// all folds, else the place itself.
pub(super) fn culprit(
    format: &Format,
    root: &Value,
    constraint: &Constraint,
    violation: &Violation,
) -> (Vec<usize>, Option<usize>) {
    let mut path = violation.path.clone();
    if let (Some(over), Some(at)) = (repeated(&constraint.rule), violation.element) {
        path.extend(steps_to(format, root, over, &path, at));
        return (path, None);
    }
    if let Rule::Formula(formula) = &constraint.rule
        && let Some(found) = of_formula(format, root, formula, &violation.path)
    {
        return found;
    }
    let field = match &constraint.rule {
        Rule::Matches(field, _) | Rule::DistinctTexts(field, _) => Some(*field),
        Rule::Graph(GraphRule { edges: Edges::Parents { field, .. }, .. }) => Some(*field),
        rule => rule.exprs().into_iter().find_map(|e| match e {
            Expr::Field(f) | Expr::Length(f) | Expr::Element(f, _) => Some(*f),
            _ => None,
        }),
    };
    let Some(field) = field.map(|f| format.field(f)).filter(|f| f.block == constraint.home) else {
        return (path, None);
    };
    path.push(field.slot);
    let mut index = violation.element;
    if matches!(constraint.rule, Rule::Matches(..) | Rule::DistinctTexts(..)) {
        path.extend(index.filter(|_| field.dimensions.len() > 1));
        return (path, None);
    }
    // An element of a field of several dimensions is numbered through; walk down to its row.
    while let (Some(i), Some(Value::List(rows))) = (index, root.at(&path)) {
        let mut left = i;
        let row = rows.iter().position(|row| {
            let inside = left < row.elements();
            left -= if inside { 0 } else { row.elements() };
            inside
        });
        let Some(row) = row else { break };
        path.push(row);
        index = Some(left);
    }
    (path, index.filter(|_| !field.is_scalar()))
}

/// The instances that a rule is about.
fn repeated(rule: &Rule) -> Option<Over> {
    match rule {
        Rule::Distinct(_, over) | Rule::Ordered(_, _, over) | Rule::DistinctTexts(_, over) => {
            Some(*over).filter(|over| *over != Over::Elements)
        }
        Rule::Graph(GraphRule { edges: Edges::Lines { block, .. }, .. }) => Some(Over::Instances(*block)),
        Rule::Graph(GraphRule { edges: Edges::Parents { block, .. }, .. }) => block.map(Over::Instances),
        Rule::Compare(_) | Rule::Matches(..) | Rule::Formula(_) => None,
    }
}

/// The way from the instance at a path to one of those that a rule is about.
fn steps_to(format: &Format, root: &Value, over: Over, path: &[usize], at: usize) -> Vec<usize> {
    let (mut found, mut number) = (Vec::new(), 0);
    at_place(&Scope::whole(format, root), path, &mut |scope| {
        // Whatever is still unknown behind the one that is sought changes nothing.
        let _ = each_occurrence(scope, over, &mut |steps, _| {
            if number == at {
                found = steps.to_vec();
            }
            number += 1;
            Ok(())
        });
    });
    found
}

/// A path as [`Value::at`] takes it, and one number or letter of what stands there.
type Part = (Vec<usize>, Option<usize>);

/// Of all that the first false comparison of a formula speaks of, what comes last in the input: up to there it could still
/// have held. None if nothing is to be pointed at but the whole instance.
fn of_formula(format: &Format, root: &Value, formula: &Formula, path: &[usize]) -> Option<Part> {
    let mut parts = Vec::new();
    at_place(&Scope::whole(format, root), path, &mut |scope| {
        let Ok(Some(Fault { comparison: Some(comparison), variables, .. })) = fault(formula, scope) else { return };
        let scope = scope.with(&variables);
        for side in comparison.left.iter().chain(&comparison.right) {
            parts_of(side, &scope, path, &mut parts);
        }
    });
    parts.into_iter().max_by_key(|(path, index)| {
        let bytes = print::locate(format, root, path, *index);
        (bytes.start, std::cmp::Reverse(bytes.end))
    })
}

/// Calls `visit` with the scope of the instance at the end of a path.
fn at_place(scope: &Scope<'_>, path: &[usize], visit: &mut dyn FnMut(&Scope<'_>)) {
    let [slot, index, rest @ ..] = path else { return visit(scope) };
    let child = scope.format.children(scope.block).find(|child| scope.format.block(*child).slot == *slot);
    let instance = child.and_then(|child| Some((child, scope.list(child).get(*index)?)));
    if let Some((child, instance)) = instance {
        at_place(&scope.inner(child, instance), rest, visit);
    }
}

/// Whatever of the input an expression speaks of, seen from the instance at `place`.
fn parts_of(expr: &Expr, scope: &Scope<'_>, place: &[usize], found: &mut Vec<Part>) {
    match expr {
        Expr::Field(field) | Expr::Length(field) => found.extend(picked(*field, &[], scope, place)),
        Expr::Element(field, indices) => found.extend(picked(*field, indices, scope, place)),
        Expr::Minus(inner) | Expr::Fold(_, Over::Elements, inner) | Expr::Whole(inner) => {
            parts_of(inner, scope, place, found);
        }
        Expr::Binary(_, left, right) => {
            parts_of(left, scope, place, found);
            parts_of(right, scope, place, found);
        }
        Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) => {}
        Expr::Fold(_, Over::Instances(_) | Over::Occurrences(_), _) => {}
    }
}

/// Where a field, one of its rows or one of its elements stands.
fn picked(field: FieldId, indices: &[Expr], scope: &Scope<'_>, place: &[usize]) -> Option<Part> {
    let format = scope.format;
    let info = format.field(field);
    let index = |expr: &Expr| usize::try_from(value::number(expr, scope).ok()? - 1).ok();
    let counts = format.counts_repetitions(field, indices);
    let indices = indices.iter().map(index).collect::<Option<Vec<usize>>>()?;
    let (mut path, rest) = match indices.split_first().filter(|_| counts) {
        Some((repetition, rest)) => {
            let outermost = format.block(format.repetition_of(info.block)?);
            let mut path = place.get(..2 * depth(format, outermost.parent?))?.to_vec();
            path.extend([outermost.slot, *repetition]);
            // A condition or a form stands there once.
            let optional: Vec<BlockId> = format.optional_around(field).collect();
            path.extend(optional.iter().rev().flat_map(|block| [format.block(*block).slot, 0]));
            (path, rest)
        }
        None => (place.get(..2 * depth(format, info.block))?.to_vec(), &*indices),
    };
    path.push(info.slot);
    path.extend(rest);
    let is_element = !rest.is_empty() && rest.len() == info.dimensions.len();
    let last = if is_element { path.pop() } else { None };
    Some((path, last))
}

/// How many blocks are around the instances of a block.
fn depth(format: &Format, block: BlockId) -> usize {
    std::iter::successors(format.block(block).parent, |at| format.block(*at).parent).count()
}
