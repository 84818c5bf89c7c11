//! `submissions.yaml`: expectations by patterns of submissions, on all test cases or on some.

use super::dialect::Dialect;
use super::model::{PackageSubmission, SubmissionRule, TimeBound};
use super::name_pattern;
use super::package_log::{PackageLog, shorten_for_message};
use super::package_tree::PackageTree;
use super::problem_yaml::ProblemYaml;
use super::yaml_tree::{self, YamlKey, YamlKind, YamlNode, YamlReader};
use crate::score::ExpectedScore;
use crate::verdict::{Expectation, ExpectationScope, Verdict, VerdictSet};
use rebut_diagnostics::Result;

/// Path of the file that describes submissions.
pub(super) const SUBMISSIONS_YAML_FILE: &str = "submissions/submissions.yaml";

/// Pattern of a rule about all test cases.
const ALL_CASES_PATTERN: &str = "*";

const ENTRY_KEYS: [&str; 9] = [
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

/// The expectation of an entry, on all test cases or on some.
#[derive(Clone, Debug, Default)]
struct EntryExpectation {
    permitted: Option<VerdictSet>,
    required: Option<VerdictSet>,
    expected_score: Option<ExpectedScore>,
    message: Option<String>,
    time_limit_use: TimeLimitUse,
}

/// The `use_for_time_limit` of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeLimitUse {
    /// Not stated: derived from the permitted and required verdicts.
    #[default]
    Derived,
    Never,
    Bound(TimeBound),
}

/// An entry: a pattern, its expectation, and expectations on some test cases.
struct SubmissionsYamlEntry<'n> {
    pattern: &'n YamlKey,
    expectation: EntryExpectation,
    case_expectations: Vec<(String, EntryExpectation)>,
    language: Option<String>,
    entry_point: Option<String>,
}

/// Applies the file to the submissions, if it exists.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub(super) fn read_submissions_yaml(
    tree: &PackageTree,
    settings: &ProblemYaml,
    submissions: &mut [PackageSubmission],
    log: &mut PackageLog,
) -> Result<()> {
    let Some(root) = yaml_tree::read_document(tree, SUBMISSIONS_YAML_FILE, log)? else { return Ok(()) };
    let is_strict = matches!(settings.dialect, Dialect::Draft2023 | Dialect::V2025);
    let mut reader = YamlReader::new(SUBMISSIONS_YAML_FILE, is_strict, log);
    for (pattern, value) in reader.read_map("submissions.yaml", &root) {
        let entry = read_entry(pattern, value, &mut reader);
        let mut is_used = false;
        for submission in
            submissions.iter_mut().filter(|s| name_pattern::matches_name_or_parent(&pattern.name, &s.name))
        {
            is_used = true;
            entry.apply_to_submission(submission, &mut reader);
        }
        if !is_used && folder_expectation(&pattern.name, settings.dialect).is_none() {
            reader
                .add_note(pattern.position, &format!("no submission matches `{}`", shorten_for_message(&pattern.name)));
        }
    }
    Ok(())
}

fn read_entry<'n>(pattern: &'n YamlKey, value: &'n YamlNode, reader: &mut YamlReader<'_>) -> SubmissionsYamlEntry<'n> {
    let mut entry = SubmissionsYamlEntry {
        pattern,
        expectation: EntryExpectation::default(),
        case_expectations: Vec::new(),
        language: None,
        entry_point: None,
    };
    for (key, value) in reader.read_map(&pattern.name, value) {
        match key.name.as_str() {
            "language" => entry.language = reader.read_text("language", value),
            "entrypoint" => entry.entry_point = reader.read_text("entrypoint", value),
            "authors" => {}
            "model_solution" => drop(reader.read_boolean("model_solution", value)),
            _ if entry.expectation.read_key(key, value, reader) => {}
            name if is_case_pattern(name) => {
                let mut expectation = EntryExpectation::default();
                for (key, value) in reader.read_map(name, value) {
                    if !expectation.read_key(key, value, reader) {
                        reader.report_unknown_key(key, &ENTRY_KEYS[4..]);
                    }
                }
                entry.case_expectations.push((name.to_owned(), expectation));
            }
            _ => reader.report_unknown_key(key, &ENTRY_KEYS),
        }
    }
    entry
}

/// Returns true if a key is a pattern of test cases.
fn is_case_pattern(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    matches!(first, "sample" | "secret") || first.contains(['*', '{', '?', '['])
}

