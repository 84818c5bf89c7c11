//! The contents of a problem package as plain data, independent of the dialect.

use super::dialect::Dialect;
use super::name_pattern;
use super::package_log::shorten_for_message;
use super::yaml_tree::{YamlKind, YamlNode, YamlReader};
use crate::score::{ExpectedScore, Scoring};
use crate::verdict::Expectation;
use rebut_diagnostics::{Error, Result, count_with_noun, list_and};
use rebut_toolchain::LanguageStandard;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// Folder of the package.
    pub folder: PathBuf,
    /// Short name: the name of the folder.
    pub id: String,
    /// Dialect of the package.
    pub dialect: Dialect,
    /// Titles by language code; may be empty.
    pub titles: BTreeMap<String, String>,
    /// Origin, with the keys of `problem.yaml`: `author`, `license`, `rights_owner`, `source`, `source_url`, `uuid`; and
    /// `keywords` and `languages`, a line each.
    pub metadata: BTreeMap<String, String>,
    /// Path of `input.format`, if it exists.
    pub format: Option<PathBuf>,
    /// Path of `tests.toml`, if it exists.
    pub recipe: Option<PathBuf>,
    /// What makes its test data, if a file of the package seems to do that: a sentence.
    pub data_origin: Option<String>,
    /// Limits for programs.
    pub limits: PackageLimits,
    /// How submissions are judged.
    pub problem_type: ProblemType,
    /// Program that judges outputs.
    pub output_validator: OutputValidator,
    /// Programs that validate inputs, sorted by name.
    pub input_validators: Vec<PathBuf>,
    /// Programs and scripts that validate answers, sorted by name.
    pub answer_validators: Vec<PathBuf>,
    /// Program that draws inputs, if any.
    pub input_visualizer: Option<PathBuf>,
    /// Program that draws outputs, if any.
    pub output_visualizer: Option<PathBuf>,
    /// Program that validates the sources of submissions, if any.
    pub static_validator: Option<PathBuf>,
    /// Checks of the static validator.
    pub static_cases: Vec<StaticCase>,
    /// Include folders for its programs.
    pub include: Vec<PathBuf>,
    /// C and C++ standards for its sources, where the package states them.
    pub standards: Vec<LanguageStandard>,
    /// Everything in `submissions/`, sorted by name.
    pub submissions: Vec<PackageSubmission>,
    /// Groups of test cases, parents before children. The first is `data` itself.
    pub groups: Vec<TestGroup>,
    /// Test cases in judging order, samples first.
    pub test_cases: Vec<TestCase>,
    /// Scoring; `None` if the problem has no scores.
    pub scoring: Option<Scoring>,
    /// Custom grader, if some group uses one.
    pub grader: Option<PathBuf>,
    /// Inputs and outputs that its validators are to be tried on.
    pub probes: Vec<ValidatorProbe>,
    /// Values of `{{name}}` in its programs; empty if the programs are used unchanged.
    pub constants: Constants,
    /// Notes on settings that are ignored or likely to be mistakes, one sentence each.
    pub notes: Vec<String>,
}

/// Limits stated by a package, and factors to derive time limits from.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageLimits {
    /// CPU time in milliseconds, if stated.
    pub cpu_time_ms: Option<u64>,
    /// Memory in bytes, if stated.
    pub memory_bytes: Option<u64>,
    /// Output in bytes, if stated.
    pub output_bytes: Option<u64>,
    /// Size of a source in bytes, if stated.
    pub code_bytes: Option<u64>,
    /// CPU time of a validator in milliseconds, if stated.
    pub validation_time_ms: Option<u64>,
    /// Memory of a validator in bytes, if stated.
    pub validation_memory_bytes: Option<u64>,
    /// Output of a validator in bytes, if stated.
    pub validation_output_bytes: Option<u64>,
    /// Maximum number of passes in a multi-pass problem.
    pub validation_passes: u32,
    /// Minimum ratio of the time limit to the time of the slowest submission that must be in time.
    pub ac_to_time_limit: f64,
    /// Minimum ratio of the time of a submission that must be too slow to the time limit.
    pub time_limit_to_tle: f64,
}

