//! The checker that most problems need: the same tokens in the same order.

use crate::compare::{Departure, Texts, depart, mismatch, name_words};
use crate::judgement::Judgement;
use crate::number;
use crate::show;

/// Relative errors up to this look like floating point at work rather than like a wrong answer.
const CLOSE_RELATIVE: f64 = 1e-4;

/// Judges token by token.
pub(crate) fn check(answer: &[u8], output: &[u8], ignore_case: bool) -> Judgement {
    let same = |a: &[u8], b: &[u8]| same(a, b, ignore_case);
    let Some(departure) = depart(answer, output, same) else { return Judgement::Accepted };
    let mut told = mismatch(Texts::new(answer, output), departure, same, name_words);
    if let Departure::Different(a, b) = departure {
        told.hints.extend(hint_numbers(a.text, b.text));
    }
    Judgement::Wrong(told)
}

/// Whether two tokens are the same.
pub(crate) fn same(a: &[u8], b: &[u8], ignore_case: bool) -> bool {
    a == b || (ignore_case && a.eq_ignore_ascii_case(b))
}

/// Advice for a problem of real numbers that was given this checker by mistake.
fn hint_numbers(expected: &[u8], found: &[u8]) -> Option<String> {
    let value = number::in_range(expected).filter(|_| expected.contains(&b'.'))?;
    let relative = number::distance(expected, found)?.error / value.abs();
    (relative <= CLOSE_RELATIVE).then(|| {
        format!("close in value (relative error {}): `numbers:1e-6` would compare numbers", show::error(relative))
    })
}