impl EntryExpectation {
    /// Reads a key. Returns true if it is part of an expectation.
    fn read_key(&mut self, key: &YamlKey, value: &YamlNode, reader: &mut YamlReader<'_>) -> bool {
        match key.name.as_str() {
            "permitted" => self.permitted = read_verdicts("permitted", value, reader),
            "required" => self.required = read_verdicts("required", value, reader),
            "score" => self.expected_score = read_expected_score(value, reader),
            "message" => self.message = reader.read_text("message", value).filter(|text| !text.is_empty()),
            "use_for_time_limit" => self.time_limit_use = read_time_limit_use(value, reader),
            _ => return false,
        }
        true
    }

    /// Returns the expected verdicts, if it restricts them.
    fn to_expectation(&self) -> Option<Expectation> {
        (self.permitted.is_some() || self.required.is_some()).then(|| Expectation {
            permitted: self.permitted.unwrap_or(VerdictSet::ANY),
            required: self.required.unwrap_or(VerdictSet::NONE),
            subject: ExpectationScope::EachCase,
        })
    }

    fn to_time_bound(&self) -> Option<TimeBound> {
        let slow = VerdictSet::from_verdicts(&[Verdict::TimeLimit]);
        match self.time_limit_use {
            TimeLimitUse::Never => None,
            TimeLimitUse::Bound(bound) => Some(bound),
            TimeLimitUse::Derived if self.required == Some(slow) => Some(TimeBound::Upper),
            TimeLimitUse::Derived if self.permitted.is_some_and(|p| p.intersection(slow).is_empty()) => {
                Some(TimeBound::Lower)
            }
            TimeLimitUse::Derived => None,
        }
    }

    fn to_rule(&self, pattern: &str) -> SubmissionRule {
        SubmissionRule {
            pattern: pattern.to_owned(),
            expectation: self.to_expectation(),
            expected_score: self.expected_score,
            message: self.message.clone(),
            time_bound: self.to_time_bound(),
        }
    }
}

impl SubmissionsYamlEntry<'_> {
    fn apply_to_submission(&self, submission: &mut PackageSubmission, reader: &mut YamlReader<'_>) {
        // An entry for the folder itself replaces the expectation of the folder; any other entry adds to it.
        if self.pattern.name == first_component(&submission.name) {
            self.replace_folder_expectation(submission);
        } else {
            self.add_expectation(submission, reader);
        }
        submission
            .rules
            .extend(self.case_expectations.iter().map(|(pattern, expectation)| expectation.to_rule(pattern)));
        if let Some(message) = &self.expectation.message {
            let rule = EntryExpectation { message: Some(message.clone()), ..EntryExpectation::default() }
                .to_rule(ALL_CASES_PATTERN);
            submission.rules.push(rule);
        }
        submission.expected_score = self.expectation.expected_score.or(submission.expected_score);
        submission.language = self.language.clone().or(submission.language.take());
        submission.entry_point = self.entry_point.clone().or(submission.entry_point.take());
    }

    fn replace_folder_expectation(&self, submission: &mut PackageSubmission) {
        let expectation = &mut submission.expectation;
        let is_about_verdicts = self.expectation.to_expectation().is_some();
        if is_about_verdicts {
            expectation.subject = ExpectationScope::EachCase;
        }
        expectation.permitted = self.expectation.permitted.unwrap_or(expectation.permitted);
        expectation.required = self.expectation.required.unwrap_or(expectation.required);
        if is_about_verdicts || self.expectation.time_limit_use != TimeLimitUse::Derived {
            let whole = EntryExpectation {
                permitted: Some(expectation.permitted),
                required: Some(expectation.required),
                time_limit_use: self.expectation.time_limit_use,
                ..EntryExpectation::default()
            };
            submission.time_bound = whole.to_time_bound();
        }
    }

    fn add_expectation(&self, submission: &mut PackageSubmission, reader: &mut YamlReader<'_>) {
        if self.expectation.time_limit_use != TimeLimitUse::Derived {
            submission.time_bound = self.expectation.to_time_bound();
        }
        let Some(added) = self.expectation.to_expectation() else { return };
        let expectation = &mut submission.expectation;
        let permitted = expectation.permitted.intersection(added.permitted);
        if permitted.is_empty() {
            let name = shorten_for_message(&submission.name);
            reader.report_error(self.pattern.position, format!("no verdict remains that is permitted for `{name}`"));
            return;
        }
        if self.expectation.time_limit_use == TimeLimitUse::Derived {
            submission.time_bound = submission.time_bound.or(self.expectation.to_time_bound());
        }
        *expectation = Expectation {
            permitted,
            required: if expectation.required.is_empty() { added.required } else { expectation.required },
            subject: ExpectationScope::EachCase,
        };
        // Two requirements of at least one test case each are separate, not alternatives.
        if expectation.required != added.required && !added.required.is_empty() {
            submission.rules.push(self.expectation.to_rule(ALL_CASES_PATTERN));
        }
    }
}

