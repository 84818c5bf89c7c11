//! What a problem package says, whatever its dialect: plain data, read once.

use super::constants::Constants;
use super::glob;
use crate::diagnostic::{Error, Result, list_and, numbered};
use crate::run::Standard;
use crate::score::{Scale, Wanted};
use crate::verdict::{Expectation, Verdicts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The dialects of the problem package format, by the version that `problem.yaml` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// `legacy`, and packages that name no version: as Kattis, DOMjudge and BAPCtools read them.
    #[default]
    Legacy,
    /// `legacy-icpc`: the same without test groups and scores.
    LegacyIcpc,
    /// `2023-07-draft` (and the older `2023-07`).
    Draft2023,
    /// `2025-09`.
    V2025,
}

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its folder.
    pub folder: PathBuf,
    /// Its short name: the folder's.
    pub id: String,
    /// The dialect that it is written in.
    pub dialect: Dialect,
    /// Its titles by language code; empty if it has none.
    pub titles: BTreeMap<String, String>,
    /// What it says of its origin, as it is spelt: `author`, `license`, `rights_owner`, `source`, `source_url`.
    pub about: BTreeMap<String, String>,
    /// Its `input.format`, if it has one.
    pub format: Option<PathBuf>,
    /// Its `tests.toml`, if it has one.
    pub recipe: Option<PathBuf>,
    /// What programs may use.
    pub limits: PackageLimits,
    /// How submissions are judged.
    pub judging: Judging,
    /// Who judges outputs.
    pub output_validator: OutputValidator,
    /// Programs that judge inputs, sorted by name.
    pub input_validators: Vec<PathBuf>,
    /// Programs and scripts that judge answers, sorted by name.
    pub answer_validators: Vec<PathBuf>,
    /// The program that judges the sources of submissions, if there is one.
    pub static_validator: Option<PathBuf>,
    /// What it is asked.
    pub static_cases: Vec<StaticCase>,
    /// Folders whose headers its programs may include.
    pub include: Vec<PathBuf>,
    /// Standards of C and C++ that its sources are compiled by, where it names them.
    pub standards: Vec<Standard>,
    /// Everything in `submissions/`, sorted by name.
    pub submissions: Vec<Submission>,
    /// The groups of test cases, a group before those inside it; the first is `data` itself.
    pub groups: Vec<Group>,
    /// The test cases in the order in which they are judged: samples first.
    pub test_cases: Vec<TestCase>,
    /// How points come about; none if there are no points.
    pub scale: Option<Scale>,
    /// The jury's own grader, where some group has one.
    pub grader: Option<PathBuf>,
    /// What its validators are to be tried on.
    pub probes: Vec<Probe>,
    /// What `{{name}}` stands for in its programs; empty if they are to be taken as they are.
    pub constants: Constants,
    /// What was read and is not obeyed, or is likely to be a mistake: a sentence each.
    pub notes: Vec<String>,
}

/// Limits that a package states, and factors by which limits are found.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageLimits {
    /// Processor time in milliseconds, if stated.
    pub cpu_time_ms: Option<u64>,
    /// Memory in bytes, if stated.
    pub memory_bytes: Option<u64>,
    /// Output in bytes, if stated.
    pub output_bytes: Option<u64>,
    /// The size of a source in bytes, if stated.
    pub code_bytes: Option<u64>,
    /// Processor time of a validator in milliseconds, if stated.
    pub validation_time_ms: Option<u64>,
    /// Memory of a validator in bytes, if stated.
    pub validation_memory_bytes: Option<u64>,
    /// Output of a validator in bytes, if stated.
    pub validation_output_bytes: Option<u64>,
    /// How many passes a multi-pass problem has at most.
    pub validation_passes: u32,
    /// The time limit is at least so many times the time of the slowest submission that must be in time.
    pub ac_to_time_limit: f64,
    /// What must be too slow takes at least so many times the time limit.
    pub time_limit_to_tle: f64,
}

