//! Settings of `testdata.yaml`, `test_group.yaml` and the YAML files of test cases, each inherited from the group
//! around it.

use super::dialect::Dialect;
use super::group_scoring::{GraderSettings, PointSettings};
use super::model::{ValidatorArguments, VisualizerArguments};
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::PackageTree;
use super::problem_yaml::{self, ProblemYaml};
use super::yaml_tree::{self, YamlKey, YamlKind, YamlNode, YamlReader};
use rebut_diagnostics::Result;
use std::collections::BTreeMap;

/// Names of a group's file: the legacy one and the newer one.
pub(crate) const GROUP_FILE_NAMES: [&str; 2] = ["testdata.yaml", "test_group.yaml"];

/// The settings that apply to the test cases of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GroupSettings {
    pub(super) arguments: Vec<String>,
    pub(super) input_arguments: ValidatorArguments,
    pub(super) answer_arguments: ValidatorArguments,
    /// Without those of `problem.yaml`.
    pub(super) output_validator_arguments: Vec<String>,
    pub(super) visualizer_arguments: VisualizerArguments,
    /// Not inherited.
    pub(super) max_score: Option<f64>,
    /// Legacy grading settings.
    pub(super) grader_settings: GraderSettings,
    /// Scoring settings, not inherited.
    pub(super) point_settings: PointSettings,
    /// Whether its file sets any legacy grading key.
    pub(super) mentions_graders: bool,
}

