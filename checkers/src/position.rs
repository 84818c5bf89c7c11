//! Positions in a text, for messages.

use crate::tokenizer::{is_white_space, split_tokens_by};

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
