//! Small changes of a value that can violate a constraint.

use crate::language::{BlockId, ConstraintRule, Expr, FieldId, FieldKind, Format, InstanceCount};
use crate::tuning::{MAX_MUTATED_LETTERS, MAX_OTHER_VALUES, MAX_ROW_LENGTH};
use crate::value::{InstanceList, Value, instance_paths, visit_leaves};
use rebut_generators::Choices;
use std::collections::HashSet;

/// Calls `take` with each changed value until it returns true: numbers first, then characters, rows and instances.
pub(super) fn for_each_mutation(
    format: &Format,
    rule: &ConstraintRule,
    value: &Value,
    take: &mut dyn FnMut(Value) -> bool,
) -> bool {
    let mut search = MutationSearch { format, rule, value, take };
    search.try_properties()
        || search.try_numbers()
        || search.try_letters()
        || search.try_rows()
        || search.try_instances()
}

/// Tries changes of one value. Its methods return true if the search should end.
struct MutationSearch<'m> {
    format: &'m Format,
    /// The constraint to violate. Only its fields are changed, or the number of instances.
    rule: &'m ConstraintRule,
    value: &'m Value,
    take: &'m mut dyn FnMut(Value) -> bool,
}

impl MutationSearch<'_> {
    /// Tries the violations that a property of texts names, in each of its texts.
    fn try_properties(&mut self) -> bool {
        let kind = self.rule.kind();
        let Some((field, dimensions)) = kind.named_field().zip(kind.violated_dimensions()) else { return false };
        let leaves = find_leaves(self.format, self.value, &|leaf| leaf == field);
        // A text is a leaf; a board consists of the leaves that share all but the last step of their paths.
        let is_one = |a: &ValueCell, b: &ValueCell| {
            dimensions > 1
                && a.path.len() == b.path.len()
                && a.path.split_last().map(|p| p.1) == b.path.split_last().map(|p| p.1)
        };
        leaves.chunk_by(is_one).any(|board| {
            let rows: Vec<&[u8]> = board.iter().filter_map(|leaf| text_at(self.value, leaf)).collect();
            kind.near_violations(&rows).into_iter().any(|changed_rows| {
                let mut changed = self.value.clone();
                for (leaf, row) in board.iter().zip(changed_rows) {
                    if let Some(place) = changed.value_at_mut(&leaf.path) {
                        *place = Value::Text(row.into());
                    }
                }
                (self.take)(changed)
            })
        })
    }

    /// Returns the single numbers of the constraint, or the single characters.
    fn find_places(&self, are_characters: bool) -> Vec<ValueCell> {
        let wanted =
            |f: FieldId| self.rule.involves_field(f) && self.format.field(f).alphabet().is_some() == are_characters;
        find_cells(self.format, self.value, &wanted)
    }

    fn try_in_cell(&mut self, cell: &ValueCell, numbers: impl IntoIterator<Item = i128>) -> bool {
        numbers.into_iter().filter_map(|n| with_cell_number(self.value, cell, n)).any(&mut *self.take)
    }

    fn try_at(&mut self, path: &[usize], part: Value) -> bool {
        let mut changed = self.value.clone();
        let Some(place) = changed.value_at_mut(path) else { return false };
        *place = part;
        (self.take)(changed)
    }

    /// Tries numbers just beyond the bounds, and the numbers in other places with their neighbors.
    fn try_numbers(&mut self) -> bool {
        let cells = self.find_places(false);
        let mut others: Vec<i128> = cells.iter().filter_map(|cell| cell_number(self.value, cell)).collect();
        others.sort_unstable();
        others.dedup();
        cells.iter().any(|cell| {
            let Some(old) = cell_number(self.value, cell) else { return false };
            let range = self.format.field(cell.field).range;
            let is_word = matches!(self.format.field(cell.field).kind, FieldKind::Words(_));
            let neighbors =
                others.iter().filter(|n| **n != old).take(MAX_OTHER_VALUES).flat_map(|n| [*n, n - 1, n + 1]);
            let own = [range.lo - 1, range.hi + 1, old - 1, old + 1, old - 2, old + 2, range.lo, range.hi];
            let mut seen = HashSet::from([old]);
            let mut tried: Vec<i128> = own.into_iter().chain(neighbors).collect();
            tried.retain(|n| (!is_word || range.contains_value(*n)) && seen.insert(*n));
            self.try_in_cell(cell, tried)
        })
    }

    /// Tries other letters in each place of a text.
    fn try_letters(&mut self) -> bool {
        let wanted = |f: FieldId| self.rule.involves_field(f) && self.format.field(f).alphabet().is_some();
        let texts = find_leaves(self.format, self.value, &wanted);
        let used: Vec<u8> = texts.iter().filter_map(|leaf| text_at(self.value, leaf)?.first().copied()).collect();
        self.find_places(true).iter().any(|cell| {
            let all = self.format.field(cell.field).alphabet().unwrap_or_default();
            let ends = all.iter().take(MAX_MUTATED_LETTERS).chain(all.iter().rev().take(MAX_MUTATED_LETTERS));
            self.try_in_cell(cell, ends.chain(&used).map(|letter| i128::from(*letter)))
        })
    }

    /// Copies rows over others, and lengthens or shortens rows of free length.
    fn try_rows(&mut self) -> bool {
        let all = find_leaves(self.format, self.value, &|field| self.rule.involves_field(field));
        all.iter().any(|leaf| {
            let Some(old) = self.value.value_at(&leaf.path) else { return false };
            let others = all.iter().filter_map(|other| self.value.value_at(&other.path)).take(MAX_OTHER_VALUES);
            let mut tried: Vec<Value> = others.cloned().collect();
            if self.format.field(leaf.field).has_free_length() {
                tried.extend(resize_row(old, self.format, leaf.field));
            }
            tried.retain(|new| new != old && std::mem::discriminant(new) == std::mem::discriminant(old));
            tried.into_iter().any(|new| self.try_at(&leaf.path, new))
        })
    }

    /// Copies instances over others, duplicates them, and removes them, and updates the number that counts them.
    fn try_instances(&mut self) -> bool {
        (1..self.format.blocks.len()).map(BlockId).any(|child| {
            let Some(parent) = self.format.block(child).parent else { return false };
            instance_paths(self.format, self.value, parent).iter().any(|holder| {
                mutate_instance_list(self.format, self.value, child, holder).into_iter().any(&mut *self.take)
            })
        })
    }
}

