//! The equality of tokens and lines by the rules of a checker.

use crate::checker::Checker;
use crate::icpc::is_spaced_alike;
use crate::testlib::{self, TestlibChecker};
use crate::token_comparison::first_difference;
use crate::tokenizer::{self, is_blank, split_lines, trim_end};
use crate::{number_parser, numbers, tokens};
use std::borrow::Cow;

/// The rules of a checker, as the diff uses them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiffRule<'c> {
    checker: &'c Checker,
    ignore_case: bool,
}

impl<'c> DiffRule<'c> {
    /// Creates the rules of a checker, ignoring case if the checker or the caller does.
    pub(crate) fn new(checker: &'c Checker, ignore_case: bool) -> Self {
        let lenient = match checker {
            Checker::Tokens { ignore_case } | Checker::UnorderedLines { ignore_case } => *ignore_case,
            Checker::Icpc(icpc) => !icpc.case_sensitive,
            Checker::Testlib(testlib) => testlib.ignores_case(),
            Checker::Exact | Checker::Lines | Checker::Numbers { .. } => false,
        };
        Self { checker, ignore_case: ignore_case || lenient }
    }

    /// Returns true if white space is compared as text.
    pub(crate) fn is_exact(self) -> bool {
        match self.checker {
            Checker::Exact | Checker::Testlib(TestlibChecker::Fcmp) => true,
            Checker::Icpc(icpc) => icpc.space_change_sensitive,
            _ => false,
        }
    }

    /// Returns true if lines can come in any order.
    pub(crate) fn is_unordered(self) -> bool {
        matches!(self.checker, Checker::UnorderedLines { .. } | Checker::Testlib(TestlibChecker::Uncmp))
    }

    /// Returns true if line breaks are ordinary white space.
    pub(crate) fn ignores_lines(self) -> bool {
        match self.checker {
            Checker::Tokens { .. } | Checker::Numbers { .. } => true,
            Checker::Icpc(icpc) => !icpc.space_change_sensitive,
            Checker::Testlib(testlib) => {
                !matches!(testlib, TestlibChecker::Fcmp | TestlibChecker::Lcmp | TestlibChecker::Uncmp)
            }
            Checker::Exact | Checker::Lines | Checker::UnorderedLines { .. } => false,
        }
    }

    pub(crate) fn ignores_case(self) -> bool {
        self.ignore_case
    }

    /// Returns true if two tokens are equal.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        let near = match *self.checker {
            Checker::Numbers { absolute, relative } => numbers::is_same_token(expected, found, absolute, relative),
            Checker::Icpc(icpc) => icpc.is_same_token(expected, found),
            Checker::Testlib(testlib) => testlib.is_same_token(expected, found),
            _ => false,
        };
        near || tokens::is_same_token(expected, found, self.ignore_case)
    }

    /// Returns true if both lines exist and are equal.
    pub(crate) fn is_same_pair(self, pair: &LinePair<'_>) -> bool {
        let (Some(expected), Some(found)) = (&pair.expected, &pair.found) else { return false };
        if self.is_exact() {
            return self.is_same_line(expected, found);
        }
        first_difference(&expected.text, &found.text, |a, b| self.is_same_token(a, b)).is_none()
    }

    /// Compares two lines including their white space.
    fn is_same_line(self, expected: &DiffLine<'_>, found: &DiffLine<'_>) -> bool {
        let (a, b) = (&expected.text, &found.text);
        match self.checker {
            Checker::Testlib(_) => {
                let [a, b] = [a, b].map(|line| line.strip_suffix(b"\r").unwrap_or(line));
                testlib::is_same_line(a, b)
            }
            Checker::Icpc(icpc) => {
                let same = first_difference(a, b, |a, b| icpc.is_same_token(a, b)).is_none();
                same && is_spaced_alike(a, b) && expected.has_newline == found.has_newline
            }
            _ => tokens::is_same_token(a, b, self.ignore_case) && expected.has_newline == found.has_newline,
        }
    }

    /// Returns the lines that count, without white space that is ignored.
    pub(crate) fn counted_lines(self, text: &[u8]) -> impl Iterator<Item = DiffLine<'_>> {
        let counted = match self.checker {
            // `fcmp` ignores blank lines at the end, but not blanks at the end of a line.
            Checker::Testlib(TestlibChecker::Fcmp) => trim_blank_lines(text),
            _ if self.is_exact() => text,
            _ => trim_end(text),
        };
        let keeps_blank =
            self.is_exact() || matches!(self.checker, Checker::Lines | Checker::Testlib(TestlibChecker::Lcmp));
        let numbered = split_lines(counted).enumerate().filter(move |(_, line)| keeps_blank || !is_blank(line.text));
        numbered.map(move |(i, line)| {
            let text = if self.is_exact() { line.text } else { trim_end(line.text) };
            DiffLine { number: i + 1, text: Cow::Borrowed(text), has_newline: line.has_newline }
        })
    }

    /// Returns a key that is the same for lines which are equal by the rules, or nearly always so: closeness of numbers
    /// is not an equivalence relation. Keys are used to align lines, not to judge them.
    pub(crate) fn line_key(self, line: &DiffLine<'_>) -> Vec<u8> {
        let mut key = Vec::with_capacity(line.text.len());
        if self.is_exact() {
            key.extend_from_slice(&line.text);
            key.push(u8::from(line.has_newline));
        } else {
            for token in tokenizer::split_tokens(&line.text) {
                self.push_token_key(&mut key, token.text);
                key.push(b' ');
            }
        }
        if self.ignore_case {
            key.make_ascii_lowercase();
        }
        key
    }

    /// Appends the key of a token; that of a number is its value in a few digits.
    fn push_token_key(self, key: &mut Vec<u8>, token: &[u8]) {
        match number_parser::parse_finite(token) {
            Some(value) if matches!(self.checker, Checker::Numbers { .. }) => {
                key.extend_from_slice(format!("{value:.3e}").as_bytes());
            }
            _ => key.extend_from_slice(token),
        }
    }
}

/// Returns the text up to the end of its last line that is not blank.
fn trim_blank_lines(text: &[u8]) -> &[u8] {
    let end = trim_end(text).len();
    let rest = text[end..].iter().position(|&byte| byte == b'\n').unwrap_or(text.len() - end);
    &text[..if end == 0 { 0 } else { end + rest }]
}

// A line of one side of a diff, and two of them side by side.

/// A line of one side.
#[derive(Debug, Clone)]
pub(crate) struct DiffLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) has_newline: bool,
}

/// Two lines shown side by side; at least one of them exists.
#[derive(Debug, Clone)]
pub(crate) struct LinePair<'a> {
    pub(crate) number: usize,
    pub(crate) expected: Option<DiffLine<'a>>,
    pub(crate) found: Option<DiffLine<'a>>,
}

impl<'a> LinePair<'a> {
    /// Creates a pair numbered by the answer's line, or else by the output's.
    pub(super) fn new(expected: Option<DiffLine<'a>>, found: Option<DiffLine<'a>>) -> Self {
        let number = expected.as_ref().or(found.as_ref()).map_or(0, |line| line.number);
        Self { number, expected, found }
    }
}
