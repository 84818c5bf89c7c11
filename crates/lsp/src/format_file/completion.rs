//! Completion of the word at a place: words of the language, and names.

use super::analysis::FormatFile;
use super::cursor::{CursorPlace, place_at};
use super::vocabulary::{VocabularyWord, WordPlace, words_in};
use crate::answers::{Completions, Suggestion, SuggestionKind};
use rebut_diagnostics::Span;
use rebut_format::language::{FormatWord, FormatWordKind};
use rebut_format::syntax::{LayoutNode, SyntaxPart, SyntaxPartKind, SyntaxRule};

/// Returns the completions at a byte: names first, then words of the language.
pub fn complete_format(file: &FormatFile, offset: usize) -> Completions {
    use WordPlace::{
        Connective, FieldKind, Function, GraphProperty, Layout, PolygonProperty, Predicate, Repetition, Rule,
    };
    let (with_names, places): (bool, &[WordPlace]) = match place_at(file, offset) {
        CursorPlace::Nothing => return Completions::default(),
        CursorPlace::LayoutLine => (false, &[Layout]),
        CursorPlace::Size => (true, &[Repetition, Function]),
        CursorPlace::RepetitionEnd => (true, &[Repetition]),
        CursorPlace::Rule => (true, &[Rule, Predicate, Function]),
        CursorPlace::FieldKind => (false, &[FieldKind, Connective]),
        CursorPlace::Expression => (true, &[Function, Predicate, Connective, FieldKind]),
        CursorPlace::GraphProperty => (true, &[GraphProperty]),
        CursorPlace::PolygonProperty => (false, &[PolygonProperty]),
    };
    let mut found = if with_names { names_in_scope(file, offset) } else { Vec::new() };
    found.extend(words_in(places).map(suggest_word));
    let start = file.name_at(offset).map_or(offset, |(_, word)| word.span.start);
    Completions { replaced: Span::new(start, offset), suggestions: found }
}

fn suggest_word(word: &VocabularyWord) -> Suggestion {
    Suggestion {
        label: word.name.to_owned(),
        kind: match word.place {
            WordPlace::Function => SuggestionKind::Function,
            WordPlace::Predicate | WordPlace::GraphProperty | WordPlace::PolygonProperty => SuggestionKind::Property,
            _ => SuggestionKind::Keyword,
        },
        detail: word.usage.to_owned(),
        documentation: word.meaning.to_owned(),
    }
}

/// Returns the names that an expression at a byte can use: fields, constants, and the variables of quantifiers around it.
fn names_in_scope(file: &FormatFile, offset: usize) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    let mut push = |label: &str, kind, detail: String| {
        if !found.iter().any(|known| known.label == label) {
            found.push(Suggestion { label: label.to_owned(), kind, detail, documentation: String::new() });
        }
    };
    for variable in variables_around(file, offset) {
        push(variable, SuggestionKind::Variable, "variable".to_owned());
    }
    let mut fields = Vec::new();
    collect_fields(&file.tree.layout, &mut fields);
    // A size depends on what is read before it; constraints follow the whole layout.
    for (name, _) in fields.iter().filter(|(_, end)| *end < offset) {
        push(name, SuggestionKind::Field, "field".to_owned());
    }
    for rule in &file.tree.rules {
        if let SyntaxRule::Let { name, .. } = rule {
            push(name, SuggestionKind::Constant, "constant".to_owned());
        }
    }
    found
}

/// Returns the variables of the quantifiers on the lines up to a byte that it can be in the body of, innermost first.
fn variables_around(file: &FormatFile, offset: usize) -> Vec<&str> {
    let text = file.text.as_str();
    let indent_of = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
        text[start..].chars().take_while(|c| *c == ' ' || *c == '\t').count()
    };
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |line| line + 1);
    let before: Vec<&FormatWord> = file.words.iter().filter(|word| word.span.end <= offset).collect();
    let mut found = Vec::new();
    let mut indent = indent_of(offset);
    let mut own_line = line_of(offset);
    for pair in before.windows(2).rev() {
        let [quantifier, name] = pair else { continue };
        let at = quantifier.span.start;
        let is_quantifier = matches!(file.spelling_of(quantifier), "forall" | "exists");
        if !is_quantifier || name.kind != FormatWordKind::Name {
            continue;
        }
        if line_of(at) == own_line || indent_of(at) < indent {
            found.push(file.spelling_of(name));
            indent = indent_of(at);
            own_line = line_of(at);
        }
    }
    found
}

/// Collects the fields of a layout with the ends of their names and brackets.
fn collect_fields<'t>(lines: &'t [LayoutNode], found: &mut Vec<(&'t str, usize)>) {
    for line in lines {
        match line {
            LayoutNode::Parts(parts) => collect_fields_of_parts(parts, found),
            LayoutNode::Block { body, .. } => collect_fields(body, found),
            LayoutNode::Either { alternatives, .. } => alternatives.iter().for_each(|form| collect_fields(form, found)),
        }
    }
}

fn collect_fields_of_parts<'t>(parts: &'t [SyntaxPart], found: &mut Vec<(&'t str, usize)>) {
    for part in parts {
        match &part.kind {
            SyntaxPartKind::Field(field) => found.push((&field.name, field.span.end)),
            SyntaxPartKind::Group { parts, .. } => collect_fields_of_parts(parts, found),
            SyntaxPartKind::Literal(_) => {}
        }
    }
}
