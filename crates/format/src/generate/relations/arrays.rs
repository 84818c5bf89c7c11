//! Arrays that are made from others, or from themselves.

use super::numbers::relate_number;
use crate::language::Interval;
use rebut_generators::Choices;

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
    rearrange_or_compute(choices, &mut related, range)?;
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
