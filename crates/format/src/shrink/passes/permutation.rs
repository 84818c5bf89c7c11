//! Permutations: the same parts in another order, or under other names.
//!
//! Two positions are swapped in every part that one number sizes (two arrays, an array and the lines below it,
//! the rows or columns of a board), with and without renaming the references to them; two vertices of a graph
//! swap their names, and its edges are sorted again. Nothing becomes shorter, but simple values come first, so that different starts lead to the same result, and later deletions find their targets.

use super::axes::{Axis, axis_length, visit_axes};
use crate::language::{Expr, FieldDimension, FieldId, Format, GraphConstraint, GraphProperty, InstanceCount};
use crate::shrink::graph::{first_vertex, graphs_of};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::{exchange_value, index_pairs, swap_parts};
use crate::shrink::references::{map_references, referring_fields};
use crate::shrink::search::ShrinkSearch;
use crate::tuning::{MAX_ORDERED, MAX_REORDERED_ELEMENTS, MAX_REORDERED_PARTS};
use crate::value::{InstanceList, Measure, Value};

/// Swaps positions and names.
pub(super) fn permute_positions(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    if search.best_value().element_count() > MAX_REORDERED_ELEMENTS {
        return Ok(());
    }
    visit_axes(search, &mut |search, axis| {
        if let Axis::Named { path, field } = &axis
            && axis_length(search.format(), search.best_value(), &axis).is_some_and(|l| l <= MAX_REORDERED_PARTS)
        {
            while search.attempt_any(position_swaps(search, &axis, path, *field))?
                || search.attempt_any(all_orders(search, &axis, path, *field))?
            {}
        }
        Ok(())
    })
}

fn position_swaps(search: &ShrinkSearch<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Vec<Value> {
    let (format, best) = (search.format(), search.best_value());
    let count = axis_length(format, best, axis).unwrap_or(0);
    let names = naming_fields(format, size);
    let graphs = graphs_of(format, size);
    let mut found = Vec::new();
    for (a, b) in index_pairs(count) {
        let Some(moved) = swap_positions(format, best, path, size, a, b) else { continue };
        let renamed = swap_names(format, &moved, path, &names, a, b);
        for rule in &graphs {
            found.extend(sort_edges(format, renamed.clone(), path, rule));
        }
        found.extend([renamed, moved]);
    }
    found
}

/// Returns the candidates with every other order of few positions, built by successive swaps: no single swap
/// makes a ring of five simpler.
fn all_orders(search: &ShrinkSearch<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Vec<Value> {
    let (format, best) = (search.format(), search.best_value());
    let count = axis_length(format, best, axis).unwrap_or(0);
    let names = naming_fields(format, size);
    if names.is_empty() || !(3..=MAX_ORDERED).contains(&count) {
        return Vec::new();
    }
    let mut all = vec![best.clone()];
    for a in 0..count - 1 {
        let swapped = |value: &Value, b: usize| {
            let moved = swap_positions(format, value, path, size, a, b)?;
            Some(swap_names(format, &moved, path, &names, a, b))
        };
        let more = all.iter().flat_map(|value| (a + 1..count).filter_map(move |b| swapped(value, b)));
        let more: Vec<Value> = more.collect();
        all.extend(more);
    }
    let graphs = graphs_of(format, size);
    let mut found = Vec::new();
    for value in all.into_iter().skip(1) {
        found.extend(graphs.iter().filter_map(|rule| sort_edges(format, value.clone(), path, rule)));
        found.extend(graphs.is_empty().then_some(value));
    }
    // The simplest order first, so that one query finds it.
    found.sort_by_cached_key(|value| Measure::of_value(format, value));
    found
}

/// Returns the fields that name positions, with the name of the first position.
fn naming_fields(format: &Format, size: FieldId) -> Vec<(FieldId, i128)> {
    let mut found = referring_fields(format, size);
    for rule in graphs_of(format, size) {
        if let (Some((_, (from, to))), Some(first)) = (rule.edge_lines(), first_vertex(rule)) {
            found.extend([(from, first), (to, first)]);
        }
    }
    found
}

/// Returns the value with two positions swapped in each part that only this field sizes, in the instance at the
/// path.
fn swap_positions(format: &Format, value: &Value, path: &[usize], size: FieldId, a: usize, b: usize) -> Option<Value> {
    let mut moved = value.clone();
    let slots = moved.instance_at_mut(path)?;
    let block = format.field(size).block;
    for field in format.fields_in_block(block) {
        let info = format.field(field);
        for (depth, dimension) in info.dimensions.iter().enumerate() {
            if *dimension == FieldDimension::Size(Expr::Field(size)) {
                swap_at_depth(slots.get_mut(info.slot)?, depth, a, b);
            }
        }
    }
    for child in format.child_blocks(block).map(|c| format.block(c)) {
        if child.count == InstanceCount::Times(Expr::Field(size))
            && let Some(list) = slots.get_mut(child.slot)
        {
            swap_parts(list, a, b);
        }
    }
    Some(moved)
}

fn swap_at_depth(value: &mut Value, depth: usize, a: usize, b: usize) {
    match value {
        Value::List(rows) if depth > 0 => rows.iter_mut().for_each(|row| swap_at_depth(row, depth - 1, a, b)),
        parts => swap_parts(parts, a, b),
    }
}

fn swap_names(format: &Format, value: &Value, path: &[usize], names: &[(FieldId, i128)], a: usize, b: usize) -> Value {
    let mut renamed = value.clone();
    map_references(format, &mut renamed, path, names, &|number, first| {
        exchange_value(number, first + a as i128, first + b as i128)
    });
    renamed
}

/// Starts each undirected edge at its smaller endpoint, and sorts the edges.
fn sort_edges(format: &Format, mut value: Value, path: &[usize], rule: &GraphConstraint) -> Option<Value> {
    let (block, (from, to)) = rule.edge_lines()?;
    let (from, to) = (format.field(from).slot, format.field(to).slot);
    let width = format.block(block).slots;
    let place = value.instance_at_mut(path)?.get_mut(format.block(block).slot)?;
    let mut lines: Vec<Vec<Value>> = place.as_instances().iter().map(<[Value]>::to_vec).collect();
    for line in lines.iter_mut().filter(|_| !rule.has_property(GraphProperty::Directed)) {
        if line[from].as_int() > line[to].as_int() {
            line.swap(from, to);
        }
    }
    lines.sort_by_key(|line| line.iter().map(Value::as_int).collect::<Vec<_>>());
    *place = Value::Instances(InstanceList::from_instances(width, lines));
    Some(value)
}
