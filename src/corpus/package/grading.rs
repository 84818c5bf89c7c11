//! How the points of a scoring problem come about: what the files of its groups say, put together.

use super::log::Log;
use super::model::{Dialect, StaticCase, TestCase};
use super::settings::Settings;
use super::sheet::Sheet;
use super::yaml::{Key, Kind, Node};
use crate::score::{Aggregation, Graded, GradedGroup, Item, Pointed, PointedGroup, Scale};

/// What a group's file says of grading in the legacy format; a group inherits it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grading {
    stops: bool,
    is_custom: bool,
    flags: Vec<String>,
    accept_score: f64,
    reject_score: f64,
    range: (f64, f64),
}

/// What the grading of a problem says that was written before there were files for groups: it holds for all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Overruling {
    pub(super) stops: Option<bool>,
    pub(super) accept_score: Option<f64>,
    pub(super) reject_score: Option<f64>,
    pub(super) range: Option<(f64, f64)>,
}

/// What a group's file says of points in the newer format; nothing of it is inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Points {
    /// The greatest score; none within for `unbounded`.
    most: Option<Option<f64>>,
    aggregation: Option<Aggregation>,
    requires: Vec<String>,
    pub(super) of_static: Option<f64>,
    /// Whether the static validator is asked, and gives no points.
    pub(super) static_is_pass_fail: bool,
    pub(super) static_arguments: Option<Vec<String>>,
}

/// What a group's files say of how it is marked, with the place that messages name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Marking {
    pub(super) group: String,
    /// The file, or the folder where there is none.
    pub(super) place: String,
    pub(super) has_file: bool,
    pub(super) grading: Grading,
    pub(super) points: Points,
    /// Whether the file speaks of graders.
    pub(super) speaks_of_graders: bool,
}

