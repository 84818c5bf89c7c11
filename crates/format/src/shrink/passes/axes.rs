//! The axes of a value: what can be made shorter.
//!
//! An axis is a number that sizes something, in one instance of its block, or the length of a text that no
//! number announces.

use super::shared_sizes::{delete_shared, is_shared_size, row_length_field};
use crate::generate::GenerationPlan;
use crate::language::{BlockId, Expr, FieldDimension, FieldId, Format, InstanceCount};
use crate::shrink::ddmin::{RunDdmin, ddmin_elements, ddmin_quickly};
use crate::shrink::graph::{delete_vertices, graphs_of};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::{delete_parts, part_count};
use crate::shrink::references::{follow_references, renumber_references, rerank_permutations};
use crate::shrink::search::ShrinkSearch;
use crate::shrink::size_cuts::delete_from_sized;
use crate::tuning::MAX_ABSENT_PARTS;
use crate::value::{Value, visit_instances};

/// An axis: something that can be made shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// A number that sizes something, in the instance at the path.
    Named { path: Vec<usize>, field: FieldId },
    /// The characters of the text, or the instances of the list, at the path.
    Free { path: Vec<usize> },
    /// A size shared by several numbers, such as `r - l + 1`: of the array, the text or the list at the path,
    /// or of a row with its length in an array.
    Shared { path: Vec<usize>, size: Expr },
}

/// Calls `visit` with each axis, the outer ones first. Shortening one can remove others, which then have no length, but it
/// never adds any.
pub(super) fn visit_axes(
    search: &mut ShrinkSearch<'_, '_>,
    visit: &mut dyn FnMut(&mut ShrinkSearch<'_, '_>, Axis) -> Result<(), ShrinkStopped>,
) -> Result<(), ShrinkStopped> {
    for block in search.format().block_ids() {
        for axis in axes_of(search, block) {
            visit(search, axis)?;
        }
    }
    Ok(())
}

pub(super) fn axes_of(search: &ShrinkSearch<'_, '_>, block: BlockId) -> Vec<Axis> {
    let format = search.format();
    let mut found = Vec::new();
    visit_instances(format, search.best_value(), block, &mut |path, instance| {
        found.extend(shared_axes(format, block, path, instance));
        for field in format.fields_in_block(block) {
            let is_number = format.field(field).is_scalar();
            let is_size = is_number && search.plan.is_size(field) && is_size_of_any(format, field);
            if is_size || !graphs_of(format, field).is_empty() {
                found.push(Axis::Named { path: path.to_vec(), field });
            } else if format.field(field).has_free_length() && row_length_field(format, field).is_none() {
                let mut path = path.to_vec();
                path.push(format.field(field).slot);
                collect_free_axes(instance.get(format.field(field).slot), &mut path, &mut found);
            }
        }
        for child in
            format.child_blocks(block).filter(|c| matches!(format.block(*c).count, InstanceCount::Until { .. }))
        {
            let path = [path, &[format.block(child).slot]].concat();
            found.push(Axis::Free { path });
        }
    });
    found
}

/// Returns true if a field sizes something, instead of only being part of a condition.
pub(super) fn is_size_of_any(format: &Format, field: FieldId) -> bool {
    let sized = |d: &FieldDimension| matches!(d, FieldDimension::Size(size) if size.mentions_field(field) && !is_shared_size(size));
    format.fields.iter().any(|f| f.dimensions.iter().any(sized))
        || format
            .blocks
            .iter()
            .any(|b| b.count.times_expr().is_some_and(|c| c.mentions_field(field) && !is_shared_size(c)))
}

