//! Deletion along an axis: cases, rows, columns, elements, characters.
//!
//! An axis is a number that sizes something, in one instance of its block, or the length of a text that no
//! number announces. Deleting the third position of `n` makes `n` smaller by one and deletes the third part of
//! *everything* that `n` sizes (a square board loses its third row and its third column, two arrays of equal
//! length lose the same index), and references to later parts are renumbered. Outer axes come first: it is
//! cheaper to delete a whole case than its rows.

use super::shared_lengths::{delete_shared, is_shared_size, row_length_field, shared_axes};
use crate::generate::GenerationPlan;
use crate::language::{
    ArithmeticOperator, BlockId, ComparisonOperator, Expr, FieldDimension, FieldId, Format, InstanceCount,
};
use crate::shrink::ddmin::{ddmin_elements, ddmin_quickly};
use crate::shrink::follow_references::follow_references;
use crate::shrink::graph::{delete_vertices, graphs_of};
use crate::shrink::search::{ShrinkSearch, ShrinkStopped};
use crate::value::{self, InstanceList, InstanceSlots, Value, ValueScope, visit_instances, visit_leaves};

/// Maximum length of an axis without parts in the value, since each step of ddmin lists the positions.
const MAX_ABSENT_PARTS: usize = 1_000_000;

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

/// Shortens every axis, with a limited number of rejections.
pub(super) fn shorten_axes(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    shorten_all_axes(search, false)
}

/// Tries every position of every axis, after all other passes have failed.
pub(super) fn shorten_axes_fully(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    shorten_all_axes(search, true)
}

