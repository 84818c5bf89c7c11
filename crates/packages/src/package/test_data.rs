//! The test cases and groups of a package, in judging order.

use super::dialect::Dialect;
use super::group_scoring::GroupScoring;
use super::group_settings::{self, GroupSettings, GroupSettingsReader};
use super::model::{SHOWN_OUTPUT_SUFFIX, StaticCase, TestCase, TestGroup, ValidatorArguments, ValidatorProbe};
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
    let reader = GroupSettingsReader { tree, settings, log };
    let mut walk = TestDataWalker { reader, data: TestData::default(), cases_without_answer: Vec::new() };
    let settings_of_data = walk.reader.read_group("data", &GroupSettings::default())?;
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
    data: TestData,
    /// Test cases without an answer.
    cases_without_answer: Vec<String>,
}

impl TestDataWalker<'_> {
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
        [&self.reader.settings.validator_flags[..], &group_settings.output_validator_arguments].concat()
    }

    /// Reads a group recursively. Test cases and subgroups are visited in a single order, by name.
    fn visit_group(&mut self, folder: &str, inherited: &GroupSettings) -> Result<()> {
        let tree = self.reader.tree;
        let group_settings = self.reader.read_group(folder, inherited)?;
        let index = self.add_group(folder, &group_settings);
        let cases = collect_case_files(tree, folder, self.reader.log);
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
                self.reader.log.add_note(&path, "is not a test case: it has no input (`.in`)");
            }
            return Ok(());
        };
        if !files.contains_key("ans") {
            self.cases_without_answer.push(path.clone());
        }
        let is_newer = matches!(self.reader.settings.dialect, Dialect::Draft2023 | Dialect::V2025);
        let mut case_settings = match files.get("yaml").filter(|_| is_newer) {
            Some(item) => self.reader.read_test_case(&item.path, inherited)?,
            None => inherited.clone(),
        };
        if let Some(item) = files.get("args") {
            let text = tree.read_text(&item.path, self.reader.log)?.unwrap_or_default();
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
                self.reader
                    .log
                    .report_error(format!("{folder}/{name}"), format!("differs from `{other}` only by case"));
            } else if self.reader.settings.dialect == Dialect::V2025 {
                self.reader.log.report_error(format!("{folder}/{name}"), "is the name of a test case and of a folder");
            }
        }
    }

    fn check_data_folder(&mut self) {
        let tree = self.reader.tree;
        if !tree.has_folder("data") {
            self.reader.log.add_note("data", "does not exist");
        } else if self.data.test_cases.is_empty() {
            self.reader.log.add_note("data", "has no test cases");
        } else if self.data.test_cases.iter().all(|case| case.is_sample)
            && let Some(origin) = describe_data_origin(tree)
        {
            self.reader
                .log
                .add_note("data/secret", &format!("has no test cases, so only the samples are used: {origin}"));
        }
        if let Some(first) = self.cases_without_answer.first() {
            let others = match self.cases_without_answer.len() - 1 {
                0 => String::new(),
                count => format!(", like {}", count_with_noun(count, "other test case")),
            };
            self.reader.log.add_note(first, &format!("has no answer (`.ans`){others}"));
        }
        for item in tree.children("data") {
            let is_known = is_probe_folder(&item.name) || matches!(item.name.as_str(), "sample" | "secret");
            if item.is_folder && !is_known {
                self.reader
                    .log
                    .add_note(&item.path, "is skipped: test cases are read from `data/sample` and `data/secret`");
            } else if !item.is_folder && is_known {
                self.reader.log.report_wrong_file_type(&item.path, false);
            }
        }
    }
}

/// Returns the path below `data`.
fn name_below_data(path: &str) -> &str {
    path.strip_prefix("data").map_or(path, |rest| rest.trim_start_matches('/'))
}

// Scripts that make the test data of a package, which its repository does not contain.

/// The recipe of BAPCtools. Its folder is not part of the tree, because nothing else in it is read.
const GENERATORS_YAML: &str = "generators/generators.yaml";

