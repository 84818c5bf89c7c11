//! `problem.yaml` in each of its dialects.

use super::dialect::Dialect;
use super::grader_overrides::{GraderOverrides, read_grader_override};
use super::model::{self, Constants, PackageLimits, ProblemType};
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::{PackageEntry, PackageTree};
use super::yaml_tree::{self, YamlKey, YamlKind, YamlNode, YamlReader};
use rebut_diagnostics::{Error, Result, list_or};
use rebut_toolchain::LanguageStandard;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the file.
pub(super) const PROBLEM_YAML_FILE: &str = "problem.yaml";

/// The settings of `problem.yaml`.
#[derive(Debug, Default)]
pub(super) struct ProblemYaml {
    pub(super) dialect: Dialect,
    pub(super) titles: BTreeMap<String, String>,
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) limits: PackageLimits,
    pub(super) problem_type: ProblemType,
    /// Whether it requires a custom output validator, if stated.
    pub(super) is_custom: Option<bool>,
    /// Arguments of the output validator.
    pub(super) validator_flags: Vec<String>,
    /// C and C++ standards for the sources.
    pub(super) standards: Vec<LanguageStandard>,
    /// Values of `{{name}}`.
    pub(super) constants: Constants,
    /// Whether a lower score is better.
    pub(super) is_minimised: bool,
    /// Whether `validation` states that the output validator gives scores.
    pub(super) gives_scores: bool,
    /// Scores for all groups.
    pub(super) grader_overrides: GraderOverrides,
}

/// Versions by their names in the file.
const FORMAT_VERSIONS: [(&str, Dialect); 7] = [
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
    ("2023-07-draft", Dialect::Draft2023),
    ("2023-07", Dialect::Draft2023),
    ("2025-09", Dialect::V2025),
    ("2025-09-draft", Dialect::V2025),
    ("draft", Dialect::V2025),
];

