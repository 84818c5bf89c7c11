//! Answers about a place in a text, without the terms of the protocol.

use rebut_diagnostics::Span;

/// Completions of the word at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The part of the word that is there already, which a suggestion replaces.
    pub replaced: Span,
    /// The suggestions, the most likely ones first.
    pub suggestions: Vec<Suggestion>,
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The text that is inserted.
    pub label: String,
    /// Its kind.
    pub kind: SuggestionKind,
    /// An example, or what it is, in a few words.
    pub detail: String,
    /// Its meaning, in Markdown; may be empty.
    pub documentation: String,
}

/// The kind of a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    /// A keyword.
    Keyword,
    /// A function.
    Function,
    /// A predicate, a property of graphs, or a key of a recipe.
    Property,
    /// A field of the layout.
    Field,
    /// A named constant.
    Constant,
    /// A variable of a quantifier.
    Variable,
    /// A shape, a group, or another value.
    Value,
}

/// An explanation of the word at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The word.
    pub span: Span,
    /// Its explanation, in Markdown.
    pub markdown: String,
}