/// Folders in which packages keep such scripts.
const SCRIPT_FOLDERS: [&str; 2] = ["data", "data/secret"];

/// Returns how to make the test data, if a file seems to do that, judging by its name: `generators/generators.yaml`,
/// `data/generator.sh`, `data/gen.py`.
pub(super) fn describe_data_origin(tree: &PackageTree) -> Option<String> {
    if tree.absolute_path(GENERATORS_YAML).is_file() {
        return Some(format!("`{GENERATORS_YAML}` describes them, for `bt generate` of BAPCtools"));
    }
    let scripts = SCRIPT_FOLDERS.iter().flat_map(|folder| tree.children(folder)).filter(|item| {
        !item.is_folder && item.name.starts_with("gen") && matches!(item.extension(), "sh" | "py" | "dsl")
    });
    // A shell script starts the others.
    scripts.min_by_key(|item| item.extension() != "sh").map(|item| format!("`{}` seems to make them", item.path))
}

// The folders of probes below `data/`.

/// The validators that the files of a folder are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProbeKind {
    /// `.in` only: input validators.
    Input,
    /// `.in`, `.ans` and `.out`: the output validator.
    Output,
    /// `.in` and `.ans`: answer validators, and the output validator with the answer as the output.
    Answer,
    /// Depends on the files of each probe (an older convention).
    ByFiles,
}

/// Folders below `data/`, in both spellings in use.
pub(super) const PROBE_FOLDERS: [(&str, ProbeKind, bool); 10] = [
    ("invalid_input", ProbeKind::Input, false),
    ("invalid_inputs", ProbeKind::Input, false),
    ("valid_input", ProbeKind::Input, true),
    ("valid_inputs", ProbeKind::Input, true),
    ("invalid_output", ProbeKind::Output, false),
    ("invalid_outputs", ProbeKind::Output, false),
    ("valid_output", ProbeKind::Output, true),
    ("valid_outputs", ProbeKind::Output, true),
    ("invalid_answer", ProbeKind::Answer, false),
    ("invalid_answers", ProbeKind::Answer, false),
];

/// The only such folder in older versions of BAPCtools.
pub(super) const BAD_FOLDER: (&str, ProbeKind, bool) = ("bad", ProbeKind::ByFiles, false);

/// Returns true for folders of probes below `data/`.
pub(super) fn is_probe_folder(name: &str) -> bool {
    PROBE_FOLDERS.iter().chain([&BAD_FOLDER]).any(|(folder, ..)| *folder == name)
}

// Probes: inputs and outputs that the validators of a package must reject or accept.

/// Reads the probes, sorted by folder.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub(super) fn read_probes(
    tree: &PackageTree,
    settings: &ProblemYaml,
    log: &mut PackageLog,
) -> Result<Vec<ValidatorProbe>> {
    let reader = GroupSettingsReader { tree, settings, log };
    let mut walk = ProbeWalker { reader, probes: Vec::new() };
    let settings_of_data = walk.reader.read_group("data", &GroupSettings::default())?;
    for (folder, kind, is_valid) in PROBE_FOLDERS.iter().chain([&BAD_FOLDER]) {
        let folder = format!("data/{folder}");
        if tree.has_folder(&folder) {
            walk.visit_folder(&folder, *kind, *is_valid, &settings_of_data)?;
        }
    }
    Ok(walk.probes)
}

struct ProbeWalker<'a> {
    reader: GroupSettingsReader<'a>,
    probes: Vec<ValidatorProbe>,
}

