//! The test cases and groups of a package, in judging order.

use super::data_script;
use super::dialect::Dialect;
use super::group_scoring::GroupScoring;
use super::group_settings::{self, GroupSettings, GroupSettingsReader};
use super::model::{SHOWN_OUTPUT_SUFFIX, TestCase, TestGroup, ValidatorArguments, ValidatorProbe};
use super::package_log::PackageLog;
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use rebut_diagnostics::{Result, count_with_noun};
use std::collections::BTreeMap;

/// Extensions of the files of a test case, longer ones first.
pub(crate) const CASE_FILE_EXTENSIONS: [&str; 18] = [
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "in",
    "ans",
    "out",
    "interaction",
    "files",
    "args",
    "yaml",
    "hint",
    "desc",
    "png",
    "jpg",
    "jpeg",
    "svg",
    "hash",
];

/// The files of a test case by extension.
pub(super) type CaseFiles<'t> = BTreeMap<&'static str, &'t PackageEntry>;

/// Groups and test cases.
#[derive(Debug, Default)]
pub(super) struct TestData {
    pub(super) groups: Vec<TestGroup>,
    pub(super) test_cases: Vec<TestCase>,
    /// Scoring settings of the groups.
    pub(super) group_scorings: Vec<GroupScoring>,
    /// Outputs that the statement shows in place of answers.
    pub(super) shown_outputs: Vec<ValidatorProbe>,
}

/// Reads `data/sample` and `data/secret`.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub(super) fn read_test_data(tree: &PackageTree, settings: &ProblemYaml, log: &mut PackageLog) -> Result<TestData> {
    let reader = GroupSettingsReader { tree, dialect: settings.dialect, constants: &settings.constants };
    let mut walk =
        TestDataWalker { reader, settings, data: TestData::default(), cases_without_answer: Vec::new(), log };
    let settings_of_data = walk.reader.read_group("data", &GroupSettings::default(), walk.log)?;
    walk.add_group("data", &settings_of_data);
    for folder in ["data/sample", "data/secret"] {
        if tree.has_folder(folder) {
            walk.visit_group(folder, &settings_of_data)?;
        }
    }
    walk.check_data_folder();
    Ok(walk.data)
}

/// Collects the files of the test cases in a folder, by name.
pub(super) fn collect_case_files<'t>(
    tree: &'t PackageTree,
    folder: &str,
    log: &mut PackageLog,
) -> BTreeMap<&'t str, CaseFiles<'t>> {
    let mut cases: BTreeMap<&str, CaseFiles<'_>> = BTreeMap::new();
    for item in tree.children(folder) {
        let is_group_file = group_settings::GROUP_FILE_NAMES.contains(&item.name.as_str());
        let is_file_by_name = is_group_file || [".in", ".ans"].iter().any(|ending| item.name.ends_with(ending));
        if item.is_folder && is_file_by_name {
            log.report_wrong_file_type(&item.path, true);
        }
        if is_group_file {
            continue;
        }
        let ending = CASE_FILE_EXTENSIONS.iter().find_map(|ending| {
            let stem = item.name.strip_suffix(ending)?.strip_suffix('.')?;
            (!stem.is_empty() && item.is_folder == (*ending == "files")).then_some((stem, *ending))
        });
        match ending {
            Some((stem, ending)) => drop(cases.entry(stem).or_default().insert(ending, item)),
            None if !item.is_folder && !is_documentation(item) => {
                log.add_note(&item.path, "does not belong to a test case")
            }
            None => {}
        }
    }
    cases
}

/// Returns true if a file is meant for human readers.
fn is_documentation(item: &PackageEntry) -> bool {
    matches!(item.extension(), "md" | "txt" | "sh" | "py" | "cpp" | "pdf") || !item.name.contains('.')
}

struct TestDataWalker<'a> {
    reader: GroupSettingsReader<'a>,
    settings: &'a ProblemYaml,
    data: TestData,
    /// Test cases without an answer.
    cases_without_answer: Vec<String>,
    log: &'a mut PackageLog,
}