/// How submissions are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemType {
    /// Test groups have scores, and a submission can get some of them.
    pub scoring: bool,
    /// The output validator interacts with the submission.
    pub interactive: bool,
    /// A submission is run several times, and the output validator provides the input of each run.
    pub multi_pass: bool,
    /// A submission is an output, not a program.
    pub submit_answer: bool,
}

/// The program that judges outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputValidator {
    /// A program or a folder of sources; `None` for the default output validator.
    pub program: Option<PathBuf>,
    /// Whether a custom program is required. It can be missing even if `problem.yaml` requires it.
    pub is_custom: bool,
    /// Default arguments, for test groups without their own.
    pub arguments: Vec<String>,
}

/// A submission of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageSubmission {
    /// Path below `submissions/`, with `/`: `wrong_answer/greedy.cpp`.
    pub name: String,
    /// Source or folder of sources.
    pub path: PathBuf,
    /// Expectation over all test cases.
    pub expectation: Expectation,
    /// Expectations on some test cases only.
    pub rules: Vec<SubmissionRule>,
    /// Whether its time bounds the time limit: from below, from above, or not at all.
    pub time_bound: Option<TimeBound>,
    /// Expected final score, in a scoring problem.
    pub expected_score: Option<ExpectedScore>,
    /// Language, if the package states it.
    pub language: Option<String>,
    /// File or class to start, if the package states it.
    pub entry_point: Option<String>,
}

/// The side from which a submission's time bounds the time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBound {
    /// The submission must be in time.
    Lower,
    /// The submission must be too slow.
    Upper,
}

/// An expectation of a submission on the test cases with names that match a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionRule {
    /// Glob over [`TestCase::name`] and names of groups: `secret/large*`.
    pub pattern: String,
    /// Expected verdicts; `None` if the rule does not restrict them.
    pub expectation: Option<Expectation>,
    /// Expected score of each group with a matching name of its own.
    pub expected_score: Option<ExpectedScore>,
    /// Text that some feedback must contain.
    pub message: Option<String>,
    /// Whether the times on these test cases bound the time limit.
    pub time_bound: Option<TimeBound>,
}

/// A group of test cases: a folder below `data/`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestGroup {
    /// Path below `data/`, with `/`; empty for `data` itself.
    pub name: String,
    /// Arguments of input validators, including those inherited from the parent group.
    pub input_arguments: ValidatorArguments,
    /// Arguments of the output validator, including inherited ones. They follow those of
    /// [`OutputValidator::arguments`].
    pub output_validator_arguments: Vec<String>,
    /// Maximum score, if stated.
    pub max_score: Option<f64>,
}

/// Arguments of the programs that draw a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisualizerArguments {
    /// Those of the program that draws inputs.
    pub input: Vec<String>,
    /// Those of the program that draws outputs.
    pub output: Vec<String>,
}

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// Path below `data/` without `.in`, with `/`: `secret/03-large/017`.
    pub name: String,
    /// Path of the input.
    pub input: PathBuf,
    /// Path of the answer; `None` if it is missing.
    pub answer: Option<PathBuf>,
    /// Index of its group in [`Package::groups`].
    pub group: usize,
    /// Arguments passed to the submission.
    pub arguments: Vec<String>,
    /// Arguments of the output validator, its own or the group's.
    pub output_validator_arguments: Vec<String>,
    /// Arguments of the visualizers, its own or the group's.
    pub visualizer_arguments: VisualizerArguments,
    /// Arguments of input validators, its own or the group's.
    pub input_arguments: ValidatorArguments,
    /// Arguments of answer validators, its own or the group's.
    pub answer_arguments: ValidatorArguments,
    /// Folder of extra files for the submission's working directory, if any.
    pub files: Option<PathBuf>,
    /// Whether it is a sample.
    pub is_sample: bool,
}

