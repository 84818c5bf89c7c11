//! The words of the format language, with their place and meaning: the one table of them, `vocabulary.tsv`. The parser
//! takes its reserved words, functions and predicates from it, editors their answers; grammars and the reference page are
//! checked with it.

/// Where a word can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordPlace {
    /// At the start of a line of the layout.
    Layout,
    /// At the end of a header of a repetition.
    Repetition,
    /// At the start of a constraint.
    Rule,
    /// Between formulas.
    Connective,
    /// Behind the names of fields.
    FieldKind,
    /// In an expression.
    Function,
    /// At the start of a constraint, with names in parentheses.
    Predicate,
    /// Behind the colon of `edges` and `parents`.
    GraphProperty,
    /// Behind the colon of `polygon`.
    PolygonProperty,
}

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VocabularyWord {
    /// The word.
    pub name: &'static str,
    /// Where it can stand.
    pub place: WordPlace,
    /// An example.
    pub usage: &'static str,
    /// Its meaning, in Markdown.
    pub meaning: &'static str,
    /// Whether no field can have this name: where it can stand, a name could as well.
    pub is_reserved: bool,
}

use WordPlace::{Connective, FieldKind, Function, GraphProperty, Layout, PolygonProperty, Predicate, Repetition, Rule};

const TABLE: &str = include_str!("vocabulary.tsv");

/// Returns all words, by their places.
pub fn vocabulary() -> impl Iterator<Item = VocabularyWord> {
    TABLE.lines().filter_map(VocabularyWord::from_row)
}

impl VocabularyWord {
    fn from_row(row: &'static str) -> Option<VocabularyWord> {
        let mut columns = row.split('\t');
        let place = match columns.next()? {
            "Layout" => Layout,
            "Repetition" => Repetition,
            "Rule" => Rule,
            "Connective" => Connective,
            "FieldKind" => FieldKind,
            "Function" => Function,
            "Predicate" => Predicate,
            "GraphProperty" => GraphProperty,
            "PolygonProperty" => PolygonProperty,
            _ => return None,
        };
        let is_reserved = columns.next()? == "reserved";
        let [name, usage, meaning] = [columns.next()?, columns.next()?, columns.next()?];
        Some(VocabularyWord { name, place, usage, meaning, is_reserved })
    }
}

/// Returns the words that one of these places allows, in the order of the table.
pub fn words_in(places: &[WordPlace]) -> impl Iterator<Item = VocabularyWord> {
    vocabulary().filter(move |word| places.contains(&word.place))
}

/// Returns the words of a place.
pub fn names_in(place: WordPlace) -> impl Iterator<Item = &'static str> {
    vocabulary().filter(move |word| word.place == place).map(|word| word.name)
}

/// Returns true if no field can have this name.
pub fn is_reserved_word(name: &str) -> bool {
    TABLE.contains(&format!("\treserved\t{name}\t"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::TEXT_PROPERTIES;
    use crate::language::{graph_property_names, polygon_property_names};

    #[test]
    fn properties_are_those_that_are_implemented() {
        assert!(TEXT_PROPERTIES.iter().all(|property| names_in(Predicate).any(|name| name == property.name())));
        for (place, names) in [
            (GraphProperty, graph_property_names().collect::<Vec<_>>()),
            (PolygonProperty, polygon_property_names().collect()),
        ] {
            let explained: Vec<&str> = names_in(place).collect();
            assert!(names.iter().all(|name| explained.contains(name)), "{names:?}");
            assert!(
                explained.iter().all(|name| names.contains(name) || matches!(*name, "degree" | "depth")),
                "{explained:?}"
            );
        }
    }

    #[test]
    fn each_row_is_a_word() {
        assert_eq!(vocabulary().count() + 1, TABLE.lines().count());
    }

    #[test]
    fn usages_contain_their_words() {
        for word in vocabulary() {
            assert!(word.usage.contains(word.name), "{}", word.name);
        }
    }
}
