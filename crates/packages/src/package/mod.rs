//! Reader of problem packages of all dialects. [`PackageTree`] lists the files once, each part of a package has a
//! module that reads it, and errors are collected in a [`PackageLog`] and reported together.
//!
//! Nothing outside the package is read, and neither is test data: of inputs and answers only the paths are kept.

mod contest;
mod dialect;
mod grader_overrides;
mod group_scoring;
mod group_settings;
mod loose_folder;
mod model;
mod name_pattern;
mod package_log;
mod package_tree;
mod problem_yaml;
mod program_copies;
mod programs;
mod submissions;
mod submissions_yaml;
mod test_data;
mod yaml_tree;

pub use contest::{Contest, ContestProblem};
pub use dialect::Dialect;
pub(crate) use group_settings::GROUP_FILE_NAMES;
pub use model::{
    Constants, OutputValidator, Package, PackageLimits, PackageSubmission, ProblemType, SHOWN_OUTPUT_SUFFIX,
    StaticCase, SubmissionRule, TestCase, TestGroup, TimeBound, ValidatorArguments, ValidatorProbe,
    VisualizerArguments,
};
use package_log::PackageLog;
pub(crate) use package_log::shorten_for_message;
use package_tree::PackageTree;
pub use problem_yaml::{STATEMENT_FOLDERS, write_time_limit};
pub use program_copies::language_code;
pub(crate) use programs::{accepts_with_42, is_registered, is_testlib_validator};
pub use programs::{find_testlib_validator, follows_testlib_conventions, validates_like_testlib};
use rebut_diagnostics::{Error, Result};
use std::path::Path;
pub(crate) use submissions::PARTIAL_FOLDER;
pub use submissions::{find_submission, reference_rank};
pub(crate) use test_data::CASE_FILE_EXTENSIONS;

/// What to do about a folder that is not a package.
const PACKAGE_HELP: &str = "name the folder of a problem package: one with `problem.yaml`, `input.format`, or both";

/// Files that identify a package.
const DESCRIPTION_FILES: [&str; 4] =
    [problem_yaml::PROBLEM_YAML_FILE, "domjudge-problem.ini", "input.format", "tests.toml"];

impl Package {
    /// Reads a package.
    ///
    /// # Errors
    ///
    /// Returns one error with all problems of the package, or an error if `folder` is not a folder or a
    /// file cannot be read.
    pub fn load(folder: &Path) -> Result<Package> {
        Package::load_without(folder, &|_| false)
    }

    /// Reads a package as if some files did not exist, so that a build is not refused because of files that it is
    /// about to replace. `is_left_out` is called with paths in the package, with `/`.
    ///
    /// # Errors
    ///
    /// As [`load`](Package::load).
    pub fn load_without(folder: &Path, is_left_out: &dyn Fn(&str) -> bool) -> Result<Package> {
        if !folder.is_dir() {
            let problem =
                if folder.exists() { "is a file, not the folder of a problem package" } else { "does not exist" };
            return Err(Error::usage_error(format!("`{}` {problem}", folder.display())).with_help(PACKAGE_HELP));
        }
        let mut log = PackageLog::default();
        let tree = PackageTree::from_folder(folder, is_left_out, &mut log)?;
        let is_described = DESCRIPTION_FILES.iter().any(|name| tree.find_file(name).is_some());
        let mut package = if !is_described && loose_folder::is_loose_folder(folder) {
            loose_folder::read_loose_folder(folder, &mut log)?
        } else {
            read_package(folder, &tree, &mut log)?
        };
        package.notes = log.into_notes(&folder.display().to_string())?;
        Ok(package)
    }
}

fn read_package(folder: &Path, tree: &PackageTree, log: &mut PackageLog) -> Result<Package> {
    let mut settings = problem_yaml::read_problem_yaml(tree, log)?;
    group_settings::read_legacy_settings(tree, &mut settings, log)?;
    problem_yaml::read_statement_titles(tree, &mut settings, log)?;
    if log.has_no_errors() && !DESCRIPTION_FILES.iter().any(|name| tree.find_file(name).is_some()) {
        log.report_error("", "there is neither `problem.yaml` nor `input.format` in this folder");
        log.add_help(PACKAGE_HELP);
    }
    let file = |name: &str| tree.find_file(name).map(|item| tree.absolute_path(&item.path));
    let data = test_data::read_test_data(tree, &settings, log)?;
    let static_validator = programs::find_static_validator(tree, log);
    let static_cases = test_data::read_static_cases(&settings, static_validator.is_some(), &data.group_scorings, log);
    let scoring = group_scoring::build_scoring(&settings, &data.group_scorings, &data.test_cases, &static_cases, log);
    let grader = programs::find_grader(tree, scoring.as_ref(), log);
    let submissions = submissions::read_submissions(tree, &settings, scoring.as_ref(), log)?;
    let output_validator = programs::find_output_validator(tree, &settings, log);
    let mut probes = test_data::read_probes(tree, &settings, log)?;
    // The outputs of a conversation cannot be judged afterwards.
    if !settings.problem_type.has_jury_dialogue() {
        probes.extend(data.shown_outputs.iter().cloned());
    }
    if !output_validator.is_custom {
        check_validator_flags(&output_validator.arguments, &data, &probes, log);
    }
    Ok(Package {
        id: folder_name(folder),
        dialect: settings.dialect,
        format: file("input.format"),
        recipe: file("tests.toml"),
        data_origin: test_data::describe_data_origin(tree),
        output_validator,
        input_validators: programs::find_validators(tree, "input", log),
        answer_validators: programs::find_validators(tree, "answer", log),
        input_visualizer: programs::find_visualizer(tree, "input_visualizer", log),
        output_visualizer: programs::find_visualizer(tree, "output_visualizer", log),
        static_validator,
        static_cases,
        include: programs::find_include_folders(tree),
        submissions,
        groups: data.groups,
        test_cases: data.test_cases,
        scoring,
        grader,
        probes,
        titles: settings.titles,
        metadata: settings.metadata,
        limits: settings.limits,
        problem_type: settings.problem_type,
        constants: settings.constants,
        standards: settings.standards,
        notes: Vec::new(),
        folder: folder.to_owned(),
    })
}

/// Reports arguments that the default output validator does not know, each once.
fn check_validator_flags(
    common: &[String],
    data: &test_data::TestData,
    probes: &[ValidatorProbe],
    log: &mut PackageLog,
) {
    if let Err(text) = programs::checker_from_arguments(common) {
        log.report_error(problem_yaml::PROBLEM_YAML_FILE, text);
        return;
    }
    let mut reported: Vec<String> = Vec::new();
    let groups = data.groups.iter().map(|group| (&group.name, &group.output_validator_arguments));
    let cases = data.test_cases.iter().map(|case| (&case.name, &case.output_validator_arguments));
    let outputs = probes.iter().filter(|probe| probe.output.is_some());
    let outputs = outputs.map(|probe| (&probe.name, &probe.arguments.common));
    for (name, arguments) in groups.chain(cases).chain(outputs) {
        let Err(text) = programs::checker_from_arguments(arguments) else { continue };
        if !reported.contains(&text) {
            log.report_error(format!("data/{name}"), text.clone());
            reported.push(text);
        }
    }
}

/// Returns the folder's own name, also for `.`.
fn folder_name(folder: &Path) -> String {
    let canonical = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    canonical.file_name().map_or_else(|| "problem".to_owned(), |n| n.to_string_lossy().into_owned())
}
