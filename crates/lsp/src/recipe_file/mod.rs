//! Answers about the text of a recipe, `tests.toml`: its problems, its keys, and the shapes that it can name.

mod vocabulary;

use crate::protocol::{Completions, Explanation, Suggestion, SuggestionKind};
use crate::text::EditedText;
use rebut_diagnostics::{Diagnostic, SourceText, Span};
use rebut_generators::{ShapeInfo, all_shapes, find_shape};
use rebut_packages::recipe::TestSetRecipe;
use vocabulary::{RecipeKey, keys_of, tables};

/// Returns all problems of a recipe, in the order of the text. `name` is what messages call it.
pub fn find_recipe_problems(name: &str, text: &EditedText) -> Vec<Diagnostic> {
    TestSetRecipe::parse(&SourceText::new(name, text.as_str().as_bytes())).err().unwrap_or_default()
}

/// Returns what can be written at a byte: tables, keys, and names of shapes.
pub fn complete_recipe(text: &EditedText, offset: usize) -> Completions {
    let replaced = Span::new(word_start(text.as_str(), offset), offset);
    Completions { replaced, suggestions: suggest_at(text, offset) }
}

fn suggest_at(text: &EditedText, offset: usize) -> Vec<Suggestion> {
    let before = &text.as_str()[..offset];
    let line = line_before(before);
    let table = table_around(before);
    let trimmed = line.trim_start();
    if trimmed.starts_with('[') {
        return tables().map(|(name, meaning)| suggest(name, "table", meaning, SuggestionKind::Keyword)).collect();
    }
    match trimmed.split_once('=') {
        Some((key, value)) => complete_value(key.trim(), value),
        None if trimmed.contains('#') => Vec::new(),
        None => keys_of(table).map(suggest_key).collect(),
    }
}

/// Returns what is known of the key or the shape at a byte.
pub fn explain_recipe_word(text: &EditedText, offset: usize) -> Option<Explanation> {
    let whole = text.as_str();
    let start = word_start(whole, offset);
    let end = whole[offset..].find(|c| !is_part_of_word(c)).map_or(whole.len(), |at| offset + at);
    let word = &whole[start..end];
    let line = line_before(&whole[..start]);
    let markdown = match line.split_once('=') {
        None => {
            let key = keys_of(table_around(&whole[..start])).find(|key| key.name == word)?;
            format!("```toml\n{}\n```\n{}\n", key.usage, key.meaning)
        }
        Some((key, _)) if key.trim() == "shape" => {
            let shape = find_shape(word)?;
            format!("**{}**, a shape of {}: {}\n", shape.name, shape.family.name(), shape.doc)
        }
        Some(_) => return None,
    };
    Some(Explanation { span: Span::new(start, end), markdown })
}

/// Returns true for the characters of keys and of names of shapes.
fn is_part_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/')
}

/// Returns the start of the word that ends at a byte or contains it.
fn word_start(text: &str, offset: usize) -> usize {
    text[..offset].trim_end_matches(is_part_of_word).len()
}

/// Returns the part of the last line.
fn line_before(before: &str) -> &str {
    before.rsplit('\n').next().unwrap_or("")
}

/// Returns the name of the table that a key behind this text belongs to; empty before the first.
fn table_around(before: &str) -> &str {
    let header = |line: &&str| line.trim_start().starts_with('[') && line.contains(']');
    let found = before.lines().rev().find(header).unwrap_or("");
    found.trim().trim_start_matches('[').split(']').next().unwrap_or("").trim()
}

fn complete_value(key: &str, value: &str) -> Vec<Suggestion> {
    let is_open = value.matches(['"', '\'']).count() % 2 == 1;
    match key {
        "shape" if is_open => all_shapes().map(suggest_shape).collect(),
        "group" if is_open => {
            let groups = [("sample", "the samples of the statement"), ("secret", "the default")];
            groups.map(|(name, meaning)| suggest(name, "group", meaning, SuggestionKind::Value)).into()
        }
        "max" | "min" | "slow" if value.trim().is_empty() => vec![suggest("true", key, "", SuggestionKind::Value)],
        _ => Vec::new(),
    }
}

fn suggest(label: &str, detail: &str, documentation: &str, kind: SuggestionKind) -> Suggestion {
    Suggestion { label: label.to_owned(), kind, detail: detail.to_owned(), documentation: documentation.to_owned() }
}

