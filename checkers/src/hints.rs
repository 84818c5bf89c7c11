//! Hints about differences that the checker accepts, so that users do not mistake them for the reason of a rejection.

use crate::tokenizer::{is_white_space, split_lines};
use rebut_diagnostics::count_with_noun;

/// Returns the differences in white space that token checkers accept.
pub(crate) fn white_space_hints(answer: &[u8], output: &[u8]) -> Vec<String> {
    let mut hints = Vec::new();
    if output.last().is_some_and(|&last| last != b'\n') && answer.ends_with(b"\n") {
        hints.push("ends without a newline (accepted)".to_owned());
    }
    let carriage_returns = count_line_ends(output, |end| end == b'\r');
    if carriage_returns > 0 && count_line_ends(answer, |end| end == b'\r') == 0 {
        hints.push(format!("{} with CRLF (accepted)", lines_end_phrase(carriage_returns)));
    }
    let is_blank = |end| is_white_space(end) && end != b'\r';
    let blanks = count_line_ends(output, is_blank);
    if blanks > 0 && count_line_ends(answer, is_blank) == 0 {
        hints.push(format!("{} with white space (accepted)", lines_end_phrase(blanks)));
    }
    hints
}

/// `1 line ends`, `3 lines end`.
fn lines_end_phrase(count: usize) -> String {
    format!("{} end{}", count_with_noun(count, "line"), if count == 1 { "s" } else { "" })
}

/// Returns the number of lines with a last byte that satisfies the predicate.
fn count_line_ends(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    split_lines(text).filter(|line| line.text.last().is_some_and(|&end| wanted(end))).count()
}