fn collect_free_axes(value: Option<&Value>, path: &mut Vec<usize>, found: &mut Vec<Axis>) {
    match value {
        Some(Value::Text(_) | Value::Ints(_)) => found.push(Axis::Free { path: path.clone() }),
        Some(Value::List(rows)) => {
            for (i, row) in rows.iter().enumerate() {
                path.push(i);
                collect_free_axes(Some(row), path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Returns the length of an axis. Returns `None` if its number is far larger than the value: the columns of a
/// board without rows, the vertices of a graph without edges. Such a number is minimized like other values.
pub(super) fn axis_length(format: &Format, value: &Value, axis: &Axis) -> Option<usize> {
    match axis {
        Axis::Named { path, field } => {
            let number = value.instance_at(path)?.get(format.field(*field).slot)?.as_int()?;
            usize::try_from(number).ok().filter(|length| *length <= MAX_ABSENT_PARTS || *length <= value.node_count())
        }
        Axis::Free { path } | Axis::Shared { path, .. } => value.value_at(path).map(part_count),
    }
}

/// Returns the axes in an instance of a block with sizes shared by several numbers.
fn shared_axes(format: &Format, block: BlockId, path: &[usize], instance: &[Value]) -> Vec<Axis> {
    let mut found = Vec::new();
    let below = |slot: usize| [path, &[slot]].concat();
    for field in format.fields_in_block(block) {
        let info = format.field(field);
        let size = match info.dimensions.first() {
            Some(FieldDimension::Size(size)) => Some(size).filter(|size| is_shared_size(size)),
            Some(FieldDimension::Free) => info.announced_length.as_ref(),
            None => None,
        };
        found.extend(size.map(|size| Axis::Shared { path: below(info.slot), size: size.clone() }));
        let Some(lengths) = row_length_field(format, field) else { continue };
        let rows = instance.get(info.slot).map_or(0, |rows| rows.as_list().len());
        found.extend(
            (0..rows).map(|row| Axis::Shared { path: [path, &[info.slot, row]].concat(), size: Expr::Field(lengths) }),
        );
    }
    for child in format.child_blocks(block) {
        let info = format.block(child);
        let size = info.count.times_expr().filter(|size| is_shared_size(size));
        found.extend(size.map(|size| Axis::Shared { path: below(info.slot), size: size.clone() }));
    }
    found
}

// Deletion along an axis: cases, rows, columns, elements, characters.
//
// See [`Axis`] for what an axis is. Deleting the third position of `n` makes `n` smaller by one and deletes the third part of
// *everything* that `n` sizes (a square board loses its third row and its third column, two arrays of equal
// length lose the same index), and references to later parts are renumbered. Outer axes come first: it is
// cheaper to delete a whole case than its rows.

/// Shortens every axis, with a limited number of rejections.
pub(super) fn shorten_axes(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    visit_axes(search, &mut |search, axis| shorten_axis(search, &axis, ddmin_quickly))
}

/// Tries every position of every axis, after all other passes have failed.
pub(super) fn shorten_axes_fully(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    visit_axes(search, &mut |search, axis| shorten_axis(search, &axis, ddmin_elements))
}

fn shorten_axis(search: &mut ShrinkSearch<'_, '_>, axis: &Axis, ddmin: RunDdmin) -> Result<(), ShrinkStopped> {
    let Some(length) = axis_length(search.format(), search.best_value(), axis) else { return Ok(()) };
    ddmin(length, &mut |deleted| {
        let candidates = delete_positions(search.plan, search.best_value(), axis, deleted);
        search.attempt_any(candidates)
    })?;
    Ok(())
}

/// Returns the candidates after a deletion: with references renumbered, followed, and unchanged.
pub(super) fn delete_positions(plan: &GenerationPlan<'_>, value: &Value, axis: &Axis, deleted: &[usize]) -> Vec<Value> {
    let format = plan.format;
    match axis {
        Axis::Free { path } => {
            let mut left = value.clone();
            left.value_at_mut(path).into_iter().for_each(|value| delete_parts(value, deleted));
            vec![left]
        }
        Axis::Shared { path, size } => delete_shared(format, value, path, size, deleted),
        Axis::Named { path, field } => {
            let graphs = graphs_of(format, *field);
            let mut left: Vec<Value> =
                graphs.iter().flat_map(|rule| delete_vertices(format, value, path, *field, rule, deleted)).collect();
            if graphs.is_empty() {
                let Some(cut) = delete_from_sized(format, value, path, *field, deleted) else { return Vec::new() };
                let renumbered = rerank_permutations(
                    plan,
                    renumber_references(format, &cut, path, *field, deleted),
                    &cut,
                    path,
                    *field,
                );
                let followed = follow_references(format, value, &renumbered, path, *field, deleted);
                let others = [Some(renumbered), followed, Some(cut)];
                for other in others.into_iter().flatten() {
                    if !left.contains(&other) {
                        left.push(other);
                    }
                }
            }
            left
        }
    }
}