/// How submissions are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judging {
    /// Test groups have scores; a submission that is not right everywhere may have some.
    pub scoring: bool,
    /// The output validator talks to the submission.
    pub interactive: bool,
    /// A submission is run several times, and each run's input comes from the output validator.
    pub multi_pass: bool,
    /// A submission is an output, not a program.
    pub submit_answer: bool,
}

/// Who judges outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputValidator {
    /// A program or a folder of sources; none for the default one.
    pub program: Option<PathBuf>,
    /// Whether the default one is not meant: `problem.yaml` may ask for a program that is missing.
    pub is_custom: bool,
    /// Its arguments, where no test group says otherwise.
    pub arguments: Vec<String>,
}

/// A submission of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Its path below `submissions/`, with `/`: `wrong_answer/greedy.cpp`.
    pub name: String,
    /// The source, or the folder of sources.
    pub path: PathBuf,
    /// What is expected of it, over all test cases.
    pub expectation: Expectation,
    /// What is expected on some test cases only.
    pub rules: Vec<Rule>,
    /// Whether its time bounds the time limit: from below, from above, or not at all.
    pub times: Option<Bound>,
    /// The final score that is expected, in a scoring problem.
    pub score: Option<Wanted>,
    /// The language that the package says it is in, if it says so.
    pub language: Option<String>,
    /// The file, or the class, to start, if the package says so.
    pub entry_point: Option<String>,
}

/// From which side a submission's time bounds the time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It must be in time.
    Lower,
    /// It must be too slow.
    Upper,
}

/// What is expected of a submission on the test cases whose names fit a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// A glob over [`TestCase::name`] and the names of groups: `secret/large*`.
    pub pattern: String,
    /// What is expected there; none if the rule is about other things.
    pub expectation: Option<Expectation>,
    /// The score that is expected of each group whose own name fits.
    pub score: Option<Wanted>,
    /// Words that some feedback must contain.
    pub message: Option<String>,
    /// Whether the times on these test cases bound the time limit.
    pub times: Option<Bound>,
}

/// A group of test cases: a folder below `data/`.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its path below `data/`, with `/`; empty for `data` itself.
    pub name: String,
    /// Arguments of input validators; those of the group around it are inherited when the package is read.
    pub input_arguments: ByValidator,
    /// Arguments of the output validator, inherited likewise, behind those of [`OutputValidator::arguments`].
    pub output_validator_arguments: Vec<String>,
    /// The greatest score that it can give, if stated.
    pub max_score: Option<f64>,
}

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// Its path below `data/` without `.in`, with `/`: `secret/03-large/017`.
    pub name: String,
    /// The input's file.
    pub input: PathBuf,
    /// The answer's file; none if it is missing.
    pub answer: Option<PathBuf>,
    /// The index of its group in [`Package::groups`].
    pub group: usize,
    /// Arguments that are passed to the submission.
    pub arguments: Vec<String>,
    /// Arguments of the output validator, the group's or its own.
    pub output_validator_arguments: Vec<String>,
    /// Arguments of input validators, the group's or its own.
    pub input_arguments: ByValidator,
    /// Arguments of answer validators, the group's or its own.
    pub answer_arguments: ByValidator,
    /// A folder of files that a submission finds beside it, if there is one.
    pub files: Option<PathBuf>,
    /// Whether it is a sample.
    pub is_sample: bool,
}

/// Arguments of several validators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByValidator {
    /// Those of each.
    pub of_all: Vec<String>,
    /// Those of single ones by their names; where there are any, the others get none.
    pub by_name: BTreeMap<String, Vec<String>>,
}

/// A question about the sources of a submission, which counts as a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticCase {
    /// The group that asks.
    pub group: String,
    /// Arguments of the static validator.
    pub arguments: Vec<String>,
}

