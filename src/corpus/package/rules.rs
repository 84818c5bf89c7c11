//! `submissions.yaml`: patterns of submissions, and what is expected of those that fit, everywhere or on some test cases.

use super::folders::{self, CRASHED, WRONG};
use super::glob;
use super::log::{Log, shown};
use super::model::{Bound, Dialect, Rule, Submission};
use super::settings::Settings;
use super::sheet::{self, Sheet};
use super::submissions::FILE;
use super::tree::Tree;
use super::yaml::{Key, Kind, Node};
use crate::diagnostic::Result;
use crate::score::Wanted;
use crate::verdict::{Expectation, Subject, Verdict, Verdicts};

/// Every test case: the pattern of a rule about the whole.
const EVERYWHERE: &str = "*";

const KNOWN: [&str; 9] = [
    "language",
    "entrypoint",
    "authors",
    "model_solution",
    "permitted",
    "required",
    "score",
    "message",
    "use_for_time_limit",
];

/// What an entry demands, of all test cases or of some.
#[derive(Clone, Debug, Default)]
struct Demand {
    permitted: Option<Verdicts>,
    required: Option<Verdicts>,
    score: Option<Wanted>,
    message: Option<String>,
    times: Times,
}

/// What an entry says of the time limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Times {
    /// Nothing: it follows from what is permitted and required.
    #[default]
    Derived,
    Never,
    Bound(Bound),
}

/// An entry: a pattern, what it demands, and where else it demands what.
struct Entry<'n> {
    pattern: &'n Key,
    demand: Demand,
    places: Vec<(String, Demand)>,
    language: Option<String>,
    entry_point: Option<String>,
}

/// Reads the file, if it is there, into the submissions.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read(tree: &Tree, settings: &Settings, submissions: &mut [Submission], log: &mut Log) -> Result<()> {
    let Some(root) = sheet::document(tree, FILE, log)? else { return Ok(()) };
    let is_strict = matches!(settings.dialect, Dialect::Draft2023 | Dialect::V2025);
    let mut sheet = Sheet::new(FILE, is_strict, log);
    for (pattern, value) in sheet.map("submissions.yaml", &root) {
        let entry = entry(pattern, value, &mut sheet);
        let mut is_used = false;
        for submission in submissions.iter_mut().filter(|s| glob::covers(&pattern.name, &s.name)) {
            is_used = true;
            entry.apply(submission, &mut sheet);
        }
        if !is_used && folders::meaning(&pattern.name, settings.dialect).is_none() {
            sheet.note(pattern.at, &format!("no submission fits `{}`", shown(&pattern.name)));
        }
    }
    Ok(())
}

fn entry<'n>(pattern: &'n Key, value: &'n Node, sheet: &mut Sheet<'_>) -> Entry<'n> {
    let mut entry = Entry { pattern, demand: Demand::default(), places: Vec::new(), language: None, entry_point: None };
    for (key, value) in sheet.map(&pattern.name, value) {
        match key.name.as_str() {
            "language" => entry.language = sheet.text("language", value),
            "entrypoint" => entry.entry_point = sheet.text("entrypoint", value),
            "authors" => {}
            "model_solution" => drop(sheet.boolean("model_solution", value)),
            _ if entry.demand.take(key, value, sheet) => {}
            name if is_place(name) => {
                let mut demand = Demand::default();
                for (key, value) in sheet.map(name, value) {
                    if !demand.take(key, value, sheet) {
                        sheet.unknown(key, &KNOWN[4..]);
                    }
                }
                entry.places.push((name.to_owned(), demand));
            }
            _ => sheet.unknown(key, &KNOWN),
        }
    }
    entry
}

/// Whether a key is a pattern of test cases.
fn is_place(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    matches!(first, "sample" | "secret") || first.contains(['*', '{', '?', '['])
}

impl Demand {
    /// Takes a key; whether it is one of a demand.
    fn take(&mut self, key: &Key, value: &Node, sheet: &mut Sheet<'_>) -> bool {
        match key.name.as_str() {
            "permitted" => self.permitted = verdicts("permitted", value, sheet),
            "required" => self.required = verdicts("required", value, sheet),
            "score" => self.score = score(value, sheet),
            "message" => self.message = sheet.text("message", value).filter(|text| !text.is_empty()),
            "use_for_time_limit" => self.times = times(value, sheet),
            _ => return false,
        }
        true
    }

    /// What it expects, where it says something of verdicts.
    fn expectation(&self) -> Option<Expectation> {
        (self.permitted.is_some() || self.required.is_some()).then(|| Expectation {
            permitted: self.permitted.unwrap_or(Verdicts::ANY),
            required: self.required.unwrap_or(Verdicts::NONE),
            subject: Subject::EachCase,
        })
    }

    fn bound(&self) -> Option<Bound> {
        let slow = Verdicts::of(&[Verdict::TimeLimit]);
        match self.times {
            Times::Never => None,
            Times::Bound(bound) => Some(bound),
            Times::Derived if self.required == Some(slow) => Some(Bound::Upper),
            Times::Derived if self.permitted.is_some_and(|p| p.and(slow).is_empty()) => Some(Bound::Lower),
            Times::Derived => None,
        }
    }