fn suggest_key(key: &RecipeKey) -> Suggestion {
    suggest(key.name, key.usage, key.meaning, SuggestionKind::Property)
}

fn suggest_shape(shape: ShapeInfo) -> Suggestion {
    suggest(shape.name, shape.family.name(), shape.doc, SuggestionKind::Value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]

    use super::*;

    fn with_cursor(marked: &str) -> (EditedText, usize) {
        let offset = marked.find('|').expect("a cursor");
        (EditedText::new(marked.replacen('|', "", 1)), offset)
    }

    fn labels(marked: &str) -> Vec<String> {
        let (text, offset) = with_cursor(marked);
        complete_recipe(&text, offset).suggestions.into_iter().map(|found| found.label).collect()
    }

    fn has(found: &[String], label: &str) -> bool {
        found.iter().any(|known| known == label)
    }

    #[test]
    fn keys_are_those_of_the_table() {
        let found = labels("[[test]]\nname = 'a'\nsh|");
        assert!(has(&found, "shape") && !has(&found, "depth"), "{found:?}");
        let found = labels("[select]\n|");
        assert!(has(&found, "depth") && !has(&found, "shape"), "{found:?}");
        let found = labels("|");
        assert!(has(&found, "seed") && has(&found, "reference") && !has(&found, "shape"), "{found:?}");
        assert!(has(&labels("[[|"), "test"));
        assert!(labels("# na|").is_empty());
    }

    #[test]
    fn shapes_are_completed_within_quotes() {
        let found = labels("[[test]]\nshape = \"so|");
        assert!(has(&found, "sorted") && has(&found, "few-distinct"), "{found:?}");
        assert!(has(&labels("[[test]]\nshape = [\"sorted\", \"|"), "sorted"));
        assert!(labels("[[test]]\nshape = |").is_empty());
        assert!(has(&labels("[[test]]\ngroup = '|"), "sample"));
        assert_eq!(labels("[[test]]\nmax = |"), ["true"]);
    }

    #[test]
    fn keys_and_shapes_are_explained() {
        let shown = |marked: &str| {
            let (text, offset) = with_cursor(marked);
            explain_recipe_word(&text, offset).map(|found| (text.text_of(found.span).to_owned(), found.markdown))
        };
        let (word, text) = shown("[[test]]\ncan|didates = 9").expect("a key");
        assert!(word == "candidates" && text.contains("selected"), "{text}");
        let (word, text) = shown("[[test]]\nshape = \"few-dis|tinct\"").expect("a shape");
        assert!(word == "few-distinct" && text.contains("a shape of numbers"), "{text}");
        assert_eq!(shown("[[test]]\nnam|ed = 'é'"), None);
        assert_eq!(shown("[[test]]\nshape = \"é|sorted\"").map(|found| found.0).as_deref(), Some("sorted"));
        assert_eq!(shown("é|"), None);
    }

    #[test]
    fn problems_are_those_of_the_reader() {
        let text = EditedText::new("[[test]]\nshapes = 'sorted'\n");
        let problems = find_recipe_problems("tests.toml", &text);
        assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["unknown-key"]);
        let right = "[[test]]\nshape = 'sorted'\nwhere = 'n <= 5'\nlet = {N = 5}\nsubtask = 'a'\nfind = 'a fails and b passes'\n[[test]]\ncopy = 'secret/1'\n";
        assert!(find_recipe_problems("tests.toml", &EditedText::new(right)).is_empty());
        // Mistakes in texts that need nothing but the recipe have a place within these.
        for (line, code, place) in [
            ("shape = \"sortd\"", "unknown-shape", "sortd"),
            ("where = \"n <= \"", "unfinished", ""),
            ("exhaustive = \"n 5\"", "unexpected", "5"),
            ("find = \"a fails and\"", "finder-syntax", ""),
            ("find = \"a fials\"", "finder-syntax", "fials"),
            ("copy = \"zzz/1\"", "copy", "zzz/1"),
        ] {
            let text = EditedText::new(format!("[[test]]\nname = 'b'\n{line}\n"));
            let problems = find_recipe_problems("tests.toml", &text);
            let found: Vec<_> = problems.iter().map(|problem| (problem.code, text.text_of(problem.span))).collect();
            assert_eq!(found, [(code, place)], "{line}");
        }
    }
}
