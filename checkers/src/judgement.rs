//! The result of a checker.

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
