//! A format's text with the data that the answers about it share.

use crate::text::EditedText;
use rebut_diagnostics::{Diagnostic, SourceText};
use rebut_format::language::{Format, FormatWord, FormatWordKind, split_words};
use rebut_format::syntax::SyntaxTree;

/// The text of a format, and what is known of it.
#[derive(Clone, Debug)]
pub struct FormatFile {
    /// The text.
    pub text: EditedText,
    /// All problems, errors and warnings, in the order of the text.
    pub problems: Vec<Diagnostic>,
    /// The format; `None` if the text has errors.
    pub format: Option<Format>,
    /// The syntax tree without the lines that have errors.
    pub(crate) tree: SyntaxTree,
    /// The words of the text.
    pub(crate) words: Vec<FormatWord>,
}

impl FormatFile {
    /// Analyzes a text. `name` is what messages call it.
    pub fn new(name: &str, text: EditedText) -> FormatFile {
        let source = SourceText::new(name, text.as_str().as_bytes());
        let (format, problems) = match Format::parse(&source) {
            Ok((format, warnings)) => (Some(format), warnings),
            Err(problems) => (None, problems),
        };
        let tree = SyntaxTree::parse_leniently(&source);
        let words = split_words(text.as_str());
        FormatFile { text, problems, format, tree, words }
    }

    /// Returns the name or keyword that contains a byte or ends there.
    pub(crate) fn name_at(&self, offset: usize) -> Option<(&str, FormatWord)> {
        let touches = |word: &&FormatWord| word.span.start <= offset && offset <= word.span.end;
        let word = self.words.iter().filter(touches).find(|word| word.kind == FormatWordKind::Name)?;
        Some((self.text.text_of(word.span), *word))
    }

    /// Returns the text of a word.
    pub(crate) fn spelling_of(&self, word: &FormatWord) -> &str {
        self.text.text_of(word.span)
    }
}
