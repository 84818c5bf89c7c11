//! What a checker says.

/// The opinion of a checker on one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The output is right.
    Accepted,
    /// The output is wrong, and this is where and how.
    Wrong(Mismatch),
    /// The checker itself could not judge, so nothing is said of the output. The text tells why.
    Failed(String),
}

impl Judgement {
    /// Whether the output is right.
    pub fn is_accepted(&self) -> bool {
        *self == Self::Accepted
    }
}

/// The first thing that is wrong with an output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mismatch {
    /// The difference in words: where it is, both sides, and its name if it has one.
    pub message: String,
    /// What differs too but was accepted, and advice: things that are worth saying and decide nothing.
    pub hints: Vec<String>,
    /// The line of the difference, from 1: in the output, or in the answer where the output has ended.
    pub line: Option<usize>,
    /// The token of the difference, from 1, counted over the whole output.
    pub token: Option<usize>,
    /// Whether the output would be right but for white space and case.
    pub presentation: bool,
}
