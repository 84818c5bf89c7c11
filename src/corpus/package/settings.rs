//! `problem.yaml`, in each of its dialects.

use super::constants::{self, Constants};
use super::grading::{self, Overruling};
use super::log::Log;
use super::model::{Dialect, Judging, PackageLimits};
use super::sheet::{self, Sheet};
use super::tree::Tree;
use super::yaml::{Key, Kind, Node};
use crate::diagnostic::{Result, list_or};
use crate::run::Standard;
use std::collections::BTreeMap;

/// The name of the file.
pub(super) const FILE: &str = "problem.yaml";

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) dialect: Dialect,
    pub(super) titles: BTreeMap<String, String>,
    pub(super) about: BTreeMap<String, String>,
    pub(super) limits: PackageLimits,
    pub(super) judging: Judging,
    /// Whether it asks for an output validator of its own, where it says so.
    pub(super) is_custom: Option<bool>,
    /// Arguments of the output validator.
    pub(super) validator_flags: Vec<String>,
    /// Standards of C and C++ that sources are compiled by.
    pub(super) standards: Vec<Standard>,
    /// What `{{name}}` stands for.
    pub(super) constants: Constants,
    /// Whether a smaller score is better.
    pub(super) is_minimised: bool,
    /// Whether `validation` says that the output validator gives scores.
    pub(super) gives_scores: bool,
    /// What it says of the scores of all groups.
    pub(super) overruling: Overruling,
}

/// The versions, by how the file names them.
const VERSIONS: [(&str, Dialect); 7] = [
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
    ("2023-07-draft", Dialect::Draft2023),
    ("2023-07", Dialect::Draft2023),
    ("2025-09", Dialect::V2025),
    ("2025-09-draft", Dialect::V2025),
    ("draft", Dialect::V2025),
];

/// Keys that every dialect knows.
const EVERYWHERE: [&str; 11] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "standards",
    "source",
    "license",
    "rights_owner",
    "limits",
    "keywords",
    "validator_flags",
];

/// Keys of the legacy dialects; the last ones are those that judges of their own read.
const LEGACY: [&str; 10] = [
    "author",
    "source_url",
    "validation",
    "grading",
    "libraries",
    "languages",
    "title",
    "objective",
    "constants",
    "timelimit",
];

/// Keys of the newer dialects.
const NEWER: [&str; 6] = ["version", "credits", "embargo_until", "languages", "allow_file_writing", "constants"];

/// The keys below `limits` that are of no use to a tool that compiles as it likes, and of old judges.
const LIMITS_PASSED_OVER: [&str; 3] = ["compilation_time", "compilation_memory", "time_resolution"];

const LIMITS: [&str; 12] = [
    "time_limit",
    "memory",
    "output",
    "code",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
    "time_multiplier",
    "time_safety_margin",
    "time_multipliers",
    "time_resolution",
];

/// Reads the file, if it is there.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read(tree: &Tree, log: &mut Log) -> Result<Settings> {
    let mut settings = Settings::default();
    let root = sheet::document(tree, FILE, log)?;
    settings.dialect = root.as_ref().map_or(Dialect::default(), |root| dialect(root, log));
    let is_strict = matches!(settings.dialect, Dialect::Draft2023 | Dialect::V2025);
    if !is_strict {
        settings.limits.ac_to_time_limit = 5.0;
        settings.limits.time_limit_to_tle = 2.0;
    }
    let Some(root) = root else { return Ok(settings) };
    let mut sheet = Sheet::new(FILE, is_strict, log);
    let known = known(settings.dialect);
    for (key, value) in sheet.map(FILE, &root) {
        if known.contains(&key.name.as_str()) {
            settings.take(key, value, &mut sheet);
        } else if [&EVERYWHERE[..], &LEGACY, &NEWER].concat().contains(&key.name.as_str()) {
            sheet.foreign(key);
        } else {
            sheet.unknown(key, &known);
        }
    }
    Ok(settings)
}

/// The keys that a dialect knows.
fn known(dialect: Dialect) -> Vec<&'static str> {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => [&EVERYWHERE[..], &LEGACY].concat(),
        Dialect::Draft2023 => [&EVERYWHERE[..], &NEWER, &["validation", "author"]].concat(),
        Dialect::V2025 => [&EVERYWHERE[..10], &NEWER].concat(),
    }
}

