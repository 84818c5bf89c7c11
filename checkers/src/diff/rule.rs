//! What a checker takes for the same, asked of tokens and lines instead of whole texts.

use std::borrow::Cow;

use super::pairs::{Pair, SideLine};
use crate::checker::Checker;
use crate::compare::depart;
use crate::icpc::is_spaced_alike;
use crate::testlib::{self, Testlib};
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
        let lenient = match checker {
            Checker::Tokens { ignore_case } | Checker::UnorderedLines { ignore_case } => *ignore_case,
            Checker::Icpc(icpc) => !icpc.case_sensitive,
            Checker::Testlib(testlib) => testlib.ignores_case(),
            Checker::Exact | Checker::Lines | Checker::Numbers { .. } => false,
        };
        Self { checker, ignore_case: ignore_case || lenient }
    }

    /// Whether white space is compared as text is.
    pub(crate) fn is_exact(self) -> bool {
        match self.checker {
            Checker::Exact | Checker::Testlib(Testlib::Fcmp) => true,
            Checker::Icpc(icpc) => icpc.space_change_sensitive,
            _ => false,
        }
    }

    /// Whether lines may come in any order.
    pub(crate) fn is_unordered(self) -> bool {
        matches!(self.checker, Checker::UnorderedLines { .. } | Checker::Testlib(Testlib::Uncmp))
    }

    /// Whether a newline is as good as a space.
    pub(crate) fn ignores_lines(self) -> bool {
        match self.checker {
            Checker::Tokens { .. } | Checker::Numbers { .. } => true,
            Checker::Icpc(icpc) => !icpc.space_change_sensitive,
            Checker::Testlib(testlib) => !matches!(testlib, Testlib::Fcmp | Testlib::Lcmp | Testlib::Uncmp),
            Checker::Exact | Checker::Lines | Checker::UnorderedLines { .. } => false,
        }
    }

    /// Whether case counts for nothing.
    pub(crate) fn ignores_case(self) -> bool {
        self.ignore_case
    }

    /// Whether two tokens are the same.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        let near = match *self.checker {
            Checker::Numbers { absolute, relative } => numbers::same(expected, found, absolute, relative),
            Checker::Icpc(icpc) => icpc.same(expected, found),
            Checker::Testlib(testlib) => testlib.same(expected, found),
            _ => false,
        };
        near || tokens::same(expected, found, self.ignore_case)
    }

    /// Whether both sides have a line, and the same.
    pub(crate) fn is_same_pair(self, pair: &Pair<'_>) -> bool {
        let (Some(expected), Some(found)) = (&pair.expected, &pair.found) else { return false };
        if self.is_exact() {
            return self.is_same_line(expected, found);
        }
        depart(&expected.text, &found.text, |a, b| self.is_same_token(a, b)).is_none()
    }

    /// Whether two lines are the same where white space is compared as text is.
    fn is_same_line(self, expected: &SideLine<'_>, found: &SideLine<'_>) -> bool {
        let (a, b) = (&expected.text, &found.text);
        match self.checker {
            Checker::Testlib(_) => {
                let [a, b] = [a, b].map(|line| line.strip_suffix(b"\r").unwrap_or(line));
                testlib::is_same_line(a, b)
            }
            Checker::Icpc(icpc) => {
                let same = depart(a, b, |a, b| icpc.same(a, b)).is_none();
                same && is_spaced_alike(a, b) && expected.ended == found.ended
            }
            _ => tokens::same(a, b, self.ignore_case) && expected.ended == found.ended,
        }
    }

    /// The lines that count, without the blanks that do not.
    pub(crate) fn lines(self, text: &[u8]) -> impl Iterator<Item = SideLine<'_>> {
        let counted = match self.checker {
            // Blank lines at the end are free there, blanks at the end of a line are not.
            Checker::Testlib(Testlib::Fcmp) => trim_blank_lines(text),
            _ if self.is_exact() => text,
            _ => trim_end(text),
        };
        let keeps_blank = self.is_exact() || matches!(self.checker, Checker::Lines | Checker::Testlib(Testlib::Lcmp));
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

/// The text up to the end of its last line that is not blank.
fn trim_blank_lines(text: &[u8]) -> &[u8] {
    let end = trim_end(text).len();
    let rest = text[end..].iter().position(|&byte| byte == b'\n').unwrap_or(text.len() - end);
    &text[..if end == 0 { 0 } else { end + rest }]
}