/// Keys of every dialect.
const COMMON_KEYS: [&str; 11] = [
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

/// Keys of the legacy dialects; the last ones are only read by some judges.
const LEGACY_KEYS: [&str; 10] = [
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
const NEWER_KEYS: [&str; 6] = ["version", "credits", "embargo_until", "languages", "allow_file_writing", "constants"];

/// Keys below `limits` that are ignored: limits of compilation, and keys of old judges.
const IGNORED_LIMIT_KEYS: [&str; 3] = ["compilation_time", "compilation_memory", "time_resolution"];

const LIMIT_KEYS: [&str; 12] = [
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

/// Reads the file, if it exists.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub(super) fn read_problem_yaml(tree: &PackageTree, log: &mut PackageLog) -> Result<ProblemYaml> {
    let mut settings = ProblemYaml::default();
    let root = yaml_tree::read_document(tree, PROBLEM_YAML_FILE, log)?;
    settings.dialect = root.as_ref().map_or(Dialect::default(), |root| read_dialect(root, log));
    let is_strict = matches!(settings.dialect, Dialect::Draft2023 | Dialect::V2025);
    if !is_strict {
        settings.limits.ac_to_time_limit = 5.0;
        settings.limits.time_limit_to_tle = 2.0;
    }
    let Some(root) = root else { return Ok(settings) };
    let mut reader = YamlReader::new(PROBLEM_YAML_FILE, is_strict, log);
    let known = known_keys(settings.dialect);
    for (key, value) in reader.read_map(PROBLEM_YAML_FILE, &root) {
        if known.contains(&key.name.as_str()) {
            settings.read_key(key, value, &mut reader);
        } else if [&COMMON_KEYS[..], &LEGACY_KEYS, &NEWER_KEYS].concat().contains(&key.name.as_str()) {
            reader.note_foreign_key(key);
        } else {
            reader.report_unknown_key(key, &known);
        }
    }
    Ok(settings)
}

/// Writes a time limit of whole seconds into the file of the package in `folder`, and keeps everything else in it. Returns the
/// path of the file.
///
/// # Errors
/// Returns an error if the file cannot be read or written, or if its limits are not a map.
pub fn write_time_limit(folder: &Path, limit_ms: u64) -> Result<PathBuf> {
    let path = folder.join(PROBLEM_YAML_FILE);
    let text = String::from_utf8_lossy(&crate::read_description(&path)?).into_owned();
    let Some(changed) = with_time_limit(&text, limit_ms / 1000) else {
        let message = format!("the time limit cannot be written into `{}`", path.display());
        return Err(
            Error::usage_error(message).with_help("`limits` must be a map, as in `limits:` and `  time_limit: 2`")
        );
    };
    crate::write_file(&path, changed.as_bytes()).map(|()| path)
}

/// Returns the text of a file with another time limit, or `None` if there is no place for it.
fn with_time_limit(text: &str, seconds: u64) -> Option<String> {
    let find = |node: &YamlNode, name: &str| match &node.kind {
        YamlKind::Map(entries) => entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| value.clone()),
        _ => None,
    };
    let read = |text: &str| YamlNode::parse(text).ok().map(|(root, _)| find(&root, "limits"));
    let wanted = format!("time_limit: {seconds}");
    let changed = match read(text)? {
        None => format!("{}\nlimits:\n  {wanted}\n", text.trim_end()),
        Some(limits) => {
            let stated = find(&limits, "time_limit");
            let YamlKind::Map(entries) = &limits.kind else { return None };
            let (at, old, new) = match &stated {
                Some(node) => (node.position, node.scalar_text()?.len(), seconds.to_string()),
                None => (entries.first()?.0.position, 0, wanted),
            };
            let lines = text.split_inclusive('\n').take(usize::try_from(at.line).ok()?.checked_sub(1)?);
            let line = lines.map(str::len).sum::<usize>();
            let indent: usize =
                text[line..].chars().take(usize::try_from(at.column).ok()? - 1).map(char::len_utf8).sum();
            let (before, after) = text.split_at_checked(line + indent)?;
            let separator = match before[line..].trim().is_empty() {
                _ if stated.is_some() => String::new(),
                true => format!("\n{}", &before[line..]),
                false => ", ".to_owned(),
            };
            format!("{before}{new}{separator}{}", after.get(old..)?)
        }
    };
    let is_written =
        |node: YamlNode| find(&node, "time_limit").is_some_and(|v| v.scalar_text() == Some(&seconds.to_string()));
    read(&changed)?.is_some_and(is_written).then_some(changed)
}

fn known_keys(dialect: Dialect) -> Vec<&'static str> {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => [&COMMON_KEYS[..], &LEGACY_KEYS].concat(),
        Dialect::Draft2023 => [&COMMON_KEYS[..], &NEWER_KEYS, &["validation", "author"]].concat(),
        Dialect::V2025 => [&COMMON_KEYS[..10], &NEWER_KEYS].concat(),
    }
}

/// Returns the version in the file, which has to be known before the other keys are read.
fn read_dialect(root: &YamlNode, log: &mut PackageLog) -> Dialect {
    let YamlKind::Map(entries) = &root.kind else { return Dialect::default() };
    let Some((_, value)) = entries.iter().find(|(key, _)| key.name == "problem_format_version") else {
        return Dialect::default();
    };
    let found = value.scalar_text().and_then(|text| FORMAT_VERSIONS.iter().find(|(name, _)| *name == text));
    found.map_or_else(
        || {
            let names: Vec<String> = FORMAT_VERSIONS.iter().map(|(name, _)| format!("`{name}`")).collect();
            let mut reader = YamlReader::new(PROBLEM_YAML_FILE, true, log);
            reader.report_error(
                value.position,
                format!("`problem_format_version` is not a known version: {}", value.describe_value()),
            );
            reader.add_help(format!("supported versions: {}", list_or(&names)));
            Dialect::default()
        },
        |(_, dialect)| *dialect,
    )
}

impl ProblemYaml {
    fn is_legacy(&self) -> bool {
        matches!(self.dialect, Dialect::Legacy | Dialect::LegacyIcpc)
    }

