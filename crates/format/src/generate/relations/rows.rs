//! Repetitions of which some are made from others.

use super::numbers::pick_formula;
use crate::language::{BlockId, FieldId, Format};
use crate::validate::is_instance_valid;
use crate::value::{InstanceList, Value, ValueScope};
use rebut_generators::Choices;

/// Maximum number of values of a number that tells kinds of rows apart, such as the operation.
const MAX_KINDS: i128 = 16;

/// The repetitions of a block, and what surrounds them.
pub(super) struct RowsToRelate<'r> {
    pub(super) format: &'r Format,
    pub(super) block: BlockId,
    /// The single numbers that may be replaced.
    pub(super) numbers: Vec<FieldId>,
    /// Numbers around the repetitions.
    pub(super) known: Vec<i128>,
    /// The instance around them, as it is before the change.
    pub(super) holder: &'r ValueScope<'r>,
}

/// How many of the rows are changed.
#[derive(Clone, Copy)]
enum RowShare {
    All,
    Half,
    One(usize),
}

/// Changes some rows to others that are related to them. A row that would not be valid stays as it is. Returns true if a way
/// was found, though it may change nothing.
pub(super) fn relate_rows(rows: &RowsToRelate<'_>, list: &mut InstanceList, choices: &mut Choices) -> bool {
    match choices.draw_index(3) {
        0 => repeat_rows(rows, list, choices),
        1 if rows.numbers.len() > 1 => relate_fields(rows, list, choices),
        _ => relate_column(rows, list, choices),
    }
}

fn pick_share(choices: &mut Choices, count: usize) -> RowShare {
    match choices.draw_index(3) {
        0 => RowShare::All,
        1 => RowShare::Half,
        _ => RowShare::One(choices.draw_index(count)),
    }
}

/// Replaces rows by what `change` makes of them. It is given the rows as they are at this point, and the index.
fn change_rows(
    rows: &RowsToRelate<'_>,
    list: &mut InstanceList,
    choices: &mut Choices,
    share: RowShare,
    mut change: impl FnMut(&mut Choices, &InstanceList, usize) -> Option<Vec<Value>>,
) {
    for at in 0..list.len() {
        let is_wanted = match share {
            RowShare::All => true,
            RowShare::Half => choices.draw_chance(1, 2),
            RowShare::One(only) => at == only,
        };
        let changed = if is_wanted { change(choices, list, at) } else { None };
        if let Some(changed) = changed.filter(|row| is_instance_valid(rows.format, rows.block, row, rows.holder))
            && let Some(row) = list.get_mut(at)
        {
            row.clone_from_slice(&changed);
        }
    }
}

/// Returns a row with another number, if that is in its range.
fn with_number(rows: &RowsToRelate<'_>, row: &[Value], field: FieldId, number: Option<i128>) -> Option<Vec<Value>> {
    let info = rows.format.field(field);
    let number = number.filter(|number| info.range.contains_value(*number))?;
    let mut changed = row.to_vec();
    changed[info.slot] = Value::Int(number);
    Some(changed)
}

fn number_in(rows: &RowsToRelate<'_>, row: &[Value], field: FieldId) -> Option<i128> {
    row.get(rows.format.field(field).slot)?.as_int()
}

/// Repeats rows: some again, a part of them once more, also in reverse, or two in turn.
fn repeat_rows(rows: &RowsToRelate<'_>, list: &mut InstanceList, choices: &mut Choices) -> bool {
    let count = list.len();
    let share = pick_share(choices, count);
    let (from, length) = (choices.draw_index(count), 1 + choices.draw_index(count.min(8)));
    let (to, other) = (choices.draw_index(count), choices.draw_index(count));
    let way = choices.draw_index(4);
    let original = list.clone();
    let copied = |at: usize| original.get(at).map(<[Value]>::to_vec);
    let is_in_part = |at: usize| (to..to.saturating_add(length)).contains(&at);
    match way {
        0 => change_rows(rows, list, choices, share, |choices, list, at| {
            list.get(choices.draw_index(at + 1)).map(<[Value]>::to_vec)
        }),
        1 => change_rows(rows, list, choices, RowShare::All, |_, _, at| {
            copied(from + at.checked_sub(to)?).filter(|_| is_in_part(at))
        }),
        2 => change_rows(rows, list, choices, RowShare::All, |_, _, at| {
            copied(from.checked_sub(at.checked_sub(to)?)?).filter(|_| is_in_part(at))
        }),
        _ => change_rows(rows, list, choices, RowShare::All, |_, _, at| copied(if at % 2 == 0 { from } else { other })),
    }
    true
}

