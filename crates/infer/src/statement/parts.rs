//! The parts of a line as a statement describes them.

use super::ranges::StatedRange;
use rebut_format::syntax::SyntaxTerm;

/// A part of a line as a statement describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedPart {
    pub(crate) name: Option<String>,
    pub(crate) form: StatedForm,
    /// The kind of the tokens, if the statement does not call them whole numbers.
    pub(crate) kind: Option<StatedKind>,
    /// The range of the numbers, or of the length of the text, if the statement gives it in words.
    pub(crate) range: Option<StatedRange>,
}

/// The kind of tokens that a statement names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatedKind {
    /// A word, even if samples have digits only.
    Text,
    /// A real number with this many decimals at most, if that is known, even if samples have whole numbers only.
    Real(Option<usize>),
}

/// The form of a part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StatedForm {
    Token,
    /// Numbers or words, as many as a size.
    Array(SyntaxTerm),
    /// One of the numbers or words of groups, as many as a size. The parts of a group stand side by side.
    Group(SyntaxTerm),
    /// A text of as many characters as a size.
    Text(SyntaxTerm),
}
