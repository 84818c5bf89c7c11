//! The same things under other numbers.
//!
//! Two positions change places in everything that one number sizes (two arrays, an array and the lines below it, the
//! rows or the columns of a board), with and without renaming what refers to them; two vertices of a graph change their
//! names, and its edges are put in order again; two lines change places. Nothing becomes shorter, but what is simple
//! comes first, so that all starts end alike, and later deletions find what they look for.

use super::axis::{Axis, axes_of, length, references};
use super::graph::{first_vertex, graphs_of};
use super::search::{Search, Stopped};
use crate::format::{Adjective, BlockId, Count, Dimension, Expr, FieldId, Format, GraphRule};
use crate::value::{Instances, Measure, Value, each_instance, each_leaf};

/// Axes and lists of at most so many parts are put into another order.
const PARTS_UP_TO: usize = 8;
/// Each exchange is an input of its own; larger ones are left as they are.
const ELEMENTS_UP_TO: usize = 400;

/// Exchanges positions, names and lines.
pub(super) fn swaps(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    if search.best().elements() > ELEMENTS_UP_TO {
        return Ok(());
    }
    for block in (0..search.format().blocks.len()).map(BlockId) {
        let mut axes = axes_of(search, block);
        let more: Vec<Axis> = vertices(search, block).into_iter().filter(|axis| !axes.contains(axis)).collect();
        axes.extend(more);
        for axis in axes {
            if let Axis::Named { path, field } = &axis
                && length(search.format(), search.best(), &axis).is_some_and(|l| l <= PARTS_UP_TO)
            {
                while search.attempt_any(exchanges(search, &axis, path, *field))?
                    || search.attempt_any(orders(search, &axis, path, *field))?
                {}
            }
        }
        for path in lists(search, block) {
            while search.attempt_any(line_exchanges(search, &path))? {}
        }
    }
    Ok(())
}