const LEGACY_GROUP_KEYS: [&str; 9] = [
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

const NEWER_GROUP_KEYS: [&str; 12] = [
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

const TEST_CASE_KEYS: [&str; 9] = [
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

/// Reads the file of a group or test case on top of the inherited settings.
pub(super) struct GroupSettingsReader<'a> {
    pub(super) tree: &'a PackageTree,
    pub(super) settings: &'a ProblemYaml,
    pub(super) log: &'a mut PackageLog,
}

impl GroupSettingsReader<'_> {
    /// Returns the settings of a group.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read.
    pub(super) fn read_group(&mut self, folder: &str, inherited: &GroupSettings) -> Result<GroupSettings> {
        let own = (None, PointSettings::default(), false);
        let (max_score, points, mentions_graders) = own;
        let settings = GroupSettings { max_score, point_settings: points, mentions_graders, ..inherited.clone() };
        let files = GROUP_FILE_NAMES.map(|name| format!("{folder}/{name}"));
        let mut found = files.iter().filter(|path| self.tree.find_file(path).is_some());
        let Some(path) = found.next() else { return Ok(settings) };
        if let Some(other) = found.next() {
            self.log.report_error(other.as_str(), format!("describes the same group as `{}`", GROUP_FILE_NAMES[0]));
        }
        let known: Vec<&str> = match self.settings.dialect {
            // Packages name this version and keep the map of its drafts.
            Dialect::V2025 => [&NEWER_GROUP_KEYS[..], &["scoring"]].concat(),
            // Packages of these dialects were written while the keys changed their names.
            _ => [&LEGACY_GROUP_KEYS[..], &NEWER_GROUP_KEYS].concat(),
        };
        self.read_settings_file(path, settings, &known)
    }

    /// Returns the settings of a test case.
    ///
    /// # Errors
    ///
    /// Returns an error if its file cannot be read.
    pub(super) fn read_test_case(&mut self, path: &str, inherited: &GroupSettings) -> Result<GroupSettings> {
        self.read_settings_file(path, inherited.clone(), &TEST_CASE_KEYS)
    }

    fn read_settings_file(&mut self, path: &str, mut settings: GroupSettings, known: &[&str]) -> Result<GroupSettings> {
        let dialect = self.settings.dialect;
        let Some(text) = self.tree.read_text(path, self.log)? else { return Ok(settings) };
        let text = self.settings.constants.substitute_constants(&text);
        let Some(root) = yaml_tree::parse_document(&text, path, self.log) else { return Ok(settings) };
        let is_strict = matches!(dialect, Dialect::Draft2023 | Dialect::V2025);
        let mut reader = YamlReader::new(path, is_strict, self.log);
        let entries = reader.read_map(path.rsplit('/').next().unwrap_or(path), &root);
        // Read `grading` first: it decides how `grader_flags` are understood.
        let is_grading = |(key, _): &&(YamlKey, YamlNode)| key.name == "grading";
        let others = entries.iter().filter(|entry| !is_grading(entry));
        for (key, value) in entries.iter().filter(is_grading).chain(others) {
            let name = key.name.as_str();
            if !known.contains(&name) {
                let is_foreign = LEGACY_GROUP_KEYS.contains(&name) || NEWER_GROUP_KEYS.contains(&name);
                if is_foreign {
                    reader.note_foreign_key(key)
                } else {
                    reader.report_unknown_key(key, known)
                }
                continue;
            }
            match name {
                "args" => settings.arguments = reader.read_text_list(name, value).unwrap_or_default(),
                "answer_validator_args" => settings.read_answer_arguments(name, value, &mut reader),
                "input_validator_args" | "input_validator_flags" => {
                    settings.read_input_arguments(name, value, &mut reader)
                }
                "output_validator_args" => {
                    settings.output_validator_arguments = reader.read_text_list(name, value).unwrap_or_default();
                }
                "input_visualizer_args" => {
                    settings.visualizer_arguments.input = reader.read_text_list(name, value).unwrap_or_default();
                }
                "output_visualizer_args" => {
                    settings.visualizer_arguments.output = reader.read_text_list(name, value).unwrap_or_default();
                }
                "output_validator_flags" => {
                    settings.output_validator_arguments = read_legacy_flags(name, value, &mut reader).1;
                }
                "scoring" => {
                    if dialect == Dialect::V2025 {
                        const NOTE: &str = "`scoring` is a key of drafts, read as `max_score` and `score_aggregation`";
                        reader.add_note(key.position, NOTE);
                    }
                    settings.point_settings.read_draft_scoring(value, &mut reader);
                    settings.max_score = settings.point_settings.max_finite_score();
                }
                _ if settings.grader_settings.read_key(key, value, &mut reader) => {
                    settings.mentions_graders = true;
                    if name == "range" {
                        settings.max_score = settings.grader_settings.max_finite_score();
                    }
                }
                _ if settings.point_settings.read_key(key, value, &mut reader) => {
                    settings.max_score = settings.point_settings.max_finite_score();
                }
                // How results are shown to contestants is irrelevant here.
                _ => {}
            }
        }
        Ok(settings)
    }
}

impl GroupSettings {
    /// Reads a list or text for all input validators, or a map by their names.
    fn read_input_arguments(&mut self, key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) {
        let mut found = ValidatorArguments::default();
        if key != "input_validator_args" {
            match read_legacy_flags(key, value, reader) {
                (Some(name), arguments) => drop(found.by_name.insert(name, arguments)),
                (None, arguments) => found.common = arguments,
            }
        } else if matches!(value.kind, YamlKind::Map(_)) {
            found.by_name = read_arguments_by_name(key, value, reader);
        } else {
            found.common = reader.read_words(key, value).unwrap_or_default();
        }
        self.input_arguments = found;
    }

    /// Reads a list for all answer validators, or a map by their names.
    fn read_answer_arguments(&mut self, key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) {
        let mut found = ValidatorArguments::default();
        if matches!(value.kind, YamlKind::Map(_)) {
            found.by_name = read_arguments_by_name(key, value, reader);
        } else {
            found.common = reader.read_text_list(key, value).unwrap_or_default();
        }
        self.answer_arguments = found;
    }
}

/// Reads arguments of validators by their names.
fn read_arguments_by_name(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> BTreeMap<String, Vec<String>> {
    let of_each = reader.read_map(key, value).iter();
    of_each
        .map(|(name, value)| (name.name.clone(), reader.read_text_list(&name.name, value).unwrap_or_default()))
        .collect()
}

/// Reads legacy flags: a text, or a map with the validator's name and its flags.
fn read_legacy_flags(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> (Option<String>, Vec<String>) {
    if !matches!(value.kind, YamlKind::Map(_)) {
        return (None, reader.read_words(key, value).unwrap_or_default());
    }
    let (mut name, mut arguments) = (None, Vec::new());
    for (key, value) in reader.read_map(key, value) {
        match key.name.as_str() {
            "name" => name = reader.read_text("name", value),
            "flags" => arguments = reader.read_words("flags", value).unwrap_or_default(),
            _ => reader.report_unknown_key(key, &["name", "flags"]),
        }
    }
    (name, arguments)
}

// Settings of older judges beside `problem.yaml`: `domjudge-problem.ini` and `.timelimit`. `problem.yaml` takes
// precedence.

const DOMJUDGE_INI_FILE: &str = "domjudge-problem.ini";

const TIME_LIMIT_FILE: &str = ".timelimit";

/// Applies these files, if they exist.
///
/// # Errors
///
/// Returns an error if one cannot be read.
pub(super) fn read_legacy_settings(tree: &PackageTree, settings: &mut ProblemYaml, log: &mut PackageLog) -> Result<()> {
    if let Some(text) = tree.read_text(DOMJUDGE_INI_FILE, log)? {
        read_domjudge_ini(&text, settings, log);
    }
    if let Some(text) = tree.read_text(TIME_LIMIT_FILE, log)? {
        apply_time_limit(TIME_LIMIT_FILE, text.trim(), settings, log);
    }
    Ok(())
}

fn apply_time_limit(location: &str, text: &str, settings: &mut ProblemYaml, log: &mut PackageLog) {
    let Some(seconds) = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s)) else {
        log.report_error(location, format!("`{}` is not a sensible number of seconds", shorten_for_message(text)));
        return;
    };
    let found = problem_yaml::seconds_to_ms(seconds);
    match settings.limits.cpu_time_ms {
        None => settings.limits.cpu_time_ms = Some(found),
        Some(stated) if stated != found => {
            log.add_note(
                location,
                &format!("the time limit of {found} ms is ignored: `problem.yaml` sets {stated} ms"),
            );
        }
        Some(_) => {}
    }
}

/// Reads lines of the form `key = value`. Sections and comments are skipped.
fn read_domjudge_ini(text: &str, settings: &mut ProblemYaml, log: &mut PackageLog) {
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with([';', '#', '[']) {
            continue;
        }
        let location = format!("{DOMJUDGE_INI_FILE}:{}", number + 1);
        let Some((key, value)) = line.split_once('=') else {
            log.report_error(location, "has no `=`");
            continue;
        };
        let value = unquote_ini_value(value.trim());
        match key.trim() {
            "name" if settings.titles.is_empty() => {
                settings.titles.insert("en".to_owned(), value.to_owned());
            }
            "timelimit" => apply_time_limit(&location, value, settings, log),
            "special_compare_args" if settings.validator_flags.is_empty() => {
                settings.validator_flags = value.split_whitespace().map(str::to_owned).collect();
            }
            key @ ("special_run" | "special_compare") if !value.is_empty() => {
                log.add_note(&location, &format!("`{key}` names a program of a judge and is ignored"));
            }
            // How a contest shows the problem is irrelevant here.
            "name"
            | "special_compare_args"
            | "special_run"
            | "special_compare"
            | "externalid"
            | "probid"
            | "allow_submit"
            | "allow_judge"
            | "points"
            | "color"
            | "short-name" => {}
            key => log.add_note(&location, &format!("the key `{}` is unknown", shorten_for_message(key))),
        }
    }
}

/// Returns the text inside quotes; without quotes, the text up to a comment.
fn unquote_ini_value(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside;
        }
    }
    value.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unquoted_or_end_at_a_comment() {
        assert_eq!(unquote_ini_value("'a; b' ; c"), "a; b");
        assert_eq!(unquote_ini_value("\"it's\""), "it's");
        assert_eq!(unquote_ini_value("2.5 ; seconds"), "2.5");
        assert_eq!(unquote_ini_value(""), "");
    }
}
