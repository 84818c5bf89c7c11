//! Numbers that are computed from others.

use crate::language::Interval;
use rebut_generators::{Choices, draw_notable_number};

/// Number of formulas that are tried until a result is in range.
const MAX_FORMULAS: usize = 8;

/// A formula for a number, of two other numbers and a small factor. `None` if there is no result.
type NumberFormula = fn(i128, i128, i128) -> Option<i128>;

/// The formulas that numbers are computed by. Equality is the most frequent of what programs overlook.
const FORMULAS: [NumberFormula; 19] = [
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