impl TestCase {
    /// Returns the size of the input in bytes, or 0 if it cannot be read.
    pub fn input_bytes(&self) -> u64 {
        std::fs::metadata(&self.input).map_or(0, |file| file.len())
    }
}

/// Arguments of several validators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidatorArguments {
    /// Arguments of every validator.
    pub common: Vec<String>,
    /// Arguments of single validators, by name. If there are any, other validators get none.
    pub by_name: BTreeMap<String, Vec<String>>,
}

/// A check of a submission's sources, which counts as a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticCase {
    /// Group that the check belongs to.
    pub group: String,
    /// Arguments of the static validator.
    pub arguments: Vec<String>,
}

/// The end of the name of a probe that is the output which the statement shows for a test case.
pub const SHOWN_OUTPUT_SUFFIX: &str = ".out";

/// A file to try a package's validators on, with the expected result.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidatorProbe {
    /// Path below `data/` or the validator's tests, without extension.
    pub name: String,
    /// Path of the input.
    pub input: PathBuf,
    /// Answer and output, if the output validator is tried.
    pub output: Option<(PathBuf, PathBuf)>,
    /// Whether it must be accepted.
    pub is_valid: bool,
    /// Whether its output is an answer, so that answer validators are tried, too.
    pub is_answer: bool,
    /// Arguments of the input validators, or of the output validator.
    pub arguments: ValidatorArguments,
    /// Arguments of answer validators.
    pub answer_arguments: ValidatorArguments,
    /// Folder of extra files for the input validators' working directory, if any.
    pub files: Option<PathBuf>,
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
    /// Iterates over the submissions that must be accepted.
    pub fn accepted_submissions(&self) -> impl Iterator<Item = &PackageSubmission> {
        self.submissions.iter().filter(|s| s.expectation.is_accepted())
    }

    /// Iterates over the groups below `data/secret` that have test cases of their own, in order, with their indices.
    pub fn secret_groups(&self) -> impl Iterator<Item = (usize, &TestGroup)> {
        let has_cases = |number: usize| self.test_cases.iter().any(|case| case.group == number);
        let groups = self.groups.iter().enumerate().filter(|(_, group)| group.name.starts_with("secret/"));
        groups.filter(move |(number, _)| has_cases(*number))
    }

    /// Checks that every test case of a scoring problem is in a group. A test case outside of all groups gives no
    /// points, so a submission that fails only on it would still get the full score.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first such test case and the groups.
    pub fn check_groups(&self) -> Result<()> {
        let outside = self.scoring.as_ref().map(Scoring::cases_without_points).unwrap_or_default();
        let Some(case) = outside.iter().find_map(|number| self.test_cases.get(*number)) else { return Ok(()) };
        let others = match outside.len() - 1 {
            0 => String::new(),
            count => format!(" (like {})", count_with_noun(count, "other test case")),
        };
        let text =
            format!("`{}`: the test case `{}` is not in a group, so it gives no points{others}", self.id, case.name);
        let groups: Vec<String> = self.secret_groups().map(|(_, group)| format!("`{}`", group.name)).collect();
        Err(Error::usage_error(text).with_help(match &groups[..] {
            [] => "move it into a group: a folder of `data/secret` with points".to_owned(),
            [only] => format!("move it into {only}"),
            several => format!("move it into one of {}", list_and(several)),
        }))
    }

    /// Returns the name of the folder below `submissions/` that contains a submission.
    pub fn submission_folder(submission: &PackageSubmission) -> &str {
        submission.name.split('/').next().unwrap_or_default()
    }
}

impl ProblemType {
    /// Returns true if the output on a single input cannot be judged, because the submission interacts with the
    /// output validator.
    pub fn has_jury_dialogue(self) -> bool {
        self.interactive || self.multi_pass
    }
}