/// The version that the file names. It has to be known before the other keys are read.
fn dialect(root: &Node, log: &mut Log) -> Dialect {
    let Kind::Map(entries) = &root.kind else { return Dialect::default() };
    let Some((_, value)) = entries.iter().find(|(key, _)| key.name == "problem_format_version") else {
        return Dialect::default();
    };
    let found = value.scalar().and_then(|text| VERSIONS.iter().find(|(name, _)| *name == text));
    found.map_or_else(
        || {
            let names: Vec<String> = VERSIONS.iter().map(|(name, _)| format!("`{name}`")).collect();
            let mut sheet = Sheet::new(FILE, true, log);
            sheet.wrong(value.at, format!("`problem_format_version` is of no version: it is {}", value.words()));
            sheet.help(format!("rebut reads {}", list_or(&names)));
            Dialect::default()
        },
        |(_, dialect)| *dialect,
    )
}

impl Settings {
    fn is_legacy(&self) -> bool {
        matches!(self.dialect, Dialect::Legacy | Dialect::LegacyIcpc)
    }

    fn take(&mut self, key: &Key, value: &Node, sheet: &mut Sheet<'_>) {
        match key.name.as_str() {
            "name" | "title" => self.titles(&key.name, value, sheet),
            "type" => self.types(value, sheet),
            "validation" => self.validation(value, sheet),
            "validator_flags" => self.validator_flags = sheet.words("validator_flags", value).unwrap_or_default(),
            "limits" => self.limits(value, sheet),
            "timelimit" => self.limits.cpu_time_ms = seconds("timelimit", value, sheet),
            "constants" => self.constants = constants::read(value, sheet),
            "grading" => self.grading(value, sheet),
            "objective" => self.is_minimised = sheet.choice("objective", value, &["max", "min"]) == Some("min"),
            "standards" => self.standards(value, sheet),
            "libraries" => sheet.note(key.at, "`libraries` is not obeyed"),
            "author" | "license" | "rights_owner" | "source" | "source_url" => {
                self.about.extend(value.scalar().map(|text| (key.name.clone(), text.to_owned())));
            }
            // Who else is to be thanked, and what it is about, is nothing for a judge.
            _ => {}
        }
    }

    fn titles(&mut self, key: &str, value: &Node, sheet: &mut Sheet<'_>) {
        if !matches!(value.kind, Kind::Map(_)) {
            self.titles.extend(sheet.text(key, value).map(|title| ("en".to_owned(), title)));
            return;
        }
        for (language, title) in sheet.map(key, value) {
            self.titles.extend(sheet.text(key, title).map(|title| (language.name.clone(), title)));
        }
    }

    fn types(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        const TYPES: [&str; 5] = ["pass-fail", "scoring", "interactive", "multi-pass", "submit-answer"];
        let types = sheet.words("type", value).unwrap_or_default();
        for name in &types {
            match name.as_str() {
                "pass-fail" => {}
                "scoring" => self.judging.scoring = true,
                "interactive" => self.judging.interactive = true,
                "multi-pass" => self.judging.multi_pass = true,
                "submit-answer" => self.judging.submit_answer = true,
                _ => {
                    sheet.wrong(value.at, format!("the type `{}` is unknown", super::log::shown(name)));
                    sheet.help(format!("there are {}", list_or(&TYPES.map(|name| format!("`{name}`")))));
                }
            }
        }
        let both = |a: &str, b: &str| types.iter().any(|t| t == a) && types.iter().any(|t| t == b);
        for (a, b) in [("pass-fail", "scoring"), ("submit-answer", "interactive"), ("submit-answer", "multi-pass")] {
            if both(a, b) {
                sheet.wrong(value.at, format!("a problem cannot be `{a}` and `{b}`"));
            }
        }
    }

    fn standards(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        for name in sheet.words("standards", value).unwrap_or_default() {
            match Standard::parse(&name) {
                Ok(standard) => self.standards.push(standard),
                Err(message) => sheet.wrong(value.at, super::log::shown(&message)),
            }
        }
    }

    fn validation(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        let words = sheet.words("validation", value).unwrap_or_default();
        for (i, word) in words.iter().enumerate() {
            match (i, word.as_str()) {
                (0, "default") => self.is_custom = Some(false),
                (0, "custom") => self.is_custom = Some(true),
                (1.., "interactive") => self.judging.interactive = true,
                (1.., "multi-pass") => self.judging.multi_pass = true,
                // It tells that the output validator gives scores.
                (1.., "score") => {
                    self.judging.scoring = true;
                    self.gives_scores = true;
                }
                _ => {
                    let word = super::log::shown(word);
                    sheet.wrong(value.at, format!("`validation` does not know `{word}`"));
                    sheet.help("it is `default`, or `custom` with any of `interactive`, `score` and `multi-pass`");
                }
            }
        }
    }