/// Returns a row shortened and lengthened by one, doubled, emptied, and just beyond its minimum and maximum length.
fn resize_row(row: &Value, format: &Format, field: FieldId) -> Vec<Value> {
    let length = format.field(field).length;
    let elements = row.elements();
    let simplest = match format.field(field).alphabet() {
        Some(letters) => letters.first().map(|letter| i128::from(*letter)),
        None => Some(format.field(field).range.simplest_value()),
    };
    let Some(filler) = elements.last().copied().or(simplest) else { return Vec::new() };
    let bounds = [length.lo - 1, length.hi.min(MAX_ROW_LENGTH) + 1].map(|n| usize::try_from(n).ok());
    let old = elements.len();
    let lengths = [0, old.saturating_sub(1), old + 1, old * 2].into_iter().chain(bounds.into_iter().flatten());
    let endless = || elements.iter().copied().chain(std::iter::repeat(filler));
    lengths.map(|n| row.with_elements(endless().take(n))).collect()
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
        match value.value_at(&leaf.path) {
            Some(Value::Int(_)) | None => found.push(leaf),
            Some(row) => {
                found.extend((0..row.element_count()).map(|i| ValueCell { index: Some(i), ..leaf.clone() }));
            }
        }
    }
    found
}

/// Returns all leaves of some fields: numbers, rows of numbers, texts.
pub(super) fn find_leaves(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueCell> {
    let mut found = Vec::new();
    visit_leaves(format, value, &mut |path, field, _| {
        if wanted(field) {
            found.push(ValueCell { field, path: path.to_vec(), index: None });
        }
    });
    found
}

fn text_at<'v>(value: &'v Value, leaf: &ValueCell) -> Option<&'v [u8]> {
    let Value::Text(letters) = value.value_at(&leaf.path)? else { return None };
    Some(letters)
}

/// Returns the number in a cell, or the code of its character.
pub(super) fn cell_number(value: &Value, cell: &ValueCell) -> Option<i128> {
    value.value_at(&cell.path)?.element_at(cell.index.unwrap_or(0))
}

/// Returns the value with another number or character in a cell.
pub(super) fn with_cell_number(value: &Value, cell: &ValueCell, number: i128) -> Option<Value> {
    let mut changed = value.clone();
    changed.value_at_mut(&cell.path)?.set_element(cell.index.unwrap_or(0), number)?;
    Some(changed)
}
