//! What `testdata.yaml`, `test_group.yaml` and a test case's own YAML file say; what they leave out is inherited.

use super::constants::Constants;
use super::grading::{Grading, Points};
use super::log::Log;
use super::model::{ByValidator, Dialect};
use super::sheet::{self, Sheet};
use super::tree::Tree;
use super::yaml::{Key, Kind, Node};
use crate::diagnostic::Result;
use std::collections::BTreeMap;

/// The names of a group's file: the legacy one, and the newer.
pub(super) const FILES: [&str; 2] = ["testdata.yaml", "test_group.yaml"];

/// What holds for the test cases of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heritage {
    pub(super) arguments: Vec<String>,
    pub(super) input_arguments: ByValidator,
    pub(super) answer_arguments: ByValidator,
    /// Those of the group, without the ones from `problem.yaml`.
    pub(super) output_validator_arguments: Vec<String>,
    /// Of this group alone: it is not inherited.
    pub(super) max_score: Option<f64>,
    /// How graders put together what is in it.
    pub(super) grading: Grading,
    /// Its points, of this group alone.
    pub(super) points: Points,
    /// Whether its file speaks of graders.
    pub(super) speaks_of_graders: bool,
}

const LEGACY: [&str; 9] = [
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
    "scoring",
];

const NEWER: [&str; 12] = [
    "max_score",
    "score_aggregation",
    "static_validation_score",
    "require_pass",
    "args",
    "input_validator_args",
    "answer_validator_args",
    "static_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];

const CASE: [&str; 9] = [
    "args",
    "input_validator_args",
    "answer_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
];

/// Reads what a file adds to what is inherited.
pub(super) struct Reader<'a> {
    pub(super) tree: &'a Tree,
    pub(super) dialect: Dialect,
    pub(super) constants: &'a Constants,
}

impl Reader<'_> {
    /// What holds in a group.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn group(&self, folder: &str, inherited: &Heritage, log: &mut Log) -> Result<Heritage> {
        let own = (None, Points::default(), false);
        let (max_score, points, speaks_of_graders) = own;
        let heritage = Heritage { max_score, points, speaks_of_graders, ..inherited.clone() };
        let files = FILES.map(|name| format!("{folder}/{name}"));
        let mut found = files.iter().filter(|path| self.tree.file(path).is_some());
        let Some(path) = found.next() else { return Ok(heritage) };
        if let Some(other) = found.next() {
            log.error(other.as_str(), format!("says of the group what `{}` says, too", FILES[0]));
        }
        let known: Vec<&str> = match self.dialect {
            Dialect::V2025 => NEWER.to_vec(),
            // Packages of these dialects were written while the keys changed their names.
            _ => [&LEGACY[..], &NEWER].concat(),
        };
        self.read(path, heritage, &known, log)
    }

    /// What holds for a test case.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub(super) fn case(&self, path: &str, inherited: &Heritage, log: &mut Log) -> Result<Heritage> {
        self.read(path, inherited.clone(), &CASE, log)
    }

    fn read(&self, path: &str, mut heritage: Heritage, known: &[&str], log: &mut Log) -> Result<Heritage> {
        let Some(text) = self.tree.text(path, log)? else { return Ok(heritage) };
        let text = self.constants.replaced(&text);
        let Some(root) = sheet::parsed(&text, path, log) else { return Ok(heritage) };
        let is_strict = matches!(self.dialect, Dialect::Draft2023 | Dialect::V2025);
        let mut sheet = Sheet::new(path, is_strict, log);
        let entries = sheet.map(path.rsplit('/').next().unwrap_or(path), &root);
        // Whose flags they are depends on whose grader it is, wherever that stands.
        let is_of_whom = |(key, _): &&(Key, Node)| key.name == "grading";
        let others = entries.iter().filter(|entry| !is_of_whom(entry));
        for (key, value) in entries.iter().filter(is_of_whom).chain(others) {
            let name = key.name.as_str();
            if !known.contains(&name) {
                let is_foreign = LEGACY.contains(&name) || NEWER.contains(&name);
                if is_foreign {
                    sheet.foreign(key)
                } else {
                    sheet.unknown(key, known)
                }
                continue;
            }
            match name {
                "args" => heritage.arguments = sheet.texts(name, value).unwrap_or_default(),
                "answer_validator_args" => heritage.take_answer_flags(name, value, &mut sheet),
                "input_validator_args" | "input_validator_flags" => heritage.take_input_flags(name, value, &mut sheet),
                "output_validator_args" => {
                    heritage.output_validator_arguments = sheet.texts(name, value).unwrap_or_default();
                }
                "output_validator_flags" => {
                    heritage.output_validator_arguments = flags(name, value, &mut sheet).1;
                }
                "scoring" => {
                    heritage.points.take_scoring(value, &mut sheet);
                    heritage.max_score = heritage.points.greatest();
                }
                _ if heritage.grading.take(key, value, &mut sheet) => {
                    heritage.speaks_of_graders = true;
                    if name == "range" {
                        heritage.max_score = heritage.grading.greatest();
                    }
                }
                _ if heritage.points.take(key, value, &mut sheet) => {
                    heritage.max_score = heritage.points.greatest();
                }
                // What contestants see is nothing for a judge of test cases.
                _ => {}
            }
        }
        Ok(heritage)
    }
}

impl Heritage {
    /// A list or a text for all input validators, or a map by their names.
    fn take_input_flags(&mut self, key: &str, value: &Node, sheet: &mut Sheet<'_>) {
        let mut found = ByValidator::default();
        if key != "input_validator_args" {
            match flags(key, value, sheet) {
                (Some(name), arguments) => drop(found.by_name.insert(name, arguments)),
                (None, arguments) => found.of_all = arguments,
            }
        } else if matches!(value.kind, Kind::Map(_)) {
            found.by_name = by_name(key, value, sheet);
        } else {
            found.of_all = sheet.words(key, value).unwrap_or_default();
        }
        self.input_arguments = found;
    }

    /// A list for all answer validators, or a map by their names.
    fn take_answer_flags(&mut self, key: &str, value: &Node, sheet: &mut Sheet<'_>) {
        let mut found = ByValidator::default();
        if matches!(value.kind, Kind::Map(_)) {
            found.by_name = by_name(key, value, sheet);
        } else {
            found.of_all = sheet.texts(key, value).unwrap_or_default();
        }
        self.answer_arguments = found;
    }
}

/// The arguments of validators by their names.
fn by_name(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> BTreeMap<String, Vec<String>> {
    let of_each = sheet.map(key, value).iter();
    of_each.map(|(name, value)| (name.name.clone(), sheet.texts(&name.name, value).unwrap_or_default())).collect()
}

/// Legacy flags: a text, or a map of the validator's name and its flags.
fn flags(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> (Option<String>, Vec<String>) {
    if !matches!(value.kind, Kind::Map(_)) {
        return (None, sheet.words(key, value).unwrap_or_default());
    }
    let (mut name, mut arguments) = (None, Vec::new());
    for (key, value) in sheet.map(key, value) {
        match key.name.as_str() {
            "name" => name = sheet.text("name", value),
            "flags" => arguments = sheet.words("flags", value).unwrap_or_default(),
            _ => sheet.unknown(key, &["name", "flags"]),
        }
    }
    (name, arguments)
}
