//! Locates the part of an input that a violated constraint points to.

use super::Violation;
use crate::language::{BlockId, Constraint, Expr, FieldId, FoldRange, Format};
use crate::print;
use crate::value::{self, Value, ValueScope, visit_last_step, visit_occurrences};

/// Returns the part of the value that is most likely wrong: the repetition or element that was found, else the first
/// field outside of all folds, else the instance itself.
pub(super) fn locate_violation(
    format: &Format,
    root: &Value,
    constraint: &Constraint,
    violation: &Violation,
) -> (Vec<usize>, Option<usize>) {
    let mut path = violation.path.clone();
    let kind = constraint.rule.kind();
    let repeated = kind.range().filter(|over| *over != FoldRange::Elements);
    if let (Some(over), Some(at)) = (repeated, violation.element) {
        path.extend(path_to_occurrence(format, root, over, &path, at));
        return (path, None);
    }
    if let Some(found) = locate_by_comparison(format, root, constraint, &violation.path) {
        return found;
    }
    let field = kind.named_field().or_else(|| {
        kind.expressions().into_iter().find_map(|e| match e {
            Expr::Field(f) | Expr::Length(f) | Expr::Element(f, _) => Some(*f),
            _ => None,
        })
    });
    let Some(field) = field.map(|f| format.field(f)).filter(|f| f.block == constraint.home_block) else {
        return (path, None);
    };
    path.push(field.slot);
    let mut index = violation.element;
    if kind.counts_texts() {
        path.extend(index.filter(|_| field.dimensions.len() > 1));
        return (path, None);
    }
    // The elements of a field with several dimensions are numbered consecutively; descend to the row.
    while let (Some(i), Some(Value::List(rows))) = (index, root.value_at(&path)) {
        let mut left = i;
        let row = rows.iter().position(|row| {
            let inside = left < row.element_count();
            left -= if inside { 0 } else { row.element_count() };
            inside
        });
        let Some(row) = row else { break };
        path.push(row);
        index = Some(left);
    }
    (path, index.filter(|_| !field.is_scalar()))
}

/// Returns the path from the instance at `path` to one of those that a rule is about.
fn path_to_occurrence(format: &Format, root: &Value, over: FoldRange, path: &[usize], at: usize) -> Vec<usize> {
    let (mut found, mut number) = (Vec::new(), 0);
    visit_scope_at(&ValueScope::for_input(format, root), path, &mut |scope| {
        // Unknown instances after the one to find are irrelevant.
        let _ = visit_occurrences(scope, over, &mut |steps, _| {
            if number == at {
                found = steps.to_vec();
            }
            number += 1;
            Ok(())
        });
    });
    found
}

/// A path for [`Value::value_at`], and the index of a number or character there.
type ValuePart = (Vec<usize>, Option<usize>);

/// Returns the last part in the input that the comparison responsible for a violation depends on: before it, the
/// constraint could still have held. Returns `None` if only the whole instance can be pointed to.
fn locate_by_comparison(format: &Format, root: &Value, constraint: &Constraint, path: &[usize]) -> Option<ValuePart> {
    let mut parts = Vec::new();
    visit_scope_at(&ValueScope::for_input(format, root), path, &mut |scope| {
        let Some((comparison, variables)) = constraint.rule.kind().responsible_comparison(scope) else { return };
        let scope = scope.with_variables(&variables);
        for side in comparison.all_operands() {
            collect_parts(side, &scope, path, &mut parts);
        }
    });
    parts.into_iter().max_by_key(|(path, index)| {
        let bytes = print::locate_bytes(format, root, path, *index);
        (bytes.start, std::cmp::Reverse(bytes.end))
    })
}

/// Calls `visit` with the scope of the instance at a path.
fn visit_scope_at(scope: &ValueScope<'_>, path: &[usize], visit: &mut dyn FnMut(&ValueScope<'_>)) {
    let [slot, index, rest @ ..] = path else { return visit(scope) };
    let child = scope.format.child_blocks(scope.block).find(|child| scope.format.block(*child).slot == *slot);
    let instance = child.and_then(|child| Some((child, scope.child_instances(child).get(*index)?)));
    if let Some((child, instance)) = instance {
        visit_scope_at(&scope.for_instance(child, instance), rest, visit);
    }
}

/// Collects the parts of the input that an expression depends on, in the scope of the instance at `place`.
fn collect_parts(expr: &Expr, scope: &ValueScope<'_>, place: &[usize], found: &mut Vec<ValuePart>) {
    expr.visit_parts(&mut |part| {
        match part {
            Expr::Field(field) | Expr::Length(field) => found.extend(picked_part(*field, &[], scope, place)),
            Expr::Element(field, indices) => found.extend(picked_part(*field, indices, scope, place)),
            Expr::Slice(slice) => {
                visit_last_step(slice, scope, &mut |part, scope| collect_parts(part, scope, place, found));
            }
            _ => {}
        }
        !matches!(
            part,
            Expr::Element(..) | Expr::Slice(_) | Expr::Fold(_, FoldRange::Instances(_) | FoldRange::Occurrences(_), _)
        )
    });
}

/// Returns the location of a field, of one of its rows or of one of its elements.
fn picked_part(field: FieldId, indices: &[Expr], scope: &ValueScope<'_>, place: &[usize]) -> Option<ValuePart> {
    let format = scope.format;
    let info = format.field(field);
    let index = |expr: &Expr| usize::try_from(value::evaluate_number(expr, scope).ok()? - 1).ok();
    let counts = format.indexes_repetitions(field, indices);
    let indices = indices.iter().map(index).collect::<Option<Vec<usize>>>()?;
    let (mut path, rest) = match indices.split_first().filter(|_| counts) {
        Some((repetition, rest)) => {
            let outermost = format.block(format.repetition_of(info.block)?);
            let mut path = place.get(..2 * block_depth(format, outermost.parent?))?.to_vec();
            path.extend([outermost.slot, *repetition]);
            // A condition or an alternative has a single instance.
            let optional: Vec<BlockId> = format.optional_blocks_around(field).collect();
            path.extend(optional.iter().rev().flat_map(|block| [format.block(*block).slot, 0]));
            (path, rest)
        }
        None => (place.get(..2 * block_depth(format, info.block))?.to_vec(), &*indices),
    };
    path.push(info.slot);
    path.extend(rest);
    let is_element = !rest.is_empty() && rest.len() == info.dimensions.len();
    let last = if is_element { path.pop() } else { None };
    Some((path, last))
}

/// Returns the nesting depth of a block's instances.
fn block_depth(format: &Format, block: BlockId) -> usize {
    std::iter::successors(format.block(block).parent, |at| format.block(*at).parent).count()
}
