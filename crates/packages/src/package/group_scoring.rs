//! Scoring of a problem: assembles the settings of its test groups.

use super::dialect::Dialect;
use super::grader_overrides::{GraderOverrides, read_points, read_score_range};
use super::model::{StaticCase, TestCase};
use super::package_log::{PackageLog, shorten_for_message};
use super::problem_yaml::ProblemYaml;
use super::yaml_tree::{YamlKey, YamlNode, YamlReader};
use crate::score::{
    AggregateGroup, AggregateScoring, GraderGroup, GraderItem, GraderScoring, GroupAggregation, Scoring,
};

/// The legacy grading settings of a group's file, inherited by the groups inside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GraderSettings {
    stops_on_reject: bool,
    is_custom: bool,
    flags: Vec<String>,
    accept_score: f64,
    reject_score: f64,
    range: (f64, f64),
}

/// The scoring settings of a group's file in the 2025-09 format. They are not inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PointSettings {
    /// Maximum score; `Some(None)` for `unbounded`.
    max_score: Option<Option<f64>>,
    aggregation: Option<GroupAggregation>,
    requires: Vec<String>,
    pub(super) static_score: Option<f64>,
    /// Whether the static validator is run without giving points.
    pub(super) static_is_pass_fail: bool,
    pub(super) static_arguments: Option<Vec<String>>,
}

/// The scoring settings of a group, and the location to name in messages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupScoring {
    pub(super) group: String,
    /// The file, or the folder if the group has no file.
    pub(super) location: String,
    pub(super) has_file: bool,
    pub(super) grader_settings: GraderSettings,
    pub(super) point_settings: PointSettings,
    /// Whether the file sets any legacy grading key.
    pub(super) mentions_graders: bool,
}

