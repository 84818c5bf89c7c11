//! Deleting along an axis: cases, rows, columns, elements, characters.
//!
//! An axis is a number that sizes something, in one instance of its block; or the length of a text that no number
//! announces. To delete the third of `n` means: `n` becomes smaller by one, and *everything* that `n` sizes loses its
//! third part (a square board its third row and its third column, two arrays of equal length the same index), and what
//! refers to a later part is renumbered. Outer axes come first: a whole case is cheaper to lose than its rows.

use super::follow::followed;
use super::graph::{graphs_of, without_vertices};
use super::lengths::{is_shared, row_lengths, shared_axes, without_shared};
use super::search::{Search, Stopped};
use super::sweep::{hasty_sweep, sweep};
use crate::format::{BlockId, Count, Dimension, Expr, FieldId, Format, Operator, Rule, Sign};
use crate::generate::Plan;
use crate::value::{self, Instances, Scope, Slots, Value, each_instance, each_leaf};

/// Maximum number of things that an axis may have without a value for each: each step of a sweep lists them.
const MAX_ABSENT: usize = 1_000_000;

/// Something that can be made shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// A number that sizes something, in the instance at the path.
    Named { path: Vec<usize>, field: FieldId },
    /// The characters of the text, or the instances of the list, at the path.
    Free { path: Vec<usize> },
    /// What several numbers size together, as `r - l + 1` does: the array, the text or the list at the path, or the row of
    /// which an array tells the length.
    Shared { path: Vec<usize>, size: Expr },
}

/// Shortens every axis as far as it goes without much ado.
pub(super) fn axes(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    shorten_all(search, false)
}

/// Asks about every part of every axis: the last resort, when all other passes are at their end.
pub(super) fn every_part(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    shorten_all(search, true)
}

fn shorten_all(search: &mut Search<'_, '_>, patiently: bool) -> Result<(), Stopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        // Deleting along one axis can remove others, which then have no length any more; it adds none.
        for axis in axes_of(search, block) {
            shorten(search, &axis, patiently)?;
        }
    }
    Ok(())
}

pub(super) fn axes_of(search: &Search<'_, '_>, block: BlockId) -> Vec<Axis> {
    let format = search.format();
    let mut found = Vec::new();
    each_instance(format, search.best(), block, &mut |path, instance| {
        found.extend(shared_axes(format, block, path, instance));
        for field in format.fields_of(block) {
            let is_size = search.plan.is_size(field) && sizes_something(format, field);
            if is_size || !graphs_of(format, field).is_empty() {
                found.push(Axis::Named { path: path.to_vec(), field });
            } else if format.field(field).is_free() && row_lengths(format, field).is_none() {
                let mut path = path.to_vec();
                path.push(format.field(field).slot);
                texts(instance.get(format.field(field).slot), &mut path, &mut found);
            }
        }
        for child in format.children(block).filter(|c| matches!(format.block(*c).count, Count::Until { .. })) {
            let path = [path, &[format.block(child).slot]].concat();
            found.push(Axis::Free { path });
        }
    });
    found
}

/// Whether a field is a size of something, and not only part of a condition.
pub(super) fn sizes_something(format: &Format, field: FieldId) -> bool {
    let sized = |d: &Dimension| matches!(d, Dimension::Size(size) if size.mentions(field) && !is_shared(size));
    format.fields.iter().any(|f| f.dimensions.iter().any(sized))
        || format.blocks.iter().any(|b| b.count.times().is_some_and(|c| c.mentions(field) && !is_shared(c)))
}

