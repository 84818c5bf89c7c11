//! The words of a format's text, for editors, which have to look at texts that cannot be parsed yet.

use super::tokenizer::{FormatTokenKind, tokenize_line};
use rebut_diagnostics::Span;

/// A word of the text, and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatWord {
    /// Its kind.
    pub kind: FormatWordKind,
    /// Its location.
    pub span: Span,
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatWordKind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// A text or a letter in quotes; one that is never closed ends with its line.
    Quoted,
    /// An operator, a bracket or a separator, in its ASCII spelling.
    Symbol(&'static str),
}

/// Splits the text of a format into words. White space, comments and characters without a meaning are left out. Between
/// two words of one line there are no comments.
///
/// ```
/// use rebut_format::language::{FormatWordKind, split_words};
///
/// let text = "n # the count\na[n]";
/// let names: Vec<&str> = split_words(text)
///     .iter()
///     .filter(|word| word.kind == FormatWordKind::Name)
///     .map(|word| &text[word.span.start..word.span.end])
///     .collect();
/// assert_eq!(names, ["n", "a", "n"]);
/// ```
pub fn split_words(text: &str) -> Vec<FormatWord> {
    let mut words = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        words.extend(tokenize_line(line, offset, &mut Vec::new()).into_iter().map(|token| {
            let kind = match token.kind {
                FormatTokenKind::Name(_) => FormatWordKind::Name,
                FormatTokenKind::Number(_) | FormatTokenKind::Decimal(..) => FormatWordKind::Number,
                FormatTokenKind::Text(_) | FormatTokenKind::Letter(_) => FormatWordKind::Quoted,
                FormatTokenKind::Symbol(symbol) => FormatWordKind::Symbol(symbol),
            };
            FormatWord { kind, span: token.span }
        }));
        offset += line.len();
    }
    words
}