/// The numbers of vertices of graphs, which need not size anything.
fn vertices(search: &Search<'_, '_>, block: BlockId) -> Vec<Axis> {
    let format = search.format();
    let counts: Vec<FieldId> = format.fields_of(block).filter(|f| !graphs_of(format, *f).is_empty()).collect();
    let mut found = Vec::new();
    each_instance(format, search.best(), block, &mut |path, _| {
        found.extend(counts.iter().map(|field| Axis::Named { path: path.to_vec(), field: *field }));
    });
    found
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

fn exchanges(search: &Search<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Vec<Value> {
    let (format, best) = (search.format(), search.best());
    let count = length(format, best, axis).unwrap_or(0);
    let names = names(format, size);
    let graphs = graphs_of(format, size);
    let mut found = Vec::new();
    for (a, b) in pairs(count) {
        let Some(moved) = with_positions(format, best, path, size, a, b) else { continue };
        let renamed = renamed(format, &moved, path, &names, a, b);
        for rule in &graphs {
            found.extend(in_order(format, renamed.clone(), path, rule));
        }
        found.extend([renamed, moved]);
    }
    found
}

/// Every other order of few positions, each by exchanges one after the other: a ring of five comes to its simplest
/// names by no single exchange that makes it simpler.
fn orders(search: &Search<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Vec<Value> {
    /// Of more positions there are too many orders.
    const ORDERED_UP_TO: usize = 5;
    let (format, best) = (search.format(), search.best());
    let count = length(format, best, axis).unwrap_or(0);
    let names = names(format, size);
    if names.is_empty() || !(3..=ORDERED_UP_TO).contains(&count) {
        return Vec::new();
    }
    let mut all = vec![best.clone()];
    for a in 0..count - 1 {
        let exchanged = |value: &Value, b: usize| {
            let moved = with_positions(format, value, path, size, a, b)?;
            Some(renamed(format, &moved, path, &names, a, b))
        };
        let more = all.iter().flat_map(|value| (a + 1..count).filter_map(move |b| exchanged(value, b)));
        let more: Vec<Value> = more.collect();
        all.extend(more);
    }
    let graphs = graphs_of(format, size);
    let mut found = Vec::new();
    for value in all.into_iter().skip(1) {
        found.extend(graphs.iter().filter_map(|rule| in_order(format, value.clone(), path, rule)));
        found.extend(graphs.is_empty().then_some(value));
    }
    // The simplest first, so that one question leads to it.
    found.sort_by_cached_key(|value| Measure::of(format, value));
    found
}

/// The fields that name positions, with the name of the first.
fn names(format: &Format, size: FieldId) -> Vec<(FieldId, i128)> {
    let mut found = references(format, size);
    for rule in graphs_of(format, size) {
        if let (Some((_, (from, to))), Some(first)) = (rule.lines(), first_vertex(rule)) {
            found.extend([(from, first), (to, first)]);
        }
    }
    found
}

/// The value with two positions exchanged in all that the size alone sizes, in the instance at the path.
fn with_positions(format: &Format, value: &Value, path: &[usize], size: FieldId, a: usize, b: usize) -> Option<Value> {
    let mut moved = value.clone();
    let slots = moved.instance_at_mut(path)?;
    let block = format.field(size).block;
    for field in format.fields_of(block) {
        let info = format.field(field);
        for (depth, dimension) in info.dimensions.iter().enumerate() {
            if *dimension == Dimension::Size(Expr::Field(size)) {
                exchange(slots.get_mut(info.slot)?, depth, a, b);
            }
        }
    }
    for child in format.children(block).map(|c| format.block(c)) {
        if child.count == Count::Times(Expr::Field(size))
            && let Some(Value::Instances(list)) = slots.get_mut(child.slot)
        {
            *list = exchanged_lines(list, child.slots, a, b);
        }
    }
    Some(moved)
}

fn exchange(value: &mut Value, depth: usize, a: usize, b: usize) {
    match value {
        Value::List(rows) if depth > 0 => rows.iter_mut().for_each(|row| exchange(row, depth - 1, a, b)),
        Value::List(rows) if a.max(b) < rows.len() => rows.swap(a, b),
        Value::Ints(numbers) if a.max(b) < numbers.len() => numbers.swap(a, b),
        Value::Text(letters) if a.max(b) < letters.len() => letters.swap(a, b),
        _ => {}
    }
}

fn exchanged_lines(list: &Instances, width: usize, a: usize, b: usize) -> Instances {
    let at = |i: usize| {
        if i == a {
            b
        } else if i == b {
            a
        } else {
            i
        }
    };
    Instances::of(width, (0..list.len()).map(|i| list.get(at(i)).unwrap_or_default().to_vec()))
}

fn renamed(format: &Format, value: &Value, path: &[usize], names: &[(FieldId, i128)], a: usize, b: usize) -> Value {
    let mut renamed = value.clone();
    each_leaf(format, value, &mut |leaf_path, field, leaf| {
        let Some((_, first)) = names.iter().find(|(f, _)| *f == field).filter(|_| leaf_path.starts_with(path)) else {
            return;
        };
        let (a, b) = (first + a as i128, first + b as i128);
        let name = |n: &i128| {
            if *n == a {
                b
            } else if *n == b {
                a
            } else {
                *n
            }
        };
        let leaf = match leaf {
            Value::Int(number) => Value::Int(name(number)),
            Value::Ints(numbers) => Value::Ints(numbers.iter().map(name).collect()),
            other => other.clone(),
        };
        if let Some(place) = renamed.at_mut(leaf_path) {
            *place = leaf;
        }
    });
    renamed
}

/// Each edge from its smaller end, where it has no direction, and the edges sorted.
fn in_order(format: &Format, mut value: Value, path: &[usize], rule: &GraphRule) -> Option<Value> {
    let (block, (from, to)) = rule.lines()?;
    let (from, to) = (format.field(from).slot, format.field(to).slot);
    let width = format.block(block).slots;
    let place = value.instance_at_mut(path)?.get_mut(format.block(block).slot)?;
    let mut lines: Vec<Vec<Value>> = place.as_instances().iter().map(<[Value]>::to_vec).collect();
    for line in lines.iter_mut().filter(|_| !rule.is(Adjective::Directed)) {
        if line[from].as_int() > line[to].as_int() {
            line.swap(from, to);
        }
    }
    lines.sort_by_key(|line| line.iter().map(Value::as_int).collect::<Vec<_>>());
    *place = Value::Instances(Instances::of(width, lines));
    Some(value)
}

/// The paths of the lists of a block's instances.
fn lists(search: &Search<'_, '_>, block: BlockId) -> Vec<Vec<usize>> {
    let format = search.format();
    let mut found = Vec::new();
    each_instance(format, search.best(), block, &mut |path, instance| {
        for child in format.children(block) {
            let slot = format.block(child).slot;
            let lines = instance.get(slot).map_or(0, |list| list.as_instances().len());
            if (2..=PARTS_UP_TO).contains(&lines) {
                found.push([path, &[slot]].concat());
            }
        }
    });
    found
}

fn line_exchanges(search: &Search<'_, '_>, path: &[usize]) -> Vec<Value> {
    let Some(list) = search.best().at(path).map(Value::as_instances) else { return Vec::new() };
    let width = list.get(0).map_or(0, <[Value]>::len);
    let exchanged = |(a, b): (usize, usize)| {
        let mut value = search.best().clone();
        *value.at_mut(path)? = Value::Instances(exchanged_lines(list, width, a, b));
        Some(value)
    };
    pairs(list.len()).filter_map(exchanged).collect()
}
