//! Repetitions of which some are made from others.

use super::relation_plan::LetterSet;
use crate::language::{BlockId, FieldId, Format, Interval};
use crate::validate::is_instance_valid;
use crate::value::{FewItems, InstanceList, TextBytes, Value, ValueScope};
use rebut_generators::{Choices, draw_notable_number};
use std::ops::RangeInclusive;

/// Maximum number of values of a number that tells kinds of rows apart, such as the operation.
const MAX_KINDS: i128 = 16;

/// The repetitions of a block, and what surrounds them.
pub(super) struct RowsToRelate<'r> {
    pub(super) format: &'r Format,
    pub(super) block: BlockId,
    /// The single numbers that may be replaced.
    pub(super) numbers: Vec<FieldId>,
    /// Numbers around the repetitions.
    pub(super) known: FewItems<i128>,
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

// Arrays that are made from others, or from themselves.

/// Returns an array of the same length as `target` that is made from `source`, or `None` if there is none within a range.
pub(super) fn relate_array(
    choices: &mut Choices,
    target: &[i128],
    source: &[i128],
    range: Interval,
    known: &[i128],
) -> Option<Vec<i128>> {
    if target.is_empty() || source.is_empty() {
        return None;
    }
    if choices.draw_chance(1, 4) {
        let mut related = target.to_vec();
        related[choices.draw_index(target.len())] = relate_number(choices, range, known)?;
        return Some(related);
    }
    let mut related: Vec<i128> = source.iter().copied().cycle().take(target.len()).collect();
    if choices.draw_chance(1, 6) {
        // Single numbers come first.
        let factor = *choices.pick_item(&known[..known.len().min(3)])?;
        multiply_numbers(choices, &mut related, range, factor);
    } else {
        rearrange_or_compute(choices, &mut related, range)?;
    }
    related.iter().all(|number| range.contains_value(*number)).then_some(related)
}

/// Changes the order or the numbers of an array that is not empty, in one of several ways. One of them leaves it as it is.
fn rearrange_or_compute(choices: &mut Choices, numbers: &mut [i128], range: Interval) -> Option<()> {
    let length = numbers.len();
    let (one, other) = (choices.draw_index(length), choices.draw_index(length));
    match choices.draw_index(15) {
        0 => {}
        1 => numbers.reverse(),
        2 => numbers.sort_unstable(),
        3 => numbers.sort_unstable_by(|a, b| b.cmp(a)),
        4 => numbers.rotate_left(one),
        5 => choices.shuffle(numbers),
        6 => numbers.swap(one, other),
        7 => numbers[one] = numbers[one].checked_add(if choices.draw_chance(1, 2) { 1 } else { -1 })?,
        8 => numbers[one] = numbers[other],
        // Half of it again, or in reverse.
        9 => numbers.copy_within(..length / 2, length - length / 2),
        10 => (0..length / 2).for_each(|at| numbers[length - 1 - at] = numbers[at]),
        11 => numbers.fill(numbers[one]),
        12 => {
            let (a, b) = (numbers[one], numbers[other]);
            numbers.iter_mut().for_each(|number| *number = if choices.draw_chance(1, 2) { a } else { b });
        }
        13 => {
            let mirror = range.lo.checked_add(range.hi)?;
            for number in numbers {
                *number = mirror.checked_sub(*number)?;
            }
        }
        _ => {
            let mut sum = 0_i128;
            for number in numbers {
                sum = sum.checked_add(*number)?;
                *number = sum;
            }
        }
    }
    Some(())
}

/// Replaces numbers of an array by products of earlier ones and a factor, or by what is left of them in 32 bits.
fn multiply_numbers(choices: &mut Choices, numbers: &mut [i128], range: Interval, factor: i128) {
    for at in 1..numbers.len() {
        let product = numbers[choices.draw_index(at)].saturating_mul(factor);
        let product = if choices.draw_chance(1, 3) { i128::from(product as i32) } else { product };
        if range.contains_value(product) {
            numbers[at] = product;
        }
    }
}

// Numbers that are computed from others.

/// Number of formulas that are tried until a result is in range.
const MAX_FORMULAS: usize = 8;

/// A formula for a number, of two other numbers and a small factor. `None` if there is no result.
type NumberFormula = fn(i128, i128, i128) -> Option<i128>;

