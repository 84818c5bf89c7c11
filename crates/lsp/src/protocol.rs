//! Answers in the terms of the protocol.

use crate::text::{EditedText, TextPosition};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, Documentation, Hover, HoverContents, Location, MarkupContent, MarkupKind, NumberOrString,
    Position, Range, TextEdit, Uri,
};
use rebut_diagnostics::{Severity, Span};

pub(crate) fn to_place(position: Position) -> TextPosition {
    TextPosition { line: position.line, column: position.character }
}

pub(crate) fn to_range(text: &EditedText, span: Span) -> Range {
    let position = |offset| {
        let place = text.position_of(offset);
        Position::new(place.line, place.column)
    };
    Range::new(position(span.start), position(span.end.max(span.start)))
}

/// Returns a problem with its explanation and its suggestion, and its other places as related ones.
pub(crate) fn to_diagnostic(text: &EditedText, uri: &Uri, problem: &rebut_diagnostics::Diagnostic) -> Diagnostic {
    let related = problem.labels.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), to_range(text, label.span)),
        message: label.text.clone(),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: to_range(text, problem.span),
        severity: Some(match problem.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(problem.code.to_owned())),
        source: Some("rebut".to_owned()),
        message: full_message(problem),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// Returns the message, the text at the caret, the note and the help.
fn full_message(problem: &rebut_diagnostics::Diagnostic) -> String {
    let mut message = problem.message.clone();
    if !problem.caret.is_empty() {
        message.push_str(": ");
        message.push_str(&problem.caret);
    }
    for (name, text) in [("note", &problem.note), ("help", &problem.help)] {
        if let Some(text) = text {
            message.push_str(&format!("\n{name}: {text}"));
        }
    }
    message
}

/// Returns the repair of a problem: its place and the word to be written there, if its help suggests one.
pub(crate) fn suggested_word(text: &EditedText, problem: &rebut_diagnostics::Diagnostic) -> Option<(Range, String)> {
    let word = problem.help.as_deref()?.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    let is_word = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "()[]<=>".contains(c));
    // A problem can have a place that is more than the word.
    is_word(text.text_of(problem.span)).then(|| (to_range(text, problem.span), word.to_owned()))
}

/// Returns what is known of a word.
pub(crate) fn to_hover(text: &EditedText, found: Explanation) -> Hover {
    let content = MarkupContent { kind: MarkupKind::Markdown, value: found.markdown };
    Hover { contents: HoverContents::Markup(content), range: Some(to_range(text, found.span)) }
}

/// Returns what can be written, in this order.
pub(crate) fn to_completion_items(text: &EditedText, found: Completions) -> Vec<CompletionItem> {
    let range = to_range(text, found.replaced);
    let items = found.suggestions.into_iter().enumerate();
    items.map(|(index, suggestion)| to_completion_item(range, index, suggestion)).collect()
}

fn to_completion_item(range: Range, index: usize, suggestion: Suggestion) -> CompletionItem {
    let documentation = MarkupContent { kind: MarkupKind::Markdown, value: suggestion.documentation };
    CompletionItem {
        kind: Some(match suggestion.kind {
            SuggestionKind::Keyword => CompletionItemKind::KEYWORD,
            SuggestionKind::Function => CompletionItemKind::FUNCTION,
            SuggestionKind::Property => CompletionItemKind::PROPERTY,
            SuggestionKind::Field => CompletionItemKind::FIELD,
            SuggestionKind::Constant => CompletionItemKind::CONSTANT,
            SuggestionKind::Variable => CompletionItemKind::VARIABLE,
            SuggestionKind::Value => CompletionItemKind::VALUE,
        }),
        detail: Some(suggestion.detail),
        documentation: (!documentation.value.is_empty()).then_some(Documentation::MarkupContent(documentation)),
        sort_text: Some(format!("{index:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, suggestion.label.clone()))),
        label: suggestion.label,
        ..CompletionItem::default()
    }
}

/// Returns the edit that changes a text to another: the lines from the first to the last that differ. `None` if none does.
pub(crate) fn line_edit(text: &EditedText, target: &str) -> Option<TextEdit> {
    let (old, new) = (text.as_str(), target);
    if old == new {
        return None;
    }
    let same_bytes = |pairs: &mut dyn Iterator<Item = (&str, &str)>| -> usize {
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum()
    };
    let start = same_bytes(&mut old.split_inclusive('\n').zip(new.split_inclusive('\n')));
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = same_bytes(&mut old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev()));
    let range = to_range(text, Span::new(start, old.len() - end));
    Some(TextEdit::new(range, new_rest[..new_rest.len() - end].to_owned()))
}

// Answers about a place in a text, without the terms of the protocol.

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

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client sent `shutdown`, then `exit`.
    Clean,
    /// The client closed the stream.
    Closed,
    /// The client sent `exit` without `shutdown`.
    Abrupt,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]

    use super::*;

    #[test]
    fn edit_has_the_changed_lines_only() {
        let check = |old: &str, new: &str| {
            let mut text = EditedText::new(old);
            let edit = line_edit(&text, new)?;
            text.replace_range(to_place(edit.range.start), to_place(edit.range.end), &edit.new_text);
            assert_eq!(text.as_str(), new);
            Some((edit.range.start.line, edit.new_text))
        };
        assert_eq!(check("a\nb\n", "a\nb\n"), None);
        assert_eq!(check("a\nb\nc\n", "a\nB\nc\n"), Some((1, "B\n".to_owned())));
        assert_eq!(check("a\na\n", "a\na\na\n"), Some((2, "a\n".to_owned())));
        assert_eq!(check("a\na\na\n", "a\n"), Some((1, String::new())));
        assert_eq!(check("a", "a\n"), Some((0, "a\n".to_owned())));
        assert_eq!(check("", "a\n"), Some((0, "a\n".to_owned())));
        assert_eq!(check("é😀\r\nb", "b\n"), Some((0, "b\n".to_owned())));
    }

    #[test]
    fn suggested_word_replaces_a_single_word() {
        let text = EditedText::new("n where distict(n)");
        let problem = |start, end, help: String| {
            let problem = rebut_diagnostics::Diagnostic::error("c", Span::new(start, end), "m").with_help(help);
            suggested_word(&text, &problem).map(|(range, word)| (range.start.character, word))
        };
        let help = rebut_diagnostics::suggestion_text("distinct");
        assert_eq!(problem(8, 15, help.clone()), Some((8, "distinct".to_owned())));
        assert_eq!(problem(2, 15, help), None);
        assert_eq!(problem(8, 15, "write it out".to_owned()), None);
    }

    #[test]
    fn problems_keep_their_code_their_help_and_their_other_places() {
        let text = EditedText::new("😀 n\nm\n");
        let uri: Uri = "file:///a.format".parse().expect("an address");
        let problem = rebut_diagnostics::Diagnostic::warning("some-code", Span::new(5, 6), "what")
            .with_caret("why")
            .with_label(Span::new(7, 8), "there")
            .with_help("do this");
        let found = to_diagnostic(&text, &uri, &problem);
        assert_eq!(found.range, Range::new(Position::new(0, 3), Position::new(0, 4)));
        assert_eq!(found.message, "what: why\nhelp: do this");
        assert_eq!(found.code, Some(NumberOrString::String("some-code".to_owned())));
        let related = found.related_information.expect("a related place");
        assert_eq!((related[0].location.range.start.line, &*related[0].message), (1, "there"));
    }
}