    fn rule(&self, pattern: &str) -> Rule {
        Rule {
            pattern: pattern.to_owned(),
            expectation: self.expectation(),
            score: self.score,
            message: self.message.clone(),
            times: self.bound(),
        }
    }
}

impl Entry<'_> {
    fn apply(&self, submission: &mut Submission, sheet: &mut Sheet<'_>) {
        // Of the folder itself, an entry replaces what the folder means; any other one is added to it.
        if self.pattern.name == folder_of(&submission.name) {
            self.replace(submission);
        } else {
            self.add(submission, sheet);
        }
        submission.rules.extend(self.places.iter().map(|(pattern, demand)| demand.rule(pattern)));
        if let Some(message) = &self.demand.message {
            let rule = Demand { message: Some(message.clone()), ..Demand::default() }.rule(EVERYWHERE);
            submission.rules.push(rule);
        }
        submission.score = self.demand.score.or(submission.score);
        submission.language = self.language.clone().or(submission.language.take());
        submission.entry_point = self.entry_point.clone().or(submission.entry_point.take());
    }

    fn replace(&self, submission: &mut Submission) {
        let expectation = &mut submission.expectation;
        let is_about_verdicts = self.demand.expectation().is_some();
        if is_about_verdicts {
            expectation.subject = Subject::EachCase;
        }
        expectation.permitted = self.demand.permitted.unwrap_or(expectation.permitted);
        expectation.required = self.demand.required.unwrap_or(expectation.required);
        if is_about_verdicts || self.demand.times != Times::Derived {
            let whole = Demand {
                permitted: Some(expectation.permitted),
                required: Some(expectation.required),
                times: self.demand.times,
                ..Demand::default()
            };
            submission.times = whole.bound();
        }
    }

    fn add(&self, submission: &mut Submission, sheet: &mut Sheet<'_>) {
        if self.demand.times != Times::Derived {
            submission.times = self.demand.bound();
        }
        let Some(added) = self.demand.expectation() else { return };
        let expectation = &mut submission.expectation;
        let permitted = expectation.permitted.and(added.permitted);
        if permitted.is_empty() {
            let name = shown(&submission.name);
            sheet.wrong(self.pattern.at, format!("nothing is left that `{name}` may get"));
            return;
        }
        if self.demand.times == Times::Derived {
            submission.times = submission.times.or(self.demand.bound());
        }
        *expectation = Expectation {
            permitted,
            required: if expectation.required.is_empty() { added.required } else { expectation.required },
            subject: Subject::EachCase,
        };
        // Two demands for at least one test case are two, not one for either.
        if expectation.required != added.required && !added.required.is_empty() {
            submission.rules.push(self.demand.rule(EVERYWHERE));
        }
    }
}

fn folder_of(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

fn verdicts(key: &str, value: &Node, sheet: &mut Sheet<'_>) -> Option<Verdicts> {
    let mut set = Verdicts::NONE;
    for code in sheet.texts(key, value)? {
        set = set.or(match code.as_str() {
            "AC" => Verdicts::of(&[Verdict::Accepted]),
            "WA" => WRONG,
            "TLE" => Verdicts::of(&[Verdict::TimeLimit]),
            "RTE" => CRASHED,
            _ => {
                sheet.wrong(value.at, format!("`{key}` names a verdict that is none: `{}`", shown(&code)));
                sheet.help("there are `AC`, `WA`, `TLE` and `RTE`");
                return None;
            }
        });
    }
    if set.is_empty() {
        sheet.wrong(value.at, format!("`{key}` names no verdict"));
        return None;
    }
    Some(set)
}

fn score(value: &Node, sheet: &mut Sheet<'_>) -> Option<Wanted> {
    let numbers: Option<Vec<f64>> = match &value.kind {
        Kind::Number(number, _) => return Some(Wanted::Within(*number, *number)),
        Kind::List(items) => {
            let number = |item: &Node| if let Kind::Number(number, _) = item.kind { Some(number) } else { None };
            items.iter().map(number).collect()
        }
        _ => None,
    };
    match numbers.as_deref() {
        Some([from, to]) if from <= to => Some(Wanted::Within(*from, *to)),
        _ => {
            let text =
                format!("`score` should be a number, or a list of two, the smaller first, and is {}", value.words());
            sheet.wrong(value.at, text);
            None
        }
    }
}

fn times(value: &Node, sheet: &mut Sheet<'_>) -> Times {
    match (&value.kind, value.scalar()) {
        (Kind::Boolean(true, _), _) => Times::Derived,
        (Kind::Boolean(false, _), _) => Times::Never,
        (_, Some("lower")) => Times::Bound(Bound::Lower),
        (_, Some("upper")) => Times::Bound(Bound::Upper),
        _ => {
            let text =
                format!("`use_for_time_limit` should be `true`, `false`, `lower` or `upper`, and is {}", value.words());
            sheet.wrong(value.at, text);
            Times::Derived
        }
    }
}