    fn read_key(&mut self, key: &YamlKey, value: &YamlNode, reader: &mut YamlReader<'_>) {
        match key.name.as_str() {
            "name" | "title" => self.read_titles(&key.name, value, reader),
            "type" => self.read_types(value, reader),
            "validation" => self.read_validation(value, reader),
            "validator_flags" => self.validator_flags = reader.read_words("validator_flags", value).unwrap_or_default(),
            "limits" => self.read_limits(value, reader),
            "timelimit" => self.limits.cpu_time_ms = read_seconds("timelimit", value, reader),
            "constants" => self.constants = model::read_constants(value, reader),
            "grading" => self.read_grading(value, reader),
            "objective" => self.is_minimised = reader.read_choice("objective", value, &["max", "min"]) == Some("min"),
            "standards" => self.read_standards(value, reader),
            "libraries" => reader.add_note(key.position, "`libraries` is ignored"),
            "author" | "license" | "rights_owner" | "source_url" | "uuid" => {
                self.metadata.extend(value.scalar_text().map(|text| (key.name.clone(), text.to_owned())));
            }
            "credits" => self.add_names("author", ", ", value),
            "source" => self.add_names("source", ", ", value),
            "keywords" | "languages" if self.is_legacy() => {
                let words = value.scalar_text().map(|text| text.split([' ', ',']).filter(|word| !word.is_empty()));
                self.metadata.extend(words.map(|words| (key.name.clone(), words.collect::<Vec<_>>().join("\n"))));
            }
            "keywords" | "languages" => self.add_names(&key.name, "\n", value),
            // The others do not affect judging.
            _ => {}
        }
    }

    fn add_names(&mut self, key: &str, separator: &str, value: &YamlNode) {
        let names = collect_names(value);
        if !names.is_empty() {
            self.metadata.insert(key.to_owned(), names.join(separator));
        }
    }

    fn read_titles(&mut self, key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) {
        if !matches!(value.kind, YamlKind::Map(_)) {
            self.titles.extend(reader.read_text(key, value).map(|title| ("en".to_owned(), title)));
            return;
        }
        for (language, title) in reader.read_map(key, value) {
            self.titles.extend(reader.read_text(key, title).map(|title| (language.name.clone(), title)));
        }
    }

    fn read_types(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        const TYPES: [&str; 5] = ["pass-fail", "scoring", "interactive", "multi-pass", "submit-answer"];
        let types = reader.read_words("type", value).unwrap_or_default();
        for name in &types {
            match name.as_str() {
                "pass-fail" => {}
                "scoring" => self.problem_type.scoring = true,
                "interactive" => self.problem_type.interactive = true,
                "multi-pass" => self.problem_type.multi_pass = true,
                "submit-answer" => self.problem_type.submit_answer = true,
                _ => {
                    reader.report_error(value.position, format!("the type `{}` is unknown", shorten_for_message(name)));
                    reader.add_help(format!("known types: {}", list_or(&TYPES.map(|name| format!("`{name}`")))));
                }
            }
        }
        let both = |a: &str, b: &str| types.iter().any(|t| t == a) && types.iter().any(|t| t == b);
        for (a, b) in [("pass-fail", "scoring"), ("submit-answer", "interactive"), ("submit-answer", "multi-pass")] {
            if both(a, b) {
                reader.report_error(value.position, format!("a problem cannot be `{a}` and `{b}`"));
            }
        }
    }

    fn read_standards(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        for name in reader.read_words("standards", value).unwrap_or_default() {
            match LanguageStandard::parse(&name) {
                Ok(standard) => self.standards.push(standard),
                Err(message) => reader.report_error(value.position, shorten_for_message(&message)),
            }
        }
    }

    fn read_validation(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        let words = reader.read_words("validation", value).unwrap_or_default();
        for (i, word) in words.iter().enumerate() {
            match (i, word.as_str()) {
                (0, "default") => self.is_custom = Some(false),
                (0, "custom") => self.is_custom = Some(true),
                (1.., "interactive") => self.problem_type.interactive = true,
                (1.., "multi-pass") => self.problem_type.multi_pass = true,
                // The output validator gives scores.
                (1.., "score") => {
                    self.problem_type.scoring = true;
                    self.gives_scores = true;
                }
                _ => {
                    let word = shorten_for_message(word);
                    reader.report_error(value.position, format!("`{word}` is not a value of `validation`"));
                    reader.add_help("use `default`, or `custom` with any of `interactive`, `score` and `multi-pass`");
                }
            }
        }
    }

