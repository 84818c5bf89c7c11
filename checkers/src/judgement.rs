//! The result of a checker.

use crate::tokenizer::{is_white_space, split_lines, split_tokens_by};
use rebut_diagnostics::count_with_noun;

/// A checker's judgement of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The output is correct.
    Accepted,
    /// The output is wrong.
    Wrong(Mismatch),
    /// The checker failed, so that nothing is known about the output. Contains the reason.
    Failed(String),
}

impl Judgement {
    /// Returns true if the output is correct.
    pub fn is_accepted(&self) -> bool {
        *self == Self::Accepted
    }
}

/// The first difference between an output and the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mismatch {
    /// A description of the difference: its position, both sides, and its name if it has one.
    pub message: String,
    /// Other differences that were accepted, and advice; not part of the reason.
    pub hints: Vec<String>,
    /// The line of the difference, from 1: in the output, or in the answer if the output has ended.
    pub line: Option<usize>,
    /// The token of the difference, from 1, counted over the whole output.
    pub token: Option<usize>,
    /// Whether the output would be correct but for white space and case.
    pub presentation: bool,
}

// Hints about differences that the checker accepts, so that users do not mistake them for the reason of a rejection.

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

// Positions in a text, for messages.

/// The position of a token. It is computed after a rejection only: the pass that accepts does not count tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenPosition {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The token, from 1, over the whole text.
    pub(crate) token: usize,
    /// The token, from 1, within its line.
    pub(crate) token_in_line: usize,
}

impl TokenPosition {
    /// Returns the position of the token that starts at `offset`.
    pub(crate) fn at_offset(text: &[u8], offset: usize) -> Self {
        Self::at_offset_between(text, offset, is_white_space)
    }

    /// Returns the position of the token that starts at `offset`, with tokens separated by `white` bytes.
    pub(crate) fn at_offset_between(text: &[u8], offset: usize, white: fn(u8) -> bool) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        Self {
            line: line_at_offset(text, offset),
            token: split_tokens_by(before, white).count() + 1,
            token_in_line: split_tokens_by(&before[line_start..], white).count() + 1,
        }
    }

    /// Returns `token 3` on the first line, where both counts agree, and `line 2, token 3` elsewhere.
    pub(crate) fn description(self) -> String {
        if self.line == 1 {
            format!("token {}", self.token)
        } else {
            format!("line {}, token {}", self.line, self.token_in_line)
        }
    }
}

/// Returns the line of `offset`, from 1.
pub(crate) fn line_at_offset(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}
