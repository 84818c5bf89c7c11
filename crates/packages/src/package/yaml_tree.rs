//! YAML as a tree of nodes with positions, so that wrong types and unknown keys can be reported at their location.

use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::PackageTree;
use rebut_diagnostics::suggestion_for;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Spanned};
use std::collections::HashMap;
use std::fmt;

/// Maximum nesting. Packages stay far below it, and recursion over the tree needs little stack.
const MAX_YAML_DEPTH: usize = 40;

/// Maximum number of events replayed for aliases. Expanded aliases take as long to read as text written out.
const MAX_ALIAS_EVENTS: usize = 20_000;

/// A node of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct YamlNode {
    /// Start of the node.
    pub(super) position: YamlPosition,
    pub(super) kind: YamlKind,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct YamlPosition {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// The contents of a node. A scalar keeps its spelling: as an argument, `1e-6` is not `0.000001`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum YamlKind {
    Null,
    Boolean(bool, String),
    Number(f64, String),
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(YamlKey, YamlNode)>),
}

/// A key of a map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct YamlKey {
    pub(super) position: YamlPosition,
    pub(super) name: String,
}

impl YamlNode {
    /// Parses a document; an empty one is null. If a key is repeated in a map, the last value is used, as in most
    /// YAML readers. Repeated keys are returned as well.
    ///
    /// # Errors
    ///
    /// Returns the position and a message.
    pub(super) fn parse(text: &str) -> Result<(YamlNode, Vec<YamlKey>), (YamlPosition, String)> {
        let options = serde_saphyr::options! {
            with_snippet: false,
            duplicate_keys: DuplicateKeyPolicy::LastWins,
            budget: serde_saphyr::budget! { max_depth: MAX_YAML_DEPTH, flow_nesting_limit: MAX_YAML_DEPTH },
            alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_ALIAS_EVENTS },
        };
        match serde_saphyr::from_str_with_options::<Spanned<RawYaml>>(text, options) {
            Ok(raw) => {
                let mut repeated = Vec::new();
                Ok((build_node(raw, text, &mut repeated), repeated))
            }
            Err(error) => {
                let position = error.location().map(to_position).unwrap_or_default();
                Err((position, simplify_parser_error(&error.to_string())))
            }
        }
    }

    /// Describes the value for a message.
    pub(super) fn describe_value(&self) -> String {
        match &self.kind {
            YamlKind::Null => "nothing".to_owned(),
            YamlKind::Boolean(_, raw) | YamlKind::Number(_, raw) | YamlKind::Text(raw) => {
                format!("`{}`", shorten_for_message(raw))
            }
            YamlKind::List(_) => "a list".to_owned(),
            YamlKind::Map(_) => "a map".to_owned(),
        }
    }

    pub(super) fn scalar_text(&self) -> Option<&str> {
        match &self.kind {
            YamlKind::Boolean(_, raw) | YamlKind::Number(_, raw) | YamlKind::Text(raw) => Some(raw),
            _ => None,
        }
    }
}

/// Shortens the parser's message: drops the position, which is reported separately, and advice for programmers.
fn simplify_parser_error(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let ends = [" at line ", ", set ", "; use ", " rejected by"].iter().filter_map(|end| first.find(end));
    let text = &first[..ends.min().unwrap_or(first.len())];
    if text.starts_with("budget breached") || text.starts_with("alias replay limit exceeded") {
        "it is too large when aliases are expanded, or nested too deeply".to_owned()
    } else {
        text.to_owned()
    }
}

/// A value as returned by the parser.
enum RawYaml {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    List(Vec<Spanned<RawYaml>>),
    Map(Vec<(Spanned<String>, Spanned<RawYaml>)>),
}

impl<'de> Deserialize<'de> for RawYaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawYaml, D::Error> {
        deserializer.deserialize_any(RawYamlVisitor)
    }
}

struct RawYamlVisitor;

impl<'de> Visitor<'de> for RawYamlVisitor {
    type Value = RawYaml;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<RawYaml, E> {
        Ok(RawYaml::Null)
    }