/// Changes one number of the rows.
fn relate_column(rows: &RowsToRelate<'_>, list: &mut InstanceList, choices: &mut Choices) -> bool {
    let Some(field) = choices.pick_item(&rows.numbers).copied() else { return false };
    let share = pick_share(choices, list.len());
    let some: Vec<i128> =
        (0..3).filter_map(|_| number_in(rows, list.get(choices.draw_index(list.len()))?, field)).collect();
    let range = rows.format.field(field).range;
    let is_kind = range.lo.saturating_add(MAX_KINDS) >= range.hi;
    let put = |list: &InstanceList, at: usize, number: Option<i128>| with_number(rows, list.get(at)?, field, number);
    match choices.draw_index(5) {
        // A few of another kind stay among many of one kind.
        0 if is_kind => {
            let kept: Vec<usize> = (0..3).map(|_| choices.draw_index(list.len())).collect();
            change_rows(rows, list, choices, RowShare::All, |_, list, at| {
                put(list, at, some.first().copied().filter(|_| !kept.contains(&at)))
            });
        }
        0 | 1 => {
            change_rows(rows, list, choices, RowShare::All, |_, list, at| put(list, at, some.first().copied()));
        }
        2 => change_rows(rows, list, choices, RowShare::All, |choices, list, at| {
            put(list, at, choices.pick_item(&some).copied())
        }),
        3 => change_rows(rows, list, choices, share, |choices, list, at| {
            let earlier = list.get(choices.draw_index(at + 1))?;
            put(list, at, number_in(rows, earlier, field))
        }),
        _ => {
            let formula = pick_formula(choices);
            change_rows(rows, list, choices, share, |choices, list, at| {
                let (x, y) = (*choices.pick_item(&rows.known)?, *choices.pick_item(&rows.known)?);
                put(list, at, formula(x, y))
            });
        }
    }
    true
}

/// Computes one number of the rows from others: of the same row or of the one before it. Or swaps two numbers of an
/// earlier row.
fn relate_fields(rows: &RowsToRelate<'_>, list: &mut InstanceList, choices: &mut Choices) -> bool {
    let mut fields = rows.numbers.clone();
    choices.shuffle(&mut fields);
    let [field, other, ..] = *fields else { return false };
    let third = fields.get(2).copied().unwrap_or(other);
    let share = pick_share(choices, list.len());
    let formula = pick_formula(choices);
    match choices.draw_index(3) {
        0 => change_rows(rows, list, choices, share, |_, list, at| {
            let row = list.get(at)?;
            let number = formula(number_in(rows, row, other)?, number_in(rows, row, third)?);
            with_number(rows, row, field, number)
        }),
        1 => {
            let step = choices.draw_range(-1, 1);
            change_rows(rows, list, choices, share, |_, list, at| {
                let before = number_in(rows, list.get(at.checked_sub(1)?)?, other)?;
                with_number(rows, list.get(at)?, field, before.checked_add(step))
            });
        }
        _ => change_rows(rows, list, choices, share, |choices, list, at| {
            let earlier = list.get(choices.draw_index(at + 1))?;
            let (one, two) = (number_in(rows, earlier, field), number_in(rows, earlier, other));
            with_number(rows, &with_number(rows, earlier, field, two)?, other, one)
        }),
    }
    true
}