fn first_component(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

fn read_verdicts(key: &str, value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<VerdictSet> {
    let mut set = VerdictSet::NONE;
    for code in reader.read_text_list(key, value)? {
        set = set.union(match code.as_str() {
            "AC" => VerdictSet::from_verdicts(&[Verdict::Accepted]),
            "WA" => WRONG_VERDICTS,
            "TLE" => VerdictSet::from_verdicts(&[Verdict::TimeLimit]),
            "RTE" => CRASH_VERDICTS,
            _ => {
                reader.report_error(
                    value.position,
                    format!("`{key}` has an unknown verdict: `{}`", shorten_for_message(&code)),
                );
                reader.add_help("known verdicts: `AC`, `WA`, `TLE` and `RTE`");
                return None;
            }
        });
    }
    if set.is_empty() {
        reader.report_error(value.position, format!("`{key}` has no verdicts"));
        return None;
    }
    Some(set)
}

fn read_expected_score(value: &YamlNode, reader: &mut YamlReader<'_>) -> Option<ExpectedScore> {
    let numbers: Option<Vec<f64>> = match &value.kind {
        YamlKind::Number(number, _) => return Some(ExpectedScore::Within(*number, *number)),
        YamlKind::List(items) => {
            let number =
                |item: &YamlNode| if let YamlKind::Number(number, _) = item.kind { Some(number) } else { None };
            items.iter().map(number).collect()
        }
        _ => None,
    };
    match numbers.as_deref() {
        Some([from, to]) if from <= to => Some(ExpectedScore::Within(*from, *to)),
        _ => {
            let text = format!(
                "`score` should be a number, or a list of two with the smaller first, not {}",
                value.describe_value()
            );
            reader.report_error(value.position, text);
            None
        }
    }
}

fn read_time_limit_use(value: &YamlNode, reader: &mut YamlReader<'_>) -> TimeLimitUse {
    match (&value.kind, value.scalar_text()) {
        (YamlKind::Boolean(true, _), _) => TimeLimitUse::Derived,
        (YamlKind::Boolean(false, _), _) => TimeLimitUse::Never,
        (_, Some("lower")) => TimeLimitUse::Bound(TimeBound::Lower),
        (_, Some("upper")) => TimeLimitUse::Bound(TimeBound::Upper),
        _ => {
            let text = format!(
                "`use_for_time_limit` should be `true`, `false`, `lower` or `upper`, not {}",
                value.describe_value()
            );
            reader.report_error(value.position, text);
            TimeLimitUse::Derived
        }
    }
}

// The expectations of the folders below `submissions/`.
//
// In the newer dialects each test case counts. In the legacy ones a submission has a single verdict, that of the
// first test case that it fails, because Kattis and DOMjudge judge in this way.

/// Any kind of wrong output.
pub(super) const WRONG_VERDICTS: VerdictSet =
    VerdictSet::from_verdicts(&[Verdict::WrongAnswer, Verdict::PresentationError, Verdict::OutputLimit]);

/// Any kind of abnormal end: the verdicts of packages do not distinguish memory and output limits.
pub(super) const CRASH_VERDICTS: VerdictSet =
    VerdictSet::from_verdicts(&[Verdict::RuntimeError, Verdict::MemoryLimit, Verdict::OutputLimit]);

const ACCEPTED_VERDICT: VerdictSet = VerdictSet::from_verdicts(&[Verdict::Accepted]);

const TIME_LIMIT_VERDICT: VerdictSet = VerdictSet::from_verdicts(&[Verdict::TimeLimit]);

/// Returns what a folder expects of its submissions, and how their times bound the time limit. `None` for an unknown
/// folder.
pub(super) fn folder_expectation(folder: &str, dialect: Dialect) -> Option<(Expectation, Option<TimeBound>)> {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => legacy_folder_expectation(folder),
        // While it was a draft, packages kept the folders of the legacy dialects.
        Dialect::Draft2023 => newer_folder_expectation(folder).or_else(|| legacy_folder_expectation(folder)),
        Dialect::V2025 => newer_folder_expectation(folder),
    }
}

fn newer_folder_expectation(folder: &str) -> Option<(Expectation, Option<TimeBound>)> {
    let each = |others: VerdictSet| Expectation {
        permitted: ACCEPTED_VERDICT.union(others),
        required: others,
        subject: ExpectationScope::EachCase,
    };
    let all = WRONG_VERDICTS.union(TIME_LIMIT_VERDICT).union(CRASH_VERDICTS);
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(TimeBound::Lower)),
        "rejected" => (each(all), None),
        "wrong_answer" => (each(WRONG_VERDICTS), Some(TimeBound::Lower)),
        "time_limit_exceeded" => (each(TIME_LIMIT_VERDICT), Some(TimeBound::Upper)),
        "run_time_error" => (each(CRASH_VERDICTS), Some(TimeBound::Lower)),
        "brute_force" => (each(TIME_LIMIT_VERDICT.union(CRASH_VERDICTS)), None),
        _ => return None,
    })
}