impl Default for GraderSettings {
    fn default() -> Self {
        GraderSettings {
            stops_on_reject: true,
            is_custom: false,
            flags: Vec::new(),
            accept_score: 1.0,
            reject_score: 0.0,
            range: (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

impl GraderSettings {
    pub(super) fn read_key(&mut self, key: &YamlKey, value: &YamlNode, reader: &mut YamlReader<'_>) -> bool {
        match key.name.as_str() {
            "on_reject" => {
                let choice = reader.read_choice("on_reject", value, &["break", "continue"]);
                self.stops_on_reject = choice.map_or(self.stops_on_reject, |choice| choice == "break");
            }
            "grading" => {
                self.is_custom = reader.read_choice("grading", value, &["default", "custom"]) == Some("custom");
            }
            "grader_flags" => {
                self.flags = reader.read_words("grader_flags", value).unwrap_or_default();
                for flag in self.flags.iter().filter(|flag| !self.is_custom && !GraderScoring::is_known_flag(flag)) {
                    let flag = shorten_for_message(flag);
                    reader.add_note(value.position, &format!("`{flag}` is not a flag of the default grader"));
                }
            }
            "accept_score" => {
                self.accept_score = read_points("accept_score", value, reader).unwrap_or(self.accept_score)
            }
            "reject_score" => {
                self.reject_score = read_points("reject_score", value, reader).unwrap_or(self.reject_score)
            }
            "range" => self.range = read_score_range(value, reader).unwrap_or(self.range),
            _ => return false,
        }
        true
    }

    fn with_overrides(&self, by: &GraderOverrides) -> GraderSettings {
        GraderSettings {
            stops_on_reject: by.stops_on_reject.unwrap_or(self.stops_on_reject),
            accept_score: by.accept_score.unwrap_or(self.accept_score),
            reject_score: by.reject_score.unwrap_or(self.reject_score),
            range: by.range.unwrap_or(self.range),
            ..self.clone()
        }
    }

    /// Returns the maximum score, if it is finite.
    pub(super) fn max_finite_score(&self) -> Option<f64> {
        Some(self.range.1).filter(|to| to.is_finite())
    }
}

impl PointSettings {
    /// Reads a key. Returns true if it is a scoring key.
    pub(super) fn read_key(&mut self, key: &YamlKey, value: &YamlNode, reader: &mut YamlReader<'_>) -> bool {
        match key.name.as_str() {
            "max_score" => self.max_score = read_max_score("max_score", value, reader),
            "score_aggregation" => self.aggregation = read_aggregation("score_aggregation", value, reader),
            "require_pass" => self.requires = reader.read_words("require_pass", value).unwrap_or_default(),
            "static_validation_score" if value.scalar_text() == Some("pass-fail") => {
                (self.static_score, self.static_is_pass_fail) = (Some(0.0), true);
            }
            "static_validator_args" => self.static_arguments = reader.read_text_list(&key.name, value),
            "static_validation_score" => {
                self.static_score =
                    reader.read_number(&key.name, value, -f64::MIN_POSITIVE, "a number of points, or `pass-fail`");
            }
            _ => return false,
        }
        true
    }

    /// Reads the `scoring` map that drafts of the format used for the same settings.
    pub(super) fn read_draft_scoring(&mut self, value: &YamlNode, reader: &mut YamlReader<'_>) {
        const KNOWN: [&str; 5] = ["score", "max_score", "aggregation", "require_pass", "objective"];
        for (key, value) in reader.read_map("scoring", value) {
            match key.name.as_str() {
                "score" | "max_score" => self.max_score = read_max_score(&key.name, value, reader),
                "aggregation" => self.aggregation = read_aggregation("aggregation", value, reader),
                "require_pass" => self.requires = reader.read_words("require_pass", value).unwrap_or_default(),
                "objective" => {}
                _ => reader.report_unknown_key(key, &KNOWN),
            }
        }
    }

    /// Returns the maximum score, if it is stated and bounded.
    pub(super) fn max_finite_score(&self) -> Option<f64> {
        self.max_score.flatten()
    }

    /// Returns true if the group with this name gives either all of its points or none.
    pub(super) fn is_pass_fail(&self, group: &str) -> bool {
        let default = if group == "secret" { GroupAggregation::Sum } else { GroupAggregation::PassFail };
        self.aggregation.unwrap_or(default) == GroupAggregation::PassFail
    }

    fn is_specified(&self) -> bool {
        *self != PointSettings::default()
    }
}

fn read_max_score(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<Option<f64>> {
    if value.scalar_text() == Some("unbounded") {
        return Some(None);
    }
    reader.read_number(key, value, -f64::MIN_POSITIVE, "a number of points, or `unbounded`").map(Some)
}

fn read_aggregation(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<GroupAggregation> {
    Some(match reader.read_choice(key, value, &["pass-fail", "sum", "min"])? {
        "sum" => GroupAggregation::Sum,
        "min" => GroupAggregation::Min,
        _ => GroupAggregation::PassFail,
    })
}

pub(super) fn build_scoring(
    settings: &ProblemYaml,
    groups: &[GroupScoring],
    cases: &[TestCase],
    statics: &[StaticCase],
    log: &mut PackageLog,
) -> Option<Scoring> {
    if !settings.problem_type.scoring {
        return None;
    }
    let uses_graders = match settings.dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => true,
        Dialect::V2025 => false,
        // Packages of the draft were written while the legacy settings were being phased out.
        Dialect::Draft2023 => {
            groups.iter().any(|m| m.mentions_graders) && !groups.iter().any(|m| m.point_settings.is_specified())
        }
    };
    Some(if uses_graders {
        Scoring::Graders(build_grader_scoring(settings, groups, cases))
    } else {
        Scoring::Aggregates(build_aggregate_scoring(settings.dialect, groups, cases, statics, log))
    })
}

fn build_grader_scoring(settings: &ProblemYaml, group_scorings: &[GroupScoring], cases: &[TestCase]) -> GraderScoring {
    let groups = group_scorings.iter().enumerate().map(|(number, group_scoring)| {
        let grading = group_scoring.grader_settings.with_overrides(&settings.grader_overrides);
        let inside = |name: &str| parent_group(name) == Some(group_scoring.group.as_str());
        let own_cases = cases.iter().enumerate().filter(|(_, case)| case.group == number);
        let folders = group_scorings.iter().enumerate().filter(|(_, other)| inside(&other.group));
        let mut items: Vec<(&str, GraderItem)> =
            own_cases.map(|(i, case)| (last_component(&case.name), GraderItem::Case(i))).collect();
        items.extend(folders.map(|(i, other)| (last_component(&other.group), GraderItem::Group(i))));
        items.sort_by_key(|(name, _)| *name);
        GraderGroup {
            name: group_scoring.group.clone(),
            items: items.into_iter().map(|(_, item)| item).collect(),
            stops_on_reject: grading.stops_on_reject,
            is_custom: grading.is_custom,
            flags: grading.flags,
            accept_score: grading.accept_score,
            reject_score: grading.reject_score,
            range: grading.range,
        }
    });
    GraderScoring {
        groups: groups.collect(),
        has_custom_scores: settings.gives_scores,
        is_minimised: settings.is_minimised,
    }
}

fn build_aggregate_scoring(
    dialect: Dialect,
    group_scorings: &[GroupScoring],
    cases: &[TestCase],
    statics: &[StaticCase],
    log: &mut PackageLog,
) -> AggregateScoring {
    let within = |name: &str, case: &TestCase| case.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let in_group = |name: &str| -> Vec<usize> {
        cases.iter().enumerate().filter(|(_, case)| within(name, case)).map(|(i, _)| i).collect()
    };
    let is_group =
        |m: &&GroupScoring| parent_group(&m.group) == Some("secret") && (m.has_file || dialect == Dialect::Draft2023);
    let found: Vec<&GroupScoring> = group_scorings.iter().filter(is_group).collect();
    let nothing = PointSettings::default();
    let secret_scoring = group_scorings.iter().find(|m| m.group == "secret");
    let settings = secret_scoring.map_or(&nothing, |m| &m.point_settings);
    let max_score = settings.max_score.unwrap_or(Some(100.0));
    let is_ungrouped = |case: &usize| !found.iter().any(|m| within(&m.group, &cases[*case]));
    let ungrouped: Vec<usize> = in_group("secret").into_iter().filter(is_ungrouped).collect();
    // Static cases are numbered after all test cases.
    let static_case = |name: &str| statics.iter().position(|case| case.group == name).map(|at| cases.len() + at);
    let group = |name: &str, settings: &PointSettings, cases, aggregation, max_score| AggregateGroup {
        name: name.to_owned(),
        cases,
        aggregation,
        max_score,
        static_case: static_case(name),
        static_score: settings.static_score.unwrap_or(0.0),
        requires: settings.requires.clone(),
    };
    let secret = group("secret", settings, ungrouped, settings.aggregation.unwrap_or(GroupAggregation::Sum), max_score);
    let groups = found.iter().map(|m| {
        let aggregation = m.point_settings.aggregation.unwrap_or_default();
        group(&m.group, &m.point_settings, in_group(&m.group), aggregation, m.point_settings.max_finite_score())
    });
    let samples = in_group("sample").into_iter().chain(static_case("sample")).collect();
    let scoring = AggregateScoring { samples, groups: groups.collect(), secret };
    if let Some(group) = secret_scoring {
        check_scoring_consistency(&scoring, group, &found, dialect, log);
    }
    scoring
}

/// Reports contradictions: errors in the 2025-09 format, notes in drafts of it.
fn check_scoring_consistency(
    scoring: &AggregateScoring,
    secret_scoring: &GroupScoring,
    found: &[&GroupScoring],
    dialect: Dialect,
    log: &mut PackageLog,
) {
    let mut report = |location: &str, text: String| log.report_contradiction(dialect, location, &text);
    let secret = &scoring.secret;
    let is_all_or_nothing = secret.aggregation == GroupAggregation::PassFail;
    if is_all_or_nothing && secret.max_score.is_none() {
        report(&secret_scoring.location, "is `pass-fail`, so its `max_score` cannot be `unbounded`".to_owned());
    }
    for name in secret.requires.iter().filter(|name| *name != "sample") {
        report(
            &secret_scoring.location,
            format!("`secret` can require only `sample`, not `{}`", shorten_for_message(name)),
        );
    }
    for (group, group_scoring) in scoring.groups.iter().zip(found) {
        let aggregation = group.aggregation.spelling();
        if is_all_or_nothing && group.aggregation != GroupAggregation::PassFail {
            report(&group_scoring.location, format!("is `{aggregation}` within `secret`, which is `pass-fail`"));
        }
        let is_bounded_around = !is_all_or_nothing && secret.max_score.is_some();
        if group.max_score.is_none() && (is_bounded_around || (!is_all_or_nothing && aggregation == "pass-fail")) {
            report(&group_scoring.location, "gives points but has no `max_score`".to_owned());
        }
        for name in &group.requires {
            let other = scoring.groups.iter().find(|other| other.name == *name);
            let why = match other {
                None if name == "sample" => continue,
                None => "is not a group",
                Some(other) if other.name >= group.name => "does not come before it",
                Some(other) if other.aggregation != GroupAggregation::PassFail => "is not `pass-fail`",
                Some(_) => continue,
            };
            report(&group_scoring.location, format!("requires `{}`, which {why}", shorten_for_message(name)));
        }
    }
}

/// Returns the parent of a group. The name of `data` itself is empty.
fn parent_group(group: &str) -> Option<&str> {
    if group.is_empty() {
        return None;
    }
    Some(group.rsplit_once('/').map_or("", |(parent, _)| parent))
}

fn last_component(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