fn shorten_all_axes(search: &mut ShrinkSearch<'_, '_>, is_thorough: bool) -> Result<(), ShrinkStopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        // Deletion along one axis can remove other axes, which then have no length. It never adds any.
        for axis in axes_of(search, block) {
            shorten_axis(search, &axis, is_thorough)?;
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
            let is_size = search.plan.is_size(field) && is_size_of_any(format, field);
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

fn shorten_axis(search: &mut ShrinkSearch<'_, '_>, axis: &Axis, is_thorough: bool) -> Result<(), ShrinkStopped> {
    let Some(length) = axis_length(search.format(), search.best_value(), axis) else { return Ok(()) };
    let ddmin = if is_thorough { ddmin_elements } else { ddmin_quickly };
    ddmin(length, &mut |deleted| {
        let candidates = delete_positions(search.plan, search.best_value(), axis, deleted);
        search.attempt_any(candidates)
    })?;
    Ok(())
}

/// Returns the length of an axis. Returns `None` if its number is far larger than the value: the columns of a
/// board without rows, the vertices of a graph without edges. Such a number is minimized like other values.
pub(super) fn axis_length(format: &Format, value: &Value, axis: &Axis) -> Option<usize> {
    match axis {
        Axis::Named { path, field } => {
            let number = value.instance_at(path)?.get(format.field(*field).slot)?.as_int()?;
            usize::try_from(number).ok().filter(|length| *length <= MAX_ABSENT_PARTS || *length <= value.node_count())
        }
        Axis::Free { path } | Axis::Shared { path, .. } => Some(match value.value_at(path)? {
            Value::Instances(list) => list.len(),
            Value::List(rows) => rows.len(),
            text => text.element_count(),
        }),
    }
}

/// Returns the candidates after a deletion: with references renumbered, followed, and unchanged.
pub(super) fn delete_positions(plan: &GenerationPlan<'_>, value: &Value, axis: &Axis, deleted: &[usize]) -> Vec<Value> {
    let format = plan.format;
    match axis {
        Axis::Free { path } => {
            let (mut left, mut stays) = (value.clone(), survival_filter(deleted));
            match left.value_at_mut(path) {
                Some(Value::Text(letters)) => letters.retain(|_| stays()),
                Some(Value::Ints(numbers)) => numbers.retain(|_| stays()),
                Some(Value::Instances(list)) => list.retain(|i| deleted.binary_search(&i).is_err()),
                _ => {}
            }
            vec![left]
        }
        Axis::Shared { path, size } => delete_shared(format, value, path, size, deleted),
        Axis::Named { path, field } => {
            let graphs = graphs_of(format, *field);
            let mut left: Vec<Value> =
                graphs.iter().flat_map(|rule| delete_vertices(format, value, path, *field, rule, deleted)).collect();
            if graphs.is_empty() {
                let same = |_: FieldId, _: usize| deleted.to_vec();
                let Some(cut) = delete_from_sized(format, value, path, *field, deleted.len(), &same) else {
                    return Vec::new();
                };
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

/// Lowers a size by `count` and deletes from every part that it sizes. `which` returns the positions for each
/// field and dimension.
pub(in crate::shrink) fn delete_from_sized(
    format: &Format,
    value: &Value,
    path: &[usize],
    field: FieldId,
    count: usize,
    which: &dyn Fn(FieldId, usize) -> Vec<usize>,
) -> Option<Value> {
    let size = value.instance_at(path)?.get(format.field(field).slot)?.as_int()?;
    let size = size.checked_sub(count as i128).filter(|size| *size >= 0)?;
    set_size(format, value, path, field, size, which)
}

/// Sets a size and deletes from every part that it sizes.
pub(super) fn set_size(
    format: &Format,
    value: &Value,
    path: &[usize],
    field: FieldId,
    size: i128,
    which: &dyn Fn(FieldId, usize) -> Vec<usize>,
) -> Option<Value> {
    let mut left = value.clone();
    let home = format.field(field).block;
    *left.instance_at_mut(path)?.get_mut(format.field(field).slot)? = Value::Int(size);
    let cutter = AxisCutter { format, size: field, which };
    let mut cut =
        with_outer_scope(format, &left, path, &mut |outer, instance| cutter.cut_instance(home, instance, outer))?;
    left.instance_at_mut(path)?.swap_with_slice(&mut cut);
    Some(left)
}

/// Calls `f` with the scope around the instance at a path, and the instance.
pub(in crate::shrink) fn with_outer_scope<T>(
    format: &Format,
    root: &Value,
    path: &[usize],
    f: &mut dyn FnMut(Option<&ValueScope<'_>>, &[Value]) -> T,
) -> Option<T> {
    fn descend_scopes<T>(
        scope: &ValueScope<'_>,
        path: &[usize],
        f: &mut dyn FnMut(Option<&ValueScope<'_>>, &[Value]) -> T,
    ) -> Option<T> {
        let [slot, index, rest @ ..] = path else { return None };
        let instance = scope.slot_value(*slot)?.as_instances().get(*index)?;
        if rest.is_empty() {
            return Some(f(Some(scope), instance));
        }
        let child = scope.format.child_blocks(scope.block).find(|c| scope.format.block(*c).slot == *slot)?;
        descend_scopes(&scope.for_instance(child, instance), rest, f)
    }
    if path.is_empty() {
        Some(f(None, root.root_slots()))
    } else {
        descend_scopes(&ValueScope::for_input(format, root), path, f)
    }
}

/// Cuts every part that a size governs in an instance down to its new length.
struct AxisCutter<'a> {
    format: &'a Format,
    size: FieldId,
    which: &'a dyn Fn(FieldId, usize) -> Vec<usize>,
}

impl AxisCutter<'_> {
    fn cut_instance(&self, block: BlockId, instance: &[Value], outer: Option<&ValueScope<'_>>) -> Vec<Value> {
        let format = self.format;
        let mut slots = instance.to_vec();
        for field in format.fields_in_block(block) {
            let slot = format.field(field).slot;
            let cut = {
                let scope = ValueScope { format, block, slots: InstanceSlots::Known(&slots), outer, variables: &[] };
                slots.get(slot).map(|value| self.cut_dimension(field, 0, value, &scope))
            };
            if let (Some(place), Some(cut)) = (slots.get_mut(slot), cut) {
                *place = cut;
            }
        }
        for child in format.child_blocks(block) {
            let slot = format.block(child).slot;
            let list = {
                let scope = ValueScope { format, block, slots: InstanceSlots::Known(&slots), outer, variables: &[] };
                self.cut_list(child, scope.child_instances(child), &scope)
            };
            if let Some(place) = slots.get_mut(slot) {
                *place = Value::Instances(list);
            }
        }
        slots
    }

    fn cut_list(&self, child: BlockId, list: &InstanceList, scope: &ValueScope<'_>) -> InstanceList {
        let mut gone = Vec::new();
        if let Some(count) = self.format.block(child).count.times_expr()
            && count.mentions_field(self.size)
            && let Ok(wanted) = value::evaluate_number(count, scope)
        {
            gone = fit_positions((self.which)(self.size, 0), count, list.len(), wanted);
        }
        let left = list.iter().enumerate().filter(|(i, _)| gone.binary_search(i).is_err());
        let cut = left.map(|(_, inner)| self.cut_instance(child, inner, Some(scope)));
        InstanceList::from_instances(self.format.block(child).slots, cut)
    }

    fn cut_dimension(&self, field: FieldId, dimension: usize, value: &Value, scope: &ValueScope<'_>) -> Value {
        let info = self.format.field(field);
        let size = match info.dimensions.get(dimension) {
            Some(FieldDimension::Size(size)) => Some(size),
            // The length of a row is in an array, so this is not its size.
            Some(FieldDimension::Free) if dimension == 0 => info.announced_length.as_ref(),
            _ => None,
        };
        let gone = |length: usize| match size.filter(|size| size.mentions_field(self.size)) {
            Some(size) => match value::evaluate_number(size, scope) {
                Ok(wanted) => fit_positions((self.which)(field, dimension), size, length, wanted),
                Err(_) => Vec::new(),
            },
            None => Vec::new(),
        };
        let mut value = value.clone();
        match &mut value {
            Value::Ints(numbers) => {
                let gone = gone(numbers.len());
                let mut stays = survival_filter(&gone);
                numbers.retain(|_| stays());
            }
            Value::Text(letters) => {
                let gone = gone(letters.len());
                let mut stays = survival_filter(&gone);
                letters.retain(|_| stays());
            }
            Value::List(rows) => {
                let gone = gone(rows.len());
                let mut stays = survival_filter(&gone);
                rows.retain(|_| stays());
                for row in rows.iter_mut() {
                    *row = self.cut_dimension(field, dimension + 1, row, scope);
                }
            }
            Value::Int(_) | Value::Instances(_) | Value::Block(_) => {}
        }
        value
    }
}

/// Returns the positions to delete from `length` parts so that `wanted` remain: the given ones where they fit;
/// for a size such as `2 * n` the given groups; otherwise the last ones.
fn fit_positions(given: Vec<usize>, size: &Expr, length: usize, wanted: i128) -> Vec<usize> {
    let Some(excess) = usize::try_from(wanted).ok().and_then(|w| length.checked_sub(w)) else { return Vec::new() };
    let factor = match size {
        Expr::Binary(ArithmeticOperator::Multiply, a, b) => match (&**a, &**b) {
            (Expr::Constant(c), _) | (_, Expr::Constant(c)) => usize::try_from(*c).unwrap_or(1).max(1),
            _ => 1,
        },
        _ => 1,
    };
    let mut gone: Vec<usize> =
        given.iter().flat_map(|i| i * factor..(i + 1) * factor).filter(|i| *i < length).take(excess).collect();
    let named = gone.len();
    let mut last = length;
    while gone.len() < excess && last > 0 {
        last -= 1;
        if gone[..named].binary_search(&last).is_err() {
            gone.push(last);
        }
    }
    gone.sort_unstable();
    gone
}

/// Returns a predicate for `retain`: its n-th call returns true unless `n` is among the sorted `positions`.
fn survival_filter(positions: &[usize]) -> impl FnMut() -> bool {
    let mut gone = positions.iter().peekable();
    let mut at = 0;
    move || {
        let deleted = gone.next_if(|p| **p == at).is_some();
        at += 1;
        !deleted
    }
}

/// Renumbers all references to parts counted by `size`. A reference to a deleted part moves to the part before
/// it.
fn renumber_references(format: &Format, value: &Value, path: &[usize], size: FieldId, deleted: &[usize]) -> Value {
    let references: Vec<(FieldId, i128)> = referring_fields(format, size);
    if references.is_empty() {
        return value.clone();
    }
    let mut renumbered = value.clone();
    visit_leaves(format, value, &mut |leaf_path, field, leaf| {
        let Some((_, base)) = references.iter().find(|(f, _)| *f == field) else { return };
        if !leaf_path.starts_with(path) {
            return;
        }
        let moved = |number: i128| {
            let before = deleted.partition_point(|d| (*d as i128) < number - base) as i128;
            let gone = usize::try_from(number - base).is_ok_and(|i| deleted.binary_search(&i).is_ok());
            (number - before - i128::from(gone)).max(*base)
        };
        let leaf = match leaf {
            Value::Int(number) => Value::Int(moved(*number)),
            Value::Ints(numbers) => Value::Ints(numbers.iter().map(|n| moved(*n)).collect()),
            other => other.clone(),
        };
        if let Some(place) = renumbered.value_at_mut(leaf_path) {
            *place = leaf;
        }
    });
    renumbered
}

/// Replaces distinct references by their ranks, so that a permutation that loses an element remains one, in the
/// same order.
fn rerank_permutations(
    plan: &GenerationPlan<'_>,
    mut renumbered: Value,
    cut: &Value,
    path: &[usize],
    size: FieldId,
) -> Value {
    let format = plan.format;
    for (field, base) in referring_fields(format, size) {
        let info = format.field(field);
        if !plan.is_distinct(field) || info.block != format.field(size).block {
            continue;
        }
        let slot_of = |value: &Value| value.instance_at(path)?.get(info.slot).cloned();
        let Some(Value::Ints(numbers)) = slot_of(cut) else { continue };
        let mut order = numbers.clone();
        order.sort_unstable();
        let rank = |n: &i128| base + order.partition_point(|o| o < n) as i128;
        let again = numbers.iter().map(rank).collect();
        if let Some(place) = renumbered.instance_at_mut(path).and_then(|slots| slots.get_mut(info.slot)) {
            *place = Value::Ints(again);
        }
    }
    renumbered
}

/// Returns the fields that refer to parts counted by `size`, with the number of the first part. These are the
/// fields bounded by the size, starting from 0 or 1, and those bounded by such a field (`1 <= l <= r <= n`).
pub(in crate::shrink) fn referring_fields(format: &Format, size: FieldId) -> Vec<(FieldId, i128)> {
    let mut found = Vec::new();
    loop {
        let before = found.len();
        for comparison in format.comparisons() {
            let ([left], [right]) = (&*comparison.left, &*comparison.right) else { continue };
            for (field, sign, bound) in
                [(left, comparison.sign, right), (right, comparison.sign.with_sides_swapped(), left)]
            {
                let (Expr::Field(field), Expr::Field(bound)) = (field, bound) else { continue };
                let base = format.field(*field).range.lo;
                let bounded = match sign {
                    ComparisonOperator::LessEqual if *bound == size => base == 1,
                    ComparisonOperator::Less if *bound == size => base == 0,
                    ComparisonOperator::LessEqual | ComparisonOperator::Less => found.contains(&(*bound, base)),
                    _ => false,
                };
                if bounded && *field != size && !found.iter().any(|(f, _)| f == field) {
                    found.push((*field, base));
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