/// The formulas that numbers are computed by. Equality is the most frequent of what programs overlook.
const FORMULAS: [NumberFormula; 22] = [
    |x, _, _| Some(x),
    |x, _, _| Some(x),
    |x, _, _| Some(x),
    |x, _, _| x.checked_add(1),
    |x, _, _| x.checked_sub(1),
    |x, _, _| x.checked_neg(),
    |x, _, factor| x.checked_mul(factor),
    |x, _, factor| x.checked_mul(factor)?.checked_add(1),
    |x, _, factor| x.checked_div(factor),
    |x, y, _| x.checked_add(y),
    |x, y, _| x.checked_sub(y),
    |x, y, _| x.checked_mul(y),
    |x, y, _| x.checked_mul(y)?.checked_add(1),
    |x, y, _| x.checked_mul(y)?.checked_sub(1),
    |x, _, _| x.checked_mul(x),
    |x, y, factor| x.checked_mul(factor)?.checked_add(y),
    // Products with them do not fit 32 bits.
    |x, _, _| (1_i128 << 31).checked_div(x),
    |x, _, _| (1_i128 << 32).checked_div(x),
    |x, y, _| x.checked_div(y),
    |x, y, _| x.checked_rem(y),
    // The multiples of `y` next to `x`.
    |x, y, _| x.checked_sub(x.checked_rem(y)?),
    |x, y, _| x.checked_sub(x.checked_rem(y)?)?.checked_add(y),
];

/// Returns a number within a range that is computed from known ones, or that has a property which algorithms for numbers depend
/// on. Returns `None` if no result is in range.
pub(super) fn relate_number(choices: &mut Choices, range: Interval, known: &[i128]) -> Option<i128> {
    if choices.draw_chance(1, 6) {
        return draw_notable_number(choices, range.lo, range.hi);
    }
    (0..MAX_FORMULAS).find_map(|_| {
        let formula = FORMULAS[choices.draw_index(FORMULAS.len())];
        let (x, y) = (*choices.pick_item(known)?, *choices.pick_item(known)?);
        formula(x, y, choices.draw_range(2, 4)).filter(|number| range.contains_value(*number))
    })
}

/// Returns a random formula with a small factor.
pub(super) fn pick_formula(choices: &mut Choices) -> impl Fn(i128, i128) -> Option<i128> + use<> {
    let (formula, factor) = (FORMULAS[choices.draw_index(FORMULAS.len())], choices.draw_range(2, 4));
    move |x, y| formula(x, y, factor)
}

// Texts that are made from others, or from themselves.

pub(super) struct TextRequirements<'l> {
    /// The letters that it may have, also as a set.
    pub(super) letters: (&'l [u8], &'l LetterSet),
    /// The possible numbers of letters.
    pub(super) length: RangeInclusive<usize>,
}

/// Returns a text that is made from `source`, and in some ways from `target`, or `None` if none is possible.
pub(super) fn relate_text(
    choices: &mut Choices,
    target: &[u8],
    source: &[u8],
    requirements: &TextRequirements<'_>,
) -> Option<TextBytes> {
    let (letters, allowed) = requirements.letters;
    let letter = *choices.pick_item(letters)?;
    let mut related = combine_texts(choices, target, source, letter);
    let (least, most) = (*requirements.length.start(), *requirements.length.end());
    related.truncate(most);
    if related.is_empty() && least > 0 {
        return None;
    }
    // A text of a given length is continued with its beginning.
    (related.len()..least).for_each(|at| related.push(related[at - related.len().min(at)]));
    related.iter().all(|letter| allowed.has_letter(*letter)).then_some(related)
}

/// Makes a text from others, in one of several ways.
fn combine_texts(choices: &mut Choices, target: &[u8], source: &[u8], letter: u8) -> TextBytes {
    let length = source.len();
    let (one, other) = (choices.draw_index(length + 1), choices.draw_index(length + 1));
    let (from, to) = (one.min(other), one.max(other));
    let mut copy = TextBytes::from_slice(source);
    match choices.draw_index(18) {
        0 => {}
        1 => copy.truncate(one),
        2 => return join_texts(&[&source[one..]]),
        3 => return join_texts(&[&source[from..to]]),
        4 => copy.reverse(),
        5 => copy.extend_from_slice(source),
        6 => copy.rotate_left(one),
        7 => choices.shuffle(&mut copy),
        8 => copy.get_mut(one).into_iter().for_each(|changed| *changed = letter),
        9 => copy.insert(one, letter),
        10 => return join_texts(&[&source[..from], &source[(from + 1).min(length)..]]),
        11 => copy.push(letter),
        12 => copy.last_mut().into_iter().for_each(|last| *last = letter),
        // Many times one letter, with the source at the end.
        13 => return join_texts(&[&TextBytes::from_elem(letter, one), source]),
        // The source in the middle of the target.
        14 => {
            let at = choices.draw_index(target.len() + 1);
            return join_texts(&[&target[..at], source, &target[at..]]);
        }
        // A beginning of the source, and at once the whole: a search has to fall back within what it has matched.
        15 => return join_texts(&[&source[..one], source]),
        16 => copy.extend_from_slice(&source[..one]),
        _ if one == 0 => copy.clear(),
        _ => (one..length).for_each(|at| copy[at] = copy[at - one]),
    }
    copy
}

fn join_texts(parts: &[&[u8]]) -> TextBytes {
    let mut joined = TextBytes::new();
    parts.iter().for_each(|part| joined.extend_from_slice(part));
    joined
}
