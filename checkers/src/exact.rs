//! The checker for problems in which white space is part of the answer.

use crate::judgement::{Judgement, Mismatch, TokenPosition};
use crate::tokenizer::{TextLine, is_blank, split_lines, trim_end};
use crate::tokens;
use rebut_diagnostics::count_with_noun;

/// Compares byte by byte. The message describes the first token that differs, or else the white space.
pub(crate) fn check_exact(answer: &[u8], output: &[u8]) -> Judgement {
    if answer == output {
        return Judgement::Accepted;
    }
    match tokens::check_tokens(answer, output, false) {
        // Hints list accepted white space, but here no difference is accepted.
        Judgement::Wrong(mismatch) => Judgement::Wrong(Mismatch { hints: Vec::new(), ..mismatch }),
        _ => Judgement::Wrong(describe_white_space(answer, output)),
    }
}

/// Describes the first difference in white space.
pub(crate) fn describe_white_space(answer: &[u8], output: &[u8]) -> Mismatch {
    let offset = answer.iter().zip(output).take_while(|(a, b)| a == b).count();
    let place = TokenPosition::at_offset(output, offset);
    let message =
        describe_final_newlines(answer, output).unwrap_or_else(|| describe_line_white_space(answer, output, place));
    Mismatch { message, line: Some(place.line), presentation: true, ..Mismatch::default() }
}

/// Describes a difference in the newlines at the end only.
fn describe_final_newlines(answer: &[u8], output: &[u8]) -> Option<String> {
    let newlines = |text: &[u8]| text.iter().rev().take_while(|&&byte| byte == b'\n').count();
    let (expected, found) = (newlines(answer), newlines(output));
    if answer[..answer.len() - expected] != output[..output.len() - found] {
        return None;
    }
    Some(match (expected, found) {
        (1, 0) => "ends without a newline".to_owned(),
        (0, 1) => "ends with a newline, expected none".to_owned(),
        _ => format!(
            "ends with {}, expected {}",
            count_with_noun(found, "newline"),
            count_with_noun(expected, "newline")
        ),
    })
}

/// Describes a difference within or between lines.
fn describe_line_white_space(answer: &[u8], output: &[u8], place: TokenPosition) -> String {
    let number = place.line;
    let nth = |text| split_lines(text).nth(number - 1).map_or(&[][..], |line: TextLine<'_>| line.text);
    let (expected, found) = (nth(answer), nth(output));
    if is_blank(found) && !is_blank(expected) {
        return format!("line {number} is blank");
    }
    let (bare_expected, bare_found) = (trim_end(expected), trim_end(found));
    if bare_expected != bare_found {
        return format!("line {number}: white space differs before token {}", place.token_in_line);
    }
    match (&expected[bare_expected.len()..], &found[bare_found.len()..]) {
        ([], [b'\r']) => format!("line {number} ends with CRLF"),
        ([], _) => format!("line {number} ends with white space"),
        (_, []) => format!("line {number} lacks the white space at its end"),
        _ => format!("line {number}: the white space at its end differs"),
    }
}