    fn visit_none<E>(self) -> Result<RawYaml, E> {
        Ok(RawYaml::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawYaml, D::Error> {
        RawYaml::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<RawYaml, E> {
        Ok(RawYaml::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<RawYaml, E> {
        Ok(RawYaml::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<RawYaml, E> {
        Ok(RawYaml::Number(value as f64))
    }

    fn visit_i128<E>(self, value: i128) -> Result<RawYaml, E> {
        Ok(RawYaml::Number(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<RawYaml, E> {
        Ok(RawYaml::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<RawYaml, E> {
        Ok(RawYaml::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<RawYaml, E> {
        Ok(RawYaml::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<RawYaml, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(RawYaml::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<RawYaml, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(RawYaml::Map(map))
    }
}

fn to_position(location: serde_saphyr::Location) -> YamlPosition {
    YamlPosition { line: location.line(), column: location.column() }
}

/// Builds a node from the parser's value. Repeated keys of a map replace the first, and are added to `repeated`.
fn build_node(raw: Spanned<RawYaml>, text: &str, repeated: &mut Vec<YamlKey>) -> YamlNode {
    let position = to_position(raw.referenced);
    let spelling = || source_spelling(text, raw.defined);
    let kind = match raw.value {
        RawYaml::Null => YamlKind::Null,
        RawYaml::Boolean(value) => YamlKind::Boolean(value, spelling().unwrap_or_else(|| value.to_string())),
        RawYaml::Number(value) => YamlKind::Number(value, spelling().unwrap_or_else(|| value.to_string())),
        RawYaml::Text(value) => YamlKind::Text(value),
        RawYaml::List(items) => {
            YamlKind::List(items.into_iter().map(|item| build_node(item, text, repeated)).collect())
        }
        RawYaml::Map(entries) => {
            let mut map: Vec<Option<(YamlKey, YamlNode)>> = Vec::new();
            let mut last_index = HashMap::new();
            for (key, value) in entries {
                let key = YamlKey { position: to_position(key.referenced), name: key.value };
                if let Some(earlier) = last_index.insert(key.name.clone(), map.len()) {
                    map[earlier] = None;
                    repeated.push(key.clone());
                }
                map.push(Some((key, build_node(value, text, repeated))));
            }
            YamlKind::Map(map.into_iter().flatten().collect())
        }
    };
    YamlNode { position, kind }
}

/// Returns the spelling of a plain scalar in the document.
fn source_spelling(text: &str, location: serde_saphyr::Location) -> Option<String> {
    let span = location.span();
    let from = usize::try_from(span.byte_offset()?).ok()?;
    let length = usize::try_from(span.byte_len()?).ok()?;
    let raw = text.get(from..from.checked_add(length)?)?.trim();
    (!raw.is_empty()).then(|| raw.to_owned())
}

// Reader of YAML files, key by key. Values of the wrong type are reported with their location, and reading goes on.

/// A YAML file being read.
pub(super) struct YamlReader<'a> {
    path: &'a str,
    log: &'a mut PackageLog,
    /// Whether unknown keys are errors; otherwise they are notes.
    is_strict: bool,
}

/// Reads the document of a file, if the file exists and is valid YAML. Syntax errors are added to the log.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(super) fn read_document(
    tree: &PackageTree,
    path: &str,
    log: &mut PackageLog,
) -> rebut_diagnostics::Result<Option<YamlNode>> {
    let Some(text) = tree.read_text(path, log)? else { return Ok(None) };
    Ok(parse_document(&text, path, log))
}

pub(super) fn parse_document(text: &str, path: &str, log: &mut PackageLog) -> Option<YamlNode> {
    match YamlNode::parse(text) {
        Ok((node, repeated)) => {
            for key in repeated {
                let text = format!("the key `{}` is repeated here; this value is used", shorten_for_message(&key.name));
                log.add_note(&format_location(path, key.position), &text);
            }
            Some(node)
        }
        Err((position, message)) => {
            log.report_error(
                format_location(path, position),
                format!("cannot be read: {}", shorten_for_message(&message)),
            );
            None
        }
    }
}

fn format_location(path: &str, at: YamlPosition) -> String {
    if at.line == 0 { path.to_owned() } else { format!("{path}:{}:{}", at.line, at.column) }
}

impl<'a> YamlReader<'a> {
    pub(super) fn new(path: &'a str, is_strict: bool, log: &'a mut PackageLog) -> Self {
        YamlReader { path, log, is_strict }
    }

    pub(super) fn report_error(&mut self, at: YamlPosition, text: impl Into<String>) {
        self.log.report_error(format_location(self.path, at), text);
    }

    /// Adds help to the last error.
    pub(super) fn add_help(&mut self, text: impl Into<String>) {
        self.log.add_help(text);
    }

    /// Reports something that is ignored.
    pub(super) fn add_note(&mut self, at: YamlPosition, text: &str) {
        self.log.add_note(&format_location(self.path, at), text);
    }

    fn report_wrong_type<T>(&mut self, key: &str, node: &YamlNode, wanted: &str) -> Option<T> {
        self.report_error(
            node.position,
            format!("`{}` should be {wanted}, not {}", shorten_for_message(key), node.describe_value()),
        );
        None
    }

    /// Returns the entries of a map; empty for null.
    pub(super) fn read_map<'n>(&mut self, key: &str, node: &'n YamlNode) -> &'n [(YamlKey, YamlNode)] {
        match &node.kind {
            YamlKind::Map(entries) => entries,
            YamlKind::Null => &[],
            _ => {
                let _: Option<()> = self.report_wrong_type(key, node, "a map");
                &[]
            }
        }
    }

    pub(super) fn report_unknown_key(&mut self, key: &YamlKey, known: &[&str]) {
        let text = format!("the key `{}` is unknown", shorten_for_message(&key.name));
        let help = suggestion_for(&key.name, known.iter().copied());
        if self.is_strict {
            self.report_error(key.position, text);
            if let Some(help) = help {
                self.add_help(help);
            }
        } else {
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            self.add_note(key.position, &format!("{text}{help}"));
        }
    }

    /// Reports a key that belongs to another version of the format.
    pub(super) fn note_foreign_key(&mut self, key: &YamlKey) {
        self.add_note(
            key.position,
            &format!(
                "the key `{}` belongs to another version of the format and is ignored",
                shorten_for_message(&key.name)
            ),
        );
    }

    /// Reads a string; numbers and booleans keep their spelling.
    pub(super) fn read_text(&mut self, key: &str, node: &YamlNode) -> Option<String> {
        match node.scalar_text() {
            Some(text) => Some(text.to_owned()),
            None if node.kind == YamlKind::Null => None,
            None => self.report_wrong_type(key, node, "a string"),
        }
    }

    /// Reads a list of strings, or a single string that is split into words.
    pub(super) fn read_words(&mut self, key: &str, node: &YamlNode) -> Option<Vec<String>> {
        match &node.kind {
            YamlKind::List(_) => self.read_text_list(key, node),
            _ => self.read_text(key, node).map(|text| text.split_whitespace().map(str::to_owned).collect()),
        }
    }

    pub(super) fn read_text_list(&mut self, key: &str, node: &YamlNode) -> Option<Vec<String>> {
        let YamlKind::List(items) = &node.kind else { return self.report_wrong_type(key, node, "a list of strings") };
        items.iter().map(|item| self.read_text(key, item)).collect()
    }

    /// Reads a number greater than `above`.
    pub(super) fn read_number(&mut self, key: &str, node: &YamlNode, above: f64, wanted: &str) -> Option<f64> {
        match node.kind {
            YamlKind::Number(number, _) if number > above && number < 1e15 => Some(number),
            YamlKind::Number(number, _) if number > above => self.report_too_large(key, node),
            _ => self.report_not_a_number(key, node, wanted),
        }
    }

    /// Reads a whole number of units, at least 1, and returns it multiplied by `unit`.
    pub(super) fn read_amount(&mut self, key: &str, node: &YamlNode, unit: u64) -> Option<u64> {
        match node.kind {
            YamlKind::Number(number, _) if number >= 1e12 => self.report_too_large(key, node),
            YamlKind::Number(number, _) if number >= 1.0 && number.fract() == 0.0 => {
                Some((number as u64).saturating_mul(unit))
            }
            _ => self.report_not_a_number(key, node, "a whole number, at least 1"),
        }
    }

    fn report_too_large<T>(&mut self, key: &str, node: &YamlNode) -> Option<T> {
        self.report_error(
            node.position,
            format!("`{}` is too large: {}", shorten_for_message(key), node.describe_value()),
        );
        None
    }

    /// Reports a value that is not a number, or not in range. A number in quotes is a string.
    fn report_not_a_number<T>(&mut self, key: &str, node: &YamlNode, wanted: &str) -> Option<T> {
        let nothing = self.report_wrong_type(key, node, wanted);
        if matches!(&node.kind, YamlKind::Text(text) if text.trim().parse::<f64>().is_ok()) {
            self.add_help("remove the quotes to make it a number");
        }
        nothing
    }

    pub(super) fn read_boolean(&mut self, key: &str, node: &YamlNode) -> Option<bool> {
        match node.kind {
            YamlKind::Boolean(value, _) => Some(value),
            _ => self.report_wrong_type(key, node, "`true` or `false`"),
        }
    }

    /// Reads one of a few words.
    pub(super) fn read_choice(&mut self, key: &str, node: &YamlNode, among: &[&'static str]) -> Option<&'static str> {
        let found = node.scalar_text().and_then(|text| among.iter().find(|choice| **choice == text).copied());
        match found {
            Some(choice) => Some(choice),
            None => {
                let among: Vec<String> = among.iter().map(|choice| format!("`{choice}`")).collect();
                self.report_wrong_type(key, node, &rebut_diagnostics::list_or(&among))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn debug_node(node: &YamlNode) -> String {
        let position = format!("{}:{}", node.position.line, node.position.column);
        match &node.kind {
            YamlKind::Null => format!("{position} null"),
            YamlKind::Boolean(value, raw) => format!("{position} {value}={raw}"),
            YamlKind::Number(value, raw) => format!("{position} {value}={raw}"),
            YamlKind::Text(text) => format!("{position} {text:?}"),
            YamlKind::List(items) => {
                format!("{position} [{}]", items.iter().map(debug_node).collect::<Vec<_>>().join(", "))
            }
            YamlKind::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(k, v)| format!("{}:{} {}: {}", k.position.line, k.position.column, k.name, debug_node(v)));
                format!("{position} {{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn debug_document(text: &str) -> String {
        match YamlNode::parse(text) {
            Ok((node, repeated)) => {
                let repeated = repeated.iter().map(|key| format!(" {}:{} again", key.position.line, key.name));
                debug_node(&node) + &repeated.collect::<String>()
            }
            Err((at, words)) => format!("error {}:{} {words}", at.line, at.column),
        }
    }

    #[test]
    fn nodes_keep_their_position_and_spelling() {
        for (text, wanted) in [
            ("a: 1e-6\nb: [x, 010]\n", "1:1 {1:1 a: 1:4 0.000001=1e-6, 2:1 b: 2:4 [2:5 \"x\", 2:8 10=010]}"),
            ("yes", "1:1 true=yes"),
            ("a: 1\na: 2\n", "1:1 {2:1 a: 2:4 2=2} 2:a again"),
            ("- b: {c: 1, c: 2}\n", "1:1 [1:3 {1:3 b: 1:6 {1:13 c: 1:16 2=2}}] 1:c again"),
            ("", "1:1 null"),
            ("# nothing\n---\n", "2:4 null"),
            ("a: &x 1.50\nb: *x\n7: ~\n", "1:1 {1:1 a: 1:7 1.5=1.50, 2:1 b: 2:4 1.5=1.50, 3:1 7: 3:4 null}"),
        ] {
            assert_eq!(debug_document(text), wanted, "{text}");
        }
        for (text, position) in [("a: [", "error 1:"), ("a: b: c", "error 1:5 ")] {
            assert!(debug_document(text).starts_with(position), "{}", debug_document(text));
        }
    }
}