    fn read_grading(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        const KNOWN: [&str; 7] = [
            "objective",
            "show_test_data_groups",
            "accept_score",
            "reject_score",
            "range",
            "on_reject",
            "custom_scoring",
        ];
        for (key, value) in reader.read_map("grading", value) {
            match key.name.as_str() {
                "objective" => {
                    self.is_minimised = reader.read_choice("objective", value, &["max", "min"]) == Some("min")
                }
                _ if read_grader_override(key, value, &mut self.grader_overrides, reader) => {}
                "custom_scoring" => self.gives_scores = reader.read_boolean("custom_scoring", value) == Some(true),
                name if KNOWN.contains(&name) => {}
                _ => reader.report_unknown_key(key, &KNOWN),
            }
        }
    }

    fn read_limits(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        const MEBIBYTE: u64 = 1 << 20;
        for (key, value) in reader.read_map("limits", value) {
            let name = key.name.as_str();
            let limits = &mut self.limits;
            match name {
                "time_limit" => limits.cpu_time_ms = read_seconds(name, value, reader),
                "memory" => limits.memory_bytes = reader.read_amount(name, value, MEBIBYTE),
                "output" => limits.output_bytes = reader.read_amount(name, value, MEBIBYTE),
                "code" => limits.code_bytes = reader.read_amount(name, value, 1 << 10),
                "validation_time" => limits.validation_time_ms = read_seconds(name, value, reader),
                "validation_memory" => limits.validation_memory_bytes = reader.read_amount(name, value, MEBIBYTE),
                "validation_output" => limits.validation_output_bytes = reader.read_amount(name, value, MEBIBYTE),
                "validation_passes" => self.read_validation_passes(value, reader),
                "time_multiplier" if self.is_legacy() => {
                    read_factor(&mut self.limits.ac_to_time_limit, name, value, reader)
                }
                "time_safety_margin" if self.is_legacy() => {
                    read_factor(&mut self.limits.time_limit_to_tle, name, value, reader);
                }
                "time_multipliers" => self.read_time_multipliers(value, reader),
                _ if IGNORED_LIMIT_KEYS.contains(&name) => {}
                "time_multiplier" | "time_safety_margin" => reader.note_foreign_key(key),
                _ => reader.report_unknown_key(key, &LIMIT_KEYS),
            }
        }
    }

    fn read_validation_passes(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        match reader.read_amount("validation_passes", value, 1) {
            Some(passes @ 2..=1000) => self.limits.validation_passes = passes as u32,
            Some(passes) => reader
                .report_error(value.position, format!("`validation_passes` should be from 2 to 1000, not {passes}")),
            None => {}
        }
    }

    fn read_time_multipliers(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        const KNOWN: [&str; 2] = ["ac_to_time_limit", "time_limit_to_tle"];
        if let YamlKind::Number(number, raw) = &value.kind {
            let text = format!("`time_multipliers` should be a map; `{raw}` is used as `ac_to_time_limit`");
            reader.add_note(value.position, &text);
            if *number > 0.0 {
                self.limits.ac_to_time_limit = *number;
            }
            return;
        }
        for (key, value) in reader.read_map("time_multipliers", value) {
            match key.name.as_str() {
                name @ "ac_to_time_limit" => read_factor(&mut self.limits.ac_to_time_limit, name, value, reader),
                name @ "time_limit_to_tle" => read_factor(&mut self.limits.time_limit_to_tle, name, value, reader),
                _ => reader.report_unknown_key(key, &KNOWN),
            }
        }
    }
}

