//! The part of an input that a violated constraint points to.

use super::{Fault, Violation, fault};
use crate::format::{BlockId, Constraint, Edges, Expr, FieldId, Format, Formula, GraphRule, Over, Rule};
use crate::print;
use crate::value::{self, Scope, Value};

/// The part of the value that is most to blame: the repetition or element that was found, or the first field outside of
/// all folds, else the place itself.
pub(super) fn culprit(
    format: &Format,
    root: &Value,
    constraint: &Constraint,
    violation: &Violation,
) -> (Vec<usize>, Option<usize>) {
    let mut path = violation.path.clone();
    if let (Some(block), Some(at)) = (repeated_block(&constraint.rule), violation.element) {
        path.extend([format.block(block).slot, at]);
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

/// The block whose instances a rule is about.
fn repeated_block(rule: &Rule) -> Option<BlockId> {
    match rule {
        Rule::Distinct(_, Over::Instances(block))
        | Rule::Ordered(_, _, Over::Instances(block))
        | Rule::DistinctTexts(_, Over::Instances(block)) => Some(*block),
        Rule::Graph(GraphRule { edges: Edges::Lines { block, .. }, .. }) => Some(*block),
        Rule::Graph(GraphRule { edges: Edges::Parents { block, .. }, .. }) => *block,
        _ => None,
    }
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
        Expr::Constant(_) | Expr::Variable(_) | Expr::Letters(_) | Expr::Fold(_, Over::Instances(_), _) => {}
    }
}

/// Where a field, one of its rows or one of its elements stands.
fn picked(field: FieldId, indices: &[Expr], scope: &Scope<'_>, place: &[usize]) -> Option<Part> {
    let format = scope.format;
    let info = format.field(field);
    let index = |expr: &Expr| usize::try_from(value::number(expr, scope).ok()? - 1).ok();
    let indices = indices.iter().map(index).collect::<Option<Vec<usize>>>()?;
    let (mut path, rest) = match indices.split_first().filter(|(_, rest)| rest.len() == info.dimensions.len()) {
        Some((repetition, rest)) => {
            let block = format.block(info.block);
            let holder = place.get(..2 * depth(format, block.parent?))?;
            ([holder, &[block.slot, *repetition]].concat(), rest)
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