/// Something to try a package's validators on, and what they must say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Its path below `data/` or the validator's tests, without an extension.
    pub name: String,
    /// The input.
    pub input: PathBuf,
    /// The answer and the output, where it is the output validator that is tried.
    pub output: Option<(PathBuf, PathBuf)>,
    /// Whether it has to be accepted.
    pub is_valid: bool,
    /// Whether its output is an answer, so that it is answer validators that are tried, too.
    pub is_answer: bool,
    /// Arguments of the input validators, or of the output validator.
    pub arguments: ByValidator,
    /// Arguments of answer validators.
    pub answer_arguments: ByValidator,
}

impl Default for PackageLimits {
    fn default() -> Self {
        PackageLimits {
            cpu_time_ms: None,
            memory_bytes: None,
            output_bytes: None,
            code_bytes: None,
            validation_time_ms: None,
            validation_memory_bytes: None,
            validation_output_bytes: None,
            validation_passes: 2,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
        }
    }
}

impl Package {
    /// The submissions that must be right everywhere.
    pub fn accepted(&self) -> impl Iterator<Item = &Submission> {
        self.submissions.iter().filter(|s| s.expectation.is_accepted())
    }

    /// The groups below `data/secret` that hold test cases of their own, in their order.
    pub fn secret_groups(&self) -> impl Iterator<Item = (usize, &Group)> {
        let has_cases = |number: usize| self.test_cases.iter().any(|case| case.group == number);
        let groups = self.groups.iter().enumerate().filter(|(_, group)| group.name.starts_with("secret/"));
        groups.filter(move |(number, _)| has_cases(*number))
    }

    /// Returns an error if a test case of a scoring problem lies beside the groups, where it decides no points: a submission
    /// that fails on it alone would get all of them.
    ///
    /// # Errors
    /// Names the first such test case, and the groups.
    pub fn check_groups(&self) -> Result<()> {
        let outside = self.scale.as_ref().map(Scale::cases_without_points).unwrap_or_default();
        let Some(case) = outside.iter().find_map(|number| self.test_cases.get(*number)) else { return Ok(()) };
        let others = match outside.len() - 1 {
            0 => String::new(),
            count => format!(" (like {})", numbered(count, "other test case")),
        };
        let text =
            format!("`{}`: the test case `{}` is in no group, so it gives no points{others}", self.id, case.name);
        let groups: Vec<String> = self.secret_groups().map(|(_, group)| format!("`{}`", group.name)).collect();
        Err(Error::usage(text).with_help(match &groups[..] {
            [] => "move it into a group: a folder of `data/secret` with points".to_owned(),
            [only] => format!("move it into {only}"),
            several => format!("move it into one of {}", list_and(several)),
        }))
    }

    /// What can be said of a submission by the folder that it lies in, below `submissions/`.
    pub fn folder_of(submission: &Submission) -> &str {
        submission.name.split('/').next().unwrap_or_default()
    }
}

impl Judging {
    /// Returns true if what a submission prints on an input alone says nothing: it speaks with a program of the jury.
    pub fn is_conversation(self) -> bool {
        self.interactive || self.multi_pass
    }
}

impl ByValidator {
    /// The arguments of this validator: where some have arguments of their own, the others have none.
    pub fn of(&self, validator: &Path) -> &[String] {
        if self.by_name.is_empty() {
            return &self.of_all;
        }
        let names = [validator.file_name(), validator.file_stem()];
        let mut found = names.into_iter().flatten().filter_map(|name| self.by_name.get(name.to_str()?));
        found.next().map_or(&[], Vec::as_slice)
    }
}

impl StaticCase {
    /// What it is called among the test cases.
    pub fn name(&self) -> String {
        format!("{}/(static)", self.group)
    }
}

impl Rule {
    /// Whether it is about a test case or a group of this name.
    pub fn is_about(&self, name: &str) -> bool {
        glob::covers(&self.pattern, name)
    }

    /// Whether the pattern is that of a group itself, not of something in it.
    pub fn names(&self, group: &str) -> bool {
        glob::fits_itself(&self.pattern, group)
    }

    /// What the rule permits, where it says something of verdicts.
    pub fn permitted(&self) -> Option<Verdicts> {
        self.expectation.map(|e| e.permitted)
    }
}
