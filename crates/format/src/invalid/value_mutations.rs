//! Small changes of a value that can violate a constraint.

use crate::language::{BlockId, ConstraintRule, Expr, FieldId, FieldKind, Format, InstanceCount};
use crate::tuning::{MAX_MUTATED_LETTERS, MAX_OTHER_VALUES, MAX_ROW_LENGTH};
use crate::value::{InstanceList, Value, visit_instances};
use rebut_generators::Choices;

/// Calls `take` with each changed value until it returns true: numbers first, then characters, rows and instances.
pub(super) fn for_each_mutation(
    format: &Format,
    rule: &ConstraintRule,
    value: &Value,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let wanted = |field: FieldId| rule.involves_field(field);
    mutate_properties(format, rule, value, take)
        || mutate_numbers(format, value, &wanted, take)
        || mutate_letters(format, value, &wanted, take)
        || mutate_rows(format, value, &wanted, take)
        || mutate_instances(format, value, take)
}

/// Tries the violations that a property of texts names, in each of its texts.
fn mutate_properties(
    format: &Format,
    rule: &ConstraintRule,
    value: &Value,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let kind = rule.kind();
    let Some((field, dimensions)) = kind.named_field().zip(kind.violated_dimensions()) else { return false };
    let leaves = find_leaves(format, value, &|leaf| leaf == field);
    // A text is a leaf; a board consists of the leaves that share all but the last step of their paths.
    let is_one = |a: &ValueCell, b: &ValueCell| {
        dimensions > 1
            && a.path.len() == b.path.len()
            && a.path.split_last().map(|p| p.1) == b.path.split_last().map(|p| p.1)
    };
    leaves.chunk_by(is_one).any(|board| {
        let rows: Vec<&[u8]> = board
            .iter()
            .filter_map(|leaf| match value.value_at(&leaf.path) {
                Some(Value::Text(letters)) => Some(&**letters),
                _ => None,
            })
            .collect();
        kind.near_violations(&rows).into_iter().any(|changed_rows| {
            let mut changed = value.clone();
            for (leaf, row) in board.iter().zip(changed_rows) {
                if let Some(place) = changed.value_at_mut(&leaf.path) {
                    *place = Value::Text(row.into());
                }
            }
            take(changed)
        })
    })
}

/// Tries numbers just beyond the bounds, and the numbers in other places with their neighbors.
fn mutate_numbers(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let number = |f: FieldId| wanted(f) && format.field(f).alphabet().is_none();
    let cells = find_cells(format, value, &number);
    let mut others: Vec<i128> = cells.iter().filter_map(|cell| cell_number(value, cell)).collect();
    others.sort_unstable();
    others.dedup();
    for cell in &cells {
        let Some(old) = cell_number(value, cell) else { continue };
        let range = format.field(cell.field).range;
        let words = matches!(format.field(cell.field).kind, FieldKind::Words(_));
        let neighbors = others.iter().filter(|n| **n != old).take(MAX_OTHER_VALUES).flat_map(|n| [*n, n - 1, n + 1]);
        let own = [range.lo - 1, range.hi + 1, old - 1, old + 1, old - 2, old + 2, range.lo, range.hi];
        let mut tried: Vec<i128> = own.into_iter().chain(neighbors).filter(|n| *n != old).collect();
        tried.retain(|n| !words || range.contains_value(*n));
        let mut seen = std::collections::HashSet::new();
        tried.retain(|n| seen.insert(*n));
        if tried.into_iter().filter_map(|n| with_cell_number(value, cell, n)).any(&mut *take) {
            return true;
        }
    }
    false
}

/// Tries other letters in each place of a text.
fn mutate_letters(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let text = |f: FieldId| wanted(f) && format.field(f).alphabet().is_some();
    for cell in find_cells(format, value, &text) {
        let all = format.field(cell.field).alphabet().unwrap_or_default();
        let own = find_leaves(format, value, &text);
        let used = own.iter().filter_map(|leaf| match value.value_at(&leaf.path) {
            Some(Value::Text(letters)) => letters.first().copied(),
            _ => None,
        });
        let ends =
            all.iter().copied().take(MAX_MUTATED_LETTERS).chain(all.iter().rev().copied().take(MAX_MUTATED_LETTERS));
        let tried: Vec<u8> = ends.chain(used).collect();
        if tried.into_iter().filter_map(|l| with_cell_number(value, &cell, i128::from(l))).any(&mut *take) {
            return true;
        }
    }
    false
}