impl ProbeWalker<'_> {
    fn visit_folder(&mut self, folder: &str, kind: ProbeKind, is_valid: bool, inherited: &GroupSettings) -> Result<()> {
        let tree = self.reader.tree;
        let group_settings = self.reader.read_group(folder, inherited)?;
        for (name, files) in collect_case_files(tree, folder, self.reader.log) {
            self.add_probe(&format!("{folder}/{name}"), &files, kind, is_valid, &group_settings)?;
        }
        let groups = tree.children(folder).iter().filter(|item| item.is_folder && !item.name.ends_with(".files"));
        for item in groups {
            self.visit_folder(&item.path, kind, is_valid, &group_settings)?;
        }
        Ok(())
    }

    fn add_probe(
        &mut self,
        path: &str,
        files: &CaseFiles<'_>,
        kind: ProbeKind,
        is_valid: bool,
        inherited: &GroupSettings,
    ) -> Result<()> {
        let tree = self.reader.tree;
        let wanted: &[&str] = match kind {
            ProbeKind::Input | ProbeKind::ByFiles => &["in"],
            ProbeKind::Output => &["in", "ans", "out"],
            ProbeKind::Answer => &["in", "ans"],
        };
        let missing: Vec<String> =
            wanted.iter().filter(|ending| !files.contains_key(**ending)).map(|ending| format!("`.{ending}`")).collect();
        let Some(input) = files.get("in").filter(|_| missing.is_empty()) else {
            self.reader.log.add_note(path, &format!("is not tried: it has no {}", missing.join(" and no ")));
            return Ok(());
        };
        let probe_settings = match files.get("yaml") {
            Some(item) => self.reader.read_test_case(&item.path, inherited)?,
            None => inherited.clone(),
        };
        let file = |ending: &str| files.get(ending).map(|item: &&PackageEntry| tree.absolute_path(&item.path));
        let output = match kind {
            ProbeKind::Input => None,
            ProbeKind::Output => file("ans").zip(file("out")),
            ProbeKind::Answer => file("ans").zip(file("ans")),
            ProbeKind::ByFiles => file("ans").map(|answer| (answer.clone(), file("out").unwrap_or(answer))),
        };
        let arguments = match output {
            Some(_) => {
                let common =
                    [&self.reader.settings.validator_flags[..], &probe_settings.output_validator_arguments].concat();
                ValidatorArguments { common, ..ValidatorArguments::default() }
            }
            None => probe_settings.input_arguments,
        };
        self.probes.push(ValidatorProbe {
            name: path.strip_prefix("data/").unwrap_or(path).to_owned(),
            input: tree.absolute_path(&input.path),
            output,
            is_valid,
            is_answer: kind == ProbeKind::Answer,
            arguments,
            answer_arguments: probe_settings.answer_arguments,
            files: file("files"),
        });
        Ok(())
    }
}

/// Returns the checks in the order of the groups. Contradictions are errors in the 2025-09 format.
pub(super) fn read_static_cases(
    settings: &ProblemYaml,
    has_program: bool,
    group_scorings: &[GroupScoring],
    log: &mut PackageLog,
) -> Vec<StaticCase> {
    let mut report = |location: &str, text: &str| log.report_contradiction(settings.dialect, location, text);
    if has_program && settings.problem_type.submit_answer {
        report("static_validator", "validates programs, but submissions are outputs in this problem");
    }
    for group in group_scorings {
        let points = &group.point_settings;
        if points.static_arguments.is_some() && points.static_score.is_none() {
            report(&group.location, "has `static_validator_args` but no `static_validation_score`");
        }
        let gives = points.static_score.is_some() && !points.static_is_pass_fail;
        if gives && !settings.problem_type.scoring {
            report(&group.location, "gives points for static validation, but the problem is not a scoring problem");
        } else if gives && points.is_pass_fail(&group.group) {
            report(&group.location, "gives points for static validation, but is `pass-fail`");
        } else if points.static_is_pass_fail && settings.problem_type.scoring && !points.is_pass_fail(&group.group) {
            report(&group.location, "gives no points for static validation, but is not `pass-fail`");
        }
    }
    let requiring: Vec<&GroupScoring> =
        group_scorings.iter().filter(|group| group.point_settings.static_score.is_some()).collect();
    if let (Some(first), false) = (requiring.first(), has_program) {
        report(&first.location, "requires static validation, but there is no `static_validator`");
        return Vec::new();
    }
    let case = |group: &&GroupScoring| StaticCase {
        group: group.group.clone(),
        arguments: group.point_settings.static_arguments.clone().unwrap_or_default(),
    };
    requiring.iter().map(case).collect()
}
