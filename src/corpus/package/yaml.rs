//! YAML as a tree of nodes that know where they stand, so that each wrong type and each unknown key has a place.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Spanned};
use std::fmt;

/// Nothing that a package says is nested so deep; and what is read level by level needs no deep stack.
const DEEPEST: usize = 40;

/// Nor does anybody have so much written out by aliases: what they stand for takes as long to read as if it were there.
const MOST_REPEATED: usize = 20_000;

/// A node of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Where it begins.
    pub(super) at: Place,
    /// What it is.
    pub(super) kind: Kind,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// What a node is. A scalar keeps its spelling: as an argument, `1e-6` is not `0.000001`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    Boolean(bool, String),
    Number(f64, String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key of a map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) at: Place,
    pub(super) name: String,
}

impl Node {
    /// Reads a document; an empty one is null. Of a key that stands twice in a map the last counts, as with most readers of
    /// YAML; such keys are returned, too.
    ///
    /// # Errors
    /// What is wrong with it, in words and with its place.
    pub(super) fn parse(text: &str) -> Result<(Node, Vec<Key>), (Place, String)> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            duplicate_keys: DuplicateKeyPolicy::LastWins,
            budget: serde_saphyr::budget! { max_depth: DEEPEST, flow_nesting_limit: DEEPEST },
            alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MOST_REPEATED },
        };
        match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options) {
            Ok(raw) => {
                let mut repeated = Vec::new();
                Ok((node(raw, text, &mut repeated), repeated))
            }
            Err(error) => {
                let place = error.location().map(place).unwrap_or_default();
                Err((place, plain(&error.to_string())))
            }
        }
    }

    /// What it is, in words.
    pub(super) fn words(&self) -> String {
        match &self.kind {
            Kind::Null => "nothing".to_owned(),
            Kind::Boolean(_, raw) | Kind::Number(_, raw) | Kind::Text(raw) => format!("`{}`", super::log::shown(raw)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
        }
    }

    /// The spelling of a scalar.
    pub(super) fn scalar(&self) -> Option<&str> {
        match &self.kind {
            Kind::Boolean(_, raw) | Kind::Number(_, raw) | Kind::Text(raw) => Some(raw),
            _ => None,
        }
    }
}

/// The parser's words without the place, which is told apart, and without advice to who calls it.
fn plain(words: &str) -> String {
    let first = words.lines().next().unwrap_or_default();
    let ends = [" at line ", ", set ", "; use ", " rejected by"].iter().filter_map(|end| first.find(end));
    let text = &first[..ends.min().unwrap_or(first.len())];
    if text.starts_with("budget breached") || text.starts_with("alias replay limit exceeded") {
        "it is too large, aliases written out, or too deep".to_owned()
    } else {
        text.to_owned()
    }
}

/// What the parser gives.
enum Raw {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
}

fn place(location: serde_saphyr::Location) -> Place {
    Place { line: location.line(), column: location.column() }
}

/// Makes a node of what the parser gives. Keys that stand in a map a second time go into `repeated`, and replace the first.
fn node(raw: Spanned<Raw>, text: &str, repeated: &mut Vec<Key>) -> Node {
    let at = place(raw.referenced);
    let spelling = || spelling(text, raw.defined);
    let kind = match raw.value {
        Raw::Null => Kind::Null,
        Raw::Boolean(value) => Kind::Boolean(value, spelling().unwrap_or_else(|| value.to_string())),
        Raw::Number(value) => Kind::Number(value, spelling().unwrap_or_else(|| value.to_string())),
        Raw::Text(value) => Kind::Text(value),
        Raw::List(items) => Kind::List(items.into_iter().map(|item| node(item, text, repeated)).collect()),
        Raw::Map(entries) => {
            let mut map: Vec<(Key, Node)> = Vec::new();
            for (key, value) in entries {
                let key = Key { at: place(key.referenced), name: key.value };
                if let Some(known) = map.iter().position(|(known, _)| known.name == key.name) {
                    map.remove(known);
                    repeated.push(key.clone());
                }
                map.push((key, node(value, text, repeated)));
            }
            Kind::Map(map)
        }
    };
    Node { at, kind }
}

/// How a plain scalar is spelt in the document.
fn spelling(text: &str, location: serde_saphyr::Location) -> Option<String> {
    let span = location.span();
    let from = usize::try_from(span.byte_offset()?).ok()?;
    let length = usize::try_from(span.byte_len()?).ok()?;
    let raw = text.get(from..from.checked_add(length)?)?.trim();
    (!raw.is_empty()).then(|| raw.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(node: &Node) -> String {
        let place = format!("{}:{}", node.at.line, node.at.column);
        match &node.kind {
            Kind::Null => format!("{place} null"),
            Kind::Boolean(value, raw) => format!("{place} {value}={raw}"),
            Kind::Number(value, raw) => format!("{place} {value}={raw}"),
            Kind::Text(text) => format!("{place} {text:?}"),
            Kind::List(items) => format!("{place} [{}]", items.iter().map(shape).collect::<Vec<_>>().join(", ")),
            Kind::Map(entries) => {
                let entries =
                    entries.iter().map(|(k, v)| format!("{}:{} {}: {}", k.at.line, k.at.column, k.name, shape(v)));
                format!("{place} {{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn parsed(text: &str) -> String {
        match Node::parse(text) {
            Ok((node, repeated)) => {
                let repeated = repeated.iter().map(|key| format!(" {}:{} again", key.at.line, key.name));
                shape(&node) + &repeated.collect::<String>()
            }
            Err((at, words)) => format!("error {}:{} {words}", at.line, at.column),
        }
    }

    #[test]
    fn nodes_know_where_they_stand_and_how_they_were_spelt() {
        for (text, wanted) in [
            ("a: 1e-6\nb: [x, 010]\n", "1:1 {1:1 a: 1:4 0.000001=1e-6, 2:1 b: 2:4 [2:5 \"x\", 2:8 10=010]}"),
            ("yes", "1:1 true=yes"),
            ("a: 1\na: 2\n", "1:1 {2:1 a: 2:4 2=2} 2:a again"),
            ("- b: {c: 1, c: 2}\n", "1:1 [1:3 {1:3 b: 1:6 {1:13 c: 1:16 2=2}}] 1:c again"),
            ("", "1:1 null"),
            ("# nothing\n---\n", "2:4 null"),
            ("a: &x 1.50\nb: *x\n7: ~\n", "1:1 {1:1 a: 1:7 1.5=1.50, 2:1 b: 2:4 1.5=1.50, 3:1 7: 3:4 null}"),
        ] {
            assert_eq!(parsed(text), wanted, "{text}");
        }
        for (text, place) in [("a: [", "error 1:"), ("a: b: c", "error 1:5 ")] {
            assert!(parsed(text).starts_with(place), "{}", parsed(text));
        }
    }
}