impl TestDataWalker<'_> {
    /// Adds a group and returns its index.
    fn add_group(&mut self, folder: &str, group_settings: &GroupSettings) -> usize {
        self.data.groups.push(TestGroup {
            name: name_below_data(folder).to_owned(),
            input_arguments: group_settings.input_arguments.clone(),
            output_validator_arguments: self.output_validator_arguments(group_settings),
            max_score: group_settings.max_score,
        });
        let file = group_settings::GROUP_FILE_NAMES.map(|name| format!("{folder}/{name}"));
        let file = file.into_iter().find(|path| self.reader.tree.find_file(path).is_some());
        self.data.group_scorings.push(GroupScoring {
            group: name_below_data(folder).to_owned(),
            has_file: file.is_some(),
            location: file.unwrap_or_else(|| folder.to_owned()),
            grader_settings: group_settings.grader_settings.clone(),
            point_settings: group_settings.point_settings.clone(),
            mentions_graders: group_settings.mentions_graders,
        });
        self.data.groups.len() - 1
    }

    fn output_validator_arguments(&self, group_settings: &GroupSettings) -> Vec<String> {
        [&self.settings.validator_flags[..], &group_settings.output_validator_arguments].concat()
    }

    /// Reads a group recursively. Test cases and subgroups are visited in a single order, by name.
    fn visit_group(&mut self, folder: &str, inherited: &GroupSettings) -> Result<()> {
        let tree = self.reader.tree;
        let group_settings = self.reader.read_group(folder, inherited, self.log)?;
        let index = self.add_group(folder, &group_settings);
        let cases = collect_case_files(tree, folder, self.log);
        let is_group = |item: &&PackageEntry| item.is_folder && !item.name.ends_with(".files");
        let groups: Vec<&PackageEntry> = tree.children(folder).iter().filter(is_group).collect();
        self.check_case_collisions(folder, &cases, &groups);
        let mut names: Vec<(&str, Option<&PackageEntry>)> = cases.keys().map(|name| (*name, None)).collect();
        names.extend(groups.into_iter().map(|item| (item.name.as_str(), Some(item))));
        names.sort_by_key(|(name, _)| *name);
        for (name, group) in names {
            match group {
                Some(item) => self.visit_group(&item.path, &group_settings)?,
                None => self.add_test_case(folder, name, &cases[name], &group_settings, index)?,
            }
        }
        Ok(())
    }

    fn add_test_case(
        &mut self,
        folder: &str,
        name: &str,
        files: &CaseFiles<'_>,
        inherited: &GroupSettings,
        group: usize,
    ) -> Result<()> {
        let tree = self.reader.tree;
        let path = format!("{folder}/{name}");
        let Some(input) = files.get("in") else {
            if files.contains_key("ans") || files.contains_key("files") {
                self.log.add_note(&path, "is not a test case: it has no input (`.in`)");
            }
            return Ok(());
        };
        if !files.contains_key("ans") {
            self.cases_without_answer.push(path.clone());
        }
        let is_newer = matches!(self.settings.dialect, Dialect::Draft2023 | Dialect::V2025);
        let mut case_settings = match files.get("yaml").filter(|_| is_newer) {
            Some(item) => self.reader.read_test_case(&item.path, inherited, self.log)?,
            None => inherited.clone(),
        };
        if let Some(item) = files.get("args") {
            let text = tree.read_text(&item.path, self.log)?.unwrap_or_default();
            case_settings.arguments = text.split_whitespace().map(str::to_owned).collect();
        }
        let output_validator_arguments = self.output_validator_arguments(&case_settings);
        let file = |ending: &str| files.get(ending).map(|item| tree.absolute_path(&item.path));
        let name = name_below_data(&path).to_owned();
        if let Some(output) = file("ans").zip(file("out")).filter(|_| is_newer) {
            let common = output_validator_arguments.clone();
            self.data.shown_outputs.push(ValidatorProbe {
                name: format!("{name}{SHOWN_OUTPUT_SUFFIX}"),
                input: tree.absolute_path(&input.path),
                output: Some(output),
                is_valid: true,
                is_answer: false,
                arguments: ValidatorArguments { common, ..ValidatorArguments::default() },
                answer_arguments: ValidatorArguments::default(),
                files: None,
            });
        }
        self.data.test_cases.push(TestCase {
            name,
            input: tree.absolute_path(&input.path),
            answer: file("ans"),
            group,
            arguments: case_settings.arguments,
            output_validator_arguments,
            visualizer_arguments: case_settings.visualizer_arguments,
            input_arguments: case_settings.input_arguments,
            answer_arguments: case_settings.answer_arguments,
            files: file("files"),
            is_sample: folder == "data/sample" || folder.starts_with("data/sample/"),
        });
        Ok(())
    }

    /// Reports names that differ only by case, which some file systems do not distinguish.
    fn check_case_collisions(&mut self, folder: &str, cases: &BTreeMap<&str, CaseFiles<'_>>, groups: &[&PackageEntry]) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for name in cases.keys().copied().chain(groups.iter().map(|item| item.name.as_str())) {
            let Some(other) = seen.insert(name.to_lowercase(), name) else { continue };
            if other != name {
                self.log.report_error(format!("{folder}/{name}"), format!("differs from `{other}` only by case"));
            } else if self.settings.dialect == Dialect::V2025 {
                self.log.report_error(format!("{folder}/{name}"), "is the name of a test case and of a folder");
            }
        }
    }

    fn check_data_folder(&mut self) {
        let tree = self.reader.tree;
        if !tree.has_folder("data") {
            self.log.add_note("data", "does not exist");
        } else if self.data.test_cases.is_empty() {
            self.log.add_note("data", "has no test cases");
        } else if self.data.test_cases.iter().all(|case| case.is_sample)
            && let Some(origin) = data_script::describe_data_origin(tree)
        {
            self.log.add_note("data/secret", &format!("has no test cases, so only the samples are used: {origin}"));
        }
        if let Some(first) = self.cases_without_answer.first() {
            let others = match self.cases_without_answer.len() - 1 {
                0 => String::new(),
                count => format!(", like {}", count_with_noun(count, "other test case")),
            };
            self.log.add_note(first, &format!("has no answer (`.ans`){others}"));
        }
        for item in tree.children("data") {
            let is_known =
                super::probe_folders::is_probe_folder(&item.name) || matches!(item.name.as_str(), "sample" | "secret");
            if item.is_folder && !is_known {
                self.log.add_note(&item.path, "is skipped: test cases are read from `data/sample` and `data/secret`");
            } else if !item.is_folder && is_known {
                self.log.report_wrong_file_type(&item.path, false);
            }
        }
    }
}

/// Returns the path below `data`.
fn name_below_data(path: &str) -> &str {
    path.strip_prefix("data").map_or(path, |rest| rest.trim_start_matches('/'))
}
