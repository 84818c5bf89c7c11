//! Folders of a problem without a description: a validator with testlib, solutions, samples and perhaps a checker, as
//! testcase.ac and many authors keep them side by side.
//!
//! They are known by their names: `validator.cpp`, `checker.cpp`, `correct*` and `rejected*` for solutions, and inputs
//! that begin with `sample` or `testcase` or have `.in` in their names, with answers that have `.out` there.

use super::dialect::Dialect;
use super::model::{
    Constants, OutputValidator, Package, PackageLimits, PackageSubmission, ProblemType, TestCase, TestGroup,
    ValidatorArguments, VisualizerArguments,
};
use super::package_log::PackageLog;
use super::programs::{find_header_folder, validates_like_testlib};
use super::submissions_yaml::folder_expectation;
use rebut_diagnostics::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file by which such a folder is known.
const VALIDATOR_FILE: &str = "validator.cpp";

/// Maximum size in bytes of the file with the limits.
const MAX_METADATA_BYTES: u64 = 1 << 16;

/// The limits in `metadata.yaml`; its other keys are not used.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    title: Option<String>,
    time_limit_ms: Option<u64>,
    memory_limit_mb: Option<u64>,
}

/// Returns true for a folder with a validator with testlib.
pub(super) fn is_loose_folder(folder: &Path) -> bool {
    let validator = folder.join(VALIDATOR_FILE);
    validator.is_file() && validates_like_testlib(&validator, &[])
}

/// Reads such a folder as a package.
///
/// # Errors
///
/// Returns an error if the folder cannot be listed.
pub(super) fn read_loose_folder(folder: &Path, log: &mut PackageLog) -> Result<Package> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::unreadable_file(folder, &error))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.is_file());
    files.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let metadata = read_metadata(&folder.join("metadata.yaml"), log);
    let checker = folder.join("checker.cpp");
    let groups = vec![TestGroup {
        name: String::new(),
        input_arguments: ValidatorArguments::default(),
        output_validator_arguments: Vec::new(),
        max_score: None,
    }];
    Ok(Package {
        id: super::folder_name(folder),
        dialect: Dialect::Legacy,
        titles: metadata.title.into_iter().map(|title| ("en".to_owned(), title)).collect(),
        metadata: BTreeMap::new(),
        format: None,
        recipe: None,
        data_origin: None,
        limits: PackageLimits {
            cpu_time_ms: metadata.time_limit_ms,
            memory_bytes: metadata.memory_limit_mb.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            ..PackageLimits::default()
        },
        problem_type: ProblemType::default(),
        output_validator: OutputValidator {
            is_custom: checker.is_file(),
            program: Some(checker).filter(|path| path.is_file()),
            arguments: Vec::new(),
        },
        input_validators: vec![folder.join(VALIDATOR_FILE)],
        answer_validators: Vec::new(),
        input_visualizer: None,
        output_visualizer: None,
        static_validator: None,
        static_cases: Vec::new(),
        include: find_header_folder(folder).into_iter().collect(),
        standards: Vec::new(),
        submissions: files.iter().filter_map(|path| read_submission(&name(path), path)).collect(),
        groups,
        test_cases: files.iter().filter_map(|path| read_test_case(&name(path), path)).collect(),
        scoring: None,
        grader: None,
        probes: Vec::new(),
        constants: Constants::default(),
        notes: Vec::new(),
        folder: folder.to_owned(),
    })
}

fn read_metadata(path: &Path, log: &mut PackageLog) -> Metadata {
    if std::fs::metadata(path).map_or(true, |file| file.len() > MAX_METADATA_BYTES) {
        return Metadata::default();
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_saphyr::from_str(&text).unwrap_or_else(|_| {
        log.add_note("metadata.yaml", "is not understood, so its limits are not used");
        Metadata::default()
    })
}

fn read_submission(name: &str, path: &Path) -> Option<PackageSubmission> {
    let folder = match name {
        _ if name.starts_with("correct") => "accepted",
        _ if name.starts_with("rejected") => "rejected",
        _ => return None,
    };
    let (expectation, time_bound) = folder_expectation(folder, Dialect::V2025)?;
    Some(PackageSubmission::new(name.to_owned(), path.to_owned(), expectation, time_bound))
}

fn read_test_case(name: &str, path: &Path) -> Option<TestCase> {
    let is_input = name.starts_with("testcase") && !name.contains(".out") || name.contains(".in");
    let answer = path.with_file_name(name.replacen(".in", ".out", 1));
    is_input.then(|| TestCase {
        name: name.split('.').next().unwrap_or(name).to_owned(),
        input: path.to_owned(),
        answer: Some(answer).filter(|answer| answer != path && answer.is_file()),
        group: 0,
        arguments: Vec::new(),
        output_validator_arguments: Vec::new(),
        visualizer_arguments: VisualizerArguments::default(),
        input_arguments: ValidatorArguments::default(),
        answer_arguments: ValidatorArguments::default(),
        files: None,
        is_sample: name.starts_with("sample"),
    })
}