fn legacy_folder_expectation(folder: &str) -> Option<(Expectation, Option<TimeBound>)> {
    let whole = Expectation::for_whole_set;
    let anything = Expectation { required: VerdictSet::NONE, ..whole(VerdictSet::ANY) };
    Some(match folder {
        "accepted" => (Expectation::ACCEPTED, Some(TimeBound::Lower)),
        "wrong_answer" | "presentation_error" => (whole(WRONG_VERDICTS), None),
        "no_output" => (whole(WRONG_VERDICTS), None),
        "time_limit_exceeded" | "timelimit" => (whole(TIME_LIMIT_VERDICT), Some(TimeBound::Upper)),
        "run_time_error" | "runtime_error" | "run_error" => (whole(CRASH_VERDICTS), None),
        "memory_limit_exceeded" => (whole(CRASH_VERDICTS), None),
        "output_limit" | "output_limit_exceeded" => (whole(CRASH_VERDICTS.union(WRONG_VERDICTS)), None),
        "compiler_error" | "compile_error" => (whole(VerdictSet::from_verdicts(&[Verdict::CompileError])), None),
        "rejected" => (whole(WRONG_VERDICTS.union(TIME_LIMIT_VERDICT).union(CRASH_VERDICTS)), None),
        "brute_force" => (whole(TIME_LIMIT_VERDICT.union(CRASH_VERDICTS)), None),
        "slow_accepted" => (whole(ACCEPTED_VERDICT.union(TIME_LIMIT_VERDICT)), None),
        // Distinguished by the score only, in problems with scores.
        "partially_accepted" | "mixed" | "mixed-verdicts" | "multiple" | "check_manually" => (anything, None),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_folders_expect_less_than_newer_ones() {
        use Verdict::{Accepted as AC, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};
        let expectation = |folder, dialect| folder_expectation(folder, dialect).map(|(expectation, _)| expectation);
        let is_met = |folder, dialect, verdicts: &[Verdict]| {
            expectation(folder, dialect).is_some_and(|e| e.find_unmet(verdicts).is_none())
        };
        for (folder, verdicts, legacy, newer) in [
            ("accepted", vec![AC, AC], true, true),
            ("wrong_answer", vec![AC, WA, TLE], true, false),
            ("wrong_answer", vec![AC, AC], false, false),
            ("time_limit_exceeded", vec![AC, TLE, WA], true, false),
            ("time_limit_exceeded", vec![WA, TLE], false, false),
            ("run_time_error", vec![AC, RTE], true, true),
            ("brute_force", vec![AC, RTE, TLE], true, true),
            ("rejected", vec![AC, WA], true, true),
        ] {
            assert_eq!(is_met(folder, Dialect::Legacy, &verdicts), legacy, "{folder} {verdicts:?}");
            assert_eq!(is_met(folder, Dialect::V2025, &verdicts), newer, "{folder} {verdicts:?}");
        }
        assert_eq!(expectation("slow_accepted", Dialect::V2025), None);
    }
}
