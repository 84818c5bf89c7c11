//! A line of one side of a diff, and two of them side by side.

use std::borrow::Cow;

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
