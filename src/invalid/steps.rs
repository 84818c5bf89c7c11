//! Small changes of a value, by which a constraint may come to be broken.

use super::cells::{Cell, cells, get, leaves, with};
use crate::format::{BlockId, Count, Expr, FieldId, Format, Kind, Rule};
use crate::value::{Instances, Value, each_instance};
use rebut_generators::Choices;

/// So many other numbers of a value are tried in one place.
const MOST_OTHERS: usize = 12;

/// So many letters are tried in one place.
const MOST_LETTERS: usize = 6;

/// Whether a rule speaks of a field.
pub(super) fn speaks_of(rule: &Rule, field: FieldId) -> bool {
    let is_end = match rule {
        Rule::Graph(graph) => graph.lines().is_some_and(|(_, ends)| ends.0 == field || ends.1 == field),
        _ => false,
    };
    is_end || rule.mentions(field)
}

/// Calls `take` with each changed value, until it returns true. Numbers first, then characters, texts, instances.
pub(super) fn each_step(format: &Format, rule: &Rule, value: &Value, take: &mut dyn FnMut(Value) -> bool) -> bool {
    let wanted = |field: FieldId| speaks_of(rule, field);
    numbers(format, value, &wanted, take)
        || letters(format, value, &wanted, take)
        || texts(format, value, &wanted, take)
        || instances(format, value, take)
}

/// Numbers one beyond the bounds, and those of other places with their neighbours.
fn numbers(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let number = |f: FieldId| wanted(f) && format.field(f).letters().is_none();
    let places = cells(format, value, &number);
    let mut others: Vec<i128> = places.iter().filter_map(|cell| get(value, cell)).collect();
    others.sort_unstable();
    others.dedup();
    for cell in &places {
        let Some(old) = get(value, cell) else { continue };
        let range = format.field(cell.field).range;
        let words = matches!(format.field(cell.field).kind, Kind::Words(_));
        let near = others.iter().filter(|n| **n != old).take(MOST_OTHERS).flat_map(|n| [*n, n - 1, n + 1]);
        let own = [range.lo - 1, range.hi + 1, old - 1, old + 1, old - 2, old + 2, range.lo, range.hi];
        let mut tried: Vec<i128> = own.into_iter().chain(near).filter(|n| *n != old).collect();
        tried.retain(|n| !words || range.contains(*n));
        let mut seen = std::collections::HashSet::new();
        tried.retain(|n| seen.insert(*n));
        if tried.into_iter().filter_map(|n| with(value, cell, n)).any(&mut *take) {
            return true;
        }
    }
    false
}

/// Another letter in each place of a text.
fn letters(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let text = |f: FieldId| wanted(f) && format.field(f).letters().is_some();
    for cell in cells(format, value, &text) {
        let all = format.field(cell.field).letters().unwrap_or_default();
        let own = leaves(format, value, &text);
        let used = own.iter().filter_map(|leaf| match value.at(&leaf.path) {
            Some(Value::Text(letters)) => letters.first().copied(),
            _ => None,
        });
        let ends = all.iter().copied().take(MOST_LETTERS).chain(all.iter().rev().copied().take(MOST_LETTERS));
        let tried: Vec<u8> = ends.chain(used).collect();
        if tried.into_iter().filter_map(|l| with(value, &cell, i128::from(l))).any(&mut *take) {
            return true;
        }
    }
    false
}

/// Rows that are copied over others, and free ones that lose or gain an element.
fn texts(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let all: Vec<Cell> = leaves(format, value, wanted);
    for leaf in &all {
        let Some(old) = value.at(&leaf.path) else { continue };
        let mut tried: Vec<Value> =
            all.iter().filter_map(|other| value.at(&other.path)).take(MOST_OTHERS).cloned().collect();
        if format.field(leaf.field).is_free() {
            tried.extend(resized(old, format, leaf.field));
        }
        tried.retain(|new| new != old && std::mem::discriminant(new) == std::mem::discriminant(old));
        for new in tried {
            let mut changed = value.clone();
            let Some(place) = changed.at_mut(&leaf.path) else { continue };
            *place = new;
            if take(changed) {
                return true;
            }
        }
    }
    false
}