    fn grading(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        const KNOWN: [&str; 7] = [
            "objective",
            "show_test_data_groups",
            "accept_score",
            "reject_score",
            "range",
            "on_reject",
            "custom_scoring",
        ];
        for (key, value) in sheet.map("grading", value) {
            match key.name.as_str() {
                "objective" => self.is_minimised = sheet.choice("objective", value, &["max", "min"]) == Some("min"),
                _ if grading::overruling(key, value, &mut self.overruling, sheet) => {}
                "custom_scoring" => self.gives_scores = sheet.boolean("custom_scoring", value) == Some(true),
                name if KNOWN.contains(&name) => {}
                _ => sheet.unknown(key, &KNOWN),
            }
        }
    }

    fn limits(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        const MEBIBYTE: u64 = 1 << 20;
        for (key, value) in sheet.map("limits", value) {
            let name = key.name.as_str();
            let limits = &mut self.limits;
            match name {
                "time_limit" => limits.cpu_time_ms = seconds(name, value, sheet),
                "memory" => limits.memory_bytes = sheet.amount(name, value, MEBIBYTE),
                "output" => limits.output_bytes = sheet.amount(name, value, MEBIBYTE),
                "code" => limits.code_bytes = sheet.amount(name, value, 1 << 10),
                "validation_time" => limits.validation_time_ms = seconds(name, value, sheet),
                "validation_memory" => limits.validation_memory_bytes = sheet.amount(name, value, MEBIBYTE),
                "validation_output" => limits.validation_output_bytes = sheet.amount(name, value, MEBIBYTE),
                "validation_passes" => self.passes(value, sheet),
                "time_multiplier" if self.is_legacy() => set(&mut self.limits.ac_to_time_limit, name, value, sheet),
                "time_safety_margin" if self.is_legacy() => {
                    set(&mut self.limits.time_limit_to_tle, name, value, sheet);
                }
                "time_multipliers" => self.multipliers(value, sheet),
                _ if LIMITS_PASSED_OVER.contains(&name) => {}
                "time_multiplier" | "time_safety_margin" => sheet.foreign(key),
                _ => sheet.unknown(key, &LIMITS),
            }
        }
    }

    fn passes(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        match sheet.amount("validation_passes", value, 1) {
            Some(passes @ 2..=1000) => self.limits.validation_passes = passes as u32,
            Some(passes) => sheet.wrong(value.at, format!("`validation_passes` should be 2 to 1000, and is {passes}")),
            None => {}
        }
    }

    fn multipliers(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        const KNOWN: [&str; 2] = ["ac_to_time_limit", "time_limit_to_tle"];
        if let Kind::Number(number, raw) = &value.kind {
            let text =
                format!("`time_multipliers` should be a map, and is `{raw}`: it is taken for `ac_to_time_limit`");
            sheet.note(value.at, &text);
            if *number > 0.0 {
                self.limits.ac_to_time_limit = *number;
            }
            return;
        }
        for (key, value) in sheet.map("time_multipliers", value) {
            match key.name.as_str() {
                name @ "ac_to_time_limit" => set(&mut self.limits.ac_to_time_limit, name, value, sheet),
                name @ "time_limit_to_tle" => set(&mut self.limits.time_limit_to_tle, name, value, sheet),
                _ => sheet.unknown(key, &KNOWN),
            }
        }
    }
}

/// A factor.
fn set(factor: &mut f64, key: &str, value: &Node, sheet: &mut Sheet<'_>) {
    if let Some(number) = sheet.number(key, value, 0.0, "a number above 0") {
        *factor = number;
    }
}

/// Seconds, as milliseconds.
fn seconds(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> Option<u64> {
    let seconds = sheet.number(key, value, 0.0, "a number of seconds above 0")?;
    // Times are whole milliseconds everywhere else.
    if !(0.001..=1e6).contains(&seconds) {
        sheet.wrong(value.at, format!("`{key}` is not a sensible number of seconds: {}", value.words()));
        return None;
    }
    Some(milliseconds(seconds))
}

/// A positive number of seconds as milliseconds, at least one.
pub(super) fn milliseconds(seconds: f64) -> u64 {
    ((seconds * 1000.0).round() as u64).max(1)
}