/// Returns the names in a text, a list, or a map with `name` or `authors`: persons, sources or keywords.
fn collect_names(value: &YamlNode) -> Vec<String> {
    match &value.kind {
        YamlKind::List(items) => items.iter().flat_map(collect_names).collect(),
        YamlKind::Map(entries) => {
            let named = entries.iter().filter(|(key, _)| matches!(key.name.as_str(), "name" | "authors"));
            named.flat_map(|(_, value)| collect_names(value)).collect()
        }
        _ => value.scalar_text().map(str::to_owned).into_iter().collect(),
    }
}

fn read_factor(factor: &mut f64, key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) {
    if let Some(number) = reader.read_number(key, value, 0.0, "a number above 0") {
        *factor = number;
    }
}

/// Reads a number of seconds, as milliseconds.
fn read_seconds(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<u64> {
    let seconds = reader.read_number(key, value, 0.0, "a number of seconds above 0")?;
    // Times are whole milliseconds everywhere else.
    if !(0.001..=1e6).contains(&seconds) {
        reader.report_error(
            value.position,
            format!("`{key}` is not a sensible number of seconds: {}", value.describe_value()),
        );
        return None;
    }
    Some(seconds_to_ms(seconds))
}

/// Converts a positive number of seconds to milliseconds, at least 1.
pub(super) fn seconds_to_ms(seconds: f64) -> u64 {
    ((seconds * 1000.0).round() as u64).max(1)
}

// Titles found in the statements, for packages older than the `name` key of `problem.yaml`.

/// The folders of statements, of the legacy format and of later ones.
pub const STATEMENT_FOLDERS: [&str; 2] = ["problem_statement", "statement"];

/// Adds the titles of languages without a title in `problem.yaml`.
///
/// # Errors
///
/// Returns an error if a statement cannot be read.
pub(super) fn read_statement_titles(
    tree: &PackageTree,
    settings: &mut ProblemYaml,
    log: &mut PackageLog,
) -> Result<()> {
    for folder in STATEMENT_FOLDERS {
        for item in tree.children(folder) {
            let Some(language) = statement_language(item).filter(|language| !settings.titles.contains_key(*language))
            else {
                continue;
            };
            let text = tree.read_text(&item.path, log)?.unwrap_or_default();
            if let Some(title) = find_title(&text) {
                settings.titles.insert(language.to_owned(), title);
            }
        }
    }
    Ok(())
}

/// Returns the language of `problem.sv.tex`; `problem.tex` is English.
fn statement_language(item: &PackageEntry) -> Option<&str> {
    let middle = item.name.strip_prefix("problem")?.strip_suffix(".tex")?;
    if middle.is_empty() { Some("en") } else { middle.strip_prefix('.').filter(|language| !language.is_empty()) }
}

/// Returns the title, as plain text if it is given both in plain text and in LaTeX.
fn find_title(text: &str) -> Option<String> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let in_latex =
        || text.split_once("\\problemname{").and_then(|(_, rest)| rest.split_once('}')).map(|(title, _)| title);
    let title = plain.or_else(in_latex)?.trim();
    (!title.is_empty() && !title.contains(['\n', '{'])).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limit_is_written_where_it_belongs() {
        for (before, after) in [
            ("name: A\n", Some("name: A\nlimits:\n  time_limit: 3\n")),
            ("limits:\n    memory: 9 # MiB\n", Some("limits:\n    time_limit: 3\n    memory: 9 # MiB\n")),
            ("limits:\n  time_limit: 10.5 # s\nname: A\n", Some("limits:\n  time_limit: 3 # s\nname: A\n")),
            ("# time_limit: 1\nlimits: {memory: 9}\n", Some("# time_limit: 1\nlimits: {time_limit: 3, memory: 9}\n")),
            ("limits: {memory: 9, time_limit: 1}\n", Some("limits: {memory: 9, time_limit: 3}\n")),
            (
                "name: \"\u{e9}\"\nlimits: { \"time_limit\": 1 }\n",
                Some("name: \"\u{e9}\"\nlimits: { \"time_limit\": 3 }\n"),
            ),
            ("limits:\nname: A\n", None),
            ("limits: 5\n", None),
            ("limits: {}\n", None),
            ("name: [\n", None),
        ] {
            assert_eq!(with_time_limit(before, 3).as_deref(), after, "{before}");
        }
    }
}