/// Copies rows over others, and lengthens or shortens rows of free length.
fn mutate_rows(
    format: &Format,
    value: &Value,
    wanted: &dyn Fn(FieldId) -> bool,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let all: Vec<ValueCell> = find_leaves(format, value, wanted);
    for leaf in &all {
        let Some(old) = value.value_at(&leaf.path) else { continue };
        let mut tried: Vec<Value> =
            all.iter().filter_map(|other| value.value_at(&other.path)).take(MAX_OTHER_VALUES).cloned().collect();
        if format.field(leaf.field).has_free_length() {
            tried.extend(resize_row(old, format, leaf.field));
        }
        tried.retain(|new| new != old && std::mem::discriminant(new) == std::mem::discriminant(old));
        for new in tried {
            let mut changed = value.clone();
            let Some(row) = changed.value_at_mut(&leaf.path) else { continue };
            *row = new;
            if take(changed) {
                return true;
            }
        }
    }
    false
}

/// Returns a row shortened and lengthened by one, doubled, emptied, and just beyond its minimum and maximum length.
fn resize_row(row: &Value, format: &Format, field: FieldId) -> Vec<Value> {
    let length = format.field(field).length;
    let lengths = |old: usize| {
        let bounds =
            [length.lo - 1, length.hi.min(MAX_ROW_LENGTH) + 1].into_iter().filter_map(|n| usize::try_from(n).ok());
        [0, old.saturating_sub(1), old + 1, old * 2].into_iter().chain(bounds).collect::<Vec<_>>()
    };
    match row {
        Value::Text(text) => {
            let filler = text.last().or(format.field(field).alphabet().and_then(<[u8]>::first)).copied();
            let Some(filler) = filler else { return Vec::new() };
            let sized = |n: usize| {
                let mut text = text.clone();
                text.resize(n, filler);
                Value::Text(text)
            };
            lengths(text.len()).into_iter().map(sized).collect()
        }
        Value::Ints(numbers) => {
            let filler = numbers.last().copied().unwrap_or_else(|| format.field(field).range.simplest_value());
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

/// Copies instances over others, duplicates them, and removes them, and updates the number that counts them.
fn mutate_instances(format: &Format, value: &Value, take: &mut dyn FnMut(Value) -> bool) -> bool {
    for child in (1..format.blocks.len()).map(BlockId) {
        let Some(parent) = format.block(child).parent else { continue };
        let mut holders = Vec::new();
        visit_instances(format, value, parent, &mut |path, _| holders.push(path.to_vec()));
        for holder in holders {
            if mutate_instance_list(format, value, child, &holder).into_iter().any(&mut *take) {
                return true;
            }
        }
    }
    false
}

fn mutate_instance_list(format: &Format, value: &Value, child: BlockId, holder: &[usize]) -> Vec<Value> {
    let path = [holder, &[format.block(child).slot]].concat();
    let list: Vec<&[Value]> =
        value.value_at(&path).map(|list| list.as_instances().iter().collect()).unwrap_or_default();
    let mut found = Vec::new();
    let mut put = |list: Vec<&[Value]>, change: i128| {
        let list = InstanceList::from_instances(format.block(child).slots, list.into_iter().map(|i| i.iter().cloned()));
        let mut changed = value.clone();
        if let Some(slot) = changed.value_at_mut(&path) {
            *slot = Value::Instances(list);
        }
        if let Some(changed) = adjust_instance_count(format, child, holder, changed, change) {
            found.push(changed);
        }
    };
    for (i, instance) in list.iter().enumerate().take(MAX_OTHER_VALUES) {
        for (j, _) in list.iter().enumerate().take(MAX_OTHER_VALUES).filter(|(j, other)| *j != i && *other != instance)
        {
            let mut copied = list.to_vec();
            copied[j] = *instance;
            put(copied, 0);
        }
        put([&list[..=i], &list[i..]].concat(), 1);
        put([&list[..i], &list[i + 1..]].concat(), -1);
    }
    found
}

/// Adjusts the number that counts a block's instances. Returns `None` if something else determines it.
fn adjust_instance_count(
    format: &Format,
    child: BlockId,
    holder: &[usize],
    mut value: Value,
    change: i128,
) -> Option<Value> {
    if change == 0 {
        return Some(value);
    }
    match &format.block(child).count {
        InstanceCount::Until { .. } => Some(value),
        InstanceCount::Times(Expr::Field(field)) if Some(format.field(*field).block) == format.block(child).parent => {
            let path = [holder, &[format.field(*field).slot]].concat();
            let Value::Int(number) = value.value_at_mut(&path)? else { return None };
            *number += change;
            Some(value)
        }
        _ => None,
    }
}

/// Changes one place of some field at random.
pub(super) fn random_mutation(
    format: &Format,
    rule: &ConstraintRule,
    value: &Value,
    choices: &mut Choices,
) -> Option<Value> {
    let cells = find_cells(format, value, &|field| rule.involves_field(field));
    let cell = choices.pick_item(&cells)?;
    let field = format.field(cell.field);
    let number = match field.alphabet() {
        Some(letters) => i128::from(*choices.pick_item(letters)?),
        None => choices.draw_range(field.range.lo, field.range.hi.min(field.range.lo.saturating_add(20))),
    };
    with_cell_number(value, cell, number)
}

// The parts of a value that can be changed one by one.

/// A number, or a whole row of numbers or characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueCell {
    pub(super) field: FieldId,
    pub(super) path: Vec<usize>,
    /// Index of a number or character in the leaf.
    pub(super) index: Option<usize>,
}

/// Returns all single numbers and characters of some fields, in the order of the input.
pub(super) fn find_cells(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueCell> {
    let mut found = Vec::new();
    for leaf in find_leaves(format, value, wanted) {
        let count = match value.value_at(&leaf.path) {
            Some(Value::Ints(numbers)) => numbers.len(),
            Some(Value::Text(letters)) => letters.len(),
            Some(Value::Int(_)) => {
                found.push(leaf);
                continue;
            }
            _ => 0,
        };
        found.extend((0..count).map(|i| ValueCell { index: Some(i), ..leaf.clone() }));
    }
    found
}

/// Returns all leaves of some fields: numbers, rows of numbers, texts.
pub(super) fn find_leaves(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueCell> {
    let mut found = Vec::new();
    for block in format.block_ids() {
        visit_instances(format, value, block, &mut |path, instance| {
            for field in format.fields_in_block(block).filter(|f| wanted(*f)) {
                let slot = format.field(field).slot;
                let mut path = [path, &[slot]].concat();
                if let Some(value) = instance.get(slot) {
                    collect_leaves(field, value, &mut path, &mut found);
                }
            }
        });
    }
    found
}

fn collect_leaves(field: FieldId, value: &Value, path: &mut Vec<usize>, found: &mut Vec<ValueCell>) {
    let Value::List(parts) = value else {
        found.push(ValueCell { field, path: path.clone(), index: None });
        return;
    };
    for (i, part) in parts.iter().enumerate() {
        path.push(i);
        collect_leaves(field, part, path, found);
        path.pop();
    }
}

/// Returns the number in a cell, or the code of its character.
pub(super) fn cell_number(value: &Value, cell: &ValueCell) -> Option<i128> {
    match (value.value_at(&cell.path)?, cell.index) {
        (Value::Int(number), None) => Some(*number),
        (Value::Ints(numbers), Some(i)) => numbers.get(i).copied(),
        (Value::Text(letters), Some(i)) => letters.get(i).map(|l| i128::from(*l)),
        _ => None,
    }
}

/// Returns the value with another number or character in a cell.
pub(super) fn with_cell_number(value: &Value, cell: &ValueCell, number: i128) -> Option<Value> {
    let mut changed = value.clone();
    match (changed.value_at_mut(&cell.path)?, cell.index) {
        (Value::Int(slot), None) => *slot = number,
        (Value::Ints(numbers), Some(i)) => *numbers.get_mut(i)? = number,
        (Value::Text(letters), Some(i)) => *letters.get_mut(i)? = u8::try_from(number).ok()?,
        _ => return None,
    }
    Some(changed)
}