impl ValidatorArguments {
    /// Returns the arguments of this validator. If some validators have arguments of their own, all others have none.
    pub fn arguments_for(&self, validator: &Path) -> &[String] {
        if self.by_name.is_empty() {
            return &self.common;
        }
        let names = [validator.file_name(), validator.file_stem()];
        let mut found = names.into_iter().flatten().filter_map(|name| self.by_name.get(name.to_str()?));
        found.next().map_or(&[], Vec::as_slice)
    }
}

impl StaticCase {
    /// Returns its name among the test cases.
    pub fn test_case_name(&self) -> String {
        format!("{}/(static)", self.group)
    }
}

impl PackageSubmission {
    /// Returns a submission with an expectation on all test cases together and no other statements about it.
    pub fn new(
        name: String,
        path: PathBuf,
        expectation: Expectation,
        time_bound: Option<TimeBound>,
    ) -> PackageSubmission {
        PackageSubmission {
            name,
            path,
            expectation,
            rules: Vec::new(),
            time_bound,
            expected_score: None,
            language: None,
            entry_point: None,
        }
    }
}

impl SubmissionRule {
    /// Returns true if the rule is about the test case or group with this name.
    pub fn covers_name(&self, name: &str) -> bool {
        name_pattern::matches_name_or_parent(&self.pattern, name)
    }

    /// Returns true if the pattern matches the group itself, not only something inside it.
    pub fn matches_group(&self, group: &str) -> bool {
        name_pattern::matches_exact_name(&self.pattern, group)
    }
}

// Constants of a package: `{{name}}` in its programs and descriptions.

/// Values of constants by the text between the braces: `name`, `name.value` or `name.variant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Returns true if the package has no constants.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a text with each `{{name}}` replaced. Undefined names are left as they are.
    pub fn substitute_constants(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            let named = after[2..].split_once("}}").and_then(|(name, behind)| Some((self.0.get(name)?, behind)));
            match named {
                Some((value, behind)) => {
                    out.push_str(value);
                    rest = behind;
                }
                // Skip one brace only: in `{{{name}}`, the constant begins at the second.
                None => {
                    out.push('{');
                    rest = &after[1..];
                }
            }
        }
        out.push_str(rest);
        out
    }
}

pub(super) fn read_constants(node: &YamlNode, reader: &mut YamlReader<'_>) -> Constants {
    let mut constants = BTreeMap::new();
    for (key, value) in reader.read_map("constants", node) {
        if !is_constant_name(&key.name) {
            let text = format!("`{}` is not a valid name for a constant", shorten_for_message(&key.name));
            reader.report_error(key.position, text);
            reader.add_help("a name consists of letters, digits and `_` and does not start with a digit");
            continue;
        }
        let YamlKind::Map(variants) = &value.kind else {
            let Some(text) = reader.read_text(&key.name, value) else { continue };
            constants.insert(format!("{}.value", key.name), text.clone());
            constants.insert(key.name.clone(), text);
            continue;
        };
        if !variants.iter().any(|(variant, _)| variant.name == "value") {
            reader.report_error(key.position, format!("the constant `{}` has no `value`", key.name));
        }
        for (variant, value) in variants {
            let Some(text) = reader.read_text(&variant.name, value) else { continue };
            if variant.name == "value" {
                constants.insert(key.name.clone(), text.clone());
            }
            constants.insert(format!("{}.{}", key.name, variant.name), text);
        }
    }
    Constants(constants)
}

fn is_constant_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_letter) && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_replaced_and_unknown_ones_stay() {
        let constants = Constants([("n".to_owned(), "5".to_owned()), ("n.tex".to_owned(), "$5$".to_owned())].into());
        for (text, wanted) in [
            ("{{n}} {{n.tex}}{{m}}", "5 $5${{m}}"),
            ("{{{n}}}", "{5}"),
            ("{{", "{{"),
            ("{{n}", "{{n}"),
            ("{{ n }}", "{{ n }}"),
            ("{{x {{n}}", "{{x 5"),
        ] {
            assert_eq!(constants.substitute_constants(text), wanted, "{text}");
        }
    }
}