fn texts(value: Option<&Value>, path: &mut Vec<usize>, found: &mut Vec<Axis>) {
    match value {
        Some(Value::Text(_) | Value::Ints(_)) => found.push(Axis::Free { path: path.clone() }),
        Some(Value::List(rows)) => {
            for (i, row) in rows.iter().enumerate() {
                path.push(i);
                texts(Some(row), path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn shorten(search: &mut Search<'_, '_>, axis: &Axis, patiently: bool) -> Result<(), Stopped> {
    let Some(length) = length(search.format(), search.best(), axis) else { return Ok(()) };
    let sweep = if patiently { sweep } else { hasty_sweep };
    sweep(length, &mut |deleted| {
        let candidates = without(search.plan, search.best(), axis, deleted);
        search.attempt_any(candidates)
    })?;
    Ok(())
}

/// Returns how many things an axis has; None if the number that says so is far larger than anything that is there: the
/// columns of a board without rows, the vertices of a graph without edges. Such a number is moved, not swept along.
pub(super) fn length(format: &Format, value: &Value, axis: &Axis) -> Option<usize> {
    match axis {
        Axis::Named { path, field } => {
            let number = value.instance_at(path)?.get(format.field(*field).slot)?.as_int()?;
            usize::try_from(number).ok().filter(|length| *length <= MAX_ABSENT || *length <= value.nodes())
        }
        Axis::Free { path } | Axis::Shared { path, .. } => Some(match value.at(path)? {
            Value::Instances(list) => list.len(),
            Value::List(rows) => rows.len(),
            text => text.elements(),
        }),
    }
}

/// The values that are left after a deletion: references renumbered, or kept where the format allows.
pub(super) fn without(plan: &Plan<'_>, value: &Value, axis: &Axis, deleted: &[usize]) -> Vec<Value> {
    let format = plan.format;
    match axis {
        Axis::Free { path } => {
            let (mut left, mut stays) = (value.clone(), staying(deleted));
            match left.at_mut(path) {
                Some(Value::Text(letters)) => letters.retain(|_| stays()),
                Some(Value::Ints(numbers)) => numbers.retain(|_| stays()),
                Some(Value::Instances(list)) => list.retain(|i| deleted.binary_search(&i).is_err()),
                _ => {}
            }
            vec![left]
        }
        Axis::Shared { path, size } => without_shared(format, value, path, size, deleted),
        Axis::Named { path, field } => {
            let graphs = graphs_of(format, *field);
            let mut left: Vec<Value> =
                graphs.iter().flat_map(|rule| without_vertices(format, value, path, *field, rule, deleted)).collect();
            if graphs.is_empty() {
                let same = |_: FieldId, _: usize| deleted.to_vec();
                let Some(cut) = delete(format, value, path, *field, deleted.len(), &same) else { return Vec::new() };
                let renumbered = ranked(plan, renumber(format, &cut, path, *field, deleted), &cut, path, *field);
                let followed = followed(format, value, &renumbered, path, *field, deleted);
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

/// Lowers a size by `count` and deletes from everything that it sizes: `which` names the positions for each field and
/// dimension.
pub(super) fn delete(
    format: &Format,
    value: &Value,
    path: &[usize],
    field: FieldId,
    count: usize,
    which: &dyn Fn(FieldId, usize) -> Vec<usize>,
) -> Option<Value> {
    let size = value.instance_at(path)?.get(format.field(field).slot)?.as_int()?;
    let size = size.checked_sub(count as i128).filter(|size| *size >= 0)?;
    resize(format, value, path, field, size, which)
}

/// Sets a size and deletes from everything that it sizes.
pub(super) fn resize(
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
    let cutter = Cutter { format, size: field, which };
    let mut cut = in_scope(format, &left, path, &mut |outer, instance| cutter.instance(home, instance, outer))?;
    left.instance_at_mut(path)?.swap_with_slice(&mut cut);
    Some(left)
}

/// Calls `f` with the scope around the instance at a path, and the instance.
pub(super) fn in_scope<T>(
    format: &Format,
    root: &Value,
    path: &[usize],
    f: &mut dyn FnMut(Option<&Scope<'_>>, &[Value]) -> T,
) -> Option<T> {
    fn go<T>(scope: &Scope<'_>, path: &[usize], f: &mut dyn FnMut(Option<&Scope<'_>>, &[Value]) -> T) -> Option<T> {
        let [slot, index, rest @ ..] = path else { return None };
        let instance = scope.slot(*slot)?.as_instances().get(*index)?;
        if rest.is_empty() {
            return Some(f(Some(scope), instance));
        }
        let child = scope.format.children(scope.block).find(|c| scope.format.block(*c).slot == *slot)?;
        go(&scope.inner(child, instance), rest, f)
    }
    if path.is_empty() { Some(f(None, root.slots())) } else { go(&Scope::whole(format, root), path, f) }
}

/// Cuts everything in an instance that a size governs down to its new length.
struct Cutter<'a> {
    format: &'a Format,
    size: FieldId,
    which: &'a dyn Fn(FieldId, usize) -> Vec<usize>,
}

impl Cutter<'_> {
    fn instance(&self, block: BlockId, instance: &[Value], outer: Option<&Scope<'_>>) -> Vec<Value> {
        let format = self.format;
        let mut slots = instance.to_vec();
        for field in format.fields_of(block) {
            let slot = format.field(field).slot;
            let cut = {
                let scope = Scope { format, block, slots: Slots::Known(&slots), outer, variables: &[] };
                slots.get(slot).map(|value| self.dimension(field, 0, value, &scope))
            };
            if let (Some(place), Some(cut)) = (slots.get_mut(slot), cut) {
                *place = cut;
            }
        }
        for child in format.children(block) {
            let slot = format.block(child).slot;
            let list = {
                let scope = Scope { format, block, slots: Slots::Known(&slots), outer, variables: &[] };
                self.list(child, scope.list(child), &scope)
            };
            if let Some(place) = slots.get_mut(slot) {
                *place = Value::Instances(list);
            }
        }
        slots
    }

    fn list(&self, child: BlockId, list: &Instances, scope: &Scope<'_>) -> Instances {
        let mut gone = Vec::new();
        if let Some(count) = self.format.block(child).count.times()
            && count.mentions(self.size)
            && let Ok(wanted) = value::number(count, scope)
        {
            gone = fitted((self.which)(self.size, 0), count, list.len(), wanted);
        }
        let left = list.iter().enumerate().filter(|(i, _)| gone.binary_search(i).is_err());
        let cut = left.map(|(_, inner)| self.instance(child, inner, Some(scope)));
        Instances::of(self.format.block(child).slots, cut)
    }

    fn dimension(&self, field: FieldId, dimension: usize, value: &Value, scope: &Scope<'_>) -> Value {
        let info = self.format.field(field);
        let size = match info.dimensions.get(dimension) {
            Some(Dimension::Size(size)) => Some(size),
            // The length of a row is told by an array, not by a number.
            Some(Dimension::Free) if dimension == 0 => info.announced.as_ref(),
            _ => None,
        };
        let gone = |length: usize| match size.filter(|size| size.mentions(self.size)) {
            Some(size) => match value::number(size, scope) {
                Ok(wanted) => fitted((self.which)(field, dimension), size, length, wanted),
                Err(_) => Vec::new(),
            },
            None => Vec::new(),
        };
        let mut value = value.clone();
        match &mut value {
            Value::Ints(numbers) => {
                let gone = gone(numbers.len());
                let mut stays = staying(&gone);
                numbers.retain(|_| stays());
            }
            Value::Text(letters) => {
                let gone = gone(letters.len());
                let mut stays = staying(&gone);
                letters.retain(|_| stays());
            }
            Value::List(rows) => {
                let gone = gone(rows.len());
                let mut stays = staying(&gone);
                rows.retain(|_| stays());
                for row in rows.iter_mut() {
                    *row = self.dimension(field, dimension + 1, row, scope);
                }
            }
            Value::Int(_) | Value::Instances(_) | Value::Block(_) => {}
        }
        value
    }
}

/// The positions to delete from something of `length` parts so that `wanted` are left: the given ones where they fit;
/// for a size such as `2 * n` the given groups; else the last.
fn fitted(given: Vec<usize>, size: &Expr, length: usize, wanted: i128) -> Vec<usize> {
    let Some(excess) = usize::try_from(wanted).ok().and_then(|w| length.checked_sub(w)) else { return Vec::new() };
    let factor = match size {
        Expr::Binary(Operator::Times, a, b) => match (&**a, &**b) {
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

/// For one position after the other, whether it is none of the given ones, which are in order.
fn staying(positions: &[usize]) -> impl FnMut() -> bool {
    let mut gone = positions.iter().peekable();
    let mut at = 0;
    move || {
        let deleted = gone.next_if(|p| **p == at).is_some();
        at += 1;
        !deleted
    }
}

/// Moves every number that refers to a part counted by `size` to where that part is now; one that referred to a
/// deleted part goes to the part before it.
fn renumber(format: &Format, value: &Value, path: &[usize], size: FieldId, deleted: &[usize]) -> Value {
    let references: Vec<(FieldId, i128)> = references(format, size);
    if references.is_empty() {
        return value.clone();
    }
    let mut renumbered = value.clone();
    each_leaf(format, value, &mut |leaf_path, field, leaf| {
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
        if let Some(place) = renumbered.at_mut(leaf_path) {
            *place = leaf;
        }
    });
    renumbered
}

/// Numbers that are all different and at most as large as there are of them, ranked again: a permutation that loses an
/// element stays one, with all others in the same order.
fn ranked(plan: &Plan<'_>, mut renumbered: Value, cut: &Value, path: &[usize], size: FieldId) -> Value {
    let format = plan.format;
    for (field, base) in references(format, size) {
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

/// The fields that refer to parts counted by `size`, with the number of the first part: those bounded by it, from 0
/// or 1 on; and those bounded by one of these (`1 <= l <= r <= n`).
pub(super) fn references(format: &Format, size: FieldId) -> Vec<(FieldId, i128)> {
    let mut found = Vec::new();
    loop {
        let before = found.len();
        for constraint in &format.constraints {
            let Rule::Compare(comparison) = &constraint.rule else { continue };
            let ([left], [right]) = (&*comparison.left, &*comparison.right) else { continue };
            for (field, sign, bound) in [(left, comparison.sign, right), (right, comparison.sign.mirrored(), left)] {
                let (Expr::Field(field), Expr::Field(bound)) = (field, bound) else { continue };
                let base = format.field(*field).range.lo;
                let bounded = match sign {
                    Sign::LessEqual if *bound == size => base == 1,
                    Sign::Less if *bound == size => base == 0,
                    Sign::LessEqual | Sign::Less => found.contains(&(*bound, base)),
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
