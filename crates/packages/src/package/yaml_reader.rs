//! Reader of YAML files, key by key. Values of the wrong type are reported with their location, and reading goes on.

use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::PackageTree;
use super::yaml_tree::{YamlKey, YamlKind, YamlNode, YamlPosition};
use rebut_diagnostics::{Result, suggestion_for};

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
pub(super) fn read_document(tree: &PackageTree, path: &str, log: &mut PackageLog) -> Result<Option<YamlNode>> {
    let Some(text) = tree.read_text(path, log)? else { return Ok(None) };
    Ok(parse_document(&text, path, log))
}

/// Parses a document.
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

    /// Reports an error at a position.
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

    /// Reports an unknown key.
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

    /// Reads a list of strings.
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

    /// Reads a boolean.
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
