//! What differs too, and decides nothing: said so that nobody chases it.

use crate::show::numbered;
use crate::text::{is_white, lines};

/// The differences in white space that a checker of tokens accepts.
pub(crate) fn hints(answer: &[u8], output: &[u8]) -> Vec<String> {
    let mut hints = Vec::new();
    if output.last().is_some_and(|&last| last != b'\n') && answer.ends_with(b"\n") {
        hints.push("ends without a newline (accepted)".to_owned());
    }
    let carriage_returns = count_ends(output, |end| end == b'\r');
    if carriage_returns > 0 && count_ends(answer, |end| end == b'\r') == 0 {
        hints.push(format!("{} with CRLF (accepted)", ending(carriage_returns)));
    }
    let is_blank = |end| is_white(end) && end != b'\r';
    let blanks = count_ends(output, is_blank);
    if blanks > 0 && count_ends(answer, is_blank) == 0 {
        hints.push(format!("{} with white space (accepted)", ending(blanks)));
    }
    hints
}

/// `1 line ends`, `3 lines end`.
fn ending(count: usize) -> String {
    format!("{} end{}", numbered(count, "line"), if count == 1 { "s" } else { "" })
}

/// How many lines end with such a byte.
fn count_ends(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    lines(text).filter(|line| line.text.last().is_some_and(|&end| wanted(end))).count()
}
