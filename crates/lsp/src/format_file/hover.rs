//! Explanations of names and words of a format.

use super::analysis::FormatFile;
use super::vocabulary::VOCABULARY;
use crate::answers::Explanation;
use rebut_diagnostics::Span;
use rebut_format::explain::{FieldSummary, summarize_field};
use rebut_format::language::{Format, FormatWordKind};
use rebut_format::syntax::SyntaxRule;
use std::fmt::Write as _;

/// Returns the explanation of the word at a byte. While the text has errors, `last_format`, the last one without, says what
/// values a field can have.
pub fn explain_word(file: &FormatFile, last_format: Option<&Format>, offset: usize) -> Option<Explanation> {
    let (name, word) = file.name_at(offset)?;
    let described = match file.format.as_ref() {
        Some(format) => describe_field(format, name),
        None => last_format
            .and_then(|format| describe_field(format, name))
            .map(|text| text + "\n*These are the values before the last changes: the format has errors now.*\n"),
    };
    let markdown = described.or_else(|| describe_constant(file, name)).or_else(|| describe_word(file, word.span))?;
    Some(Explanation { span: word.span, markdown })
}

/// Returns the place at which the name at a byte is declared in the layout or by `let`.
pub fn find_declaration(file: &FormatFile, offset: usize) -> Option<Span> {
    let (name, _) = file.name_at(offset)?;
    if let Some(format) = &file.format
        && let Some(id) = format.field_named(name)
    {
        let start = format.field(id).span.start;
        return Some(Span::new(start, start + name.len()));
    }
    file.tree.rules.iter().find_map(|rule| match rule {
        SyntaxRule::Let { name: constant, span, .. } if constant == name => Some(*span),
        _ => None,
    })
}

fn describe_field(format: &Format, name: &str) -> Option<String> {
    let id = format.field_named(name)?;
    let declaration = format.source_text(format.field(id).span);
    let FieldSummary { meaning, values, lengths, letters, statements } = summarize_field(format, id);
    let mut text = format!("```rebut-format\n{declaration}\n```\n{meaning}\n");
    // Writing to a string cannot fail.
    let _ = values.map(|values| write!(text, "\nvalues that all constraints leave: `{values}`\n"));
    let _ = letters.map(|letters| write!(text, "\ncharacters: {}\n", inline_code(&letters)));
    let _ = lengths.map(|lengths| write!(text, "\nlengths: `{lengths}`\n"));
    if !statements.is_empty() {
        let _ = write!(text, "\n```rebut-format\n{}\n```\n", statements.join("\n"));
    }
    Some(text)
}

/// Returns a text as code in Markdown.
fn inline_code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn describe_constant(file: &FormatFile, name: &str) -> Option<String> {
    file.tree.rules.iter().find_map(|rule| match rule {
        SyntaxRule::Let { name: constant, value, span } if constant == name => {
            let declaration = file.text.text_of(*span);
            let result = value.constant_value().map_or_else(String::new, |value| format!("\nvalue: `{value}`\n"));
            Some(format!("```rebut-format\n{declaration}\n```\nconstant\n{result}"))
        }
        _ => None,
    })
}

/// Returns the meanings of a word of the language. A word with several has the one that fits its line.
fn describe_word(file: &FormatFile, span: Span) -> Option<String> {
    let word = file.text.text_of(span);
    let at = file.words.iter().position(|other| other.span == span)?;
    let neighbour = |index: usize| file.words.get(index).map_or("", |other| file.spelling_of(other));
    let with_next = format!("{word} {}", neighbour(at + 1));
    let with_previous = format!("{} {word}", neighbour(at.checked_sub(1).unwrap_or(usize::MAX)));
    let named = |name: &str| VOCABULARY.iter().filter(|known| known.name == name).collect::<Vec<_>>();
    let mut found =
        [named(&with_next), named(&with_previous), named(word)].into_iter().find(|list| !list.is_empty())?;
    if found.len() > 1 {
        let is_call = file.words.get(at + 1).is_some_and(|next| next.kind == FormatWordKind::Symbol("("));
        found.retain(|known| known.usage.contains(&format!("{}(", known.name)) == is_call);
    }
    let described = found.iter().map(|known| format!("```rebut-format\n{}\n```\n{}\n", known.usage, known.meaning));
    Some(described.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
}
