//! The default checker: the same tokens in the same order.

use crate::judgement::Judgement;
use crate::number_parser;
use crate::printable;
use crate::token_comparison::{TextPair, TokenDifference, build_mismatch, first_difference, name_word_difference};

/// Maximum relative error that looks like a rounding error rather than a wrong answer.
const MAX_CLOSE_RELATIVE_ERROR: f64 = 1e-4;

pub(crate) fn check_tokens(answer: &[u8], output: &[u8], ignore_case: bool) -> Judgement {
    let same = |a: &[u8], b: &[u8]| is_same_token(a, b, ignore_case);
    let Some(difference) = first_difference(answer, output, same) else { return Judgement::Accepted };
    let mut mismatch = build_mismatch(TextPair::new(answer, output), difference, same, name_word_difference);
    if let TokenDifference::Different(a, b) = difference {
        mismatch.hints.extend(suggest_number_checker(a.text, b.text));
    }
    Judgement::Wrong(mismatch)
}

/// Returns true if two tokens are equal.
pub(crate) fn is_same_token(a: &[u8], b: &[u8], ignore_case: bool) -> bool {
    a == b || (ignore_case && a.eq_ignore_ascii_case(b))
}

/// Suggests a checker for numbers, if the tokens are close in value.
fn suggest_number_checker(expected: &[u8], found: &[u8]) -> Option<String> {
    let value = number_parser::parse_finite(expected).filter(|_| expected.contains(&b'.'))?;
    let relative = number_parser::number_distance(expected, found)?.error / value.abs();
    (relative <= MAX_CLOSE_RELATIVE_ERROR).then(|| {
        format!(
            "close in value (relative error {}): `numbers:1e-6` would compare numbers",
            printable::format_error(relative)
        )
    })
}
