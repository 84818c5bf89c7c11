//! Where in a text an offset is, in the words of a reader.

use crate::text::{is_white, tokens_between};

/// A token's place. Worked out after a refusal only: the walk that accepts keeps no count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The token, from 1, over the whole text.
    pub(crate) token: usize,
    /// The token, from 1, within its line.
    pub(crate) token_in_line: usize,
}

impl Place {
    /// The place of the token that starts at `offset`.
    pub(crate) fn of(text: &[u8], offset: usize) -> Self {
        Self::between(text, offset, is_white)
    }

    /// The place of the token that starts at `offset`, where such bytes separate tokens.
    pub(crate) fn between(text: &[u8], offset: usize, white: fn(u8) -> bool) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        Self {
            line: line_of(text, offset),
            token: tokens_between(before, white).count() + 1,
            token_in_line: tokens_between(&before[line_start..], white).count() + 1,
        }
    }

    /// `token 3` on the first line, where both counts agree, and `line 2, token 3` elsewhere.
    pub(crate) fn words(self) -> String {
        if self.line == 1 {
            format!("token {}", self.token)
        } else {
            format!("line {}, token {}", self.line, self.token_in_line)
        }
    }
}

/// The line, from 1, in which `offset` is.
pub(crate) fn line_of(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}