impl Default for Grading {
    fn default() -> Self {
        Grading {
            stops: true,
            is_custom: false,
            flags: Vec::new(),
            accept_score: 1.0,
            reject_score: 0.0,
            range: (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

impl Grading {
    /// Takes a key; whether it is one of grading.
    pub(super) fn take(&mut self, key: &Key, value: &Node, sheet: &mut Sheet<'_>) -> bool {
        match key.name.as_str() {
            "on_reject" => {
                let choice = sheet.choice("on_reject", value, &["break", "continue"]);
                self.stops = choice.map_or(self.stops, |choice| choice == "break");
            }
            "grading" => {
                self.is_custom = sheet.choice("grading", value, &["default", "custom"]) == Some("custom");
            }
            "grader_flags" => {
                self.flags = sheet.words("grader_flags", value).unwrap_or_default();
                for flag in self.flags.iter().filter(|flag| !self.is_custom && !Graded::knows_flag(flag)) {
                    let flag = super::log::shown(flag);
                    sheet.note(value.at, &format!("the default grader does not know `{flag}`"));
                }
            }
            "accept_score" => self.accept_score = number("accept_score", value, sheet).unwrap_or(self.accept_score),
            "reject_score" => self.reject_score = number("reject_score", value, sheet).unwrap_or(self.reject_score),
            "range" => self.range = range(value, sheet).unwrap_or(self.range),
            _ => return false,
        }
        true
    }

    fn overruled(&self, by: &Overruling) -> Grading {
        Grading {
            stops: by.stops.unwrap_or(self.stops),
            accept_score: by.accept_score.unwrap_or(self.accept_score),
            reject_score: by.reject_score.unwrap_or(self.reject_score),
            range: by.range.unwrap_or(self.range),
            ..self.clone()
        }
    }

    /// The greatest score, if it is finite.
    pub(super) fn greatest(&self) -> Option<f64> {
        Some(self.range.1).filter(|to| to.is_finite())
    }
}

impl Points {
    /// Takes a key; whether it is one of points.
    pub(super) fn take(&mut self, key: &Key, value: &Node, sheet: &mut Sheet<'_>) -> bool {
        match key.name.as_str() {
            "max_score" => self.most = most("max_score", value, sheet),
            "score_aggregation" => self.aggregation = aggregation("score_aggregation", value, sheet),
            "require_pass" => self.requires = sheet.words("require_pass", value).unwrap_or_default(),
            "static_validation_score" if value.scalar() == Some("pass-fail") => {
                (self.of_static, self.static_is_pass_fail) = (Some(0.0), true);
            }
            "static_validator_args" => self.static_arguments = sheet.texts(&key.name, value),
            "static_validation_score" => {
                self.of_static =
                    sheet.number(&key.name, value, -f64::MIN_POSITIVE, "a number of points, or `pass-fail`");
            }
            _ => return false,
        }
        true
    }

    /// The map by which drafts of the format said the same.
    pub(super) fn take_scoring(&mut self, value: &Node, sheet: &mut Sheet<'_>) {
        const KNOWN: [&str; 5] = ["score", "max_score", "aggregation", "require_pass", "objective"];
        for (key, value) in sheet.map("scoring", value) {
            match key.name.as_str() {
                "score" | "max_score" => self.most = most(&key.name, value, sheet),
                "aggregation" => self.aggregation = aggregation("aggregation", value, sheet),
                "require_pass" => self.requires = sheet.words("require_pass", value).unwrap_or_default(),
                "objective" => {}
                _ => sheet.unknown(key, &KNOWN),
            }
        }
    }

    /// The greatest score, if it is stated and bounded.
    pub(super) fn greatest(&self) -> Option<f64> {
        self.most.flatten()
    }

    /// Whether the group of that name gives all points or none.
    pub(super) fn is_pass_fail(&self, group: &str) -> bool {
        let otherwise = if group == "secret" { Aggregation::Sum } else { Aggregation::PassFail };
        self.aggregation.unwrap_or(otherwise) == Aggregation::PassFail
    }

    fn is_said(&self) -> bool {
        *self != Points::default()
    }
}

fn most(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> Option<Option<f64>> {
    if value.scalar() == Some("unbounded") {
        return Some(None);
    }
    sheet.number(key, value, -f64::MIN_POSITIVE, "a number of points, or `unbounded`").map(Some)
}

fn aggregation(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> Option<Aggregation> {
    Some(match sheet.choice(key, value, &["pass-fail", "sum", "min"])? {
        "sum" => Aggregation::Sum,
        "min" => Aggregation::Min,
        _ => Aggregation::PassFail,
    })
}

fn number(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> Option<f64> {
    sheet.number(key, value, -1e15, "a number of points")
}

/// Two numbers, which may be infinite, the smaller first.
pub(super) fn range(value: &Node, sheet: &mut Sheet<'_>) -> Option<(f64, f64)> {
    let words = sheet.words("range", value)?;
    let ends: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
    match ends.as_deref() {
        Some([from, to]) if from <= to => Some((*from, *to)),
        _ => {
            let text = format!("`range` should be two numbers, the smaller first, and is {}", value.words());
            sheet.wrong(value.at, text);
            None
        }
    }
}

/// What `problem.yaml` says of the scores of all groups, as it was said before there were files for them.
pub(super) fn overruling(key: &Key, value: &Node, overruling: &mut Overruling, sheet: &mut Sheet<'_>) -> bool {
    match (key.name.as_str(), &value.kind) {
        (_, Kind::Null) => {}
        ("accept_score", _) => overruling.accept_score = number("accept_score", value, sheet),
        ("reject_score", _) => overruling.reject_score = number("reject_score", value, sheet),
        ("range", _) => overruling.range = range(value, sheet),
        ("on_reject", _) => {
            let choice = sheet.choice("on_reject", value, &["first_error", "worst_error", "grade"]);
            overruling.stops = match choice {
                Some("first_error") => Some(true),
                Some("grade") => Some(false),
                _ => None,
            };
        }
        _ => return false,
    }
    true
}

/// How points come about, in a scoring problem.
pub(super) fn scale(
    settings: &Settings,
    markings: &[Marking],
    cases: &[TestCase],
    statics: &[StaticCase],
    log: &mut Log,
) -> Option<Scale> {
    if !settings.judging.scoring {
        return None;
    }
    let is_graded = match settings.dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => true,
        Dialect::V2025 => false,
        // Packages of the draft were written while the legacy way was on its way out.
        Dialect::Draft2023 => {
            markings.iter().any(|m| m.speaks_of_graders) && !markings.iter().any(|m| m.points.is_said())
        }
    };
    Some(if is_graded {
        Scale::Graded(graded(settings, markings, cases))
    } else {
        Scale::Pointed(pointed(settings.dialect, markings, cases, statics, log))
    })
}

fn graded(settings: &Settings, markings: &[Marking], cases: &[TestCase]) -> Graded {
    let groups = markings.iter().enumerate().map(|(number, marking)| {
        let grading = marking.grading.overruled(&settings.overruling);
        let inside = |name: &str| parent(name) == Some(marking.group.as_str());
        let own_cases = cases.iter().enumerate().filter(|(_, case)| case.group == number);
        let folders = markings.iter().enumerate().filter(|(_, other)| inside(&other.group));
        let mut items: Vec<(&str, Item)> = own_cases.map(|(i, case)| (base(&case.name), Item::Case(i))).collect();
        items.extend(folders.map(|(i, other)| (base(&other.group), Item::Group(i))));
        items.sort_by_key(|(name, _)| *name);
        GradedGroup {
            name: marking.group.clone(),
            items: items.into_iter().map(|(_, item)| item).collect(),
            stops: grading.stops,
            is_custom: grading.is_custom,
            flags: grading.flags,
            accept_score: grading.accept_score,
            reject_score: grading.reject_score,
            range: grading.range,
        }
    });
    Graded { groups: groups.collect(), has_custom_scores: settings.gives_scores, is_minimised: settings.is_minimised }
}

fn pointed(
    dialect: Dialect,
    markings: &[Marking],
    cases: &[TestCase],
    statics: &[StaticCase],
    log: &mut Log,
) -> Pointed {
    let within = |name: &str, case: &TestCase| case.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let in_group = |name: &str| -> Vec<usize> {
        cases.iter().enumerate().filter(|(_, case)| within(name, case)).map(|(i, _)| i).collect()
    };
    let is_group = |m: &&Marking| parent(&m.group) == Some("secret") && (m.has_file || dialect == Dialect::Draft2023);
    let found: Vec<&Marking> = markings.iter().filter(is_group).collect();
    let nothing = Points::default();
    let of_secret = markings.iter().find(|m| m.group == "secret");
    let said = of_secret.map_or(&nothing, |m| &m.points);
    let most = said.most.unwrap_or(Some(100.0));
    let is_loose = |case: &usize| !found.iter().any(|m| within(&m.group, &cases[*case]));
    let loose: Vec<usize> = in_group("secret").into_iter().filter(is_loose).collect();
    // What the static validator is asked comes after all test cases.
    let static_case = |name: &str| statics.iter().position(|case| case.group == name).map(|at| cases.len() + at);
    let group = |name: &str, said: &Points, cases, aggregation, most| PointedGroup {
        name: name.to_owned(),
        cases,
        aggregation,
        most,
        static_case: static_case(name),
        of_static: said.of_static.unwrap_or(0.0),
        requires: said.requires.clone(),
    };
    let secret = group("secret", said, loose, said.aggregation.unwrap_or(Aggregation::Sum), most);
    let groups = found.iter().map(|m| {
        let aggregation = m.points.aggregation.unwrap_or_default();
        group(&m.group, &m.points, in_group(&m.group), aggregation, m.points.greatest())
    });
    let samples = in_group("sample").into_iter().chain(static_case("sample")).collect();
    let pointed = Pointed { samples, groups: groups.collect(), secret };
    if let Some(marking) = of_secret {
        check(&pointed, marking, &found, dialect, log);
    }
    pointed
}

/// Tells of what contradicts itself: mistakes in the newest version, notes in drafts of it.
fn check(pointed: &Pointed, of_secret: &Marking, found: &[&Marking], dialect: Dialect, log: &mut Log) {
    let mut tell = |place: &str, text: String| log.contradiction(dialect, place, &text);
    let secret = &pointed.secret;
    let is_all_or_nothing = secret.aggregation == Aggregation::PassFail;
    if is_all_or_nothing && secret.most.is_none() {
        tell(&of_secret.place, "is `pass-fail`, so its `max_score` cannot be `unbounded`".to_owned());
    }
    for name in secret.requires.iter().filter(|name| *name != "sample") {
        tell(&of_secret.place, format!("`secret` can require `sample` alone, and not `{}`", super::log::shown(name)));
    }
    for (group, marking) in pointed.groups.iter().zip(found) {
        let words = group.aggregation.word();
        if is_all_or_nothing && group.aggregation != Aggregation::PassFail {
            tell(&marking.place, format!("is `{words}` within `secret`, which is `pass-fail`"));
        }
        let is_bounded_around = !is_all_or_nothing && secret.most.is_some();
        if group.most.is_none() && (is_bounded_around || (!is_all_or_nothing && words == "pass-fail")) {
            tell(&marking.place, "gives points, and has no `max_score`".to_owned());
        }
        for name in &group.requires {
            let other = pointed.groups.iter().find(|other| other.name == *name);
            let why = match other {
                None if name == "sample" => continue,
                None => "is no group",
                Some(other) if other.name >= group.name => "does not come before it",
                Some(other) if other.aggregation != Aggregation::PassFail => "is not `pass-fail`",
                Some(_) => continue,
            };
            tell(&marking.place, format!("requires `{}`, which {why}", super::log::shown(name)));
        }
    }
}

/// The folder around a group; `data` itself is the empty name.
fn parent(group: &str) -> Option<&str> {
    if group.is_empty() {
        return None;
    }
    Some(group.rsplit_once('/').map_or("", |(parent, _)| parent))
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
