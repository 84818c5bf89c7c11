//! Reading a YAML file key by key: what has the wrong type is told with its place, and read on.

use super::log::{Log, shown};
use super::tree::Tree;
use super::yaml::{Key, Kind, Node, Place};
use crate::diagnostic::{Result, nearest};

/// A YAML file that is being read.
pub(super) struct Sheet<'a> {
    path: &'a str,
    log: &'a mut Log,
    /// Whether unknown keys are mistakes; else they are noted.
    is_strict: bool,
}

/// The document of a file, if the file is there and is YAML; its mistakes go into the log.
///
/// # Errors
/// If it cannot be read.
pub(super) fn document(tree: &Tree, path: &str, log: &mut Log) -> Result<Option<Node>> {
    let Some(text) = tree.text(path, log)? else { return Ok(None) };
    Ok(parsed(&text, path, log))
}

/// The document of a text.
pub(super) fn parsed(text: &str, path: &str, log: &mut Log) -> Option<Node> {
    match Node::parse(text) {
        Ok((node, repeated)) => {
            for key in repeated {
                let text = format!("the key `{}` stands here a second time, and this one counts", shown(&key.name));
                log.note(&located(path, key.at), &text);
            }
            Some(node)
        }
        Err((place, words)) => {
            log.error(located(path, place), format!("cannot be read: {}", shown(&words)));
            None
        }
    }
}

fn located(path: &str, at: Place) -> String {
    if at.line == 0 { path.to_owned() } else { format!("{path}:{}:{}", at.line, at.column) }
}

impl<'a> Sheet<'a> {
    pub(super) fn new(path: &'a str, is_strict: bool, log: &'a mut Log) -> Self {
        Sheet { path, log, is_strict }
    }

    /// Tells of a mistake at a place.
    pub(super) fn wrong(&mut self, at: Place, text: impl Into<String>) {
        self.log.error(located(self.path, at), text);
    }

    /// What can be done about the last mistake.
    pub(super) fn help(&mut self, text: impl Into<String>) {
        self.log.help(text);
    }

    /// Tells of what is not obeyed.
    pub(super) fn note(&mut self, at: Place, text: &str) {
        self.log.note(&located(self.path, at), text);
    }

    fn mistyped<T>(&mut self, key: &str, node: &Node, wanted: &str) -> Option<T> {
        self.wrong(node.at, format!("`{}` should be {wanted}, and is {}", shown(key), node.words()));
        None
    }

    /// The keys and values of a map; none of nothing.
    pub(super) fn map<'n>(&mut self, key: &str, node: &'n Node) -> &'n [(Key, Node)] {
        match &node.kind {
            Kind::Map(entries) => entries,
            Kind::Null => &[],
            _ => {
                let _: Option<()> = self.mistyped(key, node, "a map");
                &[]
            }
        }
    }

    /// Tells of a key that nobody knows.
    pub(super) fn unknown(&mut self, key: &Key, known: &[&str]) {
        let text = format!("the key `{}` is unknown", shown(&key.name));
        let help = nearest(&key.name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        if self.is_strict {
            self.wrong(key.at, text);
            if let Some(help) = help {
                self.help(help);
            }
        } else {
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            self.note(key.at, &format!("{text}{help}"));
        }
    }

    /// Tells of a key that another version of the format has.
    pub(super) fn foreign(&mut self, key: &Key) {
        self.note(key.at, &format!("the key `{}` is one of another version and is not obeyed", shown(&key.name)));
    }

    /// A text; numbers and the like are taken as they are spelt.
    pub(super) fn text(&mut self, key: &str, node: &Node) -> Option<String> {
        match node.scalar() {
            Some(text) => Some(text.to_owned()),
            None if node.kind == Kind::Null => None,
            None => self.mistyped(key, node, "a text"),
        }
    }

    /// A list of texts, or one text of which all words are taken.
    pub(super) fn words(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        match &node.kind {
            Kind::List(_) => self.texts(key, node),
            _ => self.text(key, node).map(|text| text.split_whitespace().map(str::to_owned).collect()),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        let Kind::List(items) = &node.kind else { return self.mistyped(key, node, "a list of texts") };
        items.iter().map(|item| self.text(key, item)).collect()
    }

    /// A number above, or from, a least one.
    pub(super) fn number(&mut self, key: &str, node: &Node, above: f64, wanted: &str) -> Option<f64> {
        match node.kind {
            Kind::Number(number, _) if number > above && number < 1e15 => Some(number),
            Kind::Number(number, _) if number > above => self.too_large(key, node),
            _ => self.no_number(key, node, wanted),
        }
    }

    /// A whole number, at least 1, in units of so many.
    pub(super) fn amount(&mut self, key: &str, node: &Node, unit: u64) -> Option<u64> {
        match node.kind {
            Kind::Number(number, _) if number >= 1e12 => self.too_large(key, node),
            Kind::Number(number, _) if number >= 1.0 && number.fract() == 0.0 => {
                Some((number as u64).saturating_mul(unit))
            }
            _ => self.no_number(key, node, "a whole number, at least 1"),
        }
    }

    fn too_large<T>(&mut self, key: &str, node: &Node) -> Option<T> {
        self.wrong(node.at, format!("`{}` is too large: {}", shown(key), node.words()));
        None
    }

    /// What is no number, or not one that is wanted. In quotes it is a text, whatever stands there.
    fn no_number<T>(&mut self, key: &str, node: &Node, wanted: &str) -> Option<T> {
        let nothing = self.mistyped(key, node, wanted);
        if matches!(&node.kind, Kind::Text(text) if text.trim().parse::<f64>().is_ok()) {
            self.help("without quotes it is a number");
        }
        nothing
    }

    /// A yes or a no.
    pub(super) fn boolean(&mut self, key: &str, node: &Node) -> Option<bool> {
        match node.kind {
            Kind::Boolean(value, _) => Some(value),
            _ => self.mistyped(key, node, "`true` or `false`"),
        }
    }

    /// One of a few words.
    pub(super) fn choice(&mut self, key: &str, node: &Node, among: &[&'static str]) -> Option<&'static str> {
        let found = node.scalar().and_then(|text| among.iter().find(|choice| **choice == text).copied());
        match found {
            Some(choice) => Some(choice),
            None => {
                let among: Vec<String> = among.iter().map(|choice| format!("`{choice}`")).collect();
                self.mistyped(key, node, &crate::diagnostic::list_or(&among))
            }
        }
    }
}
