//! What a checker takes for the same, asked of tokens and lines instead of whole texts.

use std::borrow::Cow;

use super::pairs::{Pair, SideLine};
use crate::checker::Checker;
use crate::compare::depart;
use crate::text::{self, is_blank, lines, trim_end};
use crate::{number, numbers, tokens};

/// A checker as the diff uses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule<'c> {
    checker: &'c Checker,
    ignore_case: bool,
}

impl<'c> Rule<'c> {
    /// The checker's rule, made more lenient about case if asked for.
    pub(crate) fn new(checker: &'c Checker, ignore_case: bool) -> Self {
        let lenient =
            matches!(checker, Checker::Tokens { ignore_case: true } | Checker::UnorderedLines { ignore_case: true });
        Self { checker, ignore_case: ignore_case || lenient }
    }

    /// Whether white space is compared as text is.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self.checker, Checker::Exact)
    }

    /// Whether lines may come in any order.
    pub(crate) fn is_unordered(self) -> bool {
        matches!(self.checker, Checker::UnorderedLines { .. })
    }

    /// Whether a newline is as good as a space.
    pub(crate) fn ignores_lines(self) -> bool {
        matches!(self.checker, Checker::Tokens { .. } | Checker::Numbers { .. })
    }

    /// Whether case counts for nothing.
    pub(crate) fn ignores_case(self) -> bool {
        self.ignore_case
    }

    /// Whether two tokens are the same.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        let near = match *self.checker {
            Checker::Numbers { absolute, relative } => numbers::same(expected, found, absolute, relative),
            _ => false,
        };
        near || tokens::same(expected, found, self.ignore_case)
    }

    /// Whether both sides have a line, and the same.
    pub(crate) fn is_same_pair(self, pair: &Pair<'_>) -> bool {
        let (Some(expected), Some(found)) = (&pair.expected, &pair.found) else { return false };
        if self.is_exact() {
            let same_text = tokens::same(&expected.text, &found.text, self.ignore_case);
            return same_text && expected.ended == found.ended;
        }
        depart(&expected.text, &found.text, |a, b| self.is_same_token(a, b)).is_none()
    }

    /// The lines that count, without the blanks that do not.
    pub(crate) fn lines(self, text: &[u8]) -> impl Iterator<Item = SideLine<'_>> {
        let counted = if self.is_exact() { text } else { trim_end(text) };
        let keeps_blank = matches!(self.checker, Checker::Exact | Checker::Lines);
        let numbered = lines(counted).enumerate().filter(move |(_, line)| keeps_blank || !is_blank(line.text));
        numbered.map(move |(i, line)| {
            let text = if self.is_exact() { line.text } else { trim_end(line.text) };
            SideLine { number: i + 1, text: Cow::Borrowed(text), ended: line.ended }
        })
    }

    /// A key that lines have in common if the rule takes them for the same, or nearly always so: nearness of
    /// numbers is no equivalence. It serves to align lines, not to judge them.
    pub(crate) fn key(self, line: &SideLine<'_>) -> Vec<u8> {
        let mut key = Vec::with_capacity(line.text.len());
        if self.is_exact() {
            key.extend_from_slice(&line.text);
            key.push(u8::from(line.ended));
        } else {
            for token in text::tokens(&line.text) {
                self.push_key(&mut key, token.text);
                key.push(b' ');
            }
        }
        if self.ignore_case {
            key.make_ascii_lowercase();
        }
        key
    }

    /// The key of a token; a number's is its value in a few digits.
    fn push_key(self, key: &mut Vec<u8>, token: &[u8]) {
        match number::in_range(token) {
            Some(value) if matches!(self.checker, Checker::Numbers { .. }) => {
                key.extend_from_slice(format!("{value:.3e}").as_bytes());
            }
            _ => key.extend_from_slice(token),
        }
    }
}