/// A row without one of its ends, twice as long, empty, and just beyond its longest and its shortest length.
fn resized(row: &Value, format: &Format, field: FieldId) -> Vec<Value> {
    let length = format.field(field).length;
    let lengths = |old: usize| {
        let bounds =
            [length.lo - 1, length.hi.min(MOST_LENGTH) + 1].into_iter().filter_map(|n| usize::try_from(n).ok());
        [0, old.saturating_sub(1), old + 1, old * 2].into_iter().chain(bounds).collect::<Vec<_>>()
    };
    match row {
        Value::Text(text) => {
            let filler = text.last().or(format.field(field).letters().and_then(<[u8]>::first)).copied();
            let Some(filler) = filler else { return Vec::new() };
            let sized = |n: usize| {
                let mut text = text.clone();
                text.resize(n, filler);
                Value::Text(text)
            };
            lengths(text.len()).into_iter().map(sized).collect()
        }
        Value::Ints(numbers) => {
            let filler = numbers.last().copied().unwrap_or_else(|| format.field(field).range.simplest());
            let sized = |n: usize| {
                let mut numbers = numbers.clone();
                numbers.resize(n, filler);
                Value::Ints(numbers)
            };
            lengths(numbers.len()).into_iter().map(sized).collect()
        }
        _ => Vec::new(),
    }
}

/// No row is made longer than that by a step.
const MOST_LENGTH: i128 = 2_000_000;

/// Repetitions that are copied over others, put in once more, or left out; a number that counts them follows.
fn instances(format: &Format, value: &Value, take: &mut dyn FnMut(Value) -> bool) -> bool {
    for child in (1..format.blocks.len()).map(BlockId) {
        let Some(parent) = format.block(child).parent else { continue };
        let mut holders = Vec::new();
        each_instance(format, value, parent, &mut |path, _| holders.push(path.to_vec()));
        for holder in holders {
            if changed_lists(format, value, child, &holder).into_iter().any(&mut *take) {
                return true;
            }
        }
    }
    false
}

fn changed_lists(format: &Format, value: &Value, child: BlockId, holder: &[usize]) -> Vec<Value> {
    let path = [holder, &[format.block(child).slot]].concat();
    let list: Vec<&[Value]> = value.at(&path).map(|list| list.as_instances().iter().collect()).unwrap_or_default();
    let mut found = Vec::new();
    let mut put = |list: Vec<&[Value]>, change: i128| {
        let list = Instances::of(format.block(child).slots, list.into_iter().map(|i| i.iter().cloned()));
        let mut changed = value.clone();
        if let Some(place) = changed.at_mut(&path) {
            *place = Value::Instances(list);
        }
        if let Some(changed) = counted(format, child, holder, changed, change) {
            found.push(changed);
        }
    };
    for (i, instance) in list.iter().enumerate().take(MOST_OTHERS) {
        for (j, _) in list.iter().enumerate().take(MOST_OTHERS).filter(|(j, other)| *j != i && *other != instance) {
            let mut copied = list.to_vec();
            copied[j] = *instance;
            put(copied, 0);
        }
        put([&list[..=i], &list[i..]].concat(), 1);
        put([&list[..i], &list[i + 1..]].concat(), -1);
    }
    found
}

/// The value with the number that counts a block's instances changed; none if something else decides how many there are.
fn counted(format: &Format, child: BlockId, holder: &[usize], mut value: Value, change: i128) -> Option<Value> {
    if change == 0 {
        return Some(value);
    }
    match &format.block(child).count {
        Count::Until { .. } => Some(value),
        Count::Times(Expr::Field(field)) if Some(format.field(*field).block) == format.block(child).parent => {
            let path = [holder, &[format.field(*field).slot]].concat();
            let Value::Int(number) = value.at_mut(&path)? else { return None };
            *number += change;
            Some(value)
        }
        _ => None,
    }
}

/// A value with one place of some field changed at random.
pub(super) fn random_step(format: &Format, rule: &Rule, value: &Value, choices: &mut Choices) -> Option<Value> {
    let places = cells(format, value, &|field| speaks_of(rule, field));
    let cell = choices.pick(&places)?;
    let field = format.field(cell.field);
    let number = match field.letters() {
        Some(letters) => i128::from(*choices.pick(letters)?),
        None => choices.range(field.range.lo, field.range.hi.min(field.range.lo.saturating_add(20))),
    };
    with(value, cell, number)
}
