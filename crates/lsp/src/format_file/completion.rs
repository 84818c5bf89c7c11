//! Completion of the word at a place: words of the language, and names.

use super::hover::FormatFile;
use crate::protocol::{Completions, Suggestion, SuggestionKind};
use rebut_diagnostics::Span;
use rebut_format::language::{FormatWord, FormatWordKind};
use rebut_format::language::{VocabularyWord, WordPlace, words_in};
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

fn suggest_word(word: VocabularyWord) -> Suggestion {
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

// The part of the grammar in which the cursor is.

/// The part of the grammar in which the cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorPlace {
    /// Nothing that can be completed: a text in quotes, a comment, a new name.
    Nothing,
    /// The start of a line of the layout.
    LayoutLine,
    /// A size in brackets, or the count of a block.
    Size,
    /// Behind `until`.
    RepetitionEnd,
    /// The start of a constraint.
    Rule,
    /// Behind the names of fields, at the start of a constraint: `s `, `a, b `.
    FieldKind,
    /// An expression in a constraint.
    Expression,
    /// Behind the colon of `edges` or `parents`.
    GraphProperty,
    /// Behind the colon of `polygon`.
    PolygonProperty,
}

/// Returns the part of the grammar at a byte. The word that ends there is being written, and does not count.
pub(crate) fn place_at(file: &FormatFile, offset: usize) -> CursorPlace {
    if is_in_quotes_or_comment(file, offset) {
        return CursorPlace::Nothing;
    }
    let before: Vec<FormatWord> = file.words.iter().filter(|word| word.span.end <= offset).copied().collect();
    let is_being_written = |word: &FormatWord| word.kind == FormatWordKind::Name && word.span.end == offset;
    let before = match before.split_last() {
        Some((last, others)) if is_being_written(last) => others,
        _ => &before[..],
    };
    let start = before.last().map_or(0, |word| word.span.end);
    let is_where = |word: &FormatWord| word.kind == FormatWordKind::Name && file.spelling_of(word) == "where";
    match before.iter().rposition(is_where) {
        Some(at) => place_in_rules(file, &before[at + 1..], start, offset),
        None => place_in_layout(file, before, start, offset),
    }
}

/// Returns true if a byte is within a text in quotes or in a comment.
fn is_in_quotes_or_comment(file: &FormatFile, offset: usize) -> bool {
    let is_quoted = |word: &FormatWord| word.kind == FormatWordKind::Quoted;
    let is_inside = |word: &FormatWord| word.span.start < offset && offset < word.span.end;
    if file.words.iter().any(|word| is_quoted(word) && is_inside(word)) {
        return true;
    }
    let text = file.text.as_str();
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let last = file.words.iter().rfind(|word| word.span.end <= offset).map_or(0, |word| word.span.end);
    text[line.max(last)..offset].contains('#')
}

/// Returns the words of the line of a byte, or of its part behind the last `;` or brace: what `start..offset` continues.
fn words_of_line<'w>(file: &FormatFile, words: &'w [FormatWord], start: usize, offset: usize) -> &'w [FormatWord] {
    let text = file.text.as_str();
    if text[start.min(offset)..offset].contains('\n') {
        return &[];
    }
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let is_separator = |word: &FormatWord| matches!(word.kind, FormatWordKind::Symbol(";" | "{" | "}"));
    let begins = |word: &FormatWord| word.span.start < line || is_separator(word);
    words.iter().rposition(begins).map_or(words, |at| &words[at + 1..])
}

fn place_in_layout(file: &FormatFile, words: &[FormatWord], start: usize, offset: usize) -> CursorPlace {
    let line = words_of_line(file, words, start, offset);
    let Some(first) = line.first() else { return CursorPlace::LayoutLine };
    let is = |word: &FormatWord, symbol: &str| matches!(word.kind, FormatWordKind::Symbol(s) if s == symbol);
    if line.last().is_some_and(|word| is(word, ":")) {
        return CursorPlace::LayoutLine;
    }
    let depth = line.iter().filter(|w| is(w, "[")).count() > line.iter().filter(|w| is(w, "]")).count();
    match file.spelling_of(first) {
        "cases" | "repeat" | "if" => {
            let is_until = |word: &FormatWord| file.spelling_of(word) == "until";
            let has_range = line.iter().any(|word| is(word, ".."));
            let is_number = line.last().is_some_and(|word| word.kind == FormatWordKind::Number);
            if line.iter().any(is_until) || has_range && is_number {
                CursorPlace::RepetitionEnd
            } else {
                CursorPlace::Size
            }
        }
        _ if depth => CursorPlace::Size,
        _ => CursorPlace::Nothing,
    }
}

fn place_in_rules(file: &FormatFile, words: &[FormatWord], start: usize, offset: usize) -> CursorPlace {
    let line = words_of_line(file, words, start, offset);
    let is = |word: &FormatWord, symbol: &str| matches!(word.kind, FormatWordKind::Symbol(s) if s == symbol);
    let Some(first) = line.first().filter(|_| !(line.len() == 1 && is(&line[0], ":"))) else {
        return CursorPlace::Rule;
    };
    let colon = line.iter().rposition(|word| is(word, ":"));
    match file.spelling_of(first) {
        "edges" | "parents" => {
            return if colon.is_some() { CursorPlace::GraphProperty } else { CursorPlace::Expression };
        }
        "polygon" => {
            return if colon.is_some() { CursorPlace::PolygonProperty } else { CursorPlace::Expression };
        }
        "let" if line.len() == 1 => return CursorPlace::Nothing,
        "subtask" if colon.is_none() => return CursorPlace::Nothing,
        "validator" | "generator" => return CursorPlace::Nothing,
        "forall" | "exists" if line.len() == 1 => return CursorPlace::Nothing,
        _ => {}
    }
    let rule = &line[colon.map_or(0, |at| at + 1)..];
    let is_name_or_comma = |(at, word): (usize, &FormatWord)| match at % 2 {
        0 => word.kind == FormatWordKind::Name,
        _ => is(word, ","),
    };
    if rule.is_empty() {
        CursorPlace::Rule
    } else if rule.len() % 2 == 1 && rule.iter().enumerate().all(is_name_or_comma) {
        CursorPlace::FieldKind
    } else {
        CursorPlace::Expression
    }
}
